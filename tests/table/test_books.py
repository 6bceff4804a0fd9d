"""After every event of every script a table holds what the plain books hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from punto.game import recall
from punto.game.events import AnyEvent
from punto.game.evolve import evolve, evolve_all
from punto.game.refusals import Refusal
from punto.game.table import NEW
from punto.house.table import replay_script
from tests.table.plain_books import Books, plain
from tests.transcripts import reading
from tests.transcripts.sights import difference

SCRIPTS = sorted(str(path.relative_to(reading.FOLDER).with_suffix("")) for path in reading.FOLDER.rglob("*.jsonl"))


def events(name: str) -> Iterator[tuple[int, AnyEvent]]:
    lines = [line for line in reading.script(name).read_bytes().splitlines() if line.strip() and line[:1] != b"#"]
    for number, step in enumerate(replay_script.played(lines), 1):
        if not isinstance(step.answer, Refusal):
            for event in step.answer:
                yield number, event


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_table_holds_what_plain_books_hold(name: str) -> None:
    table, books = NEW, Books(NEW)
    for number, event in events(name):
        table = evolve(table, event)
        books.add(event, table)
        held = plain(table)
        if held != books.now:
            wrong = difference(books.now, held), difference(held, books.now)
            pytest.fail(
                f"{name}, command {number}, {type(event).__name__}: the table has {wrong[0]}, the books {wrong[1]}"
            )


@pytest.mark.parametrize("name", SCRIPTS)
def test_i11_a_past_round_is_what_its_events_add_up_to(name: str) -> None:
    history = [event for _, event in events(name)]
    table = evolve_all(NEW, tuple(history))
    for number, past in table.past.items():
        assert recall.past_round(history, number) == past, (name, number)
