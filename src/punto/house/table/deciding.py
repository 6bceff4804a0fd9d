"""Commands that wait at one table, decided one after the other on the state that the ones before lead to.

Pure but for the facts it is given: the time, and where new shoes come from. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import recall
from punto.game.audience import Audience
from punto.game.decide import decide
from punto.game.evolve import evolve
from punto.game.refusals import Refusal, named, refuse
from punto.game.table import NEW, Round, Table
from punto.house.store import codec
from punto.house.store.records import Row, Transfer, Unit
from punto.house.table import ledger, shoes
from punto.house.table.clock import iso, same_stage
from punto.house.table.governing import governing, in_use

MOST_COMMANDS: Final = 64
"""Commands of one list."""


Allowed = Callable[[Table, c.AnyCommand], Refusal | None]
"""Why this asker may not give this command to a table that stands so; None where he may."""


Past = dict[int, Round]
"""Rounds that were read back for what is decided now (I11), by number."""


class Facts(msgspec.Struct, frozen=True):
    """What the house knows and a command does not: the time, on the wall's clock and on the monotonic one, a new shoe,
    and rounds that the table holds no more."""

    at: int
    monotonic: int
    shuffled: shoes.Shuffle
    past: Past = {}


class Unread(Exception):  # no error: the store is asked, and it is decided again
    """A command is about a round that the table holds no more."""

    def __init__(self, number: int) -> None:
        super().__init__(f"round {number} is not held and was not read back")
        self.number = number


class Standing(msgspec.Struct, frozen=True):
    """A table, the hash of its newest row, when that was written, and when it came to where it stands: `since` by what
    is on record, `seen` by the monotonic clock of this node, which is what clocks count from."""

    head: bytes
    table: Table = NEW
    at: int = 0
    since: int = 0
    seen: int = 0


class Asked(msgspec.Struct, frozen=True, eq=False):
    """Commands under one key. `key` is unique in the table: it starts with who asks."""

    commands: tuple[c.AnyCommand, ...]
    key: str
    actor: str
    body: bytes
    audience: Audience = Audience.PATRON
    allowed: Allowed | None = None


class Decided(msgspec.Struct, frozen=True):
    """What one asking led to. `version` is the table's after it."""

    asked: Asked
    version: int
    events: tuple[e.AnyEvent, ...]
    rules: tuple[str, ...]
    """The hash of the edition that governed, for each event."""


class Batch(msgspec.Struct, frozen=True):
    """What a table appends at once, the answers that hang on it, and where the table stands then."""

    unit: Unit | None
    decided: tuple[Decided, ...]
    refused: tuple[tuple[Asked, Refusal], ...]
    after: Standing


def batch(stream: str, standing: Standing, waiting: Iterable[Asked], facts: Facts) -> Batch:
    """Every asking decided in its turn. One that is refused leaves no trace in what follows. Raises Unread."""
    table, past = standing.table, facts.past
    decided: list[Decided] = []
    refused: list[tuple[Asked, Refusal]] = []
    moved: list[Transfer] = []
    for asked in waiting:
        told = _list(stream, table, past, asked, facts, moved)
        if isinstance(told, Refusal):
            refused.append((asked, told))
        else:
            table, past, one = told
            decided.append(one)
    if table is standing.table:
        return Batch(None, tuple(decided), tuple(refused), standing)
    said = [codec.Said(one.events, one.asked.actor, one.rules, one.asked.key, one.asked.body) for one in decided]
    rows = codec.rows(stream, standing.table.version, standing.head, facts.at, said)
    events = [event for one in decided for event in one.events]
    transfers = tuple(moved)
    unit = Unit(stream, standing.table.version, rows, transfers, ledger.wallets(transfers))
    if not _MARKS.isdisjoint([type(event) for event in events]):
        rounds, played = _rounds(rows, events), _played(standing.table, rows, events)
        unit = msgspec.structs.replace(unit, rounds=rounds, played=played)
    since, seen = standing.since, standing.seen
    if not same_stage(standing.table, table):
        since, seen = facts.at, facts.monotonic
    return Batch(unit, tuple(decided), tuple(refused), Standing(rows[-1].hash, table, facts.at, since, seen))


def caught_up(standing: Standing, rows: Iterable[Row], monotonic: int) -> tuple[Standing, list[e.AnyEvent]]:
    """The table with rows that somebody else wrote, as they are seen here now."""
    table, since, at, head = standing.table, standing.since, standing.at, standing.head
    seen = standing.seen
    events: list[e.AnyEvent] = []
    for row in rows:
        assert row.version == table.version + 1, "a stream has no gaps"
        event = codec.event(row)
        after = evolve(table, event)
        if not same_stage(table, after):
            since, seen = row.at, monotonic
        table, at, head = after, row.at, row.hash
        events.append(event)
    return Standing(head, table, at, since, seen), events


def _list(
    stream: str, table: Table, past: Past, asked: Asked, facts: Facts, moved: list[Transfer]
) -> tuple[Table, Past, Decided] | Refusal:
    """All of a list, and the table and the rounds read back after it; or the refusal of its first command that can't
    be. What it moved is added to `moved`."""
    commands, allowed = asked.commands, asked.allowed
    if not 0 < len(commands) <= MOST_COMMANDS:
        return refuse(Code.BAD_COMMAND, f"expected 1 to {MOST_COMMANDS} commands")
    events: list[e.AnyEvent] = []
    hashes: list[str] = []
    transfers: list[Transfer] = []
    for command in commands:
        denied = allowed(table, command) if allowed is not None else None
        if denied is not None:
            return denied
        if type(command) in _FILLED_IN:
            prepared = _prepared(stream, table, command, facts)
            if isinstance(prepared, Refusal):
                return prepared
            command = prepared
        number = recall.wanted(table, command)
        if number is not None:
            if number not in past:
                raise Unread(number)
            table = recall.held(table, past[number])
        try:
            rules = governing(table, command, in_use(table))
        except ValueError as error:
            return refuse(Code.BAD_COMMAND, str(error))
        answer = decide(rules, table, command)
        if isinstance(answer, Refusal):
            return answer
        for event in answer:
            after = evolve(table, event)
            transfers += ledger.transfers(table, after, event)
            table = after
            events.append(event)
            hashes.append(rules.data_sha256)
        if number is not None:
            past = {**past, number: table.past[number]}
            table = recall.let_go(table, number)
    moved += transfers
    return table, past, Decided(asked, table.version, tuple(events), tuple(hashes))


_FILLED_IN: Final = frozenset({c.OpenTable, c.OpenBetting, c.LoadShoe})


def _prepared(stream: str, table: Table, command: c.AnyCommand, facts: Facts) -> c.AnyCommand | Refusal:
    """The command with what only the house may say: the time, and the order of a virtual shoe."""
    match command:
        case c.OpenTable():
            if stream != f"table/{command.table}":
                return refuse(Code.BAD_NAME, f"the table is called {named(command.table)} here and otherwise there")
            now = iso(facts.at) if command.edition is None else None
            return msgspec.structs.replace(command, on=now)
        case c.OpenBetting():
            return msgspec.structs.replace(command, on=iso(facts.at))
        case c.LoadShoe():
            if command.order is not None or command.salt is not None or command.commitment is not None:
                return refuse(Code.BAD_SHOE, "the house shuffles its virtual shoes itself")
            if table.settings is None or table.settings.source != "virtual" or not command.shuffled:
                return command
            return shoes.committed(command, facts.shuffled(table.settings.decks))
        case _:
            return command


def _rounds(rows: Sequence[Row], events: Sequence[e.AnyEvent]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (event.round, row.version)
        for row, event in zip(rows, events, strict=True)
        if isinstance(event, e.BettingOpened)
    )


_ENDS_FOR_SOME: Final = (e.RoundSettled, e.RoundVoided, e.OptionChosen)
_MARKS: Final = frozenset({e.BettingOpened, *_ENDS_FOR_SOME})
"""Where a round opens, or ends for somebody."""


def _played(before: Table, rows: Sequence[Row], events: Sequence[e.AnyEvent]) -> tuple[tuple[str, int, int], ...]:
    """Whose round ended where: settled, void, or his bets returned by option."""
    number = before.rounds
    found: dict[tuple[str, int], int] = {}
    for row, event in zip(rows, events, strict=True):
        if isinstance(event, e.BettingOpened):
            number = event.round
        elif isinstance(event, _ENDS_FOR_SOME):
            for line in event.lines:
                found[line.patron, number] = row.version
    return tuple((person, played, version) for (person, played), version in found.items())
