"""What happens to a person: the events of the stream `person/<name>`. Money moves by transfers in the same unit."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from punto import money
from punto.house.store.names import Role
from punto.money import Cents

MOST_FAILURES: Final = 100
"""Failed logins from all addresses, after which an account waits, except where its owner has logged in before. From one
address it is five (`lockout.Lockout`)."""
LOCKED_MICROSECONDS: Final = 15 * 60 * 1_000_000


class PersonEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """`by` is the person, a member of staff, or the house."""

    by: str


class AccountOpened(PersonEvent, frozen=True, kw_only=True, tag="account-opened"):
    name: str
    role: Role
    guest: bool = False


class RoleChanged(PersonEvent, frozen=True, kw_only=True, tag="role-changed"):
    role: Role


class AccountLocked(PersonEvent, frozen=True, kw_only=True, tag="account-locked"):
    reason: str = ""


class AccountUnlocked(PersonEvent, frozen=True, kw_only=True, tag="account-unlocked"):
    pass


class PasswordSet(PersonEvent, frozen=True, kw_only=True, tag="password-set"):
    """The person set a password. No event holds the password itself."""


class PasswordReset(PersonEvent, frozen=True, kw_only=True, tag="password-reset"):
    """Somebody else set a new password, because this person forgot theirs."""


class ChipsGranted(PersonEvent, frozen=True, kw_only=True, tag="chips-granted"):
    """Play chips from the cage to the wallet."""

    chips_cents: Cents = msgspec.field(name="chips")


class BalanceAdjusted(PersonEvent, frozen=True, kw_only=True, tag="balance-adjusted"):
    """One person asked for it, another approved it. `cents` may be negative."""

    cents: Cents
    reason: str
    approval: str
    asked_by: str


class AccountClosed(PersonEvent, frozen=True, kw_only=True, tag="account-closed"):
    """A guest has gone and can't come back. What was left in the wallet goes to the cage."""

    chips_cents: Cents = msgspec.field(name="chips")


AnyPersonEvent = (
    AccountOpened
    | RoleChanged
    | AccountLocked
    | AccountUnlocked
    | PasswordSet
    | PasswordReset
    | ChipsGranted
    | BalanceAdjusted
    | AccountClosed
)


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person's state after the events of their stream."""

    name: str
    role: Role
    guest: bool = False
    locked: bool = False
    closed: bool = False
    opened_at: int = 0
    version: int = 0


def evolve(person: Person | None, event: AnyPersonEvent, at: int = 0) -> Person:
    """Add one event. The first opens the account."""
    if isinstance(event, AccountOpened):
        return Person(name=event.name, role=event.role, guest=event.guest, opened_at=at, version=1)
    assert person is not None, "a person's first event is the opening of the account"
    version = person.version + 1
    match event:
        case RoleChanged():
            return msgspec.structs.replace(person, role=event.role, version=version)
        case AccountLocked():
            return msgspec.structs.replace(person, locked=True, version=version)
        case AccountUnlocked():
            return msgspec.structs.replace(person, locked=False, version=version)
        case AccountClosed():
            return msgspec.structs.replace(person, closed=True, version=version)
        case PasswordSet() | PasswordReset() | ChipsGranted() | BalanceAdjusted():
            return msgspec.structs.replace(person, version=version)


def signed_cents(text: str) -> int:
    """Parse an amount that may be negative."""
    return (-1 if text.startswith("-") else 1) * money.cents(text.removeprefix("-"))


def _read(kind: type, value: Any) -> Any:
    if kind is Cents and isinstance(value, str):
        return Cents(signed_cents(value))
    raise TypeError(f"no way to read {kind}")


_decoder: Final[msgspec.json.Decoder[AnyPersonEvent]] = msgspec.json.Decoder(AnyPersonEvent, dec_hook=_read)


def read(line: bytes) -> AnyPersonEvent:
    """Read an event of a person's stream. Raises ValueError (msgspec.ValidationError)."""
    return _decoder.decode(line)
