"""The user's folder of model files: what is there, whether it is what it should be, putting in and taking out."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import platformdirs

from memoranda.errors import EmbedderUnavailable
from memoranda.models.catalogue import Member, ModelCard

ENVIRONMENT: Final = "MEMORANDA_MODELS"
"""The variable that names another folder for model files."""

_OF_A_MODEL: Final = re.compile(r"(?P<name>.+)-[0-9a-f]{12}")


def models_folder() -> Path:
    """Returns the folder of all models: MEMORANDA_MODELS, else `models` in the user's cache folder of memoranda."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else platformdirs.user_cache_path("memoranda") / "models"


def folder_of(card: ModelCard) -> Path:
    """Returns the folder of one model, whether it is there or not. Other weights have another folder."""
    return models_folder() / f"{card.name}-{card.weights}"


def missing(card: ModelCard) -> list[Member]:
    """Returns the files that are not there or not of the right size. A look at the folder only: no file is read."""
    return [member for member in card.members if _size(folder_of(card) / member.file) != member.size]


def read(card: ModelCard, member: Member) -> bytes:
    """Returns the content of a file after checking its hash: 34 MB take about 20 ms.

    Raises:
        EmbedderUnavailable: it is not there, cannot be read, or is not what it should be.
    """
    path = folder_of(card) / member.file
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise EmbedderUnavailable(
            f"the weights of {card.name!r} are not on this machine ({path}): run `memoranda models fetch {card.name}`"
        ) from error
    except OSError as error:
        raise EmbedderUnavailable(f"{path} cannot be read: {error.strerror}; make it readable for this user") from error
    if not is_right(content, member):
        raise EmbedderUnavailable(
            f"{path} is damaged: its hash is not the one of {card.name!r}; "
            f"run `memoranda models fetch {card.name}` to put it right"
        )
    return content


def located(card: ModelCard, member: Member) -> Path:
    """Returns the path of a file after checking its hash, for a library that reads it itself and spares the memory.

    Raises:
        EmbedderUnavailable: as for `read`.
    """
    read(card, member)
    return folder_of(card) / member.file


def is_sound(card: ModelCard) -> bool:
    """Tells whether all files of the model are there and what they should be. Reads them."""
    try:
        return all(read(card, member) for member in card.members)
    except EmbedderUnavailable:
        return False


def is_right(content: bytes, member: Member) -> bool:
    """Tells whether this is the content that the catalogue means."""
    return len(content) == member.size and hashlib.sha256(content).hexdigest() == member.sha256


def find(member: Member) -> bytes | None:
    """Returns the file's content from whichever model of the folder has it already: models share tokenizers."""
    for folder, _ in _models():
        path = folder / member.file
        if _size(path) == member.size and os.access(path, os.R_OK):
            content = path.read_bytes()
            if is_right(content, member):
                return content
    return None


def keep(card: ModelCard, contents: Mapping[str, bytes]) -> Path:
    """Puts a model's files into its folder, all or none, and returns the folder. Damaged ones are replaced.

    Raises:
        EmbedderUnavailable: the folder cannot be written.
    """
    target = folder_of(card)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=target.parent) as unfinished:
            filled = Path(unfinished, target.name)
            filled.mkdir()
            for name, content in contents.items():
                _write(filled / name, content)
            if target.exists():
                target.rename(Path(unfinished, "before"))
            filled.rename(target)
    except OSError as error:
        if not missing(card):
            return target  # another process put the same files there meanwhile
        raise EmbedderUnavailable(
            f"{target} cannot be written: {error.strerror}; name a folder that can be written in {ENVIRONMENT}"
        ) from error
    return target


def remove(name: str) -> int:
    """Removes the files of a model, of whatever weights, and returns the bytes that became free.

    Raises:
        EmbedderUnavailable: they cannot be removed.
    """
    freed = 0
    try:
        for folder, model in list(_models()):
            if model == name:
                freed += sum(_size(path) or 0 for path in folder.iterdir())
                shutil.rmtree(folder)
    except OSError as error:
        raise EmbedderUnavailable(f"{error.filename} cannot be removed: {error.strerror}") from error
    return freed


def _models() -> Iterator[tuple[Path, str]]:
    root = models_folder()
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        match = _OF_A_MODEL.fullmatch(folder.name)
        if match and folder.is_dir():
            yield folder, match["name"]


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
