"""O142: a side bet's maximum late in the shoe holds from the round that opens with so few cards left, not before."""

from __future__ import annotations

import msgspec
import pytest

from punto.game import commands as c
from punto.game import notation
from punto.game.audience import Audience, view
from punto.game.decide import apply
from punto.game.evolve import evolve_all
from punto.game.limits import maximum_cents
from punto.game.refusals import Refusal
from punto.game.table import NEW, BetLimits, LateLimits, Table, TableLimits
from punto.money import Cents
from punto.rulebook import load
from punto.rulebook.model import Bet, Rank

RULES = load.edition("tiger-buffalo-commission", "2025-11-21")
SIDE = Bet.BIG_TIGER
LIMITS = TableLimits(
    minimum_cents=Cents(1_000),
    maximum_differential_cents=Cents(100_000),
    maximum_cents=Cents(200_000),
    bets={SIDE: BetLimits(minimum_cents=Cents(500), maximum_cents=Cents(50_000))},
)
LATE = LateLimits(cards_left=410, maximum_cents={SIDE: Cents(2_000)})
WITH_LATE = msgspec.structs.replace(LIMITS, late=LATE)
ROUND = ("KS", "2S", "7S", "5S")
"""Player 7, Banker 7: nobody draws."""


def opening(limits: TableLimits, **settings: str) -> c.OpenTable:
    return c.OpenTable(
        by="sue",
        rank=Rank.PIT_MANAGER,
        table="T1",
        edition=RULES.id,
        layout="A",
        positions=6,
        limits=limits,
        **settings,  # type: ignore[arg-type]  # each is of its field's kind
    )


def done(table: Table, *commands: c.AnyCommand) -> Table:
    for command in commands:
        table, answer = apply(RULES, table, command)
        assert not isinstance(answer, Refusal), answer
    return table


def opened(limits: TableLimits, **settings: str) -> Table:
    load_shoe = c.LoadShoe(by="sue", count=416, shuffled=True)
    people = (c.Join(patron="ann", chips_cents=Cents(1_000_000)), c.Sit(patron="ann", box=1))
    return done(NEW, opening(limits, **settings), load_shoe, *people)


def a_round(table: Table) -> Table:
    draws = [c.DrawCard(by="sue", card=card) for card in ROUND]
    return done(table, c.CloseBetting(by="sue"), *draws, c.Settle(by="sue"))


def laid(table: Table, cents: int) -> int:
    after = done(table, c.PlaceWager(patron="ann", box=1, bet=SIDE, stake_cents=Cents(cents)))
    assert after.round is not None
    return sum(wager.stake_cents for wager in after.round.wagers.values())


def test_it_holds_from_the_round_that_opens_on_so_few_cards() -> None:
    table = opened(WITH_LATE)
    bet = c.OpenBetting(by="sue")
    rounds = 0
    while table.in_use.left > LATE.cards_left:
        table = done(table, bet)
        assert maximum_cents(table.limits, SIDE) == 50_000
        assert laid(table, 10_000) == 10_000
        table = a_round(table)
        assert maximum_cents(table.limits, SIDE) == 50_000, "the round on the table keeps its limits to the end"
        rounds += 1
    assert rounds
    table = done(table, bet)
    assert maximum_cents(table.limits, SIDE) == 2_000
    assert laid(table, 10_000) == 2_000, "what does not fit goes back, as with every maximum"
    assert maximum_cents(table.limits, Bet.PLAYER) == 200_000
    assert laid(table, 500) == 500
    table = done(a_round(table), c.EndShoe(by="sue"), c.LoadShoe(by="sue", count=416, shuffled=True))
    table = done(table, bet)
    assert maximum_cents(table.limits, SIDE) == 50_000, "a new shoe begins with the usual one"


def test_it_can_be_announced_and_taken_back_from_the_next_round_on() -> None:
    bet = c.OpenBetting(by="sue")
    deep = msgspec.structs.replace(LATE, cards_left=416)
    table = done(opened(LIMITS), bet, c.SetLimits(by="sue", limits=msgspec.structs.replace(LIMITS, late=deep)))
    assert maximum_cents(table.limits, SIDE) == 50_000
    table = done(a_round(table), bet)
    assert maximum_cents(table.limits, SIDE) == 2_000
    table = done(table, c.SetLimits(by="sue", limits=LIMITS))
    assert maximum_cents(table.limits, SIDE) == 2_000
    table = done(a_round(table), bet)
    assert maximum_cents(table.limits, SIDE) == 50_000


@pytest.mark.parametrize(
    ("late", "says"),
    [
        (LateLimits(cards_left=0, maximum_cents={SIDE: Cents(2_000)}), "from 1 to 520"),
        (LateLimits(cards_left=521, maximum_cents={SIDE: Cents(2_000)}), "from 1 to 520"),
        (LateLimits(cards_left=100, maximum_cents={}), "one bet at least"),
        (LateLimits(cards_left=100, maximum_cents={Bet.PLAYER: Cents(2_000)}), "no side bet"),
        (LateLimits(cards_left=100, maximum_cents={Bet.BANKER_BIG_7: Cents(2_000)}), "no side bet of the layout"),
        (LateLimits(cards_left=100, maximum_cents={SIDE: Cents(400)}), "between its minimum"),
        (LateLimits(cards_left=100, maximum_cents={SIDE: Cents(60_000)}), "between its minimum"),
    ],
)
def test_what_is_no_limit_by_depth_is_refused(late: LateLimits, says: str) -> None:
    wrong = msgspec.structs.replace(LIMITS, late=late)
    for table, command in ((NEW, opening(wrong)), (opened(LIMITS), c.SetLimits(by="sue", limits=wrong))):
        after, answer = apply(RULES, table, command)
        assert isinstance(answer, Refusal)
        assert answer.code == "bad-limits"
        assert says in answer.message
        assert after == table


def test_events_of_tables_without_it_say_nothing_of_it_and_with_it_they_come_back() -> None:
    for limits in (LIMITS, WITH_LATE):
        _, answer = apply(RULES, NEW, opening(limits))
        assert not isinstance(answer, Refusal)
        written = [notation.encode(event) for event in answer]
        assert (b'"late"' in written[0]) == (limits is WITH_LATE)
        assert [notation.event(line) for line in written] == list(answer)
        assert evolve_all(NEW, tuple(notation.event(line) for line in written)).limits == limits


def test_a_shuffler_has_no_depth() -> None:
    deep = msgspec.structs.replace(LIMITS, late=msgspec.structs.replace(LATE, cards_left=416))
    table = done(NEW, opening(deep, device="shuffler"), c.LoadShoe(by="sue", count=416, shuffled=True))
    table = done(table, c.OpenBetting(by="sue"))
    assert maximum_cents(table.limits, SIDE) == 50_000


def test_a_box_shows_the_room_that_is_judged_by() -> None:
    table = opened(WITH_LATE)
    bet = c.OpenBetting(by="sue")
    while table.in_use.left > LATE.cards_left:
        table = a_round(done(table, bet))
    shown = view(RULES, done(table, bet), Audience.PUBLIC)
    assert shown.boxes[0].room[SIDE] == 2_000


def test_limits_are_compared_with_those_of_a_whole_shoe() -> None:
    """Late in the shoe, the late maximum can be set for good, and setting limits that hold already is still refused."""
    table = opened(WITH_LATE)
    bet = c.OpenBetting(by="sue")
    while table.in_use.left > LATE.cards_left:
        table = a_round(done(table, bet))
    table = done(table, bet)
    for_good = msgspec.structs.replace(WITH_LATE, bets={SIDE: BetLimits(maximum_cents=Cents(2_000))})
    assert done(table, c.SetLimits(by="sue", limits=for_good)).next_limits == for_good
    _, answer = apply(RULES, table, c.SetLimits(by="sue", limits=WITH_LATE))
    assert isinstance(answer, Refusal)
    assert answer.code == "nothing-to-do"
