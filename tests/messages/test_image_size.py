"""Reading how large a picture is out of its first bytes."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages.image_size import image_size
from tests.messages.pictures import gif, jpeg, png, text, webp

sides = st.integers(1, 16_000)


@given(sides, sides)
def test_the_size_of_each_format_is_read(width: int, height: int) -> None:
    assert image_size(png(width, height)) == (width, height)
    assert image_size(jpeg(width, height)) == (width, height)
    assert image_size(gif(width, height)) == (width, height)
    for kind in ("VP8X", "VP8L", "VP8 "):
        assert image_size(webp(kind, width, height)) == (width, height)


def test_a_jpeg_with_a_preview_before_its_frame() -> None:
    assert image_size(jpeg(4032, 3024, before=60_000)) == (4032, 3024)


@pytest.mark.parametrize("cut", range(0, 44, 3))
def test_a_cut_picture_is_no_error(cut: int) -> None:
    for whole in (png(10, 20), jpeg(10, 20), gif(10, 20), webp("VP8X", 10, 20), webp("VP8L", 10, 20)):
        assert image_size(whole[:cut]) in {None, (10, 20)}


@pytest.mark.parametrize("width", [0, 5])
def test_a_side_of_nothing_is_no_size(width: int) -> None:
    assert image_size(png(width, 0)) is None


def test_base64_with_line_ends_and_for_urls_is_read() -> None:
    plain = base64.b64decode(png(640, 480))
    assert image_size(base64.encodebytes(plain).decode()) == (640, 480)
    assert image_size(base64.urlsafe_b64encode(plain).decode()) == (640, 480)


@given(st.one_of(st.text(), st.binary().map(text), st.binary().map(lambda data: text(b"\xff\xd8" + data))))
def test_garbage_is_no_error_b04(data: str) -> None:
    size = image_size(data)
    assert size is None or min(size) > 0


@pytest.mark.parametrize("data", ["", "====", "é", "\ud800", "QUJD" * 10, text(b"\xff\xd8" + b"\xff" * 100)])
def test_what_is_no_picture_has_no_size_b04(data: str) -> None:
    assert image_size(data) is None


def test_a_large_picture_is_read_as_fast_as_a_small_one() -> None:
    large = png(1024, 768, more=30_000_000)
    started = time.process_time()
    for _ in range(1_000):
        assert image_size(large) == (1024, 768)
    assert time.process_time() - started < 1
