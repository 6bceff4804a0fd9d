"""Houses of older versions: each is opened, passes the audit, gives the same answers as then, and goes on."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from punto.house.audit.run import audit
from punto.house.store.interface import open_store
from punto.house.store.schema import events
from tests.house.databases import ENGINES
from tests.house.kept.kept_copies import HOUSES, answers_of, heads_of, kept
from tests.house.kept.play_house import OWN_PASSWORD, a_round, answered, give, history
from tests.house.web.running import PASSWORD, Person, guest, serving
from tests.oracle import plain

HOUSE_AND_ENGINE = [(house, engine) for house in HOUSES for engine in ENGINES]


APPROVALS_ARE_EVENTS = "0003"


class Kept(msgspec.Struct, frozen=True):
    house: str
    engine: str
    url: str

    def clean(self) -> None:
        """An audit finds nothing wrong, and all the heads that an audit saw then."""
        assert audit(self.url, heads_of(self.house, self.engine)).findings == []


@pytest.fixture(params=HOUSE_AND_ENGINE, ids="-".join)
def copy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    house, engine = request.param
    with kept(house, engine, tmp_path) as url:
        yield Kept(house, engine, url)


async def opened(url: str) -> Record:
    """Open it as every start does, which migrates it. Returns what its rows say of every round."""
    store = await open_store(url)
    try:
        where = events.c.stream.like("table/%")
        query = sa.select(events.c.stream, events.c.event).where(where).order_by(events.c.stream, events.c.version)
        return record((row["stream"][6:], msgspec.json.decode(row["event"])) for row in await store.fetch(query))
    finally:
        await store.close()


Facts = dict[str, Any]
Record = dict[tuple[str, int], Facts]
EVERYBODY = ""


def record(rows: Iterable[tuple[str, Facts]]) -> Record:
    """Table and round → the points that it was last settled on, and for whom it was corrected as a past round. This is
    read from the stored events alone, without the house's own code."""
    rounds: Record = {}
    at: dict[str, int] = {}
    for table, event in rows:
        match event["event"]:
            case "betting-opened":
                at[table] = event["round"]
                rounds[table, at[table]] = {"corrected": set(), "player_points": None, "banker_points": None}
            case "round-settled":
                facts = rounds[table, at[table]]
                facts |= {name: event[name] for name in ("player_points", "banker_points")}
            case "past-round-corrected":
                facts = rounds[table, event["round"]]
                facts["corrected"] |= {EVERYBODY}
                for side in ("player", "banker") if event.get("cards") else ():
                    hand = [card["face"] for card in event["cards"] if card["place"][0] == side[0].upper()]
                    facts[f"{side}_points"] = plain.points(hand)
            case "original-returned" | "insurance-repositioned" if event["round"] != at[table]:
                rounds[table, event["round"]]["corrected"] |= {event["patron"]}
    return rounds


def test_it_is_sound_by_todays_audit(copy: Kept) -> None:
    asyncio.run(opened(copy.url))
    copy.clean()


def test_it_tells_what_it_told_and_goes_on(copy: Kept, tmp_path: Path) -> None:
    answers, on_record = answers_of(copy.house, copy.engine), asyncio.run(opened(copy.url))
    with serving(tmp_path, "--no-rate-limits", "--no-demo", database=copy.url) as server, guest(server) as ben:
        names = {"mia": "pit-manager", "tess": "shift-manager", "ann": "ann"}
        people = {name: Person(server).log_in(account, OWN_PASSWORD) for name, account in names.items()}
        people |= {"bob": Person(server).log_in("bob", PASSWORD, own=OWN_PASSWORD), "ben": ben}
        same(answers, answered(people), on_record)
        (_lapsed if copy.house < APPROVALS_ARE_EVENTS else _approvals_go_on)(people["mia"], people["tess"])
        _tables_go_on(people)
        assert len(history(people["ann"])) == len(answers["history"]["ann"]) + 1
        for person in people.values():
            person.http.close()
        server.stop()
    copy.clean()


def _approvals_go_on(mia: Person, tess: Person) -> None:
    """An act that was approved and not done is done at the start. One that was asked for is still asked for."""
    approvals = mia.get("/api/approvals?limit=100").json()
    (dying,) = [approval for approval in approvals if approval["what"].get("reason") == "approved as the house died"]
    assert dying["state"] == "done"
    (waiting,) = [approval for approval in approvals if approval["state"] == "asked"]
    assert tess.post(f"/api/approvals/{waiting['id']}/reject").json()["state"] == "rejected"


def _lapsed(mia: Person, tess: Person) -> None:
    """Acts that were asked for, or approved and not done, have lapsed: approvals were no events then (O69)."""
    approvals = mia.get("/api/approvals?limit=100").json()
    (dying,) = [row for row in approvals if row["what"].get("reason") == "approved as the house died"]
    lapsed = [row for row in approvals if row["state"] == "lapsed"]
    assert dying in lapsed
    assert not [row for row in approvals if row["state"] in ("asked", "approved")]
    for approval in lapsed:
        late = tess.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
        assert (late.status_code, late.json()["code"]) == (409, "lapsed")


def _tables_go_on(people: dict[str, Person]) -> None:
    """Betting that was open is still open, an interrupted round is void, a report is ruled on; new rounds follow."""
    mia, ben = people["mia"], people["ben"]
    phases = {name: mia.get(f"/api/tables/{name}").json()["view"]["phase"] for name in _LEFT}
    assert phases == {"left-betting": "betting", "left-dealing": "settled", "left-reported": "irregularity"}
    give(mia, "left-reported", {"do": "decide-irregularity", "reason": "the card is of another deck"})
    give(mia, "left-betting", {"do": "close-betting"})
    for face in ("KH", "2S", "9D", "3C"):
        give(mia, "left-betting", {"do": "draw-card", "card": face})
    give(mia, "left-betting", {"do": "settle"})
    give(ben, "left-betting", {"do": "join", "chips": "200.00"}, {"do": "sit", "box": 2})
    a_round(people, "left-betting", "ben", box=2)
    a_round(people, "changing", "ann")


_LEFT = ("left-betting", "left-dealing", "left-reported")


def same(then: Any, now: Any, on_record: Record, place: str = "") -> None:
    """Every answer is the same as then. What a later version adds to it is no difference."""
    if isinstance(then, dict):
        for name, value in _by_record(then, on_record).items():
            assert name in now, f"{place}.{name}"
            same(value, now[name], on_record, f"{place}.{name}")
    elif isinstance(then, list):
        assert len(then) == len(now), place
        for number, (old, new) in enumerate(zip(then, now, strict=True)):
            same(old, new, on_record, f"{place}[{number}]")
    elif isinstance(then, str) and "\n" in then:
        rows = _rows(then)
        same(rows, _rows(now)[: len(rows)], on_record, place)  # later rows are new: departed guests are cashed out
    else:
        assert then == now, place


def _by_record(told_round: Facts, on_record: Record) -> Facts:
    """Older versions showed a round that was corrected to other cards with the points of the wrong cards, and did not
    call a round corrected that was corrected before the next betting. Today's answer is what is on record."""
    if "player_points" not in told_round:
        return told_round
    facts = on_record[told_round["table"], int(told_round["round"])]
    points = {name: facts[name] for name in ("player_points", "banker_points")}
    if "corrected" not in told_round:  # a row of an export
        return {**told_round, **{name: "" if count is None else str(count) for name, count in points.items()}}
    whose = {EVERYBODY, *(line["patron"] for line in told_round["lines"])}
    return {**told_round, **points, "corrected": not whose.isdisjoint(facts["corrected"])}


def _rows(text: str) -> list[dict[str, str]]:
    """The rows of an export."""
    return [dict(row) for row in csv.DictReader(io.StringIO(text))]
