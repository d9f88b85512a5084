from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoranda.bench.dates import anchor, numeric, spoken


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:05 am on 25 December, 2023", datetime(2023, 12, 25, 0, 5, tzinfo=UTC)),
        ("12:30 pm on 1 January, 2024", datetime(2024, 1, 1, 12, 30, tzinfo=UTC)),
    ],
)
def test_locomo_writes_dates_as_they_are_spoken(text: str, moment: datetime) -> None:
    assert spoken(text) == moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2023/05/20 (Sat) 00:43", datetime(2023, 5, 20, 0, 43, tzinfo=UTC)),
        ("2024年04月01日 周一 08:15", datetime(2024, 4, 1, 8, 15, tzinfo=UTC)),
        ("2024/04/01 08:15", datetime(2024, 4, 1, 8, 15, tzinfo=UTC)),
    ],
)
def test_longmemeval_and_memdaily_write_numbers(text: str, moment: datetime) -> None:
    assert numeric(text) == moment


def test_beam_anchors_are_days() -> None:
    assert anchor("March-15-2024") == datetime(2024, 3, 15, tzinfo=UTC)


@pytest.mark.parametrize("read", [spoken, numeric, anchor])
@pytest.mark.parametrize("text", ["", "yesterday", "31 Smarch 2023", "25:00 pm on 8 May, 2023"])
def test_what_is_no_date_is_refused(read: object, text: str) -> None:
    assert callable(read)
    with pytest.raises(ValueError, match=r"."):
        read(text)
