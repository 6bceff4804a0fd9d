"""A planted defect, and which vectors notice it: the engine is asked in this process while the defect is in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest

from punto.conformance.engine import answers
from punto.conformance.judge import Result, judge
from punto.conformance.vectors import Level, Vector
from punto.game import established, outcome
from punto.house.table import governing_edition as editions
from punto.rulebook.model import Rulebook

Plant = Callable[[pytest.MonkeyPatch], object]
KEPT_BY_VALUE = (outcome.all_outcomes, outcome.ends, outcome.pairs_possible, established._starts, answers._boards)
"""Caches by value and not by rulebook: emptied before and after a defect, so that no wrong value leaks."""


class Defect(NamedTuple):
    """One wrong thing in one edition, or in the code that all of them share (`*`)."""

    name: str
    kind: str
    edition: str
    levels: tuple[Level, ...]
    """The levels where it can show."""
    plant: Plant
    irregularity: str | None = None
    """The kind of irregularity that it is about: only scripts in which that is reported can show it."""


class Noticed(NamedTuple):
    """How many vectors fail, and how many more are `cannot tell` because the text leaves the answer open."""

    failed: int
    doubtful: int


def in_rulebook(rules: Rulebook, change: Callable[[pytest.MonkeyPatch, Rulebook], Rulebook]) -> Plant:
    """A changed copy of the rulebook stands in its place."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = editions.named
        broken = change(patch, rules)
        patch.setattr(editions, "named", lambda name: broken if name == rules.id else real(name))

    return plant


@contextmanager
def planted(defect: Defect) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        defect.plant(patch)
        _forget()
        try:
            yield
        finally:
            patch.undo()
            _forget()


def concerns(defect: Defect, vector: Vector) -> bool:
    if vector.level not in defect.levels or defect.edition not in ("*", vector.edition):
        return False
    return defect.irregularity is None or defect.irregularity in _reported(vector)


WIDE = frozenset({"options", "discretion"})
"""Rows that stand behind others: any script in which something goes wrong may show them."""


@cache
def _kinds(name: str, text: bytes) -> frozenset[str]:
    commands = msgspec.json.decode(text)
    return frozenset(command["kind"] for command in commands if command["do"] == "report-irregularity")


def _reported(vector: Vector) -> frozenset[str]:
    kinds = _kinds(vector.id, msgspec.json.encode(vector.input["commands"]))
    return kinds | WIDE if kinds else kinds


def result(vector: Vector) -> Result:
    """The verdict on the engine's answer as it is now. An exception counts as a crashed engine."""
    try:
        answer: Any = answers.answer(vector.ask, vector.edition, vector.input)
    except Exception:
        return Result.FAILED
    return judge(vector, answer).result


def noticed(defect: Defect, vectors: Iterable[Vector]) -> Noticed:
    with planted(defect):
        results = [result(vector) for vector in vectors if concerns(defect, vector)]
    return Noticed(results.count(Result.FAILED), results.count(Result.CANNOT_TELL))


TIMES = 2
"""How many vectors must fail for each defect, where there are that many. One is enough for a bet on a layout."""


def choose(candidates: list[Vector], kept: list[Vector], defects: Iterable[Defect]) -> list[Vector]:
    """Candidates to add to what is kept, until enough vectors fail for each defect at each level where it can show.

    Every level is strong by itself: an engine may claim one alone. Candidates are tried in the order of their ids,
    which is as good as chance and always the same.
    """
    chosen: dict[str, Vector] = {}
    by_level: dict[Level, list[Vector]] = {}
    for vector in sorted(candidates, key=lambda vector: vector.id):
        by_level.setdefault(vector.level, []).append(vector)
    for defect in defects:
        with planted(defect):
            for level in defect.levels:
                if level in by_level and not (defect.kind == "Table of Play" and level is not Level.DEAL):
                    have = [vector for vector in (*kept, *chosen.values()) if vector.level is level]
                    for vector in _failing(defect, have, by_level[level]):
                        chosen[vector.id] = vector
    return list(chosen.values())


def _failing(defect: Defect, have: list[Vector], candidates: list[Vector]) -> Iterator[Vector]:
    """Candidates that fail for the defect, as many as are still missing."""
    missing = 1 if defect.kind == "layout" else TIMES
    for vector in have:
        if missing and concerns(defect, vector):
            missing -= result(vector) is Result.FAILED
    names = {vector.id for vector in have}
    for vector in candidates:
        if not missing:
            return
        if vector.id not in names and concerns(defect, vector) and result(vector) is Result.FAILED:
            missing -= 1
            yield vector


def _forget() -> None:
    for remembered in KEPT_BY_VALUE:
        remembered.cache_clear()
