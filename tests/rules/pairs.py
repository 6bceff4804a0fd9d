"""Section 1 of Tiger Buffalo, the pair bets: Player Pair and Banker Pair, Tiger Pair. Live: 8.1."""

from __future__ import annotations

from collections.abc import Callable

from punto.cards import Card
from punto.game import outcome
from punto.game.outcome import Pairs
from punto.rulebook.model import Case, Rulebook
from tests.rules.breaking import code, never, wins_on
from tests.rules.coups import BOOK, line
from tests.rules.definitions import wins_exactly
from tests.rules.proving import Break, proves

Hand = tuple[Card, ...]


def seen(is_pair: Callable[[Hand], bool], is_twin: Callable[[Hand, Hand], bool]) -> Break:
    """Pairs are recognised in another way."""

    def pairs_of(player: Hand, banker: Hand) -> Pairs:
        if is_pair(player) and is_pair(banker):
            return Pairs.TWIN if is_twin(player, banker) else Pairs.BOTH
        return Pairs.PLAYER if is_pair(player) else Pairs.BANKER if is_pair(banker) else Pairs.NONE

    return code(outcome, "pairs_of", pairs_of)


def one_rank(hand: Hand) -> bool:
    return hand[0].rank == hand[1].rank


def both_one_rank(player: Hand, banker: Hand) -> bool:
    return player[0].rank == banker[0].rank


TEN_AND_KING_ARE_A_PAIR = seen(lambda hand: hand[0].points == hand[1].points, both_one_rank)
THIRD_CARD_MAKES_A_PAIR = seen(lambda hand: hand[-1].rank == hand[-2].rank, both_one_rank)
SUITS_MUST_MATCH = seen(lambda hand: hand[0] == hand[1], both_one_rank)
KINGS_AND_QUEENS_ARE_TWINS = seen(one_rank, lambda player, banker: player[0].points == banker[0].points)
NO_TWINS = seen(one_rank, lambda player, banker: False)


@proves(
    "define.pair",
    broken_by=(
        TEN_AND_KING_ARE_A_PAIR,
        THIRD_CARD_MAKES_A_PAIR,
        SUITS_MUST_MATCH,
        wins_on("player_pair", Case.BANKER_PAIR),
        wins_on("banker_pair", Case.PLAYER_PAIR),
    ),
)
def pair(rules: Rulebook) -> None:
    """W2: the first two cards are of one rank, such as K K; ten and king are no pair."""
    wins_exactly(rules, "player_pair", lambda c: c.player_pair != "", "define.pair")
    wins_exactly(rules, "banker_pair", lambda c: c.banker_pair != "", "define.pair")


@proves(
    "define.tiger_pair",
    broken_by=(
        KINGS_AND_QUEENS_ARE_TWINS,
        NO_TWINS,
        TEN_AND_KING_ARE_A_PAIR,
        never(Case.ONE_PAIR, when=lambda o: o.pairs is Pairs.BANKER),
        wins_on("tiger_pair", Case.PLAYER_PAIR, instead_of=Case.ONE_PAIR),
    ),
)
def tiger_pair(rules: Rulebook) -> None:
    """One pair, two pairs and two pairs of one rank are the three grades; kings and queens are a double (W2)."""
    wins_exactly(rules, "tiger_pair", lambda c: c.player_pair != "" or c.banker_pair != "")
    grade = {str(example.coup): line(rules, "tiger_pair", example.coup).odds for example in BOOK}
    assert grade["KH KD 6C v QS 7C"] == grade["QH 6D v 3S 3C"] == 4
    assert grade["KH KD 9C v QS QC 8H"] == 20
    assert grade["KH KD 9C v KS KC 8H"] == grade["7H 7D 5C v 7S 7C 4H"] == 100
