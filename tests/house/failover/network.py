"""The way between a node and the two servers, which a test can cut: what is sent then does not arrive.

Nobody is told that a connection has ended, as when a cable is pulled or a machine has lost its power. A connection from
before the cut goes on once the way is whole again, as TCP does.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from tests.patience import LONG_S

CHUNK: Final = 65_536


class Way:
    """The way from a port of its own to the port of a server."""

    def __init__(self, server: int) -> None:
        self.server, self.port = server, 0
        self.whole = asyncio.Event()
        self.whole.set()
        self._handlers: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        self._listening = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._listening.close()
        for task in self._handlers:
            task.cancel()
        await asyncio.gather(*self._handlers, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._handlers.add(task)
        try:
            await self.whole.wait()
            with suppress(OSError):
                there, back = await asyncio.open_connection("127.0.0.1", self.server)
                ways = [
                    asyncio.ensure_future(self._one_way(reader, back)),
                    asyncio.ensure_future(self._one_way(there, writer)),
                ]
                try:
                    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                    await self.whole.wait()
                finally:
                    for way in ways:
                        way.cancel()
                    await asyncio.gather(*ways, return_exceptions=True)
                    back.transport.abort()
        finally:
            self._handlers.discard(task)
            writer.transport.abort()

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK):
                await self.whole.wait()
                writer.write(chunk)
                await writer.drain()


class Network:
    """The ways of several nodes to both servers, in a thread of their own."""

    def __init__(self, servers: Sequence[int]) -> None:
        self._servers = tuple(servers)
        self._ways: list[Way] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def _done(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(LONG_S)

    def node(self) -> Node:
        """The ways of one more node."""

        async def opened() -> None:
            for port in self._servers:
                way = Way(port)
                await way.open()
                ways.append(way)

        ways: list[Way] = []
        self._done(opened())
        self._ways += ways
        return Node(self._loop, ways)

    def close(self) -> None:
        async def closed() -> None:
            await asyncio.gather(*(way.close() for way in self._ways))

        self._done(closed())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LONG_S)
        self._loop.close()


class Node:
    """The ways of one node to the servers."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ways: Sequence[Way]) -> None:
        self._loop, self._ways = loop, tuple(ways)
        self.ports = tuple(way.port for way in ways)

    def cut(self, *servers: int) -> None:
        """Cut the ways to these servers, or to both."""
        for way in self._some(servers):
            self._loop.call_soon_threadsafe(way.whole.clear)

    def mend(self, *servers: int) -> None:
        for way in self._some(servers):
            self._loop.call_soon_threadsafe(way.whole.set)

    def _some(self, servers: Sequence[int]) -> list[Way]:
        return [way for way in self._ways if not servers or way.server in servers]


@contextmanager
def running_network(servers: Sequence[int]) -> Iterator[Network]:
    network = Network(servers)
    try:
        yield network
    finally:
        network.close()
