"""Whether a house kept its word, by the answers of its clients and the stored rows. No code of punto is used.

A second opinion beside `punto audit`, which checks the rows by the rules and does not know what was answered. Here an
answer is a promise: an accepted command is on record once, at the version that was named, in an order that the clients'
own clock allows; a refused one is not on record; a key that was sent again got the same answer. Cards leave a shoe once
and in its order, and a stake moves once.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

ENDLESS: Final = float("inf")
MONEY: Final = ("wager-placed", "wager-raised")


class Said(NamedTuple):
    """One request and its answer, by the client's clock; `status` is 0 where none came."""

    stream: str
    key: str
    sent: float
    answered: float
    status: int
    body: bytes


class Row(NamedTuple):
    stream: str
    version: int
    key: str | None
    rows: int
    event: Mapping[str, Any]


class Transfer(NamedTuple):
    stream: str
    version: int
    giver: str
    taker: str
    cents: int


class Command(NamedTuple):
    """The rows of a key: the first and the last version."""

    key: str
    first: int
    last: int


def faults(said: Sequence[Said], rows: Sequence[Row], transfers: Sequence[Transfer]) -> list[str]:
    """Every promise that was not kept. The rows are of tables, in any order."""
    streams: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.stream, row.version)):
        streams[row.stream].append(row)
    moved: dict[str, list[Transfer]] = defaultdict(list)
    for transfer in transfers:
        moved[transfer.stream].append(transfer)
    problems: list[str] = []
    answers: dict[str, list[Said]] = defaultdict(list)
    for answer in said:
        answers[answer.stream].append(answer)
    for stream in sorted({*streams, *answers}):
        own = streams.get(stream, [])
        commands, broken = _commands(stream, own)
        problems += [*broken, *_answers(stream, commands, answers.get(stream, []))]
        problems += _order(stream, commands, answers.get(stream, []))
        problems += _dealt(stream, own)
        problems += _stakes(stream, own, moved.get(stream, []))
    return problems


def _commands(stream: str, rows: Sequence[Row]) -> tuple[dict[str, Command], list[str]]:
    """Commands by key, and what is wrong with the sequence: a gap, a key twice, a command in part."""
    problems = [
        f"{stream}: version {now.version} follows {was.version}"
        for was, now in pairwise(rows)
        if now.version != was.version + 1
    ]
    if rows and rows[0].version != 1:
        problems.append(f"{stream}: it begins with version {rows[0].version}")
    commands: dict[str, Command] = {}
    at = 0
    while at < len(rows):
        first = rows[at]
        part = rows[at : at + max(first.rows, 1)]
        if first.key is None or len(part) < first.rows or any(row.key is not None for row in part[1:]):
            problems.append(f"{stream}: version {first.version} is no whole command")
        elif first.key in commands:
            problems.append(f"{stream}: {first.key} has a second effect at version {first.version}")
        else:
            commands[first.key] = Command(first.key, first.version, part[-1].version)
        at += len(part)
    return commands, problems


def _answers(stream: str, commands: Mapping[str, Command], answers: Sequence[Said]) -> Iterator[str]:
    """What was accepted is on record, what was refused is not, and a key has one answer."""
    bodies: dict[str, bytes] = {}
    for answer in answers:
        if answer.status not in (200, 409):
            continue
        if bodies.setdefault(answer.key, answer.body) != answer.body:
            yield f"{stream}: {answer.key} was answered in two ways"
        known = commands.get(answer.key)
        if answer.status == 409 and known is not None:
            yield f"{stream}: {answer.key} was refused and is on record at version {known.first}"
        elif answer.status == 200 and known is None:
            yield f"{stream}: {answer.key} was accepted and is lost"
        elif answer.status == 200 and known is not None:
            version = json.loads(answer.body)["version"]
            if version != known.last:
                yield f"{stream}: {answer.key} was answered with version {version} and is on record at {known.last}"
    senders = {key.partition("/")[0] for key in (reply.key for reply in answers)}
    sent = {reply.key for reply in answers}
    for key in commands:
        if key.partition("/")[0] in senders and key not in sent:
            yield f"{stream}: {key} is on record and was never sent"


def _order(stream: str, commands: Mapping[str, Command], answers: Sequence[Said]) -> Iterator[str]:
    """No command is on record before one that had been accepted when it was first sent."""
    sent: dict[str, float] = {}
    answered: dict[str, float] = {}
    for answer in answers:
        sent[answer.key] = min(answer.sent, sent.get(answer.key, ENDLESS))
        if answer.status == 200:
            answered[answer.key] = min(answer.answered, answered.get(answer.key, ENDLESS))
    earliest, by = ENDLESS, ""
    for command in sorted(commands.values(), key=lambda record: -record.first):
        if command.key not in sent:
            continue
        if sent[command.key] > earliest:
            yield f"{stream}: {command.key} stands before {by}, which was answered before it was sent"
        if answered.get(command.key, ENDLESS) < earliest:
            earliest, by = answered[command.key], command.key


def _dealt(stream: str, rows: Sequence[Row]) -> Iterator[str]:
    """Cards leave the shoe in its order, each once; each place of a round has one card; rounds follow each other."""
    order: Sequence[str] = ()
    drawn = 0
    number = 0
    places: set[str] = set()
    for row in rows:
        event = row.event
        match event["event"]:
            case "shoe-loaded":
                order, drawn = event["order"], 0
            case "betting-opened":
                if event["round"] != number + 1:
                    yield f"{stream}: round {event['round']} follows {number}, at version {row.version}"
                number, places = event["round"], set()
            case "cards-burnt":
                if order[drawn : drawn + 1] != [event["card"]]:
                    yield f"{stream}: version {row.version} burns another card than the shoe's next"
                drawn += 1 + event["skipped"]
            case "card-drawn":
                if order[drawn : drawn + 1] != [event["card"]]:
                    yield f"{stream}: version {row.version} deals another card than the shoe's next"
                drawn += 1
                if event["place"] in places:
                    yield f"{stream}: {event['place']} of round {number} is dealt twice, at version {row.version}"
                places.add(event["place"])
            case _:
                pass


def _stakes(stream: str, rows: Sequence[Row], transfers: Sequence[Transfer]) -> Iterator[str]:
    """A stake that is on record moved from the patron's chips to the layout once, and no other stake moved."""
    table = stream.partition("/")[2]
    due: Counter[tuple[int, str]] = Counter()
    for row in rows:
        if row.event["event"] in MONEY:
            due[row.version, f"chips/{table}/{row.event['patron']}"] += 1
    moved: Counter[tuple[int, str]] = Counter()
    for transfer in transfers:
        if transfer.taker == f"escrow/{table}" and transfer.giver.startswith("chips/"):
            moved[transfer.version, transfer.giver] += 1
    for version, giver in sorted({*due, *moved}):
        if due[version, giver] != moved[version, giver]:
            counts = f"{moved[version, giver]} stakes of {giver}, not {due[version, giver]}"
            yield f"{stream}: version {version} moves {counts}"
