"""Notice that somebody moved, replaced or deleted the database's file while it is open.

What is written to a file without a name is lost when it is closed: the node stops and accepts no more writes.
"""

from __future__ import annotations

import os
from pathlib import Path

Identity = tuple[int, int]


def identity(path: Path) -> Identity | None:
    """Which file a path names now; None where it names none."""
    try:
        return identity_of(path.stat())
    except OSError:
        return None


def identity_of(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino


def replaced(path: Path, opened: Identity | None) -> str | None:
    """Why the node stops, if the path no longer names the file that was opened."""
    if identity(path) == opened:
        return None
    return f"{path} was moved, replaced or deleted, and this node stops"
