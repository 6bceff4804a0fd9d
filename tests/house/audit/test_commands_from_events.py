"""Commands are not stored. Each is worked out from its events, and deciding it again gives the same events."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.decide import Answer, decide
from punto.game.evolve import evolve
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house.audit.expected_transfers import Layout
from punto.house.audit.tables.commands_from_events import possible_commands
from punto.house.table import ledger
from punto.rulebook.model import Rulebook
from tests.irregularities import playing
from tests.irregularities.laws import Ruled
from tests.table.driver import BOOKS, Driver
from tests.table.laws import Watched

Decision = tuple[Rulebook, Table, tuple[e.AnyEvent, ...]]


def decisions(seed: int) -> list[Decision]:
    """The accepted decisions of a random table: with irregularities, or without them but with nonsense commands."""
    accepted: list[Decision] = []

    def watch(kind: type[Ruled] | type[Watched], patch: pytest.MonkeyPatch) -> None:
        plain = kind.send

        def send(self: Ruled | Watched, command: c.AnyCommand, rules: Rulebook | None = None) -> Answer:
            governs = rules or (self.rules if isinstance(self, Watched) else self.governing(command))
            before = self.table
            answer = plain(self, command, rules)  # type: ignore[arg-type]
            if not isinstance(answer, Refusal):
                accepted.append((governs, before, answer))
            return answer

        patch.setattr(kind, "send", send)

    chance = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        watch(Ruled, patch)
        watch(Watched, patch)
        if seed % 2:
            playing.Table(chance, chance.choice(BOOKS), often=0.12).play(10)
        else:
            Driver(chance).play(10)
    return accepted


@pytest.mark.parametrize("seed", range(60))
def test_every_command_is_read_back_from_its_events(seed: int) -> None:
    for rules, table, events in decisions(seed):
        answers = (decide(rules, table, command) for command in possible_commands(table, events, "dan"))
        assert any(answer == events for answer in answers), events


@pytest.mark.parametrize("seed", range(60))
def test_the_second_books_agree_with_the_ledger(seed: int) -> None:
    layout: Layout | None = None
    for _, table, events in decisions(seed):
        for event in events:
            if isinstance(event, e.TableOpened) and layout is None:
                layout = Layout(event.settings.table)
            assert layout is not None
            after = evolve(table, event)
            moved = ledger.transfers(table, after, event)
            assert layout.moves(event) == Counter(
                (transfer.giver, transfer.taker, transfer.cents) for transfer in moved
            ), event
            table = after


def test_an_event_that_follows_another_begins_nothing() -> None:
    follows = e.CoupCompleted(paragraph="", player_points=1, banker_points=2)
    assert list(possible_commands(Table(), (follows,), "dan")) == []
