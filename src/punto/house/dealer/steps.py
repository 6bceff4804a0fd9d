"""What the dealer of a virtual table does next, and when: by the table's state alone, so that any node can go on."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from punto.cards import CARDS_IN_A_DECK
from punto.game import commands as c
from punto.game import dealing, squeezing
from punto.game.announcements import closes_now
from punto.game.insurance_offers import unanswered
from punto.game.refusals import Refusal
from punto.game.table import Phase, Shoe, Table
from punto.house.instants import MICRO
from punto.house.store.dealing_pace import Pace
from punto.house.store.names import HOUSE_DEALER
from punto.house.table import virtual_shoes
from punto.rulebook.model import Rank, Rulebook

HOUSE_SUPERVISOR: Final = "house-supervisor"
"""Turns the card of a patron who may squeeze it and lets their time pass. That is a Pit Supervisor's act."""
MOST_CARDS_IN_A_ROUND: Final = 6


class Step(msgspec.Struct, frozen=True):
    """An act of the dealer, `seconds` after the table came to its stage."""

    seconds: float
    commands: tuple[c.AnyCommand, ...]
    actor: str = HOUSE_DEALER

    @property
    def micros(self) -> int:
        return round(self.seconds * MICRO)


def steps(rules: Rulebook, table: Table, pace: Pace) -> tuple[Step, ...]:
    """The acts to try next: where the table refuses one, try the following; where there is none, staff decide. Commands
    that mean the round on the table name it (O90)."""
    return tuple(_in_its_round(table, step) for step in _next(rules, table, pace))


def _in_its_round(table: Table, step: Step) -> Step:
    commands = [
        replace(command, round=table.rounds) if isinstance(command, c.RoundCommand) else command
        for command in step.commands
    ]
    return replace(step, commands=tuple(commands))


def _next(rules: Rulebook, table: Table, pace: Pace) -> tuple[Step, ...]:
    if table.settings is None or table.settings.source != "virtual" or table.phase is Phase.CLOSED:
        return ()
    if HOUSE_DEALER not in table.staff:
        return (Step(0, (c.StartDuty(name=HOUSE_DEALER, rank=Rank.DEALER),)),)
    between = table.phase in (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, Phase.SETTLED)
    return _between_rounds(table, pace) if between else _in_round(rules, table, pace)


def _between_rounds(table: Table, pace: Pace) -> tuple[Step, ...]:
    if closes_now(table):
        return ()
    match table.phase:
        case Phase.NO_SHOE:
            cards = table.opened.decks * CARDS_IN_A_DECK
            return (_step(0, c.LoadShoe(by=HOUSE_DEALER, count=cards, shuffled=True)),)
        case Phase.COMMENCING | Phase.READY if _cut_due(table):
            return (_step(0, c.PlaceCutCard(by=HOUSE_DEALER, after=virtual_shoes.cut_place(table.in_use.cards))),)
        case Phase.COMMENCING:
            return (_step(pace.card, c.Burn(by=HOUSE_DEALER)),)
        case _:
            return _next_round(table, pace)


def _in_round(rules: Rulebook, table: Table, pace: Pace) -> tuple[Step, ...]:
    match table.phase:
        case Phase.BETTING:
            return (_step(pace.betting, c.CloseBetting(by=HOUSE_DEALER)),)
        case Phase.CUT_CARD:
            return (_step(pace.options, c.DrawCard(by=HOUSE_DEALER)),)
        case Phase.DEALING:
            return _next_card(rules, table, pace, pace.card)
        case Phase.OFFER:
            return _next_card(rules, table, pace, pace.insurance if unanswered(table) else pace.card)
        case Phase.COMPLETE:
            return (_step(pace.card, c.Settle(by=HOUSE_DEALER)),)
        case Phase.OPTIONS:
            return (_step(pace.options if _undecided(table) else 0, c.ResumePlay(by=HOUSE_DEALER)),)
        case Phase.IRREGULARITY:
            return ()
        case _:
            raise AssertionError(table.phase)


def _step(seconds: float, command: c.AnyCommand) -> Step:
    return Step(seconds, (command,))


def _cut_due(table: Table) -> bool:
    """I8: a shuffler has no cut card."""
    shoe = table.in_use
    return table.opened.device == "shoe" and shoe.cut_at is None and not shoe.cut_drawn


def _next_round(table: Table, pace: Pace) -> tuple[Step, ...]:
    pause = pace.result if table.phase is Phase.SETTLED else 0
    if _over(table, table.in_use):
        return (_step(pause, c.EndShoe(by=HOUSE_DEALER)),)
    return (_step(pause, c.OpenBetting(by=HOUSE_DEALER)), _step(pause, c.EndShoe(by=HOUSE_DEALER)))


def _over(table: Table, shoe: Shoe) -> bool:
    """Whether the last round is over, new cards were ordered, or few are left. I8: a virtual shuffler is loaded anew
    for every round."""
    used = table.opened.device == "shuffler" and shoe.hands > 0
    return shoe.last_round or shoe.replace_due or used or shoe.left < MOST_CARDS_IN_A_ROUND


def _next_card(rules: Rulebook, table: Table, pace: Pace, seconds: float) -> tuple[Step, ...]:
    """Draw or turn the next card. A patron who asked to squeeze in time is granted it first."""
    squeeze = squeezing.request(table)
    grant = (_step(0, c.GrantSqueeze(by=HOUSE_DEALER)),) if squeeze is not None and not squeeze.granted else ()
    place = dealing.next_place(rules, table)
    if isinstance(place, str):
        return (*grant, _step(seconds, c.DrawCard(by=HOUSE_DEALER)))
    if place is None and table.current.all_open:
        return grant
    assert place is None or isinstance(place, Refusal)
    return (*grant, _turn(table, pace, seconds))


def _turn(table: Table, pace: Pace, seconds: float) -> Step:
    """Turn a card that staff turn before one that a patron may squeeze; staff turn that one after a while."""
    lying = squeezing.due(table)
    free = [place for place in lying if squeezing.holder(table, place) is None]
    if free:
        return _step(seconds, c.ExposeCard(by=HOUSE_DEALER, place=free[0]))
    turn = c.ExposeCard(by=HOUSE_SUPERVISOR, place=lying[0])
    duty = c.StartDuty(name=HOUSE_SUPERVISOR, rank=Rank.PIT_SUPERVISOR)
    commands = (turn,) if HOUSE_SUPERVISOR in table.staff else (duty, turn)
    return Step(max(seconds, pace.squeeze), commands, HOUSE_SUPERVISOR)


def _undecided(table: Table) -> bool:
    assert table.irregularity is not None, "options are an irregularity's"
    return any(not choice and table.patrons[name].present for name, choice in table.irregularity.choices.items())
