"""The score boards of a live shuffler, which is loaded once and dealt from for months."""

from __future__ import annotations

from typing import Any

import pytest

from punto.game import commands as c
from punto.game import outcome, roads
from punto.house.history import queries
from punto.house.history.score_boards import boards
from punto.house.table.house import House
from tests.house.databases import on_sqlite
from tests.house.table.playing import BET, CLOSE, LOAD, SETTLE, ask, did, opening

PAIR = "KH 2S 7D 2C 9H"
"""The Banker's first two cards are of one rank; Player wins."""
NONE = "KH 2S 7D 3C 4H"
"""Banker wins."""
AT_ONCE = 8

pytestmark = on_sqlite


def hand(faces: str) -> list[c.AnyCommand]:
    return [BET, CLOSE, *(c.DrawCard(by="sue", card=face) for face in faces.split()), SETTLE]


async def plays(house: House, faces: str, hands: int) -> None:
    for at in range(0, hands, AT_ONCE):
        some = [command for _ in range(min(AT_ONCE, hands - at)) for command in hand(faces)]
        answer = await ask(house, *some)
        assert answer.accepted, answer.json


async def shown(house: House) -> dict[str, Any]:
    return await boards(house.store, "T1", (await house.table("T1")).shoe)


async def test_every_pair_of_a_shuffler_counts_however_long_it_is_dealt_from(house: House) -> None:
    await did(house, opening(source="live", device="shuffler"), LOAD)
    await plays(house, PAIR, 2000)
    board = await shown(house)
    assert (board["counts"]["player"], board["counts"]["banker_pair"]) == (2000, 2000)
    assert [pair.hand for pair in board["pairs"]] == list(range(2000))


async def test_what_was_read_once_is_not_read_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    tagged = queries.events_tagged

    async def counted(*arguments: Any, **named: Any) -> Any:
        rows = await tagged(*arguments, **named)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(queries, "events_tagged", counted)
    monkeypatch.setattr(queries, "PAGE", 7)
    await did(house, opening(source="live", device="shuffler"), LOAD)
    await plays(house, PAIR, 30)
    assert (await shown(house))["counts"]["banker_pair"] == 30
    assert max(read) == 7
    read.clear()
    await did(house, *hand(PAIR)[:5])
    assert (await shown(house))["counts"]["banker_pair"] == 30, "a hand counts once it is settled"
    await did(house, *hand(PAIR)[5:])
    assert [pair.hand for pair in (await shown(house))["pairs"]] == list(range(31))
    assert sum(read) == 7, "where betting opened, five cards, and the end"
    read.clear()
    await shown(house)
    assert read == []


async def test_a_new_shoe_begins_with_no_pair(house: House) -> None:
    await did(house, opening(source="live", device="shuffler"), LOAD)
    await plays(house, PAIR, 3)
    assert len((await shown(house))["pairs"]) == 3
    await did(house, c.EndShoe(by="sue"), LOAD)
    assert (await shown(house))["pairs"] == []
    await plays(house, NONE, 1)
    await plays(house, PAIR, 1)
    board = await shown(house)
    assert (board["shoe"], board["results"], [pair.hand for pair in board["pairs"]]) == (2, "BP", [1])


async def test_a_board_has_the_newest_hands_of_a_shuffler_that_had_too_many(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roads, "LONGEST", 4)
    await did(house, opening(source="live", device="shuffler"), LOAD)
    await plays(house, PAIR, 3)
    await plays(house, NONE, 2)
    board = await shown(house)
    assert (board["results"], board["counts"]["banker_pair"]) == ("PPBB", 2)
    assert [pair.hand for pair in board["pairs"]] == [0, 1]


async def test_a_hand_put_right_later_has_the_pairs_of_its_true_cards(house: House) -> None:
    """Also, a card that is drawn between two rounds takes no pair away."""
    await did(house, opening(source="live"), LOAD)
    await plays(house, PAIR, 1)
    await did(house, c.ReportIrregularity(by="sue", kind="excess-card", cards=("6C",)))
    await did(house, c.DecideIrregularity(by="sue", reason="it waits"))
    assert [pair.hand for pair in (await shown(house))["pairs"]] == [0]
    await did(house, BET)
    player, banker = ("KH", "7D", "9H"), ("2S", "3C", "5D")
    late = c.ReportIrregularity(by="sue", kind="late-table-of-play", round=1, player=player, banker=banker)
    await did(house, late)
    await did(house, c.DecideIrregularity(by="sue", reason="the camera shows it"))
    assert (await shown(house))["pairs"] == []


async def test_the_game_says_what_a_pair_is(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """1.18/1.22: of one rank. A board that judged by itself would go on showing pairs."""
    await did(house, opening(source="live", device="shuffler"), LOAD)
    await plays(house, PAIR, 1)
    monkeypatch.setattr(outcome, "is_pair", lambda first, second: first == second)
    assert (await shown(house))["counts"]["banker_pair"] == 0
    await plays(house, "KH 2S 7D 2S 9H", 1)
    assert [pair.hand for pair in (await shown(house))["pairs"]] == [1]
