"""The sample of `memoranda demo` (issue part 1, point 8) holds what its README says."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

from memoranda.service.importing.detect import parse
from memoranda.service.importing.item import ImportItem, Skipped

SAMPLE = files("memoranda.service") / "sample"


def read(name: str) -> list[ImportItem]:
    found = list(parse((SAMPLE / name).read_text(encoding="utf-8"), name))
    assert not [part for part in found if isinstance(part, Skipped)]
    return [part for part in found if isinstance(part, ImportItem)]


def test_four_conversations_with_times_that_go_on() -> None:
    items = read("chats.json")
    assert list(Counter(item.session for item in items).values()) == [12, 10, 10, 14]
    times = [item.occurred_at for item in items if item.occurred_at]
    assert len(times) == len(items)
    assert times == sorted(times)
    assert sum("sk-demo-" in item.memory for item in items) == 1


def test_facts_change_over_time() -> None:
    facts = read("facts.jsonl")
    assert all(fact.key and fact.tags and fact.occurred_at for fact in facts)
    changed = {key for key, count in Counter(fact.key for fact in facts).items() if count > 1}
    assert changed == {
        "ferry.staging.port", "ferry.staging.cluster", "release.day", "oncall.current", "mira.answers", "mira.coffee",
    }  # fmt: skip


def test_every_answer_of_the_readme_stands_in_the_sample() -> None:
    everything = "\n".join(item.memory for name in ("chats.json", "notes.md", "facts.jsonl") for item in read(name))
    answers = re.findall(
        r"^\| [^|]+[?？] \| `(.+)` \|$", (SAMPLE / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(answers) == 8
    assert not [answer for answer in answers if answer not in everything]
