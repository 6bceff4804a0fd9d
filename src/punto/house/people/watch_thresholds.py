"""Thresholds of the watch, which two persons change: the request, and how the change is recorded."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.codes import Code
from punto.house.store.answers import Denied
from punto.house.store.approval import Approval
from punto.house.store.interface import Store
from punto.house.store.own_stream import append_event
from punto.house.store.watch_events import DECKS, STREAM, Thresholds, ThresholdsSet
from punto.house.table.node_clock import NodeClock
from punto.watch.settings import SettingsError, check


class WatchThresholds(
    Thresholds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="watch-thresholds"
):
    """When the watch raises an alarm: how many false alarms a year the house accepts, at how many tables."""


def completed_thresholds(act: WatchThresholds) -> tuple[str, dict[str, Any]] | Denied:
    """The act with its defaults filled in, so that the second person sees every value."""
    try:
        check(act.settings(DECKS))
    except SettingsError as error:
        return Denied(Code.BAD_SETTING, str(error), 400)
    what = msgspec.to_builtins(act)
    del what["act"]
    return "watch-thresholds", what


async def set_thresholds(store: Store, clock: NodeClock, approval: Approval, key: str) -> tuple[bool, dict[str, Any]]:
    """Recorded under the key of the approval: done again, it has no second effect. Raises Crowded."""
    event = ThresholdsSet(
        by=approval.decided_by or "",
        thresholds=msgspec.convert(approval.what, Thresholds),
        approval=approval.id,
        asked_by=approval.asked_by,
    )
    body = bytes.fromhex(approval.hash)
    await append_event(store, STREAM, event, clock.now, clock.explain, key=key, body=body)
    return True, {"thresholds": "set"}
