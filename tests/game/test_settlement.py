"""Settlement by example: slips, refusals with code, sentence and paragraph, and the rights to insurance (P2 to P6)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto.cards import cards
from punto.codes import Code
from punto.game.coup import Coup
from punto.game.refusals import Refusal
from punto.game.settlement import Insured, Limits, Line, Slip, Wager, pay_table, settle, unknown_layout
from punto.rulebook import load
from punto.rulebook.model import Moment, Rulebook

TB = load.edition("tiger-buffalo-commission", "2025-11-21")
TB_FREE = load.edition("tiger-buffalo-non-commission", "2025-11-21")
LIVE = load.edition("live-baccarat-insurance-commission", "undated")
FOUR, THIRD = Moment.FOUR_CARDS, Moment.PLAYER_THIRD

# Player 5 v Banker 4: player insurance at 3 to 2; after the 4: 9 v 4 at 10 to 1, and the tie at 9 pays.
TWICE = "KH 5D 4C v QS 4C 5S"
# Player 7 v Banker 5: player insurance at 4 to 1.
ONCE = "KH 7D v 2S 3C 4H"
# Player 0 v Banker 4: banker insurance at 3 to 2; after the 7: 7 v 4, player insurance at 4 to 1.
TURNED = "KH QD 7C v TS 4C KS"


def coup(text: str) -> Coup:
    player, _, banker = text.partition(" v ")
    return Coup(cards(player), cards(banker))


def ask(
    text: str,
    wagers: list[tuple[str, int]],
    *insurance: tuple[str, Moment, int],
    limits: Limits | None = None,
    rules: Rulebook = TB,
) -> Slip | Refusal:
    return settle(
        rules,
        next(iter(rules.layouts.values())),
        coup(text),
        tuple(Wager(bet, stake) for bet, stake in wagers),
        tuple(Insured(bet, after, stake) for bet, after, stake in insurance),
        limits or Limits(),
    )


def code(answer: Slip | Refusal) -> str:
    return answer.code if isinstance(answer, Refusal) else "settled"


def test_a_slip() -> None:
    layout = TB_FREE.layouts["C"]
    wagers = (Wager("player", 100_00, "ann", "w1"), Wager("tie", 5, "bob"), Wager("banker", 3, "cy", 7))
    insurance = (Insured("player_insurance", FOUR, 50_00, "ann", "i1"),)
    assert settle(TB_FREE, layout, coup(ONCE), wagers, insurance) == Slip(
        "banker",
        7,
        9,
        (
            Line("w1", "ann", "player", "lost", 100_00, None, 0, 0, "4.1.1"),
            Line(None, "bob", "tie", "lost", 5, None, 0, 0, "4.1.2"),
            Line(7, "cy", "banker", "won", 3, Fraction(1), 3, 6, "4.1.1"),
            Line("i1", "ann", "player_insurance", "won", 50_00, Fraction(4), 200_00, 250_00, "4.1.14"),
        ),
        150_08,
        250_06,
    )


def test_a_tie_hands_stakes_back() -> None:
    slip = ask("KH 7D v QS 7C", [("player", 100), ("banker", 50), ("tie", 1)])
    assert isinstance(slip, Slip)
    assert [(line.result, line.handed_back_cents) for line in slip.lines] == [
        ("returned", 100),
        ("returned", 50),
        ("won", 9),
    ]
    assert (slip.winner, slip.staked_cents, slip.handed_back_cents) == ("tie", 151, 159)


def test_nobody_wagered() -> None:
    assert settle(TB, TB.layouts["A"], coup(ONCE), ()) == Slip("banker", 7, 9, (), 0, 0)


@pytest.mark.parametrize(
    ("stake", "winnings"),
    [(1, 1), (9, 9), (10, 10), (11, 10), (29, 28), (30, 29), (100, 95), (10**15 - 1, 95 * 10**13 - 1)],
)
def test_commission_is_rounded_once_halves_to_the_patron(stake: int, winnings: int) -> None:
    """M1, M2: 19/20 of 0.10 is 9.5 cents, paid as 10."""
    slip = settle(TB, TB.layouts["A"], coup(ONCE), (Wager("banker", stake),))
    assert isinstance(slip, Slip)
    assert (slip.lines[0].winnings_cents, slip.handed_back_cents) == (winnings, stake + winnings)


def test_one_pay_table_an_edition() -> None:
    assert pay_table(TB) is pay_table(TB)
    assert len(pay_table(TB)) == 779
    assert all(set(verdicts) == set(TB.bets) for verdicts in pay_table(TB).values())


# Bets that can't be placed


@pytest.mark.parametrize(
    ("bet", "expected"),
    [
        (
            "tiger_pair",
            ("bet-not-on-layout", "tiger_pair is not on layout A: expected one of ", "4.1.10"),
        ),
        ("big", ("bet-not-on-layout", "big is not on layout A: expected one of ", "3.7")),
        ("dragon", ("unknown-bet", "'dragon' is no bet: expected one of ", "3.7")),
        ("player_insurance", ("unknown-bet", "'player_insurance' is no bet: insurance goes under `insurance`;", "3.7")),
    ],
)
def test_a_bet_that_is_not_there(bet: str, expected: tuple[str, str, str]) -> None:
    """The whole record is refused, also where the other wagers are good."""
    for wagers in ((Wager(bet, 1),), (Wager("player", 1), Wager(bet, 1)), (Wager(bet, 1), Wager("player", 1))):
        refusal = settle(TB, TB.layouts["A"], coup(ONCE), wagers)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.paragraph) == (expected[0], expected[2])
        assert refusal.message.startswith(expected[1])
        assert refusal.message.endswith(", ".join(TB.layouts["A"].bets))
        assert refusal.facts == ({"bet": bet} if refusal.code == "unknown-bet" else {"bet": bet, "layout": "A"})


def test_a_layout_that_is_not_there() -> None:
    text = "there is no layout 'R': expected one of A B C D E F G H I J K L M N O P Q"
    assert unknown_layout(TB, "R") == Refusal(Code.UNKNOWN_LAYOUT, text, "2.1.1", {"layout": "R"})


# The right to insurance

INSURED = {"patron": "patron", "bet": "player_insurance"}


def test_insurance_needs_an_original_bet_on_that_hand() -> None:
    for wagers in ([], [("banker", 100)], [("tie", 100), ("player_pair", 100)]):
        refusal = ask(ONCE, wagers, ("player_insurance", FOUR, 1))
        text = "patron has no wager on player: insurance needs an Original Bet on that hand"
        assert refusal == Refusal(Code.NO_ORIGINAL_BET, text, "3.11", {"patron": "patron", "bet": "player"})


def test_another_patron_s_wager_is_no_original_bet() -> None:
    wagers = (Wager("player", 100, "ann"),)
    answer = settle(TB, TB.layouts["A"], coup(ONCE), wagers, (Insured("player_insurance", FOUR, 1, "bob"),))
    assert code(answer) == "no-original-bet"


@pytest.mark.parametrize(
    ("text", "bet", "after"),
    [
        (ONCE, "player_insurance", THIRD),  # the Player stood
        (ONCE, "banker_insurance", FOUR),  # the other hand
        ("KH 8D v 2S 3C", "player_insurance", FOUR),  # a natural
        ("2H 3D 2C v KS 6C", "player_insurance", THIRD),  # P2: 7 v 6, and the Banker stands on a 2
        (TURNED, "banker_insurance", THIRD),
    ],
)
def test_no_such_offer(text: str, bet: str, after: Moment) -> None:
    refusal = ask(text, [("player", 100), ("banker", 100)], (bet, after, 1))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.paragraph) == ("no-such-offer", "4.1.15")
    assert (
        refusal.message
        == f"{bet} was not on offer after {after} in {text}: no row of the pay table with a card still due"
    )
    assert refusal.facts == {"patron": "patron", "bet": bet}


def test_what_is_no_insurance() -> None:
    refusal = ask(ONCE, [("player", 100)], ("tie", FOUR, 1))
    text = "'tie' is no insurance: expected player_insurance or banker_insurance"
    assert refusal == Refusal(Code.UNKNOWN_BET, text, "3.11", {"bet": "tie"})


def test_wagers_on_both_hands() -> None:
    """P3: Tiger Buffalo insures each one, the Live page none."""
    both = [("player", 100), ("banker", 100)]
    taken = (("banker_insurance", FOUR, 1), ("player_insurance", THIRD, 1))
    assert code(ask(TURNED, both, *taken)) == "settled"
    refusal = ask(TURNED, both, taken[0], rules=LIVE)
    text = "patron has wagers on both hands and is offered no insurance"
    assert refusal == Refusal(Code.NO_SUCH_OFFER, text, "5.2", {"patron": "patron"})
    assert code(ask(TURNED, both[1:], taken[0], rules=LIVE)) == "settled"


# P6: the offer that was let pass


def test_an_offer_let_pass_forgoes_the_rest_of_the_round() -> None:
    text = "patron let the offer after four cards pass and has none for the rest of the round"
    refusal = ask(TWICE, [("player", 100)], ("player_insurance", THIRD, 1))
    assert refusal == Refusal(Code.INSURANCE_FORGONE, text, "5.3", {"patron": "patron"})
    assert (
        code(ask(TWICE, [("player", 100)], ("player_insurance", FOUR, 1), ("player_insurance", THIRD, 1))) == "settled"
    )
    assert (
        code(ask(TWICE, [("player", 100)], ("player_insurance", THIRD, 1), ("player_insurance", FOUR, 1))) == "settled"
    )


def test_whoever_had_no_offer_forgoes_nothing() -> None:
    """The first offer was on the Banker; a patron with wagers on both hands had it too."""
    taken = ("player_insurance", THIRD, 1)
    assert code(ask(TURNED, [("player", 100)], taken)) == "settled"
    assert code(ask(TURNED, [("player", 100), ("banker", 100)], taken)) == "insurance-forgone"


def test_one_patron_s_insurance_does_not_save_another_s() -> None:
    wagers = (Wager("player", 100, "ann"), Wager("player", 100, "bob"))
    early, late = Insured("player_insurance", FOUR, 1, "ann"), Insured("player_insurance", THIRD, 1, "bob")
    refusal = settle(TB, TB.layouts["A"], coup(TWICE), wagers, (early, late))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.message.split()[0]) == ("insurance-forgone", "bob")


def test_the_live_page_forgoes_nothing() -> None:
    assert code(ask(TWICE, [("player", 100)], ("player_insurance", THIRD, 1), rules=LIVE)) == "settled"


# P4: how much


def test_tiger_buffalo_insurance_is_at_most_the_original_bet_at_each_offer() -> None:
    wagers = [("player", 60), ("player", 40)]
    full = ("player_insurance", FOUR, 70), ("player_insurance", FOUR, 30), ("player_insurance", THIRD, 100)
    assert code(ask(TWICE, wagers, *full)) == "settled"
    over = ask(TWICE, wagers, *full[:2], ("player_insurance", THIRD, 100), ("player_insurance", THIRD, 1))
    text = "patron may stake at most 0.00 more on player_insurance after player-third"
    assert over == Refusal(Code.INSURANCE_OVER_LIMIT, text, "3.12.2", {**INSURED, "room": "0.00"})
    over = ask(TWICE, wagers, ("player_insurance", FOUR, 70), ("player_insurance", FOUR, 31))
    text = "patron may stake at most 0.30 more on player_insurance after four-cards"
    assert over == Refusal(Code.INSURANCE_OVER_LIMIT, text, "3.12.2", {**INSURED, "room": "0.30"})


@pytest.mark.parametrize(
    ("limits", "most"),
    [
        (Limits(), 100_00),
        (Limits(maximum_cents=200_00), 50_00),
        (Limits(maximum_cents=199_99), 49_99),  # a quarter is 49.9975, rounded down
        (Limits(maximum_differential_cents=10_03), 2_50),  # 2.5075
        (Limits(maximum_cents=200_00, maximum_differential_cents=10_00), 50_00),  # the maximum comes first
        (Limits(maximum_cents=1000_00), 100_00),  # the Original Bet binds
        (Limits(maximum_cents=400_00, player_maximum_cents=200_00, banker_maximum_cents=300_00), 50_00),  # Player's own
        (Limits(maximum_cents=3), 0),
    ],
)
def test_a_quarter_of_the_maximum_at_ten_to_one(limits: Limits, most: int) -> None:
    early = ("player_insurance", FOUR, 100_00)  # at 3 to 2, where only the Original Bet binds
    for stake, expected in ((most, "settled"), (most + 1, "insurance-over-limit")):
        if stake:
            answer = ask(TWICE, [("player", 100_00)], early, ("player_insurance", THIRD, stake), limits=limits)
            assert code(answer) == expected, stake
    if most > 1:
        parts = [("player_insurance", THIRD, 1), ("player_insurance", THIRD, most - 1), ("player_insurance", THIRD, 1)]
        assert code(ask(TWICE, [("player", 100_00)], early, *parts[:2], limits=limits)) == "settled"
        assert code(ask(TWICE, [("player", 100_00)], early, *parts, limits=limits)) == "insurance-over-limit"


def test_live_winnings_are_at_most_the_original_bet_over_the_whole_round() -> None:
    """W6: 666.66 at 3 to 2 could win 999.99; one cent more could win 1,000.005, which is too much."""

    def live(*taken: tuple[str, Moment, int]) -> str:
        return code(ask(TWICE, [("player", 1000_00)], *taken, rules=LIVE))

    assert live(("player_insurance", FOUR, 666_66)) == "settled"
    assert live(("player_insurance", FOUR, 666_67)) == "insurance-over-limit"
    # Two stakes at one offer are one.
    assert live(("player_insurance", FOUR, 300_00), ("player_insurance", FOUR, 366_66)) == "settled"
    assert live(("player_insurance", FOUR, 300_00), ("player_insurance", FOUR, 366_67)) == "insurance-over-limit"
    assert live(("player_insurance", THIRD, 100_00)) == "settled"
    assert live(("player_insurance", THIRD, 100_01)) == "insurance-over-limit"
    # 400.00 at 3 to 2 could win 600.00 and leaves 400.00 for the second offer: 40.00 at 10 to 1.
    assert live(("player_insurance", FOUR, 400_00), ("player_insurance", THIRD, 40_00)) == "settled"
    assert live(("player_insurance", THIRD, 40_01), ("player_insurance", FOUR, 400_00)) == "insurance-over-limit"
    # The exact product counts: what is left after 666.65 is 2.5 cents, not enough for one at 10 to 1.
    assert live(("player_insurance", FOUR, 666_65), ("player_insurance", THIRD, 1)) == "insurance-over-limit"
    assert live(("player_insurance", FOUR, 666_60), ("player_insurance", THIRD, 1)) == "settled"


def test_the_live_limit_names_its_paragraph_and_the_room_left() -> None:
    refusal = ask(TWICE, [("player", 1000_00)], ("player_insurance", FOUR, 700_00), rules=LIVE)
    text = "patron may stake at most 666.66 more on player_insurance after four-cards"
    assert refusal == Refusal(Code.INSURANCE_OVER_LIMIT, text, "5.4", {**INSURED, "room": "666.66"})


@pytest.mark.parametrize(
    ("text", "bet", "lines"),
    [
        (TWICE, "player", [("returned", None, "4.2.1"), ("won", Fraction(10), "4.2.1.a")]),  # 9 v 9
        ("KH 5D 4C v QS 4C AS", "player", [("lost", None, "4.1.15"), ("lost", None, "4.1.15")]),  # 9 v 5
        ("KH 3D 7C v QS 4C 6S", "banker", [("returned", None, "4.2.1"), ("won", Fraction(10), "4.2.1.b")]),  # 0 v 0
    ],
)
def test_a_tie_is_returned_unless_it_is_one_of_two(text: str, bet: str, lines: list[object]) -> None:
    """P5: what was placed after four cards goes back, what was placed on the starred rows is paid."""
    taken = [(f"{bet}_insurance", after, 100) for after in (FOUR, THIRD)]
    slip = ask(text, [(bet, 100)], *taken)
    assert isinstance(slip, Slip)
    assert [(line.result, line.odds, line.paragraph) for line in slip.lines[1:]] == lines
