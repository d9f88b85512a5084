from __future__ import annotations

import pytest

from memoranda.errors import ImportFormatError
from memoranda.service.importing.detect import FORMATS, detect, parse
from memoranda.service.importing.item import ImportItem


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.txt", "{}", "plain"),
        ("a.MD", "x", "markdown"),
        ("a.jsonl", "", "jsonlines"),
        ("a.zip", "[]", "chatgpt"),
        ("README", "# x", "plain"),
        ("-", "", "plain"),
        ("-", '[{"mapping": {}}]', "chatgpt"),
        ("a.json", "", "jsonlines"),
        ("a.json", '\ufeff{"memory": "x"}\n{"memory": "the \\"mapping\\""}', "jsonlines"),
        ("a.json", '{"memory": "x", "mapping": "y"}', "jsonlines"),
        ("a.json", '{"title": "x", "mapping": {}}', "chatgpt"),
        ("a.json", '[\n{"title": "x",\n"mapping": {', "chatgpt"),
        ("a.zip", '[{"uuid": "u", "chat_messages": []}]', "claude"),
        ("a.json", '{"uuid": "u", "chat_messages": []}', "claude"),
        ("a.json", '[1, {"role": "user", "content": "hi"}]', "chat"),
        ("a.json", '{"model": "m", "messages": [{"role": "user", "content": "hi"}]}', "chat"),
        ("a.json", '{\n"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}', "anthropic"),
        ("a.json", '{"input": "hi"}', "responses"),
        ("a.json", '[{"role": "user", "content": "hi"}, {"type": "reasoning", "summary": []}]', "responses"),
        ("a.jsonl", '{"messages": [{"role": "user", "content": "hi"}]}\nbroken', "chat"),
        ("a.jsonl", 'broken\n{"role": "user", "content": "hi"}\n{"role": "tool", "content": "x"}', "chat"),
        ("a.jsonl", '{"role": "user", "content": "hi", "session": "s"}', "jsonlines"),
        ("a.jsonl", '{"text": "x", "messages": [{"role": "user", "content": "hi"}]}', "jsonlines"),
        ("a.jsonl", '{"id": "x"}\n{"note": "y"}', "jsonlines"),
        ("a.jsonl", '{"type": "file-history-snapshot"}\n{"type": "progress", "sessionId": "s"}', "claude-code"),
    ],
)
def test_the_format_is_told_from_name_and_content(name: str, data: str, format: str) -> None:
    assert detect(name, data) == format


@pytest.mark.parametrize(("name", "data"), [("a.docx", "x"), ("a.json", "[1]"), ("a.json", "x"), ("-", "{not json")])
def test_an_unknown_format_is_refused_with_the_names_of_the_known(name: str, data: str) -> None:
    with pytest.raises(ImportFormatError, match="plain, markdown, jsonlines, chatgpt, claude"):
        parse(data, name)


def test_a_format_that_is_named_wins_and_must_exist() -> None:
    assert list(parse("x", "a.docx", "plain")) == [ImportItem("x", category="fact", source="a.docx#L1")]
    with pytest.raises(ImportFormatError, match="'csv'"):
        parse("x", "a.txt", "csv")
    known = ("plain", "markdown", "jsonlines", "chatgpt", "claude", "claude-code", "chat", "responses", "anthropic")
    assert known == FORMATS


def test_a_name_that_is_not_unicode_still_gives_a_source() -> None:
    """S0.28: paths may hold any byte; what is stored is text."""
    assert list(parse("x", "a\udcff.txt")) == [ImportItem("x", category="fact", source="a?.txt#L1")]
