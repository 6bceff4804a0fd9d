"""Section 1 of Tiger Buffalo, the words for people; and 2.1.1.a, their boxes.

Dealer, House, Pit Employee, Player (our patron), Seated and Standing Player.
"""

from __future__ import annotations

from typing import Any, Final

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import evolve as adding
from punto.game import people, wagers
from punto.game.audience import Audience
from punto.game.irregularities import carried_out
from punto.game.moves import hand_back
from punto.game.refusals import Refusal, refuse
from punto.game.table import Patron
from punto.rulebook.model import Rank, Rulebook
from tests.rules.breaking_tables import (
    answers,
    at_another_table,
    positions,
    refusing,
    replace,
    step,
    with_another_command,
)
from tests.rules.proving import proves
from tests.rules.seating import PLAYER_9, SEVEN_FIVE, Seating, banker_pays, open_table, place, ruled


@proves(
    "define.dealer",
    broken_by=(
        step(people, "not_on_duty", lambda rules, name: ()),
        answers(c.DrawCard, lambda real: lambda r, t, k: refusing(real)(r, t, k) if k.by == "dora" else real(r, t, k)),
        answers(c.EndDuty, lambda real: lambda r, t, k: (e.DutyEnded(paragraph="1", name=k.name),)),
    ),
)
def dealer(rules: Rulebook) -> None:
    """Whoever is on duty as Dealer deals the whole round, nobody else does, and a table always has one."""
    table = Seating(rules)
    table.bet()
    assert table.refused(c.CloseBetting(by="ann"))[0] == "not-on-duty"
    table.close()
    assert table.refused(c.DrawCard(by="ann", card="KH"))[0] == "not-on-duty"
    table.draw(PLAYER_9)
    assert table.refused(c.Settle(by="zed"))[0] == "not-on-duty"
    table.settle()
    table.do(*(c.EndDuty(name=name) for name in ("sam", "mia", "tess")))
    assert table.refused(c.EndDuty(name="dora")) == ("last-on-duty", table.number("define.dealer"))


@proves(
    "define.pit-employee",
    broken_by=(
        step(people, "not_on_duty", lambda rules, name: ()),
        answers(c.StartDuty, with_another_command(lambda k: replace(k, rank=Rank.DEALER))),
        answers(c.StartDuty, with_another_command(lambda k: replace(k, rank=Rank.PIT_SUPERVISOR))),
    ),
)
def pit_employee(rules: Rulebook) -> None:
    """Dealer, Pit Supervisor, Pit Manager: the post that somebody is assigned to counts, not the person."""
    table = Seating(rules)
    assert table.refused(c.OpenBetting(by="zed")) == ("not-on-duty", table.number("define.pit-employee"))
    table.do(c.StartDuty(name="sam", rank=Rank.DEALER), c.StartDuty(name="zed", rank=Rank.PIT_SUPERVISOR))
    table.deal("KH 2S")
    table.report("void", cause="foreign-card")
    assert table.refused(ruled("sam"))[0] == "wrong-rank"
    table.decide("zed")
    table.do(c.EndDuty(name="zed"))
    assert table.refused(c.OpenBetting(by="zed")) == ("not-on-duty", table.number("define.pit-employee"))


def _everybody(rules: Any, table: Any, paragraph: str, *, rebuilt: bool) -> Any:
    return (e.OptionsOpened(paragraph=paragraph, patrons=tuple(table.patrons), reconstructed=rebuilt),)


@proves(
    "define.patron",
    broken_by=(
        step(carried_out, "options", _everybody),
        answers(c.Join, at_another_table(lambda t: replace(t, staff={}))),
    ),
)
def patron(rules: Rulebook) -> None:
    """A patron stakes in the round. cyd, who does not, has no option in it; staff and strangers can't stake."""
    table = Seating(rules)
    table.bet()
    assert table.refused(place("zed", "player", 100_00, box=1)) == ("unknown-patron", table.number("define.patron"))
    assert table.refused(c.Join(patron="dora")) == ("bad-name", table.number("define.patron"))
    table.close()
    table.draw("KH 2S")
    table.report("simultaneous", cards=("9D", "3C"))
    opened = table.decide("sam", order=("1", "2"))[-1]
    assert isinstance(opened, e.OptionsOpened)
    assert opened.patrons == ("ann", "bob")
    assert table.refused(c.ChooseOption(patron="cyd", option="returned"))[0] == "no-option"
    table.choose()
    table.settle()
    assert {line.patron for line in table.current.lines} == {"ann", "bob"}


def _at_the_house(real: Any) -> Any:
    """What patrons lose and win does not reach the house."""
    return lambda table, lines: replace(real(table, lines), house_cents=table.house_cents)


@proves("define.house", broken_by=step(adding, "hand_back", _at_the_house(hand_back)))
def house(rules: Rulebook) -> None:
    """The house is the operator: it gets what patrons lose and pays what they win. No chip is made or lost."""
    table = Seating(rules)
    table.play(f"{SEVEN_FIVE} 4H", ("ann", "player", 100_00), ("ann", "tie", 30_00), ("bob", "banker", 100_00))
    assert table.gained("ann", "bob") == (-130_00, banker_pays(rules))
    assert table.shown(Audience.PIT).house_cents == 130_00 - banker_pays(rules)
    table.play("KD 2H 9H 3D")
    assert table.shown(Audience.PIT).house_cents == 130_00 - banker_pays(rules)


def _seated(value: bool) -> Any:
    real = wagers._checked

    def checked(*arguments: Any, **more: Any) -> Any:
        answer = real(*arguments, **more)
        return answer if isinstance(answer, Refusal) else (answer[0], value)

    return checked


@proves("define.seated", broken_by=(step(wagers, "_checked", _seated(True)), step(wagers, "_checked", _seated(False))))
def seated(rules: Rulebook) -> None:
    """A patron is seated in the box of their own seat, once they have staked there; in another's they stand (W8)."""
    table = Seating(rules)
    table.bet(("ann", "player", 100_00), ("cyd", "player", 100_00))
    table.do(place("ann", "banker", 100_00, box=2))
    lying = [(wager.patron, wager.box, wager.seated) for wager in table.current.wagers.values()]
    assert lying == [("ann", 1, True), ("cyd", 1, False), ("ann", 2, False)]
    assert table.refused(c.Sit(patron="cyd", box=1)) == ("seat-taken", table.number("define.seated"))


def _only_seated(real: Any) -> Any:
    def checked(*arguments: Any, **more: Any) -> Any:
        answer = real(*arguments, **more)
        return answer if isinstance(answer, Refusal) or answer[1] else refuse(Code.NOT_SEATED, "no")

    return checked


def _somebody_at_3(table: Any) -> Any:
    return replace(table, patrons={**table.patrons, "zed": Patron("zed", box=3)})


@proves(
    "define.standing",
    broken_by=(
        step(wagers, "_checked", _only_seated(wagers._checked)),
        answers(c.PlaceWager, at_another_table(_somebody_at_3)),
    ),
)
def standing(rules: Rulebook) -> None:
    """A standing patron stakes only in the box of a seated one; while wagers lie in a box, its seat stays taken."""
    table = Seating(rules)
    table.bet(("cyd", "player", 100_00), ("cyd", "tie", 100_00))
    assert table.refused(place("cyd", "player", 100_00, box=3)) == ("box-empty", table.number("define.standing"))
    assert table.refused(c.StandUp(patron="ann")) == ("box-in-use", table.number("define.standing"))
    table.do(c.StandUp(patron="bob"))
    assert table.refused(place("cyd", "player", 100_00, box=2)) == ("box-empty", table.number("define.standing"))


# 2.1.1.a

POSITIONS: Final = {
    **dict.fromkeys("ABCGHJLMNOPQ", (1, 6)),
    **dict.fromkeys("DEFI", (1, 5)),
    "K": (10, 16),
}
"""Typed from the appendices. The four documents agree on the layouts that they share (E4)."""


@proves(
    "layout.boxes",
    broken_by=(
        positions(1, 99),
        positions(2, 4),
        answers(c.Sit, lambda real: lambda r, t, k: (e.SeatTaken(paragraph="1", patron=k.patron, box=k.box),)),
    ),
)
def boxes(rules: Rulebook) -> None:
    """Each patron has their own box; a layout sets the least and the greatest number of boxes."""
    for name in rules.layouts:
        low, high = POSITIONS[name]
        for number in (low, high):
            opened = open_table(rules, layout=name, positions=number)
            assert not isinstance(opened, Refusal), opened
        for number in (low - 1, high + 1):
            refused = open_table(rules, layout=name, positions=number)
            assert isinstance(refused, Refusal), f"{name} with {number} boxes"
            assert (refused.code, refused.paragraph) == ("bad-positions", "2.1.1.a")
    table = Seating(rules, positions=5)
    assert table.refused(c.Sit(patron="cyd", box=6)) == ("no-such-box", "2.1.1.a")
    assert table.refused(c.Sit(patron="cyd", box=2))[0] == "seat-taken"
    table.bet()
    assert table.refused(place("cyd", "player", 100_00, box=6)) == ("no-such-box", "2.1.1.a")
