"""Core blocks as documents and back."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.codec import (
    Held,
    block_key,
    held_document,
    held_of,
    keys_of,
    revision_document,
    revision_key,
    revision_of,
)
from memoranda.errors import StoreDamaged
from memoranda.records.block import MAX_LABEL, BlockChange, BlockRevision, CoreMemoryBlock
from memoranda.records.check import MAX_NAME
from memoranda.records.document import Document, DocumentKind
from memoranda.records.entry import Origin

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
LABELS = TEXTS.filter(lambda label: label.strip())


@st.composite
def blocks(draw: st.DrawFn) -> CoreMemoryBlock:
    return CoreMemoryBlock(
        draw(LABELS),
        draw(TEXTS),
        limit=draw(st.none() | st.integers(0, 10**9)),
        description=draw(TEXTS),
        read_only=draw(st.booleans()),
        writable_by=draw(st.sampled_from(Origin)),
    )


@given(blocks(), st.integers(0, 500), st.integers(1, 500), st.booleans(), TEXTS)
def test_a_label_comes_back(block: CoreMemoryBlock, revisions: int, since: int, removed: bool, session: str) -> None:
    kept = {"revisions": revisions, "since": since} if revisions else {}
    held = Held(label=block.label, block=None if removed else block, **kept)
    document = held_document(session, held, NOW)
    assert document.key == block_key(session, block.label)
    assert document.key.kind is DocumentKind.BLOCK
    assert held_of(document) == held


@given(blocks(), st.integers(1, 10**9), st.sampled_from(Origin), st.sampled_from(BlockChange), TEXTS)
def test_a_revision_comes_back(
    block: CoreMemoryBlock, number: int, by: Origin, change: BlockChange, because: str
) -> None:
    revision = BlockRevision(number=number, at=NOW, by=by, change=change, because=because, block=block)
    document = revision_document("s", revision)
    assert document.key == revision_key("s", block.label, number)
    assert document.key.kind is DocumentKind.BLOCK_REVISION
    assert revision_of(document) == revision


def test_what_has_its_default_is_left_out() -> None:
    document = held_document("", Held(label="a", block=CoreMemoryBlock("a", "1")), NOW)
    assert json.loads(document.body) == {"block": {"value": "1"}}


@given(LABELS, LABELS, st.integers(1, 10**6), st.integers(1, 10**6))
def test_no_two_revisions_share_a_key(one: str, other: str, first: int, second: int) -> None:
    same = revision_key("", one, first) == revision_key("", other, second)
    assert same == ((one, first) == (other, second))


def test_the_longest_label_has_a_key_for_each_revision() -> None:
    assert len(revision_key("", "x" * MAX_LABEL, 10**18).name) <= MAX_NAME


def test_which_revisions_are_kept() -> None:
    assert list(Held(label="a").numbers()) == []
    assert list(Held(label="a", revisions=3).numbers()) == [1, 2, 3]
    assert list(Held(label="a", revisions=9, since=8).numbers()) == [1, 8, 9]


def test_everything_of_a_label_is_found_whatever_its_block_says() -> None:
    others = [("a", 2), ("1/a", 1), ("A", 1), ("a", 7), ("a/1", 1)]
    documents = [Document(key=revision_key("s", label, number), body="", at=NOW) for label, number in others]
    assert keys_of("s", "a", documents) == [block_key("s", "a"), revision_key("s", "a", 2), revision_key("s", "a", 7)]


@pytest.mark.parametrize("body", ["", "[]", "{}", "null", '{"block":5}', '{"block":{"x":1}}', '{"block":null,"x":1}'])
def test_what_is_no_block_is_told(body: str) -> None:
    with pytest.raises(StoreDamaged, match=r"the block 'a' cannot be read.*`erase_block` removes it"):
        held_of(Document(key=block_key("", "a"), body=body, at=NOW))
    with pytest.raises(StoreDamaged, match=r"the block_revision '1/a' cannot be read"):
        revision_of(Document(key=revision_key("", "a", 1), body=body, at=NOW))
