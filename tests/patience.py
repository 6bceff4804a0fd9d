"""How long a test waits for a fact."""

from __future__ import annotations

from typing import Any, Final

LONG_S: Final = 1_200.0
"""It ends a test whose fact never comes. Only a fault takes so long: no machine is too slow for a test."""
SOCKET: Final[dict[str, Any]] = {"compression": None, "open_timeout": LONG_S, "ping_interval": None}
"""How a test connects to a socket: the client closes none because a slow house took its time."""
