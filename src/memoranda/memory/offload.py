from memoranda.bridge.offload import *  # noqa
from memoranda.bridge.offload import in_event_loop, offload  # noqa
