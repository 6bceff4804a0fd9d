"""The database that the house uses by default."""

from __future__ import annotations

import os
from pathlib import Path


def default_url() -> str:
    """`PUNTO_DATABASE`, or an SQLite file in the user's XDG data folder."""
    url = os.environ.get("PUNTO_DATABASE")
    if url:
        return url
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "punto"
    return f"sqlite:///{folder / 'house.db'}"
