"""How long a test waits for something to happen."""

from __future__ import annotations

import os
from typing import Any, Final

LONG_S: Final = float(os.environ.get("PUNTO_TEST_PATIENCE_S", "1200"))
"""After this time a test gives up. Only a fault takes so long, however slow the machine is.
A developer can shorten it."""
SOCKET: Final[dict[str, Any]] = {"compression": None, "open_timeout": LONG_S, "ping_interval": None}
"""How a test connects to a socket: the client never closes it because of a slow house."""
