"""A free port for a server that binds it later."""

from __future__ import annotations

import random
import socket
from typing import Final

_PORTS: Final = range(20_000, 32_000)
"""Below the ports that the system gives to connections, so that none takes it before the server does."""


def free_port() -> int:
    while True:
        with socket.socket() as tried:
            port = random.SystemRandom().choice(_PORTS)
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
