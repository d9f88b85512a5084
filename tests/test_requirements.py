"""What is marked as proved stands in a test, and what tests name is known."""

from __future__ import annotations

import re
from pathlib import Path

from tests.requirements import CASES, DEPARTED, KNOWN, PROVED

NUMBERED = re.compile(r"\bS(\d)\.(\d+)(?: (?:to|-) S\1\.(\d+))?")
CONFLICT = re.compile(r"\bC(\d{1,2})\b")
NAME = re.compile(r"\bdef (test_\w+)\(")
CASE = re.compile(r"\b(?:test_case_|[Cc]ases? )((?:[A-Z]\d{2}(?:, | and )?)+)")


def ids_in(text: str) -> set[str]:
    """Returns the ids that a text names: `S0.42 to S0.51` names ten, `cases X04, X06` two."""
    found = {
        f"S{seed}.{number}"
        for seed, first, last in NUMBERED.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }
    found |= {f"C{number}" for number in CONFLICT.findall(text)}
    found |= {case for named in CASE.findall(text) for case in re.findall(r"[A-Z]\d{2}", named)}
    return found.union(*map(ids_in_name, NAME.findall(text)))


def ids_in_name(name: str) -> set[str]:
    """Returns the ids among the words of a test's name: `_s1_17`, `_c8`, and `_r04` where there is such a case."""
    words = f"{name}_"
    found = {f"S{seed}.{number}" for seed, number in re.findall(r"_s([0-4])_(\d+)(?=_)", words)}
    found |= {f"C{number}" for number in re.findall(r"_c(\d{1,2})(?=_)", words)}
    return found | ({word.upper() for word in re.findall(r"_([a-z]\d{2})(?=_)", words)} & CASES)


def named() -> dict[str, set[str]]:
    here = Path(__file__).parent
    return {
        str(path.relative_to(here)): ids_in(path.read_text(encoding="utf-8"))
        for path in sorted(here.rglob("*.py"))
        if path.name not in ("requirements.py", "test_requirements.py")
    }


def test_ids_are_found_in_a_text() -> None:
    assert ids_in("S0.1, S0.42 to S0.44; C33 and C34 (case Q06, cases X04, X06)") == {
        *("S0.1", "S0.42", "S0.43", "S0.44", "C33", "C34", "Q06", "X04", "X06"),
    }
    assert ids_in("def test_case_K01_empty() -> None") == {"K01"}
    assert ids_in("def test_a_rule_s1_17_s1_18_c8_r04_d11_utf8() -> None") == {"S1.17", "S1.18", "C8", "R04"}


def test_what_is_proved_stands_in_a_test() -> None:
    assert sorted(PROVED - set[str]().union(*named().values())) == []


def test_what_tests_name_is_known() -> None:
    unknown = {path: sorted(ids - KNOWN) for path, ids in named().items() if ids - KNOWN}
    assert unknown == {}


def test_marks_are_known_and_do_not_overlap() -> None:
    assert sorted((PROVED | DEPARTED.keys()) - KNOWN) == []
    assert sorted(PROVED & DEPARTED.keys()) == []


def test_every_case_of_the_field_is_known(shared: Path) -> None:
    lines = (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").split("\n")
    assert {line[8:11] for line in lines if line.strip()} == CASES
