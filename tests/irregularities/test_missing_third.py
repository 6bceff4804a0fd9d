"""5.15.1 and 5.15.4: which past rounds lack a third card, and which side bets keep their result in them."""

from __future__ import annotations

from itertools import product

import pytest

from punto.cards import card, cards
from punto.game.coup import Coup
from punto.game.established import conclusive
from punto.game.irregularities.late import kept_side_bets, third_missing
from punto.game.outcome import outcome_of
from punto.game.settlement import pay_table
from punto.game.table import Laid, Round
from punto.rulebook.model import Bet
from tests.irregularities.given import COMMISSION_2025
from tests.irregularities.laws import BOOKS


@pytest.mark.parametrize(
    ("player", "banker", "missing"),
    [
        ("2H 3D", "2S 3C", True),  # the Player's
        ("2H 3D", "2S 3C 9H", True),  # the Player's, whatever the Banker got
        ("2H 3D 4C", "2S 3C", True),  # the Banker's
        ("KH 6D 9H", "2S 3C", True),  # the Banker's, though the Player's was too many
        ("KH 6D 9H", "2S 3C 4H", False),
        ("KH 9D 9H", "2S 3C", False),
        ("2H 3D 4C", "KS 7C 2H", False),
    ],
)
def test_5_15_1_a_third_card_that_was_due_and_not_dealt(player: str, banker: str, missing: bool) -> None:
    assert third_missing(BOOKS[COMMISSION_2025], Coup(cards(player), cards(banker))) == missing


def test_5_15_4_a_players_third_card_that_was_rightly_dealt_decides_side_bets_too() -> None:
    """Player 2 3 4 = 9 with three cards: Big Buffalo can't win any more, whatever the Banker's missing card was."""
    rules = BOOKS[COMMISSION_2025]
    wagers = {
        bet.value: Laid(bet.value, "ann", 1, bet, 100, 100, 1, True) for bet in (Bet.BIG_BUFFALO, Bet.TIE, Bet.PLAYER)
    }
    past = Round(number=1, hand=1, edition=rules.id, wagers=wagers)
    kept = kept_side_bets(rules, past, Coup(cards("2H 3D 4C"), cards("2S 3C")))
    assert {bet: verdict.result for bet, verdict in kept.items()} == {Bet.BIG_BUFFALO: "lost"}
    assert kept_side_bets(rules, past, Coup(cards("2H 3D"), cards("2S 3C"))) == {}


@pytest.mark.parametrize("edition", [name for name in BOOKS if name.startswith("tiger")])
def test_a_kept_side_bet_pays_the_same_however_the_round_might_have_ended(edition: str) -> None:
    """W4 leaves open how much a won bet pays; where a third card is missing, that is never in doubt. Exhaustive."""
    rules = BOOKS[edition]
    sides = tuple(bet for bet, rule in rules.bets.items() if not rule.main)
    verdicts = pay_table(rules)
    wagers = {bet.value: Laid(bet.value, "ann", 1, bet, 100, 100, 1, True) for bet in sides}
    ranks = "A23456789K"
    for first, second, three, four in product(ranks, repeat=4):
        hands = Coup((card(first + "S"), card(second + "S")), (card(three + "S"), card(four + "S")))
        if not third_missing(rules, hands):
            continue
        kept = kept_side_bets(rules, Round(number=1, hand=1, edition=edition, wagers=wagers), hands)
        exposed = {"P1": first, "P2": second, "B1": three, "B2": four}
        assert set(kept) == set(conclusive(rules, sides, exposed))
        for bet, verdict in kept.items():
            assert verdict.result == conclusive(rules, (bet,), exposed)[bet]
            if verdict.result == "won":
                flag = outcome_of(hands).pairs
                ends = (by_bet[bet] for end, by_bet in verdicts.items() if end.pairs == flag)
                odds = {payout.odds for payout in ends if payout.result == "won"}
                assert odds == {verdict.odds}, f"{hands} {bet}"
