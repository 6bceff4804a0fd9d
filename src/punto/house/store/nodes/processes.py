"""Identify this process and its machine, and tell whether another process has ended.

Only Linux tells enough. Elsewhere, and for other machines or containers, the answer is unknown.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_SPACE: Final = Path("/proc/self/ns/pid")
_STATE, _BEGAN = 0, 19
"""Fields of /proc/PID/stat after the name, which is in parentheses."""


def own_process() -> str:
    """This process: boot id of the machine, PID namespace, PID, and start time in ticks since boot."""
    pid = os.getpid()
    return f"{_here()} {pid} {_began(pid)}"


def is_alive(process: str) -> bool | None:
    """Whether a process runs; None where this can't be known here."""
    boot, space, number, began = process.split(" ")
    if f"{boot} {space}" != _here() or "?" in process:
        return None
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it exists and is another user's
    now = _began(int(number))
    return None if now == "?" else now == began


def _here() -> str:
    try:
        return f"{_BOOT.read_text().strip()} {os.readlink(_SPACE)}"
    except OSError:
        return "? ?"


def _began(pid: int) -> str:
    """The start time; `over` for a process that has ended and whose parent has not read its status yet."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "?"
    return "over" if fields[_STATE] in "ZX" else fields[_BEGAN]
