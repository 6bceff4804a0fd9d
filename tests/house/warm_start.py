"""Programs of the house that start in a moment: one process imports everything, and forks for every start.

A server takes more than a second of processor time to start, and most of that goes to imports. A forked program
is a process like any other, with its own output, signals and end. `test_serve.py`, and all servers that run under
another command, show that the program also starts without this.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_BYTES = 1 << 17
"""The most bytes of one order: its words, folder and environment."""
NUMBER = struct.Struct("i")
"""What comes through a pipe: first the process id, then the exit status."""
IMPORTED = (
    "punto.house.serve",
    "punto.house.dealer.dealers",
    "punto.house.store.postgres.store",
    "punto.house.store.sqlite.store",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)


class Forked:
    """A running program, with what the tests need of `subprocess.Popen`."""

    def __init__(self, words: list[str], pid: int, stdout: io.FileIO, ended: int) -> None:
        self.args, self.pid, self.stdout, self._ended = words, pid, stdout, ended
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._status(0)

    def wait(self, timeout: float | None = None) -> int:
        status = self._status(timeout)
        if status is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return status

    def send_signal(self, by: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, by)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _status(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], seconds)[0]:
            self.returncode = _number(self._ended)
            os.close(self._ended)
        return self.returncode


def started(words: list[str], environment: Mapping[str, str], errors: int) -> Forked:
    """Start `python -m` with these words; standard error goes to the open file `errors`."""
    output, theirs = os.pipe()
    ended, end = os.pipe()
    order = json.dumps([words, str(Path.cwd()), dict(environment)]).encode()
    assert len(order) < MOST_BYTES
    socket.send_fds(_parent(), [order], [theirs, errors, end])
    os.close(theirs)
    os.close(end)
    return Forked(words, _number(ended), io.FileIO(output), ended)


@cache
def _parent() -> socket.socket:
    """A socket to the process that forks all that this worker starts. That process ends when the socket is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.house.warm_start", str(theirs.fileno())]
    parent = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
    )
    theirs.close()
    atexit.register(parent.wait)
    atexit.register(ours.close)
    return ours


def _warm() -> None:
    from punto.house.web.app import application
    from punto.house.web.parts import Parts
    from punto.house.web.settings import Settings
    from punto.rulebook.load import catalogue, edition, revisions
    from tests.cli.program import call

    for module in IMPORTED:
        __import__(module)
    call("serve", "--port", "x")  # what the command line needs
    application(Parts(Settings()))  # what routes need
    for source in catalogue():
        revisions(source)
        edition(source.game, source.edition)
    gc.collect()
    gc.freeze()


def _ordered(orders: socket.socket) -> list[str]:
    """Fork for every order. This returns only in the forked program, with the words of its order."""
    while True:
        order, files, _, _ = socket.recv_fds(orders, MOST_BYTES, 3)
        if not order:
            os._exit(0)
        if not os.fork():
            break
        for file in files:
            os.close(file)
    orders.close()
    output, errors, end = files
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if program := os.fork():
        _say(end, program)
        for file in (output, errors):
            os.close(file)
        _say(end, os.waitstatus_to_exitcode(os.waitpid(program, 0)[1]))
        os._exit(0)
    os.close(end)
    for file, number in ((output, 1), (errors, 2)):
        os.dup2(file, number)
        os.close(file)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    words: list[str]
    words, folder, environment = json.loads(order)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    return words


def _say(end: int, number: int) -> None:
    os.write(end, NUMBER.pack(number))


def _number(end: int) -> int:
    (number,) = NUMBER.unpack(os.read(end, NUMBER.size))
    return int(number)


def main() -> None:
    _warm()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C ends the worker, which ends this
    module, *arguments = _ordered(socket.socket(fileno=int(sys.argv[1])))
    sys.argv = [module, *arguments]
    status = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        status = end.code or 0
    _end(status)


def _end(status: int) -> None:
    """End as `multiprocessing` ends its forks: threads and exit handlers first. Modules are not torn down, because that
    would copy all memory."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
