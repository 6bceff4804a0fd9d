"""Where the house keeps its database unless it is told."""

from __future__ import annotations

import os
from pathlib import Path


def default_url() -> str:
    """`PUNTO_DATABASE`, or an SQLite file in the user's data folder, as XDG has it."""
    given = os.environ.get("PUNTO_DATABASE")
    if given:
        return given
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "punto"
    return f"sqlite:///{folder / 'house.db'}"
