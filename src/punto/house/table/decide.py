"""Decide the requests of one batch, each on the state that the ones before lead to.

Pure but for the facts (time and new shoes), a shoe's salt, and each request's `permit`. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import recall
from punto.game.decide import decide
from punto.game.evolve import evolve
from punto.game.refusals import Refusal, named, refuse
from punto.game.table import NEW, Round, Table
from punto.house.instants import iso
from punto.house.store import codec
from punto.house.store.answers import Denied
from punto.house.store.records import Row, Transfer, Unit
from punto.house.table import ledger, virtual_shoes
from punto.house.table.governing_edition import governing, in_use
from punto.house.table.request import MOST_COMMANDS, Request
from punto.house.table.stage import same_stage
from punto.rulebook.model import Rulebook

PastRounds = dict[int, Round]
"""Past rounds, by number, read back for the commands being decided (I11)."""


class Facts(msgspec.Struct, frozen=True):
    """What the house knows and a command does not: the time, by wall clock and monotonic clock, a source of new shoes,
    and rounds that the table holds no more."""

    at: int
    monotonic: int
    new_shoe: virtual_shoes.Shuffle
    past: PastRounds = {}


class RoundNotRead(Exception):  # no error: the worker reads the round and decides again
    """A command is about a round that the table holds no more."""

    def __init__(self, number: int) -> None:
        super().__init__(f"round {number} is not held and was not read back")
        self.number = number


class TableState(msgspec.Struct, frozen=True):
    """A table, the hash of its newest row, when that row was written, and when the table came to its stage: `since` by
    the record, `seen` by the monotonic clock of this node. Clocks count from `seen`."""

    head: bytes
    table: Table = NEW
    at: int = 0
    since: int = 0
    seen: int = 0


class Effect(msgspec.Struct, frozen=True):
    """What one accepted request leads to. `version` is the table's after it."""

    request: Request
    version: int
    events: tuple[e.AnyEvent, ...]
    rules: tuple[str, ...]
    """The hash of the edition that governed, for each event."""


class Decided(msgspec.Struct, frozen=True):
    """What a table appends in one commit, the requests accepted and refused, and its state after it."""

    unit: Unit | None
    effects: tuple[Effect, ...]
    refusals: tuple[tuple[Request, Refusal | Denied], ...]
    after: TableState


def decide_all(stream: str, state: TableState, requests: Iterable[Request], facts: Facts) -> Decided:
    """Decide every request in turn. A refused one has no effect on those that follow. Raises RoundNotRead."""
    table, past = state.table, facts.past
    effects: list[Effect] = []
    refusals: list[tuple[Request, Refusal | Denied]] = []
    transfers: list[Transfer] = []
    for request in requests:
        turn = _Turn(stream, table, past, facts)
        refusal = turn.decide(request)
        if refusal is not None:
            refusals.append((request, refusal))
            continue
        table, past = turn.table, turn.past
        transfers += turn.transfers
        effects.append(Effect(request, table.version, tuple(turn.events), tuple(turn.rules)))
    if table is state.table:
        return Decided(None, tuple(effects), tuple(refusals), state)
    unit = _unit(stream, state, effects, tuple(transfers), facts.at)
    since, seen = state.since, state.seen
    if not same_stage(state.table, table):
        since, seen = facts.at, facts.monotonic
    after = TableState(unit.rows[-1].hash, table, facts.at, since, seen)
    return Decided(unit, tuple(effects), tuple(refusals), after)


def read_on(state: TableState, rows: Iterable[Row], monotonic: int) -> tuple[TableState, list[e.AnyEvent]]:
    """The state after rows that somebody else wrote, seen here at `monotonic`, and their events."""
    table, since, at, head = state.table, state.since, state.at, state.head
    seen = state.seen
    events: list[e.AnyEvent] = []
    for row in rows:
        assert row.version == table.version + 1, "a stream has no gaps"
        event = codec.event(row)
        after = evolve(table, event)
        if not same_stage(table, after):
            since, seen = row.at, monotonic
        table, at, head = after, row.at, row.hash
        events.append(event)
    return TableState(head, table, at, since, seen), events


class _Turn:
    """One request, decided command by command: the table after it, its events, and their transfers."""

    def __init__(self, stream: str, table: Table, past: PastRounds, facts: Facts) -> None:
        self.table, self.past = table, past
        self.events: list[e.AnyEvent] = []
        self.rules: list[str] = []
        self.transfers: list[Transfer] = []
        self._stream, self._facts = stream, facts

    def decide(self, request: Request) -> Refusal | Denied | None:
        """Why the first command that is refused is refused; None where all are accepted."""
        if not 0 < len(request.commands) <= MOST_COMMANDS:
            return refuse(Code.BAD_COMMAND, f"expected 1 to {MOST_COMMANDS} commands")
        for command in request.commands:
            refusal = request.permit(self.table, command) if request.permit is not None else None
            refusal = refusal or self._command(command)
            if refusal is not None:
                return refusal
        return None

    def _command(self, command: c.AnyCommand) -> Refusal | None:
        if type(command) in _FILLED_IN:
            full = _filled_in(self._stream, self.table, command, self._facts)
            if isinstance(full, Refusal):
                return full
            command = full
        number = recall.wanted(self.table, command)
        if number is not None:
            if number not in self.past:
                raise RoundNotRead(number)
            self.table = recall.held(self.table, self.past[number])
        try:
            rules = governing(self.table, command, in_use(self.table))
        except ValueError as error:
            return refuse(Code.BAD_COMMAND, str(error))
        events = decide(rules, self.table, command)
        if isinstance(events, Refusal):
            return events
        for event in events:
            self._add(event, rules)
        if number is not None:
            self.past = {**self.past, number: self.table.past[number]}
            self.table = recall.let_go(self.table, number)
        return None

    def _add(self, event: e.AnyEvent, rules: Rulebook) -> None:
        after = evolve(self.table, event)
        self.transfers += ledger.transfers(self.table, after, event)
        self.table = after
        self.events.append(event)
        self.rules.append(rules.data_sha256)


_FILLED_IN: Final = frozenset({c.OpenTable, c.OpenBetting, c.LoadShoe})


def _filled_in(stream: str, table: Table, command: c.AnyCommand, facts: Facts) -> c.AnyCommand | Refusal:
    """The command with the fields that only the house fills in: the time, and the order of a virtual shoe."""
    match command:
        case c.OpenTable():
            if stream != f"table/{command.table}":
                return refuse(
                    Code.BAD_NAME, f"`table` is {named(command.table)}, but the command was sent to another table"
                )
            return msgspec.structs.replace(command, on=iso(facts.at))
        case c.OpenBetting():
            return msgspec.structs.replace(command, on=iso(facts.at))
        case c.LoadShoe():
            if command.order is not None or command.salt is not None or command.commitment is not None:
                return refuse(Code.BAD_SHOE, "the house shuffles its virtual shoes itself")
            if table.settings is None or table.settings.source != "virtual" or not command.shuffled:
                return command
            return virtual_shoes.committed(command, facts.new_shoe(table.settings.decks))
        case _:
            return command


_ENDS_FOR_SOME: Final = (e.RoundSettled, e.RoundVoided, e.OptionChosen)
_MARKS: Final = frozenset({e.BettingOpened, *_ENDS_FOR_SOME})
"""Events by which a round opens, or ends for somebody."""


def _unit(stream: str, state: TableState, effects: Sequence[Effect], transfers: tuple[Transfer, ...], at: int) -> Unit:
    """All that the effects append, with the index entries by which rounds are found later."""
    commands = [
        codec.CommandEvents(
            effect.events, effect.request.actor, effect.rules, effect.request.stored_key, effect.request.body
        )
        for effect in effects
    ]
    rows = codec.rows(stream, state.table.version, state.head, at, commands)
    events = [event for effect in effects for event in effect.events]
    rounds: tuple[tuple[int, int], ...] = ()
    played: tuple[tuple[str, int, int], ...] = ()
    if not _MARKS.isdisjoint([type(event) for event in events]):
        pairs = list(zip(rows, events, strict=True))
        rounds = tuple((event.round, row.version) for row, event in pairs if isinstance(event, e.BettingOpened))
        played = _played(state.table.rounds, pairs)
    wallets = ledger.wallets(transfers)
    return Unit(stream, state.table.version, rows, transfers, wallets, rounds, played)


def _played(number: int, pairs: Iterable[tuple[Row, e.AnyEvent]]) -> tuple[tuple[str, int, int], ...]:
    """Where each patron's round ended: settled, void, or bets returned by option. `number` is the current round's."""
    ends: dict[tuple[str, int], int] = {}
    for row, event in pairs:
        if isinstance(event, e.BettingOpened):
            number = event.round
        elif isinstance(event, _ENDS_FOR_SOME):
            for line in event.lines:
                ends[line.patron, number] = row.version
    return tuple((person, played, version) for (person, played), version in ends.items())
