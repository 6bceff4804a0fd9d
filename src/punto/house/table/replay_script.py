"""Play a script of commands on a table that is not stored, for `punto replay` and the conformance kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

import msgspec

from punto.cards import DECK, CardError, card
from punto.codes import Code
from punto.game import notation, recall
from punto.game.commands import AnyCommand
from punto.game.decide import Answer, apply
from punto.game.events import AnyEvent
from punto.game.record import key_twice
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.house.table import governing_edition

LONGEST_LINE: Final = 1 << 20


class Played(msgspec.Struct, frozen=True):
    """What a command led to, and the table after it."""

    answer: Answer
    table: Table


def played(lines: Iterable[bytes | None]) -> Iterator[Played]:
    """Play each command of a script in turn; None stands for a line that was too long to keep."""
    table = NEW
    events: list[AnyEvent] = []
    for line in lines:
        try:
            command = command_of(table, line)
            past = recall.wanted(table, command)
            held = table if past is None else recall.held(table, recall.past_round(events, past))
            rules = governing_edition.governing(held, command, governing_edition.in_use(table))
        except (ValueError, RecursionError) as error:
            answer: Answer = Refusal(Code.BAD_COMMAND, str(error), None)
        else:
            held, answer = apply(rules, held, command)
            table = held if past is None else recall.let_go(held, past)
        if not isinstance(answer, Refusal):
            events += answer
        yield Played(answer, table)


def command_of(table: Table, line: bytes | None) -> AnyCommand:
    """Parse a command; a key that occurs twice is an error."""
    if line is None:
        raise ValueError(f"the line is longer than {LONGEST_LINE} bytes")
    command = _read(table, line)
    fault = key_twice(line)
    if fault is not None:
        raise ValueError(fault)
    return command


def _read(table: Table, line: bytes) -> AnyCommand:
    """A virtual shoe may be given by its `top` cards: the rest follows in the order of new decks."""
    loose = msgspec.json.decode(line) if b'"top"' in line else None
    if not isinstance(loose, dict) or "top" not in loose or table.settings is None:
        return notation.command(line)
    top = msgspec.convert(loose.pop("top"), tuple[str, ...])
    rest = Counter(str(card) for card in DECK * table.settings.decks)
    with suppress(CardError):  # the table itself refuses an order with an invalid card
        rest.subtract(str(card(text)) for text in top)
    loose["order"] = [*top, *(face for face, count in rest.items() for _ in range(count))]
    return notation.command(msgspec.json.encode(loose))
