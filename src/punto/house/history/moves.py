"""The small steps that the fold is made of: chips laid and gone back, lines written anew, a round over or reopened."""

from __future__ import annotations

import msgspec

from punto.cards import card, points
from punto.game import events as e
from punto.game.table import CarriedCard, Entry, Phase, PlacedCard, SettledLine
from punto.house.history.past_round import Cards, PastRound, WagerLaid
from punto.money import Cents, amount

replace = msgspec.structs.replace


def laid(past: PastRound, event: e.WagerPlaced | e.ChipsReported) -> PastRound:
    """Chips that were found may lie on a wager that is there already (D1). Somebody else's are not this reader's."""
    if not event.patron:
        return past
    if any(one.wager == event.wager for one in past.wagers):
        return restaked(past, event.wager, event.stake_cents)
    wager = WagerLaid(
        wager=event.wager,
        patron=event.patron,
        box=event.box,
        bet=event.bet,
        stake_cents=event.stake_cents,
        in_play_cents=event.stake_cents,
    )
    return replace(past, wagers=(*past.wagers, wager))


def restaked(past: PastRound, name: str, by_cents: int) -> PastRound:
    """A wager grows or shrinks; one of nothing is gone."""
    wagers = []
    for one in past.wagers:
        moved = by_cents if one.wager == name else 0
        stake, in_play = Cents(one.stake_cents + moved), Cents(one.in_play_cents + moved)
        if stake > 0:
            wagers.append(replace(one, stake_cents=stake, in_play_cents=in_play) if moved else one)
    return replace(past, wagers=tuple(wagers))


def reported(past: PastRound, event: e.IrregularityReported) -> PastRound:
    found = event.irregularity
    here = found.round in (None, past.round)
    return replace(
        past,
        phase=Phase.IRREGULARITY if event.opens else past.phase,
        irregularity=found,
        irregularities=(*past.irregularities, found) if here else past.irregularities,
    )


def chosen(past: PastRound, event: e.OptionChosen) -> PastRound:
    """Who takes their bets back has no more part in the round."""
    past = replace(past, choices={**past.choices, event.patron: event.option})
    if event.option != "returned":
        return past
    return with_lines(
        replace(
            past,
            wagers=tuple(one for one in past.wagers if one.patron != event.patron),
            insurance=tuple(one for one in past.insurance if one.patron != event.patron),
        ),
        event.lines,
        event.entries,
    )


def reopened(past: PastRound, event: e.RoundReopened) -> PastRound:
    """The settlement is taken back: what lies again has no line."""
    here = {*(one.wager for one in past.wagers), *(one.insurance for one in past.insurance)}
    irregularity = replace(past.irregularity, phase=Phase.DEALING) if past.irregularity is not None else None
    past = replace(
        past,
        state="open",
        winner=None,
        ended_at=None,
        cards=lying(event.cards),
        waiting=faces(event.carried),
        irregularity=irregularity,
        lines=tuple(line for line in past.lines if line.wager not in here),
    )
    return with_lines(past, entries=event.entries)


def corrected(past: PastRound, event: e.PastRoundCorrected) -> PastRound:
    past = replace(past, state="void" if event.void else "settled", winner=event.winner, corrected=True)
    if event.cards:
        cards = lying(event.cards)
        hands = (_points(cards, "P"), _points(cards, "B"))
        past = replace(past, cards=cards, player_points=hands[0], banker_points=hands[1])
    return with_lines(past, event.lines, event.entries)


def ended_without_result(past: PastRound, state: str) -> PastRound:
    """The round is over. One that had been settled leaves the table as it stood."""
    stood = past.irregularity if past.state != "open" else None
    over = ended(past, state, stood.phase if stood is not None else Phase.SETTLED)
    return replace(over, winner=None, open_offers=(), irregularity=None, choices={})


def ended(past: PastRound, state: str, phase: Phase, lines: tuple[SettledLine, ...] = ()) -> PastRound:
    return replace(with_lines(past, lines), state=state, phase=phase, ended_at=past.events[-1].at)


def with_lines(past: PastRound, lines: tuple[SettledLine, ...] = (), entries: tuple[Entry, ...] = ()) -> PastRound:
    """New lines take the place of those of the same wagers, and what the round came to is counted anew."""
    names = {line.wager for line in lines}
    lines = (*(line for line in past.lines if line.wager not in names), *lines)
    won = sum(line.handed_back_cents - line.stake_cents for line in lines)
    net = amount(won + past.paid_cents) if lines or past.paid else None
    return replace(past, lines=lines, entries=past.entries + entries, net=net)


def lying(cards: tuple[PlacedCard, ...]) -> Cards:
    return {one.place: one.face for one in cards}


def faces(cards: tuple[CarriedCard, ...]) -> tuple[str | None, ...]:
    return tuple(one.face for one in cards)


def _points(cards: Cards, hand: str) -> int:
    return points(tuple(card(face) for place, face in cards.items() if place[0] == hand and face is not None))
