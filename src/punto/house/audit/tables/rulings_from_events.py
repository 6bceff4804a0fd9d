"""Reports and rulings read back from their events: every way in which they may have been entered."""

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


def reports(table: Table, events: Events) -> Iterator[c.AnyCommand]:
    """A report, after the cards that it turned or drew: with the facts that belong to its kind."""
    at, event = next(
        ((at, one) for at, one in enumerate(events[:8]) if isinstance(one, e.IrregularityReported)), (0, None)
    )
    if event is None:
        return
    found = event.irregularity
    turned = {one.place: one.card for one in events[:at] if isinstance(one, e.CardExposed)}
    lost = any(isinstance(one, e.CardDrawn) for one in events[:at])
    counted = lost or (table.shoe is not None and table.shoe.order is not None)
    counted = counted or any(one.face is None for one in found.cards)
    board = next((one for one in events if isinstance(one, e.DisplayCorrected)), None)
    here = None if table.round is None else table.round.number
    facts: dict[str, Any] = {
        "cause": found.cause,
        "cards": None if counted else tuple(one.face or "" for one in found.cards) or None,
        "count": 1 if lost else len(found.cards) or None if counted else None,
        "place": None if lost else found.place,
        "places": turned if found.place is None else None,
        "card": turned.get(found.place or ""),
        "after": found.after,
        "insurance": found.insurance,
        "player": found.hands[0] if found.hands else None,
        "banker": found.hands[1] if found.hands else None,
        "shown": None if board is None else board.shown,
    }
    shown = all(one.exposed for one in found.cards)
    own = ROWS.get(found.kind, Row()).facts.__struct_fields__
    for number, exposed in product(dict.fromkeys((found.round, here)), (shown, not shown)):
        told = {**facts, "round": number, "exposed": exposed}
        given = {name: value for name, value in told.items() if name in own}
        yield c.ReportIrregularity(by=event.by, kind=found.kind, note=event.note, **given)


def rulings(table: Table, events: Events) -> Iterator[c.AnyCommand]:
    """Every ruling that what follows it could be the remedy of, with the fields that belong to it."""
    event, rest = events[0], events[1:]
    found = table.irregularity
    assert isinstance(event, e.IrregularityDecided)
    if found is None:
        return
    skipped = next((one.count for one in rest if isinstance(one, e.CardsDiscarded) and one.from_shoe), None)
    ordered = any(isinstance(one, e.ReplacementOrdered) for one in rest) or None
    paid = next((one.entries for one in rest if isinstance(one, e.RulingPaid)), ())
    voided = tuple(one.round for one in rest if isinstance(one, e.PastRoundCorrected | e.RoundVoided))
    fields: dict[str, Sequence[Any]] = {
        "order": [order or None for order in _orders(table, found, rest)],
        "card": _faces(table, found, rest),
        "replace_cards": [ordered],
        "end_shoe": [ordered],
        "skip": [skipped],
        "keep_side_bets": _FLAGS,
        "patrons": [names or None for names in _named(table, found, rest)],
        "void_rounds": [voided or None],
        "pay_cents": [{one.patron: Cents(one.paid_cents + one.cleared_cents) for one in paid} or None],
    }
    row = ROWS.get(found.kind, Row())
    for ruling in (NOT_FOUNDED, *row.rulings, *row.at_discretion, *ROWS[Kind.DISCRETION].rulings):
        own = [name for name in ruling.words.__struct_fields__ if name in fields]
        for values in product(*(fields[name] for name in own)):
            said = dict(zip(own, values, strict=True))
            yield c.DecideIrregularity(by=event.by, reason=event.reason, **ruling.marks, **said)


def _orders(table: Table, found: Irregular, rest: Events) -> list[tuple[str, ...]]:
    """The order that was stated for the cards, as they were laid out by it."""
    orders: list[tuple[str, ...]] = [()]
    waiting = len(table.shoe.carried) if table.shoe is not None else 0
    for one in rest:
        if isinstance(one, e.CardsReconstructed | e.RoundReopened) and found.kind == "simultaneous" and not found.cards:
            over = one.carried[: len(one.carried) - waiting]
            orders.append((*(card.face or "" for card in one.cards), *(card.face or "" for card in over)))
        if isinstance(one, e.CardsReconstructed) and found.cards:
            laid = [*(card.face for card in one.cards), *(card.face for card in one.carried)]
            orders.append(_by_face_or_number(laid[-len(found.cards) :], found.cards))
        if isinstance(one, e.PastRoundCorrected) and one.cards and found.hands is not None:
            faces = {card.place: card.face or "" for card in one.cards}
            dealt = [faces[place] for place in PLACES if place in faces]
            left = Counter(face for hand in found.hands for face in hand)
            left.subtract(dealt)
            orders.append((*dealt, *(face for face, count in left.items() for _ in range(count))))
    return orders


def _by_face_or_number(faces: list[str | None], cards: tuple[CarriedCard, ...]) -> tuple[str, ...]:
    """Cards that nobody has seen are named by their number in the report."""
    unseen = iter([str(at) for at, one in enumerate(cards, 1) if one.face is None])
    return tuple(face if face is not None else next(unseen, "0") for face in faces)


def _faces(table: Table, found: Irregular, rest: Events) -> list[str | None]:
    """The card that was determined: another one, or the one on record."""
    faces: list[str | None] = [one.card for one in rest if isinstance(one, e.CardDetermined)]
    if found.place is not None and table.round is not None:
        faces += [one.face for one in table.round.cards if one.place == found.place and one.face is not None]
    return [None, *dict.fromkeys(faces)]


def _named(table: Table, found: Irregular, rest: Events) -> list[tuple[str, ...]]:
    """Who was said to have meant to insure; where it would not have won the record does not tell, and anybody may."""
    back = tuple(one.patron for one in rest if isinstance(one, e.OriginalReturned))
    if back:
        return [back]
    past: Round | None = table.round if found.round is None else table.past.get(found.round)
    if found.kind != "insurance-missed" or past is None:
        return [()]
    return [(), *((name,) for name in dict.fromkeys(one.patron for one in past.wagers.values()))]
