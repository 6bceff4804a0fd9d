"""In the middle of a round: against every draw of the cards that are left, and against the odds before the round."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from punto.cards import RANKS, Card, cards
from punto.game.coup import Coup, deal, in_deal_order, parse
from punto.game.outcome import Outcome, outcome_of
from punto.odds.composition import Composition, OddsError, remaining
from punto.odds.mid_round import possible_endings, priced, values_mid_round
from punto.odds.sheet import sheet_mid_round
from punto.odds.value import values
from punto.rulebook.model import Bet, Moment
from tests.odds import shoes
from tests.odds.shoes import PLAY, RULES
from tests.oracle import plain

SIX = "AS 3S 5H 6D 8C 9S KH"


def drawn(coup: Coup, left: Composition) -> Counter[Outcome]:
    """Every ordered draw of two ranks that are left, dealt on by the reference deal; its weight is the cards held."""
    outcomes: Counter[Outcome] = Counter()
    for first, held in zip(RANKS, left.ranks, strict=True):
        for second, other in zip(RANKS, left.ranks, strict=True):
            ways = held * (other - (first == second))
            if ways:
                rest = (Card(first, "S"), Card(second, "S"))
                outcomes[outcome_of(deal(PLAY, (*in_deal_order(coup), *rest)[:6])[0])] += ways
    return outcomes


def starts(count: int) -> list[tuple[Coup, Composition]]:
    """Random four- and five-card starts on randomly depleted shoes."""
    chance = random.Random(4)
    positions: list[tuple[Coup, Composition]] = []
    while len(positions) < count:
        left = chance.choice(shoes.depleted(12, seed=chance.randint(0, 99)))
        six = tuple(Card(chance.choice(RANKS), "S") for _ in range(6))
        coup = deal(PLAY, six)[0]
        four = Coup(coup.player[:2], coup.banker[:2])
        if left.cards >= 2:
            positions.append((four, left))
            if coup.player[2:]:
                positions.append((Coup(coup.player, coup.banker[:2]), left))
    return positions


def test_given_is_every_draw_of_the_cards_left() -> None:
    for coup, left in starts(80):
        endings = possible_endings(RULES, coup, left)
        assert endings.outcomes == drawn(coup, left), (coup, left)
        assert endings.total == left.cards * (left.cards - 1) == sum(endings.outcomes.values())


def test_a_tiny_shoe_dealt_on_card_by_card() -> None:
    """Exhaustive: every order of the few cards left behind four open ones."""
    held = cards(SIX)
    for four in ("2S 3D v 4S KC", "KS 6D v 2S 3C", "AS AD v 7S KC", "9S KD v 4S 4C", "KS QD v JS TC"):
        coup = parse(RULES, four)
        outcomes: Counter[Outcome] = Counter()
        for rest in permutations(held, 2):
            outcomes[outcome_of(deal(PLAY, (*in_deal_order(coup), *rest))[0])] += 1
        assert possible_endings(RULES, coup, shoes.of_cards(held)).outcomes == outcomes


def test_the_mean_over_all_starts_is_the_odds_before_the_round() -> None:
    """Exhaustive over a shoe of five ranks: the odds after four cards are on average those before the round."""
    whole = Composition((2, 0, 0, 2, 0, 3, 0, 0, 2, 1, 0, 0, 0))
    mean = dict.fromkeys(RULES.bets, Fraction(0))
    held = [rank for rank, count in zip(RANKS, whole.ranks, strict=True) for _ in range(count)]
    ways = Counter(permutations(held, 4))
    for (first, second, third, fourth), times in ways.items():
        coup = Coup((Card(first, "S"), Card(third, "S")), (Card(second, "S"), Card(fourth, "S")))
        left = whole.without(first).without(second).without(third).without(fourth)
        for bet, value in values_mid_round(RULES, coup, left).items():
            mean[bet] += value.expectation * times
    total = ways.total()
    assert {bet: sum_ / total for bet, sum_ in mean.items()} == {
        bet: value.expectation for bet, value in values(RULES, whole).items()
    }


def test_an_offer_is_priced_on_the_real_shoe() -> None:
    """Won, returned, lost by the oracle over every draw; None exactly where the oracle has no offer."""
    game, edition = RULES.source.game, RULES.source.edition
    seen = Counter[str]()
    for coup, left in starts(200):
        after = Moment.FOUR_CARDS if len(coup.player) == 2 else Moment.PLAYER_THIRD
        price = priced(RULES, coup, left)
        hands = [str(card) for card in coup.player], [str(card) for card in coup.banker]
        offered = plain.offer(game, edition, after.value, *hands)
        assert (price is None) == (offered is None)
        seen["offer" if price else "none"] += 1
        if price is None or offered is None:
            continue
        bet, odds, paid = offered
        assert (price.offer.bet, price.offer.odds) == (bet, odds)
        by: Counter[str] = Counter()
        for end, ways in drawn(coup, left).items():
            tie = "won" if paid else "returned"
            insured = end.lead if bet == "player_insurance" else -end.lead
            by["lost" if insured > 0 else "won" if insured < 0 else tie] += ways
        total = by.total()
        assert (price.won, price.returned, price.lost) == tuple(
            Fraction(by[name], total) for name in ("won", "returned", "lost")
        )
        assert price.expectation == odds * price.won - price.lost
        assert price.favours_patron == (price.expectation > 0)
    assert min(seen.values()) > 20


def test_cards_removed_can_turn_an_offer_to_the_patron() -> None:
    """Player 9 v Banker 0 pays 10 to 1 on a tie at 9: where most cards left are nines, that favours the patron."""
    left = Composition((0, 0, 0, 0, 0, 0, 0, 0, 6, 2, 0, 0, 0))
    price = priced(RULES, parse(RULES, "2S 3D 4C v KS KC"), left)
    assert price is not None
    assert (price.won, price.favours_patron) == (Fraction(3, 4), True)


@pytest.mark.parametrize(
    "text", ["KS v 2S", "KS 5D v 2S", "KS 6D 2S v 2S 3C", "KS 5D 2S v 2S 3C 4C", "9S KD 2S v 2S 3C"]
)
def test_what_is_no_middle_of_a_round_is_refused(text: str) -> None:
    with pytest.raises(OddsError):
        possible_endings(RULES, parse(RULES, text), shoes.FULL[0])


def test_a_round_may_go_on_with_two_cards_left() -> None:
    """A round that began with six cards has two behind its first four; with one it could not have been dealt."""
    four = parse(RULES, "2S 3D v 4S KC")
    gone = [card for card in cards(" ".join(f"{rank}{suit}" for rank in RANKS for suit in "SHDC")) for _ in range(4)]
    for card in in_deal_order(four):
        gone.remove(card)
    gone = gone[:-2]
    sheet = sheet_mid_round(RULES, four, 4, gone)
    assert (sheet.composition.cards, sheet.coups) == (2, 2)
    with pytest.raises(OddsError, match="2 cards are left: a coup may need 6"):
        remaining(RULES, 4, (*gone, *in_deal_order(four)))
    with pytest.raises(OddsError, match="1 cards are left"):
        possible_endings(RULES, four, Composition((1,) + (0,) * 12))


def test_a_round_may_go_on_with_its_last_card() -> None:
    """Behind the Player's third card one card may be left, and the Banker draws it."""
    five = parse(RULES, "2S KD 6C v 4S KC")
    gone = [card for card in cards(" ".join(f"{rank}{suit}" for rank in RANKS for suit in "SHDC")) for _ in range(4)]
    for card in (*in_deal_order(five), *cards("5H")):
        gone.remove(card)
    sheet = sheet_mid_round(RULES, five, 4, gone)
    assert (sheet.composition.cards, sheet.coups) == (1, 1)
    assert sheet.bets[Bet.BANKER].expectation == Fraction(19, 20)
    (offer,) = sheet.insurance
    assert (offer.won, offer.lost, offer.expectation) == (Fraction(1), Fraction(0), Fraction(10))
    with pytest.raises(OddsError, match="0 cards are left: the round may need 1"):
        possible_endings(RULES, five, Composition((0,) * 13))
