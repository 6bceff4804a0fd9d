"""5.17, insurance that was not offered (2024: 5.13); 5.18, insurance chips on the wrong side (2025)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance as insured
from punto.game import insurance_offers
from punto.game.irregularities import missed as missing
from punto.game.irregularities.carried_out import as_it_stood
from punto.game.table import Phase
from punto.rulebook.model import Insurance, Moment, Rulebook
from tests.rules.breaking_tables import (
    Step,
    believed,
    nothing_done,
    remedy,
    row,
    step,
)
from tests.rules.proving import Break, proves
from tests.rules.seating import (
    SEVEN_FIVE,
    Seating,
    banker_pays,
    insure,
    missed,
    reported,
    ruled,
    tags,
    with_paragraphs,
)

# 5.17 (2024: 5.13): insurance was not offered

FIVE_FOUR = "KH 2S 5D 2C"
"""Player 5 against 4: insured at 3 to 2. A 2 takes Player to 7, and Banker draws."""


@proves(
    "insurance-missed",
    broken_by=(
        row("insurance-missed", decided_by="pit-supervisor"),
        step(missing, "_known", lambda table, current: not table.current.all_open),
    ),
)
def insurance_missed(rules: Rulebook) -> None:
    """A Pit Manager's remedy: a late offer while a card is to come, the Original Bet back once the result is known."""
    for cards, tag, topic in (("", "insurance-offered", "before"), ("5C", "original-returned", "after")):
        table = Seating(rules)
        table.deal(f"{FIVE_FOUR} 2H {cards}")
        assert with_paragraphs(table.do(missed()))[0] == ("irregularity-reported", table.number("insurance-missed"))
        assert table.refused(ruled("sam")) == ("wrong-rank", table.number(f"insurance-missed.{topic}"))
        named = {} if topic == "before" else {"patrons": ("ann",)}
        assert tags(table.decide("mia", **named))[1] == tag


def _most(rules: Any, table: Any, name: str, offer: Any) -> int:
    return insurance_offers.most_cents(rules, table, name, offer)


@proves(
    "insurance-missed.before",
    broken_by=(
        step(missing, "late_most_cents", _most),
        step(insurance_offers, "late_most_cents", _most),
        step(missing, "_known", lambda table, current: True),
        remedy("insurance-missed", nothing_done),
    ),
)
def offered_late(rules: Rulebook) -> None:
    """A late offer has the odds of the missed one and wins at most the Original Bet; then play goes on to the end."""
    table = Seating(rules)
    table.deal(f"{FIVE_FOUR} 2H")
    table.do(missed())
    offered = table.decide("mia")[1]
    assert isinstance(offered, e.InsuranceOffered)
    assert (offered.late, str(offered.odds), offered.paragraph) == (
        True,
        "3/2",
        table.number("insurance-missed.before"),
    )
    assert offered.maximum == {"ann": 66_66}
    late_offer = Moment.FOUR_CARDS
    assert table.refused(insure("ann", 66_67, after=late_offer))[0] == "insurance-over-limit"
    table.do(insure("ann", 60_00, after=late_offer))
    table.draw("5C")
    assert table.phase is Phase.COMPLETE
    table.settle()
    assert table.gained("ann") == (-100_00 + 90_00,)


def _would_have_won(result: str) -> Break:
    """Missed insurance would have had this result, whatever the cards."""
    answer = SimpleNamespace(offer=insured.offer, result=lambda *arguments: (result, ""))
    return step(missing, "insured", answer)


@proves(
    "insurance-missed.after",
    broken_by=(
        _would_have_won("won"),
        _would_have_won("lost"),
        step(missing, "fault", lambda *arguments: None),
        step(missing, "concerned", lambda rules, current, offer: ["ann", "cyd"]),
    ),
)
def original_bet_returned(rules: Rulebook) -> None:
    """The Original Bet goes back to whoever meant to insure and would have won; not under a notice of 4.2.2."""
    for last, ann in (("4H", 0), ("AH", 100_00)):
        table = Seating(rules)
        table.deal(f"{SEVEN_FIVE} {last}", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cyd", "tie", 10_00))
        table.do(missed())
        assert table.refused(ruled("mia", patrons=("cyd",)))[0] == "bad-ruling"
        back = [("original-returned", table.number("insurance-missed.after"))]
        assert with_paragraphs(table.decide("mia", patrons=("ann",)))[1:-1] == ([] if ann else back)
        table.settle()
        assert table.gained("ann") == (ann,)
    private = Seating(rules, private=True)
    private.do(c.SetInsurance(by="sam", offered=False, asked_by="bob"))
    private.deal(f"{SEVEN_FIVE} 4H")
    assert private.refused(missed()) == ("bad-report", private.number("insurance-missed"))


# 5.18 (2025): insurance chips on the wrong side


def _misplaced(rules: Rulebook, bet: Insurance, *, settled: bool) -> Seating:
    """ann insures Player 7 against 5, or bob Banker 5 against 2; the Dealer put the chips on the other side."""
    table = Seating(rules)
    if bet is Insurance.PLAYER:
        table.deal(SEVEN_FIVE)
        table.do(insure("ann", 25_00, bet, area=Insurance.BANKER, by="dora"))
        table.draw("4H")
    else:
        table.deal("KH 2S 2D 3C")
        table.do(insure("bob", 20_00, bet, area=Insurance.PLAYER, by="dora"))
        table.draw("6H KC")
    if settled:
        table.settle()
    return table


@proves("insurance-misplaced", broken_by=(remedy("insurance-misplaced", nothing_done), believed("insurance-misplaced")))
def misplaced(rules: Rulebook) -> None:
    """Misplaced insurance is moved even after the settlement; it stays valid and settles by the right side."""
    for settled in (False, True):
        table = _misplaced(rules, Insurance.PLAYER, settled=settled)
        assert not settled or table.gained("ann") == (-125_00,)
        assert table.refused(reported("insurance-misplaced", insurance="w1")) == ("bad-report", "5.18")
        table.report("insurance-misplaced", insurance="i3")
        table.decide("dora")
        assert table.refused(reported("insurance-misplaced", insurance="i3")) == ("bad-report", "5.18")
        if not settled:
            table.settle()
        assert table.gained("ann", "bob") == (-100_00 + 100_00, banker_pays(rules))


def _left(bet: Insurance) -> Break:
    """Chips of this insurance are left where they lie."""

    def wrap(real: Step) -> Step:
        def decides(rules: Any, table: Any, row: Any, command: Any) -> Any:
            taken = next(wager for wager in table.current.insurance if wager.id == table.irregularity.insurance)
            return as_it_stood(table, row.cite) if taken.bet is bet else real(rules, table, row, command)

        return decides

    return remedy("insurance-misplaced", wrap)


@proves("insurance-misplaced.player", broken_by=_left(Insurance.PLAYER))
def misplaced_of_player(rules: Rulebook) -> None:
    """Player insurance lay on the Banker's side: Banker wins 9 to 7, and it is paid 4 to 1."""
    table = _misplaced(rules, Insurance.PLAYER, settled=False)
    table.report("insurance-misplaced", insurance="i3")
    assert with_paragraphs(table.decide("dora"))[1] == ("insurance-repositioned", "5.18.1")
    table.settle()
    assert table.gained("ann") == (-100_00 + 100_00,)


@proves("insurance-misplaced.banker", broken_by=_left(Insurance.BANKER))
def misplaced_of_banker(rules: Rulebook) -> None:
    """Banker insurance lay on the Player's side: Player wins 8 to 5, and it is paid 3 to 2."""
    table = _misplaced(rules, Insurance.BANKER, settled=False)
    table.report("insurance-misplaced", insurance="i3")
    assert with_paragraphs(table.decide("dora"))[1] == ("insurance-repositioned", "5.18.2")
    table.settle()
    assert table.gained("bob") == (-100_00 + 30_00,)
