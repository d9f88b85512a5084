from __future__ import annotations

import codecs
import zipfile
from pathlib import Path

import pytest

from memoranda.errors import ImportFormatError
from memoranda.service.importing import detect
from memoranda.service.importing.reading import decode, read_text

TEXT = "Grüße, 林悦 🚀"


@pytest.mark.parametrize(
    "raw",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    ],
)
def test_text_of_each_encoding_is_read(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "ü 🚀.txt"
    path.write_bytes(raw)
    assert read_text(path) == TEXT


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("Grüße".encode("latin-1"), "not UTF-8 text: byte 0xfc at offset 2"),
        (codecs.BOM_UTF8 + "Grüße".encode("latin-1"), "not UTF-8 text: byte 0xfc at offset 5"),
        (codecs.BOM_UTF16_LE + b"a\0b", "not UTF-16 text: byte 0x62 at offset 4"),
        (codecs.BOM_UTF32_LE + "x".encode("utf-32-le"), "UTF-32"),
        ("ab".encode("utf-16-le"), "NUL near byte 1"),
    ],
)
def test_other_bytes_are_refused_with_their_offset(raw: bytes, message: str) -> None:
    with pytest.raises(ImportFormatError, match=message):
        decode(raw, "a.txt")


def test_a_bad_byte_spoils_one_line_of_json_only() -> None:
    """Case K01: the file ends within a character."""
    data = decode('{"memory": "a"}\n{"memory": "Gr\u00fc'.encode()[:-1], "a.jsonl")
    assert [type(part).__name__ for part in detect.parse(data, "a.jsonl")] == ["ImportItem", "Skipped"]


def pack(path: Path, **parts: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/") + ".json", text)
    return path


def test_the_conversations_of_an_export_are_read_from_its_zip(tmp_path: Path) -> None:
    path = pack(tmp_path / "export.zip", user="{}", export__conversations='[{"mapping": {}}]')
    assert read_text(path) == '[{"mapping": {}}]'


def test_the_parts_of_a_split_export_become_one_list(tmp_path: Path) -> None:
    parts = {"conversations-001": "[3]", "conversations-000": "[1, 2]", "conversations-002": "[ ]"}
    assert read_text(pack(tmp_path / "export.zip", **parts)) == "[1, 2,3]"


def test_a_zip_without_readable_conversations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match=r"holds no conversations\.json"):
        read_text(pack(tmp_path / "a.zip", user="{}"))
    with pytest.raises(ImportFormatError, match="not a list"):
        read_text(pack(tmp_path / "b.zip", **{"conversations-000": "[1]", "conversations-001": "{}"}))
    damaged = tmp_path / "c.zip"
    damaged.write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(ImportFormatError, match=r"c\.zip cannot be unpacked"):
        read_text(damaged)
