"""Settlement: what every wager of a finished coup comes to, with a paragraph on every line.

Bets are looked up in a table compiled once per edition from the readable cases of `outcome`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Final

import msgspec

from punto import money
from punto.codes import Code
from punto.game import insurance as insured
from punto.game.coup import Coup
from punto.game.outcome import Outcome, all_outcomes, holds, outcome_of
from punto.game.refusals import Refusal, named, refuse
from punto.rulebook.model import Bet, BetRule, Insurance, Layout, Moment, Rulebook, Side

ONE_PATRON: Final = "patron"


class Wager(msgspec.Struct, frozen=True):
    """One patron's stake on a bet. `found`: its chips were found after the close (D4), so no offer was made on it."""

    bet: str
    stake_cents: int
    patron: str = ONE_PATRON
    id: object = None
    found: bool = False


class Insured(msgspec.Struct, frozen=True):
    """One patron's insurance stake, and the moment at which it was taken."""

    bet: str
    after: Moment
    stake_cents: int
    patron: str = ONE_PATRON
    id: object = None


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The table's figures that settlement needs: they cap insurance at 10 to 1 (3.12.2)."""

    maximum_cents: int | None = None
    maximum_differential_cents: int | None = None
    player_maximum_cents: int | None = None
    banker_maximum_cents: int | None = None

    def table_maximum_cents(self, side: Side) -> int | None:
        """P4: the maximum on that hand, or the maximum Differential where there is none."""
        own = self.player_maximum_cents if side is Side.PLAYER else self.banker_maximum_cents
        maxima = (own, self.maximum_cents, self.maximum_differential_cents)
        return next((cents for cents in maxima if cents is not None), None)


class Verdict(msgspec.Struct, frozen=True):
    """What a bet comes to: won, lost or returned; odds only when won."""

    result: str
    odds: Fraction | None
    paragraph: str


class Line(msgspec.Struct, frozen=True):
    """One wager settled."""

    id: object
    patron: str
    bet: str
    result: str
    stake_cents: int
    odds: Fraction | None
    winnings_cents: int
    handed_back_cents: int
    paragraph: str


class Slip(msgspec.Struct, frozen=True):
    """A round settled."""

    winner: str
    player_points: int
    banker_points: int
    lines: tuple[Line, ...]
    staked_cents: int
    handed_back_cents: int


PayTable = dict[Outcome, dict[str, Verdict]]


@lru_cache(maxsize=64)
def pay_table(rules: Rulebook) -> PayTable:
    """Every outcome that can happen → what each bet of the edition comes to."""
    return {
        outcome: {rule.bet.value: verdict(rule, outcome) for rule in rules.bets.values()}
        for outcome in all_outcomes(rules.table_of_play)
    }


def verdict(rule: BetRule, outcome: Outcome) -> Verdict:
    """One bet on one outcome, straight from its pay rows (M3: a lost line names the bet's pay table)."""
    if outcome.lead == 0 and rule.returned_on_tie is not None:
        return Verdict("returned", None, rule.returned_on_tie)
    for row in rule.pays:
        if holds(row.case, outcome):
            return Verdict("won", row.odds, row.cite)
    return Verdict("lost", None, rule.cite)


def settle(
    rules: Rulebook,
    layout: Layout,
    coup: Coup,
    wagers: tuple[Wager, ...],
    insurance: tuple[Insured, ...] = (),
    limits: Limits = Limits(),  # noqa: B008 (frozen: one default for all is safe)
) -> Slip | Refusal:
    """Settle a finished, rightly dealt coup (`coup.check` first). The whole record is refused for one bad wager."""
    verdicts = pay_table(rules)[outcome_of(coup)]
    lines = []
    for wager in wagers:
        verdict = verdicts.get(wager.bet)
        if verdict is None or wager.bet not in layout.bets:
            return not_offered(rules, layout, wager.bet)
        lines.append(line(wager, verdict))
    if insurance:
        refusal = check_insurance(rules, coup, wagers, insurance, limits)
        if refusal is not None:
            return refusal
        lines += [line(taken, _insurance_verdict(rules, coup, taken)) for taken in insurance]
    return Slip(
        coup.winner,
        coup.player_points,
        coup.banker_points,
        tuple(lines),
        sum([line.stake_cents for line in lines]),
        sum([line.handed_back_cents for line in lines]),
    )


def not_offered(rules: Rulebook, layout: Layout, bet: str) -> Refusal:
    """Why a bet can't be placed on this layout."""
    here = ", ".join(layout.bets)
    if bet not in set(Bet):
        kind = "insurance goes under `insurance`; " if bet in set(Insurance) else ""
        text = f"{named(bet)} is no bet: {kind}expected one of {here}"
        return refuse(Code.UNKNOWN_BET, text, rules.paragraph("bets.which"), bet=bet)
    rule = rules.bets.get(Bet(bet))
    paragraph = rules.paragraph("bets.which") if rule is None else rule.cite
    text = f"{bet} is not on layout {layout.id}: expected one of {here}"
    return refuse(Code.BET_NOT_ON_LAYOUT, text, paragraph, bet=bet, layout=layout.id)


def unknown_layout(rules: Rulebook, name: str) -> Refusal:
    """There is no such layout in this edition."""
    text = f"there is no layout {named(name)}: expected one of {' '.join(rules.layouts)}"
    return refuse(Code.UNKNOWN_LAYOUT, text, rules.paragraph("layout.which"), layout=name)


def line(wager: Wager | Insured, verdict: Verdict) -> Line:
    """A wager and what its bet came to, as money."""
    stake = wager.stake_cents
    won = money.winnings_cents(stake, verdict.odds) if verdict.odds is not None else 0
    back = 0 if verdict.result == "lost" else stake + won
    return Line(wager.id, wager.patron, wager.bet, verdict.result, stake, verdict.odds, won, back, verdict.paragraph)


def _insurance_verdict(rules: Rulebook, coup: Coup, wager: Insured) -> Verdict:
    offered = insured.offer(rules, wager.after, coup)
    assert offered is not None, "insurance is checked before it is settled"
    result, paragraph = insured.result(rules, offered, coup.winner)
    return Verdict(result, offered.odds if result == "won" else None, paragraph)


def check_insurance(
    rules: Rulebook, coup: Coup, wagers: tuple[Wager, ...], insurance: tuple[Insured, ...], limits: Limits
) -> Refusal | None:
    """P2–P4, P6: whether every insurance stake had an offer, a right to it and room under the limit."""
    original: Counter[tuple[str, str]] = Counter()
    known: set[tuple[str, str]] = set()
    for wager in wagers:
        original[wager.patron, wager.bet] += wager.stake_cents
        if not wager.found:
            known.add((wager.patron, wager.bet))
    staked: Counter[tuple[str, str, Moment]] = Counter()
    could_win: dict[tuple[str, str], Fraction] = {}
    for taken in sorted(insurance, key=lambda later: later.after is Moment.PLAYER_THIRD):
        refusal = _check_right(rules, coup, original, taken) or _forgone(rules, coup, known, insurance, taken)
        if refusal is not None:
            return refusal
        offered = insured.offer(rules, taken.after, coup)
        assert offered is not None, "_check_right saw the offer"
        most = insured.maximum_stake_cents(
            rules,
            offered,
            original[taken.patron, offered.bet.side],
            staked_cents=staked[taken.patron, taken.bet, taken.after],
            could_win=could_win.get((taken.patron, taken.bet), Fraction(0))
            - staked[taken.patron, taken.bet, taken.after] * offered.odds,
            table_maximum_cents=limits.table_maximum_cents(offered.bet.side),
        )
        if taken.stake_cents > most:
            text = f"{taken.patron} may stake at most {money.amount(most)} more on {taken.bet} after {taken.after}"
            cite, room = rules.insurance.limit.cite, money.amount(most)
            return refuse(Code.INSURANCE_OVER_LIMIT, text, cite, patron=taken.patron, bet=taken.bet, room=room)
        staked[taken.patron, taken.bet, taken.after] += taken.stake_cents
        could_win[taken.patron, taken.bet] = (
            could_win.get((taken.patron, taken.bet), Fraction(0)) + taken.stake_cents * offered.odds
        )
    return None


def _check_right(rules: Rulebook, coup: Coup, original: Counter[tuple[str, str]], taken: Insured) -> Refusal | None:
    """Whether this patron had this offer."""
    if taken.bet not in set(Insurance):
        text = f"{named(taken.bet)} is no insurance: expected player_insurance or banker_insurance"
        return refuse(Code.UNKNOWN_BET, text, rules.insurance.right_cite, bet=taken.bet)
    side = Insurance(taken.bet).side
    if not original[taken.patron, side]:
        text = f"{taken.patron} has no wager on {side.value}: insurance needs an Original Bet on that hand"
        return refuse(Code.NO_ORIGINAL_BET, text, rules.insurance.right_cite, patron=taken.patron, bet=side.value)
    if rules.insurance.both_hands == "none" and original[taken.patron, "player"] and original[taken.patron, "banker"]:
        text = f"{taken.patron} has wagers on both hands and is offered no insurance"
        return refuse(Code.NO_SUCH_OFFER, text, rules.insurance.both_hands_cite, patron=taken.patron)
    offered = insured.offer(rules, taken.after, coup)
    if offered is None or offered.bet != taken.bet:
        text = (
            f"{taken.bet} was not on offer after {taken.after} in {coup}: no row of the pay table with a card still due"
        )
        return refuse(Code.NO_SUCH_OFFER, text, rules.insurance.cite, patron=taken.patron, bet=taken.bet)
    return None


def _forgone(
    rules: Rulebook, coup: Coup, known: set[tuple[str, str]], insurance: tuple[Insured, ...], taken: Insured
) -> Refusal | None:
    """P6: whether this patron let an earlier offer on a wager of theirs pass."""
    if taken.after is not Moment.PLAYER_THIRD or rules.insurance.forgone_scope != "round":
        return None
    earlier = insured.offer(rules, Moment.FOUR_CARDS, coup)
    took = any(other.patron == taken.patron and other.after is Moment.FOUR_CARDS for other in insurance)
    if earlier is None or (taken.patron, earlier.bet.side) not in known or took:
        return None
    text = f"{taken.patron} let the offer after four cards pass and has none for the rest of the round"
    return refuse(Code.INSURANCE_FORGONE, text, rules.insurance.forgone_cite, patron=taken.patron)
