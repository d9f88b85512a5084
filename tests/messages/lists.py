"""Strategies that make valid message lists in each wire format, as the JSON that a host would send.

A list is a conversation: system prompts (also within the list), texts, media, parallel calls with their results,
thinking, calls that the provider runs, ids used again in later turns, unknown fields and blocks.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Any

from hypothesis import strategies as st

from memoranda.records.message import WireFormat

Json = dict[str, Any]
Lists = st.SearchStrategy[list[Json]]
Turn = st.SearchStrategy[list[Json]]

TEXTS = st.one_of(
    st.sampled_from(["ok", "where does the deploy run?", "café 金曜日 🚀", "line\nline", "{}", "null"]),
    st.text(min_size=1, max_size=40).filter(lambda text: bool(text.strip())),
    st.builds(lambda word, times: f"{word} " * times, st.sampled_from(["step", "後", "log:"]), st.integers(50, 400)),
)
OUTPUTS = st.one_of(TEXTS, st.just(""))
NAMES = st.sampled_from(["read_file", "search", "calc", "deploy"])
OBJECTS = st.one_of(
    st.builds(lambda path: {"path": path}, st.sampled_from(["a.py", "b.py", "docs/c.md"])),
    st.dictionaries(
        st.sampled_from(["q", "n", "deep"]),
        st.one_of(TEXTS, st.integers(0, 9), st.none(), st.just({"k": [1]})),
        max_size=3,
    ),
)
ARGUMENTS = st.one_of(OBJECTS.map(json.dumps), st.sampled_from(["", "{", "{}"]))
IDS = st.lists(st.sampled_from([f"call_{number}" for number in range(5)]), min_size=1, max_size=3, unique=True)
"""Ids of the calls of one turn; from few, so that later turns use them again."""
PNG = "iVBORw0KGgo="
EXTRA = st.fixed_dictionaries({}, optional={"x_note": st.just({"kept": [1, None]})})
"""A field that nobody knows."""


def lists_of(format: WireFormat, *, known: bool = False) -> Lists:
    """Valid lists in one format; with `known`, only what the official SDK's request types name."""
    made: dict[WireFormat, Callable[..., Lists]] = {
        WireFormat.CHAT: chat_lists,
        WireFormat.RESPONSES: responses_lists,
        WireFormat.ANTHROPIC: anthropic_lists,
    }
    return made[format](known=known)


@st.composite
def broken_lists_of(draw: st.DrawFn, format: WireFormat) -> list[Json]:
    """Lists of one format from which messages are missing, or in which they stand twice or in another place."""
    messages = draw(lists_of(format))
    for _ in range(draw(st.integers(1, 4))):
        if not messages:
            break
        place = draw(st.integers(0, len(messages) - 1))
        how = draw(st.sampled_from(["drop", "twice", "move"]))
        if how == "drop":
            del messages[place]
        elif how == "twice":
            messages.insert(draw(st.integers(0, len(messages))), messages[place])
        else:
            message = messages.pop(place)
            messages.insert(draw(st.integers(0, len(messages))), message)
    return messages


@cache
def chat_lists(*, known: bool = False) -> Lists:
    """Lists of OpenAI Chat Completions."""
    turns = [_chat_user(known), _chat_assistant(known), _chat_calls(known), _chat_function(), _chat_system()]
    return _conversations(_chat_system(), turns)


@cache
def responses_lists(*, known: bool = False) -> Lists:
    """Lists of OpenAI Responses."""
    turns = [_items_messages(known), _items_functions(), _items_other_calls(), _items_server(), _items_alone(known)]
    return _conversations(_easy(["system", "developer"]), turns)


@cache
def anthropic_lists(*, known: bool = False) -> Lists:
    """Lists of Anthropic Messages; each begins with a user message."""
    turns = [_claude_user(known), _claude_assistant(known), _claude_calls(known), _claude_server(), _claude_system()]
    return st.builds(lambda first, rest: [*first, *rest], _claude_user(known), _conversations(st.just([]), turns))


def _conversations(system: Turn, turns: list[Turn]) -> Lists:
    rest = st.lists(st.one_of(turns), max_size=6)
    return st.builds(lambda first, later: [*first, *chain(*later)], st.one_of(st.just([]), system), rest)


def _one(message: st.SearchStrategy[Json]) -> Turn:
    return message.map(lambda value: [value])


def _optional(required: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[Json]:
    """An object whose values are strategies or constants, with a field that nobody knows now and then."""

    def strategies(values: dict[str, Any]) -> dict[str, Any]:
        return {name: v if isinstance(v, st.SearchStrategy) else st.just(v) for name, v in values.items()}

    fixed = st.fixed_dictionaries(strategies(required), optional=strategies(optional or {}))
    return st.builds(lambda known, extra: {**known, **extra}, fixed, EXTRA)


def _listed(blocks: list[st.SearchStrategy[Json]], known: bool, unknown: Json | None = None) -> Any:
    if not known:
        blocks = [*blocks, st.just(unknown or {"type": "hologram", "beam": "x9"})]
    return st.lists(st.one_of(blocks), min_size=1, max_size=3)


# OpenAI Chat Completions


@cache
def _chat_text() -> st.SearchStrategy[Json]:
    return _optional({"type": "text", "text": TEXTS}, {"cache_control": {"type": "ephemeral"}})


@cache
def _chat_system() -> Turn:
    content = st.one_of(TEXTS, st.lists(_chat_text(), min_size=1, max_size=2))
    return _one(_optional({"role": st.sampled_from(["system", "developer"]), "content": content}))


def _chat_user(known: bool) -> Turn:
    url = st.sampled_from([f"data:image/png;base64,{PNG}", "https://example.com/a.png"])
    details = st.sampled_from(["auto", "low", "high"])
    image = st.fixed_dictionaries({"url": url}, optional={"detail": details})
    blocks = [
        _chat_text(),
        _optional({"type": "image_url", "image_url": image}),
        _optional({"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}),
        _optional(
            {
                "type": "file",
                "file": st.sampled_from([{"file_id": "file-1"}, {"file_data": "JVBERg==", "filename": "a.pdf"}]),
            }
        ),
    ]
    content = st.one_of(TEXTS, _listed(blocks, known))
    return _one(_optional({"role": "user", "content": content}, {"name": "ann"}))


def _chat_assistant(known: bool) -> Turn:
    blocks = [_chat_text(), _optional({"type": "refusal", "refusal": TEXTS})]
    spoken = _optional(
        {"role": "assistant", "content": st.one_of(TEXTS, _listed(blocks, known))},
        {
            "reasoning_content": TEXTS,
            "refusal": st.none(),
            "thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s=="}],
        },
    )
    refused = _optional({"role": "assistant", "content": None, "refusal": TEXTS})
    heard = _optional({"role": "assistant", "content": None, "audio": {"id": "audio_1"}})
    return _one(st.one_of(spoken, spoken, refused, heard))


@cache
def _chat_exchange(known: bool) -> st.SearchStrategy[tuple[Json, Json]]:
    """A call and its result, still without the id."""
    function = st.fixed_dictionaries({"name": NAMES, "arguments": ARGUMENTS})
    custom = st.fixed_dictionaries({"name": NAMES, "input": TEXTS})
    call = _optional({"type": "function", "function": function})
    given: st.SearchStrategy[Any] = st.one_of(OUTPUTS, st.lists(_chat_text(), min_size=1, max_size=2))
    if not known:  # an image in a tool message: some backends take it
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
        given = st.one_of(given, _chat_text().map(lambda block: [block, image]))
    result = _optional({"role": "tool", "content": given}, {"name": NAMES})
    return st.tuples(st.one_of(call, call, _optional({"type": "custom", "custom": custom})), result)


@cache
def _chat_asking() -> st.SearchStrategy[Json]:
    content = st.one_of(st.none(), TEXTS, st.just(""))
    return _optional({"role": "assistant", "content": content}, {"reasoning_content": TEXTS})


@st.composite
def _chat_calls(draw: st.DrawFn, known: bool) -> list[Json]:
    calls, results = [], []
    for id in draw(IDS):
        call, result = draw(_chat_exchange(known))
        calls.append({**call, "id": id})
        results.append({**result, "tool_call_id": id})
    return [{**draw(_chat_asking()), "tool_calls": calls}, *results]


def _chat_function() -> Turn:
    """An exchange of the old form: the result names the function."""
    call = st.fixed_dictionaries({"name": NAMES, "arguments": ARGUMENTS})
    asked = _optional({"role": "assistant", "content": None, "function_call": call})
    answered = _optional({"role": "function", "content": OUTPUTS})
    return st.builds(lambda ask, answer: [ask, {**answer, "name": ask["function_call"]["name"]}], asked, answered)


# OpenAI Responses


@cache
def _item_parts(known: bool) -> Any:
    blocks = [
        _optional({"type": "input_text", "text": TEXTS}),
        _optional({"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PNG}"}),
        _optional({"type": "input_image", "detail": "low", "file_id": "file-1"}),
        _optional({"type": "input_file", "file_data": "JVBERg==", "filename": "a.pdf"}),
        _optional({"type": "input_file", "file_url": "https://example.com/a.pdf"}),
    ]
    return _listed(blocks, known)


def _easy(roles: list[str]) -> Turn:
    return _one(_optional({"role": st.sampled_from(roles), "content": TEXTS}, {"type": "message"}))


def _items_messages(known: bool) -> Turn:
    annotation = {"type": "url_citation", "url": "https://example.com", "title": "t", "start_index": 0, "end_index": 1}
    spoken = st.one_of(
        _optional({"type": "output_text", "text": TEXTS, "annotations": st.sampled_from([[], [annotation]])}),
        _optional({"type": "refusal", "refusal": TEXTS}),
    )
    said = _optional(
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": st.lists(spoken, min_size=1, max_size=2),
        },
        {"phase": st.sampled_from(["commentary", "final_answer"])},
    )
    asked = _optional(
        {"role": st.sampled_from(["user", "developer"]), "content": _item_parts(known)}, {"type": "message"}
    )
    thought = st.builds(lambda first, then: [first, then], _reasoning(), said)
    return st.one_of(_easy(["user", "assistant", "developer"]), _one(asked), _one(said), thought)


@cache
def _reasoning() -> st.SearchStrategy[Json]:
    summary = TEXTS.map(lambda text: [{"type": "summary_text", "text": text}])
    return _optional(
        {"type": "reasoning", "id": "rs_1", "summary": st.one_of(st.just([]), summary)},
        {"encrypted_content": "gAAAA=="},
    )


@cache
def _item_exchange() -> st.SearchStrategy[tuple[Json, Json]]:
    """A call and its result, still without the id."""
    given: st.SearchStrategy[Any] = st.one_of(OUTPUTS, _item_parts(True))
    function = _optional({"type": "function_call", "name": NAMES, "arguments": ARGUMENTS}, {"id": "fc_1"})
    custom = _optional({"type": "custom_tool_call", "name": NAMES, "input": TEXTS})
    return st.one_of(
        st.tuples(function, _optional({"type": "function_call_output", "output": given})),
        st.tuples(custom, _optional({"type": "custom_tool_call_output", "output": given})),
    )


@st.composite
def _items_functions(draw: st.DrawFn) -> list[Json]:
    calls, results = [], []
    for id in draw(IDS):
        call, result = draw(_item_exchange())
        calls.append({**call, "call_id": id})
        results.append({**result, "call_id": id})
    thought = [draw(_reasoning())] if draw(st.booleans()) else []
    return [*thought, *calls, *results]


def _items_other_calls() -> Turn:
    id = {"call_id": "call_0"}
    done = {"status": "completed"}
    exit = {"type": "exit", "exit_code": 0}
    chunk = st.fixed_dictionaries({"stdout": OUTPUTS, "stderr": OUTPUTS, "outcome": st.just(exit)})
    patch = {"type": "update_file", "path": "a.py", "diff": "@@"}
    screen = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{PNG}"}
    looked = {"id": "cu_1", "action": {"type": "screenshot"}, "pending_safety_checks": []}
    local = {"type": "exec", "command": ["ls"], "env": {}}
    shown = {"output": st.lists(chunk, min_size=1, max_size=2)}
    patched = {"status": st.sampled_from(["completed", "failed"]), "output": TEXTS}
    pairs: list[tuple[Json, Json]] = [
        (
            {"type": "shell_call", **id, "action": {"commands": ["ls"]}, **done},
            {"type": "shell_call_output", **id, **shown},
        ),
        (
            {"type": "apply_patch_call", **id, "operation": patch, **done},
            {"type": "apply_patch_call_output", **id, **patched},
        ),
        ({"type": "computer_call", **id, **looked, **done}, {"type": "computer_call_output", **id, "output": screen}),
        (
            {"type": "local_shell_call", "id": "ls_1", **id, "action": local, **done},
            {"type": "local_shell_call_output", "id": "call_0", "output": TEXTS},
        ),
    ]
    both = [st.builds(lambda a, b: [a, b], _optional(call), _optional(result)) for call, result in pairs]
    return st.one_of(both)


def _items_server() -> Turn:
    picture = {
        "type": "image_generation_call",
        "id": "ig_1",
        "result": PNG,
        "status": "completed",
        "output_format": "png",
    }
    consent = {"type": "mcp_approval_request", "id": "ar_1", "name": "x", "arguments": "{}", "server_label": "s"}
    mcp = {"type": "mcp_call", "id": "mcp_1", "name": NAMES, "arguments": "{}", "server_label": "s"}
    search = {
        "type": "web_search_call",
        "id": "ws_1",
        "action": {"type": "search", "query": "q"},
        "status": "completed",
    }
    return st.one_of(
        _one(_optional({**mcp, "output": st.one_of(OUTPUTS, st.none())})),
        _one(_optional(search)),
        _one(_optional({"type": "file_search_call", "id": "fs_1", "queries": ["q"], "status": "completed"})),
        _one(_optional(picture)),
        _one(
            _optional(
                {
                    "type": "code_interpreter_call",
                    "id": "ci_1",
                    "code": "1",
                    "container_id": "c",
                    "outputs": None,
                    "status": "completed",
                }
            )
        ),
        st.builds(
            lambda asked, answered: [asked, answered],
            _optional(consent),
            _optional({"type": "mcp_approval_response", "approval_request_id": "ar_1", "approve": True}),
        ),
    )


def _items_alone(known: bool) -> Turn:
    kinds = [
        _optional({"type": "compaction", "encrypted_content": "gAAAA=="}),
        _optional({"type": "item_reference", "id": "msg_0"}),
        _optional({"type": "mcp_list_tools", "id": "ml_1", "server_label": "s", "tools": []}),
    ]
    return _one(st.one_of(kinds if known else [*kinds, _optional({"type": "hologram_call", "id": "h_1", "beam": "x"})]))


# Anthropic Messages


def _cached() -> Json:
    return {"cache_control": {"type": "ephemeral"}}


@cache
def _claude_text() -> st.SearchStrategy[Json]:
    return _optional({"type": "text", "text": TEXTS}, _cached())


@cache
def _claude_media() -> list[st.SearchStrategy[Json]]:
    pictures = [
        {"type": "base64", "media_type": "image/png", "data": PNG},
        {"type": "url", "url": "https://example.com/a.png"},
    ]
    papers = [
        {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="},
        {"type": "text", "media_type": "text/plain", "data": "the paper's text"},
        {"type": "content", "content": [{"type": "text", "text": "a chunk"}]},
    ]
    found = [{"type": "text", "text": "what was found"}]
    return [
        _optional({"type": "image", "source": st.sampled_from(pictures)}, _cached()),
        _optional(
            {"type": "document", "source": st.sampled_from(papers)}, {"title": "T", "citations": {"enabled": True}}
        ),
        _optional({"type": "search_result", "source": "https://example.com", "title": "S", "content": found}),
    ]


@cache
def _claude_user(known: bool) -> Turn:
    content = st.one_of(TEXTS, _listed([_claude_text(), *_claude_media()], known))
    return _one(_optional({"role": "user", "content": content}))


def _claude_system() -> Turn:
    content = st.one_of(TEXTS, st.lists(_claude_text(), min_size=1, max_size=2))
    return _one(_optional({"role": "system", "content": content}, {"clear_at": "next_user_message"}))


def _claude_thinking() -> Turn:
    thought = st.fixed_dictionaries({"type": st.just("thinking"), "thinking": TEXTS, "signature": st.just("sig==")})
    return st.one_of(st.just([]), _one(thought), st.just([{"type": "redacted_thinking", "data": "EmwK"}]))


def _claude_assistant(known: bool) -> Turn:
    cited = _optional({"type": "text", "text": TEXTS, "citations": []})
    blocks = _listed([_claude_text(), cited], known, {"type": "fallback_later", "why": "x"})
    content = st.one_of(TEXTS, st.builds(lambda first, then: [*first, *then], _claude_thinking(), blocks))
    return _one(_optional({"role": "assistant", "content": content}))


@cache
def _claude_exchange(known: bool) -> st.SearchStrategy[tuple[Json, Json]]:
    """A call and its result, still without the id."""
    given: st.SearchStrategy[Any] = st.one_of(OUTPUTS, _listed([_claude_text(), *_claude_media()], known), st.just([]))
    call = _optional({"type": "tool_use", "name": NAMES, "input": OBJECTS}, _cached())
    result = _optional({"type": "tool_result"}, {"content": given, "is_error": st.booleans(), **_cached()})
    return st.tuples(call, result)


@cache
def _claude_around() -> st.SearchStrategy[tuple[list[Json], list[Json], list[Json]]]:
    """What stands before the calls, and what stands after the results."""
    text: Turn = st.one_of(st.just([]), _one(_claude_text()))
    return st.tuples(_claude_thinking(), text, text)


@st.composite
def _claude_calls(draw: st.DrawFn, known: bool) -> list[Json]:
    thought, said, more = draw(_claude_around())
    calls, results = [], []
    for id in draw(IDS):
        call, result = draw(_claude_exchange(known))
        calls.append({**call, "id": id})
        results.append({**result, "tool_use_id": id})
    asked = {"role": "assistant", "content": [*thought, *said, *calls]}
    return [{**asked, **draw(EXTRA)}, {"role": "user", "content": [*results, *more]}]


def _claude_server() -> Turn:
    page = {"type": "web_search_result", "title": "T", "url": "https://example.com", "encrypted_content": "Eq=="}
    ran = {"type": "code_execution_result", "stdout": "4", "stderr": "", "return_code": 0, "content": []}
    failed = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
    exchanges: list[tuple[str, str, Any]] = [
        ("web_search", "web_search_tool_result", [page]),
        ("web_search", "web_search_tool_result", failed),
        ("code_execution", "code_execution_tool_result", ran),
    ]
    said = [
        st.tuples(
            _optional({"type": "server_tool_use", "id": "srvtoolu_0", "name": name, "input": OBJECTS}),
            _optional({"type": kind, "tool_use_id": "srvtoolu_0", "content": content}),
            _claude_text(),
        )
        for name, kind, content in exchanges
    ]
    return _one(_optional({"role": "assistant", "content": st.one_of(said).map(list)}))
