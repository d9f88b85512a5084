"""Settings from flags, the environment and a file, each with the place that it came from."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from memoranda.errors import InvalidInput
from memoranda.records.settings import Settings

PREFIX = "MEMORANDA_"
"""What the names of our environment variables begin with."""
FILE_NAME = "memoranda.toml"
"""Name of the configuration file, in the current folder or in the user's configuration folder."""
DEFAULT_SCOPE = "default"
"""The scope of the command line when none is named."""
NAMES = tuple(part.name for part in fields(Settings))
"""The names of all settings."""

_PLACES = ("store", "scope")
_SWITCHES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_KINDS: dict[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One value and where it came from.

    Attributes:
        name: `store`, `scope`, or the name of a setting.
        value: the value; None for the user's own memory file.
        source: `default`, or the flag, the environment variable or the file that it was given by.
    """

    name: str
    value: str | int | float | bool | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What the command line works with.

    Attributes:
        store: the target to open; None for the user's own memory file.
        scope: the scope's path.
        settings: the settings.
        chosen: each value with its source, in the order of the record.
    """

    store: str | None
    scope: str
    settings: Settings
    chosen: tuple[Chosen, ...]


def configure(*, flags: Mapping[str, str], environ: Mapping[str, str], file: Path | None) -> Configuration:
    """Returns the configuration: a flag wins over the environment, that over the file, that over the default.

    Args:
        flags: what flags gave, by name.
        environ: the environment. `MEMORANDA_BUSY_TIMEOUT` gives `busy_timeout`, and so on; blank values count as none.
        file: the configuration file: `store` and `scope` at its top, settings in its table `[settings]`.

    Raises:
        InvalidInput: a name or a value that cannot be used; the message names where it came from.
    """
    layers = (dict(_from_flags(flags)), dict(_from_environment(environ)), {} if file is None else read_file(file))
    found: dict[str, Chosen] = {}
    for name in (*_PLACES, *NAMES):
        found[name] = next((layer[name] for layer in layers if name in layer), _default(name))
    values: dict[str, Any] = {name: _checked(found[name]) for name in NAMES}
    store, scope = found["store"].value, found["scope"].value
    return Configuration(
        store=None if store is None else str(store),
        scope=str(scope),
        settings=Settings(**values),
        chosen=tuple(found.values()),
    )


def find_file(named: str | None, folder: Path) -> Path | None:
    """Returns the configuration file: the one that is named, else `memoranda.toml` here, else the user's, else None.

    Args:
        named: what `--config` or `MEMORANDA_CONFIG` says.
        folder: the current folder.
    """
    if named is not None:
        return Path(named)
    here = folder / FILE_NAME
    if here.is_file():
        return here
    from platformdirs import user_config_path

    own = user_config_path("memoranda", appauthor=False) / FILE_NAME
    return own if own.is_file() else None


def read_file(path: Path) -> dict[str, Chosen]:
    """Returns what a configuration file says. A relative `store` is meant from the file's own folder.

    Raises:
        InvalidInput: it cannot be read, is no TOML, or holds a name or a type that is not known.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"the configuration file {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInput(f"the configuration file {path} is not TOML: {error}") from error
    table = content.pop("settings", {})
    if not isinstance(table, dict):
        raise InvalidInput(f"{path}: `settings` must be a table; write [settings] and the settings below it")
    for name in content:
        if name not in _PLACES:
            known = (
                "a setting stands below [settings]" if name in NAMES else "a file holds `store`, `scope`, [settings]"
            )
            raise InvalidInput(f"{path}: unknown name {name!r}; {known}")
    found = {name: _typed(name, value, str(path)) for name, value in (content | table).items()}
    if "store" in found:
        found["store"] = Chosen(name="store", value=_from_folder(str(found["store"].value), path), source=str(path))
    return found


def _from_folder(store: str, path: Path) -> str:
    return store if store == ":memory:" or "://" in store else str(path.parent / store)


def _from_flags(flags: Mapping[str, str]) -> Iterator[tuple[str, Chosen]]:
    for name, text in flags.items():
        source = f"--{name}" if name in _PLACES else f"--set {name}"
        yield name, _read(name, text, source)


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, Chosen]]:
    known = {PREFIX + name.upper(): name for name in (*_PLACES, *NAMES)}
    for variable, text in environ.items():
        if variable in known and text.strip():
            yield known[variable], _read(known[variable], text, variable)
        # Other names are not ours to refuse: clusters set MEMORANDA_SERVICE_HOST and the like. A slip is.
        elif variable.startswith(PREFIX) and variable not in known and variable != PREFIX + "CONFIG":
            meant = get_close_matches(variable, known, n=1, cutoff=0.9)
            if meant:
                raise InvalidInput(f"the environment variable {variable} is not known; did you mean {meant[0]}?")


def _default(name: str) -> Chosen:
    value = {"store": None, "scope": DEFAULT_SCOPE}[name] if name in _PLACES else getattr(Settings(), name)
    return Chosen(name=name, value=value, source="default")


def _kind(name: str, source: str) -> type:
    if name in _PLACES:
        return str
    if name not in NAMES:
        raise InvalidInput(f"{source}: there is no setting {name!r}; there are {', '.join(NAMES)}")
    default = getattr(Settings(), name)
    return int if default is None else type(default)  # `max_entries` is a number where there is one


def _read(name: str, text: str, source: str) -> Chosen:
    """Reads the text of a flag or a variable as a value of the setting's type."""
    kind = _kind(name, source)
    try:
        value = _SWITCHES[text.strip().lower()] if kind is bool else kind(text)
    except (KeyError, ValueError) as error:
        raise InvalidInput(f"{source}: `{name}` is {text!r}; it must be {_KINDS[kind]}") from error
    return Chosen(name=name, value=value, source=source)


def _typed(name: str, value: object, source: str) -> Chosen:
    """Takes a value of a file, which has a type of its own."""
    kind = _kind(name, source)
    allowed = (int, float) if kind is float else (kind,)
    if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
        raise InvalidInput(f"{source}: `{name}` is {value!r}; it must be {_KINDS[kind]}")
    return Chosen(name=name, value=kind(value), source=source)


def _checked(chosen: Chosen) -> object:
    """Returns the value if a setting may have it."""
    alone: dict[str, Any] = {chosen.name: chosen.value}
    try:
        Settings(**alone)
    except InvalidInput as error:
        raise InvalidInput(f"{chosen.source}: {error}") from error
    return chosen.value
