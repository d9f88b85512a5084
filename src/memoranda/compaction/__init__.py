"""Making every request fit its budget, without breaking it.

```python
from memoranda.compaction import CompactionConfig, Compactor, SlidingWindow

compactor = Compactor(CompactionConfig(context_window_tokens=128_000, warn_fraction=0.7))
request = compactor.on_request(messages)
reply = client.chat.completions.create(model="gpt-4o", messages=request.messages)
for line in request.report.lines():
    print(line)
```

The names are those of seed 4 where it has one. Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoranda.doors import door

if TYPE_CHECKING:
    from memoranda.compaction.budget import RequestBudget as Budget
    from memoranda.compaction.calibration import Calibration
    from memoranda.compaction.compactor import AsyncCompactor, Compactor
    from memoranda.compaction.config import CompactionConfig, default_strategies
    from memoranda.compaction.draft import Draft, Edit
    from memoranda.compaction.fidelity import Fidelity, fidelity
    from memoranda.compaction.report import Compacted, CompressionAction, CompressionReport
    from memoranda.compaction.strategies.clamp_oversized_messages import ClampOversizedMessages
    from memoranda.compaction.strategies.clear_tool_inputs import ClearToolInputs
    from memoranda.compaction.strategies.clear_tool_results import ClearToolResults
    from memoranda.compaction.strategies.deduplicate_file_reads import DeduplicateFileReads
    from memoranda.compaction.strategies.degrade_media import DegradeMedia
    from memoranda.compaction.strategies.drop_observations import DropObservations
    from memoranda.compaction.strategies.drop_turns import DropTurns
    from memoranda.compaction.strategies.offload import Offload
    from memoranda.compaction.strategies.sliding_window import SlidingWindow
    from memoranda.compaction.strategies.summarize import Summarize
    from memoranda.compaction.strategy import AwaitingStrategy, CompactionStrategy, Seams
    from memoranda.compaction.windows import ModelWindows
    from memoranda.messages.cost import MessageCost
    from memoranda.messages.formats import detect
    from memoranda.messages.repair import repair
    from memoranda.messages.validate import problems
    from memoranda.protocols.archive import Archive
    from memoranda.protocols.summarizer import Summarizer
    from memoranda.protocols.tokenizer import Tokenizer
    from memoranda.protocols.usage import ContextUsageObserver, ContextWindowResolver
    from memoranda.records.archived import ArchivedSpan, ArchiveReceipt, ArchiveUsage
    from memoranda.records.message import WireFormat
    from memoranda.records.span import Fate, Span
    from memoranda.records.summary import SummaryRequest
    from memoranda.records.usage import ContextUsage
    from memoranda.text.encodings import tokenizer

_HOMES = {
    "compaction.budget": ("RequestBudget",),
    "compaction.calibration": ("Calibration",),
    "compaction.compactor": ("AsyncCompactor", "Compactor"),
    "compaction.config": ("CompactionConfig", "default_strategies"),
    "compaction.draft": ("Draft", "Edit"),
    "compaction.fidelity": ("Fidelity", "fidelity"),
    "compaction.report": ("Compacted", "CompressionAction", "CompressionReport"),
    "compaction.strategies.clamp_oversized_messages": ("ClampOversizedMessages",),
    "compaction.strategies.clear_tool_inputs": ("ClearToolInputs",),
    "compaction.strategies.clear_tool_results": ("ClearToolResults",),
    "compaction.strategies.deduplicate_file_reads": ("DeduplicateFileReads",),
    "compaction.strategies.degrade_media": ("DegradeMedia",),
    "compaction.strategies.drop_observations": ("DropObservations",),
    "compaction.strategies.drop_turns": ("DropTurns",),
    "compaction.strategies.offload": ("Offload",),
    "compaction.strategies.sliding_window": ("SlidingWindow",),
    "compaction.strategies.summarize": ("Summarize",),
    "compaction.strategy": ("AwaitingStrategy", "CompactionStrategy", "Seams"),
    "compaction.windows": ("ModelWindows",),
    "messages.cost": ("MessageCost",),
    "messages.formats": ("detect",),
    "messages.repair": ("repair",),
    "messages.validate": ("problems",),
    "protocols.archive": ("Archive",),
    "protocols.summarizer": ("Summarizer",),
    "protocols.tokenizer": ("Tokenizer",),
    "protocols.usage": ("ContextUsageObserver", "ContextWindowResolver"),
    "records.archived": ("ArchiveReceipt", "ArchiveUsage", "ArchivedSpan"),
    "records.message": ("WireFormat",),
    "records.span": ("Fate", "Span"),
    "records.summary": ("SummaryRequest",),
    "records.usage": ("ContextUsage",),
    "text.encodings": ("tokenizer",),
}
_OTHER_NAMES = {"Budget": "RequestBudget"}
"""Names of the seed for what is called otherwise here, where another thing of ours has that name."""

__all__ = [
    "Archive",
    "ArchiveReceipt",
    "ArchiveUsage",
    "ArchivedSpan",
    "AsyncCompactor",
    "AwaitingStrategy",
    "Budget",
    "Calibration",
    "ClampOversizedMessages",
    "ClearToolInputs",
    "ClearToolResults",
    "Compacted",
    "CompactionConfig",
    "CompactionStrategy",
    "Compactor",
    "CompressionAction",
    "CompressionReport",
    "ContextUsage",
    "ContextUsageObserver",
    "ContextWindowResolver",
    "DeduplicateFileReads",
    "DegradeMedia",
    "Draft",
    "DropObservations",
    "DropTurns",
    "Edit",
    "Fate",
    "Fidelity",
    "MessageCost",
    "ModelWindows",
    "Offload",
    "Seams",
    "SlidingWindow",
    "Span",
    "Summarize",
    "Summarizer",
    "SummaryRequest",
    "Tokenizer",
    "WireFormat",
    "default_strategies",
    "detect",
    "fidelity",
    "problems",
    "repair",
    "tokenizer",
]

if not TYPE_CHECKING:  # a type checker would take any name for one of ours
    __getattr__, __dir__ = door(__name__, __all__, _HOMES, _OTHER_NAMES)
