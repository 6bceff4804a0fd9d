"""What a ruling that two persons give is about, so that an approval is good for this matter and for no other."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from punto.game import notation
from punto.game.table import Table

_NAMES: Final = ("kind", "paragraph", "cause", "round", "place", "after", "insurance", "hands")


def matter(table: Table) -> dict[str, Any]:
    """What lies open and which round is current: another report of the same kind is another matter, and so is another
    round. Cards that lie down are not told."""
    found = table.irregularity
    about = {name: getattr(found, name) for name in _NAMES} if found is not None else None
    current = table.round.number if table.round is not None else None
    facts: dict[str, Any] = msgspec.json.decode(notation.encode({"irregularity": about, "current": current}))
    return facts


def raised(command: dict[str, Any]) -> dict[str, Any]:
    """A command as an approval keeps it. An older one holds every field, with what was assumed where nothing was said;
    today's says nothing by null."""
    if any(command.get(name) is None for name in _ASSUMED):
        return command
    return {name: value for name, value in command.items() if name not in _ASSUMED or value != _ASSUMED[name]}


_ASSUMED: Final = {
    "reconstruct": True,
    "order": [],
    "replace_cards": False,
    "end_shoe": False,
    "skip": 0,
    "action": "",
    "keep_side_bets": False,
    "patrons": [],
    "void_rounds": [],
    "pay": {},
}
