"""What a reader knows after a frame, as docs/house.md describes it. A second implementation beside the page's own."""

from __future__ import annotations

from typing import Any

Facts = dict[str, Any]


def after(known: Facts, frame: Facts) -> Facts:
    """`known` has version, public, mine, clock, and both parts together as `view`."""
    if frame["frame"] not in ("snapshot", "events"):
        return known
    public = frame["view"] if "view" in frame else changed(known["public"], frame)
    mine = (frame["mine"] or {}) if "mine" in frame else known["mine"]
    clock = frame["clock"] if "clock" in frame else known["clock"]
    version = frame["version"] if frame["frame"] == "snapshot" else frame["to"]
    return {"version": version, "public": public, "mine": mine, "clock": clock, "view": {**public, **mine}}


def changed(view: Facts, frame: Facts) -> Facts:
    new = {**view, **frame.get("changed", {})}
    new = {name: value for name, value in new.items() if name not in frame.get("gone", ())}
    new["boxes"] = [_box(box, frame.get("boxes", ())) for box in view["boxes"]]
    return new


def _box(box: Facts, changes: Any) -> Facts:
    for change in changes:
        if box["box"] in change["box"]:
            box = _merged(box, {name: value for name, value in change.items() if name != "box"})
    return box


def _merged(old: Facts, patch: Facts) -> Facts:
    """RFC 7396: null removes a field, an object is merged into the one that is there."""
    merged = dict(old)
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, dict):
            merged[name] = _merged(merged.get(name, {}), value)
        else:
            merged[name] = value
    return merged
