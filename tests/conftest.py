"""Fixtures that every test may use: the shared material, the cases from the field, the hypothesis profile."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

Case = dict[str, Any]

settings.register_profile("memoranda", deadline=None, max_examples=100, derandomize="CI" in os.environ)
settings.load_profile("memoranda")


@pytest.fixture(scope="session", autouse=True)
def _no_model_unless_asked(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests run without model weights, as on a new machine; those that need some take the `weights` fixture."""
    if "MEMORANDA_TEST_MODELS" not in os.environ:
        os.environ["MEMORANDA_TEST_MODELS"] = os.environ.get("MEMORANDA_MODELS", "")
    os.environ["MEMORANDA_MODELS"] = str(tmp_path_factory.mktemp("no-models"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material: MEMORANDA_SHARED, else `shared` beside the checkout; skips where there is none."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("MEMORANDA_SHARED") or beside)
    if not folder.is_dir():
        pytest.skip("no shared material: put it beside the checkout as `shared` or name it in MEMORANDA_SHARED")
    return folder


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests (`@pytest.mark.anyio`) run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def case(shared: Path) -> Callable[[str], Case]:
    """Returns a case from the field by its id, with its input spelled out: `case("Q06")["input"]["queries"]`."""
    path = shared / "cases" / "cases.jsonl"
    if not path.is_file():
        pytest.skip("the shared material holds no cases/cases.jsonl")
    cases = {row["id"]: row for row in rows_of(path)}

    def by_id(case_id: str) -> Case:
        expanded: Case = expand(cases[case_id])
        return expanded

    return by_id


def rows_of(path: Path) -> list[Case]:
    """Reads the JSON lines of a file; only a line feed ends a line, since texts may hold other separators."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def expand(value: Any) -> Any:
    """Spells out the shorthand of the cases: `$rep` repeats a text, `$join` concatenates, `$seq` counts up in `{i}`."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"$rep": [text, int(times)]}:
            return str(expand(text)) * times
        case {"$join": [*parts]}:
            return "".join(str(expand(part)) for part in parts)
        case {"$seq": [template, int(count)]}:
            return [expand(numbered(template, i)) for i in range(count)]
    return {name: expand(item) for name, item in value.items()}


def numbered(template: Any, number: int) -> Any:
    """Puts the number in place of `{i}` in every text of the template."""
    if isinstance(template, str):
        return template.replace("{i}", str(number))
    if isinstance(template, list):
        return [numbered(item, number) for item in template]
    if isinstance(template, dict):
        return {name: numbered(item, number) for name, item in template.items()}
    return template
