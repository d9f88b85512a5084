"""Lines that a summary must hold (case D02)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.compaction.must_keep import GOAL, MAX_LINE, MAX_LINES, MAX_TASKS, holds, kept_lines
from memoranda.records.message import Message, Role
from tests.compaction.drafts import assistant, gives, pair, system, user


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("we run in region eu-north-7 now", "eu-north-7"),
        ("it is incident INC-4471", "INC-4471"),
        ("the bucket is zebra-archive", "zebra-archive"),
        ("the deadline is 14 May", "14 May"),
        ("ship it by March 3, 2027", "March 3, 2027"),
        ("look at src/app/main.py", "src/app/main.py"),
        ("it is in /etc/nginx/nginx.conf", "/etc/nginx/nginx.conf"),
        ("use max_tokens there", "max_tokens"),
        ("call parseHeader first", "parseHeader"),
        ("write to ann@example.org", "ann@example.org"),
        ("see https://example.org/a?b=1", "https://example.org/a?b=1"),
        ("the code is 1003", "1003"),
        ("it costs $12.50", "$12.50"),
        ("on 2027-03-04 at 10:30", "2027-03-04"),
        ("run `git push -f` then", "git push -f"),
        ("会議は 14:30 です", "14:30"),
    ],
)
def test_d02_what_cannot_be_inferred_is_found_by_its_form(text: str, named: str) -> None:
    lines = kept_lines([f"{GOAL}x"], "", [user(text)])
    assert lines == [f"{GOAL}x", text]
    assert holds(f"It was said: {text.upper()}", lines[1])
    assert not holds(text.replace(named, "it"), lines[1])


@pytest.mark.parametrize(
    "text", ["I have 3 cats and 12 dogs", "Yes. No! Well, e.g. this", "don't, it's fine and/or not"]
)
def test_what_anybody_could_say_is_no_name(text: str) -> None:
    assert kept_lines([f"{GOAL}x"], "", [user(text)]) == [f"{GOAL}x"]


def test_the_goal_is_what_a_person_said_first() -> None:
    """Not a system message, nor a result that travels in a user's message; an earlier summary's goal comes first."""
    messages = [system("never push"), *pair("c", "result"), user(" \n "), user("Move the\nstore to v2"), user("and?")]
    assert kept_lines([], "", messages)[0] == f"{GOAL}Move the store to v2"
    assert kept_lines([f"{GOAL}ship it"], "", messages)[0] == f"{GOAL}ship it"
    assert kept_lines([], "", [assistant("hello")]) == []


def test_open_tasks_stay_until_they_are_done() -> None:
    messages = [user("- [ ] write tests\n* [ ] ship it\n  TODO: tell Ann"), assistant("- [x] write tests")]
    assert kept_lines([f"{GOAL}x", "[ ] call Bob"], "", messages) == [
        f"{GOAL}x",
        "[ ] call Bob",
        "[ ] ship it",
        "TODO: tell Ann",
    ]
    later = [assistant("1. [X] Call Bob")]
    assert "[ ] call Bob" not in kept_lines([f"{GOAL}x", "[ ] call Bob"], "", later)


def test_results_of_tools_and_system_messages_are_not_read() -> None:
    messages = [gives("c", "INC-4471 at /var/log/app.log"), system("use port 8080")]
    assert kept_lines([f"{GOAL}x"], "", messages) == [f"{GOAL}x"]


def test_what_is_named_again_makes_no_further_line() -> None:
    messages = [user("it is INC-4471"), user("what of inc-4471?"), user("INC-4471 is in eu-north-7")]
    assert kept_lines([f"{GOAL}x"], "", messages)[1:] == ["it is INC-4471", "INC-4471 is in eu-north-7"]


def test_what_the_summary_so_far_names_must_stay_too() -> None:
    assert kept_lines([f"{GOAL}x", "port 8080"], "The bucket is zebra-archive. It is fine.", [user("thanks")]) == [
        f"{GOAL}x",
        "port 8080",
        "The bucket is zebra-archive.",
    ]


def test_the_first_and_the_last_named_stay() -> None:
    """At the bound the middle goes, which the archive has."""
    lines = kept_lines([f"{GOAL}x"], "", [user(f"code is {1000 + number}") for number in range(100)])[1:]
    assert len(lines) == MAX_LINES
    assert (lines[0], lines[-1]) == ("code is 1000", "code is 1099")
    tasks = kept_lines([f"{GOAL}x"], "", [user(f"- [ ] task {'abcdefghijkl'[number]}") for number in range(12)])[1:]
    assert (len(tasks), tasks[-1]) == (MAX_TASKS, "[ ] task l")


def test_of_a_long_sentence_what_stands_around_the_name_is_kept() -> None:
    text = "and so " * 60 + "the incident INC-4471 began " + "and on " * 60
    line = kept_lines([f"{GOAL}x"], "", [user(text)])[1]
    assert len(line) <= MAX_LINE
    assert "the incident INC-4471 began" in line


_MESSAGES = st.lists(
    st.builds(
        lambda role, words: Message(role, user(" ".join(words)).parts),
        st.sampled_from([Role.USER, Role.ASSISTANT, Role.SYSTEM]),
        st.lists(
            st.sampled_from(["INC-1", "a/b.py", "8080", "\n- [ ]", "\n- [x] a", "word", "`x y`", "14 May", "。", "<"])
        ),
    ),
    max_size=30,
)


@given(_MESSAGES, st.text(max_size=200))
def test_lines_are_bounded_short_and_single(messages: list[Message], summary: str) -> None:
    lines = kept_lines([], summary, messages)
    assert lines == list(dict.fromkeys(lines))
    assert len(lines) <= 1 + MAX_TASKS + MAX_LINES
    assert all(0 < len(line) <= MAX_LINE + len(GOAL) and "\n" not in line for line in lines)


@given(_MESSAGES)
def test_a_text_that_holds_all_messages_holds_all_lines(messages: list[Message]) -> None:
    told = "\n".join(message.text for message in messages)
    assert all(holds(told, line) for line in kept_lines([f"{GOAL}x"], "", messages)[1:] if not line.startswith("[ ]"))


@pytest.mark.parametrize(
    "text", ["a." * 10_000, "a-" * 10_000, "/a" * 10_000, "1" * 20_000, "`" * 20_000, "[ ] " * 5_000]
)
def test_a_hostile_text_is_read_in_a_moment(text: str) -> None:
    start = time.perf_counter()
    kept_lines([], text, [user(text)])
    assert time.perf_counter() - start < 2
