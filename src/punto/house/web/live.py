"""The live socket of a table: one task sends the hub's frames, another reads commands and answers them.

Only the sending task closes the socket, with the code that the subscription ends with. What a client does not read
waits in uvicorn's buffer of 64 KiB; then `send` blocks, and a client that reads nothing for five seconds is too slow.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import websocket

from punto.codes import Code
from punto.house import logs
from punto.house.instants import iso
from punto.house.live import frames
from punto.house.live.channel import RESTARTING, TOO_SLOW, Ended, Subscription
from punto.house.people.sessions import Session
from punto.house.store.names import ONLOOKERS
from punto.house.store.records import StoreBroken
from punto.house.table import permissions
from punto.house.table.house import NoSuchTable
from punto.house.table.loaded_table import Halted
from punto.house.table.node_clock import NodeClock
from punto.house.web import strict_json
from punto.house.web.caller import Caller, caller
from punto.house.web.command_requests import CommandRequest, carry_out, is_table_id
from punto.house.web.parts import Parts, parts
from punto.house.web.problems import Stop, no_session
from punto.house.web.rate_limits import charge
from punto.house.web.sockets import GONE, LOST, NOT_ALLOWED, SESSION_ENDED, FrameSender, Socket, close

BUG: Final = 1011
NO_SUCH_TABLE: Final = 4404
LARGEST_MESSAGE: Final = 64 * 1024
"""Bytes. A longer list of commands goes over HTTP."""
_MOST_BAD: Final = 20
"""Bad messages before a socket is closed."""
_BAD: Final = ("bad-json", "too-large", "no-session", "csrf")
"""Codes of bad messages: our page does not repeat them."""
_SIGN_OF_LIFE: Final = b'{"ping":true}'
"""A page that receives nothing asks for a ping. One a second is answered without a charge, and `_BEATS` at once."""
_BEATS: Final = 5.0
_LONGEST_PAUSE_S: Final = 1.0


class LiveQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[int, msgspec.Meta(ge=0, le=10**12)] | None = None
    changes: bool = False


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: str) -> None:
    """Send a snapshot or the missed events, then every change once committed."""
    here, who = parts(socket), caller(socket)
    await socket.accept()
    reading = await _subscribed(socket, here, who, table)
    if isinstance(reading, int):
        await close(socket, reading)
        return
    end = partial(reading.end, SESSION_ENDED)
    unwatch = who.session.watch(end) if who.session is not None else lambda: None
    if who.session is not None and who.session.ended:
        end()
    listening = asyncio.create_task(CommandReader(socket, reading, here, who).run())
    try:
        await _send(socket, reading, here.house.clock)
    finally:
        listening.cancel()
        unwatch()
        reading.close()


async def _subscribed(socket: Socket, here: Parts, who: Caller, table: str) -> Subscription | int:
    """The subscription, or the close code that says why there is none."""
    if not is_table_id(table):
        return NO_SUCH_TABLE
    # Auditors and surveillance only look.
    name = who.name if who.role not in ONLOOKERS else None
    try:
        query = strict_json.query(socket.query_params.multi_items(), LiveQuery)
        audience = permissions.audience(who.role)
        return await here.hub.subscribe(table, audience, name, query.after, changes=query.changes)
    except Stop:
        return NOT_ALLOWED
    except NoSuchTable:
        return NO_SUCH_TABLE
    except (Halted, StoreBroken):
        return RESTARTING


async def _send(socket: Socket, reading: Subscription, clock: NodeClock) -> None:
    """Send every frame until the subscription ends, then close with its code."""
    code = await _until_its_end(socket, reading, clock)
    reading.close()
    if code != GONE:
        await close(socket, code)


async def _until_its_end(socket: Socket, reading: Subscription, clock: NodeClock) -> int:
    """The close code. Each frame gets the server's time as it is sent, so that the clocks of pages agree."""
    try:
        async with FrameSender(socket) as sender:
            while True:
                frame = await reading.next()
                await sender.put(frames.timed(frame, iso(clock.now())))
    except Ended as end:
        return end.code
    except TimeoutError:
        return TOO_SLOW
    except LOST:
        return GONE
    except Exception as error:
        _bug(error, reading)
        return BUG


def _bug(error: Exception, reading: Subscription) -> None:
    logs.fail("bug", error=type(error).__name__, table=reading.table)


class CommandReader:
    """Carries out the commands of one socket in turn: uvicorn reads no further meanwhile."""

    def __init__(self, socket: Socket, reading: Subscription, here: Parts, who: Caller) -> None:
        self._socket, self._reading, self._here, self._who = socket, reading, here, who
        self._bad = 0
        self._beats, self._beat_at = _BEATS, time.monotonic()
        self._key: str | None = None

    async def run(self) -> None:
        """Answer until the socket is or has to be closed."""
        try:
            async with FrameSender(self._socket) as sender:
                self._reading.end(await self._answers(sender))
        except TimeoutError:
            self._reading.end(TOO_SLOW)
        except LOST:
            self._reading.end(GONE)
        except Exception as error:
            _bug(error, self._reading)
            self._reading.end(BUG)

    async def _answers(self, sender: FrameSender) -> int:
        """Answer each command, and return the code to close the socket with."""
        while (message := await self._socket.receive())["type"] == "websocket.receive":
            text = message.get("text")
            data = text.encode() if text is not None else message.get("bytes") or b""
            answer = self._beat() if data == _SIGN_OF_LIFE else await self._answer(data)
            if self._bad > _MOST_BAD:
                return NOT_ALLOWED
            if answer is not None:
                await sender.put(answer)
        return GONE

    def _beat(self) -> bytes | None:
        """A ping with the house's time. A client that asks too often gets none, and is closed in the end."""
        at = time.monotonic()
        self._beats, self._beat_at = min(_BEATS, self._beats + at - self._beat_at), at
        if self._beats < 1:
            self._bad += 1
            return None
        self._beats -= 1
        return frames.timed(frames.PING, iso(self._here.house.clock.now()))

    async def _answer(self, data: bytes) -> bytes:
        self._key = None
        try:
            session, sent = self._read(data)
            return frames.answer(sent.key, await carry_out(self._here, session, self._reading.table, sent))
        except Stop as stop:
            self._bad += stop.code in _BAD
            # Read more slowly from a client that sends too much: the rest waits at its own end.
            await asyncio.sleep(min(stop.wait, _LONGEST_PAUSE_S))
            return msgspec.json.encode({"frame": "answer", "key": self._key, "problem": msgspec.Raw(stop.json())})

    def _read(self, data: bytes) -> tuple[Session, CommandRequest]:
        here, who, session = self._here, self._who, self._who.session
        charge(here, who, 1)
        body = strict_json.plain(data)
        if not isinstance(body, dict):
            raise Stop(400, Code.BAD_REQUEST, "expected an object with `key`, `csrf`, and `command` or `commands`")
        key, csrf = body.get("key"), body.pop("csrf", "")
        self._key = key if isinstance(key, str) else None
        if session is None or session.ended:
            raise no_session()
        if not isinstance(csrf, str) or not hmac.compare_digest(csrf.encode(), session.csrf.encode()):
            raise Stop(403, Code.CSRF, "`csrf` is missing or not this session's")
        here.sessions.use(session)
        sent = strict_json.converted(body, CommandRequest)
        if sent.commands is not None and sent.command is None:
            charge(here, who, len(sent.commands) - 1)
        return session, sent
