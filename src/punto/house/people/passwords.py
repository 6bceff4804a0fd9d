"""Passwords: argon2id, hashed in threads of their own so that a login never blocks a table."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import msgspec

if TYPE_CHECKING:
    from argon2 import PasswordHasher

T = TypeVar("T")

SHORTEST: Final = 8
LONGEST: Final = 128
Password = Annotated[str, msgspec.Meta(min_length=SHORTEST, max_length=LONGEST)]
Still = Callable[[], object]
"""Called after the hashing, which takes long: it raises if whoever gives the password may not do so any more."""

_AT_ONCE: Final = 2
"""Each hash takes 64 MiB: this bounds what a burst of logins can cost."""
_WAITING: Final = 64
_threads: Final = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="passwords")
_waiting = 0


class TooBusy(Exception):
    """Too many logins wait."""


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobodys() -> str:
    """The hash that an unknown name is checked against, so that it takes as long as a known one."""
    return _hasher().hash(secrets.token_urlsafe(16))


def _check(known: str | None, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _hasher().verify(known or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return known is not None


async def hashed(password: str, still: Still | None = None) -> str:
    made = await _in_thread(lambda: _hasher().hash(password))
    if still is not None:
        still()
    return made


async def matches(known: str | None, password: str) -> bool:
    """Whether the password is right. With None (no such person) the check takes as long and fails."""
    return await _in_thread(lambda: _check(known, password))


async def _in_thread(call: Callable[[], T]) -> T:
    global _waiting
    if _waiting >= _WAITING:
        raise TooBusy
    _waiting += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_threads, call)
    finally:
        _waiting -= 1


def random_password() -> str:
    """Five groups of four letters and digits: 99 bits, readable aloud."""
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(alphabet) for _ in range(4)) for _ in range(5))
