"""Section 1 of Tiger Buffalo, the words that are no side bet; Live 1.2, 5.1 and 6.1.

Table of Play, bet, hand, insurance, natural, non-commission, Original Bet, Point Total, tie.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import msgspec

from punto.cards import Card, cards
from punto.game import coup as coups
from punto.game import record, settlement
from punto.game.insurance import offer
from punto.game.refusals import Refusal
from punto.game.settlement import Line, Slip, Verdict, Wager
from punto.rulebook.model import Case, Moment, Rulebook, Side
from tests.rules.breaking import card_due, code, counted, insurance_rows, never, odds, play, replace, unpaid
from tests.rules.coups import BOOK, coup, insure, line, where, won
from tests.rules.printed import NUMBERS
from tests.rules.proving import proves

FOUR, THIRD = Moment.FOUR_CARDS, Moment.PLAYER_THIRD


@proves("define.table-of-play", broken_by=code(coups, "wrong", lambda rules, dealt: None))
def table_of_play_is_mandatory(rules: Rulebook) -> None:
    """The Table of Play binds: a hand that skips a card that is due, or takes one that is not, is refused."""
    for example in BOOK:
        assert coups.check(rules, example.coup) is None, example.coup
    for text in ("KH 5D v KS 7C", "KH 6D 2C v KS 7C", "KH 6D v KS 5C", "KH 8D v KS 2C 3H", "KH 2D 8C v KS 3C 4H"):
        refused = coups.check(rules, coup(text))
        assert refused is not None, text
        assert (refused.code, refused.paragraph) == ("table-of-play", "3.15")


def _half_of_it(real: Callable[[Wager, Verdict], Line]) -> Callable[[Wager, Verdict], Line]:
    return lambda wager, verdict: real(replace(wager, stake_cents=wager.stake_cents // 2), verdict)


@proves("define.bet", broken_by=code(settlement, "line", _half_of_it(settlement.line)))
def bet_is_wager(rules: Rulebook) -> None:
    """A bet is a wager: each wager of a record comes back as one line with its bet and its stake."""
    wagers = [{"id": at, "bet": bet, "stake": "100.00"} for at, bet in enumerate(("player", "tie", "player"))]
    fields = {"game": "g", "layout": "A", "player": ["KH", "7D"], "banker": ["KS", "6C"], "wagers": wagers}
    answer, good = record.settle_in_full(msgspec.json.encode(fields), lambda *_: (rules, None))
    assert good
    slip = msgspec.json.decode(answer)
    assert [(slip_line["id"], slip_line["bet"], slip_line["stake"]) for slip_line in slip["lines"]] == [
        (0, "player", "100.00"),
        (1, "tie", "100.00"),
        (2, "player", "100.00"),
    ]
    assert slip["staked"] == "300.00"


@proves("define.hand", broken_by=counted(lambda hand: sum(card.points for card in hand[:2]) % 10))
def hand_is_all_its_cards(rules: Rulebook) -> None:
    """A hand is every card dealt to it in the round, the third one too, and no other card."""
    dealt, left = coups.deal(rules.table_of_play, cards("KH KS 2D 3C 4C 6H 9S"))
    assert dealt == coup("KH 2D 4C v KS 3C 6H")
    assert left == cards("9S")
    assert (dealt.player_points, dealt.banker_points) == (6, 9)
    assert line(rules, "banker", dealt).result == "won"


@proves(
    "define.insurance",
    broken_by=(
        card_due(lambda due: due or Side.BANKER),
        insurance_rows(lambda row: replace(row, odds=row.odds + 1)),
    ),
)
def insurance_is_offered_before_a_third_card(rules: Rulebook) -> None:
    """Insurance is offered at fixed odds, and only while a third card is still to come."""
    for after, text, pays in (
        (FOUR, "KH 7D v KS 5C", Fraction(4)),
        (FOUR, "KH 5D v KS 4C", Fraction(3, 2)),
        (THIRD, "KH AD 6C v KS 6C", Fraction(4)),
        (THIRD, "KH 4D 5C v KS 5C", Fraction(10)),
    ):
        open_offer = offer(rules, after, coup(text))
        assert open_offer is not None, text
        assert open_offer.odds == pays
        assert open_offer.paragraph == NUMBERS[rules.id]["insurance.table"]
    for after, text in ((THIRD, "KH 2D 5C v KS 6C"), (THIRD, "KH AD 8C v KS 3C"), (FOUR, "KH 8D v KS 5C")):
        assert offer(rules, after, coup(text)) is None, text


@proves("define.natural", broken_by=(play(naturals=(8,)), play(naturals=(9,)), play(naturals=(7, 8, 9))))
def natural(rules: Rulebook) -> None:
    """A natural is 8 or 9 on two cards, of either hand or both; then nobody draws. A 7 on two cards is none."""
    for text in ("KH 8D v KS 2C", "KH 9D v KS 2C", "KH 2D v KS 8C", "KH 2D v KS 9C", "KH 8D v KS 9C", "KH 9D v KS 9C"):
        dealt = coup(text)
        assert coups.next_side(rules.table_of_play, dealt.player, dealt.banker) is None, text
        assert coups.check(rules, dealt) is None
    for text, side in (("KH 7D v KS 5C", Side.BANKER), ("KH 2D v KS 7C", Side.PLAYER)):
        dealt = coup(text)
        assert coups.next_side(rules.table_of_play, dealt.player, dealt.banker) is side, text


@proves(
    "define.non-commission",
    broken_by=(
        odds("banker", Fraction(1), Case.BANKER_WINS_ON_6),
        odds("banker", Fraction(19, 20), Case.BANKER_WINS_ON_OTHER),
        unpaid("banker", Case.BANKER_WINS_ON_6),
    ),
    game="tiger-buffalo-non-commission",
)
def non_commission(rules: Rulebook) -> None:
    """Banker pays even money and no commission, but half of the stake when it wins on 6."""
    for example in BOOK:
        if example.banker_wins:
            settled = line(rules, "banker", example.coup, stake_cents=80_00)
            assert settled.winnings_cents == (40_00 if example.banker == 6 else 80_00), example.coup


def _tie_is_original(real: Callable[..., Refusal | None]) -> Callable[..., Refusal | None]:
    def check(rules: Rulebook, dealt: coups.Coup, wagers: tuple[Wager, ...], *rest: object) -> Refusal | None:
        counted_in = tuple(replace(wager, bet="player") if wager.bet == "tie" else wager for wager in wagers)
        return real(rules, dealt, counted_in, *rest)

    return check


@proves(
    "define.original-bet", broken_by=code(settlement, "check_insurance", _tie_is_original(settlement.check_insurance))
)
def original_bet(rules: Rulebook) -> None:
    """Only wagers in the boxes for Player and Banker are Original Bets; several on a hand add up (P4)."""
    taken = ("player_insurance", FOUR, 60_00)
    dealt = "KH 7D v KS 5C 2H"
    assert isinstance(insure(rules, dealt, taken, on=(("player", 60_00),)), Slip)
    assert isinstance(insure(rules, dealt, taken, on=(("player", 30_00), ("player", 30_00))), Slip)
    side_bet_only = insure(rules, dealt, taken, on=(("tie", 60_00),))
    assert isinstance(side_bet_only, Refusal)
    assert side_bet_only.code == "no-original-bet"
    too_little = insure(rules, dealt, taken, on=(("player", 30_00), ("tie", 60_00)))
    assert isinstance(too_little, Refusal)
    assert too_little.code == "insurance-over-limit"


def _capped(hand: tuple[Card, ...]) -> int:
    return min(9, sum(card.points for card in hand))


@proves(
    "define.point-total", broken_by=(counted(_capped), counted(lambda hand: sum(card.points for card in hand) // 10))
)
def point_total(rules: Rulebook) -> None:
    """The card values are added up; of a sum over 9 only the second digit counts."""
    for example in BOOK:
        assert (example.coup.player_points, example.coup.banker_points) == (example.player, example.banker), (
            example.coup
        )
    for text, player, banker in (("9H 9D v 5S 5C", 8, 0), ("7H 8D 9C v 6S 8C 9H", 4, 3), ("2H 3D v KS 7C", 5, 7)):
        assert (coup(text).player_points, coup(text).banker_points) == (player, banker)
    assert line(rules, "player", coup("9H 9D v 8S 9C")).result == "won"


@proves(
    "define.tie",
    broken_by=(
        never(Case.TIE, when=lambda o: o.player_cards != o.banker_cards),
        never(Case.TIE, when=lambda o: o.player_points == 0),
    ),
)
def tie(rules: Rulebook) -> None:
    """Equal points, whatever they are and however many cards made them."""
    assert {example.player for example in BOOK if example.tie} == set(range(10))
    assert won(rules, "tie") == where(lambda c: c.tie)
    assert all(example.coup.winner == "tie" for example in BOOK if example.tie)
