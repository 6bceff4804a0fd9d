"""What a view says ahead of time: the ends of the round at an insurance offer, and the steps of the Table of Play."""

from __future__ import annotations

from itertools import product

import pytest

from punto.cards import RANKS
from punto.game import commands as c
from punto.game.audience import Audience, View, view
from punto.game.endings import COUNTED
from punto.game.table import Phase, Table
from punto.rulebook.model import Insurance, Moment, Rulebook
from tests.table.given import CLOSE, FOUR, OPEN, SETTLE, TIGER, TIGER_2024, given, opened, seated, shoe, wager
from tests.table.given import DRAW as DRAWN


def offered(rules: Rulebook, cards: str, **stakes: int) -> Table:
    """ann sits at box 1 with these wagers; the first four of the cards lie open."""
    wagers = (wager("ann", 1, bet, stake) for bet, stake in stakes.items())
    ready = (opened(rules), *seated("ann", 1), shoe(rules, cards), OPEN)
    return given(rules, *ready, *wagers, CLOSE, *FOUR)


def own(rules: Rulebook, table: Table) -> View:
    return view(rules, table, Audience.PATRON, "ann")


@pytest.mark.parametrize(
    ("rules", "first", "stakes"),
    [
        (TIGER, "KH 2S 7D 3C", {"player": 10_001, "tie": 777}),
        (TIGER, "KH QS 5D 4C", {"player": 33_333, "big_tiger": 5_000}),
        (TIGER_2024, "KH 2S 7D 3C", {"player": 10_001}),
    ],
)
def test_every_end_is_what_the_round_then_gives(rules: Rulebook, first: str, stakes: dict[str, int]) -> None:
    """Over every rank that can follow: the lowest and the highest net of each winner, for each stake, to the cent."""
    before = offered(rules, first, **stakes)
    assert before.phase is Phase.OFFER
    offer = before.current.offer
    assert offer is not None
    shown = own(rules, before).insuring[Moment.FOUR_CARDS]
    assert len(shown) == 4
    assert shown[0].stake_cents == 0
    for choice in shown[:: len(shown) - 1]:
        nets: dict[str, set[int]] = {}
        for ranks in product(RANKS, RANKS):
            table = offered(rules, " ".join((first, *(f"{rank}D" for rank in ranks))), **stakes)
            if choice.stake_cents:
                command = c.TakeInsurance(patron="ann", bet=offer.bet, stake_cents=choice.stake_cents)
                table = given(rules, command, table=table)
            while table.phase is not Phase.COMPLETE:
                table = given(rules, DRAWN, table=table)
            table = given(rules, SETTLE, table=table)
            counted = [line for line in table.current.lines if line.bet in (*COUNTED, *Insurance)]
            net = sum(line.handed_back_cents - line.stake_cents for line in counted)
            nets.setdefault(str(table.current.winner), set()).add(net)
        ends = {winner: (min(amounts), max(amounts)) for winner, amounts in nets.items()}
        assert {winner: (net.low_cents, net.high_cents) for winner, net in choice.ends.items()} == ends


def test_what_was_taken_counts_and_what_was_declined_is_not_offered() -> None:
    table = offered(TIGER, "KH 2S 7D 3C", player=10_000)
    most = own(TIGER, table).insuring[Moment.FOUR_CARDS][-1]
    assert [command.do for command in own(TIGER, table).can][-2:] == ["take-insurance", "decline-insurance"]
    taken = given(
        TIGER, c.TakeInsurance(patron="ann", bet="player_insurance", stake_cents=most.stake_cents), table=table
    )
    (left,) = own(TIGER, taken).insuring[Moment.FOUR_CARDS]
    assert (left.stake_cents, left.ends) == (0, most.ends)
    assert own(TIGER, given(TIGER, c.DeclineInsurance(patron="ann"), table=table)).insuring == {}


@pytest.mark.parametrize(
    ("cards", "steps"),
    [
        ("KH 2S 7D", "deal"),
        ("KH 2S 8D 3C", "natural 8 (3.15)"),
        ("KH 2S 5D 3C", "player-draws 5 (3.15)"),
        ("KH 2S 7D 3C", "player-stands 7 (3.15), banker-draws 5 (3.13)"),
        ("KH 2S 2D 4C 6S", "player-draws 2 (3.15), banker-draws 6 on 6 (3.15)"),
        ("KH 2S 2D 4C KS", "player-draws 2 (3.15), banker-stands 6 on 0 (3.15)"),
        ("KH 2S 2D 4C 6S 2H", "player-draws 2 (3.15), banker-draws 6 on 6 (3.15), done"),
    ],
)
def test_the_steps_of_the_table_of_play(cards: str, steps: str) -> None:
    start = (opened(TIGER), *seated("ann", 1), shoe(TIGER, cards), OPEN, CLOSE)
    table = given(TIGER, *start, *(DRAWN for _ in cards.split()))
    dealer = view(TIGER, table, Audience.DEALER, "sue")
    lines = []
    for step in dealer.drawing:
        words = [step.says, step.points, None if step.third is None else f"on {step.third}"]
        words.append(None if step.paragraph is None else f"({step.paragraph})")
        lines.append(" ".join(str(word) for word in words if word is not None))
    assert ", ".join(lines) == steps
    assert view(TIGER, table, Audience.PUBLIC).drawing == dealer.drawing, "open cards are in everybody's sight"
    assert dealer.ahead == (table.current.coup.winner if table.phase is Phase.COMPLETE else None)


def test_cards_that_lie_face_down_are_turned_first() -> None:
    start = (opened(TIGER, facing="down"), *seated("ann", 1), shoe(TIGER, "KH 2S 2D 4C 6S"), OPEN, CLOSE, *FOUR)
    table = given(TIGER, *start)
    assert [step.says for step in view(TIGER, table, Audience.DEALER).drawing] == ["turn"]
    assert [step.says for step in view(TIGER, table, Audience.PUBLIC).drawing] == ["turn"]
    assert view(TIGER, table, Audience.PUBLIC).points == {}
    table = given(
        TIGER, *(c.ExposeCard(by="sue", place=place) for place in ("P1", "B1", "P2", "B2")), DRAWN, table=table
    )
    assert [step.says for step in view(TIGER, table, Audience.DEALER).drawing] == ["player-draws", "turn"]
    assert view(TIGER, table, Audience.PUBLIC).points == {"player": 2, "banker": 6}


def test_a_stake_is_offered_in_whole_units_where_that_leaves_anything() -> None:
    table = offered(TIGER, "KH 2S 7D 3C", player=10_150)
    assert [choice.stake_cents for choice in own(TIGER, table).insuring[Moment.FOUR_CARDS]] == [0, 2_500, 5_000, 10_150]
