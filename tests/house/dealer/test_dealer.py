"""The dealer of virtual tables deals without end, by the clock, each act once, and goes on after any stop."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.evolve import evolve
from punto.game.shoe import commitment
from punto.game.table import NEW, Phase, Table
from punto.house.dealer.dealers import UNKNOWN_S, Dealers, _act, _moved_within, deal
from punto.house.dealer.steps import HOUSE_SUPERVISOR, steps
from punto.house.store import codec
from punto.house.store.dealing_pace import AT_ONCE, PACE, Pace
from punto.house.store.names import HOUSE_DEALER
from punto.house.store.records import Row
from punto.house.table.countdown import Clock, clock
from punto.house.table.directory import LOOK_S
from punto.house.table.governing_edition import in_use
from punto.house.table.house import House
from punto.house.table.recovery import recover
from punto.money import Cents
from punto.rulebook.model import Rank, Rulebook
from tests.house.table.playing import (
    CLOSE,
    DRAW,
    Time,
    a_house,
    ask,
    betting,
    did,
    joins,
    opening,
    rich,
    sound,
    topped,
    wager,
)
from tests.patience import LONG_S
from tests.rulebook.library import every_edition

FIVE_FOUR = topped("2S KS 3S 4S 4H 5H")
"""Player 5, Banker 4 after four cards: insurance is on offer."""


async def dealt(house: House, enough: Callable[[Table], bool], sleep: Any = None, table: str = "T1") -> None:
    """Let the dealer deal until `enough` is true of the table."""
    dealing = asyncio.ensure_future(deal(house, table, sleep or _no_sleep))
    standing = await house.follow(table)
    while not enough(standing.table):
        moving = asyncio.ensure_future(house.wait_past(table, standing.table.version))
        done, _ = await asyncio.wait({dealing, moving}, return_when=asyncio.FIRST_COMPLETED, timeout=LONG_S / 2)
        assert done, f"the dealer stands still: {standing.table.phase}"
        if dealing in done:
            dealing.result()
        standing = await moving
    house.unfollow(table)
    dealing.cancel()
    await asyncio.gather(dealing, return_exceptions=True)


async def _no_sleep(seconds: float) -> None:
    raise AssertionError("a dealer without a pace never waits")


class Patient:
    """Time passes while the dealer waits, unless somebody does something."""

    def __init__(self, house: House, time: Time, **acts: Callable[[], Awaitable[object]]) -> None:
        self.house, self.time, self.acts = house, time, acts

    async def __call__(self, seconds: float) -> None:
        phase = (await self.house.table("T1")).phase
        act = self.acts.pop(phase.name.lower(), None)
        if act is not None:
            await act()
        if act is None or phase is Phase.BETTING:  # a wager does not interrupt the dealer's wait
            self.time.pass_by(seconds)


async def rows_of(house: House) -> list[tuple[Row, e.AnyEvent]]:
    return [(row, codec.event(row)) for row in await house.store.read("table/T1")]


async def seconds_between(house: House, first: type, then: type) -> float:
    rows = await rows_of(house)
    start = next(row.at for row, event in rows if isinstance(event, first))
    return next(row.at - start for row, event in rows if isinstance(event, then) and row.at >= start) / 1_000_000


def acts_of_its_rounds(rules: Rulebook, events: Sequence[e.AnyEvent]) -> None:
    """O90: in every state of the table, the dealer's next commands in a round name that round."""
    table, named = NEW, 0
    for event in events:
        table = evolve(table, event)
        acts = [
            command
            for step in steps(rules, table, PACE)
            for command in step.commands
            if isinstance(command, c.RoundCommand)
        ]
        assert all(act.round == table.rounds for act in acts)
        named += len(acts)
    assert named > len(events) / 2


@pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)
async def test_shoe_after_shoe_under_every_edition(rules: Any, sqlite_url: str) -> None:
    """Two whole shoes without a patron: rounds are dealt, shoes end at the cut card, and the orders are published."""
    layout = next(iter(rules.layouts.values()))
    settings = {
        "edition": rules.id,
        "layout": layout.id,
        "positions": layout.positions[0],
        "decks": min(rules.procedure.decks),
    }

    async with a_house(sqlite_url) as house:
        await did(house, opening(**settings))
        await dealt(house, lambda table: table.shoes == 3)
        events = [event for _, event in await rows_of(house)]
        acts_of_its_rounds(rules, events)
        ended = [event for event in events if isinstance(event, e.ShoeEnded)]
        loaded = [event for event in events if isinstance(event, e.ShoeLoaded)]
        assert len(ended) == 2
        for start, end in zip(loaded, ended, strict=False):
            assert end.order is not None
            assert end.salt is not None
            assert commitment(end.salt, end.order) == start.commitment
        drawn = [event.card for event in events if isinstance(event, e.CardDrawn) and event.card]
        burnt = [event for event in events if isinstance(event, e.CardsBurnt)]
        out = (1 + burnt[0].skipped) if burnt else 0
        first = ended[0].order or ()
        assert drawn[: len(first) - 70 - out] == list(first[out : len(first) - 70])
        settled = sum(isinstance(event, e.RoundSettled) for event in events)
        assert settled == sum(isinstance(event, e.BettingOpened) for event in events) > 40
        await sound(house)


async def test_everything_has_its_time(sqlite_url: str) -> None:
    time = Time()

    async with a_house(sqlite_url, now=time, pace_of=lambda table: PACE, new_shoe=FIVE_FOUR) as house:
        await rich(house.store, "ann")
        await did(house, opening(), joins("ann"), c.Sit(patron="ann", box=1))
        bets = Patient(house, time, betting=lambda: did(house, wager("ann", 5_000)))
        await dealt(house, lambda table: table.rounds == 2, bets)
        for first, then, seconds in (
            (e.BettingOpened, e.BettingClosed, PACE.betting),
            (e.BettingClosed, e.CardDrawn, PACE.card),
            (e.InsuranceOffered, e.InsuranceClosed, PACE.insurance),
            (e.CoupCompleted, e.RoundSettled, PACE.card),
        ):
            assert await seconds_between(house, first, then) == seconds
        rows = await rows_of(house)
        settled = next(row.at for row, event in rows if isinstance(event, e.RoundSettled))
        assert rows[-1][0].at - settled == PACE.result * 1_000_000


async def test_an_offer_is_closed_once_everybody_has_answered(sqlite_url: str) -> None:
    time = Time()
    take = c.TakeInsurance(patron="ann", bet="player_insurance", stake_cents=Cents(1_000))

    async with a_house(sqlite_url, now=time, pace_of=lambda table: PACE, new_shoe=FIVE_FOUR) as house:
        await rich(house.store, "ann")
        await did(house, opening(), joins("ann"), c.Sit(patron="ann", box=1))
        acts = Patient(house, time, betting=lambda: did(house, wager("ann", 5_000)), offer=lambda: did(house, take))
        await dealt(house, lambda table: table.phase is Phase.SETTLED, acts)
        assert await seconds_between(house, e.InsuranceOffered, e.InsuranceClosed) == PACE.card
        assert await seconds_between(house, e.InsuranceOffered, e.InsuranceTaken) == 0


@pytest.mark.parametrize("turns", [True, False])
async def test_a_squeeze_is_granted_and_waited_for(turns: bool, sqlite_url: str) -> None:
    time = Time()

    async with a_house(sqlite_url, now=time, pace_of=lambda table: PACE) as house:
        await rich(house.store, "ann")
        await did(house, opening(facing="down"), joins("ann"), c.Sit(patron="ann", box=1))
        squeeze = c.AskSqueeze(patron="ann", places=("P2",))
        turned: list[str] = []

        async def sleep(seconds: float) -> None:
            table = await house.table("T1")
            lying = {card.place for card in table.round.cards if not card.exposed} if table.round else set()
            if table.phase is Phase.BETTING and not table.current.wagers:
                await did(house, wager("ann", 5_000))
            elif table.phase is Phase.DEALING and table.current.squeeze is None:
                await did(house, squeeze)
            elif turns and lying == {"P2"} and len(table.current.cards) == 4 and not turned:
                turned.append("P2")
                await did(house, c.ExposeCard(by="ann", place="P2"), actor="ann")
            else:
                time.pass_by(seconds)

        await dealt(house, lambda table: table.phase is Phase.SETTLED, sleep)
        exposed = {
            event.place: (event.by, row.at) for row, event in await rows_of(house) if isinstance(event, e.CardExposed)
        }
        assert exposed["P2"][0] == ("ann" if turns else HOUSE_SUPERVISOR)
        before = max(at for place, (_, at) in exposed.items() if place in ("P1", "B1", "B2"))
        assert (exposed["P2"][1] - before) / 1_000_000 == (0 if turns else PACE.squeeze)
        await sound(house)


async def test_an_irregularity_waits_for_staff_and_options_end_by_themselves(sqlite_url: str) -> None:
    time = Time()

    async with a_house(sqlite_url, now=time, pace_of=lambda table: PACE, new_shoe=FIVE_FOUR) as house:
        await rich(house.store, "ann")
        await did(house, opening(), joins("ann"), c.Sit(patron="ann", box=1))
        await dealt(
            house,
            lambda table: table.phase is Phase.DEALING and len(table.current.cards) == 2,
            Patient(house, time, betting=lambda: did(house, wager("ann", 5_000))),
        )
        await did(house, c.ReportIrregularity(by="sue", kind="simultaneous", count=2))
        table = await house.table("T1")
        assert table.phase is Phase.IRREGULARITY
        rules = in_use(table)
        assert rules is not None
        assert steps(rules, table, PACE) == ()
        await did(house, c.DecideIrregularity(by="sue", reason="they stuck", order=("1", "2")))
        assert (await house.table("T1")).phase is Phase.OPTIONS
        await dealt(house, lambda table: table.phase is Phase.SETTLED, Patient(house, time))
        assert await seconds_between(house, e.OptionsOpened, e.PlayResumed) == PACE.options


async def test_two_dealers_at_two_nodes_have_one_effect(database_url: str) -> None:
    """Neither holds a claim, but their keys are the same."""
    async with a_house(database_url) as house, a_house(database_url) as other:
        await did(house, opening())
        await asyncio.gather(
            dealt(house, lambda table: table.rounds >= 6), dealt(other, lambda table: table.rounds >= 6)
        )
        rows = await rows_of(house)
        assert [row.version for row, _ in rows] == list(range(1, len(rows) + 1))
        opened = [event.round for _, event in rows if isinstance(event, e.BettingOpened)]
        assert opened == list(range(1, len(opened) + 1))
        assert sum(isinstance(event, e.DutyStarted) for _, event in rows) == 1


async def test_an_act_that_comes_late_does_nothing(sqlite_url: str) -> None:
    """A dealer that meant to draw the fourth card finds it drawn, and insurance on offer: the offer stays open."""
    async with a_house(sqlite_url, new_shoe=FIVE_FOUR) as house:
        await betting(house, "ann")
        await did(house, c.StartDuty(name=HOUSE_DEALER, rank=Rank.DEALER), wager("ann", 5_000), CLOSE, DRAW, DRAW, DRAW)
        standing = await house.follow("T1")
        await did(house, DRAW)
        stands = await _act(house, "T1", standing, _no_sleep)
        assert stands.table.phase is Phase.OFFER
        assert stands.table == (await house.table("T1"))
        house.unfollow("T1")


async def test_dealers_find_tables_that_other_nodes_opened(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        looked = asyncio.Event()

        async def look_again(seconds: float) -> None:
            looked.set()
            await asyncio.sleep(0.01)

        dealers = Dealers(house, look_again)
        keeping = asyncio.ensure_future(dealers.keep())
        await looked.wait()
        async with a_house(sqlite_url) as other:
            await did(other, opening())
            await did(other, opening("L1", source="live"), table="L1")
        while (await house.table("T1")).rounds < 2:
            await asyncio.sleep(0.01)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await dealers.stop()
        assert (await house.newest("L1")).table.version == 1


async def test_a_live_table_that_is_opened_again_as_a_virtual_one_is_dealt(sqlite_url: str) -> None:
    async with a_house(sqlite_url, pace_of=lambda table: AT_ONCE) as house:
        await did(house, opening(source="live"))
        dealers = Dealers(house)
        await dealers.start_all()
        assert not dealers.dealing
        await did(house, c.CloseTable(by="sue"), opening(source="virtual"))
        state = await house.follow("T1")
        await dealers.start_all()
        async with asyncio.timeout(LONG_S):
            while state.table.phase is not Phase.BETTING:
                state = await house.wait_past("T1", state.table.version)
        await dealers.stop()


async def test_one_node_holds_the_claim_and_another_takes_over(postgres_url: str) -> None:
    async with a_house(postgres_url) as house:
        await did(house, opening())
        first, naps = Dealers(house), 0

        async def nap(seconds: float) -> None:
            nonlocal naps
            naps += 1
            await asyncio.sleep(0.01)

        async with a_house(postgres_url) as other:
            await first.start_all()
            await house.follow("T1")
            await house.wait_past("T1", 5)
            second = Dealers(other, nap)
            await second.start_all()
            await house.wait_past("T1", (await house.table("T1")).version + 20)
            assert naps, "the second waits for its turn"
            await first.stop()
            version = (await house.newest("T1")).table.version
            await house.wait_past("T1", version + 5)
            await second.stop()
        house.unfollow("T1")


async def test_a_dealer_that_is_stopped_anywhere_is_followed_by_the_next(sqlite_url: str) -> None:
    """Stopped at forty points, each time in a new house on the same file: the rounds go on, and money is sound."""
    chance = random.Random(3)

    async def stretch(steps_: int) -> int:
        async with a_house(sqlite_url, pace_of=lambda table: AT_ONCE) as house:
            await recover(house)
            start = (await house.table("T1")).version
            await dealt(house, lambda table: table.version >= start + steps_)
            await sound(house)
            return (await house.table("T1")).rounds

    async with a_house(sqlite_url) as house:
        await did(house, opening())
    rounds = [await stretch(chance.randint(1, 12)) for _ in range(40)]
    assert all(earlier <= later for earlier, later in pairwise(rounds))
    assert rounds[-1] > 5


async def test_the_clock_counts_from_when_the_table_came_to_stand_so(sqlite_url: str) -> None:
    time = Time()

    async with a_house(sqlite_url, now=time, pace_of=lambda table: PACE) as house:
        await rich(house.store, "ann")
        await did(house, opening(), c.LoadShoe(by="sue", count=416, shuffled=True), joins("ann"))
        await did(house, c.Sit(patron="ann", box=1), c.OpenBetting(by="sue"))
        opened, seen = time(), time.monotonic()
        time.pass_by(3)
        await did(house, wager("ann", 5_000))
        standing = await house.state("T1")
        assert house.since(standing) == seen
        assert house.shown_since(standing) == opened
        shown = clock(standing.table, opened, PACE)
        assert shown == Clock(for_="betting", ends_at="2027-01-15T08:00:20.000Z", seconds=20)
        assert clock(standing.table, opened, None) is None
        house.recovered_at = time.monotonic()
        assert house.since(standing) == seen + 3_000_000, "a fresh time after a restart"


async def test_a_dealer_that_is_refused_waits_for_staff(sqlite_url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Too many staff are on duty for the house's dealer to start. It waits until one ends duty, and nothing spins."""
    async with a_house(sqlite_url) as house:
        await did(house, opening(), *(c.StartDuty(name=f"s{n}", rank=Rank.DEALER) for n in range(63)))
        dealing = asyncio.ensure_future(deal(house, "T1"))
        while "refused" not in caplog.text:
            await asyncio.sleep(0.01)
        version = (await house.table("T1")).version
        await did(house, c.EndDuty(name="s1"))
        await house.follow("T1")
        await house.wait_past("T1", version + 4)
        house.unfollow("T1")
        dealing.cancel()
        await asyncio.gather(dealing, return_exceptions=True)
        assert (await ask(house, c.EndDuty(name="s1"))).code == "not-on-duty"


async def test_a_pace_that_comes_after_the_dealer_still_counts(sqlite_url: str) -> None:
    """The dealer follows the pace that the table has when the wait is over, not the one that was known before. Another
    node may change it meanwhile: the dealer looks again every few seconds."""
    time, slept = Time(), []
    known: dict[str, Pace] = {}
    async with a_house(sqlite_url, now=time, pace_of=known.get) as house:
        await did(house, opening())

        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            known["T1"] = Pace(betting=500.0 if len(slept) < 3 else 60.0)
            time.pass_by(seconds)

        dealer = asyncio.ensure_future(deal(house, "T1", sleep))
        while (await house.table("T1")).phase is not Phase.DEALING:
            await asyncio.sleep(0)
        dealer.cancel()
        await asyncio.gather(dealer, return_exceptions=True)
    assert slept[:13] == [UNKNOWN_S, *[LOOK_S] * 11, 60.0 - UNKNOWN_S - 11 * LOOK_S]


async def test_a_rest_that_ends_in_the_turn_in_which_the_table_moves_is_no_error(sqlite_url: str) -> None:
    wrong: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, facts: wrong.append(facts))
    async with a_house(sqlite_url) as house:
        await rich(house.store, "ann")
        await did(house, opening())
        table = (await house.follow("T1")).table
        # The rest waits for the same move and began first, so it is over just before the dealer sees the move.
        rest: Any = asyncio.ensure_future(house.wait_past("T1", table.version))
        await asyncio.sleep(0)
        waiting = asyncio.ensure_future(_moved_within(house, "T1", table, 60.0, lambda seconds: rest))
        await asyncio.sleep(0)
        await did(house, joins("ann"))
        assert await waiting
        assert rest.done()
        await asyncio.sleep(0)
        house.unfollow("T1")
    assert wrong == []
