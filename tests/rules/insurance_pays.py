"""Insurance, what it pays: the insurance table of 4.1, and 4.2.1 with a and b, of Tiger Buffalo; Live 5.5 and 5.6."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from punto.game import insurance
from punto.game.coup import Coup
from punto.game.insurance import offer
from punto.game.settlement import Line, Slip
from punto.rulebook.model import InsuranceRow, Moment, Rulebook
from tests.rules.breaking import code, insurance_row, insurance_rows, insurance_rule, replace
from tests.rules.coups import coup, insure
from tests.rules.play import of
from tests.rules.printed import BANKER_DRAWS_ON, DRAWS_ALONE, INSURANCE, NUMBERS
from tests.rules.proving import Break, proves

FOUR, THIRD = Moment.FOUR_CARDS, Moment.PLAYER_THIRD
PLAYER, BANKER = "player_insurance", "banker_insurance"


# The table


def four_card_coups() -> Iterator[tuple[Coup, int, int, bool]]:
    """Points of both hands after four cards, and whether a card is still due."""
    for player in range(10):
        for banker in range(10):
            due = max(player, banker) < 8 and (player in DRAWS_ALONE or banker in DRAWS_ALONE)
            yield coup(f"KH {of(player)} v KS {of(banker)}"), player, banker, due


def five_card_coups() -> Iterator[tuple[Coup, int, int, bool]]:
    """The same after the third card of Player."""
    for two in DRAWS_ALONE:
        for third in range(10):
            for banker, draws_on in BANKER_DRAWS_ON.items():
                text = f"KH {of(two)} {of(third)} v KS {of(banker)}"
                yield coup(text), (two + third) % 10, banker, third in draws_on


def _also_on_4(row: InsuranceRow) -> InsuranceRow:
    return replace(row, player_points=(*row.player_points, 4))


@proves(
    "insurance.table",
    broken_by=(
        *(insurance_row(at, lambda row: None) for at in range(17)),
        *(insurance_row(at, lambda row: replace(row, odds=row.odds + Fraction(1, 2))) for at in range(17)),
        insurance_row(0, _also_on_4),
        insurance_row(3, _also_on_4),
        insurance_rows(lambda row: replace(row, banker_points=row.banker_points[1:])),
        insurance_rows(lambda row: replace(row, cite="3.11")),
    ),
)
def table(rules: Rulebook) -> None:
    """Every pair of points at both moments: the printed odds while a card is due, and no offer elsewhere."""
    for after, dealt in ((FOUR, four_card_coups()), (THIRD, five_card_coups())):
        for cards, player, banker, due in dealt:
            open_offer = offer(rules, after, cards)
            bet, odds = INSURANCE.get((after.value, player, banker), ("", Fraction(0))) if due else ("", Fraction(0))
            assert (open_offer.bet if open_offer else "") == bet, f"{cards} after {after}"
            if open_offer:
                assert open_offer.odds == odds, f"{cards} after {after}"
                assert open_offer.paragraph == NUMBERS[rules.id]["insurance.table"]


# Settlement


def settled(rules: Rulebook, bet: str, after: Moment, dealt: Coup) -> Line:
    """A line for 1.00 of insurance taken at this moment; an earlier offer on the hand was taken too (5.3)."""
    hand = bet.partition("_")[0]
    first = offer(rules, FOUR, dealt)
    moments = [FOUR] if after is THIRD and first is not None and first.bet == bet else []
    slip = insure(rules, dealt, *((bet, moment, 1_00) for moment in (*moments, after)), on=((hand, 100_00),))
    assert isinstance(slip, Slip), f"{bet} after {after}, {dealt}: {slip}"
    return slip.lines[-1]


def _ends_after_third() -> Iterator[tuple[Coup, int, int, int]]:
    """For each pair of points with an offer after the third card: one such coup, ended by each card of Banker."""
    for (moment, player, banker), _ in INSURANCE.items():
        if moment == "player-third":
            two = next(two for two in DRAWS_ALONE if (player - two) % 10 in BANKER_DRAWS_ON[banker])
            for last in range(10):
                text = f"KH {of(two)} {of((player - two) % 10)} v KS {of(banker)} {of(last)}"
                yield coup(text), player, banker, (banker + last) % 10


ENDS_AFTER_THIRD = tuple(_ends_after_third())
"""The coup, the points at the offer, and what Banker ends on."""


# Ties


def _star(star: Callable[[InsuranceRow], bool], cite: str | None) -> Break:
    return insurance_rows(lambda row: replace(row, tie_cite=cite) if star(row) else row)


@proves(
    "insurance.tie",
    broken_by=(
        code(insurance, "_tied", lambda rules, open_offer: ("lost", "4.2.1")),
        _star(lambda row: row.after is THIRD and row.player_points == (8,), "4.2.1.a"),
        _star(lambda row: row.after is FOUR, "4.2.1.a"),
        insurance_rule(tie_returned="3.11"),
    ),
)
def tie_returns_insurance(rules: Rulebook) -> None:
    """Insurance is paid when its hand loses, lost when it wins, returned on a tie; ties at 9 and at 0 are left out."""
    for dealt, player, banker, end in ENDS_AFTER_THIRD:
        bet, odds = INSURANCE["player-third", player, banker]
        line = settled(rules, bet, THIRD, dealt)
        insured, other = (player, end) if bet == PLAYER else (end, player)
        if insured < other:
            expected = ("won", int(1_00 * odds), NUMBERS[rules.id]["insurance.table"])
        elif insured > other:
            expected = ("lost", 0, NUMBERS[rules.id]["insurance.table"])
        elif (bet, player) in ((PLAYER, 9), (BANKER, 0)):
            continue
        else:
            expected = ("returned", 0, NUMBERS[rules.id]["insurance.tie"])
        assert (line.result, line.winnings_cents, line.paragraph) == expected, dealt
    for text, bet in (("KH 5D 4C v KS 4C 5H", PLAYER), ("KH 7D v KS 5C 2H", PLAYER), ("KH KD 4C v KS 5C 9H", BANKER)):
        line = settled(rules, bet, FOUR, coup(text))
        assert (line.result, line.handed_back_cents) == ("returned", 1_00), text
        assert line.paragraph == NUMBERS[rules.id]["insurance.tie"]


def tie_is_paid(rules: Rulebook, bet: str, points: int, topic: str) -> None:
    ties = [dealt for dealt, player, _, end in ENDS_AFTER_THIRD if player == end == points]
    assert len(ties) >= 6, "one for each row of points"
    for dealt in ties:
        line = settled(rules, bet, THIRD, dealt)
        assert (line.result, line.winnings_cents, line.handed_back_cents) == ("won", 10_00, 11_00), dealt
        assert line.paragraph == NUMBERS[rules.id][topic]


@proves("insurance.tie-at-9", broken_by=_star(lambda row: row.player_points == (9,), None))
def tie_at_nine_is_paid(rules: Rulebook) -> None:
    tie_is_paid(rules, PLAYER, 9, "insurance.tie-at-9")


@proves("insurance.tie-at-0", broken_by=_star(lambda row: row.after is THIRD and row.player_points == (0,), None))
def tie_at_nought_is_paid(rules: Rulebook) -> None:
    tie_is_paid(rules, BANKER, 0, "insurance.tie-at-0")
