"""What counts requests: buckets that fill again, stay few, and take nothing where there is no limit."""

from __future__ import annotations

import pytest

from punto.house.web.problems import Stop
from punto.house.web.rate_limits import MOST_KEYS, UNLIMITED, Buckets, Rate, RateLimits, take


def test_buckets_fill_again_and_are_bounded() -> None:
    at = [0.0]
    buckets = Buckets(Rate(2.0, 3), now=lambda: at[0])
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == pytest.approx(0.5)
    at[0] = 0.5
    assert buckets.take("a") == 0
    for number in range(MOST_KEYS + 10_000):
        buckets.take(str(number))
    assert len(buckets._held) == MOST_KEYS


def test_without_limits_nobody_waits() -> None:
    for name in RateLimits.__struct_fields__:
        buckets = Buckets(getattr(UNLIMITED, name))
        assert [buckets.take("a", 1_000) for _ in range(2)] == [0, 0], name


def test_an_empty_bucket_is_a_429_that_says_how_long_to_wait() -> None:
    buckets = Buckets(Rate(0.5, 1), now=lambda: 0.0)
    take(buckets, "a", what="logins from this address")
    with pytest.raises(Stop, match="too many logins from this address: wait a moment") as stopped:
        take(buckets, "a", what="logins from this address")
    assert (stopped.value.status, stopped.value.code, stopped.value.wait) == (429, "too-many", 2.0)
