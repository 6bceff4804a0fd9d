"""Rows and events: what was stored once can always be read.

`tests/house/samples/schema-N.jsonl` holds one event of every kind as schema N wrote it, `people-N.jsonl` those of
people's streams. Lines are added, never changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from punto.game import notation
from punto.game.events import AnyEvent
from punto.house.store import codec
from punto.house.store import person as people
from punto.house.store.records import SCHEMA, Row
from tests.every import of_every
from tests.house.store.units import AT

FOLDER = Path(__file__).parent.parent / "samples"
TAGS = {kind.__struct_config__.tag for kind in get_args(AnyEvent)}


def samples(schema: int) -> list[bytes]:
    return (FOLDER / f"schema-{schema}.jsonl").read_bytes().splitlines()


def row(event: bytes, schema: int) -> Row:
    return Row("table/T1", 1, AT, "ann", None, None, 1, "rules", schema, event, b"")


EVERY = [(schema, line) for schema in range(1, SCHEMA + 1) for line in samples(schema)]


def within(old: Any, new: Any) -> bool:
    """Whether all that was written is still there; fields may have been added since."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(name in new and within(field, new[name]) for name, field in old.items())
    if isinstance(old, list):
        return len(old) == len(new) and all(map(within, old, new))
    return bool(old == new)


@of_every(EVERY)
def test_a_stored_event_is_read(stored: tuple[int, bytes]) -> None:
    schema, line = stored
    event = codec.event(row(line, schema))
    assert within(msgspec.json.decode(line), notation.plain(event))


def test_every_kind_of_event_has_a_sample_of_todays_schema() -> None:
    assert {msgspec.json.decode(line)["event"] for line in samples(SCHEMA)} == TAGS


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_a_stored_event_of_a_person_is_read(schema: int) -> None:
    lines = (FOLDER / f"people-{schema}.jsonl").read_bytes().splitlines()
    for line in lines:
        event = people.read(codec.raised(row(line, schema)))
        assert within(msgspec.json.decode(line), msgspec.json.decode(notation.encode(event)))
    kinds = {kind.__struct_config__.tag for kind in get_args(people.AnyPersonEvent)}
    assert {msgspec.json.decode(line)["event"] for line in lines} == kinds


def test_what_was_written_is_found_missing() -> None:
    """Otherwise the samples would prove nothing."""
    assert within({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "x", "c": 2}], "d": 3})
    assert not within({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}]})
    assert not within({"a": 1}, {"b": 1})
    assert not within([1], [1, 2])


def test_an_older_shape_is_raised_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(event: dict[str, Any]) -> dict[str, Any]:
        return {"event": event["event"], "patron": event["who"]}

    def grown(event: dict[str, Any]) -> dict[str, Any]:
        return {**event, "paragraph": "unknown"}

    old = row(b'{"event":"patron-joined","who":"ann"}', 1)
    kept = row(b'{"event":"betting-closed","says":"x"}', 2)
    monkeypatch.setattr(codec, "SCHEMA", 3)
    monkeypatch.setitem(codec.UPCAST, ("patron-joined", 1), named)
    monkeypatch.setitem(codec.UPCAST, ("patron-joined", 2), grown)
    assert notation.plain(codec.event(old)) == {"event": "patron-joined", "patron": "ann", "paragraph": "unknown"}
    assert codec.raised(kept) == kept.event
    assert old.event == b'{"event":"patron-joined","who":"ann"}', "reading rewrites nothing"


@pytest.mark.parametrize("schema", [0, SCHEMA + 1])
def test_a_shape_of_tomorrow_is_not_guessed_at(schema: int) -> None:
    with pytest.raises(ValueError, match=f"table/T1 1: schema {schema} is not known here"):
        codec.event(row(b"{}", schema))


def test_rows_say_which_command_they_belong_to() -> None:
    first = codec.CommandEvents(({"event": "a"}, {"event": "b"}), "ann", "rules", "k1", b"body")
    second = codec.CommandEvents((b'{"event":"c"}',), "bob")
    rows = codec.rows("table/T1", 4, b"h" * 32, AT, [first, second])
    assert [(record.version, record.actor, record.key, record.body, record.count, record.rules) for record in rows] == [
        (5, "ann", "k1", b"body", 2, "rules"),
        (6, "ann", None, None, 0, "rules"),
        (7, "bob", None, None, 1, ""),
    ]
    assert [record.event for record in rows] == [b'{"event":"a"}', b'{"event":"b"}', b'{"event":"c"}']
