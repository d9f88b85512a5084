"""The machine, versions and settings that figures were measured with; without them figures mean little."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import apsw

import memoranda
from memoranda.records.entry import JsonValue
from memoranda.records.settings import Settings


def machine() -> dict[str, JsonValue]:
    """Returns processor, cores, memory, system, versions and the time of now, as a JSON object."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "memory_bytes": _memory_bytes(),
        "load": _load(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "memoranda": memoranda.__version__,
    }


def changed(settings: Settings) -> dict[str, JsonValue]:
    """Returns the settings that are not as they are by default, for a report."""
    usual = asdict(Settings())
    return {name: value for name, value in asdict(settings).items() if value != usual[name]}


def resident_bytes() -> int | None:
    """Returns how much memory of this process is resident now; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _memory_bytes() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _load() -> float | None:
    """Returns the load average of the last minute: what else the machine was doing."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None
