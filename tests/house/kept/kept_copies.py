"""Copies of the kept houses, as an older version left them, for tests of both engines."""

from __future__ import annotations

import asyncio
import lzma
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from punto.house.audit import stream_heads
from tests.house.databases import administrator, done_by_hand

FOLDER: Final = Path(__file__).parent
HOUSES: Final = tuple(sorted(path.parent.name for path in FOLDER.glob("*/house.db.xz")))
"""Named by the migration at which each house stands."""


@contextmanager
def kept(house: str, engine: str, folder: Path) -> Iterator[str]:
    """The address of a copy that is not migrated yet. A copy on PostgreSQL is dropped afterwards."""
    if engine == "sqlite":
        file = folder / "kept.db"
        file.write_bytes(lzma.decompress((FOLDER / house / "house.db.xz").read_bytes()))
        yield f"sqlite:///{file}"
        return
    script = lzma.decompress((FOLDER / house / "house.sql.xz").read_bytes()).decode()
    with administrator().database(f"punto_kept_{secrets.token_hex(6)}", "template1") as url:
        asyncio.run(done_by_hand(url, script))
        yield url


def heads_of(house: str, engine: str) -> stream_heads.Heads:
    """The heads that an audit saw when the house was kept."""
    return stream_heads.read(FOLDER / house / f"{engine}.heads.json")


def answers_of(house: str, engine: str) -> dict[str, Any]:
    """The answers that its people got when the house was kept."""
    answers: dict[str, Any] = msgspec.json.decode(
        lzma.decompress((FOLDER / house / f"{engine}.answers.json.xz").read_bytes())
    )
    return answers
