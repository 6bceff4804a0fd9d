"""Frames written past the protocol are what the protocol would have written; sockets without room are told apart."""

from __future__ import annotations

import asyncio
import gc
from itertools import pairwise
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from punto.house.garbage import tidied
from punto.house.web.wire import Wire, framed, whole


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


async def _accepted(largest: int = 2**20) -> tuple[Wire, _Transport]:
    """A socket whose handshake is over."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    config = uvicorn.Config(
        app, interface="asgi3", lifespan="off", ws=Wire, ws_per_message_deflate=False, ws_max_size=largest
    )
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
        assert wire.write_framed(framed(b"one"))
        wire.pause_writing()
        assert not wire.write_framed(framed(b"two"))
        assert not told
        wire.resume_writing()
        assert told == ["room"]
        assert wire.write_framed(framed(b"three"))
        assert transport.written == framed(b"one") + framed(b"three")
        transport.written = b""
        wire.close_timeout = 0.01
        wire.pause_writing()
        assert wire.end(4408)
        assert transport.written == b"\x88\x02" + (4408).to_bytes(2, "big"), "the code goes out even so"
        assert not wire.end(1012), "it is counted once"
        assert wire.write_framed(framed(b"too late")), "nobody is left to wait for"
        assert len(transport.written) == 4
        await asyncio.sleep(0.05)
        assert transport.aborted

    asyncio.run(run())


def test_a_socket_that_is_closing_is_shut_down_without_a_word() -> None:
    """Its other side has closed it, and has not read all yet."""

    async def run() -> None:
        wire, transport = await _accepted()
        wire.data_received(Frame(Opcode.CLOSE, (1000).to_bytes(2, "big")).serialize(mask=True))
        transport.is_closing = lambda: True  # type: ignore[method-assign]
        written = transport.written
        wire.shutdown()
        assert transport.written == written

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


@pytest.mark.parametrize("size", [0, 1, 125, 126, 300, 65_535])
def test_a_message_that_came_alone_and_whole_is_read_as_the_library_reads_it(size: int) -> None:
    text = b"\x81x" * (size // 2) + b"y" * (size % 2)
    assert whole(Frame(Opcode.TEXT, text).serialize(mask=True)) == text


def test_all_else_is_left_to_the_library() -> None:
    text = Frame(Opcode.TEXT, b"a command").serialize(mask=True)
    others = [
        Frame(Opcode.TEXT, b"a command").serialize(mask=False),
        Frame(Opcode.TEXT, b"a com", fin=False).serialize(mask=True),
        b"\xc1" + text[1:],
        Frame(Opcode.BINARY, b"a command").serialize(mask=True),
        Frame(Opcode.PING, b"a command").serialize(mask=True),
        Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True),
        Frame(Opcode.TEXT, b"x" * 65_536).serialize(mask=True),
        text + text,
        *(text[:end] for end in range(len(text))),
    ]
    assert [one for one in others if whole(one) is not None] == []


def _messages() -> list[tuple[bytes, bytes]]:
    """What is sent, and what is to be heard of it. The second's length and mask look like a whole message of two bytes
    to whoever has lost his place."""
    mask = b"\1\2\3\4"
    long = b"z" * 0x8182
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(long))
    parts = Frame(Opcode.TEXT, b"in ", fin=False), Frame(Opcode.PING, b""), Frame(Opcode.CONT, b"parts")
    return [
        (Frame(Opcode.TEXT, b"one").serialize(mask=True), b"one"),
        (b"\x81\xfe\x81\x82" + mask + masked, long),
        (b"".join(one.serialize(mask=True) for one in parts), b"in parts"),
        (Frame(Opcode.TEXT, b"x" * 200).serialize(mask=True), b"x" * 200),
    ]


@pytest.mark.parametrize("step", [1, 2, 3, 5, 8, 13, 100, 1_000_000])
def test_however_a_stream_is_cut_the_same_messages_are_heard(step: int) -> None:
    async def run() -> None:
        wire, _ = await _accepted()
        heard: list[bytes] = []
        wire.hear = heard.append
        for _ in range(2):
            for sent, _ in _messages():
                first = step if step < 100 else len(sent)
                # The first cut is where its place is easily lost; the next is where a short whole message would end.
                cuts = [0, first, first + 8, *range(first + 8 + 997, len(sent), 997), len(sent)]
                for start, end in pairwise(cuts):
                    if sent[start:end]:
                        wire.data_received(sent[start:end])
        stream = b"".join(sent for sent, _ in _messages())
        for start in range(0, len(stream), step):
            wire.data_received(stream[start : start + step])
        assert heard == [text for _, text in _messages()] * 3

    asyncio.run(run())


def test_a_message_that_is_too_large_or_in_the_midst_of_another_or_after_the_end_is_not_heard() -> None:
    async def run() -> None:
        wire, transport = await _accepted(100)
        heard: list[bytes] = []
        wire.hear = heard.append
        wire.data_received(Frame(Opcode.TEXT, b"one").serialize(mask=True))
        wire.data_received(Frame(Opcode.TEXT, b"x" * 100).serialize(mask=True))
        wire.data_received(Frame(Opcode.TEXT, b"two").serialize(mask=True))
        wire.data_received(Frame(Opcode.TEXT, b"x" * 101).serialize(mask=True))
        assert heard == [b"one", b"x" * 100, b"two"]
        assert b"\x03\xf1" in transport.written, "1009, too big"
        wire.data_received(Frame(Opcode.TEXT, b"late").serialize(mask=True))
        assert len(heard) == 3
        wire, _ = await _accepted()
        wire.hear = heard.append
        wire.data_received(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
        wire.data_received(Frame(Opcode.TEXT, b"late").serialize(mask=True))
        assert len(heard) == 3, "nor after one's own end"
        wire, transport = await _accepted()
        wire.hear = heard.append
        wire.data_received(Frame(Opcode.TEXT, b"in ", fin=False).serialize(mask=True))
        wire.data_received(Frame(Opcode.TEXT, b"between").serialize(mask=True))
        assert len(heard) == 3
        assert b"\x03\xea" in transport.written, "1002, against the protocol"
        wire, _ = await _accepted()
        wire.hear = heard.append
        wire.data_received(Frame(Opcode.TEXT, b"three").serialize(mask=True))
        wire.end(1012)
        wire.data_received(Frame(Opcode.TEXT, b"late").serialize(mask=True))
        assert heard[3:] == [b"three"]

    asyncio.run(run())
