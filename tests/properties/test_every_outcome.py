"""Exhaustive: every distinct outcome of a coup × every bet × every edition, and every layout, against the oracle."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import msgspec
import pytest

from punto.game.coup import check, check_decks, in_deal_order
from punto.game.outcome import all_outcomes, outcome_of
from punto.game.refusals import Refusal
from punto.game.settlement import Slip, Wager, settle
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Cell, Edition, Ranks, book, by_atom, cells, coup_of, families, flag_of
from tests.properties.rounds import starts as first_fours
from tests.properties.rounds import thirds as third_cards

STAKE_CENTS = 133


def derive_outcome(player: Ranks, banker: Ranks) -> tuple[int, int, int, int, str]:
    """All that a bet can depend on, as the oracle counts it."""
    return plain.points(player), plain.points(banker), len(player), len(banker), flag_of(player, banker)


def test_the_published_counts() -> None:
    """3,394 atoms, 8,105 cells, 779 settlement classes."""
    assert len(by_atom()) == 3_394
    assert len(cells()) == len({(cell.atom, cell.flag) for cell in cells()}) == 8_105
    assert len({derive_outcome(cell.player, cell.banker) for cell in cells()}) == 779
    flags = Counter(cell.flag for cell in cells())
    assert set(flags) == {"none", "player", "banker", "both", "twin"}
    assert flags["none"] == 3_394


@EDITIONS
def test_every_cell_is_a_coup_and_the_classes_are_those_of_the_oracle(edition: Edition) -> None:
    rules = book(edition)
    classes = set()
    for cell in cells():
        assert check(rules, cell.coup) is None, cell
        assert check_decks(rules, in_deal_order(cell.coup), min(rules.procedure.decks)) is None, cell
        outcome = msgspec.structs.astuple(outcome_of(cell.coup))
        assert outcome == derive_outcome(cell.player, cell.banker), cell
        classes.add(outcome)
    assert {msgspec.structs.astuple(class_) for class_ in all_outcomes(rules.table_of_play)} == classes
    assert len(all_outcomes(rules.table_of_play)) == 779


def expected_slip(edition: Edition, bets: tuple[str, ...], cell: Cell) -> list[tuple[object, ...]]:
    lines: list[tuple[object, ...]] = []
    for bet in bets:
        result, odds, paragraph = plain.settle_bet(*edition, bet, cell.player, cell.banker)
        winnings = 0 if odds is None else plain.winnings_in_cents(STAKE_CENTS, odds)
        lines.append((bet, result, odds, winnings, paragraph))
    return lines


@EDITIONS
def test_every_outcome_on_every_bet(edition: Edition) -> None:
    """Result, odds, winnings and paragraph of all bets of all layouts, on one real coup of each of the 8,105 cells."""
    rules = book(edition)
    assert {bet.value for bet in rules.bets} == set(plain.bets_of(*edition))
    seen: dict[str, set[tuple[str, Fraction | None]]] = defaultdict(set)
    for bets, layout in families(edition).items():
        wagers = tuple(Wager(bet, STAKE_CENTS) for bet in bets)
        for cell in cells():
            slip = settle(rules, rules.layouts[layout], cell.coup, wagers)
            assert isinstance(slip, Slip), (slip, cell)
            actual = [(row.bet, row.result, row.odds, row.winnings_cents, row.paragraph) for row in slip.lines]
            assert actual == expected_slip(edition, bets, cell), cell
            assert slip.winner == plain.winner(cell.player, cell.banker), cell
            points = (slip.player_points, slip.banker_points)
            assert points == (plain.points(cell.player), plain.points(cell.banker)), cell
            for line in slip.lines:
                seen[line.bet].add((line.result, line.odds))
    for bet, rule in rules.bets.items():  # The cells miss nothing: every row pays, every bet loses, two are returned.
        expected = {("lost", None)} | {("won", row.odds) for row in rule.pays}
        assert seen[bet] == (expected | {("returned", None)} if bet in ("player", "banker") else expected), bet


def test_all_first_four_cards_and_their_pairs() -> None:
    """All 13⁴ ranks, not one example of each kind, with the last third cards that the Table of Play calls for."""
    for (player_points, banker_points, _), ways in first_fours().items():
        value, last = third_cards(player_points, banker_points)[-1]
        third = () if value is None else ("TA23456789"[value],)
        final = () if last is None else ("KA23456789"[last],)
        for turn, (player, banker) in enumerate(ways):
            hands = ((*player, *third), (*banker, *final))
            assert msgspec.structs.astuple(outcome_of(coup_of(*hands, turn))) == derive_outcome(*hands), hands


@EDITIONS
def test_every_layout_takes_its_bets_and_no_other(edition: Edition) -> None:
    """All layouts × all 27 bets; insurance and nonsense are no bets at all."""
    rules = book(edition)
    coup = by_atom()[0].coup
    assert tuple(rules.layouts) == plain.layouts(*edition)
    for layout in plain.layouts(*edition):
        on_it = plain.bets_on(*edition, layout)
        seats = plain.positions(*edition, layout)
        assert seats is None or rules.layouts[layout].positions == seats, layout
        assert set(rules.layouts[layout].bets) == set(on_it), layout
        for bet in (*plain.ALL_BETS, "player_insurance", "banker_insurance", "Player", "dragon", ""):
            answer = settle(rules, rules.layouts[layout], coup, (Wager(bet, STAKE_CENTS),))
            if bet in on_it:
                assert isinstance(answer, Slip), (layout, bet, answer)
                continue
            assert isinstance(answer, Refusal), (layout, bet)
            assert answer.code == ("bet-not-on-layout" if bet in plain.ALL_BETS else "unknown-bet"), (layout, bet)
            assert answer.paragraph in rules.paragraphs or answer.paragraph in rules.readings, (layout, bet)


def test_a_bet_means_the_same_in_every_edition() -> None:
    """Only odds and paragraphs differ, so that questions of won and lost may be asked once for all editions."""
    for cell, bet in product(by_atom(), plain.ALL_BETS):
        holders = [edition for edition in plain.EDITIONS if bet in plain.bets_of(*edition)]
        assert len({plain.settle_bet(*edition, bet, cell.player, cell.banker)[0] for edition in holders}) == 1


@pytest.mark.soak
@pytest.mark.parametrize("first", plain.RANKS)
def test_all_rank_sequences(first: str) -> None:
    """Every coup that six ranks can make, none left out: its outcome is the one that the oracle counts."""
    for second, third, fourth in product(plain.RANKS, repeat=3):
        player, banker = (first, second), (third, fourth)
        flag = flag_of(player, banker)
        values = third_cards(plain.points(player), plain.points(banker))
        for fifth, last in product((*plain.RANKS, None), repeat=2):
            drawn = (None if fifth is None else plain.value(fifth), None if last is None else plain.value(last))
            if drawn not in values:
                continue
            hands = (player if fifth is None else (*player, fifth), banker if last is None else (*banker, last))
            expected = (plain.points(hands[0]), plain.points(hands[1]), len(hands[0]), len(hands[1]), flag)
            assert msgspec.structs.astuple(outcome_of(coup_of(*hands))) == expected, hands
