from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memoranda.cli import render

Call = Callable[..., Any]
NASTY = "\x1b[2Jwiped\x07 \x9b31m [red]no markup[/red] :smile: \u202egnp\u2066 tab\there\nline"


@pytest.mark.parametrize("columns", ["20", "40", "80", "100", "120", "300"])
def test_no_line_is_wider_than_the_terminal(call: Call, remember: Callable[..., str], columns: str) -> None:
    id = remember("测试数据库每周一早上六点重置," * 20, "--tag", "标签", "--key", "k" * 90)
    remember(NASTY)
    remember("👩‍👩‍👧‍👦 e\u0301 한국어 ไทย " * 9)
    for args in (("list",), ("list", "--superseded"), ("recall", "测试 wiped", "--explain"), ("get", id), ("stats",)):
        answer = call(*args, env={"COLUMNS": columns})
        assert answer.code == 0
        assert max(map(cell_len, answer.out.splitlines())) <= max(int(columns), 36)


def test_stored_text_cannot_act_on_the_terminal(call: Call, remember: Callable[..., str]) -> None:
    id = remember(NASTY, "--tag", "\x1b[31m", "--source", "\x07", "--metadata", '{"\\u001b": "\\u001b[0m"}')
    call("retract", id, "--because", "\x1b]0;title\x07")
    call("restore", id)
    for args in (
        ("list",), ("list", "--superseded"), ("get", id), ("recall", "wiped"), ("revisions", id), ("retract", id),
    ):  # fmt: skip
        for columns in ("60", "160"):
            out = call(*args, env={"COLUMNS": columns}).out
            assert not set(out) & set("\x1b\x07\x9b\u202e\u2066\t")
    assert "[red]no markup[/red] :smile:" in call("get", id).out


def test_json_gives_the_text_as_it_is(call: Call, remember: Callable[..., str]) -> None:
    assert call("get", remember(NASTY), "--json").json["memory"] == NASTY


def test_a_long_text_is_cut_in_tables_only(call: Call, remember: Callable[..., str]) -> None:
    id = remember("word " * 400)
    assert "…" in call("list").out
    assert "…" not in call("get", id).out


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_moment_can_be_shown(moment: datetime) -> None:
    assert render.local_time(moment)


def test_the_ends_of_the_calendar() -> None:
    assert "0001-01-01" in render.local_time(datetime.min.replace(tzinfo=UTC))
    assert "9999-12-31" in render.local_time(datetime.max.replace(tzinfo=UTC))
