"""The live socket of a table: one task sends what the hub has, one reads commands and answers them.

The sender alone closes the socket, with the code that the subscription ends with. What a reader does not take waits in
uvicorn's buffer, 64 KiB of it; then `send` waits, and a reader that takes nothing for five seconds is too slow.
"""

from __future__ import annotations

import asyncio
import hmac
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketException

from punto.codes import Code
from punto.house import logs, metrics
from punto.house.instants import iso
from punto.house.live import frames
from punto.house.live.hub import RESTARTING, TOO_SLOW, Ended, Subscription
from punto.house.people.sessions import Session
from punto.house.store.names import Role
from punto.house.store.records import StoreBroken
from punto.house.table import permissions
from punto.house.table.house import NoSuchTable
from punto.house.table.loaded import Halted
from punto.house.table.node_clock import NodeClock
from punto.house.web import strict
from punto.house.web.orders import Order, carry_out, is_table_id
from punto.house.web.problems import Stop, no_session
from punto.house.web.rooms import Caller, Rooms, caller, charge, rooms

Socket = WebSocket[Any, Any, Any]

GONE: Final = 1005
"""The other side has left: there is nobody to tell a code."""
BUG: Final = 1011
SESSION_ENDED: Final = 4401
NOT_ALLOWED: Final = 4403
NO_SUCH_TABLE: Final = 4404
LARGEST_MESSAGE: Final = 64 * 1024
"""Bytes. A longer list of commands goes over HTTP."""
DEADLINE_S: Final = 5.0
"""Who takes nothing for so long is too slow."""
LEAVE_S: Final = 10.0
"""Who reads again within this time after that still gets the code."""
_MOST_BAD: Final = 20
"""Messages that can't be read before a socket is closed."""
_BAD: Final = ("bad-json", "too-large", "no-session", "csrf")
"""What no page of ours sends again and again."""
_LONGEST_PAUSE_S: Final = 1.0
_LOST: Final = (OSError, RuntimeError, WebSocketException)
"""What sending to a socket raises that has closed meanwhile."""


class LiveQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[int, msgspec.Meta(ge=0, le=10**12)] | None = None


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: str) -> None:
    """Snapshot or missed events first, then every change as it is committed."""
    here, who = rooms(socket), caller(socket)
    await socket.accept()
    reading = await _subscribed(socket, here, who, table)
    if isinstance(reading, int):
        await _close(socket, reading)
        return
    end = partial(reading.end, SESSION_ENDED)
    unwatch = who.session.watch(end) if who.session is not None else lambda: None
    if who.session is not None and who.session.ended:
        end()
    listening = asyncio.create_task(Listener(socket, reading, here, who).run())
    try:
        await _send(socket, reading, here.house.clock)
    finally:
        listening.cancel()
        unwatch()
        reading.close()


async def _subscribed(socket: Socket, here: Rooms, who: Caller, table: str) -> Subscription | int:
    """What there is to read, or the code for why there is nothing."""
    if not is_table_id(table):
        return NO_SUCH_TABLE
    # An auditor looks and does nothing.
    name = who.name if who.role is not Role.AUDITOR else None
    try:
        query = strict.query(socket.query_params.multi_items(), LiveQuery)
        return await here.hub.subscribe(table, permissions.audience(who.role), name, query.after)
    except Stop:
        return NOT_ALLOWED
    except NoSuchTable:
        return NO_SUCH_TABLE
    except (Halted, StoreBroken):
        return RESTARTING


async def _send(socket: Socket, reading: Subscription, clock: NodeClock) -> None:
    """Every frame until the subscription ends, then the code that it ends with."""
    code = await _until_its_end(socket, reading, clock)
    reading.close()
    if code != GONE:
        await _close(socket, code)


async def _until_its_end(socket: Socket, reading: Subscription, clock: NodeClock) -> int:
    """The server's time is put into a frame as it goes, so that the clocks of pages agree with the house's."""
    try:
        while True:
            frame = await reading.next()
            await _put(socket, b'%b,"now":"%b"}' % (frame[:-1], iso(clock.now()).encode()))
    except Ended as end:
        return end.code
    except TimeoutError:
        return TOO_SLOW
    except _LOST:
        return GONE
    except Exception as error:
        _bug(error, reading)
        return BUG


async def _put(socket: Socket, frame: bytes) -> None:
    async with asyncio.timeout(DEADLINE_S):
        await socket.send_text(frame)


async def _close(socket: Socket, code: int) -> None:
    metrics.socket_closes.labels(code).inc()
    with suppress(*_LOST, TimeoutError):
        async with asyncio.timeout(LEAVE_S):
            await socket.close(code)


def _bug(error: Exception, reading: Subscription) -> None:
    logs.fail("bug", error=type(error).__name__, table=reading.table)


class Listener:
    """The commands of one socket, one after the other: while one is under way uvicorn reads no further."""

    def __init__(self, socket: Socket, reading: Subscription, here: Rooms, who: Caller) -> None:
        self._socket, self._reading, self._here, self._who = socket, reading, here, who
        self._bad = 0
        self._key: str | None = None

    async def run(self) -> None:
        """Until the socket goes, or is to go."""
        try:
            while (message := await self._socket.receive())["type"] == "websocket.receive":
                text = message.get("text")
                answer = await self._answer(text.encode() if text is not None else message.get("bytes") or b"")
                if self._bad > _MOST_BAD:
                    self._reading.end(NOT_ALLOWED)
                    return
                await _put(self._socket, answer)
            self._reading.end(GONE)
        except TimeoutError:
            self._reading.end(TOO_SLOW)
        except _LOST:
            self._reading.end(GONE)
        except Exception as error:
            _bug(error, self._reading)
            self._reading.end(BUG)

    async def _answer(self, data: bytes) -> bytes:
        self._key = None
        try:
            session, order = self._read(data)
            return frames.answer(order.key, await carry_out(self._here, session, self._reading.table, order))
        except Stop as stop:
            self._bad += stop.code in _BAD
            # Who sends too much is read more slowly: what they send meanwhile waits at their own end.
            await asyncio.sleep(min(stop.wait, _LONGEST_PAUSE_S))
            return msgspec.json.encode({"frame": "answer", "key": self._key, "problem": msgspec.Raw(stop.json())})

    def _read(self, data: bytes) -> tuple[Session, Order]:
        here, who, session = self._here, self._who, self._who.session
        charge(here, who, 1)
        body = strict.plain(data)
        if not isinstance(body, dict):
            raise Stop(400, Code.BAD_REQUEST, "expected an object with `key`, `csrf`, and `command` or `commands`")
        key, csrf = body.get("key"), body.pop("csrf", "")
        self._key = key if isinstance(key, str) else None
        if session is None or session.ended:
            raise no_session()
        if not isinstance(csrf, str) or not hmac.compare_digest(csrf.encode(), session.csrf.encode()):
            raise Stop(403, Code.CSRF, "`csrf` is missing or not this session's")
        here.sessions.use(session)
        order = strict.converted(body, Order)
        if order.commands is not None and order.command is None:
            charge(here, who, len(order.commands) - 1)
        return session, order
