"""Pictures, sounds and files in the blocks of the wire formats: reading all of their shapes, writing new ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from memoranda.errors import InvalidMessages
from memoranda.records.entry import JsonValue
from memoranda.records.message import MediaPart, Wire, WireFormat

_DATA_URL: Final = "data:"
_BASE64: Final = ";base64"
_NOTHING: Final[Wire] = {}


def read_media(block: Wire, kind: str) -> MediaPart | None:
    """Reads a block that holds media.

    Args:
        block: the block.
        kind: its `type`.

    Returns:
        The part; None where the block is of another type, or does not say where its data is.
    """
    reader = _READERS.get(kind)
    part = reader(block) if reader is not None else None
    return part if part is not None and (part.data is not None or part.url is not None) else None


def new_media(part: MediaPart, format: WireFormat) -> dict[str, JsonValue]:
    """Writes media as a block of a format.

    Raises:
        InvalidMessages: the part has no data and no address, or the format has no block for it (Anthropic: sounds).
    """
    if part.data is None and part.url is None:
        raise InvalidMessages(f"the {part.kind} has neither data nor a URL; give one of them")
    match format, part.kind:
        case WireFormat.ANTHROPIC, "image" | "file":
            return {"type": "image" if part.kind == "image" else "document", "source": _source(part)}
        case WireFormat.ANTHROPIC, _:
            raise InvalidMessages(f"the Anthropic format has no block for media of kind {part.kind!r}; leave it out")
        case _, "audio":
            sound = part.media_type.rpartition("/")[2] or "wav"
            return {"type": "input_audio", "input_audio": {"data": part.data or part.url, "format": sound}}
        case WireFormat.CHAT, "image":
            image: dict[str, JsonValue] = {"url": _address(part)}
            return {"type": "image_url", "image_url": {**image, "detail": part.detail} if part.detail else image}
        case WireFormat.CHAT, _:
            return {"type": "file", "file": {"file_data": _address(part)} if part.data else {"file_id": part.url}}
        case _:
            return _input_item(part)


def _data_url(value: object) -> tuple[str, str] | None:
    """Returns media type and base64 text of a data URL; None for anything else."""
    if not isinstance(value, str) or not value.startswith(_DATA_URL):
        return None
    head, comma, data = value.partition(",")
    if not comma or not head.endswith(_BASE64):
        return None
    return head[len(_DATA_URL) :].partition(";")[0], data


def _string(block: Wire, *names: str) -> str | None:
    """Returns the first of the fields that is a string and not empty."""
    for name in names:
        value = block.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def _inner(block: Wire, name: str) -> Wire:
    value = block.get(name)
    return value if isinstance(value, Mapping) else _NOTHING


def _from_address(kind: str, address: str | None, block: Wire, detail: str = "") -> MediaPart:
    found = _data_url(address)
    if found is not None:
        return MediaPart(kind, found[0], found[1], detail=detail, wire=block)
    return MediaPart(kind, url=address, detail=detail, wire=block)


def _chat_image(block: Wire) -> MediaPart:
    image = _inner(block, "image_url")
    address = _string(image, "url") or _string(block, "image_url")
    return _from_address("image", address, block, _string(image, "detail") or "")


def _item_image(block: Wire) -> MediaPart:
    return _from_address("image", _string(block, "image_url", "file_id"), block, _string(block, "detail") or "")


def _audio(block: Wire) -> MediaPart:
    sound = _inner(block, "input_audio") or block
    style = _string(sound, "format")
    media_type = f"audio/{style}" if style else _string(block, "media_type", "mimeType") or ""
    return MediaPart("audio", media_type, _string(sound, "data"), wire=block)


def _file(block: Wire) -> MediaPart:
    """Reads `file` (Chat, its fields one deeper) and `input_file` (Responses)."""
    file = _inner(block, "file") or block
    data = _string(file, "file_data")
    if data is None or data.startswith(_DATA_URL):
        return _from_address("file", data or _string(file, "file_id", "file_url"), block)
    return MediaPart("file", data=data, wire=block)


def _sourced(kind: str) -> Callable[[Wire], MediaPart]:
    """Reads a block with a `source` (Anthropic), or with its data in itself (as MCP tools give it)."""

    def read(block: Wire) -> MediaPart:
        source = _inner(block, "source") or block
        media_type = _string(source, "media_type", "mimeType") or ""
        return MediaPart(kind, media_type, _string(source, "data"), _string(source, "url", "file_id"), wire=block)

    return read


_READERS: Final[dict[str, Callable[[Wire], MediaPart]]] = {
    "image_url": _chat_image,
    "input_image": _item_image,
    "computer_screenshot": _item_image,
    "image": _sourced("image"),
    "document": _sourced("file"),
    "input_audio": _audio,
    "audio": _audio,
    "file": _file,
    "input_file": _file,
}


def _is_web(address: str) -> bool:
    """Whether it is fetched from somewhere; else it is the id under which the provider keeps it."""
    return "://" in address or address.startswith(_DATA_URL)


def _address(part: MediaPart) -> str:
    if part.data is not None:
        return f"{_DATA_URL}{part.media_type or 'application/octet-stream'}{_BASE64},{part.data}"
    return part.url or ""


def _source(part: MediaPart) -> dict[str, JsonValue]:
    if part.data is not None:
        plain = "image/png" if part.kind == "image" else "application/pdf"
        return {"type": "base64", "media_type": part.media_type or plain, "data": part.data}
    url = part.url or ""
    return {"type": "url", "url": url} if _is_web(url) else {"type": "file", "file_id": url}


def _input_item(part: MediaPart) -> dict[str, JsonValue]:
    address = _address(part)
    if part.kind == "image":
        field = "image_url" if _is_web(address) else "file_id"
        return {"type": "input_image", "detail": part.detail or "auto", field: address}
    if part.data is not None:
        return {"type": "input_file", "file_data": address}
    return {"type": "input_file", "file_url" if _is_web(address) else "file_id": address}
