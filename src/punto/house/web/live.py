"""The live socket of a table: frames from the hub outwards, commands inwards. One task for each direction.

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
from punto.house.web import strict
from punto.house.web.orders import Order, carried_out, is_table_id
from punto.house.web.problems import Stop
from punto.house.web.rooms import Caller, Rooms, caller, rooms

Socket = WebSocket[Any, Any, Any]

SESSION_ENDED: Final = 4401
NOT_ALLOWED: Final = 4403
NO_SUCH_TABLE: Final = 4404
RESTARTING: Final = hub.RESTARTING
_MOST_BAD: Final = 20
"""Messages that can't be read before a socket is closed."""


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
    closing: list[asyncio.Task[None]] = []

    def ended() -> None:
        closing.append(asyncio.get_running_loop().create_task(_close(socket, SESSION_ENDED)))

    unwatch = who.session.watch(ended) if who.session is not None else None
    if who.session is not None and who.session.ended:
        ended()
    pumping = asyncio.get_running_loop().create_task(_pump(socket, reading))
    try:
        await _listen(socket, here, who, table)
    finally:
        if unwatch is not None:
            unwatch()
        pumping.cancel()
        reading.close()
        with suppress(asyncio.CancelledError):
            await pumping


async def _subscribed(here: Rooms, who: Caller, table: str, after: int | None) -> hub.Subscription:
    if not is_table_id(table):
        raise NoSuchTable(table)
    audience = permissions.audience(who.role)
    return await here.house.hub.subscribe(table, audience, who.name, after)


async def _pump(socket: Socket, reading: hub.Subscription) -> None:
    async def send(frame: bytes) -> None:
        await socket.send_text(f'{frame[:-1].decode()},"now":"{iso(now())}"}}')

    try:
        await hub.pump(reading, send)
    except hub.Ended as end:
        await _close(socket, end.code)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return  # the other side has gone


async def _listen(socket: Socket, here: Rooms, who: Caller, table: str) -> None:
    bad = 0
    while True:
        message = await socket.receive()
        if message["type"] != "websocket.receive":
            return
        raw = message.get("text")
        data = raw.encode("utf-8", "replace") if raw is not None else message.get("bytes") or b""
        key: Any = None
        try:
            spoken = strict.read(data, Spoken)
            key = spoken.key if isinstance(spoken.key, str) else None
            frame = await _answered(here, who, table, spoken)
        except Stop as stop:
            bad += stop.code in ("bad-json", "too-large")
            problem = {"frame": "answer", "key": key, "problem": msgspec.Raw(stop.json())}
            frame = msgspec.json.encode(problem)
        except (WebSocketDisconnect, asyncio.CancelledError):
            raise
        except Exception as error:  # a bug in one command must not take the socket's reader down unheard
            logs.fail("bug", error=type(error).__name__, table=table)
            await _close(socket, 1011)
            return
        if bad > _MOST_BAD:
            await _close(socket, NOT_ALLOWED)
            return
        try:
            await asyncio.wait_for(socket.send_text(frame.decode()), hub.DEADLINE_S)
        except TimeoutError:
            await _close(socket, hub.TOO_SLOW)
            return
        except (RuntimeError, OSError):
            return


async def _answered(here: Rooms, who: Caller, table: str, spoken: Spoken) -> bytes:
    session = who.session
    if session is None or session.ended:
        raise Stop(401, "no-session", "log in first, or enter as a guest")
    if not hmac.compare_digest(spoken.csrf.encode(), session.csrf.encode()):
        raise Stop(403, "csrf", "`csrf` is missing or not this session's")
    wait = here.by_session.take(session.name)
    if wait:
        raise Stop(429, "too-many", "too many commands: wait a moment", wait=wait)
    session.seen_at = now()
    given = {"key": spoken.key}
    given |= {"command": spoken.command} if spoken.command is not None else {}
    given |= {"commands": spoken.commands} if spoken.commands is not None else {}
    order = strict.converted(given, Order)
    return frames.answer(order.key, await carried_out(here, session, table, order))


async def _close(socket: Socket, code: int) -> None:
    metrics.socket_closes.labels(code).inc()
    with suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
        await asyncio.wait_for(socket.close(code), hub.DEADLINE_S)
