"""Which edition governs at an instant (E1, E2, E3, E5). The caller passes the time."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from pathlib import Path
from typing import Final

from punto.rulebook.check import RuleError
from punto.rulebook.load import EDITIONS, catalogue, edition
from punto.rulebook.model import Rulebook, Source

ZONE: Final = dt.timezone(dt.timedelta(hours=8))
DAY_STARTS: Final = dt.time(8, 0)


def instant(text: str) -> dt.datetime:
    """E5: a date alone means 08:00 at +08:00, a time without a zone is +08:00."""
    with suppress(ValueError):
        return dt.datetime.combine(dt.date.fromisoformat(text), DAY_STARTS, ZONE)
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        raise RuleError(
            f"{text!r} is no date: expected 2025-06-01, or an instant such as 2025-06-01T08:00:00+08:00"
        ) from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=ZONE)


def in_force(game: str, on: dt.datetime, root: Path = EDITIONS) -> Source:
    """E1: the edition in force. Before the first edition this is an error that names its date."""
    editions = [source for source in catalogue(root) if source.game == game]
    if not editions:
        games = ", ".join(sorted({source.game for source in catalogue(root)}))
        raise RuleError(f"there is no game {game!r}: the library holds {games}")
    begun = [source for source in editions if source.in_force_from is None or source.in_force_from <= on]
    if not begun:
        first = min(source.in_force_from for source in editions if source.in_force_from is not None)
        raise RuleError(
            f"no edition of {game} was in force at {on.isoformat()}: the first began at {first.isoformat()}"
        )
    return begun[-1]


def governing(name: str, on: dt.datetime, root: Path = EDITIONS) -> Rulebook:
    """E1: the rulebook of "game/edition", or of "game" in force at that instant."""
    game, slash, wanted = name.partition("/")
    if slash:
        return edition(game, wanted, root)
    source = in_force(game, on, root)
    return edition(source.game, source.edition, root)


def note(source: Source, on: dt.datetime, root: Path = EDITIONS) -> str | None:
    """E3: the caution to show with an answer, if the edition is in force then, has one, and a later edition exists."""
    later = [other for other in catalogue(root) if other.game == source.game and other.edition > source.edition]
    return source.note if later and source.note and in_force(source.game, on, root) == source else None
