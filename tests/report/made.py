"""Reports that the tests of this folder share: computed once, never changed."""

from __future__ import annotations

from functools import cache

from punto.report.compare import Comparison, compare
from punto.report.content import build
from punto.report.records import Report
from punto.report.simulation import Simulated
from punto.rulebook import load
from punto.rulebook.model import Rulebook
from tests.cli.program import call

DATE, VERSION = "2026-01-31", "1.2.3"
NEW = "tiger-buffalo-non-commission/2025-11-21"
OLD = "tiger-buffalo-non-commission/2024-05-14"
LIVE = "live-baccarat-insurance-no-commission/undated"
COMMISSION = "tiger-buffalo-commission/2025-11-21"
BEYOND_FLOATS = 2**53


def rulebook(name: str) -> Rulebook:
    game, _, edition = name.partition("/")
    return load.edition(game, edition)


@cache
def report(name: str = NEW, decks: int | None = None, layout: str | None = None) -> Report:
    return build(rulebook(name), date=DATE, version=VERSION, decks=decks, layout=layout)


@cache
def simulated(name: str = NEW, decks: int = 8, shoes: int = 60) -> bytes:
    """What `punto simulate` writes with the readable engine: nothing is compiled for it."""
    words = ("simulate", name, "--decks", str(decks), "--shoes", str(shoes), "--seed", "7", "--engine", "python")
    answer = call(*words, "--json")
    assert answer.status == 0
    return answer.out.encode()


@cache
def checked(name: str = NEW, decks: int = 8, layout: str | None = None, shoes: int = 60) -> Report:
    """A report with a simulation check."""
    file = Simulated(name="run.json", data=simulated(name, decks, shoes))
    return build(rulebook(name), date=DATE, version=VERSION, decks=decks, layout=layout, simulated=file)


@cache
def comparison(old: str = OLD, new: str = NEW, decks: int | None = None) -> Comparison:
    return compare(rulebook(old), rulebook(new), date=DATE, version=VERSION, decks=decks)
