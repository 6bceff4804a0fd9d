"""How irregularities and their remedies change a table. Nothing is judged here."""

from __future__ import annotations

from typing import assert_never

from punto.game import events as e
from punto.game.moves import compensate, hand_back, in_round, replace, saw, seats_freed
from punto.game.table import Irregular, Phase, PlacedCard, Round, SettledLine, Shoe, Table

MARKS = {"banker": "B", "player": "P", "tie": "T"}


def evolve_irregular(table: Table, event: e.IrregularEvent) -> Table:
    match event:
        case e.IrregularityReported():
            return _reported(table, event)
        case e.IrregularityDecided():
            return table
        case e.CardsReconstructed():
            return _reconstructed(table, event)
        case e.CardDetermined():
            return _determined(table, event)
        case e.CardsDiscarded():
            return _discarded(table, event)
        case e.ReplacementOrdered():
            return replace(table, shoe=replace(table.in_use, replace_due=True))
        case e.OptionsOpened():
            open_ = _open(table)
            return replace(
                table,
                phase=Phase.OPTIONS,
                irregularity=replace(
                    open_, reconstructed=event.reconstructed, choices=dict.fromkeys(event.patrons, "")
                ),
            )
        case e.OptionChosen():
            return _chosen(table, event)
        case e.PlayResumed():
            return replace(table, phase=event.phase, irregularity=None)
        case _:
            return _money(table, event)


def _money(
    table: Table,
    event: e.RoundVoided
    | e.RoundReopened
    | e.PastRoundCorrected
    | e.OriginalReturned
    | e.InsuranceRepositioned
    | e.RulingPaid,
) -> Table:
    match event:
        case e.RoundVoided():
            return _voided(table, event)
        case e.RoundReopened():
            return _reopened(table, event)
        case e.PastRoundCorrected():
            return _corrected(table, event)
        case e.OriginalReturned():
            spared = frozenset(event.wagers)
            after = _rewritten(table, event.round, event.lines, spared)
            return compensate(after, event.entries)
        case e.InsuranceRepositioned():
            insurance = tuple(
                replace(one, area=event.bet) if one.id == event.insurance else one for one in table.current.insurance
            )
            after = _rewritten(in_round(table, insurance=insurance), table.current.number, event.lines, frozenset())
            return compensate(after, event.entries)
        case e.RulingPaid():
            return compensate(table, event.entries)
        case _:
            assert_never(event)


def _open(table: Table) -> Irregular:
    assert table.irregularity is not None, "the phase table keeps this to an open irregularity"
    return table.irregularity


def _reported(table: Table, event: e.IrregularityReported) -> Table:
    """Cards that left the shoe are out of it, wherever they will go."""
    if event.irregularity.cards:
        shoe = table.in_use
        for one in event.irregularity.cards:
            shoe = replace(shoe, drawn=shoe.drawn + 1)
            if one.face is not None:
                shoe = saw(shoe, one.face)
        table = replace(table, shoe=shoe)
    phase = Phase.IRREGULARITY if event.opens else table.phase
    return replace(table, phase=phase, irregularity=event.irregularity)


def _reconstructed(table: Table, event: e.CardsReconstructed) -> Table:
    shoe = replace(table.in_use, carried=event.carried)
    if table.round is None or table.round.ended:
        return replace(table, shoe=shoe)
    moved = len(event.cards) != len(table.current.cards)
    after = in_round(table, cards=event.cards)
    if moved:
        after = in_round(after, offer=None, late_offer=None)
    return replace(after, shoe=shoe)


def _determined(table: Table, event: e.CardDetermined) -> Table:
    cards = tuple(
        PlacedCard(one.place, event.card, True) if one.place == event.place else one for one in table.current.cards
    )
    return replace(in_round(table, cards=cards), shoe=saw(table.in_use, event.card))


def _discarded(table: Table, event: e.CardsDiscarded) -> Table:
    if not event.from_shoe:
        return table
    return replace(table, shoe=replace(table.in_use, drawn=table.in_use.drawn + event.count))


def _chosen(table: Table, event: e.OptionChosen) -> Table:
    """Who takes his bets back has no more part in the round."""
    open_ = _open(table)
    choices = {**open_.choices, event.patron: event.option}
    after = replace(table, irregularity=replace(open_, choices=choices))
    if event.option != "returned":
        return after
    if table.current.ended:
        return compensate(_rewritten(after, table.current.number, event.lines, frozenset()), event.entries)
    current = table.current
    after = in_round(
        hand_back(after, event.lines),
        wagers={name: laid for name, laid in current.wagers.items() if laid.patron != event.patron},
        insurance=tuple(one for one in current.insurance if one.patron != event.patron),
        lines=(*current.lines, *event.lines),
        forgone=current.forgone | {event.patron},
    )
    return after


def _voided(table: Table, event: e.RoundVoided) -> Table:
    """No result and no road mark; the cards of the round are out of play."""
    current = table.current
    after = compensate(table, event.entries) if current.ended else hand_back(table, event.lines)
    after = in_round(
        after,
        lines=(*(() if current.ended else current.lines), *event.lines),
        winner=None,
        ended=True,
        void=True,
        offer=None,
        late_offer=None,
    )
    shoe = after.shoe
    if shoe is not None:
        shoe = replace(_unmarked(shoe, current.number), carried=())
    phase = table.irregularity.phase if table.irregularity is not None and current.ended else Phase.SETTLED
    return replace(after, phase=phase, shoe=shoe, irregularity=None, patrons=seats_freed(after.patrons))


def _unmarked(shoe: Shoe, number: int) -> Shoe:
    return replace(shoe, results={one: mark for one, mark in shoe.results.items() if one != number})


def _reopened(table: Table, event: e.RoundReopened) -> Table:
    """The lines are taken back: chips lie on the layout again, and the house makes good what a patron owes."""
    current = table.current
    stakes = sum(line.stake_cents for line in current.lines)
    back = sum(line.handed_back_cents for line in current.lines)
    after = compensate(table, event.entries)
    # compensate() gave the house what came back from patrons; of the settlement it had kept stakes - back.
    taken = sum(entry.taken_cents - entry.paid_cents for entry in event.entries)
    house = table.house_cents - (stakes - back) - (back - taken)
    reopened = in_round(after, cards=event.cards, lines=(), winner=None, ended=False, offer=None)
    shoe = _unmarked(table.in_use, current.number)
    return replace(reopened, house_cents=house, shoe=shoe)


def _corrected(table: Table, event: e.PastRoundCorrected) -> Table:
    past = table.past[event.round]
    fixed = replace(past, lines=event.lines, winner=event.winner, void=event.void)
    after = compensate(replace(table, past={**table.past, event.round: fixed}), event.entries)
    shoe = after.shoe
    if shoe is not None and shoe.number == past.shoe:
        if event.winner is None:
            shoe = _unmarked(shoe, event.round)
        elif event.round in shoe.results:
            shoe = replace(shoe, results={**shoe.results, event.round: MARKS[event.winner]})
        after = replace(after, shoe=shoe)
    return after


def _rewritten(table: Table, number: int, lines: tuple[SettledLine, ...], spared: frozenset[str]) -> Table:
    """New lines take the place of those of the same wagers, in the current round or a past one."""
    names = {line.wager for line in lines}

    def fix(one: Round) -> Round:
        kept = tuple(line for line in one.lines if line.wager not in names)
        return replace(one, lines=(*kept, *lines), spared=one.spared | spared)

    if table.round is not None and table.round.number == number:
        return replace(table, round=fix(table.round))
    return replace(table, past={**table.past, number: fix(table.past[number])})
