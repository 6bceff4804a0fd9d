"""The live socket of a table: frames from the hub outwards, written by it, and commands inwards, one task a socket.

The hub writes a frame once for all who may see the same. What is added here is the server's time, so that the clocks of
pages agree with the house's.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from typing import Annotated, Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from punto.codes import Code
from punto.house import logs, metrics
from punto.house.live import frames, hub
from punto.house.people import permissions
from punto.house.people.names import Role
from punto.house.people.sessions import Session
from punto.house.store.records import StoreBroken
from punto.house.table.answers import Answer
from punto.house.table.clock import iso
from punto.house.table.desk import Halted
from punto.house.table.house_clock import HouseClock
from punto.house.table.service import NoSuchTable
from punto.house.web import strict, wire
from punto.house.web.orders import Order, after_reading, at_once, is_table_id
from punto.house.web.problems import Stop
from punto.house.web.rooms import Caller, Rooms, caller, charge, rooms

Socket = WebSocket[Any, Any, Any]

SESSION_ENDED: Final = 4401
NOT_ALLOWED: Final = 4403
NO_SUCH_TABLE: Final = 4404
RESTARTING: Final = hub.RESTARTING
_MOST_BAD: Final = 20
"""Messages that can't be read before a socket is closed."""
_BAD: Final = ("bad-json", "too-large", "no-session", "csrf")
"""What no page of ours sends again and again."""
_LONGEST_PAUSE_S: Final = 1.0
_SAME_MOMENT: Final = 20_000
"""Microseconds."""


class LiveQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[int, msgspec.Meta(ge=0, le=10**12)] | None = None


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: str) -> None:
    """Snapshot or missed events first, then every change as it is committed."""
    here, who = rooms(socket), caller(socket)
    await socket.accept()
    try:
        asked = strict.query(socket.query_params.multi_items(), LiveQuery)
        reading = await _subscribed(here, who, table, asked.after)
    except Stop:
        await _close(socket, NOT_ALLOWED)
        return
    except NoSuchTable:
        await _close(socket, NO_SUCH_TABLE)
        return
    except (Halted, StoreBroken):
        await _close(socket, RESTARTING)
        return
    outlet = Outlet(wire.of(socket.scope), reading, here.house.clock)

    def ended() -> None:
        outlet.end(SESSION_ENDED)

    unwatch = who.session.watch(ended) if who.session is not None else None
    if who.session is not None and who.session.ended:
        ended()
    try:
        reading.attach(outlet)
        await _listen(socket, Listener(outlet, here, who, table), outlet.wire)
    finally:
        if unwatch is not None:
            unwatch()
        reading.close()


async def _subscribed(here: Rooms, who: Caller, table: str, after: int | None) -> hub.Subscription:
    if not is_table_id(table):
        raise NoSuchTable(table)
    audience = permissions.audience(who.role)
    # An auditor looks and does nothing.
    name = who.name if who.role is not Role.AUDITOR else None
    return await here.house.hub.subscribe(table, audience, name, after)


class Outlet:
    """Where the hub writes a socket's frames. The server's time is put in as they go, by the clock that theirs was made
    with."""

    __slots__ = ("_clock", "wire")

    def __init__(self, to: wire.Wire, reading: hub.Subscription, clock: HouseClock) -> None:
        self.wire, self._clock = to, clock
        to.room = reading.go_on

    def write(self, frame: bytes) -> bool:
        return self.wire.write_framed(_timed(frame, self._clock.now()))

    def write_now(self, frame: bytes) -> bool:
        """The answer to a command; whether there was room."""
        return self.wire.write_framed(wire.framed(frame))

    async def answer(self, frame: bytes) -> None:
        """The same as soon as there is room, until the deadline."""
        try:
            async with asyncio.timeout(hub.DEADLINE_S):
                await self.wire.writable.wait()
            self.wire.write_framed(wire.framed(frame))
        except TimeoutError:
            self.end(hub.TOO_SLOW)

    def pause(self) -> None:
        self.wire.pause()

    def resume(self) -> None:
        self.wire.resume()

    def end(self, code: int) -> None:
        if self.wire.end(code):
            metrics.socket_closes.labels(code).inc()


_last: tuple[bytes, int, bytes] = (b"", 0, b"")


def _timed(frame: bytes, at: int) -> bytes:
    """A frame with the server's time, as it goes over the wire: written once for all sockets that are sent the same
    frame at the same moment."""
    global _last
    last, since, written = _last
    if last is not frame or not 0 <= at - since <= _SAME_MOMENT:
        written = wire.framed(frame[:-1], b',"now":"%s"}' % iso(at).encode())
        _last = (frame, at, written)
    return written


class Listener:
    """What one socket asks, one command after the other. Nearly all are given to their table where they are read; one
    that has to wait for more than its commit has a task."""

    def __init__(self, outlet: Outlet, here: Rooms, who: Caller, table: str) -> None:
        self._outlet, self._here, self._who, self._table = outlet, here, who, table
        self._bad = 0
        self._key: str | None = None
        self._busy = False
        self._waiting: deque[bytes] = deque()
        self._task: asyncio.Task[None] | None = None

    def heard(self, data: bytes) -> None:
        """A message. While one is under way the next ones wait, and no more are read."""
        if self._busy:
            self._waiting.append(data)
            self._outlet.pause()
        else:
            self._busy = True
            self._take(data)

    def _take(self, data: bytes) -> None:
        try:
            session, order = self._read(data)
            if not at_once(self._here, session, self._table, order, self._told):
                self._later(self._after_reading(session, order))
        except Stop as stop:
            self._later(self._stopped(stop))
        except Exception as error:
            self._bug(error)

    def _read(self, data: bytes) -> tuple[Session, Order]:
        here, who = self._here, self._who
        self._key = None
        charge(here, who, 1)
        said = strict.plain(data)
        if not isinstance(said, dict):
            raise Stop(400, Code.BAD_REQUEST, "expected an object with `key`, `csrf`, and `command` or `commands`")
        key, csrf = said.get("key"), said.pop("csrf", "")
        self._key = key if isinstance(key, str) else None
        session = who.session
        if session is None or session.ended:
            raise Stop(401, Code.NO_SESSION, "log in first, or enter as a guest")
        if not isinstance(csrf, str) or not hmac.compare_digest(csrf.encode(), session.csrf.encode()):
            raise Stop(403, Code.CSRF, "`csrf` is missing or not this session's")
        here.sessions.use(session)
        order = strict.converted(said, Order)
        if order.commands is not None and order.command is None:
            charge(here, who, len(order.commands) - 1)
        return session, order

    def _told(self, answer: Answer | Exception) -> None:
        if isinstance(answer, Answer):
            assert self._key is not None, "an order has a key"
            self._write(frames.answer(self._key, answer))
        elif isinstance(answer, Stop):
            self._later(self._stopped(answer))
        else:
            self._bug(answer)

    async def _after_reading(self, session: Session, order: Order) -> None:
        try:
            self._told(await after_reading(self._here, session, self._table, order))
        except Exception as error:
            self._told(error)

    async def _stopped(self, stop: Stop) -> None:
        self._bad += stop.code in _BAD
        # Who sends too much is read more slowly: what he sends meanwhile waits at his own end.
        await asyncio.sleep(min(stop.wait, _LONGEST_PAUSE_S))
        if self._bad > _MOST_BAD:
            self._outlet.end(NOT_ALLOWED)
            return
        problem = {"frame": "answer", "key": self._key, "problem": msgspec.Raw(stop.json())}
        self._write(msgspec.json.encode(problem))

    def _write(self, frame: bytes) -> None:
        if self._outlet.write_now(frame):
            self._next()
        else:
            self._later(self._when_there_is_room(frame))

    async def _when_there_is_room(self, frame: bytes) -> None:
        await self._outlet.answer(frame)
        self._next()

    def _next(self) -> None:
        if self._waiting:
            # Not from here: who sends a thousand messages at once must not hold up everybody else.
            asyncio.get_running_loop().call_soon(self._take, self._waiting.popleft())
        else:
            self._busy = False
            self._outlet.resume()

    def _later(self, work: Coroutine[None, None, None]) -> None:
        self._task = asyncio.get_running_loop().create_task(work)

    def _bug(self, error: Exception) -> None:
        """A bug in one command must not take the socket down unheard."""
        logs.fail("bug", error=type(error).__name__, table=self._table)
        self._outlet.end(1011)


async def _listen(socket: Socket, listener: Listener, hears: wire.Wire) -> None:
    """Until the socket goes. What came before somebody listened is in its queue."""
    hears.hear = listener.heard
    while True:
        message = await socket.receive()
        if message["type"] != "websocket.receive":
            return
        raw = message.get("text")
        listener.heard(raw.encode("utf-8", "replace") if raw is not None else message.get("bytes") or b"")


async def _close(socket: Socket, code: int) -> None:
    metrics.socket_closes.labels(code).inc()
    with suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(hub.DEADLINE_S):
            await socket.close(code)
