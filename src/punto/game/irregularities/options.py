"""The options of every patron (5.16, I3): go on, or have one's bets returned. Who says nothing goes on."""

from __future__ import annotations

from punto.codes import Code
from punto.game import commands as c
from punto.game import dealing, people
from punto.game import events as e
from punto.game.evolve import evolve_all
from punto.game.irregularities.carried_out import opened, resumed
from punto.game.irregularities.kinds import Events, Kind
from punto.game.irregularities.lines import all_returned, collected, entries
from punto.game.refusals import Refusal, named, refuse
from punto.game.table import Irregular, Table
from punto.rulebook.model import Rulebook


def choose(rules: Rulebook, table: Table, command: c.ChooseOption) -> Events | Refusal:
    """Record one patron's choice. It can't be taken back."""
    open_ = opened(table)
    cite = rules.irregularities[Kind.OPTIONS].cite
    patron = people.present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    if command.patron not in open_.choices:
        return refuse(Code.NO_OPTION, f"{command.patron} has no wager in this round", cite)
    if open_.choices[command.patron]:
        return refuse(Code.OPTION_CHOSEN, f"{command.patron} has chosen already", cite)
    row = rules.irregularities[Kind.OPTIONS]
    remedy = {"continue": _going_on(open_), "returned": "return"}.get(command.option)
    if remedy is None or row.remedy(remedy) is None:
        return refuse(Code.NO_OPTION, f"{named(command.option)} is no option: expected continue or returned", cite)
    if remedy == "return":
        return _returned(rules, table, command.patron)
    return (e.OptionChosen(paragraph=_on_cite(rules, open_), patron=command.patron, option="continue"),)


def _going_on(open_: Irregular) -> str:
    """5.16.1, 5.16.2: with the hand as it lies, or as it was reconstructed."""
    return "continue-reconstructed" if open_.reconstructed else "continue"


def _on_cite(rules: Rulebook, open_: Irregular) -> str:
    return rules.paragraph("options.reconstructed" if open_.reconstructed else "options.continue")


def _returned(rules: Rulebook, table: Table, patron: str) -> Events:
    """5.16.3: all wagers of the patron in the round, decided ones and insurance included."""
    cite = rules.paragraph("options.returned")
    current = table.current
    lines = all_returned(current, cite, patron)
    moved = entries(table, current.lines, lines) if current.ended else ()
    events: Events = (e.OptionChosen(paragraph=cite, patron=patron, option="returned", lines=lines, entries=moved),)
    if current.ended:
        return events
    events = (*events, *collected(rules, evolve_all(table, events), lines))
    return (*events, *_squeeze_passed(rules, table, evolve_all(table, events), patron))


def _squeeze_passed(rules: Rulebook, before: Table, table: Table, patron: str) -> Events:
    """I3: what they were to squeeze passes to the next highest wager; with none left staff turn the cards."""
    turned = {card.place for card in before.current.cards if card.exposed}
    held = [place for place in dealing.PLACES if place not in turned and dealing.squeezer(before, place) == patron]
    best = dealing.highest(rules, table)
    if not held or best is None:
        return ()
    return (e.SqueezePassed(paragraph=rules.procedure.squeeze_cite, patron=best.patron),)


def resume(rules: Rulebook, table: Table, command: c.ResumePlay) -> Events | Refusal:
    """Who has not chosen goes on and accepts every later card; if nobody goes on the round ends without result."""
    open_ = opened(table)
    silent = tuple(patron for patron, choice in open_.choices.items() if not choice)
    if not silent and "continue" not in open_.choices.values():
        return (e.RoundConcluded(paragraph=rules.paragraph("options.returned"), by=command.by),)
    row = rules.irregularities[Kind.OPTIONS]
    return resumed(rules, table, _on_cite(rules, open_) if silent else row.cite, silent)
