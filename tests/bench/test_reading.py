from __future__ import annotations

from pathlib import Path

import pytest

from memoranda.bench.evidence import evidence_of
from memoranda.bench.reading import json_items_of, json_of
from memoranda.bench.suites.reading import SUITES, corpora_of
from memoranda.errors import InvalidInput
from tests.bench.made import write


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
@pytest.mark.parametrize("suite", SUITES)
def test_a_file_reads_the_same_plain_and_compressed(suite: str, suffix: str, tmp_path: Path) -> None:
    plain = list(corpora_of(suite, write(tmp_path, suite)))
    packed = list(corpora_of(suite, write(tmp_path, suite, suffix)))
    assert [corpus.units for corpus in plain] == [corpus.units for corpus in packed]
    assert [question.text for one in plain for question in one.questions] == [
        question.text for one in packed for question in one.questions
    ]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": "a\u2028b"}\r\n\n{"a": "\u0085"}', encoding="utf-8", newline="")
    assert list(json_items_of(path)) == [{"a": "a\u2028b"}, {"a": "\u0085"}]


@pytest.mark.parametrize("text", ['[1, {"a": 2}]', '[\n1,\n{"a":\n2}\n]\n', '1\n{"a": 2}'])
def test_items_stand_in_one_list_or_in_lines(text: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text(text, encoding="utf-8")
    assert list(json_items_of(path)) == [1, {"a": 2}]


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{}\n\n{"a": \n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"lines\.jsonl: line 3 is no JSON"):
        list(json_items_of(path))


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("cut.json.xz", b"\xfd7zXZ\x00\x00"),
        ("none.json.xz", b"hello"),
        ("none.json.gz", b"hello"),
        ("cut.json.gz", b"\x1f\x8b\x08\x00"),
        ("latin.json", b'"caf\xe9"'),
    ],
)
def test_a_damaged_file_is_named(name: str, raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    with pytest.raises(InvalidInput, match=name):
        json_of(path)


@pytest.mark.parametrize("given", SUITES)
@pytest.mark.parametrize("suite", SUITES)
def test_a_file_of_another_suite_is_refused(suite: str, given: str, tmp_path: Path) -> None:
    if suite == given:
        return
    with pytest.raises(InvalidInput, match=r"does not have the shape|is no JSON"):
        list(corpora_of(suite, write(tmp_path, given)))


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("text", ["3", "[3]", '"text"', "[[]]", '{"data": 3}', "null"])
def test_any_other_json_is_refused(suite: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"other\.json does not have the shape"):
        list(corpora_of(suite, path))
    with pytest.raises(InvalidInput, match=r"other\.json does not have the shape"):
        list(evidence_of(suite, path, "turn"))


def test_an_unknown_suite_is_told_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="locomo, longmemeval, beam, memdaily, xquad"):
        list(corpora_of("lococo", tmp_path / "x.json"))
