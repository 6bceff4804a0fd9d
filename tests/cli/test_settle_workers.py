"""`punto settle --workers`: the same bytes in the same order on any number of processes, and all of them end."""

from __future__ import annotations

import os
import signal
import subprocess
import tty
from itertools import product
from pathlib import Path
from select import select

import pytest

from punto.cli.relay import Work, WorkerLost
from tests.cli.program import PLAIN, PUNTO, start
from tests.cli.rounds import line
from tests.cli.test_settle import TABLE
from tests.patience import LONG_S

LINES = [line(id=number, insurance=None if number % 3 else [], layout="ABC"[number % 3]) for number in range(3000)]
BAD = [row.text for row in TABLE.values()]


def test_answers_are_those_of_one_process_in_their_order(tmp_path: Path) -> None:
    text = b"\n".join([*LINES[:1500], *BAD, b"x" * (3 << 20), *LINES[1500:], line(id="last")])
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(text)
    alone = start("settle", str(path))
    assert alone.status == 1
    assert len(alone.out.splitlines()) == 3001 + len([row for row in BAD if row.strip()]) + 1
    for workers, by_pipe in product("235", (False, True)):
        words, sent = ([], text) if by_pipe else ([str(path)], b"")
        assert start("settle", *words, "--workers", workers, stdin=sent) == alone, (workers, by_pipe)


@pytest.mark.parametrize("stdin", [b"", b"\n", line(), line() + b"\n"], ids=["nothing", "blank", "one", "one whole"])
def test_fewer_records_than_processes(stdin: bytes) -> None:
    assert start("settle", "--workers", "4", stdin=stdin) == start("settle", stdin=stdin)


@pytest.mark.parametrize("workers", ["1", "3"])
@pytest.mark.parametrize("blocking", [True, False], ids=["blocking", "non-blocking"])
def test_an_answer_does_not_wait_for_the_next_record(workers: str, blocking: bool) -> None:
    """A program sends a record and waits for its slip, until every process has had a turn. A caller may have made its
    pipes non-blocking: that nothing has arrived yet is not the end of the input."""
    theirs, ours = os.pipe()
    os.set_blocking(theirs, blocking)
    with (
        subprocess.Popen(
            [PUNTO, "settle", "--workers", workers], stdin=theirs, stdout=subprocess.PIPE, env=PLAIN
        ) as child,
        os.fdopen(ours, "wb", buffering=0) as records,
    ):
        os.close(theirs)
        assert child.stdout is not None
        for number in range(7):
            records.write(line(id=number) + b"\n")
            assert child.stdout.readline().startswith(b'{"id":%d,' % number)
        records.close()
        assert child.wait(timeout=LONG_S) == 0


def test_a_reader_that_goes_ends_every_process() -> None:
    """The program ends by itself, though its input goes on: `yes RECORD | punto settle --workers 2 | head -1`."""
    with subprocess.Popen(["yes", line().decode()], stdout=subprocess.PIPE) as endless:
        with subprocess.Popen(
            [PUNTO, "settle", "--workers", "2"],
            stdin=endless.stdout,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=PLAIN,
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            assert child.stdout.readline().startswith(b'{"id":"r1",')
            child.stdout.close()
            assert child.stderr.read() == b""
            child.wait(timeout=LONG_S)
        endless.kill()


@pytest.mark.parametrize("kill", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_no_process_outlives_the_first(kill: signal.Signals) -> None:
    """Every process holds the output open: it ends when the last process has ended, though the input goes on."""
    with subprocess.Popen(
        [PUNTO, "settle", "--workers", "3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=PLAIN
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(line() + b"\n")
        child.stdin.flush()
        assert child.stdout.readline().startswith(b'{"id":"r1",')
        child.send_signal(kill)
        assert child.wait(timeout=LONG_S) == -kill
        assert select([child.stdout], [], [], LONG_S)[0], "a process still runs"
        assert child.stdout.read() == b""


@pytest.mark.parametrize("workers", ["1", "2", "3"])
def test_what_came_before_a_failure_to_read_is_answered(workers: str) -> None:
    """A terminal whose other side has closed delivers what it holds; then reading it fails."""
    input_end, typing_end = os.openpty()
    tty.setraw(typing_end)
    os.write(typing_end, b"".join(row + b"\n" for row in LINES[:9]))
    os.close(typing_end)
    try:
        done = subprocess.run(
            [PUNTO, "settle", "--workers", workers],
            stdin=input_end,
            capture_output=True,
            env=PLAIN,
            timeout=LONG_S,
            check=False,
        )
    finally:
        os.close(input_end)
    assert (done.returncode, done.stderr) == (1, b"punto: standard input: Input/output error\n")
    assert done.stdout.decode() == start("settle", stdin=b"\n".join(LINES[:9])).out


def test_a_file_that_is_not_there_is_named() -> None:
    answer = start("settle", "no-such-file.jsonl", "--workers", "2")
    assert answer == (1, "", "punto: no-such-file.jsonl: No such file or directory\n")


def count_to(last: int, work: object = None) -> Work[int, int, int, list[int]]:
    """Items 1, 2, … `last`; the answer to each is its double."""

    def take(before: int) -> tuple[int, int | None]:
        return before + 1, before + 1 if before + 1 < last else None

    def double(item: int) -> int:
        if callable(work):
            work(item)
        return 2 * item

    return Work(take=take, work=double, give=lambda answer, total: [*total, answer])


@pytest.mark.parametrize(("workers", "last"), [*product((1, 2, 3), range(1, 9)), (7, 1), (7, 7), (7, 8)])
def test_turns_go_round(workers: int, last: int) -> None:
    """Exhaustive for a few processes: the last item comes in the turn of each of them, in the first lap and later."""
    expected = [2 * item for item in range(1, last + 1)]
    assert count_to(last).alone(0, []) == expected
    assert count_to(last).shared(workers, 0, []) == expected


@pytest.mark.parametrize("failing", ["take", "work"])
def test_what_a_process_raises_is_sent_here_after_the_answers_before_it(failing: str) -> None:
    """The other processes begin their answers when the twelfth item is about to fail."""
    wait_end, failed_end = os.pipe()
    read_end, written_end = os.pipe()

    class Noted(Exception):
        def __reduce__(self) -> tuple[type[OSError], tuple[int, str]]:
            """Called when the exception is sent to the first process."""
            os.write(written_end, b"failure")
            return OSError, (5, "Input/output error")

    def take(before: int) -> tuple[int, int]:
        return fail() if failing == "take" and before == 11 else before + 1, before + 1

    def work(item: int) -> int:
        if item < 12:
            os.read(wait_end, 1)
        return fail() if item == 12 else item

    def fail() -> int:
        os.write(failed_end, b"x" * 11)
        raise Noted

    def give(answer: int, total: int) -> int:
        os.write(written_end, b"%d " % answer)
        return total + 1

    try:
        with pytest.raises(OSError, match="Input/output error"):
            Work(take=take, work=work, give=give).shared(12, 0, 0)
        assert os.read(read_end, 100) == b"1 2 3 4 5 6 7 8 9 10 11 failure"
    finally:
        for end in (wait_end, failed_end, read_end, written_end):
            os.close(end)


def test_a_process_that_dies_is_missed() -> None:
    def die(item: int) -> None:
        if item == 3:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(WorkerLost):
        count_to(5, die).shared(2, 0, [])
