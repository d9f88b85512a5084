"""The main job on the sample, step by step, each step checked by what it must show. `memoranda demo` prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal

from memoranda.errors import InvalidInput
from memoranda.records.entry import JsonValue
from memoranda.runtime.sync import Memory, Scope
from memoranda.service import demo_curation as curation
from memoranda.service.demo_compaction import compaction
from memoranda.service.demo_context import context
from memoranda.service.demo_curation import MARCH, PORT
from memoranda.service.demo_notes import Notes, Step, short, step
from memoranda.service.importing.reading import read_text
from memoranda.service.operations import Importer, ImportReport

SCOPE = "tallowmere/mira"
"""The scope that the sample is imported into."""
SAMPLE = ("chats.json", "notes.md", "facts.jsonl")
"""The files of the sample, in the order of their import."""

_README = "README.md"
_QUESTION = re.compile(r"^\| ([^|]+[?？]) \| `(.+)` \|$", re.MULTILINE)
_LOOKED_AT = 3
_OTHER_WORDS, _MEANT = "how do I revert a faulty build?", "rollback"
_SECRET = "sk-demo-7Qm2Vd9xKc4TnL8wRz3YbH6pFj1sAe5u"

_IMPORT = "Import four conversations, a page of notes and a list of facts"
_ASK = "Open the file again and ask; no LLM is called, nothing leaves this machine"
_MEANING = "Ask in other words: no word of the question stands in the answer"
_SECRETS = "A chat holds an API key: it is masked before it is stored"
_RESTATE = "The same is said again in other words: it joins what is known"
_CONTRADICT = "A contradiction is kept and shown, with both dates, until one of the two goes"
_REPLACE = "A fact changes: under the same key the newer takes the place of the older"
_RESTORE = "That was a mistake: take it back"
_AS_OF = f"What was true on {MARCH:%d %B %Y}?"
_ISOLATION = "Another user of the same file sees nothing of it"
_ERASE = "Forgotten for good: erased, and proved by a search of the files"
_DUMP = "Everything can leave again: dump, load into a second file, dump that"
_CONTEXT = "For every request: core blocks of limited length, and a graph of the task at hand"
_COMPACTION = "A conversation outgrows its budget: the request stays valid, and nothing of it is lost"


def demo(folder: Path, *, words_only: str | None = None) -> Iterator[Step]:
    """Runs the demo in a folder and yields each step when it is done.

    It leaves `demo.db`, `demo.jsonl`, `second.db` and `second.jsonl` there.

    Args:
        folder: an empty folder.
        words_only: why recall works with words only; the step that needs meaning is then left out and says so. None
            for the default embedder.

    Raises:
        InvalidInput: the folder holds one of these files already.
        StoreError: a file cannot be written.
    """
    there = [name for name in ("demo.db", "demo.jsonl", "second.db", "second.jsonl") if (folder / name).exists()]
    if there:
        raise InvalidInput(f"{folder} holds {there[0]} already; name an empty folder")
    path = folder / "demo.db"
    embedder: Literal["default"] | None = "default" if words_only is None else None
    opened = partial(Memory, path, embedder=embedder)
    with opened() as memory:
        yield step(_IMPORT, partial(_import, memory.scope(SCOPE)))
    leaked = any(_SECRET.encode() in file.read_bytes() for file in folder.glob("demo.db*"))
    with opened() as memory:
        scope = memory.scope(SCOPE)
        yield step(_ASK, partial(_ask, scope))
        yield step(_MEANING, partial(_by_meaning, scope, path, words_only))
        yield step(_SECRETS, partial(_secrets, scope, leaked))
        yield step(_RESTATE, partial(curation.restate, scope))
        yield step(_CONTRADICT, partial(curation.contradict, scope))
        yield step(_REPLACE, partial(curation.replace, scope))
        yield step(_RESTORE, partial(curation.restore, scope))
        yield step(_AS_OF, partial(curation.as_of, scope))
        yield step(_ISOLATION, partial(_isolation, memory))
    yield step(_ERASE, partial(curation.erase, opened, SCOPE, folder))
    with opened() as memory:
        yield step(_DUMP, partial(_dump, memory.scope(SCOPE), folder))
        yield step(_CONTEXT, partial(context, memory.scope(SCOPE)))
        yield step(_COMPACTION, partial(compaction, memory.scope(SCOPE)))


def _import(scope: Scope, notes: Notes) -> None:
    importer = Importer(scope)
    reports = list[ImportReport]()
    with as_file(files("memoranda.service") / "sample") as folder:
        for name in SAMPLE:
            reports.append(importer.run(folder / name))
            report = reports[-1]
            replaced = report.outcomes.get("replaced", 0)
            more = f", {replaced} of them in the place of an older one" if replaced else ""
            notes.lines.append(f"{name:12} {report.format:10} {report.imported} records{more}")
            notes.expect(not report.skipped, f"{len(report.skipped)} records of {name} were left out")
        again = sum(importer.run(folder / name).imported for name in SAMPLE)
    notes.lines.append(f"the same files once more: {again} records are new")
    notes.expect(again == 0, "importing the same files again added records")
    notes.expect(all(report.imported for report in reports), "a file gave no records")
    count = scope.count()
    notes.result = {"imported": {name: one.imported for name, one in zip(SAMPLE, reports, strict=True)}, "live": count}
    notes.lines.append(f"live entries in scope {scope.path}: {count}; the file is closed now")


def _ask(scope: Scope, notes: Notes) -> None:
    answers = list[JsonValue]()
    with as_file(files("memoranda.service") / "sample" / _README) as readme:
        questions = _QUESTION.findall(read_text(readme))
    notes.expect(bool(questions), "the sample has no questions")
    for question, expected in questions:
        hits = scope.recall(question, limit=_LOOKED_AT)
        place = next((place for place, hit in enumerate(hits, 1) if expected in hit.entry.memory), None)
        notes.lines.append(question)
        answers.append({"question": question, "expected": expected, "place": place})
        if place is None:
            notes.problems.append(f"{question} was not answered with {expected!r}")
            notes.lines.append("  -> nothing that holds the answer")
            continue
        hit = hits[place - 1]
        ranked = "" if place == 1 else f", hit {place}"
        notes.lines.append(f"  -> {short(hit.entry.memory)}")
        notes.lines.append(f"     score {hit.score:.2f}{ranked}: {hit.because}; {hit.entry.source}")
    notes.result = {"answers": answers}


def _by_meaning(scope: Scope, path: Path, words_only: str | None, notes: Notes) -> None:
    if words_only is not None:
        consequence, _, reason = words_only.partition(": ")
        notes.lines += [f"left out: {consequence}:", f"  {reason}"]
        notes.result = {"left_out": words_only}
        return
    with Memory(path, embedder=None) as words:
        by_words = len(words.scope(SCOPE).recall(_OTHER_WORDS))
    hits = scope.recall(_OTHER_WORDS, limit=_LOOKED_AT)
    hit = next((hit for hit in hits if _MEANT in hit.entry.memory), None)
    notes.expect(by_words == 0, f"words alone find {by_words} entries for {_OTHER_WORDS!r}")
    notes.expect(hit is not None, f"{_OTHER_WORDS} was not answered with {_MEANT!r}")
    notes.lines += [_OTHER_WORDS, f"  by words alone: {by_words} hits"]
    if hit is not None:
        notes.lines.append(f"  -> {short(hit.entry.memory)}")
        notes.lines.append(f"     score {hit.score:.2f}: {hit.because}; {hit.entry.source}")
    answer = None if hit is None else hit.entry.memory
    notes.result = {"question": _OTHER_WORDS, "hits_by_words": by_words, "answer": answer}


def _secrets(scope: Scope, in_files: bool, notes: Notes) -> None:
    hits = scope.recall("key for the map provider", limit=_LOOKED_AT)
    found = next((hit.entry.memory for hit in hits if "[REDACTED]" in hit.entry.memory), "")
    notes.expect(bool(found), "the message with the key was not found")
    notes.expect(not in_files, "the key stands in the file")
    notes.lines += [short(found), f"the key itself in the bytes of the file: {'found' if in_files else 'not found'}"]
    notes.result = {"memory": found, "key_in_file": in_files}


def _isolation(memory: Memory, notes: Notes) -> None:
    other = memory.scope("tallowmere/jonas")
    mine = memory.scope(SCOPE).list(limit=1)[0]
    hits, found = len(other.recall(PORT)), other.get(mine.id) is not None
    notes.expect(hits == 0 and not found and other.count() == 0, "another scope's entries were seen")
    notes.lines.append(f"scope {other.path}: {hits} hits, {other.count()} entries; Mira's entry by its id: not found")
    notes.result = {"hits": hits, "found_by_id": found}


def _dump(scope: Scope, folder: Path, notes: Notes) -> None:
    first, second = folder / "demo.jsonl", folder / "second.jsonl"
    count = scope.dump(first)
    with Memory(folder / "second.db") as memory:
        report = memory.scope(SCOPE).load(first)
        memory.scope(SCOPE).dump(second)
    same = first.read_bytes() == second.read_bytes()
    notes.expect(report.added == count and not report.refused, f"{report.added} of {count} entries were loaded")
    notes.expect(same, "the second dump differs from the first")
    equal = "the same, byte for byte" if same else "different"
    notes.lines.append(f"{count} entries, {first.stat().st_size} bytes; the second dump is {equal}")
    notes.result = {"entries": count, "bytes": first.stat().st_size, "identical": same}
