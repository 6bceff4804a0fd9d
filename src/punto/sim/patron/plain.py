"""The patron in readable Python: `punto.game` itself deals, settles and offers insurance.

`sessions` plays the same sessions compiled; a test compares the two to the cent.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from punto import money
from punto.cards import CARDS_IN_A_DECK, DECK, RANKS, Card
from punto.game.coup import Coup, in_deal_order, next_side
from punto.game.insurance import Offer, maximum_stake_cents, offer, result
from punto.game.outcome import outcome_of
from punto.game.settlement import Verdict, pay_table
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook, Side
from punto.sim.patron.kernel import NOT_PLAYED, Field
from punto.sim.patron.sessions import Ended, Insure, Sessions, Stake, Strategy, check
from punto.sim.shoes import Round, Setup, deal_shoe


def play(of: Setup, strategy: Strategy, sessions: int) -> Sessions:
    """Play sessions, one after the other."""
    check(of.rules, strategy, sessions)
    played = [_Session(of, strategy, number) for number in range(sessions)]
    return Sessions(
        figures=np.array([[shoe.figures[field] for field in Field] for shoe in played], np.int64),
        shoes=np.array([shoe.shoes + [NOT_PLAYED] * (strategy.shoes - len(shoe.shoes)) for shoe in played], np.int64),
    )


class _Session:
    """One patron from the first round until they leave."""

    def __init__(self, of: Setup, strategy: Strategy, number: int) -> None:
        self.of, self.strategy, self.rules = of, strategy, of.rules
        self.figures: Counter[Field] = Counter()
        self.shoes: list[int] = []
        self.peak = 0
        self.ended: Ended | None = None
        self._sit(number * strategy.shoes)

    def _sit(self, first: int) -> None:
        for shoe in range(first, first + self.strategy.shoes):
            self._shoe(shoe)
            if self.ended is not None:
                break
        self.figures[Field.ENDED] = list(Ended).index(self.ended or Ended.SHOES)

    def _shoe(self, number: int) -> None:
        dealt = deal_shoe(self.of, number)
        unseen = Counter(DECK * self.of.decks)
        unseen.subtract(dealt.burnt[:1])  # the others are burnt face down
        before = self.figures[Field.NET]
        for round in dealt.rounds:
            self._round(round, unseen)
            if self.ended in (Ended.ROUNDS, Ended.RUINED):
                break  # the patron left before this round was dealt
            unseen.subtract(in_deal_order(round.coup))
            self.shoes[len(self.shoes) - (round.number > 1) :] = [self.figures[Field.NET] - before]
            if self.ended is not None:
                break

    def _round(self, round_: Round, unseen: Counter[Card]) -> None:
        strategy, figures = self.strategy, self.figures
        stakes = [stake for stake in strategy.flat if self._open(stake, round_.number)]
        counted = strategy.counted
        if counted is not None and self._open(counted.stake, round_.number) and self._threshold_reached(unseen):
            stakes.append(counted.stake)
        wanted = sum(stake.cents for stake in stakes)
        have = None if strategy.bankroll_cents is None else strategy.bankroll_cents + figures[Field.NET]
        if strategy.rounds is not None and figures[Field.ROUNDS] >= strategy.rounds:
            self.ended = Ended.ROUNDS
        elif have is not None and wanted > have:
            self.ended = Ended.RUINED
        else:
            self._settle(round_.coup, stakes)
            self._insure(round_.coup, stakes, unseen, None if have is None else have - wanted)
            self._leave()

    def _open(self, stake: Stake, hand: int) -> bool:
        """L4: some bets are open only for the first hands of a shoe."""
        last = self.rules.bets[stake.bet].hands
        return last is None or hand <= last

    def _threshold_reached(self, unseen: Counter[Card]) -> bool:
        """Whether the count of the cards seen, which are all but `unseen`, has reached the threshold."""
        counted = self.strategy.counted
        assert counted is not None
        running = sum(
            (counted.tags[RANKS.index(card.rank)] * (self.of.decks - unseen[card]) for card in DECK), Fraction(0)
        )
        if counted.true_count:
            return running * CARDS_IN_A_DECK / unseen.total() >= counted.threshold
        return running >= counted.threshold

    def _settle(self, coup: Coup, stakes: list[Stake]) -> None:
        verdicts = pay_table(self.rules)[outcome_of(coup)]
        for stake in stakes:
            won = _net(stake.cents, verdicts[stake.bet])
            self.figures[Field.NET] += won
            self.figures[Field.STAKED] += stake.cents
            if self.strategy.counted is not None and stake is self.strategy.counted.stake:
                self.figures[Field.COUNTED_TIMES] += 1
                self.figures[Field.COUNTED_NET] += won

    def _insure(self, coup: Coup, stakes: list[Stake], unseen: Counter[Card], left: int | None) -> None:
        """P2–P6: take insurance by the strategy, for the largest stake that is allowed and the money left covers."""
        rules, original = self.rules, _original(stakes)
        if rules.insurance.both_hands == "none" and all(original.values()):
            return
        could_win: dict[Insurance, Fraction] = {}
        for moment in Moment:
            open_offer = offer(rules, moment, coup)
            if open_offer is None or not original[open_offer.bet.side]:
                continue
            most = maximum_stake_cents(
                rules,
                open_offer,
                original[open_offer.bet.side],
                could_win=could_win.get(open_offer.bet, Fraction(0)),
                table_maximum_cents=self.strategy.limits.table_maximum_cents(open_offer.bet.side),
            )
            stake = most if left is None else min(most, left)
            if not stake or not self._takes(open_offer, coup, unseen):
                if rules.insurance.forgone_scope == "round":
                    return
                continue
            came_to, paragraph = result(rules, open_offer, coup.winner)
            odds = open_offer.odds if came_to == "won" else None
            won = _net(stake, Verdict(came_to, odds, paragraph))
            self.figures.update(
                {Field.NET: won, Field.STAKED: stake, Field.INSURED_TIMES: 1}
                | {Field.INSURED_STAKED: stake, Field.INSURED_NET: won}
            )
            left = None if left is None else left - stake
            could_win[open_offer.bet] = could_win.get(open_offer.bet, Fraction(0)) + stake * open_offer.odds

    def _takes(self, open_offer: Offer, coup: Coup, unseen: Counter[Card]) -> bool:
        match self.strategy.insurance:
            case Insure.NEVER:
                return False
            case Insure.ALWAYS:
                return True
            case Insure.WORTH:
                seen = Coup(coup.player[: 2 + (open_offer.after is Moment.PLAYER_THIRD)], coup.banker[:2])
                hidden = unseen - Counter(in_deal_order(seen))
                return expectation(self.rules, open_offer, seen, hidden) > 0

    def _leave(self) -> None:
        """After a round: update peak and drawdown, and check the limits at which the patron leaves."""
        figures, strategy = self.figures, self.strategy
        net = figures[Field.NET]
        figures[Field.ROUNDS] += 1
        self.peak = max(self.peak, net)
        figures[Field.DRAWDOWN] = max(figures[Field.DRAWDOWN], self.peak - net)
        if strategy.stop_win_cents is not None and net >= strategy.stop_win_cents:
            self.ended = Ended.STOP_WIN
        elif strategy.stop_loss_cents is not None and net <= -strategy.stop_loss_cents:
            self.ended = Ended.STOP_LOSS


def expectation(rules: Rulebook, open_offer: Offer, coup: Coup, hidden: Counter[Card]) -> Fraction:
    """What one unit of insurance is worth, given the open cards and all the cards that may still come."""
    side = next_side(rules.table_of_play, coup.player, coup.banker)
    if side is None:
        came_to, _ = result(rules, open_offer, coup.winner)
        return open_offer.odds if came_to == "won" else Fraction(-1 if came_to == "lost" else 0)
    by_points: Counter[int] = Counter()
    example: dict[int, Card] = {}
    for card, count in hidden.items():
        if count:
            by_points[card.points] += count
            example[card.points] = card
    total = Fraction(0)
    for points, count in by_points.items():
        card = example[points]
        after = (
            Coup((*coup.player, card), coup.banker) if side is Side.PLAYER else Coup(coup.player, (*coup.banker, card))
        )
        total += count * expectation(rules, open_offer, after, hidden - Counter([card]))
    return total / by_points.total()


def _original(stakes: list[Stake]) -> dict[Side, int]:
    """The patron's stakes on each hand."""
    return {
        side: sum(stake.cents for stake in stakes if stake.bet is bet)
        for side, bet in ((Side.PLAYER, Bet.PLAYER), (Side.BANKER, Bet.BANKER))
    }


def _net(stake_cents: int, verdict: Verdict) -> int:
    if verdict.odds is not None:
        return money.winnings_cents(stake_cents, verdict.odds)
    return -stake_cents if verdict.result == "lost" else 0
