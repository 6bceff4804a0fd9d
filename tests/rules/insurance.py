"""Insurance, who and when and how much: 3.11, 3.12, 3.12.1, 3.12.2 of Tiger Buffalo; Live 5.2, 5.3, 5.4."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from punto.game import insurance, settlement
from punto.game.explain import explain
from punto.game.insurance import Offer, maximum_stake_cents, offer
from punto.game.refusals import Refusal
from punto.game.settlement import Limits, Slip
from punto.rulebook.model import Insurance, Moment, Rulebook, Side
from tests.rules.breaking import card_due, code, insurance_limit, insurance_rows, insurance_rule, replace
from tests.rules.coups import coup, insure
from tests.rules.printed import NUMBERS
from tests.rules.proving import Break, proves

FOUR, THIRD = Moment.FOUR_CARDS, Moment.PLAYER_THIRD
PLAYER, BANKER = "player_insurance", "banker_insurance"


@proves(
    "insurance.right",
    broken_by=(
        code(settlement, "_check_right", lambda *_: None),
        code(
            insurance,
            "result",
            lambda rules, open_offer, winner: (
                "won" if winner == open_offer.bet.side else "lost",
                open_offer.paragraph,
            ),
        ),
    ),
)
def right_to_insure(rules: Rulebook) -> None:
    """Whoever has a wager on a hand may insure that hand, and nobody else; insurance pays when that hand loses."""
    dealt = "KH 7D v KS 5C 4H"
    slip = insure(rules, dealt, (PLAYER, FOUR, 20_00), on=(("player", 100_00),))
    assert isinstance(slip, Slip)
    assert [(line.bet, line.result, line.winnings_cents) for line in slip.lines] == [
        ("player", "lost", 0),
        (PLAYER, "won", 80_00),
    ]
    for wagers in ((("banker", 100_00),), (("tie", 100_00),), ()):
        refused = insure(rules, dealt, (PLAYER, FOUR, 20_00), on=wagers)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.paragraph) == ("no-original-bet", NUMBERS[rules.id]["insurance.right"])
    kept = insure(rules, "KH 7D v KS 5C KC", (PLAYER, FOUR, 20_00), on=(("player", 100_00),))
    assert isinstance(kept, Slip)
    assert kept.lines[-1].result == "lost"


@proves("insurance.both-hands", broken_by=insurance_rule(both_hands="each"))
def both_hands_none(rules: Rulebook) -> None:
    """Live: a patron with wagers on both hands is offered no insurance."""
    both = (("player", 100_00), ("banker", 1_00))
    refused = insure(rules, "KH 7D v KS 5C 4H", (PLAYER, FOUR, 20_00), on=both)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.paragraph) == ("no-such-offer", "5.2")


def _gone(after: Moment, *bets: Insurance) -> Break:
    return insurance_rows(lambda row: None if row.after is after and row.bet in (bets or set(Insurance)) else row)


@proves(
    "insurance.when", broken_by=(_gone(FOUR), _gone(THIRD), insurance_rows(lambda row: replace(row, odds=Fraction(3))))
)
def two_moments(rules: Rulebook) -> None:
    """Insurance is offered after four cards and after the third card of Player, with the odds shown."""
    shown = [step.text for step in explain(rules, coup("KH 5D 4C v KS 4C 3H"))]
    assert [text for text in shown if "insurance" in text] == [
        "Player insurance is offered at 3 to 2",
        "Player insurance is offered at 10 to 1",
    ]
    assert not [step for step in explain(rules, coup("KH 8D v KS 4C")) if "insurance" in step.text]


@proves(
    "insurance.situations",
    broken_by=(
        _gone(FOUR, Insurance.PLAYER),
        _gone(THIRD, Insurance.PLAYER),
        _gone(FOUR, Insurance.BANKER),
        _gone(THIRD, Insurance.BANKER),
        card_due(lambda due: due or Side.BANKER),
    ),
)
def situations(rules: Rulebook) -> None:
    """Player is insured on two or three cards, Banker on its own two (P2), as long as a card is due by the rules."""
    for after, text, bet in (
        (FOUR, "KH 7D v KS 5C", PLAYER),
        (THIRD, "KH 2D 6C v KS 6C", PLAYER),
        (FOUR, "KH 5D v KS 7C", BANKER),
        (THIRD, "KH 4D 6C v KS 5C", BANKER),
    ):
        open_offer = offer(rules, after, coup(text))
        assert open_offer is not None, text
        assert open_offer.bet == bet, text
    for text in ("KH 2D 5C v KS 6C", "KH 2D 8C v KS 3C", "KH 4D 5C v KS 7C"):
        assert offer(rules, THIRD, coup(text)) is None, text


@proves(
    "insurance.four-cards",
    broken_by=(
        card_due(lambda due: None if due is Side.BANKER else due),
        card_due(lambda due: None if due is Side.PLAYER else due),
        _gone(FOUR),
    ),
)
def first_moment(rules: Rulebook) -> None:
    """Live 5.3.1: insurance is offered after four cards if Player, Banker or both are due a third card."""
    for text, bet in (("KH 7D v KS 5C", PLAYER), ("KH 5D v KS 7C", BANKER), ("KH 5D v KS 4C", PLAYER)):
        open_offer = offer(rules, FOUR, coup(text))
        assert open_offer is not None, text
        assert open_offer.bet == bet
    for text in ("KH 8D v KS 5C", "KH 6D v KS 9C", "KH 7D v KS 6C"):
        assert offer(rules, FOUR, coup(text)) is None


@proves("insurance.player-third", broken_by=(card_due(lambda due: due or Side.BANKER), _gone(THIRD)))
def second_moment(rules: Rulebook) -> None:
    """Live 5.3.2: insurance is offered after the Player's third card if Banker is due one."""
    for text in ("KH AD 6C v KS 6C", "KH 4D 5C v KS 3C"):
        assert offer(rules, THIRD, coup(text)) is not None, text
    for text in ("KH 2D 5C v KS 6C", "KH AD 8C v KS 3C", "KH 7D v KS 5C"):
        assert offer(rules, THIRD, coup(text)) is None, text


# Limits


def over_limit(rules: Rulebook, *taken: tuple[str, Moment, int], limits: Limits | None = None) -> bool:
    """Whether insurance is refused as too much for 100.00 on Player; 3 to 2 after four cards, then 10 to 1."""
    answer = insure(rules, "KH 5D 4C v KS 4C 3H", *taken, on=(("player", 100_00),), limits=limits)
    if isinstance(answer, Slip):
        return False
    assert (answer.code, answer.paragraph) == ("insurance-over-limit", NUMBERS[rules.id]["insurance.stake-limit"])
    return True


@proves(
    "insurance.stake-limit",
    broken_by=(
        insurance_limit(binds="winnings"),
        insurance_limit(share_of_maximum=None),
        insurance_limit(share_of_maximum=Fraction(1, 2)),
        insurance_limit(at_odds=Fraction(3, 2)),
    ),
    game="tiger-buffalo",
)
def stakes_within_the_original_bet(rules: Rulebook) -> None:
    """At each offer the Original Bet is the limit; at 10 to 1 also 25 % of the maximum or maximum Differential (P4)."""
    whole = (PLAYER, FOUR, 100_00)
    assert not over_limit(rules, whole, (PLAYER, THIRD, 100_00))
    assert over_limit(rules, (PLAYER, FOUR, 100_01))
    assert over_limit(rules, (PLAYER, FOUR, 60_00), (PLAYER, FOUR, 40_01))
    assert over_limit(rules, whole, (PLAYER, THIRD, 100_01))
    for limits in (Limits(maximum_cents=300_03), Limits(maximum_differential_cents=300_03)):
        assert not over_limit(rules, whole, (PLAYER, THIRD, 75_00), limits=limits)
        assert over_limit(rules, whole, (PLAYER, THIRD, 75_01), limits=limits)


def _forgets_earlier(real: Callable[..., int]) -> Callable[..., int]:
    def maximum(rules: Rulebook, open_offer: Offer, original_cents: int, **options: object) -> int:
        return real(rules, open_offer, original_cents, **{**options, "could_win": Fraction(0)})

    return maximum


@proves(
    "insurance.stake-limit",
    broken_by=(
        insurance_limit(binds="stake"),
        code(insurance, "maximum_stake_cents", _forgets_earlier(maximum_stake_cents)),
    ),
    game="live",
)
def winnings_within_the_original_bet(rules: Rulebook) -> None:
    """All insurance of the round together could win no more than the wager on the hand (W6)."""
    assert not over_limit(rules, (PLAYER, FOUR, 66_66))
    assert over_limit(rules, (PLAYER, FOUR, 66_67))
    assert not over_limit(rules, (PLAYER, THIRD, 10_00))
    assert over_limit(rules, (PLAYER, THIRD, 10_01))
    assert not over_limit(rules, (PLAYER, FOUR, 40_00), (PLAYER, THIRD, 4_00))
    assert over_limit(rules, (PLAYER, FOUR, 40_00), (PLAYER, THIRD, 4_01))
