"""Section 1 of Tiger Buffalo, the side bets but the pairs: 1.2–1.38 as far as they say when a bet wins.

Every bet is settled on the whole book of coups: it wins exactly where the definition says so and loses elsewhere.
"""

from __future__ import annotations

from fractions import Fraction

from punto.rulebook.model import Bet, Case, Rulebook
from tests.rules.breaking import also, never, unpaid, wins_on
from tests.rules.coups import BOOK, Event, ExampleCoup, line, where, won
from tests.rules.printed import NUMBERS
from tests.rules.proving import proves

BANKER_BY_ONE = (Case.BANKER_BY_ONE_4, Case.BANKER_BY_ONE_5, Case.BANKER_BY_ONE_6)
PLAYER_BY_ONE = (Case.PLAYER_BY_ONE_4, Case.PLAYER_BY_ONE_5, Case.PLAYER_BY_ONE_6)


def wins_exactly(rules: Rulebook, bet: str, event: Event, topic: str = "") -> None:
    """The bet wins where the event occurs, loses on every other coup, and its rule names the defining paragraph."""
    assert won(rules, bet) == where(event)
    assert all(line(rules, bet, example.coup).result == "lost" for example in BOOK if not event(example))
    assert rules.bets[Bet(bet)].defined == NUMBERS[rules.id][topic or f"define.{bet}"]


@proves(
    "define.big_tiger", broken_by=(wins_on("big_tiger", Case.BANKER_6_TWO), wins_on("big_tiger", Case.BANKER_7_THREE))
)
def big_tiger(rules: Rulebook) -> None:
    wins_exactly(rules, "big_tiger", lambda c: c.banker_wins and c.banker == 6 and c.banker_cards == 3)


@proves(
    "define.small_tiger", broken_by=(wins_on("small_tiger", Case.BANKER_6_THREE), wins_on("small_tiger", Case.EITHER_6))
)
def small_tiger(rules: Rulebook) -> None:
    wins_exactly(rules, "small_tiger", lambda c: c.banker_wins and c.banker == 6 and c.banker_cards == 2)


@proves(
    "define.big_buffalo",
    broken_by=(wins_on("big_buffalo", Case.PLAYER_6_TWO), wins_on("big_buffalo", Case.BANKER_6_THREE)),
)
def big_buffalo(rules: Rulebook) -> None:
    wins_exactly(rules, "big_buffalo", lambda c: c.player_wins and c.player == 6 and c.player_cards == 3)


@proves(
    "define.small_buffalo",
    broken_by=(wins_on("small_buffalo", Case.PLAYER_6_THREE), wins_on("small_buffalo", Case.PLAYER_7_TWO)),
)
def small_buffalo(rules: Rulebook) -> None:
    wins_exactly(rules, "small_buffalo", lambda c: c.player_wins and c.player == 6 and c.player_cards == 2)


@proves(
    "define.banker_big_7",
    broken_by=(wins_on("banker_big_7", Case.BANKER_7_TWO), wins_on("banker_big_7", Case.BANKER_6_THREE)),
)
def banker_big_7(rules: Rulebook) -> None:
    wins_exactly(rules, "banker_big_7", lambda c: c.banker_wins and c.banker == 7 and c.banker_cards == 3)


@proves(
    "define.banker_small_7",
    broken_by=(wins_on("banker_small_7", Case.BANKER_7_THREE), wins_on("banker_small_7", Case.BANKER_6_TWO)),
)
def banker_small_7(rules: Rulebook) -> None:
    wins_exactly(rules, "banker_small_7", lambda c: c.banker_wins and c.banker == 7 and c.banker_cards == 2)


@proves(
    "define.player_big_7",
    broken_by=(wins_on("player_big_7", Case.PLAYER_7_TWO), wins_on("player_big_7", Case.PLAYER_6_THREE)),
)
def player_big_7(rules: Rulebook) -> None:
    wins_exactly(rules, "player_big_7", lambda c: c.player_wins and c.player == 7 and c.player_cards == 3)


@proves(
    "define.player_small_7",
    broken_by=(wins_on("player_small_7", Case.PLAYER_7_THREE), wins_on("player_small_7", Case.PLAYER_6_TWO)),
)
def player_small_7(rules: Rulebook) -> None:
    wins_exactly(rules, "player_small_7", lambda c: c.player_wins and c.player == 7 and c.player_cards == 2)


@proves("define.tiger", broken_by=(unpaid("tiger", Case.BANKER_6_TWO), unpaid("tiger", Case.BANKER_6_THREE)))
def tiger(rules: Rulebook) -> None:
    wins_exactly(rules, "tiger", lambda c: c.banker_wins and c.banker == 6)


@proves(
    "define.tiger_buffalo",
    broken_by=(
        wins_on("tiger_buffalo", Case.BANKER_WINS_ON_6),
        never(Case.EITHER_6, when=lambda o: o.player_cards == 2 and o.player_points == 6),
        also(Case.EITHER_6, when=lambda o: o.player_points == o.banker_points == 6),
    ),
)
def tiger_buffalo(rules: Rulebook) -> None:
    """Either hand may win on 6; a tie on 6 wins for nobody."""
    wins_exactly(
        rules, "tiger_buffalo", lambda c: (c.banker_wins and c.banker == 6) or (c.player_wins and c.player == 6)
    )


@proves(
    "define.tiger_tie",
    broken_by=(
        wins_on("tiger_tie", Case.TIE),
        also(Case.TIE_ON_6, when=lambda o: o.player_points == o.banker_points == 7),
    ),
)
def tiger_tie(rules: Rulebook) -> None:
    wins_exactly(rules, "tiger_tie", lambda c: (c.player, c.banker) == (6, 6))


@proves(
    "define.wu_dalang",
    broken_by=(
        also(Case.PLAYER_WINS_ON_1, when=lambda o: o.player_points == 2 and o.lead > 0),
        also(Case.PLAYER_WINS_ON_1, when=lambda o: o.player_points == 1 and o.lead == 0),
        wins_on("wu_dalang", Case.TIE_ON_6),
    ),
)
def wu_dalang(rules: Rulebook) -> None:
    wins_exactly(rules, "wu_dalang", lambda c: c.player_wins and c.player == 1)


# Char Siu


def graded(rules: Rulebook, bet: str, points: tuple[int, int]) -> None:
    """One case of Char Siu: it wins with these points, at 10, 15 or 50 to 1 by the number of cards in both hands."""
    pays = {4: Fraction(10), 5: Fraction(15), 6: Fraction(50)}
    cases = [example for example in BOOK if (example.player, example.banker) == points]
    assert cases
    for example in cases:
        settled = line(rules, bet, example.coup)
        assert (settled.result, settled.odds) == ("won", pays[example.cards]), example.coup


@proves(
    "define.banker_char_siu",
    broken_by=(
        also(Case.BANKER_BY_ONE_4, when=lambda o: o.lead == -2 and o.banker_points == 9),
        also(Case.BANKER_BY_ONE_6, when=lambda o: o.lead == -1 and o.banker_points == 6),
        wins_on("banker_char_siu", Case.PLAYER_BY_ONE_5, instead_of=Case.BANKER_BY_ONE_5),
    ),
)
def banker_char_siu(rules: Rulebook) -> None:
    def by_one(c: ExampleCoup) -> bool:
        return c.banker - c.player == 1 and c.banker in (7, 8, 9)

    wins_exactly(rules, "banker_char_siu", by_one)


@proves("define.banker_char_siu.7-v-6", broken_by=never(*BANKER_BY_ONE, when=lambda o: o.banker_points == 7))
def banker_char_siu_7_v_6(rules: Rulebook) -> None:
    graded(rules, "banker_char_siu", (6, 7))


@proves("define.banker_char_siu.8-v-7", broken_by=never(*BANKER_BY_ONE, when=lambda o: o.banker_points == 8))
def banker_char_siu_8_v_7(rules: Rulebook) -> None:
    graded(rules, "banker_char_siu", (7, 8))


@proves("define.banker_char_siu.9-v-8", broken_by=never(*BANKER_BY_ONE, when=lambda o: o.banker_points == 9))
def banker_char_siu_9_v_8(rules: Rulebook) -> None:
    graded(rules, "banker_char_siu", (8, 9))


@proves(
    "define.player_char_siu",
    broken_by=(
        also(Case.PLAYER_BY_ONE_4, when=lambda o: o.lead == 2 and o.player_points == 9),
        also(Case.PLAYER_BY_ONE_6, when=lambda o: o.lead == 1 and o.player_points == 6),
        wins_on("player_char_siu", Case.BANKER_BY_ONE_5, instead_of=Case.PLAYER_BY_ONE_5),
    ),
)
def player_char_siu(rules: Rulebook) -> None:
    def by_one(c: ExampleCoup) -> bool:
        return c.player - c.banker == 1 and c.player in (7, 8, 9)

    wins_exactly(rules, "player_char_siu", by_one)


@proves("define.player_char_siu.7-v-6", broken_by=never(*PLAYER_BY_ONE, when=lambda o: o.player_points == 7))
def player_char_siu_7_v_6(rules: Rulebook) -> None:
    graded(rules, "player_char_siu", (7, 6))


@proves("define.player_char_siu.8-v-7", broken_by=never(*PLAYER_BY_ONE, when=lambda o: o.player_points == 8))
def player_char_siu_8_v_7(rules: Rulebook) -> None:
    graded(rules, "player_char_siu", (8, 7))


@proves("define.player_char_siu.9-v-8", broken_by=never(*PLAYER_BY_ONE, when=lambda o: o.player_points == 9))
def player_char_siu_9_v_8(rules: Rulebook) -> None:
    graded(rules, "player_char_siu", (9, 8))
