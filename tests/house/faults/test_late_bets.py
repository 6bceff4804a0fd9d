"""A short run of the race that `make soak` runs with ten thousand bets on each database."""

from __future__ import annotations

from tests.house.faults import late_bets


def test_bets_in_flight_across_the_close(database_url: str) -> None:
    figures = late_bets.raced(database_url, bets=500, seed=1)
    assert figures["bets"] == 500
    assert figures["at once: accepted"]
    assert figures["in the next round: another-round"]
