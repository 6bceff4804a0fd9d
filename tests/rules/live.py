"""Live Baccarat Insurance: the payouts of section 3, and 7.1, 7.2, 9.1, 9.2, 10.1–10.3.

What it shares with Tiger Buffalo is proved in other modules.
"""

from __future__ import annotations

from fractions import Fraction

from punto.rulebook.model import Case, Rulebook
from tests.rules.breaking import also, never, odds, off_layout, unpaid, wins_on
from tests.rules.coups import BOOK, coup, line, where, won
from tests.rules.definitions import wins_exactly
from tests.rules.pay_tables import pays_as_printed
from tests.rules.proving import proves

NATURAL_BETS = ("player_natural_8", "player_natural_9", "banker_natural_8", "banker_natural_9")

# Section 3: payouts


@proves(
    "pay.banker",
    broken_by=(odds("banker", Fraction(9, 10)), odds("banker", 2)),
    game="live-baccarat-insurance-commission",
)
def banker_with_commission(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.banker")


@proves(
    "pay.banker",
    broken_by=(odds("banker", Fraction(19, 20), Case.BANKER_WINS_ON_OTHER), off_layout("banker", "live")),
    game="live-baccarat-insurance-no-commission",
)
def banker_without_commission(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.banker")


@proves(
    "pay.banker-on-6", broken_by=(odds("banker", 1, Case.BANKER_WINS_ON_6), unpaid("banker", Case.BANKER_WINS_ON_6))
)
def banker_on_6(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.banker-on-6")


@proves("pay.player", broken_by=odds("player", Fraction(19, 20)))
def player(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.player")


@proves("pay.tie", broken_by=odds("tie", 9), game="live")
def tie(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tie")


@proves("pay.banker_pair", broken_by=odds("banker_pair", 12))
def banker_pair(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.banker_pair")


@proves("pay.player_pair", broken_by=odds("player_pair", 12))
def player_pair(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.player_pair")


@proves("pay.big", broken_by=odds("big", Fraction(11, 20)))
def big_pays(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.big")


@proves("pay.small", broken_by=odds("small", Fraction(7, 5)))
def small_pays(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.small")


@proves("pay.player_natural_8", broken_by=odds("player_natural_8", 9))
def player_natural_8(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.player_natural_8")


@proves("pay.player_natural_9", broken_by=odds("player_natural_9", 9))
def player_natural_9(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.player_natural_9")


@proves("pay.banker_natural_8", broken_by=odds("banker_natural_8", 9))
def banker_natural_8(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.banker_natural_8")


@proves("pay.banker_natural_9", broken_by=odds("banker_natural_9", 9))
def banker_natural_9(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.banker_natural_9")


@proves("pay.super_6_plus.two", broken_by=odds("super_6_plus", 13, Case.BANKER_6_TWO))
def super_6_plus_two_pays(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.super_6_plus.two")


@proves("pay.super_6_plus.three", broken_by=odds("super_6_plus", 17, Case.BANKER_6_THREE))
def super_6_plus_three_pays(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.super_6_plus.three")


# Sections 7, 9 and 10: what the bets are


@proves(
    "define.small",
    broken_by=(also(Case.FOUR_CARDS, when=lambda o: o.player_cards + o.banker_cards == 5), odds("small", 1)),
)
def small(rules: Rulebook) -> None:
    """Four cards decide the round."""
    wins_exactly(rules, "small", lambda c: c.player_cards == c.banker_cards == 2)
    assert line(rules, "small", coup("KH 9D v KS 8C")).winnings_cents == 150_00


@proves(
    "define.big",
    broken_by=(
        never(Case.FIVE_OR_SIX_CARDS, when=lambda o: o.player_cards + o.banker_cards == 6),
        never(Case.FIVE_OR_SIX_CARDS, when=lambda o: o.player_cards == 2),
        odds("big", 1),
    ),
)
def big(rules: Rulebook) -> None:
    """Five or six cards decide the round."""
    wins_exactly(rules, "big", lambda c: c.player_cards == 3 or c.banker_cards == 3)
    assert line(rules, "big", coup("KH 6D v KS 5C 2H")).winnings_cents == 50_00


@proves(
    "define.natural-bets",
    broken_by=(
        wins_on("player_natural_8", Case.PLAYER_NATURAL_9),
        wins_on("banker_natural_9", Case.PLAYER_NATURAL_9),
        also(Case.PLAYER_NATURAL_8, when=lambda o: o.player_points == 8 and o.player_cards == 3 and o.lead > 0),
        odds("banker_natural_8", 9),
    ),
)
def natural_bets(rules: Rulebook) -> None:
    """A natural bet pays 8 to 1 on 8, or on 9, with the first two cards of one hand (L5: that hand must win)."""
    assert won(rules, "player_natural_8") == where(lambda c: c.player == 8 and c.player_cards == 2 and c.banker < 8)
    assert won(rules, "player_natural_9") == where(lambda c: c.player == 9 and c.player_cards == 2 and c.banker < 9)
    assert won(rules, "banker_natural_8") == where(lambda c: c.banker == 8 and c.banker_cards == 2 and c.player < 8)
    assert won(rules, "banker_natural_9") == where(lambda c: c.banker == 9 and c.banker_cards == 2 and c.player < 9)
    for bet in NATURAL_BETS:
        paid = [line(rules, bet, example.coup).winnings_cents for example in BOOK]
        assert set(paid) == {0, 800_00}


@proves(
    "natural-bets.lost",
    broken_by=(
        also(Case.BANKER_NATURAL_8, when=lambda o: o.banker_points == 8 and o.banker_cards == 2),
        also(Case.PLAYER_NATURAL_8, when=lambda o: o.player_points == 8 and o.player_cards == 2),
        also(Case.PLAYER_NATURAL_9, when=lambda o: o.player_points == 9 and o.player_cards == 2),
    ),
)
def naturals_that_lose(rules: Rulebook) -> None:
    """The three cases in which the hand is such a natural and the bet loses all the same."""
    for text, bets in (
        ("KH 9D v KS 8C", ["banker_natural_8"]),
        ("KH 8D v KS 9C", ["player_natural_8"]),
        ("KH 8D v KS 8C", ["player_natural_8", "banker_natural_8"]),
        ("KH 9D v KS 9C", ["player_natural_9", "banker_natural_9"]),
    ):
        for bet in bets:
            assert line(rules, bet, coup(text)).result == "lost", f"{bet}, {text}"


@proves(
    "natural-bets.banker-8",
    broken_by=also(Case.BANKER_NATURAL_8, when=lambda o: o.banker_points == 8 and o.player_points == 9),
)
def banker_8_loses_to_9(rules: Rulebook) -> None:
    settled = line(rules, "banker_natural_8", coup("KH 9D v KS 8C"))
    assert (settled.result, settled.handed_back_cents) == ("lost", 0)


@proves(
    "natural-bets.player-8",
    broken_by=also(Case.PLAYER_NATURAL_8, when=lambda o: o.player_points == 8 and o.banker_points == 9),
)
def player_8_loses_to_9(rules: Rulebook) -> None:
    """E4: the page says "win" inside its list of losing cases; the bet loses."""
    settled = line(rules, "player_natural_8", coup("KH 8D v KS 9C"))
    assert (settled.result, settled.handed_back_cents) == ("lost", 0)


@proves(
    "natural-bets.tie",
    broken_by=tuple(
        also(case, when=lambda o: o.lead == 0 and o.player_cards == 2 and o.player_points >= 8)
        for case in (Case.PLAYER_NATURAL_8, Case.PLAYER_NATURAL_9, Case.BANKER_NATURAL_8, Case.BANKER_NATURAL_9)
    ),
)
def tie_loses_natural_bets(rules: Rulebook) -> None:
    for example in BOOK:
        if example.tie:
            for bet in NATURAL_BETS:
                assert line(rules, bet, example.coup).result == "lost", f"{bet}, {example.coup}"


@proves(
    "define.super_6_plus",
    broken_by=(
        unpaid("super_6_plus", Case.BANKER_6_TWO),
        wins_on("super_6_plus", Case.EITHER_6, instead_of=Case.BANKER_6_TWO),
        also(Case.BANKER_6_THREE, when=lambda o: o.player_points == o.banker_points == 6),
    ),
)
def super_6_plus(rules: Rulebook) -> None:
    wins_exactly(rules, "super_6_plus", lambda c: c.banker_wins and c.banker == 6)


@proves("define.super_6_plus.two", broken_by=odds("super_6_plus", 18, Case.BANKER_6_TWO))
def super_6_plus_two(rules: Rulebook) -> None:
    """Two cards in the winning hand of Banker, whatever Player has."""
    assert line(rules, "super_6_plus", coup("KH AD 4C v KS 6C")).winnings_cents == 1200_00


@proves("define.super_6_plus.three", broken_by=odds("super_6_plus", 12, Case.BANKER_6_THREE))
def super_6_plus_three(rules: Rulebook) -> None:
    assert line(rules, "super_6_plus", coup("KH AD 4C v KS 2C 4H")).winnings_cents == 1800_00
