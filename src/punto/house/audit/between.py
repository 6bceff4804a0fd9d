"""What must hold between streams: wallets, keys, refusals, and the rows that a login looks at."""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec

from punto.game import notation
from punto.game.table import Table
from punto.house.audit.findings import Findings, Seen
from punto.house.audit.reading import Reader
from punto.house.audit.walk import Times, Walk
from punto.house.people.accounts import LOCKED_MICROSECONDS, MOST_FAILURES
from punto.house.people.events import Person
from punto.house.people.names import GUEST_PREFIX, Role
from punto.house.store.clock_steps import SKEW_US
from punto.house.table.answers import Problem

NAMES: Final = (
    'WITH RECURSIVE names(stream) AS (SELECT min(stream) FROM "{0}" UNION ALL '
    'SELECT (SELECT min(stream) FROM "{0}" WHERE stream > names.stream) FROM names WHERE names.stream IS NOT NULL) '
    "SELECT stream FROM names WHERE stream IS NOT NULL"
)
WALLETS: Final = 'SELECT "person", "cents" FROM "wallets" ORDER BY "person"'
TWICE: Final = (
    'SELECT "stream", "key", max("version") FROM "events" WHERE "key" IS NOT NULL '
    'GROUP BY "stream", "key" HAVING count(*) > 1'
)
BOTH: Final = (
    'SELECT "refusals"."stream", "refusals"."key", "events"."version" FROM "refusals" JOIN "events" '
    'ON "events"."stream" = "refusals"."stream" AND "events"."key" = "refusals"."key"'
)
REFUSALS: Final = 'SELECT "stream", "key", "body", "answer" FROM "refusals"'
WAITING: Final = 'SELECT "name", "failures", "waits_until" FROM "people" WHERE "failures" <> 0 OR "waits_until" <> 0'
PEOPLE: Final = 'SELECT "name", "role", "guest", "locked", "opened_at", "password", {0} FROM "people" ORDER BY "name"'


def balances(stream: str, walk: Walk, held: Counter[str], findings: Findings) -> None:
    """The accounts of a table, added up from its transfers, are what the table itself holds."""
    own = {name: cents for name, cents in walk.accounts.items() if not name.startswith("wallet/")}
    for account in sorted({*own, *held}):
        if own.get(account, 0) != held[account]:
            text = f"{account} holds {own.get(account, 0)} cents by its transfers and {held[account]} by the table"
            findings.add(stream, walk.version, "ledger", text)


def wallets(reader: Reader, due: Counter[str], findings: Findings) -> None:
    """Wallets against their transfers. What the cage issued is what all others hold: the sum of everything is zero."""
    left = Counter({name.partition("/")[2]: cents for name, cents in due.items() if name != "cage"})
    for person, cents in reader.rows(WALLETS):
        if person not in left:
            findings.add(f"person/{person}", 0, "wallet", "there is a wallet, and no transfer ever touched it")
        wanted = left.pop(person, 0)
        if cents != wanted:
            text = f"the wallet holds {cents} cents, and its transfers come to {wanted}"
            findings.add(f"person/{person}", 0, "wallet", text)
        if cents < 0:
            findings.add(f"person/{person}", 0, "wallet", "the wallet holds less than nothing")
    for person, cents in left.items():
        if cents:
            findings.add(f"person/{person}", 0, "wallet", f"there is no wallet, and transfers come to {cents} cents")


def keys(reader: Reader, findings: Findings) -> None:
    """A key was answered once: by one command, or by a refusal."""
    for stream, key, version in reader.rows(TWICE):
        findings.add(stream, version, "key", f"the key {key!r} stands on two commands")
    for stream, key, version in reader.rows(BOTH):
        findings.add(stream, version, "key", f"the key {key!r} was carried out and refused")


def refusals(reader: Reader, findings: Findings, seen: Seen) -> None:
    """A refusal that is remembered can be sent again."""
    decode = msgspec.json.Decoder(Problem).decode
    for stream, key, body, answer in reader.rows(REFUSALS):
        seen.refusals += 1
        fault = None if len(body) == 32 else "the hash of what was asked has 32 bytes"
        try:
            problem = decode(answer)
            if not 400 <= problem.status < 500 or not problem.code:
                fault = "it has no code, or a status that is none of a refusal"
            elif notation.encode(problem) != answer:
                fault = "the answer is not written as the house writes refusals"
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            fault = f"the answer can't be read: {error}"
        if fault is not None:
            findings.add(stream, 0, "refusal", f"the refusal under {key!r}: {fault}")


def waiting(reader: Reader, times: Times, findings: Findings) -> None:
    """Wrong passwords keep an account waiting for a while, never for longer. How many there were is in no event."""
    for name, failures, until in reader.rows(WAITING):
        if not 0 <= failures <= MOST_FAILURES:
            findings.add(f"person/{name}", 0, "account", f"{failures} wrong passwords are more than are counted")
        latest = times.now + SKEW_US + LOCKED_MICROSECONDS
        if not (0 <= until <= latest or times.steps.ahead(until - LOCKED_MICROSECONDS, times.now)):
            findings.add(f"person/{name}", 0, "account", "the account waits for longer than wrong passwords make it")


class People:
    """What a login looks at, against the streams. Holds a few words for each person."""

    def __init__(self) -> None:
        self._persons: dict[str, tuple[str, bool, bool, int]] = {}
        self._closed: set[str] = set()
        self._present: list[tuple[str, str]] = []
        self._passwords: dict[str, str | None] = {}

    def person(self, name: str, person: Person | None, password_by: str | None) -> None:
        if person is not None and person.closed:
            self._closed.add(name)
        elif person is not None:
            self._persons[name] = (person.role.value, person.guest, person.locked, person.opened_at)
            self._passwords[name] = password_by

    def table(self, stream: str, table: Table) -> None:
        """Guests who are at a table, as its stream leaves it."""
        here = (one.name for one in table.patrons.values() if one.present or one.box is not None)
        self._present += [(stream, name) for name in here if name.startswith(GUEST_PREFIX)]

    def compare(self, reader: Reader, findings: Findings) -> None:
        known = dict(self._persons)
        told = "password_by" in reader.columns("people")  # not before the migration that adds it
        column = '"password_by"' if told else "NULL"
        for name, role, guest, locked, opened_at, password, password_by in reader.rows(PEOPLE.format(column)):
            due = known.pop(name, None)
            stream = f"person/{name}"
            if name in self._closed:
                findings.add(stream, 0, "account", "the stream has closed the account, and there is a row of it")
            elif due is None:
                new = name.startswith(GUEST_PREFIX) and guest and not locked and password is None
                if not (new and role == Role.PATRON):  # a guest is on record with the first chips that they buy
                    findings.add(stream, 0, "account", "there is an account, and its stream never opened one")
            elif (role, guest, locked, opened_at) != due:
                text = "role, lock or opening are not those of the stream; a change cut short is made again"
                findings.add(stream, 0, "account", text)
            elif told and password_by != self._passwords[name]:
                findings.add(stream, 0, "account", f"its password is told as {password_by}'s, and the stream says else")
        for name in known:
            findings.add(f"person/{name}", 0, "account", "the stream has an account, and there is no row of it")

    def compare_closed(self, due: Counter[str], findings: Findings) -> None:
        """A closed account has given everything back, and its guest is at no table. `due` are the wallets by their
        transfers."""
        for name in sorted(self._closed):
            if cents := due[f"wallet/{name}"]:
                text = f"the account is closed, and its wallet holds {cents} cents by its transfers"
                findings.add(f"person/{name}", 0, "wallet", text)
        for stream, name in self._present:
            if name in self._closed:
                findings.add(stream, 0, "account", f"{name} is at the table, and the account is closed")
