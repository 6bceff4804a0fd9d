"""The feed of the lobby: the tiles of all tables that a page has in sight, over one socket.

A page says which tables it wants (`{"watch": [ids]}`, again whenever that changes). It gets each tile whole, then only
the fields that changed. A wager that changes nothing on a tile causes no frame.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

import msgspec
from litestar import websocket

from punto.game import notation
from punto.house.instants import iso
from punto.house.live.channel import RESTARTING, TOO_SLOW
from punto.house.live.frames import PING, timed
from punto.house.live.hub import PING_S
from punto.house.store.records import StoreBroken
from punto.house.table.loaded_table import Halted
from punto.house.web import strict_json
from punto.house.web.caller import caller
from punto.house.web.parts import Parts, parts
from punto.house.web.problems import Stop
from punto.house.web.rate_limits import charge
from punto.house.web.sockets import GONE, LOST, NOT_ALLOWED, FrameSender, Socket, close
from punto.house.web.tables import TableShown, listed

MOST_WATCHED: Final = 100
PAUSE_S: Final = 0.25
"""Between two frames of a socket: what changes meanwhile goes into one frame."""
_FIELDS: Final = tuple(name for name in TableShown.__struct_fields__ if name not in ("id", "version"))


class WatchMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    watch: Annotated[list[Annotated[str, msgspec.Meta(max_length=64)]], msgspec.Meta(max_length=MOST_WATCHED)]


class Tiles:
    """What one page watches, and the tile last sent of each."""

    def __init__(self, here: Parts) -> None:
        self._here = here
        self._sent: dict[str, TableShown | None] = {}
        self._due: set[str] = set()
        self._moved = asyncio.Event()
        self.ended: int | None = None

    def watch(self, tables: list[str]) -> None:
        self._sent = {table: self._sent.get(table) for table in tables}
        self._due = {
            *self._due,
            *(table for table, last in self._sent.items() if last is None),
        } & self._sent.keys()
        self._moved.set()

    def moved(self, table: str | None) -> None:
        """A table has changed; None: all may have."""
        if table is None:
            self._due |= self._sent.keys()
        elif table in self._sent:
            self._due.add(table)
        else:
            return
        self._moved.set()

    def end(self, code: int) -> None:
        self.ended = code if self.ended is None else self.ended
        self._moved.set()

    async def next(self) -> bytes:
        """The next frame. A tile without changes makes none."""
        while self.ended is None:
            try:
                async with asyncio.timeout(PING_S):
                    await self._moved.wait()
            except TimeoutError:
                return PING
            self._moved.clear()
            changed = [change for table in sorted(self._take()) if (change := await self._change(table)) is not None]
            if changed:
                return b'{"frame":"tiles","tiles":[%s]}' % b",".join(changed)
        return b""

    def _take(self) -> set[str]:
        due, self._due = self._due, set()
        return due

    async def _change(self, table: str) -> bytes | None:
        if table not in self._here.directory.known or table not in self._sent:
            return None
        shown, written = await listed(self._here, table)
        before = self._sent.get(table)
        if table in self._sent:
            self._sent[table] = shown
        if before is None:
            return written
        fields = [name for name in _FIELDS if getattr(before, name) != getattr(shown, name)]
        return notation.encode({"id": table, **{name: getattr(shown, name) for name in fields}}) if fields else None


@websocket("/api/tiles")
async def tiles(socket: Socket) -> None:
    """Tiles show nothing about a patron, so no session is needed."""
    here = parts(socket)
    await socket.accept()
    reading = Tiles(here)
    here.tiles.add(reading)
    here.directory.watchers.add(reading.moved)
    listening = asyncio.create_task(_listen(socket, here, reading))
    try:
        code = await _send(socket, here, reading)
        if code != GONE:
            await close(socket, code)
    finally:
        listening.cancel()
        here.directory.watchers.discard(reading.moved)
        here.tiles.discard(reading)


async def _send(socket: Socket, here: Parts, reading: Tiles) -> int:
    try:
        async with FrameSender(socket) as sender:
            while frame := await reading.next():
                await sender.put(timed(frame, iso(here.house.clock.now())))
                await asyncio.sleep(PAUSE_S)
    except TimeoutError:
        return TOO_SLOW
    except LOST:
        return GONE
    except (Stop, Halted, StoreBroken):
        return RESTARTING
    return reading.ended if reading.ended is not None else RESTARTING


async def _listen(socket: Socket, here: Parts, reading: Tiles) -> None:
    """Read which tables the page wants."""
    try:
        while (message := await socket.receive())["type"] == "websocket.receive":
            text: Any = message.get("text")
            data = text.encode() if text is not None else message.get("bytes") or b""
            charge(here, caller(socket), 1)
            reading.watch(strict_json.converted(strict_json.plain(data), WatchMessage).watch)
        reading.end(GONE)
    except Stop:
        reading.end(NOT_ALLOWED)
    except LOST:
        reading.end(GONE)
