"""Section 3 of Tiger Buffalo at the table: the two calls, limits, the squeeze; and 4.2.2, tables without insurance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from punto.codes import Code
from punto.game import audience, dealing, insurance_offers, people, wagers
from punto.game import commands as c
from punto.game import events as e
from punto.game import limits as judged
from punto.game.irregularities import missed as missing
from punto.game.moves import in_round
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Bet, Moment, Rulebook
from tests.rules.breaking_tables import (
    Step,
    answers,
    heard,
    insurance,
    procedure,
    replace,
    squeezed_by_others,
    step,
)
from tests.rules.printed_pays import TB_2024, TB_FREE_2024
from tests.rules.proving import proves
from tests.rules.seating import SEVEN_FIVE, Seating, insure, limits, missed, open_table, place, tags, with_paragraphs


@proves("betting.opens", broken_by=(procedure(opens_with="Faites vos jeux"), heard(Phase.SETTLED, c.PlaceWager)))
def betting_opens(rules: Rulebook) -> None:
    """Betting opens with the call, and not before it."""
    table = Seating(rules)
    assert table.refused(place("ann", "player", 100_00)) == ("betting-not-open", "3.3")
    (opened,) = table.bet()
    assert isinstance(opened, e.BettingOpened)
    assert (opened.says, opened.paragraph) == ("Place your Bets, please", "3.3")
    table.close()
    table.draw("KH 2S 9D 3C")
    table.settle()
    assert table.refused(place("ann", "tie", 100_00)) == ("betting-not-open", "3.3")


@proves("betting.closes", broken_by=(procedure(closes_with="Rien ne va plus"), heard(Phase.DEALING, c.PlaceWager)))
def betting_closes(rules: Rulebook) -> None:
    """Betting closes with the call: no wager is taken after it, and no card is drawn before it."""
    table = Seating(rules)
    table.bet()
    assert table.refused(c.DrawCard(by="dora", card="KH"))[0] == "not-now"
    table.do(place("cyd", "tie", 10_00))
    (closed,) = table.close()
    assert isinstance(closed, e.BettingClosed)
    assert (closed.says, closed.paragraph) == ("No more Bets", "3.8")
    assert table.refused(place("ann", "tie", 10_00))[0] == "no-more-bets"
    table.draw("KH")


# Limits


def _hidden(real: Step) -> Step:
    return lambda *arguments: replace(real(*arguments), limits=limits(0, 0))


@proves(
    "limits.displayed",
    broken_by=(
        step(audience, "_public", _hidden(audience._public)),
        step(people, "limits_fault", lambda table_limits, bets: None),
    ),
)
def limits_displayed(rules: Rulebook) -> None:
    """Everybody sees the minimum and the maximum Differential; without them no table opens."""
    table = Seating(rules, limits=limits(25_00, 750_00))
    for view in (table.shown(), table.shown(audience.Audience.PATRON, "ann")):
        assert view.limits.minimum_cents == 25_00
        assert view.limits.maximum_differential_cents == 750_00
    for none in (limits(0, 750_00), limits(25_00, 0)):
        refused = open_table(rules, limits=none)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.paragraph) == ("bad-limits", "3.4")


@proves("limits.patron-duty", broken_by=step(judged, "maximum_cents", lambda table_limits, bet: None))
def within_the_limits(rules: Rulebook) -> None:
    """Patrons must keep to the limits and to the chips that they have; any other stake is refused."""
    table = Seating(rules, limits=limits(10_00, 9_000_00, maximum=500_00))
    table.bet(("ann", "player", 500_00), ("bob", "banker", 10_00))
    more = c.RaiseWager(patron="ann", box=1, bet="player", stake_cents=Cents(1))
    assert table.refused(more) == ("over-maximum", "3.5")
    assert table.refused(place("cyd", "tie", 5_000_01)) == ("not-enough-chips", "3.5")
    assert table.refused(place("cyd", "tie", 0)) == ("bad-amount", "3.5")


def _seated_only(real: Step) -> Step:
    def checked(*arguments: Any, **more: Any) -> Any:
        answer = real(*arguments, **more)
        return answer if isinstance(answer, Refusal) or answer[1] else refuse(Code.NOT_NOW, "the seated patron says no")

    return checked


@proves("box.balance-open", broken_by=step(wagers, "_checked", _seated_only(wagers._checked)))
def balance_is_open(rules: Rulebook) -> None:
    """Anybody may stake what ann's box still holds, up to the maximum; ann can't prevent it."""
    table = Seating(rules)
    table.bet(("ann", "player", 100_00))
    assert tags(table.do(place("cyd", "player", 890_00))) == ["wager-placed"]
    table.do(place("bob", "player", 10_00, box=1))
    assert table.shown().boxes[0].stakes == {Bet.PLAYER: 1_000_00}
    assert table.shown().boxes[0].differential_cents == 1_000_00


# Squeezing


def _lowest(real: Step) -> Step:
    def lowest(rules: Rulebook, table: Any) -> Any:
        return min(table.current.wagers.values(), key=lambda laid: laid.in_play_cents)

    return lowest


@proves(
    "squeeze.who",
    broken_by=(
        squeezed_by_others,
        step(dealing, "highest", _lowest(dealing.highest)),
        step(dealing, "squeezer", lambda table, place: None),
    ),
)
def who_squeezes(rules: Rulebook) -> None:
    """The highest wager (2024: of the seated) may squeeze a face-down card, if asked for before it is drawn."""
    wagers_laid = (("ann", "player", 100_00), ("bob", "banker", 200_00), ("cyd", "banker", 300_00))
    may = "bob" if rules.id in (TB_2024, TB_FREE_2024) else "cyd"
    table = Seating(rules, facing="down")
    table.deal("?", *wagers_laid)
    for name in {"ann", "bob", "cyd"} - {may}:
        assert table.refused(c.AskSqueeze(patron=name, places=("P2",))) == ("not-highest-bet", "3.9")
    assert table.refused(c.AskSqueeze(patron=may, places=("P1",))) == ("too-late-to-squeeze", "3.9")
    table.do(c.AskSqueeze(patron=may, places=("P2",)), c.GrantSqueeze(by="dora"))
    table.draw("? ? ?")
    for name, code in (("ann", "no-squeeze"), ("dora", "squeeze-granted")):
        assert table.refused(c.ExposeCard(by=name, place="P2", card="9D")) == (code, "3.9")
    assert with_paragraphs(table.do(c.ExposeCard(by=may, place="P2", card="9D"))) == [("card-exposed", "3.9")]
    table.turn(P1="KH")
    face_up = Seating(rules)
    face_up.deal("", *wagers_laid)
    assert face_up.refused(c.AskSqueeze(patron=may, places=("P1",))) == ("not-face-down", "3.9")


def _granted(real: Step) -> Step:
    return lambda rules, table, command: (
        e.BankerFirstGranted(paragraph="3.14", patron=table.current.banker_first.patron, by=command.by),
    )


def _as_if_not_waived(real: Callable[..., Any]) -> Step:
    def fault(rules: Rulebook, table: Any, current: Any, after: Moment) -> Any:
        return real(rules, table, replace(current, banker_first=None), after)

    return fault


def _second_offer_all_the_same(real: Callable[..., Any]) -> Step:
    return lambda rules, table, **more: real(rules, in_round(table, banker_first=None), **more)


def _turned(rules: Rulebook, banker: str) -> Seating:
    """A face-down table after four cards, all turned: Player has 5, Banker a king and this card."""
    table = Seating(rules, facing="down")
    table.deal("? ? ? ?")
    table.turn(P1="KH", B1="KS", P2="5D", B2=banker)
    return table


@proves(
    "squeeze.banker-first",
    broken_by=(
        squeezed_by_others,
        answers(c.GrantBankerFirst, _granted),
        step(dealing, "_banker_first_fault", lambda rules, table, cite: None),
        step(missing, "fault", _as_if_not_waived(missing.fault)),
        step(insurance_offers, "opened", _second_offer_all_the_same(insurance_offers.opened)),
        step(dealing, "may_turn", lambda rules, table, command: None),
    ),
)
def banker_first(rules: Rulebook) -> None:
    """With the consent of the House the Banker's third card is turned first, and nobody has a second offer."""
    for way in ("squeeze", "expose"):
        table = Seating(rules, facing="down")
        table.deal("? ? ? ?", ("ann", "player", 100_00), ("bob", "player", 200_00), ("cyd", "banker", 300_00))
        table.turn(P1="KH", B1="KS", P2="5D", B2="2C")
        may = "bob" if rules.id in (TB_2024, TB_FREE_2024) else "cyd"
        assert table.refused(c.AskBankerFirst(patron="ann", way=way)) == ("not-highest-bet", "3.14")
        table.do(c.AskBankerFirst(patron=may, way=way))
        assert table.refused(c.GrantBankerFirst(by="dora")) == ("wrong-rank", "3.14")
        table.do(c.GrantBankerFirst(by="sam"))
        table.draw("? ?")
        first, second = (may, "dora") if way == "squeeze" else ("dora", may)
        assert table.refused(c.ExposeCard(by=second, place="P3", card="4D")) == ("banker-first", "3.14")
        table.do(c.ExposeCard(by=first, place="B3", card="6H"))
        table.do(c.ExposeCard(by=second, place="P3", card="4D"))
        assert (table.phase, table.current.offers) == (Phase.COMPLETE, ())
        waived = table.refused(missed(Moment.PLAYER_THIRD))
        assert waived == ("bad-report", table.number("insurance-missed"))
    by_mistake = _turned(rules, "2C")
    by_mistake.do(c.AskBankerFirst(patron="ann", way="squeeze"), c.GrantBankerFirst(by="sam"))
    by_mistake.draw("?")
    by_mistake.report("face-up", place="P3", card="4D")
    by_mistake.decide("dora")
    assert (by_mistake.phase, by_mistake.current.offers) == (Phase.DEALING, ())
    usual = _turned(rules, "2C")
    usual.draw("?")
    assert tags(usual.turn(P3="4D")) == ["card-exposed", "insurance-offered"]
    may_stand = _turned(rules, "3C")
    request = c.AskBankerFirst(patron="ann", way="squeeze")
    assert may_stand.refused(request) == ("banker-may-stand", "3.14")


# 4.2.2


def _offered_all_the_same(real: Callable[..., Any]) -> Step:
    return lambda rules, table, **more: real(rules, in_round(table, insurance_offered=True), **more)


def _no_notice(real: Callable[..., Any]) -> Step:
    return lambda *arguments: replace(real(*arguments), notice=None)


@proves(
    "insurance.not-offered",
    broken_by=(
        insurance(not_offered="nowhere"),
        step(people, "_no_insurance", lambda *arguments, **more: None),
        step(insurance_offers, "opened", _offered_all_the_same(insurance_offers.opened)),
        step(audience, "_public", _no_notice(audience._public)),
    ),
)
def no_insurance(rules: Rulebook) -> None:
    """A private table has no insurance if a patron asks and the House agrees; a notice says so to all who come."""
    request = c.SetInsurance(by="sam", offered=False, asked_by="ann")
    assert Seating(rules).refused(request) == ("insurance-must-be-offered", "4.2.2")
    table = Seating(rules, private=True)
    assert table.refused(replace(request, asked_by="")) == ("no-request", "4.2.2")
    assert table.refused(replace(request, by="dora")) == ("wrong-rank", "4.2.2")
    assert table.shown().notice is None
    assert with_paragraphs(table.do(request)) == [("insurance-notice", "4.2.2")]
    table.do(c.Join(patron="eve", chips_cents=Cents(500_00)))
    assert table.shown(audience.Audience.PATRON, "eve").notice == "No insurance is offered at this table"
    table.bet()
    table.do(place("eve", "player", 100_00, box=1))
    table.close()
    assert tags(table.draw(SEVEN_FIVE)) == ["card-drawn"]
    assert table.refused(insure("eve", 10_00)) == ("no-such-offer", "4.2.2")
