"""The README is run: every sh block command by command, every python block whole, and what they print is compared.

In a sh block a line that begins with "$ " is a command; the lines after it are what it prints. A line "..." stands for
any lines, "..." inside a line for any text. A last line "[1]" is the exit status where it is not 0.
A python block is followed by a text block with what it prints. What a command writes goes to a folder of its own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from punto.cli.main import app
from punto.rulebook.model import Bet
from tests.patience import LONG_S

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATUS = re.compile(r"\[([1-9][0-9]*)\]")


class Shown(NamedTuple):
    """A command as the README shows it, and what it is said to print."""

    command: str
    printed: str
    status: int


def blocks(text: str) -> list[tuple[str, str]]:
    """Every fenced block: its language and its body."""
    return [(match[1], match[2]) for match in FENCE.finditer(text)]


def commands(body: str) -> list[Shown]:
    """The commands of a sh block. Refuses a block that does not begin with one."""
    assert body.startswith("$ "), f"a sh block begins with a command: {body[:60]!r}"
    shown = []
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *lines = part.splitlines()
        status = STATUS.fullmatch(lines[-1]) if lines else None
        if status is not None:
            lines.pop()
        shown.append(Shown(command, "\n".join(lines), int(status[1]) if status else 0))
    return shown


def matches(expected: str, printed: str) -> bool:
    """Whether the text is what was expected, dots aside."""
    pattern = ""
    for line in expected.splitlines():
        if line == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += "[^\n]*".join(re.escape(part) for part in line.split("...")) + "\n"
    return re.fullmatch(pattern, printed) is not None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to run the README in: its examples are there, and nothing that a command writes stays."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    return tmp_path


def run(arguments: list[str] | str, folder: Path) -> tuple[str, int]:
    """What a command prints, reasons on standard error included, and its exit status."""
    here = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(
        arguments,
        shell=isinstance(arguments, str),
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=LONG_S,
        check=False,
    )
    return done.stdout, done.returncode


SHOWN = [shown for language, body in blocks(README) if language == "sh" for shown in commands(body)]
PYTHON = [
    (body, following[1] if following[0] == "text" else None)
    for (language, body), following in zip(blocks(README), [*blocks(README)[1:], ("", "")], strict=True)
    if language == "python"
]


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.command[:60])
def test_a_shown_command_prints_what_is_shown(shown: Shown, folder: Path) -> None:
    printed, status = run(shown.command, folder)
    assert matches(shown.printed, printed), f"$ {shown.command}\nshown:\n{shown.printed}\nprinted:\n{printed}"
    assert status == shown.status


@pytest.mark.parametrize(("code", "shown"), PYTHON)
def test_the_python_block_prints_what_is_shown(code: str, shown: str | None, folder: Path) -> None:
    assert shown is not None, "a python block is followed by a text block with what it prints"
    printed, status = run([sys.executable, "-W", "error", "-c", code], folder)
    assert (printed, status) == (shown, 0)


def test_the_python_way_is_five_lines() -> None:
    """Five readable lines after the import."""
    (code, _), *_ = PYTHON
    first, *rest = [line for line in code.splitlines() if line]
    assert first == "import punto"
    assert len(rest) == 5


def words(group: Any, before: str = "punto") -> list[str]:
    """Every command there is, as it is typed."""
    below = [words(command, f"{before} {name}") for name, command in getattr(group, "commands", {}).items()]
    return [line for lines in below for line in lines] or [before]


@pytest.mark.parametrize("command", words(typer.main.get_command(app)))
def test_every_command_is_shown_or_at_least_named(command: str) -> None:
    assert any(shown.command.startswith(command) for shown in SHOWN) or f"`{command}`" in README


def test_the_bets_are_counted() -> None:
    assert f"settlement of {len(Bet)} bets" in README


def test_only_known_kinds_of_block() -> None:
    """A block in a language that nothing runs would go stale unseen."""
    assert {language for language, _ in blocks(README)} == {"sh", "python", "text"}
    assert README.count("```") == 2 * len(blocks(README))


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("one", "one\n", True),
        ("one", "one\ntwo\n", False),
        ("one", "On\n", False),
        ("one\n...", "one\ntwo\nthree\n", True),
        ("...\nthree", "one\ntwo\nthree\n", True),
        ("...\nfour", "one\ntwo\nthree\n", False),
        ("one ... three", "one two three\n", True),
        ("one ... three", "one two\nthree\n", False),
        ("a.c", "abc\n", False),
        ("", "", True),
        ("", "one\n", False),
    ],
)
def test_the_comparison_can_fail(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


def test_a_wrong_status_and_a_wrong_line_are_seen(folder: Path) -> None:
    (refused,) = commands("$ punto roads X\npunto: ...\n[1]\n")
    printed, status = run(refused.command, folder)
    assert (matches(refused.printed, printed), status) == (True, 1)
    assert refused.status == 1
    (wrong,) = commands("$ punto roads X\nBig Road\n")
    assert not matches(wrong.printed, printed)
    assert wrong.status == 0
