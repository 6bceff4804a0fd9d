"""Strict JSON: anything that is not exactly as expected is refused with the reason, and nothing is guessed.

A key given twice, NaN, a fraction (except in a pace), an integer over 15 digits, half a surrogate pair and a
zero character are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import msgspec

from punto.codes import Code
from punto.game import notation
from punto.house.web.problems import Stop

LARGEST_BODY: Final = 256 * 1024
LONGEST_TEXT: Final = 2_000
_MOST_DIGITS: Final = 15
_LEAST, _MOST = -(10 ** (_MOST_DIGITS - 1)), 10**_MOST_DIGITS
_ESCAPED: Final = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")

T = TypeVar("T")


def _integer(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError("an integer has more than 15 digits; send money as a string")
    return int(text)


def _fraction(text: str) -> float:
    raise ValueError("a number has a fraction or an exponent; send money as a string")


def _seconds(text: str) -> float:
    if len(text) > 8 or "e" in text.lower():
        raise ValueError("a number of seconds has more than eight characters or an exponent")
    return float(text)


def _constant(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key is given twice")
    for value in record.values():
        if type(value) is str and len(value) > LONGEST_TEXT:
            raise ValueError(f"a text has more than {LONGEST_TEXT} characters")
    return record


_decoder: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)
_with_seconds: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_seconds, parse_constant=_constant
)


_quick: Final = msgspec.json.Decoder()


def _texts(values: Iterable[Any]) -> int:
    """The number of strings, keys included. Raises ValueError for a number that the slow path has to check."""
    count = 0
    for value in values:
        kind = type(value)
        if kind is str:
            count += 1
        elif kind is dict:
            count += len(value) + _texts(value.values())
        elif kind is list:
            count += _texts(value)
        elif kind is float or (kind is int and not _LEAST < value < _MOST):
            raise ValueError(value)
    return count


def plain(raw: bytes, *, seconds: bool = False) -> Any:
    """The JSON as plain dicts, lists and strings. `seconds` allows numbers such as 0.5, for a pace."""
    if len(raw) > LARGEST_BODY:
        raise Stop(413, Code.TOO_LARGE, f"a request has at most {LARGEST_BODY} bytes")
    if len(raw) <= LONGEST_TEXT and b"\\" not in raw:
        # The fast path, for nearly all requests. Without escapes every string has two quotes. A key that was given
        # twice shows, because the value holds fewer strings than the JSON.
        try:
            value = _quick.decode(raw)
            if 2 * _texts((value,)) == raw.count(b'"'):
                return value
        except (msgspec.MsgspecError, ValueError, RecursionError):
            pass  # the slow path says what is wrong, if anything is
    return _slowly(raw, seconds)


def _slowly(raw: bytes, seconds: bool) -> Any:
    try:
        value = (_with_seconds if seconds else _decoder).decode(raw.decode())
        if _ESCAPED.search(raw) is not None:
            msgspec.json.decode(raw)
            if b"\\u0000" in raw:
                raise ValueError("a text holds a zero character")
    except RecursionError:
        raise Stop(400, Code.BAD_JSON, "the JSON is nested too deep") from None
    except ValueError as error:
        raise Stop(400, Code.BAD_JSON, f"the body is no strict JSON: {error}"[:300]) from None
    return value


def converted(value: Any, kind: type[T]) -> T:
    """Plain JSON as a record: unknown fields, wrong types and values out of bounds are refused."""
    try:
        record: T = notation.record(value, kind)
        return record
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise Stop(400, Code.BAD_REQUEST, str(error)[:300]) from None


def one_of(value: Any, kinds: Any) -> Any:
    """The same for a union of records."""
    return converted(value, kinds)


def read(raw: bytes, kind: type[T]) -> T:
    return converted(plain(raw), kind)


def query(pairs: Iterable[tuple[str, str]], kind: type[T]) -> T:
    """The query as a record: names are known and not repeated, values within bounds."""
    values: dict[str, str] = {}
    for name, value in pairs:
        if name in values:
            raise Stop(400, Code.BAD_QUERY, f"{name[:40]!r} is given twice")
        if len(value) > LONGEST_TEXT or "\0" in value:
            raise Stop(400, Code.BAD_QUERY, f"the value of {name[:40]!r} is too long or contains a zero character")
        values[name] = value
    try:
        return msgspec.convert(values, kind, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise Stop(400, Code.BAD_QUERY, str(error)[:300]) from None
