"""Which source is changed, and the few quick tests that name it."""

from __future__ import annotations

from typing import Final, NamedTuple


class Part(NamedTuple):
    source: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


COUP: Final = ("coup", "established", "insurance", "outcome", "settlement")
"""Modules of the game that know no table."""


PARTS: Final = {
    "money": Part(("src/punto/money.py",), ("tests/test_money.py",)),
    "game/coup": Part(
        tuple(f"src/punto/game/{name}.py" for name in COUP),
        tuple(f"tests/game/test_{name}.py" for name in COUP),
    ),
    "game/table": Part(
        ("src/punto/game/*",),
        (
            "tests/table/test_commands.py",
            "tests/table/test_named_round.py",
            "tests/table/test_transcripts.py",
            "tests/irregularities/test_transcripts.py",
        ),
        tuple(f"src/punto/game/{name}.py" for name in COUP),
    ),
    "rulebook": Part(("src/punto/rulebook/*",), ("tests/rulebook",)),
    "odds": Part(
        ("src/punto/odds/*",), ("tests/odds/test_alone.py", "tests/odds/test_mid_round.py", "tests/odds/test_worth.py")
    ),
    "house/table": Part(
        ("src/punto/house/table/*",),
        (
            "tests/house/table/test_house.py",
            "tests/house/table/test_permission.py",
            "tests/house/table/test_recovery.py",
            "tests/house/table/test_refusals.py",
            "tests/house/table/test_shoes.py",
            "tests/house/table/test_time.py",
        ),
    ),
}
