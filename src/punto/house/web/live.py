"""The live socket of a table: frames from the hub outwards, written by it, and commands inwards, one task a socket.

The hub writes a frame once for all who may see the same. What is added here is the server's time, so that the clocks of
pages agree with the house's.
"""

from __future__ import annotations

import asyncio
import hmac
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from punto.house import frames, hub, logs, metrics, permissions
from punto.house.clock import iso
from punto.house.people.accounts import now
from punto.house.service import Halted, NoSuchTable
from punto.house.stored import StoreBroken
from punto.house.web import strict, wire
from punto.house.web.orders import Order, carried_out, is_table_id
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
    after: int | None = None


class Spoken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command over the socket."""

    key: Any
    csrf: str = ""
    command: Any = None
    commands: Any = None


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
    outlet = Outlet(wire.of(socket.scope), reading)

    def ended() -> None:
        outlet.end(SESSION_ENDED)

    unwatch = who.session.watch(ended) if who.session is not None else None
    if who.session is not None and who.session.ended:
        ended()
    try:
        reading.attach(outlet)
        await _listen(socket, outlet, here, who, table)
    finally:
        if unwatch is not None:
            unwatch()
        reading.close()


async def _subscribed(here: Rooms, who: Caller, table: str, after: int | None) -> hub.Subscription:
    if not is_table_id(table):
        raise NoSuchTable(table)
    audience = permissions.audience(who.role)
    return await here.house.hub.subscribe(table, audience, who.name, after)


class Outlet:
    """Where the hub writes a socket's frames. The server's time is put in as they go."""

    __slots__ = ("_wire",)

    def __init__(self, to: wire.Wire, reading: hub.Subscription) -> None:
        self._wire = to
        to.room = reading.go_on

    def write(self, frame: bytes) -> bool:
        return self._wire.write_text(_timed(frame))

    async def answer(self, frame: bytes) -> None:
        """The answer to a command goes out at once, or waits for room until the deadline."""
        if not self._wire.write_text(frame):
            try:
                await asyncio.wait_for(self._wire.writable.wait(), hub.DEADLINE_S)
                self._wire.write_text(frame)
            except TimeoutError:
                self.end(hub.TOO_SLOW)

    def end(self, code: int) -> None:
        metrics.socket_closes.labels(code).inc()
        self._wire.end(code)


_last: tuple[bytes, int, bytes] = (b"", 0, b"")


def _timed(frame: bytes) -> bytes:
    """A frame with the server's time: written once for all sockets that are sent the same frame at the same moment."""
    global _last
    at = now()
    if _last[0] is not frame or at - _last[1] > _SAME_MOMENT:
        _last = (frame, at, b'%s,"now":"%s"}' % (frame[:-1], iso(at).encode()))
    return _last[2]


async def _listen(socket: Socket, outlet: Outlet, here: Rooms, who: Caller, table: str) -> None:
    bad = 0
    while True:
        message = await socket.receive()
        if message["type"] != "websocket.receive":
            return
        raw = message.get("text")
        data = raw.encode("utf-8", "replace") if raw is not None else message.get("bytes") or b""
        key: Any = None
        try:
            charge(here, who, 1)
            spoken = strict.read(data, Spoken)
            key = spoken.key if isinstance(spoken.key, str) else None
            frame = await _answered(here, who, table, spoken)
        except Stop as stop:
            bad += stop.code in _BAD
            # Who sends too much is read more slowly: what he sends meanwhile waits at his own end.
            await asyncio.sleep(min(stop.wait, _LONGEST_PAUSE_S))
            problem = {"frame": "answer", "key": key, "problem": msgspec.Raw(stop.json())}
            frame = msgspec.json.encode(problem)
        except (WebSocketDisconnect, asyncio.CancelledError):
            raise
        except Exception as error:  # a bug in one command must not take the socket's reader down unheard
            logs.fail("bug", error=type(error).__name__, table=table)
            outlet.end(1011)
            return
        if bad > _MOST_BAD:
            outlet.end(NOT_ALLOWED)
            return
        await outlet.answer(frame)


async def _answered(here: Rooms, who: Caller, table: str, spoken: Spoken) -> bytes:
    session = who.session
    if session is None or session.ended:
        raise Stop(401, "no-session", "log in first, or enter as a guest")
    if not hmac.compare_digest(spoken.csrf.encode(), session.csrf.encode()):
        raise Stop(403, "csrf", "`csrf` is missing or not this session's")
    session.seen_at = now()
    given = {"key": spoken.key}
    given |= {"command": spoken.command} if spoken.command is not None else {}
    given |= {"commands": spoken.commands} if spoken.commands is not None else {}
    order = strict.converted(given, Order)
    charge(here, who, len(order.given) - 1)
    return frames.answer(order.key, await carried_out(here, session, table, order))


async def _close(socket: Socket, code: int) -> None:
    metrics.socket_closes.labels(code).inc()
    with suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
        await asyncio.wait_for(socket.close(code), hub.DEADLINE_S)
