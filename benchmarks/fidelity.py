"""How much of what later messages refer to still shows after compaction, over a folder of transcripts.

    python -m benchmarks.fidelity FOLDER

Takes every transcript that `memoranda compact` reads (`.json`, `.jsonl`, also packed with gzip or xz; a list of
tau-bench runs and a SWE-agent trajectory, too) and compacts it to shares of its tokens with the default strategies. For
each share it prints how many budgets were met, and how many of the values that later messages name again are visible,
can be reached by a handle, or are gone.
"""

from __future__ import annotations

import gzip
import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from memoranda.compaction import CompactionConfig, Compactor, WireFormat
from memoranda.compaction.fidelity import fidelity
from memoranda.messages.formats import read
from memoranda.service.transcripts import read_transcript

SHARES = (0.9, 0.75, 0.6, 0.4, 0.25)
ENCODER = "o200k_base"


def transcripts(folder: Path) -> Iterator[tuple[WireFormat, list[object]]]:
    """Yields every transcript of a folder."""
    for path in sorted(folder.rglob("*.json*")):
        opened = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
        with opened(path, "rt", encoding="utf-8") as file:
            text = str(file.read())
        if ".jsonl" in path.name:
            found = read_transcript(text, path.name)
            yield found.format, list(found.messages)
            continue
        document = json.loads(text)
        if isinstance(document, list) and document and "traj" in document[0]:
            yield from ((WireFormat.CHAT, run["traj"]) for run in document)
        elif isinstance(document, dict) and "history" in document:
            yield WireFormat.CHAT, document["history"]


def main(folder: Path) -> None:
    """Prints the table."""
    everything = list(transcripts(folder))
    whole = [
        Compactor(CompactionConfig(encoder_name=ENCODER), format=form).count_tokens(rows) for form, rows in everything
    ]
    print(f"{len(everything)} transcripts, {sum(whole):,} tokens ({ENCODER})")
    print(f"{'budget':>8} {'met':>6} {'visible':>9} {'by handle':>10} {'gone':>6}")
    for share in SHARES:
        sums, met = Counter[str](), 0
        for (form, rows), tokens in zip(everything, whole, strict=True):
            config = CompactionConfig(encoder_name=ENCODER, max_tokens=max(1, int(tokens * share)), max_fraction=None)
            done = Compactor(config, format=form).on_request(rows)
            met += not done.report.unmet
            found = fidelity(read(rows, form)[1], read(done.messages, form)[1], done.report.taken)
            sums += Counter(visible=found.visible, reachable=found.reachable, gone=found.gone)
        total = max(1, sum(sums.values()))
        shown = [f"{100 * sums[name] / total:.1f}%" for name in ("visible", "reachable", "gone")]
        print(f"{share:>8.0%} {met:>6} {shown[0]:>9} {shown[1]:>10} {shown[2]:>6}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
