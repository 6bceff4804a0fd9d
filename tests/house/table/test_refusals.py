"""What a stored refusal contains, how long it is kept, and what its key means afterwards."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from punto.codes import Code
from punto.game import commands as c
from punto.game.refusals import LONGEST_SENTENCE, named, refuse
from punto.house.delete_expired import REFUSED_FOR_US, forget_refusals
from punto.house.store.names import Role
from punto.house.store.schema import refusals
from punto.house.table import permissions, request
from punto.house.table.house import House
from punto.house.web import strict_json
from punto.house.web.problems import Stop
from punto.money import Cents
from tests.house.table.playing import a_house, ask, betting, decoded, wager

LARGEST_ANSWER = 1_000
"""The most bytes of a stored refusal: a sentence, and the fields of every problem."""
LONG = ("x" * 2_000, "x " * 1_000, "\N{GAME DIE}" * 2_000, '"' * 2_000, "\x01" * 2_000)
VALUES: dict[str, Any] = {"box": 1, "stake": "100.00", "chips": "5.00", "wager": "W1"}


async def _stored(house: House) -> list[bytes]:
    return [bytes(row["answer"]) for row in await house.store.fetch(sa.select(refusals.c.answer))]


def _commands(text: str) -> list[c.AnyCommand]:
    """Every command of a patron, with a long text in every field that takes text."""
    made = []
    for tag, kind in permissions.BY_TAG.items():
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        values = {name: VALUES.get(name, text) for name, field in fields.items() if field.required or name in VALUES}
        named = {name: text for name, field in fields.items() if field.type in (str, str | None)}
        said = {**values, **named, "do": tag} | ({"patron": "ann"} if "patron" in fields else {})
        full = request.filled("ann", Role.PATRON, {**said, "by": None} if kind is not c.ExposeCard else said)
        if isinstance(full, dict):
            full = full if kind is not c.ExposeCard else {**full, "by": "ann"}
            try:
                made.append(strict_json.converted({k: v for k, v in full.items() if v is not None}, kind))
            except Stop:
                continue
    return made


@pytest.mark.parametrize("text", LONG, ids=["letters", "words", "dice", "quotes", "control"])
async def test_a_refusal_holds_little_of_what_was_asked(house: House, text: str) -> None:
    """Whatever a patron sends, at most 1,000 bytes are stored."""
    await betting(house, "ann")
    made = _commands(text)
    assert {type(order) for order in made} >= {c.PlaceWager, c.TakeInsurance, c.ChooseOption}
    for command in made:
        await ask(house, command, actor="ann")
    stored = await _stored(house)
    assert len(stored) > 5
    assert max(map(len, stored)) <= LARGEST_ANSWER, max(stored, key=len)[:300]


async def test_a_long_name_is_cut_and_the_sentence_says_the_rest(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        answer = await ask(house, wager("ann", 10_000, "x" * 2_000), actor="ann")
        assert decoded(answer)["code"] == "unknown-bet"
        assert decoded(answer)["detail"].startswith(f"'{'x' * 40}…' is no bet: expected one of banker, player, tie")


def test_a_sentence_has_an_end() -> None:
    assert (
        refuse(Code.NOT_NOW, "é" * LONGEST_SENTENCE).message.encode()
        == ("é" * (LONGEST_SENTENCE // 2 - 2) + "…").encode()
    )
    assert refuse(Code.NOT_NOW, "x" * LONGEST_SENTENCE).message == "x" * LONGEST_SENTENCE
    assert named("tie") == "'tie'"


async def test_a_refusal_is_kept_for_a_day_and_its_key_is_decided_anew(database_url: str) -> None:
    """Nobody resends a command after a day. If they do, the refused command had no effect, so it has one at most."""
    bet = wager("ann", 10_000)

    async with a_house(database_url) as house:
        await betting(house, "ann")
        most = c.CashChips(patron="ann", chips_cents=Cents(99_000_000))
        first = await ask(house, most, key="k", actor="ann")
        assert decoded(first)["code"] == "not-enough-chips"
        await forget_refusals(house.store, time.time_ns() // 1_000 + REFUSED_FOR_US - 60_000_000)
        assert (await ask(house, most, key="k", actor="ann")).json == first.json
        assert decoded(await ask(house, bet, key="k", actor="ann"))["code"] == "key-reused"
        await forget_refusals(house.store, time.time_ns() // 1_000 + REFUSED_FOR_US + 60_000_000)
        assert await _stored(house) == []
        done = await ask(house, bet, key="k", actor="ann")
        assert done.accepted
        assert (await ask(house, bet, key="k", actor="ann")).json == done.json
