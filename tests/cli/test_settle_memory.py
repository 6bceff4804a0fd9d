"""`punto settle` in constant memory, on one process and on several: many records, and one that is far too long.
Memory is measured, time is not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.program import PLAIN
from tests.cli.rounds import SETTLED, line
from tests.patience import LONG_S

# ru_maxrss of a program also counts the process that started it, so its own peak is read from /proc on Linux. Workers
# are forks that start no program: their ru_maxrss is right. The first process reads that of the largest worker once it
# has waited for all.
MEASURED = """
import atexit, pathlib, resource, sys

def kib(whose):
    return resource.getrusage(whose).ru_maxrss // (1024 if sys.platform == "darwin" else 1)

def peaks_kib():
    status = pathlib.Path("/proc/self/status")
    rows = status.read_text().splitlines() if status.exists() else []
    own = [int(row.split()[1]) for row in rows if row.startswith("VmHWM:")]
    return *(own or [kib(resource.RUSAGE_SELF)]), kib(resource.RUSAGE_CHILDREN)

atexit.register(lambda: pathlib.Path(sys.argv[1]).write_text("%d %d" % peaks_kib()))
from punto.cli.main import app
app(["settle", *sys.argv[2:]])
"""
SLACK_KIB = 12 * 1024
"""Room for buffers: a chunk, a record of the longest size, their answers. To keep all records takes ten times more."""


class Run(NamedTuple):
    status: int
    out: Path
    peak_kib: int
    """Peak of the process that was started."""
    worker_kib: int
    """Peak of the largest of its workers."""


def measure(folder: Path, pieces: Iterable[bytes], *options: str) -> Run:
    """Settle input that is fed piece by piece; the answers go to a file."""
    folder.mkdir()
    out, peak = folder / "out", folder / "peak"
    with out.open("wb") as answers:
        child = subprocess.Popen(
            [sys.executable, "-c", MEASURED, str(peak), *options],
            stdin=subprocess.PIPE,
            stdout=answers,
            stderr=subprocess.DEVNULL,
            env=PLAIN,
        )
        with child:
            assert child.stdin is not None
            for piece in pieces:
                child.stdin.write(piece)
            child.stdin.close()
            status = child.wait(timeout=LONG_S)
    return Run(status, out, *map(int, peak.read_text().split()))


@pytest.fixture
def few(tmp_path: Path) -> Run:
    """A hundred records: what the program needs anyway."""
    return measure(tmp_path / "few", [line() + b"\n"] * 100)


def answers(run: Run) -> Iterator[Any]:
    with run.out.open("rb") as lines:
        for raw_line in lines:
            yield json.loads(raw_line)


def test_two_hundred_thousand_records_take_no_more_memory_than_a_hundred(few: Run, tmp_path: Path) -> None:
    many = measure(tmp_path / "many", two_hundred_thousand())
    assert (few.status, many.status) == (0, 0)
    with many.out.open("rb") as lines:
        assert sum(1 for _ in lines) == 200_000
    assert many.peak_kib < few.peak_kib + SLACK_KIB


def test_nor_does_any_of_several_processes_take_more(tmp_path: Path) -> None:
    few = measure(tmp_path / "few", [line() + b"\n"] * 100, "--workers", "2")
    many = measure(tmp_path / "many", two_hundred_thousand(), "--workers", "2")
    assert (few.status, many.status) == (0, 0)
    assert few.worker_kib > 0
    with many.out.open("rb") as lines:
        assert sum(1 for _ in lines) == 200_000
    assert many.peak_kib < few.peak_kib + SLACK_KIB
    assert many.worker_kib < few.worker_kib + SLACK_KIB


def two_hundred_thousand() -> Iterator[bytes]:
    thousand = (line(insurance=None) + b"\n") * 1000
    return (thousand for _ in range(200))


def fifty_megabytes(end: bytes) -> Iterator[bytes]:
    yield line() + b"\n"
    yield b'{"id":"huge","game":"'
    for _ in range(50):
        yield b"x" * 1_000_000
    yield end
    yield line()


@pytest.mark.parametrize("end", [b'"}\n', b"\n"], ids=["whole", "cut in half"])
def test_a_record_of_fifty_megabytes_is_refused_unread(end: bytes, few: Run, tmp_path: Path) -> None:
    huge = measure(tmp_path / "huge", fifty_megabytes(end))
    assert huge.status == 1
    before, refused, after = answers(huge)
    assert before == after == SETTLED
    assert (refused["id"], refused["error"]["code"]) == (None, "bad-record")
    assert "longer than 1048576 bytes and was not read" in refused["error"]["message"]
    assert huge.peak_kib < few.peak_kib + SLACK_KIB


def test_a_record_of_a_mebibyte_is_still_read(tmp_path: Path) -> None:
    """A record padded with blanks to one mebibyte is settled; with one more byte it is refused."""
    longest = line(insurance=None)
    longest += b" " * ((1 << 20) - len(longest))
    run = measure(tmp_path / "run", [longest, b"\n", longest, b" \n"])
    fits, over = answers(run)
    assert fits["staked"] == "100.00"
    assert over["error"]["code"] == "bad-record"
