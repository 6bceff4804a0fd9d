"""Locks on bytes of a file beside the database: they hold across processes and die with the process.

A lock belongs to the open file (Linux), so two stores of one process keep each other out as well. Where the system has
only locks of a process, it does not.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import os
import struct
from pathlib import Path
from typing import Final

_OPEN_FILE: Final[int | None] = getattr(fcntl, "F_OFD_SETLK", None)
_NODE: Final = 0
"""The byte that every node holds: alone, or shared."""
_PATIENCE_S: Final = 0.02


class Claims:
    """The locks of one node."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._held: set[str] = set()

    async def alone(self) -> bool:
        """A node that died while it recovered has not done so: whoever waited for it is alone then."""
        while not self._lock(_NODE, fcntl.F_WRLCK):
            if self._lock(_NODE, fcntl.F_RDLCK):
                return False
            await asyncio.sleep(_PATIENCE_S)
        return True

    def share(self) -> None:
        """From alone to shared in one step, or just shared."""
        taken = self._lock(_NODE, fcntl.F_RDLCK)
        assert taken, "another node is alone here"

    def claim(self, name: str) -> bool:
        if name not in self._held and self._lock(_byte(name), fcntl.F_WRLCK):
            self._held.add(name)
        return name in self._held

    def release(self, name: str) -> None:
        if name in self._held:
            self._held.discard(name)
            self._lock(_byte(name), fcntl.F_UNLCK)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
            self._held.clear()

    def _lock(self, byte: int, kind: int) -> bool:
        try:
            if _OPEN_FILE is not None:
                fcntl.fcntl(self._file, _OPEN_FILE, struct.pack("hhqqi0q", kind, os.SEEK_SET, byte, 1, 0))
            else:
                ask = {fcntl.F_WRLCK: fcntl.LOCK_EX, fcntl.F_RDLCK: fcntl.LOCK_SH, fcntl.F_UNLCK: fcntl.LOCK_UN}[kind]
                fcntl.lockf(self._file, ask | fcntl.LOCK_NB, 1, byte)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise
        return True


def _byte(name: str) -> int:
    """A place of its own for every name, after the node's."""
    return 1 + int.from_bytes(hashlib.sha256(name.encode()).digest()[:7])
