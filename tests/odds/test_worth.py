"""What follows from the counts: deviation, covariance, insurance as one play, whole rounds, edge by decks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest

from punto.odds.composition import full
from punto.odds.insurance import Cell, cells, ranked, together
from punto.odds.rounds import Strategy, whole_round
from punto.odds.value import covariances, edge_by_decks, net, values
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook
from tests.odds import brute, shoes
from tests.odds.shoes import PLAY, RULES
from tests.oracle import plain
from tests.rulebook.library import every_edition

each_edition = pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)
TINY = shoes.TINY["AS AH 2S 2H 4S 4H 9S 9H 9D"]
COUPS = brute.dealt(PLAY, TINY)
SHOE = shoes.of_cards(TINY)


def nets(rules: Rulebook, bet: str) -> list[tuple[Fraction, int]]:
    """Net result of one unit by the oracle, and how often, over every order of the tiny shoe."""
    results = []
    for coup, times in COUPS.items():
        hands = [str(card) for card in coup.player], [str(card) for card in coup.banker]
        result, odds, _ = plain.settle_bet(rules.source.game, rules.source.edition, bet, *hands)
        results.append((odds if odds is not None else Fraction(-1 if result == "lost" else 0), times))
    return results


@each_edition
def test_expectation_deviation_and_hits_by_their_definitions(rules: Rulebook) -> None:
    total = COUPS.total()
    for bet, value in values(rules, SHOE).items():
        dealt = nets(rules, bet)
        mean = sum((won * times for won, times in dealt), Fraction(0)) / total
        assert value.expectation == mean
        assert value.variance == sum((times * (won - mean) ** 2 for won, times in dealt), Fraction(0)) / total
        assert value.hit_frequency == Fraction(sum(times for won, times in dealt if won > 0), total)
        assert value.favours_patron == (mean > 0)


@each_edition
def test_covariances_by_their_definition(rules: Rulebook) -> None:
    by_pair = covariances(rules, SHOE)
    by_bet = {bet: nets(rules, bet) for bet in rules.bets}
    bets = list(rules.bets)
    for first, other in zip(bets, bets[1:] + bets[:1], strict=True):
        joint = [(a, b, times) for (a, times), (b, _) in zip(by_bet[first], by_bet[other], strict=True)]
        assert by_pair[first, other] == by_pair[other, first] == brute.covariance(joint)


def test_a_bet_covaries_with_itself_by_its_variance() -> None:
    whole = full(RULES, 8)
    by_pair = covariances(RULES, whole)
    assert {bet: by_pair[bet, bet] for bet in RULES.bets} == {b: v.variance for b, v in values(RULES, whole).items()}


# Insurance and the Original Bet


@each_edition
def test_original_bet_and_insurance_as_one_play(rules: Rulebook) -> None:
    """Against the oracle's settlement of both, over every order of the tiny shoe, for full and for half stakes."""
    game, edition = rules.source.game, rules.source.edition
    dealt: dict[tuple[str, str, int, int], Counter[tuple[Fraction, Fraction]]] = {}
    for coup, times in COUPS.items():
        hands = [str(card) for card in coup.player], [str(card) for card in coup.banker]
        for moment in Moment:
            offered = plain.offer(game, edition, moment, *hands)
            if offered is not None:
                seen = hands[0][: 2 if moment is Moment.FOUR_CARDS else 3]
                key = (offered[0], moment.value, plain.points(seen), plain.points(hands[1][:2]))
                own = unit(plain.settle_bet(game, edition, Insurance(offered[0]).side, *hands))
                line = plain.settle_insurance(game, edition, offered[0], moment, *hands)
                assert line is not None
                dealt.setdefault(key, Counter())[own, unit(line)] += times
    offers = cells(rules, SHOE)
    assert {(offer.bet.value, offer.after.value, *points(offer)) for offer in offers} == set(dealt)
    for cell in offers:
        ends = dealt[cell.bet.value, cell.after.value, *points(cell)]
        for stake in (Fraction(1), Fraction(1, 2)):
            play = together(rules, cell, stake)
            alone, both = Counter[Fraction](), Counter[Fraction]()
            for (own, insured), times in ends.items():
                alone[own] += times
                both[own + stake * insured] += times
            assert (play.expectation_alone, play.deviation_alone) == spread(alone)
            assert (play.expectation_together, play.deviation_together) == spread(both)
            assert play.expectation_together == play.expectation_alone + stake * cell.expectation


@each_edition
def test_insurance_beside_the_original_bet_is_the_most_that_may_be_staked(rules: Rulebook) -> None:
    """P4: the Original Bet itself, or in Live Baccarat Insurance the stake that could win as much."""
    for cell in cells(rules, SHOE):
        live = rules.source.game.startswith("live")
        assert together(rules, cell).stake == (1 / cell.odds if live else 1)


def points(cell: Cell) -> tuple[int, int]:
    return cell.player_points, cell.banker_points


def unit(line: tuple[str, Fraction | None, str]) -> Fraction:
    result, odds, _ = line
    return odds if odds is not None else Fraction(-1 if result == "lost" else 0)


def spread(dealt: Counter[Fraction]) -> tuple[Fraction, object]:
    total = dealt.total()
    mean = sum((won * times for won, times in dealt.items()), Fraction(0)) / total
    variance = sum((times * (won - mean) ** 2 for won, times in dealt.items()), Fraction(0)) / total
    return mean, pytest.approx(sqrt(variance))


def test_offers_are_ranked_for_the_patron() -> None:
    order = ranked(cells(RULES, full(RULES, 8)))
    assert [offer.expectation for offer in order] == sorted((offer.expectation for offer in order), reverse=True)
    best, worst = order[0], order[-1]
    assert (best.bet, best.after, *points(best)) == (Insurance.BANKER, Moment.FOUR_CARDS, 0, 4)
    assert (worst.bet, worst.after, *points(worst)) == (Insurance.BANKER, Moment.FOUR_CARDS, 2, 5)
    assert not any(offer.favours_patron for offer in order)


# Whole rounds


def always(rules: Rulebook, side: str, good: set[tuple[str, int, int]] | None) -> Counter[Fraction]:
    """Net results of a patron who insures in full whatever is offered, or what is `good`, settled by the oracle.

    Tiger Buffalo: one unit at each offer until one is let pass. Live: stakes that could win one unit in all.
    """
    game, edition = rules.source.game, rules.source.edition
    results: Counter[Fraction] = Counter()
    for coup, times in COUPS.items():
        hands = [str(card) for card in coup.player], [str(card) for card in coup.banker]
        won, room = unit(plain.settle_bet(game, edition, side, *hands)), Fraction(1)
        for moment in Moment:
            offered = plain.offer(game, edition, moment, *hands)
            if offered is None or offered[0] != f"{side}_insurance":
                continue
            seen = hands[0][: 2 if moment is Moment.FOUR_CARDS else 3]
            if good is not None and (moment, plain.points(seen), plain.points(hands[1][:2])) not in good:
                if plain.is_live(game):
                    continue
                break
            stake = room / offered[1] if plain.is_live(game) else Fraction(1)
            room -= stake * offered[1] if plain.is_live(game) else 0
            line = plain.settle_insurance(game, edition, offered[0], moment, *hands)
            assert line is not None
            won += stake * unit(line)
        results[won] += times
    return results


@each_edition
@pytest.mark.parametrize("bet", Insurance)
def test_whole_rounds_against_the_oracle(rules: Rulebook, bet: Insurance) -> None:
    good = {
        (cell.after.value, cell.player_points, cell.banker_points)
        for cell in cells(rules, SHOE)
        if cell.favours_patron and cell.bet is bet
    }
    assert good, "the tiny shoe has offers that favour the patron"
    expected = {
        Strategy.NEVER: always(rules, bet.side, set()),
        Strategy.ALWAYS: always(rules, bet.side, None),
        Strategy.FAVOURABLE: always(rules, bet.side, good),
    }
    for strategy, dealt in expected.items():
        figures = whole_round(rules, SHOE, bet, strategy)
        assert (figures.expectation, figures.standard_deviation) == spread(dealt), strategy


@each_edition
def test_never_insuring_is_the_bet_itself(rules: Rulebook) -> None:
    whole = full(rules, 8)
    for bet in Insurance:
        alone = values(rules, whole)[Bet(bet.side.value)]
        uninsured = whole_round(rules, whole, bet, Strategy.NEVER)
        assert uninsured.expectation == alone.expectation
        assert uninsured.insured == uninsured.taken == 0
        assert uninsured.standard_deviation == pytest.approx(alone.standard_deviation)
        favourable = whole_round(rules, whole, bet, Strategy.FAVOURABLE)
        assert favourable.expectation == alone.expectation, "a full shoe of eight decks has no favourable offer"
        full_stakes = whole_round(rules, whole, bet, Strategy.ALWAYS)
        assert full_stakes.expectation < alone.expectation
        reached = {
            moment: sum((c.reached for c in cells(rules, whole) if c.bet is bet and c.after is moment), Fraction(0))
            for moment in Moment
        }
        early, late = reached[Moment.FOUR_CARDS], reached[Moment.PLAYER_THIRD]
        assert early < full_stakes.taken < early + late, "a round can have an offer at both moments"


# Decks


@each_edition
def test_edge_by_decks(rules: Rulebook) -> None:
    edges = edge_by_decks(rules)
    assert tuple(edges) == rules.procedure.decks
    for decks, by_bet in edges.items():
        assert by_bet == {bet: value.expectation for bet, value in values(rules, full(rules, decks)).items()}


def test_net_is_what_a_unit_wins() -> None:
    ways = {way.result: net(way) for way in values(RULES, full(RULES, 8))[Bet.BANKER].ways}
    assert ways == {"won": Fraction(19, 20), "returned": 0, "lost": -1}
