"""Random tables keep the laws of `laws.py`: 52,000 rounds by a seeded driver, and a Hypothesis machine that shrinks."""

from __future__ import annotations

import random
from collections import Counter
from typing import get_args

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from punto.game import commands as c
from punto.game import events as e
from punto.game.decide import apply, decide
from punto.game.round import AFTER, HEARD
from punto.game.table import NEW, Phase
from punto.money import Cents
from tests.table.driver import BOOKS, PLACES, Driver
from tests.table.given import opened
from tests.table.soak import play
from tests.table.twins import alike

SEEDS = 26
ROUNDS = 2_000

HAPPENS_OFTEN = (
    "WagerPlaced",
    "WagerRaised",
    "WagerLowered",
    "WagerWithdrawn",
    "WagerCut",
    "WagerReturned",
    "ExcessRejected",
    "MinimumNoticed",
    "ChipsReported",
    "ProRated",
    "SqueezeAsked",
    "SqueezeGranted",
    "BankerFirstAsked",
    "CardDrawn",
    "CardExposed",
    "CutCardPlaced",
    "CutCardDrawn",
    "CardsBurnt",
    "InsuranceOffered",
    "InsuranceTaken",
    "InsuranceDeclined",
    "InsuranceClosed",
    "RoundSettled",
    "ShoeEnded",
    "PatronLeft",
    "SeatLeft",
    "TableClosed",
    "over-differential",
    "over-maximum",
    "no-more-bets",
    "betting-not-open",
    "insurance-over-limit",
    "insurance-forgone",
    "no-such-offer",
    "not-highest-bet",
    "too-late-to-squeeze",
    "banker-may-stand",
    "cards-face-down",
    "table-of-play",
    "last-round",
    "box-empty",
    "box-in-use",
)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_tables_keep_the_laws(seed: int) -> None:
    played, counts, twins = play(seed, ROUNDS)
    assert played >= ROUNDS, f"{played} rounds were played"
    assert twins > 0, "no two shoes were compared"
    missing = [kind for kind in HAPPENS_OFTEN if not counts[kind]]
    assert not missing, f"in {played} rounds nothing of this happened: {missing}"


def test_enough_rounds_are_played() -> None:
    assert SEEDS * ROUNDS >= 50_000


def test_the_phase_table_is_whole() -> None:
    """Every phase has a row, every command is accepted in some phase and leads to one, and AFTER has only events."""
    assert set(HEARD) == set(Phase)
    assert {kind for row in HEARD.values() for kind in row} == set(get_args(c.AnyCommand))
    assert all(leads for row in HEARD.values() for leads in row.values())
    assert set(AFTER) <= set(get_args(e.AnyEvent))


def test_a_command_that_leads_elsewhere_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """The phase table decides: a step that it does not have can't happen, even where the deciding function takes it."""
    rules = BOOKS[0]
    table, _ = apply(rules, NEW, opened(rules))
    close = c.CloseTable(by="sue")
    monkeypatch.setitem(HEARD, Phase.NO_SHOE, {**HEARD[Phase.NO_SHOE], c.CloseTable: (Phase.NO_SHOE,)})
    with pytest.raises(AssertionError, match="close-table leads from no-shoe"):
        decide(rules, table, close)
    monkeypatch.setitem(AFTER, e.TableClosed, Phase.NO_SHOE)
    assert apply(rules, table, close)[0].phase is Phase.NO_SHOE


_SOME = st.integers(0, 5)
_STAKE = st.integers(1, 40)


class TableMachine(RuleBasedStateMachine):
    """The driver's moves and a few of Hypothesis' own, one by one, so that a failing example is short."""

    @initialize(seed=st.integers(0, 10_000))
    def open(self, seed: int) -> None:
        self.driver = Driver(random.Random(seed), closely=True, nonsense=0)
        self.watched = self.driver.watched
        self.seed = seed

    def _who(self, at: int) -> str:
        return self.driver.crowd[at % len(self.driver.crowd)]

    def _box(self, at: int) -> int:
        return self.driver.boxes[at % len(self.driver.boxes)]

    def _bet(self, at: int) -> str:
        return self.driver.bets[at % len(self.driver.bets)]

    def _stake(self, quarters: int) -> Cents:
        return Cents(max(1, self.driver.unit * quarters // 4))

    def _in(self, *phases: Phase) -> bool:
        return self.watched.table.phase in phases

    @rule(turn=_SOME)
    def next_move(self, turn: int) -> None:
        """What the dealer does next."""
        self.driver.chance = random.Random(turn)
        self.driver.step()

    @precondition(lambda self: self._in(Phase.BETTING))
    @rule(who=_SOME, box=_SOME, bet=_SOME, stake=_STAKE)
    def place(self, who: int, box: int, bet: int, stake: int) -> None:
        named = {"patron": self._who(who), "box": self._box(box), "bet": self._bet(bet)}
        self.watched.send(c.PlaceWager(**named, stake_cents=self._stake(stake)))  # type: ignore[arg-type]

    @precondition(lambda self: self._in(Phase.BETTING, Phase.CUT_CARD) and self.watched.table.current.wagers)
    @rule(which=_SOME, stake=_STAKE, how=st.sampled_from((c.RaiseWager, c.LowerWager, c.WithdrawWager)))
    def change(self, which: int, stake: int, how: type) -> None:
        wagers = list(self.watched.table.current.wagers.values())
        wager = wagers[which % len(wagers)]
        named = {"patron": wager.patron, "box": wager.box, "bet": wager.bet}
        if how is not c.WithdrawWager:
            named["stake_cents"] = self._stake(stake)
        self.watched.send(how(**named))

    @precondition(lambda self: self._in(Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE))
    @rule(who=_SOME, box=_SOME, bet=_SOME, stake=_STAKE)
    def report(self, who: int, box: int, bet: int, stake: int) -> None:
        named = {"patron": self._who(who), "box": self._box(box), "bet": self._bet(bet)}
        self.watched.send(c.ReportChips(by="dan", **named, stake_cents=self._stake(stake)))  # type: ignore[arg-type]

    @precondition(lambda self: self._in(Phase.DEALING, Phase.OFFER))
    @rule(who=_SOME, place=st.sampled_from(PLACES))
    def squeeze(self, who: int, place: str) -> None:
        self.watched.send(c.AskSqueeze(patron=self._who(who), places=(place,)))
        self.watched.send(c.GrantSqueeze(by="dan"))

    @precondition(lambda self: self._in(Phase.DEALING, Phase.OFFER))
    @rule(who=_SOME, way=st.sampled_from(("squeeze", "expose")))
    def banker_first(self, who: int, way: str) -> None:
        self.watched.send(c.AskBankerFirst(patron=self._who(who), way=way))
        self.watched.send(c.GrantBankerFirst(by="sue"))

    @precondition(lambda self: self._in(Phase.OFFER))
    @rule(who=_SOME, stake=_STAKE)
    def insure(self, who: int, stake: int) -> None:
        offer = self.watched.table.current.offer
        assert offer is not None
        self.watched.send(c.TakeInsurance(patron=self._who(who), bet=offer.bet, stake_cents=self._stake(stake)))

    @precondition(lambda self: self._in(Phase.OFFER))
    @rule(who=_SOME)
    def decline(self, who: int) -> None:
        self.watched.send(c.DeclineInsurance(patron=self._who(who)))

    @rule(who=_SOME, box=_SOME, how=st.sampled_from(("leave", "join", "sit", "stand-up")))
    def move(self, who: int, box: int, how: str) -> None:
        name = self._who(who)
        moves: dict[str, c.AnyCommand] = {
            "leave": c.Leave(patron=name),
            "join": c.Join(patron=name, chips_cents=Cents(self.driver.most)),
            "sit": c.Sit(patron=name, box=self._box(box)),
            "stand-up": c.StandUp(patron=name),
        }
        self.watched.send(moves[how])

    @rule(seed=st.integers(0, 1_000))
    def nonsense(self, seed: int) -> None:
        self.driver.chance = random.Random(seed)
        self.watched.send(self.driver.anything())

    def teardown(self) -> None:
        if hasattr(self, "watched"):
            self.watched.replayed()
            alike(self.watched, random.Random(self.seed))


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=120, stateful_step_count=60, deadline=None)


def test_the_driver_is_a_function_of_its_seed() -> None:
    """The same seed gives the same commands and the same answers."""
    tables = [Driver(random.Random(7)) for _ in range(2)]
    for driver in tables:
        driver.play(10)
    first, second = (driver.watched for driver in tables)
    assert first.asked == second.asked
    assert Counter(map(repr, first.answers)) == Counter(map(repr, second.answers))
    assert first.table == second.table
