"""Check the append protocol: all interleavings, the protocol without one part, and recordings of a running house."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from models import tlc, writing

CONFIG: Final = """SPECIFICATION Spec
CONSTANTS
    Nodes = {{{nodes}}}
    Keys = {{{keys}}}
    MostRows = {rows}
    MostFaults = {faults}
    Defect = "{defect}"
SYMMETRY Alike
INVARIANTS OneEffect OneAnswer NothingLost DecidedOnNewest DealtOnce Rightly
PROPERTIES Kept
"""
TRACE: Final = """SPECIFICATION Explained
CONSTANTS
    Nodes <- RecordedNodes
    Keys <- RecordedKeys
    MostRows = {rows}
    MostFaults = {faults}
    Defect = "none"
INVARIANTS Unexplained
"""

DEFECTS: Final = {
    "versions": "an append does not state the version that it expects",
    "keys": "a key may stand on two rows",
    "refusals": "a key that was refused may be accepted",
    "answers": "a conflict is refused without a look at the key",
    "stale-refusal": "a refusal does not ask whether others moved on",
    "key-taken": "a key that stands on a row may be refused",
    "deal-keys": "dealers' acts are not bound to the version that they are meant for",
}
"""Parts of the protocol. Each is left out in turn, and the model must then find a broken property."""


class Size(msgspec.Struct, frozen=True):
    """`faults`: crashes, sleeps and lost answers, together."""

    nodes: int
    keys: int
    rows: int
    faults: int


SIZES: Final = (
    Size(nodes=2, keys=1, rows=3, faults=1),
    Size(nodes=2, keys=1, rows=2, faults=2),
    Size(nodes=2, keys=2, rows=2, faults=1),
    Size(nodes=3, keys=1, rows=1, faults=1),
)
SMALLEST: Final = Size(nodes=2, keys=1, rows=3, faults=1)
"""The smallest size that needs every part of the protocol."""


class Recording(msgspec.Struct, frozen=True):
    """Keys in the order of the stream, and what senders saw: ("send", key, node), ("answer", key, node, answer),
    ("killed", "", node). An answer is ("accepted", number of the row) or ("refused",)."""

    rows: tuple[str, ...]
    events: tuple[tuple[object, ...], ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*(str(event[1]) for event in self.events if event[1]), *self.rows)))


def check(size: Size, defect: str = "none", *, workers: int = 1) -> tlc.Checked:
    names = {"nodes": _names("n", size.nodes), "keys": _names("k", size.keys)}
    config = CONFIG.format(**names, rows=size.rows, faults=size.faults, defect=defect)
    with tempfile.TemporaryDirectory(prefix="punto-model-") as folder:
        return tlc.check(Path(folder), "Appends", config, workers=workers)


def _names(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{number}" for number in range(1, count + 1))


def without_parts() -> Iterator[tuple[str, tlc.Checked]]:
    for defect in DEFECTS:
        yield defect, check(SMALLEST, defect)


def explained(recording: Recording) -> tlc.Checked:
    """`broken` is `Unexplained` if the recording is a behaviour of the model, else None."""
    config = TRACE.format(rows=len(recording.rows), faults=len(recording.events))
    definitions = {
        "RecordedNodes": frozenset(event[2] for event in recording.events),
        "RecordedKeys": frozenset(map(_key, recording.keys)),
        "Rows": tuple(map(_key, recording.rows)),
        "Events": tuple((what, _key(str(key)), *more) for what, key, *more in recording.events),
    }
    module = "------ MODULE Recorded ------\nEXTENDS Integers\n"
    module += "".join(f"{name} == {writing.text(value)}\n" for name, value in definitions.items()) + "======\n"
    with tempfile.TemporaryDirectory(prefix="punto-model-") as folder:
        (Path(folder) / "Recorded.tla").write_text(module)
        return tlc.check(Path(folder), "AppendsTrace", config)


def _key(key: str) -> tuple[str, str]:
    """A key in the shape of the dealer's, so that they can be compared."""
    return ("patron", key)


def is_behaviour(recording: Recording) -> bool:
    return explained(recording).broken == "Unexplained"
