"""What sockets are sent. A view that follows from an earlier one is the same as a view made from scratch."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
import pytest

from punto.game import commands as c
from punto.game import dealing, notation
from punto.game.audience import Audience, mine, view
from punto.game.evolve import evolve
from punto.game.possible import around, for_patron
from punto.game.table import NEW, Phase, Table
from punto.house.live.changes import Seen, changes
from punto.house.live.frames import Sight
from punto.house.store.dealing_pace import PACE
from punto.house.table.decide import TableState
from punto.house.table.governing_edition import in_use
from punto.money import Cents
from tests.every import of_every
from tests.house.live.changed import after
from tests.table.given import CLOSE, DEALER, FOUR, OPEN, SETTLE, TIGER, given, opened, seated, shoe, wager
from tests.transcripts import reading


@cache
def states(name: str) -> tuple[Table, ...]:
    """A table of a transcript after every event."""
    tables = [NEW]
    for step in reading.transcript(name).steps:
        for event in step.events:
            tables.append(evolve(tables[-1], notation.event(json.dumps(event).encode())))
    return tuple(table for table in tables if table.settings is not None)


def sight(table: Table, before: Sight | None = None) -> Sight:
    return Sight(TableState(b"", table), 1_700_000_000_000_000, PACE, before)


@of_every([*reading.names(), *reading.irregular_names()])
def test_a_view_that_follows_another_is_the_one_made_anew(name: str) -> None:
    """The order of the readers does not matter: for the view made from scratch it is reversed."""
    seen: Sight | None = None
    for table in states(name):
        seen, anew = sight(table, seen), sight(table)
        readers = [
            (Audience.PIT, None),
            *((Audience.DEALER, name) for name in table.staff),
            *((Audience.PATRON, name) for name in (*table.patrons, "nobody")),
        ]
        following = {reader: seen.snapshot(*reader) for reader in readers}
        assert following == {reader: anew.snapshot(*reader) for reader in reversed(readers)}


def test_most_of_a_view_stays_while_chips_move() -> None:
    """So the test above does not pass merely because every view is made from scratch."""
    kept = 0
    for name in reading.names():
        seen: Sight | None = None
        for table in states(name):
            seen = sight(table, seen)
            kept += seen._pieces is not None
            seen.snapshot(Audience.PUBLIC, None)
    assert kept > 100


def test_what_a_patron_alone_sees_is_kept_while_cards_are_dealt_face_up() -> None:
    """A card does not change what is written for each patron alone; an offer of insurance does."""
    table = given(TIGER, opened(TIGER), DEALER, *seated("ann", 1), *seated("bob", 2), shoe(TIGER, "2H KS 3D 4C"), OPEN)
    table = given(TIGER, wager("ann", 1, "player", 5000), CLOSE, table=table)
    seen = sight(table)
    first = {name: seen.mine(Audience.PATRON, name) for name in table.patrons}
    for number in range(1, 5):
        table = given(TIGER, c.DrawCard(by="sue"), table=table)
        seen = sight(table, seen)
        for name, written in first.items():
            assert (seen.mine(Audience.PATRON, name) is written) is (number < 4)
    assert table.phase is Phase.OFFER


def test_the_decider_is_asked_once_for_all_patrons_who_stand_alike() -> None:
    crowd = [c.Join(patron=f"guest-{number}", chips_cents=Cents(5000)) for number in range(40)]
    ready = (opened(TIGER), DEALER, *seated("ann", 1), *crowd, shoe(TIGER, "2H KS 3D 4C"), OPEN)
    bets = [wager(join.patron, 1, "player", 1000) for join in crowd[:20]]
    table = given(TIGER, *ready, *bets)
    shared = around(TIGER, table)
    for name in table.patrons:
        assert for_patron(TIGER, table, name, shared) == for_patron(TIGER, table, name)
    assert len(shared.moves) == 3, "one who sits, those who have wagers, those who have none"


def test_an_older_view_is_not_changed_by_a_newer_one() -> None:
    """A reader who waited for the store is sent the view of the version that they asked for."""
    passed = 0
    for name in reading.names():
        tables = states(name)
        for first, older, newer in zip(tables, tables[1:], tables[2:], strict=False):
            before = sight(first)
            before.snapshot(Audience.PUBLIC, None)
            late = sight(older, before)
            sight(newer, late).snapshot(Audience.PUBLIC, None)
            assert late.snapshot(Audience.PUBLIC, None) == sight(older).snapshot(Audience.PUBLIC, None)
            passed += late._pieces is not None
    assert passed > 50


@of_every([*reading.names(), *reading.irregular_names()])
def test_what_is_somebody_s_own_completes_the_public_view(name: str) -> None:
    for table in states(name):
        rules = in_use(table)
        assert rules is not None
        public = notation.plain(view(rules, table, Audience.PUBLIC))
        for audience, patron in [
            (Audience.PIT, None),
            (Audience.DEALER, None),
            *((Audience.PATRON, patron_name) for patron_name in table.patrons),
        ]:
            whole = notation.plain(view(rules, table, audience, patron))
            assert {**public, **notation.plain(mine(rules, table, audience, patron))} == whole


def faces_known(table: Table) -> Table:
    """The same table as if it were virtual, where the face of a card that lies face down is on record."""
    if table.round is None:
        return table
    cards = tuple(msgspec.structs.replace(card, face=card.face or "AS") for card in table.round.cards)
    return msgspec.structs.replace(table, round=msgspec.structs.replace(table.round, cards=cards))


def test_all_that_is_somebody_s_own_is_shown_to_him() -> None:
    """Each field is compared with the table itself, whatever shortcuts the view takes."""
    fields: set[str] = set()
    for name in [*reading.names(), *reading.irregular_names()]:
        for table in (state for original in states(name) for state in (original, faces_known(original))):
            rules, current, open_one = in_use(table), table.round, table.irregularity
            assert rules is not None
            for patron in table.patrons:
                own = view(rules, table, Audience.PATRON, patron)
                lying = (
                    [card for card in current.cards if not card.exposed and card.face is not None] if current else []
                )
                squeezed = tuple(card.place for card in lying if dealing.squeezer(table, card.place) == patron)
                lines = tuple(line for line in current.lines if line.patron == patron) if current else ()
                insured = [cover.id for cover in current.insurance if cover.patron == patron] if current else []
                wagers = [bet.id for bet in current.wagers.values() if bet.patron == patron] if current else []
                assert own.may_squeeze == squeezed
                assert own.lines == lines
                assert [cover.insurance for cover in own.insurance] == insured
                assert [bet.wager for bet in own.wagers] == wagers
                assert own.option == (open_one.choices.get(patron) if open_one else None)
                assert own.owed_cents == table.owed_cents.get(patron)
                assert own.seat == table.patrons[patron].box
                offered, late = (current.offer, current.late_offer) if current else (None, None)
                forgone = current.forgone if current else ()
                offer_to = offered is not None and patron in offered.patrons and patron not in forgone and bool(wagers)
                assert (patron in own.may_insure_cents) == offer_to
                assert (patron in own.may_insure_late_cents) == (late is not None and patron in late.patrons)
                fields |= {field for field in own.__struct_fields__ if getattr(own, field)}
    expected = {"may_squeeze", "lines", "insurance", "wagers", "option", "owed_cents", "seat"}
    assert expected | {"may_insure_cents", "may_insure_late_cents"} <= fields


def test_a_pace_that_comes_to_be_known_shows_its_clock() -> None:
    betting = next(state for state in states(reading.names()[0]) if state.phase is Phase.BETTING)
    virtual = msgspec.structs.replace(betting.opened, source="virtual")
    table = msgspec.structs.replace(betting, settings=virtual)
    unknown = Sight(TableState(b"", table), 1, None)
    assert b'"clock":null' in unknown.snapshot(Audience.PUBLIC, None)
    known = Sight(TableState(b"", table), 1, PACE, unknown)
    assert b'"clock":{"for":"betting"' in known.snapshot(Audience.PUBLIC, None)


@pytest.mark.parametrize(
    "change",
    [
        {"cards": ()},
        {"winner": "tie"},
        {"hand": 77},
        {"number": 777},
        {"edition": "tiger-buffalo-commission/2024-05-14"},
        {"offer": None},
        {"late_offer": None},
        {"ended": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_else_of_a_round_changes_is_seen(change: dict[str, Any]) -> None:
    """It changes alone here, though the table's own events would change more with it."""
    shown = 0
    for name in [*reading.names(), *reading.irregular_names()]:
        for table in states(name):
            if table.round is None:
                continue
            after = msgspec.structs.replace(table, round=msgspec.structs.replace(table.round, **change))
            before = sight(table)
            stood, anew = before.snapshot(Audience.PUBLIC, None), sight(after).snapshot(Audience.PUBLIC, None)
            shown += stood != anew
            assert sight(after, before).snapshot(Audience.PUBLIC, None) == anew
        if shown > 20:
            return
    assert shown, "the change is one that the public sees"


def offered(table: Table, audience: Audience, name: str | None) -> dict[str, bool]:
    """The commands that somebody is offered, and whether each needs a second person."""
    facts = json.loads(sight(table).mine(audience, name))
    return {move["do"]: move.get("second_person", False) for move in facts["can"]}


def test_the_house_offers_what_it_lets_somebody_do() -> None:
    """Chips found late need a Pit Supervisor once the result is known, and two persons once the round is settled."""
    ready = (opened(TIGER, source="live"), DEALER, *seated("ann", 1))
    load = c.LoadShoe(by="dan", count=416, shuffled=True)
    cards = [c.DrawCard(by="dan", card=card) for card in ("KH", "2S", "9D", "3C")]
    bets = given(TIGER, *ready, load, OPEN, wager("ann", 1, "player", 5000))
    complete = given(TIGER, CLOSE, *cards, table=bets)
    settled = given(TIGER, SETTLE, table=complete)
    assert "place-wager" in offered(bets, Audience.DEALER, "dan")
    assert "report-chips" not in offered(complete, Audience.DEALER, "dan")
    assert offered(complete, Audience.PIT, "sue")["report-chips"] is False
    assert offered(settled, Audience.DEALER, "dan")["report-chips"] is True
    assert "close-table" in offered(settled, Audience.PIT, "sue")
    assert "close-table" not in offered(settled, Audience.DEALER, "dan")
    assert offered(settled, Audience.DEALER, "eve") == {"start-duty": False}
    assert offered(settled, Audience.PIT, None) == {}, "an auditor looks and does nothing"


def test_at_a_virtual_table_people_do_not_deal() -> None:
    table = given(TIGER, opened(TIGER), DEALER, *seated("ann", 1), shoe(TIGER, "KH 2S"), OPEN)
    assert set(offered(table, Audience.DEALER, "dan")) == {"end-duty", "report-irregularity"}


def test_a_ruling_on_a_round_that_is_over_takes_two() -> None:
    table = given(TIGER, opened(TIGER), DEALER, *seated("ann", 1), shoe(TIGER, "KH 2S 9D 3C"), OPEN)
    table = given(TIGER, wager("ann", 1, "player", 5000), CLOSE, *FOUR, SETTLE, table=table)
    table = given(TIGER, c.ReportIrregularity(by="dan", kind="wrong-hand"), table=table)
    assert offered(table, Audience.PIT, "sue")["decide-irregularity"] is True
    assert "decide-irregularity" not in offered(table, Audience.DEALER, "dan")


def parts(seen: Seen) -> list[tuple[str, object]]:
    return [("public", seen.view), ("clock", seen.clock)]


@of_every([*reading.names(), *reading.irregular_names()])
def test_changes_lead_from_any_view_to_a_later_one(name: str) -> None:
    """Over one step, or several at once: what the reader puts together is the view as a whole snapshot has it."""
    tables, looks = states(name), []
    seen: Sight | None = None
    for table in tables:
        seen = sight(table, seen)
        looks.append(seen.seen)
        whole = json.loads(sight(table).snapshot(Audience.PUBLIC, None))
        for back in (1, 2, 5):
            before = looks[-1 - back] if len(looks) > back else looks[0]
            frame = json.loads(b"{%s}" % changes(before, seen.seen))
            known = {**{part: json.loads(notation.encode(content)) for part, content in parts(before)}, "mine": {}}
            now = after(known, {"frame": "events", "to": table.version, **frame})
            assert now["public"] == whole["view"]
            assert now["clock"] == whole["clock"]


def test_e2_a_ruling_on_an_older_round_is_offered_by_the_edition_of_that_round() -> None:
    """The round in question is of 2024: there 5.18 leaves it to the Table Game Shift Manager, at discretion. The round
    on the table is of 2025."""
    table = next(
        state for state in states("irregularities/late-round-of-an-older-edition") if state.irregularity is not None
    )
    offered = {}
    for name in table.staff:
        shown = json.loads(sight(table).mine(Audience.PIT, name))
        offered[name] = [move for move in shown["can"] if move["do"] == "decide-irregularity"]
    assert {name for name, rulings in offered.items() if rulings} == {"tess"}
    (ruling,) = offered["tess"]
    assert (ruling["paragraph"], "void" in ruling["choices"]["action"]) == ("5.18", True)
    assert "reconstruct" not in ruling["choices"]
