"""Reporting an irregularity: which kinds an edition knows, when they are heard, and what they tell."""

from __future__ import annotations

import msgspec

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.coup import Coup
from punto.game.evolve import evolve_all
from punto.game.irregularities import cards as cards_of
from punto.game.irregularities.checks import LONGEST_TEXT, nowhere, round_fault
from punto.game.irregularities.kinds import Events, Kind, names_round, read, sent
from punto.game.irregularities.reconstruction import is_established, true_coup
from punto.game.irregularities.records import Facts
from punto.game.irregularities.rows import REPORTED, ROWS
from punto.game.irregularities.ruling import assert_leads, meant, remedy_fault
from punto.game.refusals import Refusal, named, refuse
from punto.game.squeezing import seen_places
from punto.game.table import CarriedCard, Irregular, Phase, Table
from punto.rulebook.model import Irregularity, Rulebook


def report(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> Events | Refusal:
    """I1: a report is a recorded fact of its own. Where nobody decides, its remedy follows at once."""
    row = heard(rules, table, command.kind)
    if isinstance(row, Refusal):
        return row
    kind = ROWS[row.id]
    fields = sent(command, "by", "kind", "note", *(() if names_round(kind.facts) else ("round",)))
    facts = read(kind.facts, fields, Code.BAD_REPORT, f"a report of {row.id}", row.cite)
    if isinstance(facts, Refusal):
        return facts
    cards = _checked(rules, table, row, facts, command.note)
    if isinstance(cards, Refusal):
        return cards
    shown = kind.shows(rules, table, row, command.by, facts) if kind.shows is not None else ()
    seen = seen_places(rules, table)
    reported = _reported(rules, evolve_all(table, shown), command, row, facts, cards, shown, seen)
    events: Events = (*shown, reported, *cards_of.cut_card(rules, table, len(cards)))
    if row.decided_by != "nobody":
        return events
    after = evolve_all(table, events)
    ruling = meant(rules, after, row, msgspec.structs.asdict(facts))
    assert ruling is not None, "the last ruling of a kind that nobody decides always fits"
    fault = remedy_fault(row, ruling.remedy)
    carried = fault or ruling.carry_out(rules, after, row, facts)
    if isinstance(carried, Refusal):
        return carried
    assert_leads(after, ruling, carried)
    return (*events, *carried)


def heard(rules: Rulebook, table: Table, kind: str) -> Irregularity | Refusal:
    """The edition's row of a kind, if it is reported in this phase and can happen at this table."""
    row = rules.irregularities.get(kind)
    if row is None or row.id not in REPORTED:
        known = ", ".join(kind for kind in REPORTED if kind in rules.irregularities)
        paragraph = row.cite if row is not None else rules.paragraph("discretion")
        code = Code.UNKNOWN_IRREGULARITY if row is None else Code.APPLIED_IN_PLAY
        return refuse(code, f"{named(kind)} is not reported: expected one of {known}", paragraph, kind=kind)
    if row.goes_by == Kind.LATE_WAGERS:
        text = "the round is finished, and wagers can't be withdrawn after “No more Bets”"
        return refuse(Code.NO_MORE_BETS, text, row.cite)
    if table.phase not in ROWS[row.id].phases:
        return _not_then(table, row)
    fault = nowhere(table, row.id, past_only=ROWS[row.id].past_only)
    return row if fault is None else refuse(Code.BAD_REPORT, fault, row.cite)


def paragraph_of(rules: Rulebook, row: Irregularity, cause: str | None) -> str:
    """The paragraph that a report is on record under: that of its cause, if the edition has one."""
    return rules.topics.get(f"{row.id}.{cause}", row.cite)


def about_any_round(command: c.AnyCommand) -> bool:
    """Whether its `round` says which round it is about, not which one it was given in (O90)."""
    return (
        isinstance(command, c.ReportIrregularity) and command.kind in REPORTED and names_round(ROWS[command.kind].facts)
    )


def _checked(
    rules: Rulebook, table: Table, row: Irregularity, facts: Facts, note: str
) -> tuple[CarriedCard, ...] | Refusal:
    """The cards that a report names, unless something that it tells can't be true."""
    if len(note) > LONGEST_TEXT:
        return refuse(Code.BAD_REPORT, f"a note has at most {LONGEST_TEXT} characters", row.cite)
    cards = cards_of.left_the_shoe(rules, table, row, facts)
    if isinstance(cards, Refusal):
        return cards
    kind = ROWS[row.id]
    fault: str | Refusal | None = round_fault(table, getattr(facts, "round", None), past_only=kind.past_only)
    if fault is None and kind.check is not None:
        fault = kind.check(rules, table, facts)
    if fault is not None:
        return fault if isinstance(fault, Refusal) else refuse(Code.BAD_REPORT, fault, row.cite)
    return cards


def _reported(
    rules: Rulebook,
    table: Table,
    command: c.ReportIrregularity,
    row: Irregularity,
    facts: Facts,
    cards: tuple[CarriedCard, ...],
    shown: Events,
    seen: tuple[str, ...],
) -> e.IrregularityReported:
    """The event of a report, and whether an outcome was established then (I2): in the current round only."""
    past = command.round if command.round in table.past else None
    drawn = next((event.place for event in shown if isinstance(event, e.CardDrawn)), None)
    hands = (command.player or (), command.banker or ()) if command.player or command.banker else None
    begun = row.id == Kind.WRONG_DEALING
    truth = true_coup(rules, table, *hands, begun=begun) if hands is not None else None
    return e.IrregularityReported(
        paragraph=paragraph_of(rules, row, command.cause),
        by=command.by,
        opens=row.decided_by != "nobody",
        note=command.note,
        irregularity=Irregular(
            kind=row.id,
            paragraph=row.cite,
            phase=table.phase,
            established=past is None
            and is_established(rules, table, cards, truth if isinstance(truth, Coup) else None),
            cause=command.cause,
            cards=cards,
            place=drawn or command.place,
            after=command.after,
            insurance=command.insurance,
            round=past,
            hands=hands,
            seen=seen or msgspec.UNSET,
        ),
    )


def _not_then(table: Table, row: Irregularity) -> Refusal:
    if row.id == Kind.INTERRUPTION and table.phase is Phase.BETTING:
        text = "betting is open: the wagers are on record and betting stays open"
        return refuse(Code.BETTING_OPEN, text, row.cite)
    return refuse(Code.NOT_THEN, f"{row.id} is not reported while the table is {table.phase.value}", row.cite)
