"""Instants: unix microseconds, and as text."""

from __future__ import annotations

import datetime as dt
import time
from functools import lru_cache
from typing import Final

MICRO: Final = 1_000_000


def unix_micros() -> int:
    return time.time_ns() // 1_000


def monotonic_micros() -> int:
    return time.monotonic_ns() // 1_000


def iso(micros: int) -> str:
    """An instant as text: UTC, to the millisecond."""
    return _milli(micros // 1000)


@lru_cache(maxsize=4096)
def _milli(millis: int) -> str:
    seconds, left = divmod(millis, 1000)
    return f"{_second(seconds)}.{left:03}Z"


@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")
