"""Locks on bytes of a file beside the database: they work across processes and end with the process.

On Linux a lock belongs to the open file, so two stores of one process exclude each other as well. On systems where a
lock belongs to the process, they don't. Only its owner may open the file, and so lock it.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import stat
import struct
from pathlib import Path
from typing import Final

from punto.house.store.records import StoreBroken
from punto.house.store.sqlite.replaced_file import identity, identity_of

_OPEN_FILE: Final[int | None] = getattr(fcntl, "F_OFD_SETLK", None)
_LOOK: Final[int] = getattr(fcntl, "F_OFD_GETLK", 0)
_LOCK: Final = "hhqqi0q"
"""The system's record of a lock: type, whence, first byte, number of bytes, PID."""
_NODE: Final = 0
"""The byte that every node locks, exclusive or shared."""


class FileLocks:
    """The locks of one node."""

    def __init__(self, database: Path) -> None:
        """Raises StoreBroken where the file is another user's, or can't be opened."""
        self.path = database.with_name(database.name + ".lock")
        self._database = database
        self._file = self._opened()

    @property
    def current(self) -> bool:
        """Whether the path still names the file that the locks are on."""
        return identity(self.path) == identity_of(os.fstat(self._file))

    def reopen(self) -> None:
        os.close(self._file)
        self._file = self._opened()

    def lock(self, *, alone: bool) -> bool:
        """Lock the nodes' byte; exclusive becomes shared in one step."""
        return self._set(_NODE, fcntl.F_WRLCK if alone else fcntl.F_RDLCK)

    def unlock(self) -> None:
        self._set(_NODE, fcntl.F_UNLCK)

    def hold(self, name: str) -> bool:
        return self._set(_byte(name), fcntl.F_WRLCK)

    def held(self, name: str) -> bool:
        """Whether somebody else holds a name."""
        byte = _byte(name)
        if _OPEN_FILE is not None:
            lock = fcntl.fcntl(self._file, _LOOK, struct.pack(_LOCK, fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0))
            return bool(struct.unpack(_LOCK, lock)[0] != fcntl.F_UNLCK)
        free = self._set(byte, fcntl.F_WRLCK)
        if free:
            self._set(byte, fcntl.F_UNLCK)
        return not free

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _opened(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            file = os.open(self.path, flags, 0o600)
        except OSError as error:
            raise StoreBroken(f"{self.path} can't be opened for this house's locks: {error.strerror}") from error
        status = os.fstat(file)
        if status.st_uid not in (os.geteuid(), self._database.stat().st_uid):
            os.close(file)
            raise StoreBroken(
                f"{self.path} belongs to another user, who could lock this house out: "
                "check whose it is, delete it and start again"
            )
        if stat.S_IMODE(status.st_mode) != 0o600:
            os.fchmod(file, 0o600)
        return file

    def _set(self, byte: int, kind: int) -> bool:
        try:
            if _OPEN_FILE is not None:
                fcntl.fcntl(self._file, _OPEN_FILE, struct.pack(_LOCK, kind, os.SEEK_SET, byte, 1, 0))
            else:
                ask = {fcntl.F_WRLCK: fcntl.LOCK_EX, fcntl.F_RDLCK: fcntl.LOCK_SH, fcntl.F_UNLCK: fcntl.LOCK_UN}[kind]
                fcntl.lockf(self._file, ask | fcntl.LOCK_NB, 1, byte)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise
        return True


def _byte(name: str) -> int:
    """The byte of a name, after the byte of the nodes."""
    return 1 + int.from_bytes(hashlib.sha256(name.encode()).digest()[:7])
