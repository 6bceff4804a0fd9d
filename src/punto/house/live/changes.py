"""What changed between two public views, for readers who asked for changes alone, and how far behind they may be.

docs/house.md has the fields.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final, Protocol

import msgspec

from punto.game.notation import encode
from punto.game.views import Box, View
from punto.house.table.countdown import Clock

VIEWS_KEPT: Final = 8
"""Versions whose public view is kept. A reader that is further behind gets the whole view."""

_FIELDS: Final = tuple(
    (field.name, field.encode_name, not field.required)
    for field in msgspec.structs.fields(View)
    if field.name != "boxes"
)
_values: Final = attrgetter(*[name for name, _, _ in _FIELDS])
_BY_BET: Final = ("stakes", "room", "seated_room")
_LEFT_OUT: Final = ("room", "seated_room")
"""Fields of a box that are omitted where they are empty."""
_EMPTY: Final[tuple[object, ...]] = (None, (), {})


class Seen(msgspec.Struct, frozen=True):
    """The public view of a table at one version, and its clock."""

    view: View
    clock: Clock | None


class CurrentView(Protocol):
    """The view of a table now, computed when it is asked for."""

    @property
    def seen(self) -> Seen: ...


class PastViews:
    """The public view at the last few versions, and what has changed since each of them."""

    def __init__(self) -> None:
        self._views: dict[int, Seen] = {}
        self._changed: dict[int, bytes | None] = {}

    def keep(self, version: int, seen: Seen) -> None:
        self._views[version] = seen
        for old in [*self._views][:-VIEWS_KEPT]:
            del self._views[old]

    def clear(self) -> None:
        self._views.clear()
        self._changed.clear()

    def moved(self) -> None:
        """The current view is another one now."""
        self._changed.clear()

    def changes_since(self, version: int, now: CurrentView) -> bytes | None:
        """What changed since a version, as JSON members; None where its view is no longer kept."""
        if version not in self._changed:
            seen = self._views.get(version)
            self._changed[version] = None if seen is None else changes(seen, now.seen)
        return self._changed[version]


def changes(before: Seen, after: Seen) -> bytes:
    """The JSON members that take a reader from one to the other; the whole view where the number of boxes changed."""
    if len(before.view.boxes) != len(after.view.boxes):
        return b'"view":%s,"clock":%s' % (encode(after.view), encode(after.clock))
    by_field: dict[str, Any] = {}
    changed, gone = _fields(before.view, after.view)
    if changed:
        by_field["changed"] = changed
    if gone:
        by_field["gone"] = gone
    if boxes := _boxes(before.view.boxes, after.view.boxes):
        by_field["boxes"] = boxes
    if before.clock != after.clock:
        by_field["clock"] = after.clock
    return encode(by_field)[1:-1]


def _fields(before: View, after: View) -> tuple[dict[str, Any], list[str]]:
    """Fields that changed, and names of fields that are now omitted."""
    changed: dict[str, Any] = {}
    gone: list[str] = []
    for (_, written, may_be_left_out), old, new in zip(_FIELDS, _values(before), _values(after), strict=True):
        if old is new or old == new:
            continue
        if may_be_left_out and new in _EMPTY:
            gone.append(written)
        else:
            changed[written] = new
    return changed, gone


def _boxes(before: tuple[Box, ...], after: tuple[Box, ...]) -> list[dict[str, Any]]:
    """One entry for all boxes that change alike: when betting opens that is nearly all of them."""
    alike: dict[bytes, tuple[list[int], dict[str, Any]]] = {}
    for old, new in zip(before, after, strict=True):
        if old is not new and old != new:
            change = _box(old, new)
            alike.setdefault(encode(change), ([], change))[0].append(new.box)
    return [{"box": numbers, **change} for numbers, change in alike.values()]


def _box(old: Box, new: Box) -> dict[str, Any]:
    """A merge patch (RFC 7396): no field of a box is null, so null removes one."""
    change: dict[str, Any] = {}
    if old.occupied != new.occupied:
        change["occupied"] = new.occupied
    if old.differential_cents != new.differential_cents:
        change["differential"] = new.differential_cents
    for name in _BY_BET:
        was, now = getattr(old, name), getattr(new, name)
        if was == now:
            continue
        if name in _LEFT_OUT and not now:
            change[name] = None
        else:
            moved: dict[Any, Any] = {bet: cents for bet, cents in now.items() if was.get(bet) != cents}
            change[name] = {**moved, **{bet: None for bet in was if bet not in now}}
    return change
