"""What counts requests: buckets that fill again, stay few, and take nothing where there is no limit."""

from __future__ import annotations

import pytest

from punto.house.people.sessions import Session
from punto.house.store.names import Role
from punto.house.web.caller import Caller
from punto.house.web.parts import Parts
from punto.house.web.problems import Stop
from punto.house.web.rate_limits import MOST_KEYS, Buckets, Rate, RateLimits, charge, take
from punto.house.web.settings import Settings

ANN = Session(b"", "ann", Role.PATRON, False, "", 0, 0, 0)


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
    here = Parts(Settings().unlimited())
    for buckets in (here.by_address, here.by_session, here.logins, here.entries, here.handshakes):
        assert [buckets.take("a", 1_000) for _ in range(2)] == [0, 0]


@pytest.mark.parametrize(("address", "session", "left"), [(2, 5, 2), (5, 3, 3), (5, 5, 5)])
def test_a_charge_is_taken_from_the_address_and_from_the_person(address: int, session: int, left: int) -> None:
    """Whichever has fewer tokens decides, and what costs nothing passes even when none is left."""
    limits = RateLimits(address=Rate(1e-9, address), session=Rate(1e-9, session))
    here, who = Parts(Settings(rates=limits)), Caller("id", "192.0.2.1", session=ANN)
    for _ in range(left):
        charge(here, who, 1)
    with pytest.raises(Stop):
        charge(here, who, 1)
    charge(here, who, 0)


def test_an_empty_bucket_is_a_429_that_says_how_long_to_wait() -> None:
    buckets = Buckets(Rate(0.5, 1), now=lambda: 0.0)
    take(buckets, "a", what="logins from this address")
    with pytest.raises(Stop, match="too many logins from this address: wait a moment") as stopped:
        take(buckets, "a", what="logins from this address")
    assert (stopped.value.status, stopped.value.code, stopped.value.wait) == (429, "too-many", 2.0)
