"""Frames written past the protocol are what the protocol would have written; sockets without room are told apart."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from punto.house.tidying import tidied
from punto.house.web.corked import Corked
from punto.house.web.wire import Wire, framed


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_as_the_library_writes_it(size: int) -> None:
    text = b"x" * size
    assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


class _Transport(asyncio.Transport):
    """Remembers what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.aborted = False

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False

    def close(self) -> None: ...

    def abort(self) -> None:
        self.aborted = True


async def _accepted() -> tuple[Wire, _Transport]:
    """A socket whose handshake is over."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    config = uvicorn.Config(app, interface="asgi3", lifespan="off", ws=Wire, ws_per_message_deflate=False)
    wire = Wire(config, ServerState(), {})
    transport = _Transport()
    wire.connection_made(transport)
    wire.data_received(
        b"GET /live HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await wire.send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    return wire, transport


def test_no_room_then_room_then_the_end() -> None:
    async def run() -> None:
        wire, transport = await _accepted()
        told: list[str] = []
        wire.room = lambda: told.append("room")
        transport.written = b""
        assert wire.write_text(b"one")
        wire.pause_writing()
        assert not wire.write_text(b"two")
        assert not told
        wire.resume_writing()
        assert told == ["room"]
        assert wire.write_text(b"three")
        assert transport.written == framed(b"one") + framed(b"three")
        transport.written = b""
        wire.close_timeout = 0.01
        wire.pause_writing()
        assert wire.end(4408)
        assert transport.written == b"\x88\x02" + (4408).to_bytes(2, "big"), "the code goes out even so"
        assert not wire.end(1012), "it is counted once"
        assert wire.write_text(b"too late"), "nobody is left to wait for"
        assert len(transport.written) == 4
        await asyncio.sleep(0.05)
        assert transport.aborted

    asyncio.run(run())


def test_what_lives_is_put_aside_and_all_is_as_before_afterwards() -> None:
    before = gc.get_threshold()

    async def run() -> None:
        task = asyncio.ensure_future(tidied())
        await asyncio.sleep(0)
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() > 1_000
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_one_turn_writes_goes_out_in_one_piece_and_a_long_answer_as_it_comes() -> None:
    async def run() -> None:
        transport = _Transport()
        pieces: list[bytes] = []
        transport.write = pieces.append  # type: ignore[method-assign,assignment]
        corked = Corked(transport, asyncio.get_running_loop())
        corked.write(b"head")
        corked.write(b"body")
        assert not pieces
        await asyncio.sleep(0)
        assert pieces == [b"headbody"]
        for _ in range(100):
            corked.write(b"x" * 4_096)
        assert sum(map(len, pieces)) > 300_000, "whoever writes must hear that there is no room"
        corked.write(b"last")
        corked.close()
        assert pieces[-1].endswith(b"last")
        written = len(pieces)
        corked.write(b"never")
        corked.abort()
        await asyncio.sleep(0)
        assert len(pieces) == written

    asyncio.run(run())


def test_who_pings_and_reads_nothing_gets_no_more_pongs_than_fit() -> None:
    async def run() -> None:
        wire, transport = await _accepted()
        ping = Frame(Opcode.PING, b"are you there").serialize(mask=True)
        wire.data_received(ping)
        assert b"are you there" in transport.written
        transport.written = b""
        wire.pause_writing()
        for _ in range(100):
            wire.data_received(ping)
        assert transport.written == b""
        wire.resume_writing()
        wire.data_received(ping)
        assert transport.written.count(b"are you there") == 1

    asyncio.run(run())
