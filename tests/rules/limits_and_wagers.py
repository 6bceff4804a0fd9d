"""5.1 to 5.3.1: limits passed or not met, insurance let pass, patrons who walk away."""

from __future__ import annotations

from typing import Any

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance_offers, settle_round
from punto.game import limits as judged
from punto.game.refusals import refuse
from punto.game.settlement import Verdict
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Moment, Rulebook
from tests.rules.breaking_tables import (
    Step,
    answers,
    events_changed,
    heard,
    insurance,
    replace,
    step,
)
from tests.rules.proving import proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    chips,
    insure,
    limits,
    place,
    tags,
    with_paragraphs,
)

# 5.1: the Differential


@proves(
    "limit.excess",
    broken_by=(
        step(judged, "room_in", lambda *arguments: judged.Room(10**18, (), "nothing")),
        step(judged, "fit", lambda *arguments, seated, real=judged.fit: real(*arguments, seated=False)),
    ),
)
def excess(rules: Rulebook) -> None:
    """What passes the maximum Differential of a box is refused; a seated patron's wager comes before standing ones."""
    table = Seating(rules)
    table.bet(("bob", "player", 10_00))
    placed = table.do(place("ann", "banker", 1_000_01))
    assert ("excess-rejected", "5.1") in with_paragraphs(placed)
    assert table.in_play() == {"bob": 10_00, "ann": 1_000_00}
    more = c.RaiseWager(patron="ann", box=1, bet="banker", stake_cents=Cents(10_00))
    assert table.refused(more) == ("over-differential", "5.1")
    table = Seating(rules)
    table.bet(("cyd", "banker", 600_00))
    placed = table.do(place("ann", "banker", 700_00))
    assert ("wager-cut", "5.1") in with_paragraphs(placed)
    assert table.in_play() == {"cyd": 300_00, "ann": 700_00}
    assert table.gained("cyd", "ann") == (-300_00, -700_00)
    assert table.refused(place("bob", "banker", 10_00, box=1)) == ("over-differential", "5.1")


def _full(table_limits: Any, lying: Any, box: int) -> dict[str, int]:
    return {wager.id: wager.stake_cents for wager in lying.values() if wager.box == box}


@proves(
    "limit.pro-rata",
    broken_by=(
        step(judged, "pro_rata", _full),
        step(judged, "shares_cents", lambda lying, most, least, real=judged.shares_cents: real(lying, most, 0)),
        step(settle_round, "settled_wager", lambda r, now, laid, v: _whole(r, now, laid, v)),
    ),
)
def pro_rata(rules: Rulebook) -> None:
    """Excess found late: the wagers of that side are scaled to the maximum Differential, none under the minimum."""
    table = Seating(rules, limits=limits(100_00, 1_000_00))
    table.deal("", ("ann", "player", 600_00))
    assert ("pro-rated", "5.1.1") in with_paragraphs(table.do(chips("cyd", "player", 900_00)))
    assert table.in_play() == {"ann": 400_00, "cyd": 600_00}
    table.draw(PLAYER_9)
    table.settle()
    assert table.gained("ann", "cyd") == (400_00, 600_00)
    back = [(line.patron, line.result, line.stake_cents, line.paragraph) for line in table.current.lines]
    assert ("ann", "returned", 200_00, "5.1.1") in back
    assert ("cyd", "returned", 300_00, "5.1.1") in back
    table = Seating(rules, limits=limits(100_00, 1_000_00))
    table.deal("", ("ann", "player", 1_000_00))
    table.do(chips("cyd", "player", 100_00))
    assert table.in_play() == {"ann": 900_00, "cyd": 100_00}


_real_settled = settle_round.settled_wager


def _whole(rules: Any, current: Any, laid: Any, verdict: Any) -> Any:
    """The whole stake wins or loses, in play or not."""
    return _real_settled(rules, current, replace(laid, in_play_cents=laid.stake_cents), verdict)


@proves(
    "limit.pro-rata-below-minimum",
    broken_by=(
        step(judged, "shares_cents", lambda lying, most, least, real=judged.shares_cents: real(lying, most, 0)),
        step(judged, "shares_cents", lambda lying, most, least: {wager.id: most // len(lying) for wager in lying}),
    ),
)
def below_the_minimum_nothing_is_scaled(rules: Rulebook) -> None:
    """Where wagers are scaled, one under the minimum plays in full, and the others make room for it."""
    table = Seating(rules, limits=limits(100_00, 1_000_00))
    table.deal("", ("ann", "player", 1_000_00))
    assert tags(table.do(chips("cyd", "player", 50_00))) == ["chips-reported", "pro-rated"]
    assert table.in_play() == {"ann": 950_00, "cyd": 50_00}
    table.draw(f"{SEVEN_FIVE} 4H")
    table.settle()
    assert table.gained("ann", "cyd") == (-950_00, -50_00)


# 5.2: the minimum


@proves(
    "minimum.noticed",
    broken_by=(
        answers(c.PlaceWager, events_changed(lambda event: None if isinstance(event, e.MinimumNoticed) else event)),
        answers(c.CloseBetting, events_changed(lambda event: None if isinstance(event, e.WagerReturned) else event)),
    ),
)
def noticed(rules: Rulebook) -> None:
    """A small wager is noticed before the close: the patron is told, and raises or withdraws it, or it goes back."""
    table = Seating(rules)
    table.bet(("bob", "banker", 10_00))
    told_so = table.do(place("ann", "player", 9_99))[-1]
    assert isinstance(told_so, e.MinimumNoticed)
    assert (told_so.patron, told_so.minimum_cents, told_so.paragraph) == ("ann", 10_00, "5.2")
    table.do(c.RaiseWager(patron="ann", box=1, bet="player", stake_cents=Cents(1)))
    table.do(place("cyd", "player", 5_00))
    table.do(c.WithdrawWager(patron="cyd", box=1, bet="player"))
    table.do(place("cyd", "banker", 5_00))
    assert with_paragraphs(table.close())[0] == ("wager-returned", "5.2")
    assert table.in_play() == {"bob": 10_00, "ann": 10_00}
    assert table.gained("cyd") == (0,)


def _nothing_small(real: Step) -> Step:
    def answer(rules: Any, table: Any, command: Any) -> Any:
        least = judged.minimum_cents(table.opened.limits, command.bet)
        return refuse(Code.NOT_NOW, "no") if command.stake_cents < least else real(rules, table, command)

    return answer


def _small_are_nothing(lying: Any, most: int, least: int) -> dict[str, int]:
    return {wager.id: wager.stake_cents if wager.stake_cents >= least else 0 for wager in lying}


@proves(
    "minimum.unnoticed",
    broken_by=(answers(c.ReportChips, _nothing_small), step(judged, "shares_cents", _small_are_nothing)),
)
def unnoticed(rules: Rulebook) -> None:
    """A wager under the minimum that is found after the close plays as it is: it wins or loses."""
    for cards, gain in ((PLAYER_9, 5_00), (f"{SEVEN_FIVE} 4H", -5_00)):
        table = Seating(rules)
        table.deal("", ("bob", "banker", 10_00))
        assert with_paragraphs(table.do(chips("ann", "player", 5_00))) == [("chips-reported", "5.2.1")]
        assert table.in_play() == {"bob": 10_00, "ann": 5_00}
        table.draw(cards)
        table.settle()
        assert table.gained("ann") == (gain,)


# 5.3: insurance let pass, and patrons who walk away


@proves(
    "insurance.forgone",
    broken_by=(
        insurance(forgone_scope="offer"),
        answers(
            c.Leave, events_changed(lambda event: replace(event, forgone=False) if hasattr(event, "forgone") else event)
        ),
        step(insurance_offers, "closed", lambda rules, table: ()),
    ),
)
def forgone(rules: Rulebook) -> None:
    """Whoever takes no insurance before the next card, or leaves, has none later in the round; standing patrons too."""
    table = Seating(rules)
    table.bet(("ann", "player", 100_00), ("bob", "player", 100_00), ("cyd", "player", 100_00))
    table.do(c.Join(patron="dee", chips_cents=Cents(500_00)), place("dee", "player", 100_00, box=2))
    table.close()
    table.do(c.Leave(patron="dee"))
    opened = table.draw("KH 2S 5D 2C")[-1]
    assert isinstance(opened, e.InsuranceOffered)
    assert set(opened.maximum) == {"ann", "bob", "cyd"}
    table.do(insure("bob", 10_00), c.Join(patron="dee"))
    third = table.draw("2H")
    assert third[0] == e.InsuranceClosed(paragraph="5.3", after=Moment.FOUR_CARDS, forgone=("ann", "cyd"))
    again = third[-1]
    assert isinstance(again, e.InsuranceOffered)
    assert set(again.maximum) == {"bob"}
    for name in ("ann", "cyd", "dee"):
        assert table.refused(insure(name, 10_00)) == ("insurance-forgone", "5.3")


def _returned_to_ann(rules: Any, current: Any, laid: Any, verdict: Any) -> Any:
    back = Verdict("returned", None, verdict.paragraph)
    return _real_settled(rules, current, laid, back if laid.patron == "ann" else verdict)


@proves(
    "walked-away",
    broken_by=(
        step(settle_round, "settled_wager", _returned_to_ann),
        heard(Phase.DEALING, c.WithdrawWager),
    ),
)
def walked_away(rules: Rulebook) -> None:
    """The wager of a patron who leaves stays and is settled all the same, won or lost."""
    for cards, gain in ((PLAYER_9, 100_00), (f"{SEVEN_FIVE} 4H", -100_00)):
        table = Seating(rules)
        table.deal("KH")
        assert with_paragraphs(table.do(c.Leave(patron="ann"))) == [("patron-left", "5.3.1")]
        assert table.refused(c.WithdrawWager(patron="ann", box=1, bet="player"))[0] == "no-more-bets"
        table.draw(cards.removeprefix("KH"))
        table.settle()
        assert table.gained("ann") == (gain,)
