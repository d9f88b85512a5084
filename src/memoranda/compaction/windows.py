"""The windows of models, by their names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from memoranda.errors import InvalidInput
from memoranda.text.model_names import family_of, plain_name

_TABLE: Final = "windows.json"


class ModelWindows:
    """Knows how many tokens a request to a model may have: a `ContextWindowResolver` (S4.4).

    The table holds families, each with what a request may have at most; where a maker counts the answer into the window
    and bounds the request below it, that is the bound of the request. A model of a family is found whoever serves it
    and whatever its date; a version that the table does not have is unknown. What a host says of a model or family goes
    before the table. A server may have been started with a smaller window than the model has: then tell it here.

    ```python
    windows = ModelWindows({"my-model": 32_000, "claude-sonnet-4": 1_000_000})
    windows.window("openrouter/anthropic/claude-opus-4.6")  # 1000000
    windows.window("my-model-2026-05-01")  # 32000
    windows.window("nobody-knows")  # None
    ```

    Args:
        overrides: windows of models or families by their names, with any provider before a slash or without.

    Raises:
        InvalidInput: a window is no whole number above 0, or a name is empty.
    """

    def __init__(self, overrides: Mapping[str, int] | None = None) -> None:
        own: dict[str, int] = {}
        for model, tokens in (overrides or {}).items():
            name = plain_name(model)
            if not name:
                raise InvalidInput(f"{model!r} is no name of a model; give one such as 'gpt-4o'")
            if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 1:
                raise InvalidInput(
                    f"the window of {model!r} is {tokens!r}; it must be a whole number of tokens above 0"
                )
            own[name] = tokens
        self._own: Final = own

    def window(self, model: str | None) -> int | None:
        """Returns the most tokens of a request to the model; None when neither host nor table knows it."""
        if not model:
            return None
        windows = {**table(), **self._own}
        family = family_of(model, windows)
        return None if family is None else windows[family]


@cache
def table() -> Mapping[str, int]:
    """Returns the window of each family of models that ships with memoranda; `windows.json` names source and date."""
    text = files("memoranda.compaction").joinpath(_TABLE).read_text(encoding="utf-8")
    return {family: tokens for maker in json.loads(text)["makers"] for family, tokens in maker["windows"].items()}
