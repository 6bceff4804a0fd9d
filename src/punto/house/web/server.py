"""uvicorn's server with its sockets held by another process, and with signals left to the house."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from punto.house.web.line import Line


class Server(uvicorn.Server):
    """A stop that was asked for ends with status 0. `cut_off`: the front is gone, and was not told to go."""

    _line: Line | None = None

    @property
    def cut_off(self) -> bool:
        return self._line is not None and self._line.cut_off

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        assert sockets is not None, "the house has bound its address"
        (listening,) = sockets
        line = Line(self._protocol)
        await line.open(listening)
        self._line = line
        self.servers = []
        self.started = True

    def _protocol(self) -> Any:
        return self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn calls it
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        assert self._line is not None, "it was started"
        self._line.shut()
        await super().shutdown(sockets)

    async def close(self) -> None:
        """After the shutdown, when the last answers were given: the front ends."""
        if self._line is not None:
            await self._line.close()
