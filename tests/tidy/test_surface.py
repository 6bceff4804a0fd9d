"""The public surface of `punto` is what it says, and every topic that code asks for is answered in every edition."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest

import punto
from punto.rulebook import trace
from punto.rulebook.model import Rulebook
from tests.cli.program import PLAIN
from tests.rulebook.library import every_edition
from tests.tidy.source import PACKAGE, tree

PUBLIC = [
    *(
        "Bet",
        "Card",
        "Coup",
        "Insurance",
        "Insured",
        "Line",
        "Moment",
        "Refusal",
        "Refused",
        "Rulebook",
        "Slip",
        "Wager",
    ),
    *("card", "coup", "deal", "edition", "explain", "in_force", "odds_of", "roads", "settle"),
]


def test_the_public_names_are_these() -> None:
    """A name more or less is a decision: write it here, in CHANGELOG.md and in the README."""
    assert sorted(punto.__all__) == sorted(PUBLIC)


def test_the_package_imports_what_it_gives_and_nothing_else() -> None:
    imported = {
        alias.asname or alias.name
        for node in tree(PACKAGE / "__init__.py").body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    }
    assert imported == set(punto.__all__)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_there_and_explains_itself(name: str) -> None:
    assert getattr(punto, name).__doc__


def test_import_punto_is_quiet_and_light() -> None:
    script = "import sys, punto; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True, env=PLAIN
    )
    loaded = {module.partition(".")[0] for module in done.stdout.split()}
    assert done.stderr == ""
    assert not loaded & {"typer", "rich", "asyncio", "numpy", "numba", "hypothesis", "pytest"}


# Topics. A few are asked for only where an edition's own data says that the thing exists.

ONLY_WHERE: dict[str, Callable[[Rulebook], bool]] = {
    "cut-card.withdraw": lambda rules: rules.procedure.cut_card_withdraw,
    "cut-card.too-late": lambda rules: rules.procedure.cut_card_withdraw,
    "blue-card.between": lambda rules: rules.procedure.cut_card_between == "ends-shoe",
}

# The same for irregularities: asked for only under a row that the edition has, and that does not go by another.
ONLY_UNDER: dict[str, str] = {
    "blue-card.after": "blue-card",
    "commencement.void": "commencement",
    "damaged-card.void": "damaged-card",
    "dropped.outside-play": "dropped-card",
    "exposed.unneeded": "unneeded-card",
    "face-up": "face-up",
    "insurance-missed.after": "insurance-missed",
    "insurance-missed.before": "insurance-missed",
    "late-table-of-play.discretion": "late-table-of-play",
    "late-table-of-play.missing-card": "late-table-of-play",
    "simultaneous.replace": "simultaneous",
    "void.not-reconstructible": "excess-card",
    "wrong-dealing.shoe": "wrong-dealing",
}


def needed(topic: str, rules: Rulebook) -> bool:
    if topic in ONLY_UNDER:
        row = rules.irregularities.get(ONLY_UNDER[topic])
        return row is not None and row.goes_by is None
    return topic not in ONLY_WHERE or ONLY_WHERE[topic](rules)


@cache
def topics_in_code() -> dict[str, set[str]]:
    """All source is read for this: once, and only by the worker that runs these tests."""
    return trace.answered()


def test_code_asks_for_topics() -> None:
    assert {"table-of-play", "bets.which", "layout.which", "tie.returns"} <= set(topics_in_code())


@pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)
def test_every_topic_that_code_asks_for_is_answered(rules: Rulebook) -> None:
    missing = {topic: sorted(places) for topic, places in topics_in_code().items() if topic not in rules.topics}
    assert not {topic: places for topic, places in missing.items() if needed(topic, rules)}


@pytest.mark.parametrize("topic", [*ONLY_WHERE, *ONLY_UNDER])
def test_an_exception_is_one(topic: str) -> None:
    """Some edition answers the topic, some edition does not; else the exception is not needed."""
    assert {topic in rules.topics for rules in every_edition()} == {True, False}
