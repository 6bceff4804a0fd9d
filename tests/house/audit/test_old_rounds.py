"""I11 in the house: a round that the table no longer holds is corrected, and the audit finds nothing wrong."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from punto.game import commands as c
from punto.game import evolve
from punto.game.table import Table
from punto.house.audit.run import audit
from punto.house.store.interface import open_store
from punto.house.table.house import House
from punto.money import Cents
from punto.rulebook.model import Bet, Rank
from tests.house.audit.played_house import asked_of, play
from tests.house.table.playing import LIMITS, TIGER

HELD = 3
FIRST = ("KH", "2S", "7D", "3C", "4H")
REST = ("KD", "2H", "9D", "3H")


def a_round(*cards: str, box: int | None = None) -> list[c.AnyCommand]:
    wager = [] if box is None else [c.PlaceWager(patron="ann", box=box, bet=Bet.PLAYER, stake_cents=Cents(10_000))]
    dealt = [c.DrawCard(by="max", card=card) for card in cards]
    return [c.OpenBetting(by="max"), *wager, c.CloseBetting(by="max"), *dealt, c.Settle(by="max")]


def script() -> list[c.AnyCommand]:
    """Round 1 had a card too many. It is found six rounds later, resettled, and then void by discretion."""
    opening = c.OpenTable(
        by="max", rank=Rank.PIT_MANAGER, table="T1", edition=TIGER, layout="H", positions=6, limits=LIMITS
    )
    player, banker = ("KH", "7D", "4H"), ("2S", "3C", "9H")
    return [
        opening,
        c.StartDuty(name="tess", rank=Rank.SHIFT_MANAGER),
        c.LoadShoe(by="max", count=416, shuffled=True),
        c.Join(patron="ann", chips_cents=Cents(100_000)),
        c.Sit(patron="ann", box=1),
        *a_round(*FIRST, box=1),
        *(command for _ in range(HELD + 3) for command in a_round(*REST)),
        c.ReportIrregularity(by="max", kind="late-table-of-play", round=1, player=player, banker=banker),
        c.DecideIrregularity(by="max", reason="the camera shows it"),
        c.ReportIrregularity(by="max", kind="discretion", round=1),
        c.DecideIrregularity(by="tess", reason="the camera shows more", action="void"),
        *a_round(*REST),
    ]


async def played(url: str) -> tuple[Table, list[dict[str, object]]]:
    await play(url, number=0)  # opens the accounts only
    store = await open_store(url)
    house = House(store)
    events: list[dict[str, object]] = []
    for number, command in enumerate(script()):
        heard = await asked_of(house, store, "T1", command, f"k{number}")
        assert heard.accepted, heard.json
        events += msgspec.json.decode(heard.json)["events"]
    table = await house.table("T1")
    await house.close()
    await store.close()
    return table, events


def test_a_round_that_is_held_no_more_is_put_right(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evolve, "MOST_PAST_ROUNDS", HELD)
    table, events = asyncio.run(played(database_url))
    fixed = [event for event in events if event["event"] == "past-round-corrected"]
    assert [(event["round"], event["void"], event["winner"]) for event in fixed] == [
        (1, False, "banker"),
        (1, True, None),
    ]
    assert table.patrons["ann"].balance_cents == 100_000
    assert 1 not in table.past
    assert len(table.past) <= HELD
    assert audit(database_url).findings == []
