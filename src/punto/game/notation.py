"""Commands and events as JSON, and back: money as decimal strings, odds as fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import msgspec

from punto import money
from punto.game.commands import AnyCommand
from punto.game.events import AnyEvent
from punto.money import Cents


@lru_cache(maxsize=16_384, typed=True)
def _write(value: Any) -> Any:
    """Cached, since the same few amounts recur. A Fraction may equal Cents, so the cache is typed."""
    if type(value) is Cents:
        return money.amount(value)
    if type(value) is Fraction:
        return str(value)
    raise TypeError(f"no way to write {type(value)}")


def _read(kind: type, value: Any) -> Any:
    if kind is Cents:
        if not isinstance(value, str):
            raise ValueError(f'{value!r} is no amount: expected a string such as "100.00"')
        return Cents(money.cents(value))
    if kind is Fraction:
        return Fraction(value)
    raise TypeError(f"no way to read {kind}")


_encoder: Final = msgspec.json.Encoder(enc_hook=_write)
_commands: Final[msgspec.json.Decoder[AnyCommand]] = msgspec.json.Decoder(AnyCommand, dec_hook=_read)
_events: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent, dec_hook=_read)


def encode(value: object) -> bytes:
    """Any command, event, view or record of the table as JSON."""
    return _encoder.encode(value)


@lru_cache(maxsize=16_384)
def quoted(text: str) -> bytes:
    """A name as JSON: the same few are written again and again."""
    return _encoder.encode(text)


def plain(value: object) -> Any:
    """A value as plain lists, dicts and strings."""
    return msgspec.to_builtins(value, enc_hook=_write)


def record(value: Any, kind: Any) -> Any:
    """The inverse: a record of this kind, or of one of a union. Raises ValueError (msgspec.ValidationError)."""
    return msgspec.convert(value, kind, strict=True, dec_hook=_read)


def command(line: bytes) -> AnyCommand:
    """Read a command. Raises ValueError (msgspec.ValidationError) saying which field and what was expected."""
    return _commands.decode(line)


def event(line: bytes) -> AnyEvent:
    return _events.decode(line)
