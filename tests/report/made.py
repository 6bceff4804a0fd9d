"""Reports that the tests of this folder share: computed once, never changed."""

from __future__ import annotations

from functools import cache

from punto.report.compare import Comparison, compare
from punto.report.content import build
from punto.report.records import Report
from punto.rulebook import load
from punto.rulebook.model import Rulebook

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
def comparison(old: str = OLD, new: str = NEW, decks: int | None = None) -> Comparison:
    return compare(rulebook(old), rulebook(new), date=DATE, version=VERSION, decks=decks)
