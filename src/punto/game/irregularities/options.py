"""The options of every patron (5.16, I3): go on, or have one's bets returned; silence goes on."""

from __future__ import annotations

from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities.carried_out import opened, resumed
from punto.game.irregularities.lines import all_returned, entries
from punto.game.refusals import Refusal, refuse
from punto.game.table import Table
from punto.rulebook.model import Rulebook

Events = tuple[e.AnyEvent, ...]


def choose(rules: Rulebook, table: Table, command: c.ChooseOption) -> Events | Refusal:
    """One patron's choice, recorded; it is not taken back."""
    open_ = opened(table)
    cite = rules.paragraph("options")
    if command.patron not in open_.choices:
        return refuse("no-option", f"{command.patron} has no wager in this round", cite)
    if open_.choices[command.patron]:
        return refuse("option-chosen", f"{command.patron} has chosen already", cite)
    if command.option == "continue":
        topic = rules.paragraph("options.reconstructed" if open_.reconstructed else "options.continue")
        return (e.OptionChosen(paragraph=topic, patron=command.patron, option="continue"),)
    if command.option != "returned":
        return refuse("no-option", f"{command.option!r} is no option: expected continue or returned", cite)
    return (_returned(rules, table, command.patron),)


def _returned(rules: Rulebook, table: Table, patron: str) -> e.OptionChosen:
    """5.16.3: all wagers of the patron in the round, decided ones and insurance included."""
    cite = rules.paragraph("options.returned")
    current = table.current
    lines = all_returned(current, cite, patron)
    old = tuple(line for line in current.lines if line.patron == patron)
    moved = entries(table, old, lines) if current.ended else ()
    return e.OptionChosen(paragraph=cite, patron=patron, option="returned", lines=lines, entries=moved)


def resume(rules: Rulebook, table: Table, command: c.ResumePlay) -> Events | Refusal:
    """Who has not chosen goes on and accepts every later card; if nobody goes on the round ends without result."""
    open_ = opened(table)
    silent = tuple(patron for patron, choice in open_.choices.items() if not choice)
    topic = "options.reconstructed" if open_.reconstructed else "options.continue"
    if silent or "continue" in open_.choices.values() or table.current.ended:
        return resumed(rules, table, rules.paragraph("options") if not silent else rules.paragraph(topic), silent)
    return (e.RoundConcluded(paragraph=rules.paragraph("options.returned"), by=command.by),)
