"""Standard streams that fail: the reader is gone, the disk is full, they were closed, the input can't be read."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from select import select
from typing import IO

import pytest

from tests.cli.program import PLAIN, PUNTO
from tests.cli.rounds import line
from tests.patience import LONG_S
from tests.sim.recorded import records, row, write

FULL = Path("/dev/full")
UNREADABLE = Path("/proc/self/mem")
"""A file that opens, and fails when it is read."""

PRINTING = [
    ["--help"],
    ["rules", "list"],
    ["rules", "list", "--json"],
    ["rules", "show", "tiger-buffalo-commission"],
    ["odds", "live-baccarat-insurance-commission"],
    ["odds", "live-baccarat-insurance-commission", "--csv"],
    ["deal", "--json"],
    ["roads", "B"],
    ["settle"],
    ["replay"],
]
printing = pytest.mark.parametrize("words", PRINTING, ids=" ".join)


def started(words: list[str], out: int | IO[bytes], stdin: bytes = line(), close: str = "") -> tuple[int, str]:
    """Status and reason of the real program with this standard output; `close` is what the shell closes first."""
    shell = ["sh", "-c", f'exec "$0" "$@" {close}', str(PUNTO), *words]
    done = subprocess.run(
        shell, input=stdin, stdout=out, stderr=subprocess.PIPE, env=PLAIN, timeout=LONG_S, check=False
    )
    return done.returncode, done.stderr.decode()


def unread(words: list[str], stdin: bytes = line()) -> tuple[int, str]:
    """The same with a pipe that nobody reads."""
    theirs, ours = os.pipe()
    os.close(theirs)
    try:
        return started(words, ours, stdin)
    finally:
        os.close(ours)


@printing
def test_a_pipe_that_nobody_reads_is_no_fault(words: list[str]) -> None:
    assert unread(words) == (0, "")


def test_a_reader_that_stops_early_is_no_fault() -> None:
    command = ["sh", "-c", '"$0" settle; echo $? >&2', str(PUNTO)]
    many = (line() + b"\n") * 2000
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(many[: len(line()) + 1])
        child.stdin.flush()
        assert child.stdout.readline().startswith(b'{"id":"r1"')
        child.stdout.close()
        with suppress(BrokenPipeError):
            child.stdin.write(many)
            child.stdin.close()
        assert child.stderr.read() == b"0\n"


def test_what_was_refused_stays_refused_though_nobody_reads() -> None:
    status, reason = unread(["roads", "X"])
    assert (status, reason.startswith("punto: 'X'")) == (1, True)


def test_what_an_audit_found_stays_found_though_nobody_reads(tmp_path: Path) -> None:
    """`punto audit-rounds FILE | head` in a script that stops at a failed check."""
    edition = ("tiger-buffalo-commission", "2025-11-21")
    rows = [row(record) for record in records(edition, 3, seed=5, lawful=True)]
    rows[0]["wagers"][0]["handed_back_cents"] += 1
    path = write(tmp_path / "rounds.parquet", rows)
    for form in ([], ["--json"]):
        outcome = unread(["audit-rounds", str(path), "--edition", "/".join(edition), *form])
        assert outcome == (1, "punto: 1 finding in 3 rounds\n")


@pytest.mark.skipif(not FULL.exists(), reason="the system has no full device")
@printing
def test_a_full_disk_is_said_in_one_line(words: list[str]) -> None:
    with FULL.open("wb") as full:
        assert started(words, full) == (1, "punto: standard output: No space left on device\n")


@printing
def test_a_closed_output_is_said_in_one_line(words: list[str]) -> None:
    assert started(words, subprocess.PIPE, close=">&-") == (1, "punto: standard output: Bad file descriptor\n")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_non_blocking_output_waits_for_its_reader(workers: str, tmp_path: Path) -> None:
    """A caller may have made its pipes non-blocking: that a pipe is full for now is no failure."""
    path = tmp_path / "rounds.jsonl"
    path.write_bytes((line() + b"\n") * 2000)
    words = [str(PUNTO), "settle", str(path), "--workers", workers]
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with (
        subprocess.Popen(words, stdout=theirs, stderr=subprocess.PIPE, env=PLAIN) as child,
        os.fdopen(ours, "rb") as answers,
    ):
        while child.poll() is None and select([], [theirs], [], 0)[1]:
            time.sleep(0.01)  # until the pipe is full
        os.close(theirs)
        out = answers.read()
        assert child.stderr is not None
        assert child.stderr.read() == b""
    assert child.returncode == 0
    assert out == subprocess.run(words, stdout=subprocess.PIPE, env=PLAIN, timeout=LONG_S, check=True).stdout
    assert out.count(b"\n") == 2000


@pytest.mark.parametrize("files", [20, 56], ids=["pipes", "processes"])
def test_too_many_open_files_are_no_fault_of_the_input(files: int) -> None:
    """Ten processes need about seventy open files."""
    shell = ["sh", "-c", f'ulimit -n {files}; exec "$0" settle --workers 10', str(PUNTO)]
    done = subprocess.run(shell, input=line(), capture_output=True, env=PLAIN, timeout=LONG_S, check=False)
    reason = b"punto: can't run 10 worker processes: Too many open files\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", reason)


@pytest.mark.parametrize("command", ["settle", "replay"])
def test_a_closed_input_is_said_in_one_line(command: str) -> None:
    assert started([command], subprocess.PIPE, close="<&-") == (1, "punto: standard input: Bad file descriptor\n")


@pytest.mark.skipif(not UNREADABLE.exists(), reason="the system has no such file")
@pytest.mark.parametrize("command", ["settle", "replay"])
def test_a_file_that_cant_be_read_is_named(command: str) -> None:
    answer = started([command, str(UNREADABLE)], subprocess.PIPE)
    assert answer == (1, f"punto: {UNREADABLE}: Input/output error\n")


@pytest.mark.parametrize("words", [["settle"], ["settle", "no-such-file"], ["roads", "X"]], ids=" ".join)
def test_a_closed_standard_error_changes_no_status(words: list[str]) -> None:
    assert started(words, subprocess.PIPE, stdin=b"{}", close="2>&-") == (1, "")


def test_a_command_that_needs_no_input_does_without() -> None:
    assert started(["rules", "list"], subprocess.PIPE, close="<&-") == (0, "")
