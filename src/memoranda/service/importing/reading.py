"""Reads a file to import into text. The one room of the import that does I/O."""

from __future__ import annotations

import codecs
import os
import re
import zipfile
import zlib
from pathlib import Path

from memoranda.errors import ImportFormatError

MAX_BYTES = 2**31
"""Largest file that is read, in bytes. A larger one would not fit beside its records in the memory of most machines."""

# In these a bad byte spoils one record, which its parser reports; the others are still read (case K01).
_BY_RECORD = frozenset({".json", ".jsonl", ".ndjson", ".zip"})
_CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")


def read_text(path: str | os.PathLike[str]) -> str:
    """Returns the text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one.

    Of a `.zip`, which is how ChatGPT and Claude hand out an export, it is the text of the `conversations.json` inside;
    where the export is split into `conversations-000.json` and so on, it is one list of them all. In JSON files, bytes
    that are not UTF-8 become lone surrogates (`surrogateescape`), so that the parser can name the record.

    Raises:
        ImportFormatError: it is larger than `MAX_BYTES`, not such text (the message names the offset of
            the byte), or a `.zip` that is damaged, encrypted or holds no conversations.
        OSError: it cannot be opened.
    """
    path = Path(path)
    if path.suffix.lower() == ".zip":
        return _read_export(path)
    _check_size(path.stat().st_size, path.name)
    return decode(path.read_bytes(), path.name)


def decode(raw: bytes, name: str) -> str:
    """Returns the bytes of a file as text, by the rules of `read_text`.

    Raises:
        ImportFormatError: they are not such text.
    """
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise ImportFormatError(f"{name} is UTF-32 (byte 0); save it as UTF-8 and import it again")
    by_record = Path(name).suffix.lower() in _BY_RECORD
    errors = "surrogateescape" if by_record else "strict"
    is_utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = raw.decode("utf-16") if is_utf16 else raw.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        raise ImportFormatError(
            f"{name} is not {'UTF-16' if is_utf16 else 'UTF-8'} text: byte 0x{raw[_offset(error, raw)]:02x} at offset "
            f"{_offset(error, raw)}; save it as UTF-8 and import it again"
        ) from error
    if not by_record and "\0" in text:
        at = len(text[: text.index("\0")].encode("utf-16-le" if is_utf16 else "utf-8"))
        raise ImportFormatError(f"{name} holds a NUL near byte {at}; it is not a text file, or UTF-16 without its mark")
    return text


def _offset(error: UnicodeDecodeError, raw: bytes) -> int:
    """Returns where in the file the bad byte stands: `utf-8-sig` counts from behind the mark."""
    mark = len(codecs.BOM_UTF8) if raw.startswith(codecs.BOM_UTF8) and len(error.object) < len(raw) else 0
    return error.start + mark


def _read_export(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            found = [part for part in archive.infolist() if _CONVERSATIONS.fullmatch(Path(part.filename).name)]
            _check_size(sum(part.file_size for part in found), path.name)
            texts = [decode(archive.read(part), path.name) for part in sorted(found, key=lambda part: part.filename)]
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError) as error:
        raise ImportFormatError(f"{path.name} cannot be unpacked ({error}); unpack it and import the file") from error
    if not texts:
        raise ImportFormatError(
            f"{path.name} holds no conversations.json; only the .zip of a ChatGPT or Claude export is read"
        )
    return texts[0] if len(texts) == 1 else _joined(texts, path.name)


def _joined(texts: list[str], name: str) -> str:
    """Returns several JSON lists as one."""
    inner = list[str]()
    for text in (text.strip() for text in texts):
        if not (text.startswith("[") and text.endswith("]")):
            raise ImportFormatError(f"{name} holds a conversations file that is not a list; unpack it and import each")
        if text[1:-1].strip():
            inner.append(text[1:-1])
    return f"[{','.join(inner)}]"


def _check_size(size: int, name: str) -> None:
    if size > MAX_BYTES:
        raise ImportFormatError(f"{name} has {size} bytes; at most {MAX_BYTES} are read: split it and import each part")
