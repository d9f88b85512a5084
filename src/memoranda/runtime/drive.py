from memoranda.bridge.drive import *  # noqa
from memoranda.bridge.drive import Driver, Portal, Stepper, driven  # noqa
