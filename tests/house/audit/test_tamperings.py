"""What an audit sees of a database that somebody has changed by hand, on both engines."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from punto.house.audit import stream_heads
from punto.house.audit.run import audit
from punto.house.instants import unix_micros
from punto.house.people.accounts import Account, Accounts
from punto.house.store.backup import backup
from punto.house.store.interface import open_store
from punto.house.store.names import Role
from punto.house.store.person import AccountOpened
from tests.house.audit.attacker import attacker
from tests.house.audit.played_house import play
from tests.house.audit.tamperings import ALL, SPARE, Tampering
from tests.house.databases import ENGINES, postgres_database

ON = [(tampering, engine) for tampering in ALL for engine in ENGINES if tampering.engine in (None, engine)]


class Sound(msgspec.Struct, frozen=True):
    url: str
    heads: stream_heads.Heads


async def _spare(url: str) -> None:
    store = await open_store(url)
    try:
        account = Account(name=SPARE, role=Role.PATRON, guest=True, opened_at=unix_micros())
        opened = AccountOpened(by=SPARE, name=SPARE, role=Role.PATRON, guest=True)
        assert await Accounts(store)._opened(account, [opened], SPARE)
    finally:
        await store.close()


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Sound]]:
    """One house of each engine, sound, played in once."""
    folder = tmp_path_factory.mktemp("tampered")
    with postgres_database() as postgres:
        sound_houses = {}
        for engine, url in (("sqlite", f"sqlite:///{folder / 'house.db'}"), ("postgresql", postgres)):
            asyncio.run(play(url, number=2, rounds=3))
            asyncio.run(_spare(url))
            if engine == "sqlite":
                backup(url, folder / "whole.db")
                url = f"sqlite:///{folder / 'whole.db'}"
            report = audit(url)
            assert report.findings == []
            sound_houses[engine] = Sound(url, report.heads)
        yield sound_houses


@pytest.mark.parametrize(("tampering", "engine"), ON, ids=str)
def test_what_an_audit_says_to_it(tampering: Tampering, engine: str, houses: dict[str, Sound], tmp_path: Path) -> None:
    sound = houses[engine]
    with attacker(sound.url, tmp_path) as (hand, audited):
        tampering.carry_out(hand)
        report = audited()
        if tampering.finds is not None:
            assert tampering.finds in report.counts, report.findings
            assert not tampering.alone or set(report.counts) == {tampering.finds}, report.findings
            if tampering.stream is not None:
                there = [finding.code for finding in report.findings if finding.stream == tampering.stream]
                assert there == [tampering.finds], report.findings
            return
        assert report.findings == []
        assert set(audited(sound.heads).counts) == ({"head"} if tampering.by_heads else set())


def test_there_are_forty_at_least_on_each_engine() -> None:
    names = [tampering.name for tampering in ALL]
    assert len(names) == len(set(names))
    for engine in ENGINES:
        assert sum(tampering.engine in (None, engine) for tampering in ALL) >= 40
