"""Judge an answer: equal, different at a named place, or incomplete. Pure functions."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

import msgspec

from punto.conformance.vectors import Vector


class Result(StrEnum):
    """The result of a vector. Every vector of a run has exactly one."""

    PASSED = "passed"
    FAILED = "failed"
    CANNOT_TELL = "cannot tell"
    INAPPLICABLE = "inapplicable"
    UNTESTED = "untested"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where two answers differ. `actual` is None where the answer has nothing there."""

    path: tuple[str | int, ...]
    expected: Any
    actual: Any
    left_out: bool = False
    """Whether the answer only omits the value and does not contradict it."""

    @property
    def place(self) -> str:
        return " → ".join(str(part) for part in self.path) or "the answer"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    result: Result
    note: str = ""
    ruling: str | None = None
    """The ruling on which the verdict depends, if any."""


NUMBER: Final = re.compile(r"-?[0-9]{1,400}(?:\.[0-9]{1,400}|/[1-9][0-9]{0,399})?", re.ASCII)
"""An amount, odds or a probability. Bounded, because an engine may send anything."""

DEFAULTS: Final = {"refused": False}
"""The values of keys that an answer may omit."""


def judge(vector: Vector, answer: object) -> Verdict:
    """The expected answer passes; so does an acceptable one, with its ruling."""
    gap = difference(vector.expected, answer)
    if gap is None:
        return Verdict(result=Result.PASSED)
    others = [(other.ruling, difference(other.answer, answer)) for other in vector.acceptable]
    for ruling, other in others:
        if other is None:
            return Verdict(result=Result.PASSED, note=f"read as {ruling} allows", ruling=ruling)
    for missing in (gap, *(other for _, other in others if other is not None)):
        if missing.left_out:
            note = f"the answer leaves out {missing.place}; the rest is right"
            return Verdict(result=Result.CANNOT_TELL, note=note)
    if vector.rests_on:
        rulings = ", ".join(vector.rests_on)
        note = f"{_sentence(gap)}; the document can be read that way, and only {rulings} says otherwise"
        return Verdict(result=Result.CANNOT_TELL, note=note, ruling=vector.rests_on[0])
    return Verdict(result=Result.FAILED, note=_sentence(gap))


def difference(expected: Any, actual: Any, path: tuple[str | int, ...] = ()) -> Difference | None:
    """The first difference. A contradiction has priority over an omission."""
    if isinstance(expected, dict):
        return _of_objects(expected, actual, path)
    if isinstance(expected, list | tuple):
        return _of_lists(expected, actual, path)
    if same(expected, actual):
        return None
    return Difference(path=path, expected=expected, actual=actual)


def same(expected: Any, actual: Any) -> bool:
    """Whether values and types are equal. Numbers in text compare by value: "95" is "95.00", "0.95" is "19/20"."""
    if isinstance(expected, str) and isinstance(actual, str):
        if NUMBER.fullmatch(expected) and NUMBER.fullmatch(actual):
            return Fraction(expected) == Fraction(actual)
        return expected == actual
    return type(expected) is type(actual) and bool(expected == actual)


def _of_objects(expected: dict[str, Any], actual: Any, path: tuple[str | int, ...]) -> Difference | None:
    """Compare objects. Keys that are not expected are ignored."""
    if not isinstance(actual, dict):
        return Difference(path=path, expected=expected, actual=actual)
    if expected.get("refused") != actual.get("refused", DEFAULTS["refused"]) and "refused" in expected:
        return Difference(path=(*path, "refused"), expected=expected["refused"], actual=actual.get("refused", False))
    missing: Difference | None = None
    for key, value in expected.items():
        here = (*path, key)
        if key in actual:
            gap = difference(value, actual[key], here)
        elif key in DEFAULTS:
            gap = None
        else:
            gap = Difference(path=here, expected=value, actual=None, left_out=True)
        if gap is not None and not gap.left_out:
            return gap
        missing = missing or gap
    return missing


def _of_lists(expected: Any, actual: Any, path: tuple[str | int, ...]) -> Difference | None:
    if not isinstance(actual, list | tuple):
        return Difference(path=path, expected=expected, actual=actual)
    missing: Difference | None = None
    for at, value in enumerate(expected):
        here = (*path, at + 1)
        if at >= len(actual):
            return Difference(path=here, expected=value, actual=None)
        gap = difference(value, actual[at], here)
        if gap is not None and not gap.left_out:
            return gap
        missing = missing or gap
    if len(actual) > len(expected):
        at = len(expected)
        return Difference(path=(*path, at + 1), expected=None, actual=actual[at])
    return missing


def _sentence(gap: Difference) -> str:
    return f"{gap.place}: expected {shown(gap.expected)}, the engine says {shown(gap.actual)}"


def shown(value: Any, longest: int = 120) -> str:
    """A value as JSON, cut where it is long."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= longest else text[: longest - 1] + "…"
