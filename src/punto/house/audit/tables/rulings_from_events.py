"""Works out reports and rulings from their events: every way in which they may have been entered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from punto.game import commands as c
from punto.game import events as e
from punto.game.dealing import PLACES
from punto.game.irregularities.kinds import Kind, Row
from punto.game.irregularities.rows import NOT_FOUNDED, ROWS
from punto.game.table import CarriedCard, Irregular, Round, Table
from punto.money import Cents

Events = tuple[e.AnyEvent, ...]

_FLAGS: Final = (True, False)


def possible_reports(table: Table, events: Events) -> Iterator[c.AnyCommand]:
    """A report, after the cards that it turned or drew: with the facts that belong to its kind."""
    at, event = next(
        ((at, event) for at, event in enumerate(events[:8]) if isinstance(event, e.IrregularityReported)), (0, None)
    )
    if event is None:
        return
    report = event.irregularity
    turned = {before.place: before.card for before in events[:at] if isinstance(before, e.CardExposed)}
    lost = any(isinstance(before, e.CardDrawn) for before in events[:at])
    counted = lost or (table.shoe is not None and table.shoe.order is not None)
    counted = counted or any(card.face is None for card in report.cards)
    board = next((following for following in events if isinstance(following, e.DisplayCorrected)), None)
    current = None if table.round is None else table.round.number
    facts: dict[str, Any] = {
        "cause": report.cause,
        "cards": None if counted else tuple(card.face or "" for card in report.cards) or None,
        "count": 1 if lost else len(report.cards) or None if counted else None,
        "place": None if lost else report.place,
        "places": turned if report.place is None else None,
        "card": turned.get(report.place or ""),
        "after": report.after,
        "insurance": report.insurance,
        "player": report.hands[0] if report.hands else None,
        "banker": report.hands[1] if report.hands else None,
        "shown": None if board is None else board.shown,
    }
    shown = all(card.exposed for card in report.cards)
    names = ROWS.get(report.kind, Row()).facts.__struct_fields__
    for number, exposed in product(dict.fromkeys((report.round, current)), (shown, not shown)):
        values = {**facts, "round": number, "exposed": exposed}
        own = {name: value for name, value in values.items() if name in names}
        yield c.ReportIrregularity(by=event.by, kind=report.kind, note=event.note, **own)


def possible_rulings(table: Table, events: Events) -> Iterator[c.AnyCommand]:
    """Every ruling that could have led to the events after it, with the fields that belong to it."""
    event, remedy = events[0], events[1:]
    report = table.irregularity
    assert isinstance(event, e.IrregularityDecided)
    if report is None:
        return
    skipped = next((part.count for part in remedy if isinstance(part, e.CardsDiscarded) and part.from_shoe), None)
    ordered = any(isinstance(part, e.ReplacementOrdered) for part in remedy) or None
    paid = next((part.entries for part in remedy if isinstance(part, e.RulingPaid)), ())
    voided = tuple(part.round for part in remedy if isinstance(part, e.PastRoundCorrected | e.RoundVoided))
    fields: dict[str, Sequence[Any]] = {
        "order": [order or None for order in _orders(table, report, remedy)],
        "card": _faces(table, report, remedy),
        "replace_cards": [ordered],
        "end_shoe": [ordered],
        "skip": [skipped],
        "keep_side_bets": _FLAGS,
        "patrons": [names or None for names in _patrons(table, report, remedy)],
        "void_rounds": [voided or None],
        "pay_cents": [{entry.patron: Cents(entry.paid_cents + entry.cleared_cents) for entry in paid} or None],
    }
    row = ROWS.get(report.kind, Row())
    for ruling in (NOT_FOUNDED, *row.rulings, *row.at_discretion, *ROWS[Kind.DISCRETION].rulings):
        names = [name for name in ruling.words.__struct_fields__ if name in fields]
        for values in product(*(fields[name] for name in names)):
            own = dict(zip(names, values, strict=True))
            yield c.DecideIrregularity(by=event.by, reason=event.reason, **ruling.marks, **own)


def _orders(table: Table, report: Irregular, remedy: Events) -> list[tuple[str, ...]]:
    """Orders that may have been stated for the cards, from how they were laid out."""
    orders: list[tuple[str, ...]] = [()]
    waiting = len(table.shoe.carried) if table.shoe is not None else 0
    simultaneous = report.kind == "simultaneous" and not report.cards
    for part in remedy:
        if simultaneous and isinstance(part, e.CardsReconstructed | e.RoundReopened):
            left_over = part.carried[: len(part.carried) - waiting]
            orders.append((*(card.face or "" for card in part.cards), *(card.face or "" for card in left_over)))
        if isinstance(part, e.CardsReconstructed) and report.cards:
            laid_out = [*(card.face for card in part.cards), *(card.face for card in part.carried)]
            orders.append(_by_face_or_number(laid_out[-len(report.cards) :], report.cards))
        if isinstance(part, e.PastRoundCorrected) and part.cards and report.hands is not None:
            faces = {card.place: card.face or "" for card in part.cards}
            dealt = [faces[place] for place in PLACES if place in faces]
            unused = Counter(face for hand in report.hands for face in hand)
            unused.subtract(dealt)
            orders.append((*dealt, *(face for face, count in unused.items() for _ in range(count))))
    return orders


def _by_face_or_number(faces: list[str | None], cards: tuple[CarriedCard, ...]) -> tuple[str, ...]:
    """Cards that nobody has seen are named by their number in the report."""
    unseen = iter([str(number) for number, card in enumerate(cards, 1) if card.face is None])
    return tuple(face if face is not None else next(unseen, "0") for face in faces)


def _faces(table: Table, report: Irregular, remedy: Events) -> list[str | None]:
    """The card that was determined: another card, or the card on record."""
    faces: list[str | None] = [part.card for part in remedy if isinstance(part, e.CardDetermined)]
    if report.place is not None and table.round is not None:
        faces += [card.face for card in table.round.cards if card.place == report.place and card.face is not None]
    return [None, *dict.fromkeys(faces)]


def _patrons(table: Table, report: Irregular, remedy: Events) -> list[tuple[str, ...]]:
    """Who, by the ruling, meant to insure. If that would not have won, the record does not say: it may be anybody."""
    returned = tuple(part.patron for part in remedy if isinstance(part, e.OriginalReturned))
    if returned:
        return [returned]
    past: Round | None = table.round if report.round is None else table.past.get(report.round)
    if report.kind != "insurance-missed" or past is None:
        return [()]
    return [(), *((name,) for name in dict.fromkeys(wager.patron for wager in past.wagers.values()))]
