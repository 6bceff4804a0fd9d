"""What holds for every command: help with an example that works, usage errors, plain text in a pipe."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
from typer.main import get_command

from punto.cli.main import app
from tests.cli.program import PLAIN, PUNTO, call, start
from tests.cli.rounds import line
from tests.patience import LONG_S

ESCAPE = "\x1b"


GROUPS: list[tuple[str, ...]] = [(), ("rules",), ("watch",)]


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name)


COMMANDS = list(commands(get_command(app)))
by_command = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)


def example(words: tuple[str, ...]) -> list[str]:
    """The words of the example in a command's help, without "punto"."""
    text = " ".join(call(*words, "--help").out.split())
    command = text.partition("Example: punto ")[2].partition("╭")[0]
    return shlex.split(command)


def test_the_commands_of_the_contract_are_there() -> None:
    wanted = {("rules", name) for name in ("list", "show", "in-force", "diff", "trace")} | {
        ("settle",),
        ("roads",),
        ("deal",),
    }
    assert wanted <= set(COMMANDS)


@by_command
def test_help_has_an_example_of_the_command(words: tuple[str, ...]) -> None:
    answer = call(*words, "--help")
    assert answer.status == 0
    assert "Example:" in answer.out
    assert tuple(example(words)[: len(words)]) == words


@pytest.mark.parametrize("words", GROUPS, ids=lambda words: " ".join(("punto", *words)))
def test_help_of_a_group_has_an_example_that_works(words: tuple[str, ...]) -> None:
    command = example(words)
    assert tuple(command[: len(words)]) == words
    answer = call(*command)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out


@pytest.mark.parametrize("words", [words for words in COMMANDS if words[0] in ("rules", "roads", "deal")], ids=" ".join)
def test_the_example_of_the_help_works(words: tuple[str, ...]) -> None:
    answer = call(*example(words))
    assert (answer.status, answer.err) == (0, "")
    assert answer.out


@by_command
def test_an_unknown_option_is_a_usage_error(words: tuple[str, ...]) -> None:
    answer = call(*words, "--no-such-option")
    assert (answer.status, answer.out) == (2, "")
    assert "No such option" in answer.err


@pytest.mark.parametrize("words", [["unknown"], ["rules", "unknown"], ["rules", "diff", "one"], ["rules", "in-force"]])
def test_wrong_usage_exits_2(words: list[str]) -> None:
    answer = call(*words)
    assert (answer.status, answer.out) == (2, "")
    assert "Usage: " in answer.err


def test_punto_alone_says_what_it_can_do() -> None:
    answer = start()
    assert "settle" in answer.out + answer.err
    assert answer.status in (0, 2)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["settle", "--help"],
        ["rules", "list"],
        ["rules", "diff", "tiger-buffalo-commission/2024-05-14", "tiger-buffalo-commission/2025-11-21"],
        ["rules", "show", "live-baccarat-insurance-commission"],
        ["deal", "--seed", "1"],
        ["roads", "BBPTPP"],
        ["settle"],
        ["settle", "no-such-file"],
        ["deal", "KH"],
    ],
    ids=" ".join,
)
def test_output_in_a_pipe_is_plain(words: list[str]) -> None:
    answer = start(*words, stdin=line(), TERM="xterm-256color", COLORTERM="truecolor")
    assert answer.out + answer.err
    assert ESCAPE not in answer.out + answer.err
    assert "Traceback" not in answer.err


def test_a_reason_goes_to_standard_error_and_nothing_else_does() -> None:
    answer = start("rules", "show", "poker")
    assert (answer.status, answer.out) == (1, "")
    assert len(answer.err.splitlines()) == 1


def test_on_a_terminal_there_is_colour() -> None:
    """Standard output is a pseudo-terminal instead of a pipe."""
    ours, theirs = os.openpty()
    environment = {**PLAIN, "TERM": "xterm-256color"}
    with subprocess.Popen([PUNTO, "deal", "--seed", "1"], stdout=theirs, env=environment) as child:
        os.close(theirs)
        shown = os.read(ours, 1 << 16)
        assert child.wait(timeout=LONG_S) == 0
    os.close(ours)
    assert ESCAPE.encode() in shown


def test_the_version_is_that_of_the_package() -> None:
    answer = start("--version")
    assert answer == (0, f"punto {version('punto')}\n", "")
