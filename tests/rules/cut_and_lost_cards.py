"""Of 2025: the cut card (5.7), a shoe or shuffler that must be reset (5.12), lost and damaged cards (5.13)."""

from __future__ import annotations

from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game import shoe
from punto.game.irregularities import carried_out, report
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import (
    Step,
    answers,
    believed,
    events_changed,
    heard,
    nothing_done,
    procedure,
    remedy,
    row,
    step,
    with_another_command,
)
from tests.rules.breaking_tables import replace as changed
from tests.rules.proving import proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    banker_pays,
    options_given,
    reported,
    ruled,
    tags,
    with_paragraphs,
)

# 5.7 (2025): the cut card

CUT = c.DrawCutCard(by="dora")


@proves(
    "cut-card",
    broken_by=answers(
        c.DrawCutCard, lambda real: lambda r, t, k: (*real(r, t, k), e.RoundConcluded(paragraph="5.7", by=k.by))
    ),
)
def cut_card(rules: Rulebook) -> None:
    """A cut card that comes in a round is taken out, and the round goes on as if it had not been there."""
    for first, second in (("", PLAYER_9), ("KH 2S", "9D 3C")):
        table = Seating(rules)
        table.deal(first)
        assert with_paragraphs(table.do(CUT)) == [("cut-card-drawn", "5.7")]
        table.draw(second)
        assert list(table.faces.values()) == PLAYER_9.split()
        table.settle()
        assert table.gained("ann", "bob") == (100_00, -100_00)


def withdraw(name: str, bet: str) -> c.WithdrawWager:
    return c.WithdrawWager(patron=name, box=1 if name == "ann" else 2, bet=bet)


@proves(
    "cut-card.withdraw",
    broken_by=(
        procedure(cut_card_withdraw=False),
        answers(c.WithdrawWager, events_changed(lambda event: None if isinstance(event, e.RoundConcluded) else event)),
    ),
)
def cut_card_first(rules: Rulebook) -> None:
    """The cut card comes first in a high-limit area: wagers may be withdrawn, and with none left the round is over."""
    table = Seating(rules, high_limit=True)
    table.deal("")
    assert with_paragraphs(table.do(CUT)) == [("cut-card-drawn", "5.7.1")]
    assert with_paragraphs(table.do(withdraw("ann", "player"))) == [("wager-withdrawn", "5.7.1")]
    assert table.gained("ann", "bob") == (0, -100_00)
    assert with_paragraphs(table.do(withdraw("bob", "banker")))[-1] == ("round-concluded", "5.7.1")
    assert (table.phase, table.current.winner, table.current.cards) == (Phase.SETTLED, None, ())
    assert table.gained("ann", "bob") == (0, 0)
    elsewhere = Seating(rules)
    elsewhere.deal("")
    elsewhere.do(CUT)
    assert elsewhere.refused(withdraw("ann", "player"))[0] == "no-more-bets"


def _always_withdrawn(rules: Any, table: Any) -> Any:
    return e.CutCardDrawn(paragraph="5.7.1", withdrawal=True)


@proves(
    "cut-card.too-late",
    broken_by=(heard(Phase.DEALING, c.WithdrawWager), step(shoe, "cut_card_drawn", _always_withdrawn)),
)
def cut_card_too_late(rules: Rulebook) -> None:
    """Once a card of the round is dealt nobody withdraws, whether the cut card came before it or comes after."""
    table = Seating(rules, high_limit=True)
    table.deal("")
    table.do(CUT)
    table.draw("KH")
    assert table.refused(withdraw("ann", "player")) == ("no-more-bets", "5.7.2")
    table = Seating(rules, high_limit=True)
    table.deal("KH")
    table.do(CUT)
    assert table.refused(withdraw("ann", "player"))[0] == "no-more-bets"


def _anywhere(table: Any, kind: str, *, past_only: bool) -> None:
    return None


@proves(
    "cut-card.not-offered",
    broken_by=(
        row("cut-card", options="never"),
        row("cut-card", options="always"),
        believed("cut-card"),
        step(report, "nowhere", _anywhere),
    ),
)
def cut_card_not_offered(rules: Rulebook) -> None:
    """The cut card came first and the Dealer dealt on: patrons have the options while no outcome is established."""
    table = Seating(rules, high_limit=True)
    table.deal("KH")
    table.report("cut-card")
    assert with_paragraphs(table.decide("dora"))[-1] == ("options-opened", "5.7.3")
    table.choose(ann="returned")
    table.draw("2S 7D 3C 4H")
    table.settle()
    assert table.gained("ann", "bob") == (0, banker_pays(rules))
    table = Seating(rules, high_limit=True)
    table.deal(SEVEN_FIVE)
    table.report("cut-card")
    assert not options_given(table.decide("dora"))
    table = Seating(rules)
    table.deal("KH")
    assert table.refused(reported("cut-card")) == ("bad-report", "5.7")
    table = Seating(rules, high_limit=True)
    table.deal("KH")
    table.do(CUT)
    assert table.refused(reported("cut-card")) == ("bad-report", "5.7"), "by the record it did not come first"


# 5.12 and 5.13 (2025)


@proves(
    "reset",
    broken_by=(row("reset", options="never"), row("reset", options="always"), row("reset", decided_by="dealer")),
)
def reset(rules: Rulebook) -> None:
    """Shoe or shuffler is reset after “No more Bets”: patrons have the options while no outcome is established."""
    for device in ("shoe", "shuffler"):
        table = Seating(rules, device=device)
        table.bet()
        assert table.refused(reported("reset"))[0] == "not-then"
        table.close()
        table.draw("KH 2S")
        table.report("reset")
        assert table.refused(ruled("dora")) == ("wrong-rank", "5.12")
        assert with_paragraphs(table.decide("sam"))[-1] == ("options-opened", "5.12")
        table.choose(ann="returned", bob="returned")
        assert table.gained("ann", "bob") == (0, 0)
        table.deal("KD 2H 7H 3D")
        table.report("reset")
        assert not options_given(table.decide("sam"))


def _damaged(rules: Rulebook) -> Seating:
    """P2 is damaged before anybody has seen it; Player has 0 besides, Banker 5."""
    table = Seating(rules, facing="down")
    table.deal("? ? ? ?")
    table.turn(P1="KH", B1="2S", B2="3C")
    table.report("damaged-card", place="P2")
    return table


@proves("damaged-card", broken_by=(row("damaged-card", decided_by="dealer"), remedy("damaged-card", nothing_done)))
def damaged_card(rules: Rulebook) -> None:
    """A Pit Supervisor acts for the House: the value of the damaged card is found out, or else the round is void."""
    table = _damaged(rules)
    assert table.refused(c.ExposeCard(by="dora", place="P2", card="9D"))[0] == "not-now"
    assert table.refused(ruled("dora", card="9D")) == ("wrong-rank", "5.13.1")
    assert tags(table.decide("sam", card="9D"))[1] == "card-determined"
    assert tags(_damaged(rules).decide("sam"))[1] == "round-voided"


def _void_anyway(real: Step) -> Step:
    return lambda rules, table, row, command: carried_out.void(rules, table, row.cite)


@proves(
    "damaged-card.value",
    broken_by=(
        remedy("damaged-card", _void_anyway),
        remedy("damaged-card", with_another_command(lambda k: changed(k, card="AD"))),
    ),
)
def damaged_card_value(rules: Rulebook) -> None:
    """The value that is found out counts, and the outcome with it."""
    table = _damaged(rules)
    assert with_paragraphs(table.decide("sam", card="9D"))[1] == ("card-determined", "5.13.1")
    assert table.faces["P2"] == "9D"
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)


@proves("damaged-card.void", broken_by=remedy("damaged-card", nothing_done))
def damaged_card_void(rules: Rulebook) -> None:
    """The value stays unknown, here of a card that was lost: the round is void."""
    table = Seating(rules)
    table.deal("KH 2S")
    table.report("damaged-card", count=1)
    assert with_paragraphs(table.decide("sam"))[1] == ("round-voided", "5.13.2")
    assert table.gained("ann", "bob") == (0, 0)
