"""Reporting an irregularity: which kinds an edition knows, when they can be reported, and the facts that each needs."""

from __future__ import annotations

from typing import Final

from punto.game import commands as c
from punto.game import events as e
from punto.game import shoe
from punto.game.evolve import evolve_all
from punto.game.irregularities import carried_out
from punto.game.irregularities.lay import is_established
from punto.game.refusals import Refusal, refuse
from punto.game.table import CarriedCard, Irregular, Phase, Table
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[e.AnyEvent, ...]

MOST_CARDS = 12
LONGEST_NOTE = 2000

CAUSES: Final = ("foreign-card", "wrong-count", "not-reconstructible", "too-few-cards", "unshuffled")

_ROUND: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
_CURRENT: Final = (Phase.BETTING, *_ROUND, Phase.SETTLED, Phase.READY, Phase.NO_SHOE, Phase.COMMENCING)
_ANY: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED)

WHEN: Final[dict[str, tuple[Phase, ...]]] = {
    "interruption": _ROUND,
    "void": _CURRENT,
    "cut-card": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE),
    "excess-card": (Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
    "wrong-hand": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE),
    "face-up": (Phase.DEALING,),
    "simultaneous": (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER),
    "reset": _ROUND,
    "damaged-card": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE),
    "late-discovery": _ANY,
    "late-table-of-play": _ANY,
    "other-dealing-error": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.SETTLED),
    "insurance-missed": (Phase.BETTING, *_ROUND, Phase.SETTLED, Phase.READY, Phase.NO_SHOE, Phase.COMMENCING),
    "insurance-misplaced": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.SETTLED),
    "discretion": _ANY,
    "commencement": (Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
    "blue-card": (Phase.BETTING, *_ROUND, Phase.SETTLED),
    "exposed-while-betting": (Phase.BETTING, Phase.OFFER),
    "unneeded-card": (Phase.DEALING, Phase.COMPLETE, Phase.SETTLED),
    "exposed-while-shuffling": (Phase.NO_SHOE,),
    "exposed-at-commencement": (Phase.COMMENCING, Phase.READY),
    "wrong-dealing": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.SETTLED),
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
        code = "unknown-irregularity" if row is None else "applied-in-play"
        return refuse(code, f"{command.kind!r} is not reported: expected one of {known}", paragraph)
    if table.phase not in WHEN[command.kind]:
        return _not_then(rules, table, row)
    if len(command.note) > LONGEST_NOTE:
        return refuse("bad-report", f"a note has at most {LONGEST_NOTE} letters", row.cite)
    cards = _cards(rules, table, command, row)
    if isinstance(cards, Refusal):
        return cards
    fault = _facts(rules, table, command, row)
    if fault is not None:
        return fault
    reported = e.IrregularityReported(
        paragraph=row.cite,
        by=command.by,
        opens=row.decided_by != "nobody",
        note=command.note,
        irregularity=Irregular(
            kind=command.kind,
            paragraph=row.cite,
            phase=table.phase,
            established=is_established(rules, table, cards),
            cause=command.cause,
            cards=cards,
            place=command.place,
            after=command.after,
            insurance=command.insurance,
            round=command.round,
            hands=(command.player, command.banker) if command.player or command.banker else None,
        ),
    )
    events: Events = (reported,)
    if command.kind == "face-up":
        events = (*events, *_turned(rules, table, command))
    if row.decided_by != "nobody":
        return events
    return (*events, *carried_out.at_once(rules, evolve_all(table, events), row, command))


def _not_then(rules: Rulebook, table: Table, row: Irregularity) -> Refusal:
    if row.id == "interruption" and table.phase is Phase.BETTING:
        text = "betting is open: the wagers are on record and betting stays open"
        return refuse("betting-open", text, row.cite)
    return refuse("not-then", f"{row.id} is not reported while the table is {table.phase.value}", row.cite)


def _cards(
    rules: Rulebook, table: Table, command: c.ReportIrregularity, row: Irregularity
) -> tuple[CarriedCard, ...] | Refusal:
    """Further cards that have left the shoe: named at a live shoe, counted at a virtual one."""
    if not command.cards and not command.count:
        if command.kind in _NEED_CARDS:
            return refuse("bad-report", "name the cards, or count them", row.cite)
        return ()
    if command.kind not in _MAY_HAVE_CARDS or table.shoe is None:
        return refuse("bad-report", "no cards belong to this report", row.cite)
    number = len(command.cards) or command.count
    if not 0 < number <= min(MOST_CARDS, table.shoe.left) or (command.kind == "simultaneous" and number < 2):
        return refuse("bad-report", "that many cards can't have been drawn", row.cite)
    if table.shoe.order is not None:
        if command.cards:
            return refuse("bad-report", "a virtual shoe gives its own cards: count them", row.cite)
        faces = table.shoe.order[table.shoe.drawn : table.shoe.drawn + number]
        return tuple(CarriedCard(face, command.exposed) for face in faces)
    if not command.cards:
        return tuple(CarriedCard(None, False) for _ in range(number))
    found = []
    for text in command.cards:
        face = shoe.known_face(rules, table, text)
        if isinstance(face, Refusal):
            return face
        found.append(CarriedCard(face, command.exposed))
    return tuple(found)


def _facts(rules: Rulebook, table: Table, command: c.ReportIrregularity, row: Irregularity) -> Refusal | None:
    """What a kind needs to be told."""
    check = _CHECKS.get(command.kind)
    text = check(table, command) if check is not None else None
    return None if text is None else refuse("bad-report", text, row.cite)


def _void(table: Table, command: c.ReportIrregularity) -> str | None:
    if command.cause not in CAUSES:
        return f"expected a cause: {', '.join(CAUSES)}"
    return _some_round(table, command)


def _some_round(table: Table, command: c.ReportIrregularity) -> str | None:
    if table.round is None or table.round.void:
        return "there is no round to void"
    return None


def _dealt(table: Table, command: c.ReportIrregularity) -> str | None:
    return None if table.current.cards or command.cards or command.count else "no card has been dealt"


def _cut_card(table: Table, command: c.ReportIrregularity) -> str | None:
    if not table.current.cut_first:
        return "in this round the cut card did not come first in a high-limit area"
    return None


def _face_up(table: Table, command: c.ReportIrregularity) -> str | None:
    if table.opened.facing != "down":
        return "this table is dealt face up"
    lying = next((one for one in table.current.cards if one.place == command.place), None)
    if lying is None or lying.exposed:
        return "expected the place of a card that should lie face down"
    if lying.face is None and command.card is None:
        return "expected the card that was seen"
    return None


def _turned(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> Events:
    """The card lies open now."""
    lying = next(one for one in table.current.cards if one.place == command.place)
    face = lying.face or str(command.card).upper().replace("10", "T")
    return (e.CardExposed(paragraph=rules.paragraph("face-up"), place=lying.place, card=face, by=command.by),)


def _damaged(table: Table, command: c.ReportIrregularity) -> str | None:
    if not table.current.cards or command.place != table.current.cards[-1].place:
        return "expected the place of the last card drawn"
    return None


def _past_round(table: Table, command: c.ReportIrregularity) -> str | None:
    if command.round not in table.past:
        return "expected a past round that this table still holds"
    return None


def _late_play(table: Table, command: c.ReportIrregularity) -> str | None:
    fault = _past_round(table, command)
    if fault is not None:
        return fault
    if table.past[command.round or 0].void:
        return "that round is void already"
    if len(command.player) < 2 or len(command.banker) < 2:
        return "expected the hands of that round as they truly lay"
    return None


def _missed(table: Table, command: c.ReportIrregularity) -> str | None:
    if command.after is None:
        return "expected the moment at which insurance was missed: four-cards or player-third"
    if command.round is not None:
        return _past_round(table, command)
    if table.round is None or table.round.void or len(table.round.cards) < 4:
        return "there is no round in which it could have been offered"
    return None


def _misplaced(table: Table, command: c.ReportIrregularity) -> str | None:
    taken = next((one for one in table.current.insurance if one.id == command.insurance), None)
    if taken is None:
        return "expected the insurance of this round whose chips were put on the wrong side"
    return "its chips lie where they belong" if taken.area is taken.bet else None


def _truth(table: Table, command: c.ReportIrregularity) -> str | None:
    if table.phase is Phase.SETTLED:
        if table.round is None or table.round.void or table.round.winner is None:
            return "there is no round to put right"
        if len(command.player) < 2 or len(command.banker) < 2:
            return "expected the hands as they truly lay"
    return None


def _blue_card(table: Table, command: c.ReportIrregularity) -> str | None:
    return _some_round(table, command)


_CHECKS: Final = {
    "void": _void,
    "cut-card": _cut_card,
    "wrong-hand": _dealt,
    "face-up": _face_up,
    "damaged-card": _damaged,
    "late-discovery": _past_round,
    "late-table-of-play": _late_play,
    "insurance-missed": _missed,
    "insurance-misplaced": _misplaced,
    "other-dealing-error": _truth,
    "wrong-dealing": _truth,
    "blue-card": _blue_card,
}
