"""Two shoes that differ only in cards that nobody has seen: whatever the commands, nobody can tell them apart."""

from __future__ import annotations

import random

import msgspec

from punto.game import commands as c
from punto.game import events as e
from punto.game.audience import seen
from punto.game.decide import Answer, apply
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.rulebook.model import Rulebook
from tests.table.laws import Watched, views

Commands = list[tuple[Rulebook, c.AnyCommand]]


def redact(answer: Answer) -> object:
    """An answer as anybody may see it."""
    return answer if isinstance(answer, Refusal) else [seen(event) for event in answer]


def other_shoe(watched: Watched, stop: int, chance: random.Random) -> Commands | None:
    """The commands before `stop`, with the last virtual shoe's unseen cards in another order; None without one."""
    loaded: int | None = None
    shown: set[int] = set()
    lies: dict[str, int] = {}
    drawn = 0
    for at, answer in enumerate(watched.answers[:stop]):
        for event in () if isinstance(answer, Refusal) else answer:
            match event:
                case e.ShoeLoaded():
                    loaded, shown, drawn = (at if event.order is not None else None), set(), 0
                case e.CardsBurnt():
                    shown.add(drawn)
                    drawn += 1 + event.skipped
                case e.BettingOpened():
                    lies = {}
                case e.CardDrawn():
                    lies[event.place] = drawn
                    if event.exposed:
                        shown.add(drawn)
                    drawn += 1
                case e.CardExposed():
                    shown.add(lies[event.place])
                case _:
                    pass
    if loaded is None:
        return None
    rules, load = watched.asked[loaded]
    assert isinstance(load, c.LoadShoe)
    assert load.order is not None
    hidden = [at for at in range(len(load.order)) if at not in shown]
    faces = [load.order[at] for at in hidden]
    chance.shuffle(faces)
    order = list(load.order)
    for at, face in zip(hidden, faces, strict=True):
        order[at] = face
    commands = watched.asked[:stop]
    commands[loaded] = (rules, msgspec.structs.replace(load, order=tuple(order)))
    return commands


def alike(watched: Watched, chance: random.Random) -> bool:
    """Give another shoe the same commands and compare the answers. False where there was no virtual shoe."""
    stop = chance.randint(1, len(watched.asked))
    commands = other_shoe(watched, stop, chance)
    if commands is None:
        return False
    table: Table = NEW
    twin: Table = NEW
    for (rules, command), (_, other) in zip(watched.asked, commands, strict=False):
        table, answer = apply(rules, table, command)
        twin, again = apply(rules, twin, other)
        assert redact(answer) == redact(again), f"{command} tells two shoes apart"
    if table.settings is not None:
        rules = commands[-1][0]
        assert views(rules, table) == views(rules, twin)
    return True
