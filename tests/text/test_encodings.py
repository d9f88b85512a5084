"""Counting by the encodings of OpenAI."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidInput
from memoranda.protocols.tokenizer import Tokenizer
from memoranda.text.encodings import ENCODINGS, EstimatedTokenizer, encoding_of, tokenizer
from memoranda.text.tokens import estimated_tokens

MISSING = """
import sys
sys.modules["bpe_openai"] = None  # as Python has it where a package is not installed
from memoranda.text.encodings import tokenizer
one = tokenizer("gpt-4o")
print(one.name, one.exact, one.count("user The vault is in Lisbon. Reply with: noted"), one.count("\\ud800") > 0)
"""


def exact(name: str) -> Tokenizer:
    counter = tokenizer(name)
    if not counter.exact:
        pytest.skip("the extra `tokens` is not installed")
    return counter


def test_the_default_is_cl100k_s4_5() -> None:
    assert exact("cl100k_base").name == tokenizer().name == "cl100k_base"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("user The vault is in Lisbon. Reply with: noted", 11),
        ("assistant noted", 2),
        ("system You are terse.", 5),
        ("", 0),
        ("hello world", 2),
        ("漢字", 3),
    ],
)
def test_known_counts_of_cl100k_s4_14(text: str, tokens: int) -> None:
    assert exact("cl100k_base").count(text) == tokens


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("o200k_base", "o200k_base"),
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-mini-2024-07-18", "o200k_base"),
        ("openai/gpt-5.1-mini", "o200k_base"),
        ("ft:gpt-4o-2024-08-06:acme::x", "o200k_base"),
        ("o3-pro", "o200k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-0613", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo-0125", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("voyage-3", "voyage3_base"),
        ("gpt-45", None),
        ("claude-opus-4-5", None),
        ("", None),
    ],
)
def test_models_of_openai_are_known_by_name_s4_5(name: str, encoding: str | None) -> None:
    assert encoding_of(name) == encoding


@pytest.mark.parametrize("name", ["", "nonsense", "cl100k", "claude-sonnet-5", "p50k_base"])
def test_an_unknown_encoder_is_refused_with_what_is_known_s4_6(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"cl100k_base.*gpt-4o.*HuggingFaceTokenizer"):
        tokenizer(name)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("special", ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "<|im_start|>"])
def test_special_tokens_are_text_b01(name: str, special: str) -> None:
    assert exact(name).count(special) >= 3


@given(st.text())
def test_any_text_is_counted(text: str) -> None:
    """S4.10, B01: never an error, 0 for nothing only, at most a token for each byte."""
    counter = tokenizer("o200k_base")
    assert min(1, len(text)) <= counter.count(text) <= 6 * len(text)


def test_a_lone_surrogate_counts_as_a_question_mark() -> None:
    counter = exact("cl100k_base")
    assert counter.count("a\ud800b") == counter.count("a?b")


@pytest.mark.parametrize("text", ["a", " ", "漢", "!", " \n"])
def test_a_megabyte_of_one_character_is_counted_at_once(text: str) -> None:
    started = time.process_time()
    assert tokenizer("cl100k_base").count(text * 1_000_000) > 1_000
    assert time.process_time() - started < 5


def test_without_the_extra_tokens_are_estimated_and_said_to_be() -> None:
    """A missing extra is no error, and nothing is downloaded."""
    done = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    assert done.stdout.split() == ["o200k_base", "(estimated)", "False", "11", "True"]


def test_an_estimate_is_a_tokenizer() -> None:
    counter: Tokenizer = EstimatedTokenizer()
    assert isinstance(counter, Tokenizer)
    assert (counter.name, counter.exact) == ("cl100k_base (estimated)", False)
    assert counter.count("a b c") == estimated_tokens("a b c") == 3


def test_many_threads_count_alike() -> None:
    counter, text, found = tokenizer("cl100k_base"), "the quick brown fox " * 1_000, set()
    threads = [threading.Thread(target=lambda: found.add(counter.count(text))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {counter.count(text)}


def test_the_package_can_still_be_imported_afterwards() -> None:
    """We load its compiled part alone; somebody else's import of the whole must find it."""
    code = (
        "from memoranda.text.encodings import tokenizer; one = tokenizer('o200k_base')\n"
        "import bpe_openai; other = bpe_openai.get_encoding('o200k_base')\n"
        "assert one.count('hello there') == len(other.encode_ordinary('hello there'))\n"
    )
    exact("o200k_base")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
