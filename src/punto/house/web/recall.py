"""A past round told again from its events, as one audience may know it. Pure.

Corrections that came later are added to it: nothing recorded is rewritten, so they are told beside what they correct.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from punto.game import events as e
from punto.game.audience import Audience, shown
from punto.game.table import Entry, PlacedCard, SettledLine
from punto.house.clock import iso
from punto.money import Cents

Dated = tuple[int, int, e.AnyEvent]
"""Version, instant and event."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """An event with its place and time."""

    version: int
    at: str
    event: e.AnyEvent


class Recalled(msgspec.Struct, kw_only=True):
    """A round. `state` is open, settled, void or concluded (no wager remained)."""

    table: str
    round: int
    hand: int
    shoe: int | None
    edition: str
    at: str
    ended_at: str | None = None
    state: str = "open"
    winner: str | None = None
    player_points: int | None = None
    banker_points: int | None = None
    cards: dict[str, str | None] = {}
    lines: tuple[SettledLine, ...] = ()
    entries: tuple[Entry, ...] = ()
    """Compensating entries of corrections."""
    paid: tuple[Entry, ...] = ()
    """What a ruling at discretion paid beside the lines, in the round in which it was given."""
    corrected: bool = False
    net: str | None = None
    """What the asker, or for staff all patrons together, won or lost by the lines, and was paid."""


class Whole(Recalled, kw_only=True):
    """A round with everything that was said and done."""

    wagers: list[dict[str, Any]] = []
    insurance: list[dict[str, Any]] = []
    says: list[str] = []
    paragraphs: list[str] = []
    events: list[Told] = []


def recalled(table: str, shoe: int | None, rows: Iterable[Dated], audience: Audience, me: str | None) -> Whole | None:
    """The round that these rows begin with, up to the next betting. None where they begin with none.

    What puts an earlier round right meanwhile is among the events, and changes nothing of this one.
    """
    found: Whole | None = None
    for version, at, event in rows:
        if isinstance(event, e.BettingOpened):
            if found is not None:
                break
            found = Whole(
                table=table,
                round=event.round,
                hand=event.hand,
                shoe=shoe,
                edition=event.edition,
                at=iso(at),
                cards={},
                wagers=[],
                insurance=[],
                says=[],
                paragraphs=[],
                events=[],
            )
        told = shown(event, audience, me) if found is not None else None
        if found is None or told is None:
            continue
        found.events.append(Told(version=version, at=iso(at), event=told))
        if told.paragraph not in found.paragraphs:
            found.paragraphs.append(told.paragraph)
        says = getattr(told, "says", None)
        if says:
            found.says.append(says)
        if getattr(told, "round", found.round) in (None, found.round):
            found.corrected = found.corrected or isinstance(told, e.PastRoundCorrected)
            _add(found, told, at)
    if found is not None:
        _sum_up(found)
    return found


def corrected(found: Whole, rows: Iterable[Dated], audience: Audience, me: str | None) -> None:
    """Add what later rounds put right."""
    for version, at, event in rows:
        if getattr(event, "round", None) != found.round:
            continue
        told = shown(event, audience, me)
        if told is None:
            continue
        found.corrected = True
        found.events.append(Told(version=version, at=iso(at), event=told))
        _add(found, told, at)
    _sum_up(found)


def brief(found: Whole) -> Recalled:
    """Without the events, for a list."""
    return Recalled(**{name: getattr(found, name) for name in Recalled.__struct_fields__})


def _add(found: Whole, event: e.AnyEvent, at: int) -> None:
    match event:
        case e.CardDrawn():
            found.cards[event.place] = event.card if event.exposed else None
        case e.CardExposed() | e.CardDetermined():
            found.cards[event.place] = event.card
        case e.CardsReconstructed():
            found.cards = _lying(event.cards)
        case e.RoundReopened():
            found.cards = _lying(event.cards)
            found.entries += event.entries
        case e.WagerPlaced() | e.ChipsReported():
            if event.patron:
                facts = {"wager": event.wager, "patron": event.patron, "box": event.box, "bet": event.bet}
                found.wagers.append({**facts, "stake": Cents(event.stake_cents)})
        case e.WagerRaised() | e.WagerLowered() | e.WagerCut() | e.WagerWithdrawn() | e.WagerReturned():
            _restaked(found, event)
        case e.InsuranceTaken():
            if event.patron:
                facts = {"insurance": event.insurance, "patron": event.patron, "bet": event.bet, "after": event.after}
                found.insurance.append({**facts, "stake": Cents(event.stake_cents)})
        case e.RoundSettled():
            found.state, found.winner, found.ended_at = "settled", event.winner, iso(at)
            found.player_points, found.banker_points = event.player_points, event.banker_points
            _lines(found, event.lines)
        case e.RoundVoided():
            found.state, found.winner, found.ended_at = "void", None, iso(at)
            _lines(found, event.lines)
            found.entries += event.entries
        case e.RoundConcluded():
            found.state, found.ended_at = "concluded", iso(at)
        case e.PastRoundCorrected():
            found.state, found.winner = "void" if event.void else "settled", event.winner
            if event.cards:
                found.cards = _lying(event.cards)
            _lines(found, event.lines)
            found.entries += event.entries
        case e.OptionChosen() | e.OriginalReturned() | e.InsuranceRepositioned():
            _lines(found, event.lines)
            found.entries += event.entries
        case e.InsuranceReturned():
            _lines(found, event.lines)
        case e.OwedCollected():
            found.entries += event.entries
        case e.RulingPaid():
            found.paid += event.entries
        case _:
            pass


def _lying(cards: tuple[PlacedCard, ...]) -> dict[str, str | None]:
    return {one.place: one.face if one.exposed else None for one in cards}


def _restaked(
    found: Whole, event: e.WagerRaised | e.WagerLowered | e.WagerCut | e.WagerWithdrawn | e.WagerReturned
) -> None:
    """Events of a change say by how much; a withdrawn or returned wager is gone."""
    for wager in [one for one in found.wagers if one["wager"] == event.wager]:
        if isinstance(event, e.WagerWithdrawn | e.WagerReturned):
            found.wagers.remove(wager)
            continue
        sign = 1 if isinstance(event, e.WagerRaised) else -1
        wager["stake"] = Cents(wager["stake"] + sign * event.stake_cents)
        if wager["stake"] <= 0:
            found.wagers.remove(wager)


def _lines(found: Whole, lines: tuple[SettledLine, ...]) -> None:
    """New lines take the place of those of the same wagers."""
    names = {line.wager for line in lines}
    found.lines = (*(line for line in found.lines if line.wager not in names), *lines)


def _sum_up(found: Whole) -> None:
    from punto.money import amount

    if found.lines or found.paid:
        won = sum(line.handed_back_cents - line.stake_cents for line in found.lines)
        found.net = amount(won + paid_cents(found))


def paid_cents(found: Recalled) -> int:
    """What rulings paid. What cleared a debt counts as paid: the lines that left it count as lost."""
    return sum(entry.paid_cents + entry.cleared_cents for entry in found.paid)
