"""A house that was played in once, for every test that looks at it or breaks a copy of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from punto.house.store.backup import backup
from tests.house.audit.played_house import play
from tests.house.audit.two_person_house import Acted, acted


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database as one file, with a few tables of different games and everything that can go wrong at them."""
    folder = tmp_path_factory.mktemp("played")
    answers = asyncio.run(play(f"sqlite:///{folder / 'house.db'}", number=4, rounds=5))
    assert answers["accepted"] > 100
    backup(f"sqlite:///{folder / 'house.db'}", folder / "house.backup")
    return folder / "house.backup"


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Acted:
    """A house in which two persons did every act that needs two."""
    folder = tmp_path_factory.mktemp("acted")
    return Acted(folder / "house.db", acted(folder))
