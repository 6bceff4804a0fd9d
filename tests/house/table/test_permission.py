"""Permission is checked once, in the state in which a command is decided, and a denial is not stored."""

from __future__ import annotations

import sqlalchemy as sa

from punto.game import commands as c
from punto.house.people.sessions import Session
from punto.house.store.names import Role
from punto.house.store.schema import refusals
from punto.house.table.house import House
from punto.house.web.command_requests import CommandRequest, carry_out
from punto.house.web.parts import Parts
from punto.house.web.settings import Settings
from punto.rulebook.model import Rank
from tests.house.table.playing import LOAD, a_house, did, opening

TABLE = "t1"


def _here(house: House) -> Parts:
    here = Parts(Settings())
    here.house, here.store = house, house.store
    return here


def _dan() -> Session:
    return Session(b"", "dan", Role.DEALER, False, "", 0, 0, 0)


async def test_a_denial_is_403_and_its_key_stays_free(house: House) -> None:
    await did(house, opening(TABLE, source="live"), LOAD, table=TABLE)
    here, dan, order = _here(house), _dan(), CommandRequest("k", {"do": "open-betting"})
    denied = await carry_out(here, dan, TABLE, order)
    assert (denied.status, denied.code) == (403, "not-on-duty")
    assert await house.store.fetch(sa.select(refusals)) == []
    await did(house, c.StartDuty(name="dan", rank=Rank.DEALER), table=TABLE)
    accepted = await carry_out(here, dan, TABLE, order)
    assert accepted.accepted, accepted.json
    await did(house, c.EndDuty(name="dan"), table=TABLE)
    assert await carry_out(here, dan, TABLE, order) == accepted, "a key that was answered is answered so again"
    another = await carry_out(here, dan, TABLE, CommandRequest("k", {"do": "close-betting"}))
    assert another.code == "key-reused"


async def test_the_commands_of_a_list_are_judged_one_after_the_other(sqlite_url: str) -> None:
    """Duty that a list starts counts for the commands after it; duty that it ends no longer does."""
    async with a_house(sqlite_url) as house:
        await did(house, opening(TABLE, source="live"), LOAD, table=TABLE)
        here, dan = _here(house), _dan()
        betting, on, off = {"do": "open-betting"}, {"do": "start-duty"}, {"do": "end-duty"}
        version = (await house.table(TABLE)).version
        denied = await carry_out(here, dan, TABLE, CommandRequest("k1", None, [on, off, betting]))
        assert (denied.status, denied.code) == (403, "not-on-duty")
        assert (await house.table(TABLE)).version == version
        assert (await carry_out(here, dan, TABLE, CommandRequest("k2", None, [on, betting]))).accepted


async def test_a_session_that_ended_while_its_command_waited_does_nothing(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await did(house, opening(TABLE, source="live"), LOAD, table=TABLE)
        dan = _dan()
        dan.ended = True
        answer = await carry_out(_here(house), dan, TABLE, CommandRequest("k", {"do": "start-duty"}))
        assert (answer.status, answer.code) == (401, "no-session")
        assert "dan" not in (await house.table(TABLE)).staff
