"""Sections 2.1, 2.2 and 3.2 of Tiger Buffalo: which layouts, how many decks, what a card counts; 3.7: which bets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType

import msgspec
import pytest

from punto.codes import Code
from punto.game import coup as coups
from punto.game import record, settlement
from punto.game.coup import Coup
from punto.game.explain import explain
from punto.game.refusals import Refusal, refuse
from punto.game.settlement import Slip, Wager
from punto.rulebook.model import Bet, BetRule, Case, Layout, PayRow, Rulebook
from tests.rules.breaking import card, code, decks, off_layout, replace, with_layout, without_layout
from tests.rules.coups import coup
from tests.rules.printed import BETS, LAYOUTS
from tests.rules.printed_pays import PAYS
from tests.rules.proving import Break, proves

Refused = tuple[str | None, str | None]


def refused(rules: Rulebook, **changed: object) -> Refused:
    """The code and the paragraph with which a record of one wager is refused; both are None where it is settled."""
    wager = {"bet": "player", "stake": "10.00"}
    fields = {"game": "g", "layout": "A", "player": ["KH", "7D"], "banker": ["KS", "6C"], "wagers": [wager]}
    answer, _ = record.settle_in_full(msgspec.json.encode(fields | changed), lambda *_: (rules, None))
    error = msgspec.json.decode(answer).get("error", {})
    return error.get("code"), error.get("paragraph")


SETTLED: Refused = (None, None)


@proves("layout.which", broken_by=(without_layout("K"), with_layout("R"), with_layout("Z")))
def only_the_printed_layouts(rules: Rulebook) -> None:
    for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        expected = SETTLED if name in LAYOUTS[rules.id] else ("unknown-layout", "2.1.1")
        assert refused(rules, layout=name) == expected, name


@proves(
    "cards.decks",
    broken_by=(
        decks(3, 4, 5, 6, 7, 8, 9, 10),
        decks(4, 5, 6, 7, 8, 9),
        decks(4, 5, 6, 8, 9, 10),
        code(coups, "check_decks", lambda rules, cards, number: None),
    ),
)
def four_to_ten_decks(rules: Rulebook) -> None:
    """Four to ten decks are allowed, and each card is there as often as there are decks."""
    for number in range(13):
        assert refused(rules, decks=number) == (SETTLED if 4 <= number <= 10 else ("bad-record", "2.2.1")), number
    five_kings = {"player": ["KH", "KH", "KH"], "banker": ["KH", "KH", "2S"]}
    assert refused(rules, decks=5, **five_kings) == SETTLED
    assert refused(rules, decks=4, **five_kings) == ("too-many-of-a-card", "2.2.1")


# What a card counts


def counts(rank: str) -> int:
    """The points of a card of this rank, which are the same in each suit."""
    points = {coup(f"{rank}{suit} QD v KS 7C").player_points for suit in "SHDC"}
    assert len(points) == 1
    return points.pop()


@proves("card.values", broken_by=(card("A", 2), card("7", 8), card("Q", 5)))
def values(rules: Rulebook) -> None:
    """The values of ace, pips and pictures together, and the paragraph that is cited for counting a hand."""
    assert [coup(f"{rank}H KD v QS 7C").player_points for rank in "A23456789TJQK"] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        0,
        0,
        0,
        0,
    ]
    steps = [(step.text, step.paragraph) for step in explain(rules, coup("AH 6D v QS 7C"))]
    assert ("Player has 7, Banker has 7", "3.2") in steps


@proves("card.ace", broken_by=(card("A", 2), card("A", 0)))
def ace(rules: Rulebook) -> None:
    assert coup("AH 6D v QS 7C").player_points == 7
    assert coup("AH AD v QS 7C").player_points == 2
    assert slip_says(rules, "AH KD 5C v KS 7C", (6, 7))


@proves("card.pips", broken_by=(*(card(str(pips), pips + 1) for pips in range(2, 10)), card("T", 1)))
def pips(rules: Rulebook) -> None:
    """A ten counts 10, of which only the second digit remains."""
    assert [counts(rank) for rank in "23456789T"] == [2, 3, 4, 5, 6, 7, 8, 9, 0]
    assert slip_says(rules, "TH 9D v TS 8C", (9, 8))


@proves("card.picture", broken_by=(card("J", 1), card("Q", 1), card("K", 1)))
def pictures(rules: Rulebook) -> None:
    assert [counts(rank) for rank in "JK"] == [0, 0]
    assert slip_says(rules, "QH JD 9C v KS QC 8H", (9, 8))


def slip_says(rules: Rulebook, text: str, points: tuple[int, int]) -> bool:
    """Whether the slip has these points."""
    slip = settlement.settle(rules, rules.layouts["A"], coup(text), (Wager("player", 10_00),))
    return isinstance(slip, Slip) and (slip.player_points, slip.banker_points) == points


# Which bets


def also_bet(bet: str) -> Break:
    """A bet that the document does not list lies on every layout."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        row = PayRow(case=Case.FOUR_CARDS, odds=Fraction(1), printed="1 to 1", cite="3.7")
        rule = BetRule(bet=Bet(bet), name=bet, main=False, cite="3.7", pays=(row,))
        layouts = {name: replace(layout, bets=(*layout.bets, Bet(bet))) for name, layout in rules.layouts.items()}
        bets = MappingProxyType(dict(rules.bets) | {Bet(bet): rule})
        return replace(rules, bets=bets, layouts=MappingProxyType(layouts))

    return broken


def _needs_a_main_bet(real: Callable[..., Slip | Refusal]) -> Callable[..., Slip | Refusal]:
    def settle(
        rules: Rulebook, layout: Layout, dealt: Coup, wagers: tuple[Wager, ...], *rest: object
    ) -> Slip | Refusal:
        if not any(wager.bet in ("player", "banker") for wager in wagers):
            return refuse(Code.NO_ORIGINAL_BET, "side bets need a main bet")
        return real(rules, layout, dealt, wagers, *rest)

    return settle


@proves(
    "bets.which",
    broken_by=(
        also_bet("big"),
        off_layout("wu_dalang", "F"),
        off_layout("player", "A"),
        code(settlement, "settle", _needs_a_main_bet(settlement.settle)),
    ),
)
def which_bets(rules: Rulebook) -> None:
    """Exactly the listed bets can be placed, each by itself, where its pay table is applicable."""
    applicable = {row.bet: row.layouts for row in PAYS[rules.id]}
    assert sorted(applicable) == sorted(BETS[rules.id])
    for name, layout in rules.layouts.items():
        for bet in [*Bet, "no_such_bet"]:
            answer = settlement.settle(rules, layout, coup("KH 7D v KS 6C"), (Wager(bet, 10_00),))
            if name in applicable.get(bet, ()):
                assert isinstance(answer, Slip), f"{bet} on {name}"
            else:
                assert isinstance(answer, Refusal), f"{bet} on {name}"
                assert answer.code == ("bet-not-on-layout" if bet in set(Bet) else "unknown-bet")
                assert bet in BETS[rules.id] or answer.paragraph == "3.7"
