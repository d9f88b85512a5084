"""Times that a query names."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.times import FIRST, LAST, time_ranges

Case = Callable[[str], dict[str, Any]]

NOW = datetime(2024, 6, 12, 15, 0, tzinfo=UTC)  # a Wednesday
VOCABULARY = """
since until before after between and from to last next this past ago on in may march 5 31 2023 1900 2199 99 999 years
weeks days friday q3 winter weekend yesterday 05.03.2024 2024-02-30 3/4/2024 vor tagen seit hace dias pasado 去年 五月
三天前 两 十二 月 年 上周五 之前 以来 到 - , .
"""
WORDS = VOCABULARY.split()


def days(query: str, now: datetime = NOW) -> list[str]:
    """The ranges of a query as first and last day, one name where they are the same."""
    found = []
    for each in time_ranges(query, now):
        first, last = f"{each.start:%Y-%m-%d}", f"{each.end - timedelta(seconds=1):%Y-%m-%d}"
        found.append(first if first == last else f"{first} {last}")
    return found


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("What did I do today?", "2024-06-12"),
        ("what happened this morning", "2024-06-12"),
        ("yesterday's call", "2024-06-11"),
        ("the day before yesterday", "2024-06-10"),
        ("Where was I last Tuesday?", "2024-06-11"),
        ("on Wednesday", "2024-06-12"),
        ("last Wednesday", "2024-06-05"),
        ("on Friday", "2024-06-07"),
        ("next Friday", "2024-06-14"),
        ("last week", "2024-06-03 2024-06-09"),
        ("last month", "2024-05-01 2024-05-31"),
        ("last year", "2023-01-01 2023-12-31"),
        ("last quarter", "2024-01-01 2024-03-31"),
        ("last weekend", "2024-06-08 2024-06-09"),
        ("at the weekend", "2024-06-08 2024-06-09"),
        ("two weeks ago", "2024-05-26 2024-06-01"),
        ("3 days ago", "2024-06-09"),
        ("a year ago", "2022-12-12 2023-12-11"),
        ("in the last 3 days", "2024-06-09 2024-06-12"),
        ("over the past month", "2024-05-12 2024-06-12"),
        ("in May 2023", "2023-05-01 2023-05-31"),
        ("in May", "2024-05-01 2024-05-31"),
        ("last June", "2023-06-01 2023-06-30"),
        ("in July", "2023-07-01 2023-07-31"),
        ("in 2022", "2022-01-01 2022-12-31"),
        ("on 5 March 2024", "2024-03-05"),
        ("March 5th, 2021", "2021-03-05"),
        ("on the 5th of December", "2023-12-05"),
        ("Feb 29", "2024-02-29"),
        ("2024-03-05T10:00:00Z", "2024-03-05"),
        ("05.03.2024", "2024-03-05"),
        ("30/4/2024", "2024-04-30"),
        ("between March and May 2023", "2023-03-01 2023-05-31"),
        ("between Monday and Wednesday", "2024-06-10 2024-06-12"),
        ("from 2020 to 2022", "2020-01-01 2022-12-31"),
        ("since May", "2024-05-01 2024-06-12"),
        ("before June 2023", "1900-01-01 2023-05-31"),
        ("after June 10, 2024", "2024-06-11 2024-06-12"),
        ("until last Friday", "1900-01-01 2024-06-07"),
        ("Q3 2025", "2025-07-01 2025-09-30"),
        ("the third quarter of 2023", "2023-07-01 2023-09-30"),
        ("in summer 2023", "2023-06-01 2023-08-31"),
        ("last winter", "2023-12-01 2024-02-29"),
        ("Wo war ich letzte Woche?", "2024-06-03 2024-06-09"),
        ("vor zwei Tagen", "2024-06-10"),
        ("vor Juni 2023", "1900-01-01 2023-05-31"),
        ("am 5. März 2024", "2024-03-05"),
        ("gestern Morgen", "2024-06-11"),
        ("zwischen Januar und März", "2024-01-01 2024-03-31"),
        ("el martes pasado", "2024-06-11"),
        ("la semana pasada", "2024-06-03 2024-06-09"),
        ("hace tres días", "2024-06-09"),
        ("5 de marzo de 2024", "2024-03-05"),
        ("en mayo de 2023", "2023-05-01 2023-05-31"),
        ("我昨天去了哪里", "2024-06-11"),
        ("上周", "2024-06-03 2024-06-09"),
        ("上周五", "2024-06-07"),
        ("去年五月", "2023-05-01 2023-05-31"),
        ("2023年5月3日", "2023-05-03"),
        ("三天前", "2024-06-09"),
        ("今年夏天", "2024-06-01 2024-08-31"),
        ("2023年5月之前", "1900-01-01 2023-04-30"),
        ("从5月到6月", "2024-05-01 2024-06-30"),
    ],
)
def test_expressions(query: str, wanted: str) -> None:
    assert days(query) == [wanted]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "I may go",
        "2022 items",
        "she will fall",
        "30 February 2024",
        "version 2024.1 of 10.0.0.1",
        "por la mañana",
        "一周一次",
        "5:30",
        "call 2020-2022",
        "999 years ago",
    ],
)
def test_what_names_no_time(query: str) -> None:
    assert days(query) == []


def test_several_times_come_in_order_each_once() -> None:
    assert days("yesterday or in May 2023, and yesterday") == ["2024-06-11", "2023-05-01 2023-05-31"]


def test_an_ambiguous_date_gives_both_readings() -> None:
    assert days("3/4/2024") == ["2024-03-04", "2024-04-03"]


def test_hours_are_elapsed_time() -> None:
    (found,) = time_ranges("2 hours ago", NOW)
    assert found.start == NOW - timedelta(hours=2, minutes=30)
    assert found.end == NOW - timedelta(hours=1, minutes=30)


def test_the_words_of_a_range_are_named() -> None:
    assert [each.text for each in time_ranges("Was it since May 2023?", NOW)] == ["since may 2023"]


def test_a_naive_now_is_refused_and_all_ranges_are_aware(case: Case) -> None:
    """Case H01."""
    stored = [datetime.fromisoformat(step["at"]) for step in case("H01")["input"]["steps"] if "at" in step]
    naive = [at for at in stored if at.tzinfo is None]
    assert naive
    for at in naive:
        with pytest.raises(ValueError, match="pass an aware datetime"):
            time_ranges("today", at)
    for at in set(stored) - set(naive):
        (found,) = time_ranges("today", at)
        assert found.start.tzinfo is found.end.tzinfo is UTC
        assert found.start <= at < found.end


def test_days_are_those_of_the_zone_where_clocks_change(case: Case) -> None:
    """Case H02: the day of the spring gap has 23 hours, the day in autumn 25."""
    warsaw = ZoneInfo("Europe/Warsaw")
    lengths = []
    for at, *_ in case("H02")["input"]["clock"]:
        now = datetime.fromisoformat(at)
        (found,) = time_ranges("today", now, warsaw)
        assert found.start <= now < found.end
        assert found.start.astimezone(warsaw).hour == found.end.astimezone(warsaw).hour == 0
        lengths.append((found.end - found.start) / timedelta(hours=1))
        (hour,) = time_ranges("2 hours ago", now, warsaw)
        assert now - hour.end == timedelta(hours=1.5)
    assert lengths == [23, 23, 25, 25]


def test_a_clock_that_steps_back_moves_the_ranges(case: Case) -> None:
    """Case H03: any present will do, and what is asked for is never later than it."""
    clocks = [step["to"] for step in case("H03")["input"]["steps"] if step["op"] == "set_clock"]
    for at in [*map(datetime.fromisoformat, clocks), datetime(2099, 1, 1, tzinfo=UTC)]:
        for query in ("yesterday", "last week", "in May", "on Friday", "two weeks ago"):
            (found,) = time_ranges(query, at)
            assert FIRST < found.start < at


@given(
    st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=14)), ZoneInfo("Asia/Beirut")])),
    st.sampled_from([UTC, timezone(timedelta(hours=-12)), ZoneInfo("America/Sao_Paulo")]),
)
def test_any_text_at_any_time_gives_sane_ranges(text: str, now: datetime, zone: Any) -> None:
    for found in time_ranges(text, now, zone):
        assert FIRST <= found.start < found.end <= LAST
        assert found.text
