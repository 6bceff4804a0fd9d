"""The steps of the fold: chips staked and returned, lines replaced, a round ended or reopened."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.cards import card, points
from punto.game import events as e
from punto.game.table import CarriedCard, Entry, Phase, PlacedCard, SettledLine
from punto.house.history.past_round import Cards, PastRound, WagerLaid
from punto.money import Cents, amount

replace = msgspec.structs.replace


def staked(past: PastRound, event: e.WagerPlaced | e.ChipsReported) -> PastRound:
    """Reported chips may add to an existing wager (D1). This audience does not see wagers of others."""
    if not event.patron:
        return past
    if any(wager.wager == event.wager for wager in past.wagers):
        return restaked(past, event.wager, event.stake_cents)
    facts: dict[str, Any] = {"wager": event.wager, "patron": event.patron, "box": event.box, "bet": event.bet}
    wager = WagerLaid(stake_cents=event.stake_cents, in_play_cents=event.stake_cents, **facts)
    return replace(past, wagers=(*past.wagers, wager))


def restaked(past: PastRound, name: str, by_cents: int) -> PastRound:
    """A wager grows or shrinks. It is gone when nothing is left."""
    wagers = []
    for wager in past.wagers:
        moved = by_cents if wager.wager == name else 0
        stake, in_play = Cents(wager.stake_cents + moved), Cents(wager.in_play_cents + moved)
        if stake > 0:
            wagers.append(replace(wager, stake_cents=stake, in_play_cents=in_play) if moved else wager)
    return replace(past, wagers=tuple(wagers))


def reported(past: PastRound, event: e.IrregularityReported) -> PastRound:
    report = event.irregularity
    every = (*past.irregularities, report) if report.round in (None, past.round) else past.irregularities
    phase = Phase.IRREGULARITY if event.opens else past.phase
    return replace(past, phase=phase, irregularity=report, irregularities=every)


def chosen(past: PastRound, event: e.OptionChosen) -> PastRound:
    """A patron who takes their bets back is out of the round."""
    past = replace(past, choices={**past.choices, event.patron: event.option})
    if event.option != "returned":
        return past
    wagers = tuple(wager for wager in past.wagers if wager.patron != event.patron)
    insurance = tuple(held for held in past.insurance if held.patron != event.patron)
    return with_lines(replace(past, wagers=wagers, insurance=insurance), event.lines, event.entries)


def reopened(past: PastRound, event: e.RoundReopened) -> PastRound:
    """The settlement is taken back: wagers that are in play again have no line."""
    in_play = {*(wager.wager for wager in past.wagers), *(held.insurance for held in past.insurance)}
    irregularity = replace(past.irregularity, phase=Phase.DEALING) if past.irregularity is not None else None
    lines = tuple(line for line in past.lines if line.wager not in in_play)
    past = replace(past, state="open", winner=None, ended_at=None, lines=lines, irregularity=irregularity)
    past = replace(past, cards=by_place(event.cards), waiting=faces(event.carried))
    return with_lines(past, entries=event.entries)


def corrected(past: PastRound, event: e.PastRoundCorrected) -> PastRound:
    past = replace(past, state="void" if event.void else "settled", winner=event.winner, corrected=True)
    if event.cards:
        cards = by_place(event.cards)
        hands = (_points(cards, "P"), _points(cards, "B"))
        past = replace(past, cards=cards, player_points=hands[0], banker_points=hands[1])
    return with_lines(past, event.lines, event.entries)


def settled(past: PastRound, event: e.RoundSettled) -> PastRound:
    past = replace(with_lines(past, event.lines), state="settled", phase=Phase.SETTLED, ended_at=past.events[-1].at)
    return replace(past, winner=event.winner, player_points=event.player_points, banker_points=event.banker_points)


def ended_without_result(past: PastRound, state: str) -> PastRound:
    """The round is over. If it had been settled, the table goes back to the phase it was in."""
    report = past.irregularity if past.state != "open" else None
    phase, at = report.phase if report is not None else Phase.SETTLED, past.events[-1].at
    past = replace(past, state=state, phase=phase, ended_at=at, winner=None)
    return replace(past, open_offers=(), irregularity=None, choices={})


def with_lines(past: PastRound, lines: tuple[SettledLine, ...] = (), entries: tuple[Entry, ...] = ()) -> PastRound:
    """New lines replace those of the same wagers, and the net result is counted anew."""
    names = {line.wager for line in lines}
    lines = (*(line for line in past.lines if line.wager not in names), *lines)
    won = sum(line.handed_back_cents - line.stake_cents for line in lines)
    net = amount(won + past.paid_cents) if lines or past.paid else None
    return replace(past, lines=lines, entries=past.entries + entries, net=net)


def by_place(cards: tuple[PlacedCard, ...]) -> Cards:
    return {card.place: card.face for card in cards}


def faces(cards: tuple[CarriedCard, ...]) -> tuple[str | None, ...]:
    return tuple(card.face for card in cards)


def _points(cards: Cards, hand: str) -> int:
    return points(tuple(card(face) for place, face in cards.items() if place[0] == hand and face is not None))
