"""The options that every patron has after an error in the deal: 5.16 (2024: 5.12)."""

from __future__ import annotations

from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import carried_out, options
from punto.game.irregularities.lines import all_returned
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import (
    Step,
    answers,
    at_another_table,
    replace,
    row,
    step,
)
from tests.rules.dealing_errors import BACKWARDS, drawn_together
from tests.rules.proving import Break, proves
from tests.rules.seating import (
    SEVEN_FIVE,
    Seating,
    banker_pays,
    insure,
    ruled,
    tags,
    with_paragraphs,
)


def _first_only(rules: Any, table: Any, paragraph: str, *, rebuilt: bool) -> Any:
    return (e.OptionsOpened(paragraph=paragraph, patrons=("ann",), reconstructed=rebuilt),)


@proves(
    "options",
    broken_by=(
        row("other-dealing-error", options="never"),
        row("other-dealing-error", decided_by="dealer"),
        step(carried_out, "options", _first_only),
        step(options, "resumed", lambda rules, table, paragraph, silent=(): carried_out.void(rules, table, paragraph)),
    ),
)
def each_has_the_options(rules: Rulebook) -> None:
    """After any other error in the deal each patron chooses. Whoever continues, or is silent, stays in the round."""
    table = Seating(rules)
    cite = table.number("options")
    table.deal(SEVEN_FIVE, ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cyd", "player", 50_00))
    table.report("other-dealing-error")
    assert table.refused(ruled("dora")) == ("wrong-rank", cite)
    opened = table.decide("sam")[-1]
    assert opened == e.OptionsOpened(paragraph=cite, patrons=("ann", "bob", "cyd"), reconstructed=False)
    assert table.refused(c.DrawCard(by="dora", card="4H"))[0] == "not-now"
    table.choose(ann="continue", cyd="returned")
    assert table.refused(c.ChooseOption(patron="ann", option="returned"))[0] == "not-now"
    table.draw("4H")
    table.settle()
    assert table.gained("ann", "bob", "cyd") == (-100_00, banker_pays(rules), 0)


def _rebuilt(value: bool) -> Break:
    """A patron's choice is decided with a wrong record of whether the cards were reconstructed."""

    def told_so(table: Any) -> Any:
        return replace(table, irregularity=replace(table.irregularity, reconstructed=value))

    return answers(c.ChooseOption, at_another_table(told_so))


RETURNED_ANYWAY = answers(
    c.ChooseOption, lambda real: lambda rules, table, command: real(rules, table, replace(command, option="returned"))
)


@proves("options.continue", broken_by=(_rebuilt(True), RETURNED_ANYWAY))
def option_to_continue(rules: Rulebook) -> None:
    """The cards could not be reconstructed: the hand goes on as it lies."""
    table = Seating(rules)
    table.deal("KH 2S")
    table.report("wrong-hand")
    table.decide("sam", reconstruct=False)
    chosen = table.do(c.ChooseOption(patron="ann", option="continue"))
    assert with_paragraphs(chosen) == [("option-chosen", table.number("options.continue"))]
    table.do(c.ResumePlay(by="dora"))
    table.draw("9D 3C")
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)


@proves("options.reconstructed", broken_by=(_rebuilt(False), RETURNED_ANYWAY, BACKWARDS))
def option_of_the_reconstructed_hand(rules: Rulebook) -> None:
    """Where the cards were reconstructed, whoever continues plays the reconstructed hand."""
    table = drawn_together(rules)
    table.decide("sam", order=("9D", "3C"))
    chosen = table.do(c.ChooseOption(patron="ann", option="continue"))
    assert with_paragraphs(chosen) == [("option-chosen", table.number("options.reconstructed"))]
    table.do(c.ResumePlay(by="dora"))
    assert table.phase is Phase.COMPLETE
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)


def _not_insurance(real: Step) -> Step:
    def returned(*arguments: Any) -> Any:
        return tuple(
            replace(line, handed_back_cents=0) if "insurance" in line.bet else line for line in real(*arguments)
        )

    return returned


@proves(
    "options.returned",
    broken_by=(
        step(options, "all_returned", _not_insurance(all_returned)),
        answers(c.ResumePlay, lambda real: lambda r, t, k: carried_out.resumed(r, t, "5.1")),
        answers(c.ChooseOption, lambda real: lambda r, t, k: real(r, t, replace(k, option="continue"))),
    ),
)
def option_to_have_bets_returned(rules: Rulebook) -> None:
    """All wagers of the patron go back, decided side bets and insurance too; if nobody continues there is no result."""
    table = Seating(rules)
    table.deal(SEVEN_FIVE, ("ann", "player", 100_00), ("ann", "player_pair", 10_00), ("bob", "banker", 100_00))
    table.do(insure("ann", 20_00))
    table.report("other-dealing-error")
    table.decide("sam")
    chosen = table.do(c.ChooseOption(patron="ann", option="returned"))
    assert with_paragraphs(chosen) == [("option-chosen", table.number("options.returned"))]
    assert table.gained("ann", "bob") == (0, -100_00)
    assert tags(table.choose(bob="returned")) == ["round-concluded"]
    assert table.gained("ann", "bob") == (0, 0)
    assert (table.current.ended, table.current.winner) == (True, None)
