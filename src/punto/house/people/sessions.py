"""Sessions are kept on the server. A token has 128 random bits, and only its hash is stored.

A node caches the sessions in use. One query twice a second tells whether any session, lock or role has changed, and if
so all of them are confirmed. So a logout, a lock or a lost role on any node ends them here within a second.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final
from weakref import WeakValueDictionary

import msgspec
import sqlalchemy as sa

from punto.house import logs
from punto.house.people.accounts import Account
from punto.house.people.session_rows import figures, hash_of, insert_if_unchanged, parts, row_with_person, valid_roles
from punto.house.store.interface import Store
from punto.house.store.names import Role
from punto.house.store.people_tables import sessions
from punto.house.store.records import StoreBroken
from punto.house.table.node_clock import NodeClock

SECOND: Final = 1_000_000
CHECK_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 0.2
"""Between two checks, so that guests who come one after the other do not keep the house checking."""
CONFIRM_SECONDS: Final = 5.0
"""How often all are confirmed whether or not anything seems to have changed."""
_WRITE_SEEN_AFTER: Final = 60 * SECOND
_FORGET_UNUSED_AFTER: Final = 120 * SECOND


class Session(msgspec.Struct, weakref=True):
    """Who is logged in. `seen_at` moves with use and is stored once a minute. All times are by this node's monotonic
    clock: a step of the wall clock neither ends a session in use nor makes it longer. One that was put away is loaded
    by the stored times: a step forward may end it early, a step back may let it last longer."""

    token_hash: bytes
    name: str
    role: Role
    guest: bool
    csrf: str
    ends_at: int
    seen_at: int
    written_at: int
    own: bool = False
    """Whether it began with the person's own password. With one that somebody else gave, one can only set one's own."""
    ended: bool = False
    address: str = ""
    """The address it was last used from. Kept in memory alone."""
    on_record: bool = False
    """For a guest: whether the account is known to be on record (`guests.py`)."""
    watchers: set[Callable[[], None]] = msgspec.field(default_factory=set)
    """Called when it ends, for open sockets."""

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call `call` when the session ends; the result cancels that."""
        self.watchers.add(call)
        return lambda: self.watchers.discard(call)


class Changed(Exception):
    """The account has another password or role since it was read, or is locked."""


class Sessions:
    """The sessions in use on this node, and access to all others."""

    def __init__(
        self, store: Store, idle_seconds: int = 1800, longest_seconds: int = 12 * 3600, clock: NodeClock | None = None
    ) -> None:
        self.store, self._clock = store, clock or NodeClock(store)
        self.idle, self.longest = idle_seconds * SECOND, longest_seconds * SECOND
        self._known: dict[bytes, Session] = {}
        self._put_away = WeakValueDictionary[bytes, Session]()
        """Not used lately, and still held by a request."""
        self._ending = set[bytes]()
        """Logged out, with a row that is not deleted yet."""
        self._ends = 0
        """How often sessions were ended. One that was read from the database meanwhile may be among them."""
        self._soon = asyncio.Event()
        self._figures: list[tuple[object, ...]] | None = None
        self._fresh = False
        """Whether a session came into use since the last check: it may have ended before that saw it."""
        self._confirmed_at: int | None = None
        self._stepped = False
        """Whether the clock has stepped since the times of the sessions in use were stored."""
        self._clock.on_step(self._step)
        store.on_wake(self._woken)

    async def begin(self, account: Account) -> tuple[str, Session]:
        """A new session and its token, which is not stored. Raises `Changed`."""
        token, at = secrets.token_urlsafe(16), self._clock.monotonic()
        session = Session(
            token_hash=hash_of(token),
            name=account.name,
            role=account.role,
            guest=account.guest,
            own=account.own,
            csrf=secrets.token_urlsafe(16),
            ends_at=at + self.longest,
            seen_at=at,
            written_at=at,
        )
        row = {"token_hash": session.token_hash, "person": session.name, "csrf": session.csrf}
        times = dict.fromkeys(("began_at", "seen_at"), self._clock.unix(at))
        if await self.store.execute(insert_if_unchanged(account, {**row, **times})) != [1]:
            raise Changed(account.name)
        self._known[session.token_hash] = session
        self._fresh = True
        return token, session

    async def find(self, token: str) -> Session | None:
        """The session of a token, if it is not over."""
        if not 16 <= len(token) <= 64:
            return None
        key, at = hash_of(token), self._clock.monotonic()
        session = self._known.get(key)
        if session is None:
            session = self._put_away.pop(key, None) or await self._read(key)
            if session is None or key in self._ending:
                return None
            session = self._known.setdefault(key, session)
            self._fresh = True
        if session.ended or self._over(session, at):
            self._end(session)
            return None
        session.seen_at = at
        return session

    def use(self, session: Session) -> None:
        """Note that its person has just done something."""
        session.seen_at = self._clock.monotonic()

    async def end(self, session: Session) -> None:
        """Log out. Nobody finds the session while its row is deleted; a row that was read before is read again."""
        self._ending.add(session.token_hash)
        self._end(session)
        try:
            await self.store.execute(sa.delete(sessions).where(sessions.c.token_hash == session.token_hash))
        finally:
            self._ending.discard(session.token_hash)
            self._ends += 1

    def end_here(self, name: str) -> None:
        """End every session of a person on this node, once the rows are deleted; other nodes see it within a second."""
        self._ends += 1
        for session in [session for session in self._held() if session.name == name]:
            self._end(session)

    def in_use(self, token_hash: bytes) -> Session | None:
        """The session of a token's hash, if this node has it in use."""
        return self._known.get(token_hash)

    async def end_all(self, name: str) -> None:
        """End every session of a person, on every node."""
        await self.store.execute(sa.delete(sessions).where(sessions.c.person == name))
        self.end_here(name)

    async def run(self) -> None:
        """Check until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._soon.wait()
            self._soon.clear()
            try:
                await self.check()
                await asyncio.sleep(PAUSE_SECONDS)
            except StoreBroken:
                return
            except Exception as error:  # the database is briefly unreachable: unconfirmed sessions do not end
                logs.warn("sessions-not-checked", error=type(error).__name__)
                await asyncio.sleep(CHECK_SECONDS)

    async def check(self) -> None:
        """Confirm every session in use, in parts of five hundred, if anything has changed since the last check."""
        if self._stepped:
            self._stepped = False
            await self._write_all()
        at = self._clock.monotonic()
        for session in self._held():
            await self._drop_unused(session, at)
        fresh, self._fresh = self._fresh, False
        try:
            counts = await figures(self.store)
            used = self._held()
            long_ago = self._confirmed_at is None or at - self._confirmed_at > CONFIRM_SECONDS * SECOND
            if fresh or counts != self._figures or long_ago:
                self._figures = counts
                for part in parts(used):
                    await self._confirm(part)
                self._confirmed_at = at
        except BaseException:
            self._fresh = True  # it is not known which of them are still valid
            raise
        for part in parts([session for session in used if session.seen_at - session.written_at > _WRITE_SEEN_AFTER]):
            await self._write_seen(part, at)

    async def _drop_unused(self, session: Session, at: int) -> None:
        """End a session that is over; put away one that nobody has used lately, until its next use."""
        if self._over(session, at):
            self._end(session)
        elif session.token_hash in self._known and not session.watchers and session.seen_at < at - _FORGET_UNUSED_AFTER:
            seen_at = session.seen_at
            await self._write_seen([session], seen_at)
            if not session.watchers and session.seen_at == seen_at:
                self._known.pop(session.token_hash, None)
                self._put_away[session.token_hash] = session

    def _held(self) -> list[Session]:
        """The sessions in use, and those put away that a slow request still holds: these end like the others."""
        return [*self._known.values(), *self._put_away.values()]

    async def sweep(self) -> None:
        """Delete sessions that are over."""
        at = self._clock.cautious()
        unused = sessions.c.seen_at < at - self.idle - 2 * _WRITE_SEEN_AFTER
        await self.store.execute(sa.delete(sessions).where(sa.or_(sessions.c.began_at < at - self.longest, unused)))

    async def _confirm(self, part: Sequence[Session]) -> None:
        roles = await valid_roles(self.store, [session.token_hash for session in part])
        for session in part:
            if roles.get(session.token_hash) != session.role.value:
                self._end(session)

    async def _write_seen(self, part: Sequence[Session], at: int) -> None:
        for session in part:
            session.written_at = session.seen_at
        these = sessions.c.token_hash.in_([session.token_hash for session in part])
        await self.store.execute(sa.update(sessions).where(these).values(seen_at=self._clock.unix(at)))

    async def _write_all(self) -> None:
        """Store the times of every session in use by the clock as it is now, so that no sweep takes them for old."""
        try:
            for part in parts(list(self._known.values())):
                await self.store.execute(*map(self._times, part))
        except BaseException:
            self._stepped = True
            raise

    def _times(self, session: Session) -> sa.Executable:
        began_at, seen_at = self._clock.unix(session.ends_at - self.longest), self._clock.unix(session.seen_at)
        mine = sessions.c.token_hash == session.token_hash
        return sa.update(sessions).where(mine).values(began_at=began_at, seen_at=seen_at)

    async def _read(self, key: bytes) -> Session | None:
        """The session as it is stored, not as it was stored before sessions ended here."""
        while True:
            ends = self._ends
            session = await self._load(key)
            if session is None or ends == self._ends:
                return session

    async def _load(self, key: bytes) -> Session | None:
        row = await row_with_person(self.store, key)
        if row is None:
            return None
        at, now = self._clock.monotonic(), self._clock.cautious()
        # A time that lies ahead was written by a clock that ran ahead: it counts as now.
        began_at, seen_at = (at - max(0, now - row[name]) for name in ("began_at", "seen_at"))
        return Session(
            token_hash=key,
            name=row["person"],
            role=Role(row["role"]),
            guest=bool(row["guest"]),
            own=bool(row["guest"]) or row["password_by"] == row["person"],
            csrf=row["csrf"],
            ends_at=began_at + self.longest,
            seen_at=seen_at,
            written_at=seen_at,
        )

    def _over(self, session: Session, at: int) -> bool:
        return at >= session.ends_at or at - session.seen_at >= self.idle

    def _end(self, session: Session) -> None:
        self._ends += 1
        session.ended = True
        self._known.pop(session.token_hash, None)
        self._put_away.pop(session.token_hash, None)
        for call in list(session.watchers):
            call()
        session.watchers.clear()

    def _step(self) -> None:
        self._stepped = True
        self._soon.set()

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        if not moved or any(stream.startswith("person/") for stream, _ in moved):
            self._soon.set()
