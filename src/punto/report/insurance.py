"""The insurance part of a report's content: every offer, alone and with the Original Bet, and whole rounds."""

from __future__ import annotations

from fractions import Fraction

from punto.odds.composition import Composition
from punto.odds.insurance import Cell, cells, together
from punto.odds.rounds import Strategy, whole_round
from punto.report.records import OfferSheet, OfferTable, WholeRound
from punto.rulebook.model import Insurance, Moment, Rulebook


def offer_tables(rules: Rulebook, shoe: Composition) -> tuple[OfferTable, ...]:
    """Every cell of the pay tables, by insurance bet and moment."""
    every = cells(rules, shoe)
    return tuple(
        _offer_table(rules, bet, after, group)
        for bet in Insurance
        for after in Moment
        if (group := [cell for cell in every if cell.bet is bet and cell.after is after])
    )


def _offer_table(rules: Rulebook, bet: Insurance, after: Moment, group: list[Cell]) -> OfferTable:
    made = sum(cell.made for cell in group)
    expectation = sum((cell.made * cell.expectation for cell in group), Fraction(0)) / made
    return OfferTable(
        bet=bet,
        after=after,
        offers=tuple(_offer(rules, cell) for cell in group),
        made=made,
        reached=Fraction(made, group[0].total),
        expectation=expectation,
        house_edge=float(-expectation),
    )


def _offer(rules: Rulebook, cell: Cell) -> OfferSheet:
    play = together(rules, cell)
    ties = cell.made - cell.player_wins - cell.banker_wins
    return OfferSheet(
        player_points=cell.player_points,
        banker_points=cell.banker_points,
        pays=cell.odds,
        tie_pays=bool(ties) and not cell.returned_coups,
        paragraph=cell.paragraph,
        made=cell.made,
        won=cell.won_coups,
        returned=cell.returned_coups,
        lost=cell.lost_coups,
        reached=cell.reached,
        expectation=cell.expectation,
        house_edge=cell.house_edge,
        standard_deviation=cell.standard_deviation,
        favours_patron=cell.favours_patron,
        stake=play.stake,
        alone=play.expectation_alone,
        together=play.expectation_together,
        deviation_alone=play.deviation_alone,
        deviation_together=play.deviation_together,
    )


def whole_rounds_of(rules: Rulebook, shoe: Composition) -> tuple[WholeRound, ...]:
    """Whole rounds for each strategy on each hand."""
    played = [whole_round(rules, shoe, bet, strategy) for bet in Insurance for strategy in Strategy]
    return tuple(
        WholeRound(
            bet=whole.bet,
            strategy=whole.strategy.value,
            expectation=whole.expectation,
            standard_deviation=whole.standard_deviation,
            insured=whole.insured,
            taken=whole.taken,
        )
        for whole in played
    )
