"""Remedies as events: void, options, going on. Who may order them is not judged here."""

from __future__ import annotations

from typing import Final

from punto.game import commands as c
from punto.game import dealing
from punto.game import events as e
from punto.game.evolve import evolve, evolve_all
from punto.game.irregularities.lay import all_drawn, lay_out
from punto.game.irregularities.lines import all_returned, entries
from punto.game.table import CarriedCard, Irregular, Phase, Table
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[e.AnyEvent, ...]

IN_DEALING: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)


def opened(table: Table) -> Irregular:
    assert table.irregularity is not None, "the phase table keeps this to an open irregularity"
    return table.irregularity


def at_once(rules: Rulebook, table: Table, row: Irregularity, command: c.ReportIrregularity) -> Events:
    """The rows that nobody decides: an interruption (5.4), and the Live terms that speak for themselves."""
    governs = row.goes_by or row.id
    if governs == "interruption":
        if opened(table).established:
            return resumed(rules, table, rules.paragraph("interruption.concluded"))
        return void(rules, table, rules.paragraph("interruption.void"))
    if row.id == "exposed-while-betting":
        return void(rules, table, row.cite)
    if row.id == "dropped-card" and table.phase in IN_DEALING:
        return resumed(rules, table, row.cite) if command.exposed else void(rules, table, row.cite)
    if row.id == "dropped-card":
        return resumed(rules, table, rules.paragraph("dropped.outside-play"))
    return resumed(rules, table, row.cite)


def void(rules: Rulebook, table: Table, paragraph: str) -> Events:
    """5.21: every wager of the round goes back, decided ones and insurance included (I5)."""
    current = table.current
    lines = all_returned(current, rules.paragraph("void.returns"))
    moved = entries(table, current.lines, lines) if current.ended else ()
    return (e.RoundVoided(paragraph=paragraph, round=current.number, lines=lines, entries=moved),)


def resumed(rules: Rulebook, table: Table, paragraph: str, silent: tuple[str, ...] = ()) -> Events:
    """Play goes on where it stood, with whatever the open cards call for now."""
    phase = opened(table).phase
    current = table.round
    if current is None or current.ended or phase not in IN_DEALING:
        return (e.PlayResumed(paragraph=paragraph, phase=phase, silent=silent),)
    if phase is Phase.CUT_CARD and not current.cards:
        return (e.PlayResumed(paragraph=paragraph, phase=phase, silent=silent),)
    if current.offer is not None or current.late_offer is not None:
        return (e.PlayResumed(paragraph=paragraph, phase=Phase.OFFER, silent=silent),)
    going = e.PlayResumed(paragraph=paragraph, phase=Phase.DEALING, silent=silent)
    return (going, *dealing.then(rules, evolve(table, going)))


def reconstructed(
    rules: Rulebook, table: Table, cards: tuple[CarriedCard, ...], paragraph: str
) -> e.CardsReconstructed:
    """I4: the drawn cards in their places, the rest to open what is dealt next."""
    drawn = all_drawn(table, cards)
    if table.round is None or table.round.ended or opened(table).phase is Phase.BETTING:
        return e.CardsReconstructed(paragraph=paragraph, cards=(), carried=drawn)
    placed, left = lay_out(rules.table_of_play, drawn)
    return e.CardsReconstructed(paragraph=paragraph, cards=placed, carried=left)


def options_or_on(rules: Rulebook, table: Table, row: Irregularity, *, rebuilt: bool) -> Events:
    """I2, I3: the options where the paragraph gives them to this case, else play goes on."""
    open_ = opened(table)
    given = {
        "always": True,
        "never": False,
        "unless-established": not open_.established,
        "unless-reconstructed-and-established": not (rebuilt and open_.established),
    }[row.options]
    if not given or open_.phase is Phase.BETTING:
        return resumed(rules, table, row.cite)
    return options(rules, table, row.options_cite or row.cite, rebuilt=rebuilt)


def options(rules: Rulebook, table: Table, paragraph: str, *, rebuilt: bool) -> Events:
    """5.16: to every patron with a wager in the round."""
    current = table.round
    patrons = tuple(dict.fromkeys(laid.patron for laid in current.wagers.values())) if current is not None else ()
    if not patrons:
        return resumed(rules, table, paragraph)
    return (e.OptionsOpened(paragraph=paragraph, patrons=patrons, reconstructed=rebuilt),)


def after(table: Table, events: Events) -> Table:
    return evolve_all(table, events)
