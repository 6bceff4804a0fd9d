"""5.6, late wagers; chips as they lie, displays, wagers placed by staff (5.19, 5.20, 5.22; 2024: 5.14, 5.15, 5.17)."""

from __future__ import annotations

from typing import Any

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import evolve as irregular
from punto.game.refusals import refuse
from punto.game.table import Entry, Phase
from punto.money import Cents
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import answers, events_changed, heard, remedy, replace, step, with_another_command
from tests.rules.proving import proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    banker_pays,
    chips,
    place,
    with_paragraphs,
)

# 5.6: after “No more Bets”


@proves(
    "late-wagers",
    broken_by=(
        heard(Phase.DEALING, c.PlaceWager),
        heard(Phase.OFFER, c.RaiseWager),
        heard(Phase.COMPLETE, c.WithdrawWager),
        heard(Phase.DEALING, c.LowerWager),
    ),
)
def late_wagers(rules: Rulebook) -> None:
    """From the call to the settlement no wager is placed, raised, lowered or withdrawn."""
    table = Seating(rules)
    table.bet()
    table.close()
    mine: dict[str, Any] = {"patron": "ann", "box": 1, "bet": "player"}
    for cards, phase in (("", Phase.DEALING), (SEVEN_FIVE, Phase.OFFER), ("4H", Phase.COMPLETE)):
        table.draw(cards)
        assert table.phase is phase
        assert table.refused(place("cyd", "tie", 10_00)) == ("no-more-bets", "5.6")
        assert table.refused(c.RaiseWager(**mine, stake_cents=Cents(10_00))) == ("no-more-bets", "5.6")
        assert table.refused(c.LowerWager(**mine, stake_cents=Cents(10_00))) == ("no-more-bets", "5.6")
        assert table.refused(c.WithdrawWager(**mine)) == ("no-more-bets", "5.6")
    table.settle()
    assert table.gained("ann", "bob") == (-100_00, banker_pays(rules))


# 5.19, 5.20, 5.22


@proves("chips-lie", broken_by=answers(c.ReportChips, with_another_command(lambda k: replace(k, bet="player"))))
def chips_count_where_they_lie(rules: Rulebook) -> None:
    """ann's chips lay on Tie at the close, whatever ann meant: they lose when Player wins."""
    table = Seating(rules)
    table.deal("", ("bob", "banker", 10_00))
    assert with_paragraphs(table.do(chips("ann", "tie", 20_00))) == [("chips-reported", table.number("chips-lie"))]
    table.draw(PLAYER_9)
    table.settle()
    assert table.gained("ann") == (-20_00,)


def _pays_for_it(real: Any) -> Any:
    """A board that is put right moves money."""

    def paid(rules: Any, table: Any, row: Any, facts: Any) -> Any:
        entries = (Entry(patron="ann", paid_cents=Cents(100)),)
        return (*real(rules, table, row, facts), e.RulingPaid(paragraph=row.cite, entries=entries))

    return paid


@proves(
    "displays",
    broken_by=(
        step(irregular, "_unmarked", lambda shoe, number: shoe),
        answers(c.Settle, lambda real: lambda r, t, k: _as_displayed(real(r, t, k), t)),
        remedy("displays", _pays_for_it),
    ),
)
def displays_only_inform(rules: Rulebook) -> None:
    """A wrong board changes nothing at the table: correcting it moves no money. A void round is taken off the board."""
    table = Seating(rules)
    table.play(PLAYER_9)
    table.table = replace(table.table, shoe=replace(table.table.in_use, results={1: "B"}))
    assert table.shown().results == "B"
    table.deal("KD 2H 9H 3D")
    table.settle()
    assert table.gained("ann", "bob") == (200_00, -200_00)
    assert with_paragraphs(table.report("displays", shown="Banker wins", round=1))[1] == (
        "display-corrected",
        table.number("displays"),
    )
    assert table.gained("ann", "bob") == (200_00, -200_00)
    table.report("void", cause="not-reconstructible")
    table.decide("sam")
    assert table.shown().results == "B", "round 2 is off the board; nothing rewrites what stood there before"
    assert table.gained("ann", "bob") == (100_00, -100_00)


def _as_displayed(events: Any, table: Any) -> Any:
    """The last result on the board is paid."""
    if not table.in_use.results:
        return events
    wins = {"B": "banker", "P": "player", "T": "tie"}[list(table.in_use.results.values())[-1]]
    swapped = tuple(
        replace(line, handed_back_cents=Cents(2 * line.stake_cents * (line.bet == wins))) for line in events[0].lines
    )
    return (replace(events[0], lines=swapped),)


@proves(
    "staff-place",
    broken_by=(
        answers(c.PlaceWager, lambda real: lambda r, t, k: refuse(Code.NOT_NOW, "no") if k.by else real(r, t, k)),
        answers(c.PlaceWager, events_changed(lambda event: replace(event, bet="banker") if event.by else event)),
    ),
)
def staff_place(rules: Rulebook) -> None:
    """Any Pit Employee may place for a patron, with the patron's chips; the patron answers for how they lie."""
    for name in ("dora", "sam", "mia"):
        table = Seating(rules)
        table.bet(("bob", "banker", 100_00))
        assert table.refused(place("ann", "player", 100_00, by="zed"))[0] == "not-on-duty"
        placed = table.do(place("ann", "player", 100_00, by=name))
        assert with_paragraphs(placed) == [("wager-placed", table.number("staff-place"))]
        assert table.gained("ann") == (-100_00,)
        table.close()
        table.draw(PLAYER_9)
        table.settle()
        assert table.gained("ann", "bob") == (100_00, -100_00)
