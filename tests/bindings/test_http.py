from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_errors.bindings.http import parse_retry_after

NOW = datetime(2026, 10, 21, 7, 27, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 120 ", 120),
        ("1.5", 1.5),
        (".5", 0.5),
        (b"7", 7),
        (8, 8),
        (0.25, 0.25),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 60),  # IMF-fixdate
        ("Wednesday, 21-Oct-26 07:28:00 GMT", 60),  # RFC 850
        ("Wed Oct 21 07:28:00 2026", 60),  # asctime
        ("Wed, 21 Oct 2026 07:26:00 GMT", 0),  # it has passed
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        (str(366 * 86400), 366 * 86400),
    ],
)
def test_what_rfc_9110_allows_and_fractions(value: object, seconds: float) -> None:
    assert parse_retry_after(value, now=NOW) == seconds


@pytest.mark.parametrize(
    "value",
    [
        *("", "  ", "soon", "-1", "+1", "1e3", "NaN", "inf", "1,5", "0x10", "\u0661\u0662", "1 2", "12s"),
        *("Fri, 31 Dec 99999 23:59:59 GMT", "Wed, 99 Oct 2026 07:28:00 GMT", "2026-10-21", "9" * 400),
        *("Thu, 21 Oct 2038 07:28:00 GMT", str(366 * 86400 + 1), "1" * 100_000),
        *(None, True, -2, -float("nan"), -float("inf"), 10**400, [], {}, object()),
    ],
)
def test_everything_else_is_none(value: object) -> None:
    assert parse_retry_after(value, now=NOW) is None


def test_now_is_the_clock_of_this_machine_in_any_time_zone() -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    seconds = parse_retry_after(soon.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    assert seconds is not None
    assert 3590 < seconds <= 3600
    here = NOW.astimezone(timezone(timedelta(hours=9)))
    assert parse_retry_after("Wed, 21 Oct 2026 07:28:00 GMT", now=here) == 60
    assert parse_retry_after("Wed, 21 Oct 2026 07:28:00 GMT", now=NOW.replace(tzinfo=None)) == 60


@given(st.text() | st.binary() | st.floats() | st.integers() | st.none() | st.lists(st.integers()))
def test_never_raises(value: object) -> None:
    seconds = parse_retry_after(value)
    assert seconds is None or 0 <= seconds <= 366 * 86400
