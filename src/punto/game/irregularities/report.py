"""Reporting an irregularity: which kinds an edition knows, when they are heard, and the cards that left the shoe."""

from __future__ import annotations

from collections import Counter
from typing import Final

from punto.codes import Code
from punto.game import commands as c
from punto.game import dealing, offers, shoe
from punto.game import events as e
from punto.game.evolve import evolve_all
from punto.game.irregularities import carried_out, facts
from punto.game.irregularities.lay import MOST_CARDS, is_established
from punto.game.refusals import Refusal, named, refuse
from punto.game.table import CarriedCard, Irregular, Phase, Table
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[e.AnyEvent, ...]

LONGEST_NOTE = 2000

_ROUND: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
_DEALT: Final = (Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.SETTLED)
_CURRENT: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, *_DEALT)
"""I10: a settled round is the current one until the next betting opens, also once its shoe has ended."""
_ANY: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED)

WHEN: Final[dict[str, tuple[Phase, ...]]] = {
    "interruption": _ROUND,
    "void": _ANY,
    "cut-card": _DEALT,
    "excess-card": (Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
    "wrong-hand": _CURRENT,
    "face-up": (Phase.DEALING,),
    "simultaneous": (Phase.CUT_CARD, *_DEALT),
    "reset": _ROUND,
    "damaged-card": (Phase.CUT_CARD, *_CURRENT),
    "late-discovery": _ANY,
    "late-table-of-play": _ANY,
    "other-dealing-error": _CURRENT,
    "insurance-missed": _ANY,
    "insurance-misplaced": _ANY,
    "discretion": _ANY,
    "commencement": (Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
    "blue-card": (Phase.BETTING, *_ROUND, Phase.SETTLED),
    "exposed-while-betting": (Phase.BETTING, Phase.OFFER),
    "unneeded-card": (Phase.DEALING, Phase.COMPLETE, Phase.SETTLED),
    "exposed-while-shuffling": (Phase.NO_SHOE,),
    "exposed-at-commencement": (Phase.COMMENCING, Phase.READY),
    "wrong-dealing": _CURRENT,
    "dropped-card": _ANY,
}
"""In which phases a kind can be reported. The other rows of section 5 are applied in play, without a report."""

_NEED_CARDS: Final = ("excess-card", "simultaneous", "exposed-while-betting", "unneeded-card")
_MAY_HAVE_CARDS: Final = (*_NEED_CARDS, "wrong-hand", "wrong-dealing")


def report(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> Events | Refusal:
    """I1: a report is a recorded fact of its own. Where nobody decides, its remedy follows at once."""
    row = rules.irregularities.get(command.kind)
    if row is None or command.kind not in WHEN:
        known = ", ".join(kind for kind in rules.irregularities if kind in WHEN)
        paragraph = row.cite if row is not None else rules.paragraph("discretion")
        code = Code.UNKNOWN_IRREGULARITY if row is None else Code.APPLIED_IN_PLAY
        text = f"{named(command.kind)} is not reported: expected one of {known}"
        return refuse(code, text, paragraph, kind=command.kind)
    if row.goes_by == "late-wagers":
        text = "the round is finished, and wagers can't be withdrawn after “No more Bets”"
        return refuse(Code.NO_MORE_BETS, text, row.cite)
    if table.phase not in WHEN[command.kind]:
        return _not_then(table, row)
    if len(command.note) > LONGEST_NOTE:
        return refuse(Code.BAD_REPORT, f"a note has at most {LONGEST_NOTE} letters", row.cite)
    cards = _cards(rules, table, command, row)
    if isinstance(cards, Refusal):
        return cards
    fault = facts.fault(rules, table, command)
    if fault is not None:
        return fault if isinstance(fault, Refusal) else refuse(Code.BAD_REPORT, fault, row.cite)
    shown = _turned(table, command, row) if command.kind == "face-up" else _lost(rules, table, command, row)
    reported = _reported(rules, evolve_all(table, shown), command, row, cards, shown)
    events: Events = (*shown, reported, *_cut_card(rules, table, len(cards)))
    if row.decided_by != "nobody":
        return events
    return (*events, *carried_out.at_once(rules, evolve_all(table, events), row, command))


def _cut_card(rules: Rulebook, table: Table, number: int) -> Events:
    """5.7: the cut card that came out of a virtual shoe among the cards that are reported."""
    shoe = table.shoe
    if shoe is None or shoe.order is None or shoe.cut_drawn or shoe.cut_at is None or not number:
        return ()
    if shoe.cut_at >= shoe.drawn + number:
        return ()
    cite = rules.topics.get("blue-card.during", rules.procedure.cut_card_cite)
    return (e.CutCardDrawn(paragraph=cite),)


def _reported(
    rules: Rulebook,
    table: Table,
    command: c.ReportIrregularity,
    row: Irregularity,
    cards: tuple[CarriedCard, ...],
    shown: Events,
) -> e.IrregularityReported:
    """The fact, and whether an outcome was established then (I2): of the current round only."""
    past = command.round if command.round in table.past else None
    drawn = next((event.place for event in shown if isinstance(event, e.CardDrawn)), None)
    return e.IrregularityReported(
        paragraph=rules.topics.get(f"{command.kind}.{command.cause}", row.cite),
        by=command.by,
        opens=row.decided_by != "nobody",
        note=command.note,
        irregularity=Irregular(
            kind=command.kind,
            paragraph=row.cite,
            phase=table.phase,
            established=past is None and is_established(rules, table, cards),
            cause=command.cause,
            cards=cards,
            place=drawn or command.place,
            after=command.after,
            insurance=command.insurance,
            round=past,
            hands=(command.player, command.banker) if command.player or command.banker else None,
        ),
    )


def _not_then(table: Table, row: Irregularity) -> Refusal:
    if row.id == "interruption" and table.phase is Phase.BETTING:
        text = "betting is open: the wagers are on record and betting stays open"
        return refuse(Code.BETTING_OPEN, text, row.cite)
    return refuse(Code.NOT_THEN, f"{row.id} is not reported while the table is {table.phase.value}", row.cite)


def _cards(
    rules: Rulebook, table: Table, command: c.ReportIrregularity, row: Irregularity
) -> tuple[CarriedCard, ...] | Refusal:
    """Further cards that have left the shoe: named at a live shoe, counted at a virtual one."""
    if command.kind == "damaged-card" and not command.cards:
        return ()
    if command.kind == "simultaneous" and table.phase in (Phase.COMPLETE, Phase.SETTLED):
        text = "the coup is complete: the cards that came together lie on the table, and none is named"
        return refuse(Code.BAD_REPORT, text, row.cite) if command.cards or command.count else ()
    if not command.cards and not command.count:
        if command.kind in _NEED_CARDS:
            return refuse(Code.BAD_REPORT, "name the cards, or count them", row.cite)
        return ()
    if command.kind not in _MAY_HAVE_CARDS or table.shoe is None or (command.cards and command.count):
        return refuse(Code.BAD_REPORT, "no cards belong to this report, or they are named and counted both", row.cite)
    number = len(command.cards) or command.count
    if not 0 < number <= min(MOST_CARDS, table.shoe.left) or (command.kind == "simultaneous" and number < 2):
        return refuse(Code.BAD_REPORT, "that many cards can't have been drawn", row.cite)
    if table.shoe.order is not None:
        if command.cards:
            return refuse(Code.BAD_REPORT, "a virtual shoe gives its own cards: count them", row.cite)
        faces = table.shoe.order[table.shoe.drawn : table.shoe.drawn + number]
        return tuple(CarriedCard(face, command.exposed) for face in faces)
    if not command.cards:
        return tuple(CarriedCard(None, False) for _ in range(number))
    return _entered(rules, table, command)


def _entered(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> tuple[CarriedCard, ...] | Refusal:
    """Cards as staff name them, each of these decks, also all together."""
    found: list[str] = []
    for text in command.cards:
        face = shoe.known_face(rules, table, text)
        if isinstance(face, Refusal):
            return face
        found.append(face)
    for face, count in Counter(found).items():
        if table.in_use.seen.get(face, 0) + count > table.opened.decks:
            text = f"{face} would have come out more often than the decks hold it"
            return refuse(Code.TOO_MANY_OF_A_CARD, text, rules.paragraph("cards.decks"))
    return tuple(CarriedCard(face, command.exposed) for face in found)


def _turned(table: Table, command: c.ReportIrregularity, row: Irregularity) -> Events:
    """5.10: the card lies open now."""
    lying = next(one for one in table.current.cards if one.place == command.place)
    face = lying.face or str(command.card).upper().replace("10", "T")
    return (e.CardExposed(paragraph=row.cite, place=lying.place, card=face, by=command.by),)


def _lost(rules: Rulebook, table: Table, command: c.ReportIrregularity, row: Irregularity) -> Events:
    """5.13: a card lost before anybody saw it has still been drawn, to its place."""
    if command.kind != "damaged-card" or command.place is not None:
        return ()
    place = dealing.next_place(rules, table)
    assert isinstance(place, str), "the report was checked"
    ended = offers.closed(rules, table) if table.phase is Phase.OFFER else ()
    return (*ended, e.CardDrawn(paragraph=row.cite, place=place, card=None, exposed=False))
