"""Which source files are changed, and the few quick tests that are run for them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Part(NamedTuple):
    """`only` is a pytest expression (-k) that says which of the tests are run."""

    source: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    only: str = ""


COUP: Final = ("coup", "established", "insurance", "outcome", "settlement")
"""Modules of the game that know nothing of tables."""
SHOWN: Final = (
    *("audience", "explain", "notation", "possible", "possible_staff", "recall", "record", "record_lookup"),
    *("redaction", "roads", "views"),
)
"""Modules that read a table or a record, and decide nothing."""


AT_IMPORT: Final = frozenset(
    {
        *("punto.game.round.x__row", "punto.game.round.x__between"),
        *("punto.game.irregularities.rows.x__act", "punto.game.irregularities.rows.x__rule"),
    }
)
"""Functions that fill a table of their module while it is imported, when no change is switched on yet: not tried."""


def _game(*modules: str) -> tuple[str, ...]:
    return tuple(f"src/punto/game/{name}.py" for name in modules)


def _tests(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tests/{folder}/test_{name}.py" for name in names)


PARTS: Final = {
    "money": Part(("src/punto/money.py",), ("tests/test_money.py",)),
    "game/coup": Part(_game(*COUP), _tests("game", *COUP)),
    "game/table": Part(
        ("src/punto/game/*",),
        (
            *_tests("table", "books", "bounds", "commands", "endings", "facts", "found", "guards", "late_limits"),
            *_tests("table", "limits", "named_round", "reasons", "sights", "squeezing", "transcripts"),
            *_tests("irregularities", "found_and_owed", "late_and_insurance", "live_terms", "reviewed", "section_5"),
            *_tests("irregularities", "transcripts", "twice_put_right"),
        ),
        (*_game(*COUP, *SHOWN), "src/punto/game/irregularities/*"),
    ),
    "game/irregularities": Part(
        ("src/punto/game/irregularities/*",),
        (
            *_tests("irregularities", "every_cell", "found_and_owed", "late_and_insurance", "live_terms"),
            *_tests("irregularities", "missing_third", "more_reasons", "options", "published", "reasons", "recall"),
            *_tests("irregularities", "refuted", "remedies", "reviewed", "reviewed_limits"),
            *_tests("irregularities", "section_5", "transcripts", "twice_put_right"),
            *_tests("table", "books", "named_round", "sights"),
        ),
    ),
    "game/shown": Part(
        _game(*SHOWN),
        (
            *_tests("game", "drawing", "explain", "record_keys", "roads"),
            *_tests("irregularities", "found_and_owed", "recall"),
            *_tests("properties", "insured_records", "notation", "record_lookup", "records"),
            *_tests("table", "audience", "books", "offered", "offered_bounds", "possible", "redaction", "sights"),
            *_tests("table", "transcripts"),
            *_tests("cli", "settle"),
        ),
    ),
    "rulebook": Part(("src/punto/rulebook/*",), ("tests/rulebook",)),
    "odds": Part(
        ("src/punto/odds/*",),
        (
            *_tests("odds", "alone", "mid_round", "removal", "study", "walkthrough", "worth"),
            *_tests("cli", "odds"),
            *_tests("published", "published"),
        ),
        # One test forbids third-party libraries, and mutmut is one; another is about what Numba compiles.
        only="not third_party and not depleted_shoes",
    ),
    "house/table": Part(
        ("src/punto/house/table/*",),
        (
            *_tests("house/table", "busy", "directory", "house", "permission", "recovery", "refusals", "virtual_shoes"),
            *_tests("house/table", "standing_table", "time"),
            *_tests("house/history", "past_rounds"),
            *_tests("cli", "replay"),
            *_tests("irregularities", "recall"),
        ),
        only="not postgresql and not not_alone_recovers_nothing",
    ),
}
