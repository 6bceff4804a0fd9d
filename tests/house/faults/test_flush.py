"""The log is on disk before an answer is sent: shown by the system calls of a running house."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from tests.house.faults.tracing import needs_injection, needs_tracing
from tests.house.web.running import Person, guest, serving, staff
from tests.patience import LONG_S

CALLS = "fdatasync,fsync,pwrite64,sendto,write,writev,sendmsg"
LINE = re.compile(r"^(?P<pid>\d+) +(?:<\.\.\. (?P<resumed>\w+) resumed>|(?P<call>\w+)\()(?P<rest>.*)$")
CARDS = ("KH", "2S", "7D", "3C", "4H")


class Call:
    """A system call: where in the trace it began and ended, its arguments and its result."""

    def __init__(self, name: str, arguments: str, began: int) -> None:
        self.name, self.given, self.began, self.ended, self.gave = name, arguments, began, began, ""

    @property
    def of_log(self) -> bool:
        return "-wal>" in self.place

    @property
    def place(self) -> str:
        """The file or socket."""
        return self.given.partition(",")[0]


def calls(trace: str) -> list[Call]:
    """The calls in the order in which they began. A call that others interrupted is on two lines."""
    traced_calls: list[Call] = []
    open_calls: dict[str, Call] = {}
    for number, line in enumerate(trace.splitlines()):
        match = LINE.match(line)
        if match is None:
            continue
        pid, rest = match["pid"], match["rest"]
        if match["call"]:
            call = Call(match["call"], rest, number)
            traced_calls.append(call)
            if rest.endswith("<unfinished ...>"):
                open_calls[pid] = call
                continue
        else:
            call = open_calls.pop(pid)
        call.ended, call.gave = number, rest.rpartition("= ")[2]
    return traced_calls


def answered(seen: list[Call], table: str) -> list[Call]:
    """The calls that sent the head of each answer to a command. The head goes out before the body or with it."""
    heads: list[Call] = []
    last: dict[str, Call] = {}
    for call in seen:
        if call.name not in ("sendto", "write", "writev", "sendmsg") or "<socket:" not in call.place:
            continue
        if '"HTTP/1.1 ' in call.given:
            last[call.place] = call
        if f'{{\\"table\\":\\"{table}\\",\\"version\\":' in call.given:
            assert '"HTTP/1.1 20' in last[call.place].given
            heads.append(last[call.place])
    return heads


def played(pit: Person, ann: Person) -> int:
    """Play a round by single commands; how many there were."""
    orders: list[tuple[Person, dict[str, Any]]] = [
        (ann, {"do": "join", "chips": "1000.00"}),
        (ann, {"do": "sit", "box": 1}),
        (pit, {"do": "load-shoe", "count": 416, "shuffled": True}),
        (pit, {"do": "open-betting"}),
        (ann, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"}),
        (pit, {"do": "close-betting"}),
        *((pit, {"do": "draw-card", "card": card}) for card in CARDS),
        (pit, {"do": "settle"}),
        (ann, {"do": "cash-chips", "chips": "900.00"}),
    ]
    for person, order in orders:
        person.must("flushed", order)
    return len(orders)


@needs_tracing
def test_every_answer_leaves_after_the_flush(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    strace = ("strace", "-D", "-f", "--seccomp-bpf", "-y", "-s", "4000", "-o", str(trace), "-e", f"trace={CALLS}")
    with (
        serving(tmp_path, "--no-demo", under=strace) as server,
        staff(server, "pit-supervisor") as pit,
        guest(server) as ann,
    ):
        pit.open("flushed")
        number = played(pit, ann)
        server.stop()
    _written(trace)
    seen = calls(trace.read_text())
    answers = answered(seen, "flushed")
    assert len(answers) == number + 1, "and the opening"
    before = 0
    for answer in answers:
        between = [call for call in seen if before < call.began < answer.began and call.of_log]
        writes = [call for call in between if call.name == "pwrite64"]
        flushes = [call for call in between if call.name == "fdatasync" and call.ended < answer.began]
        assert writes, "the command was answered, and nothing was written to the log"
        assert flushes, "the command was answered, and the log was not flushed"
        assert flushes[0].gave == "0"
        assert writes[0].ended < flushes[-1].began
        before = answer.ended


@needs_injection
def test_a_server_whose_disk_fails_ends_with_status_1(tmp_path: Path) -> None:
    """Commands are answered until the flush fails, and none after it."""
    trace = tmp_path / "trace"
    inject = ("-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=40+")
    with (
        serving(
            tmp_path, "--no-demo", under=("strace", "-D", "-f", "--seccomp-bpf", "-o", str(trace), *inject)
        ) as server,
        staff(server, "pit-supervisor") as pit,
    ):
        pit.open("failed")
        answers = [pit.do("failed", {"do": "start-duty"}).status_code for _ in range(2)]
        for _ in range(60):
            try:
                answers.append(pit.do("failed", {"do": "load-shoe", "count": 1, "shuffled": True}).status_code)
            except OSError:
                break
            if answers[-1] == 503:
                break
        assert 503 in answers or answers[-1] != 200
        assert server.process.wait(LONG_S) == 1
        assert "the house stops: the database can't be written" in server.log.read_text()


def _written(trace: Path) -> None:
    """Wait for the end of the trace: strace ends a moment after the program that it traced."""
    until = time.monotonic() + LONG_S
    while "+++ exited" not in trace.read_text()[-200:] and time.monotonic() < until:
        time.sleep(0.05)
