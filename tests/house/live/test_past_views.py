"""How far behind a reader of changes may be: the views that are kept, and no more."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from punto.game.audience import view
from punto.game.decide import apply
from punto.game.redaction import PUBLIC
from punto.game.table import NEW
from punto.house.live.changes import VIEWS_KEPT, PastViews, Seen
from tests.table.driver import BOOKS
from tests.table.given import opened


class Now(NamedTuple):
    seen: Seen


def at(number: int) -> Seen:
    """The public view of a new table, with another number of its round each time."""
    rules = BOOKS[0]
    table, _ = apply(rules, NEW, opened(rules))
    return Seen(msgspec.structs.replace(view(rules, table, PUBLIC), round=number), None)


def test_views_are_kept_up_to_a_number() -> None:
    past, now = PastViews(), Now(at(99))
    for version in range(VIEWS_KEPT + 3):
        past.keep(version, at(version))
    since = [past.changes_since(version, now) for version in range(VIEWS_KEPT + 3)]
    assert since[:3] == [None] * 3, "whoever is so far behind gets the whole view"
    assert since[3:] == [b'"changed":{"round":99}'] * VIEWS_KEPT


def test_what_changed_is_computed_again_after_a_move() -> None:
    past = PastViews()
    past.keep(1, at(1))
    assert past.changes_since(1, Now(at(2))) == b'"changed":{"round":2}'
    past.moved()
    assert past.changes_since(1, Now(at(3))) == b'"changed":{"round":3}'
    past.clear()
    assert past.changes_since(1, Now(at(3))) is None
