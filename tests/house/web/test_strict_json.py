"""Strict JSON: the quick way accepts only what the slow way accepts, and gives the same value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from punto.house.web import strict_json
from punto.house.web.problems import Stop

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=True)
    | st.text(max_size=6)
    | st.sampled_from(["", '"', "\\", ":", '":', "e5", "\x7f", "\x01", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)
_BROKEN = st.text('{}[]":,\\ abe1-.0\x00\t', max_size=24)


def _parse(raw: bytes, quick: bool) -> Any:
    try:
        return strict_json.plain(raw) if quick else strict_json._slowly(raw, False)
    except Stop as stop:
        return stop.json()


@given(_VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_whatever_is_written_is_read_the_same_both_ways(value: Any, ascii_only: bool, indent: int | None) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    assert _parse(raw, quick=True) == _parse(raw, quick=False)


@given(_BROKEN)
@example('{"a" :1,"a":2}')
@example('{"a":1,"b":{"c":"a","c":"a"}}')
@example('[{"a":""},{"a":""},{"a":"","a":""}]')
@example('{"a":1e5}')
@example("-100000000000000")
@example("1000000000000000")
@example("[" * 1_900)
def test_whatever_is_no_json_is_refused_the_same_both_ways(text: str) -> None:
    assert _parse(text.encode(), quick=True) == _parse(text.encode(), quick=False)


@given(st.text(max_size=3), st.text(max_size=3), _VALUES, _VALUES)
def test_a_key_given_twice_never_gets_in(key: str, other: str, first: Any, second: Any) -> None:
    pairs = [(key, first), (other, second), (key, second)]
    body = ",".join(f"{json.dumps(name, ensure_ascii=False)}:{json.dumps(value)}" for name, value in pairs)
    for raw in (f"{{{body}}}", f'{{"within":{{{body}}}}}', f"[{{{body}}}]"):
        with pytest.raises(Stop):
            strict_json.plain(raw.encode("utf-8", "surrogatepass"))


def test_an_ordinary_command_goes_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_json, "_slowly", lambda raw, seconds: pytest.fail("the slow way"))
    raw = b'{"key":"k1","command":{"do":"place-wager","box":1,"bet":"player","stake":"100"},"csrf":"5e3"}'
    assert strict_json.plain(raw) == json.loads(raw)
