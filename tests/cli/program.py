"""Punto as a user starts it: the real program in its own process, or, for many calls, the same commands in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from punto.cli.main import app
from tests.patience import LONG_S

PUNTO = Path(sys.executable).with_name("punto")

# Environment variables that make rich and typer take a pipe for a terminal, or a terminal for a pipe.
_TERMINAL = ("FORCE_COLOR", "NO_COLOR", "PY_COLORS", "CLICOLOR_FORCE", "GITHUB_ACTIONS", "TTY_COMPATIBLE", "COLUMNS")
PLAIN = {key: value for key, value in os.environ.items() if key not in _TERMINAL}


class Answer(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The output, read as one JSON document per line."""
        return [json.loads(line) for line in self.out.splitlines()]


def start(*words: str, stdin: bytes = b"", **environment: str) -> Answer:
    """Run the installed program."""
    done = subprocess.run(
        [PUNTO, *words], input=stdin, capture_output=True, timeout=LONG_S, check=False, env={**PLAIN, **environment}
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def call(*words: str, stdin: bytes = b"") -> Answer:
    """Run a command in this process: the same code, without the time to start."""
    with CliRunner(env=dict.fromkeys(_TERMINAL)).isolation(stdin) as (out, err, _):
        with pytest.raises(SystemExit) as done:
            _command().main(words, prog_name="punto")
        sys.stdout.flush()
        sys.stderr.flush()
        return Answer(int(done.value.code or 0), out.getvalue().decode(), err.getvalue().decode())


def read_terminal(terminal: int) -> bytes:
    """All that a program writes to this terminal, until it closes its end."""
    shown = b""
    with suppress(OSError):  # Linux tells the end so
        while part := os.read(terminal, 1 << 16):
            shown += part
    return shown


@cache
def _command() -> Any:
    """All commands of the program. Typer's `invoke` makes them anew each time, which takes longer than most calls."""
    return get_command(app)
