"""The process that holds the sockets, and the line to it: nothing is lost, mixed up or waited for on the way."""

from __future__ import annotations

import asyncio
import itertools
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import httpx
import pytest

from punto.house.web import front
from punto.house.web.front import HEAD
from punto.house.web.line import FULL_AT, Line, Remote
from tests.house.web.running import Server, eventually, guest, serving, staff

WAIT_S = 10


class Spoken(asyncio.Protocol):
    """A connection as the house sees it."""

    def __init__(self) -> None:
        self.came = bytearray()
        self.told: list[str] = []
        self.fault = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, Remote)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.came += data
        assert not self.fault

    def pause_writing(self) -> None:
        self.told.append("full")

    def resume_writing(self) -> None:
        self.told.append("room")

    def connection_lost(self, exc: Exception | None) -> None:
        self.told.append("lost")
        assert not self.fault


class Houseful:
    """A line with its front, and those who came."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.address = address
        self.all: list[Spoken] = []
        self._writers: list[asyncio.StreamWriter] = []

    def made(self) -> Spoken:
        self.all.append(Spoken())
        return self.all[-1]

    async def come(self) -> tuple[Spoken, asyncio.StreamReader, asyncio.StreamWriter]:
        """Somebody more, from both sides. What he has not read the system keeps only in part."""
        before = len(self.all)
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 256 * 1024)
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, self.address)
        reader, writer = await asyncio.open_connection(sock=connection, limit=2**20)
        self._writers.append(writer)
        await until(lambda: len(self.all) > before)
        return self.all[-1], reader, writer

    async def leave(self) -> None:
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not true():
            await asyncio.sleep(0.002)


@contextmanager
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


@asynccontextmanager
async def houseful() -> AsyncIterator[tuple[Houseful, Line]]:
    with listening() as door:
        house = Houseful(door.getsockname())
        line = Line(house.made)
        await line.open(door)
        try:
            yield house, line
        finally:
            await house.leave()
            await line.close()


def ran(work: Callable[[Houseful, Line], Awaitable[None]]) -> None:
    async def run() -> None:
        async with houseful() as (house, line), asyncio.timeout(3 * WAIT_S):
            await work(house, line)

    asyncio.run(run())


def test_each_connection_is_told_its_own_in_its_order() -> None:
    async def work(house: Houseful, line: Line) -> None:
        people = [await house.come() for _ in range(30)]
        shared = b"the same for all" * 100
        expected = []
        for number, (spoken, _, writer) in enumerate(people):
            writer.write(b"from %d" % number)
            own = b"(%d" % number
            spoken.transport.write(own)
            spoken.transport.write(shared)
            spoken.transport.write(b")")
            expected.append(own + shared + b")")
        for more in (b"short", shared * 40):
            await asyncio.sleep(0.01)
            for number, (spoken, _, _) in enumerate(people):
                spoken.transport.write(more)
                expected[number] += more
        for number, (spoken, reader, _) in enumerate(people):
            assert await reader.readexactly(len(expected[number])) == expected[number]
            await until(lambda spoken=spoken, number=number: bytes(spoken.came) == b"from %d" % number)  # type: ignore[misc]

    ran(work)


def test_nobody_is_told_what_is_another_s_where_nothing_is_written() -> None:
    """uvicorn writes the empty body of an answer that has none."""

    async def work(house: Houseful, line: Line) -> None:
        one, two, three = [await house.come() for _ in range(3)]
        one[0].transport.write(b"a secret")
        two[0].transport.write(b"")
        three[0].transport.write(b"")
        three[0].transport.write(b"")
        three[0].transport.close()
        assert await three[1].read(-1) == b""
        two[0].transport.close()
        assert await two[1].read(-1) == b""

    ran(work)


def test_the_addresses_are_those_of_the_connection() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, _, writer = await house.come()
        assert spoken.transport.get_extra_info("peername") == writer.get_extra_info("sockname")
        assert spoken.transport.get_extra_info("sockname") == house.address
        assert spoken.transport.get_extra_info("sslcontext") is None

    ran(work)


async def _has_room(spoken: Spoken) -> bool:
    for _ in range(100):
        if spoken.told[-1:] != ["full"]:
            return True
        await asyncio.sleep(0.002)
    return False


def test_who_reads_slowly_is_written_no_more_than_fits_and_loses_nothing() -> None:
    """However fast the house writes, and although nothing is awaited between."""

    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, _ = await house.come()
        _, other, _ = await house.come()
        written = bytearray()
        while await _has_room(spoken):
            while spoken.told[-1:] != ["full"]:
                piece = b"%07d," % len(written) * 400
                spoken.transport.write(piece)
                written += piece
        assert FULL_AT < len(written) < 20_000_000
        house.all[1].transport.write(b"others go on")
        assert await other.readexactly(12) == b"others go on"
        assert await reader.readexactly(len(written)) == bytes(written)
        await until(lambda: spoken.told[-1] == "room")
        spoken.transport.write(b"end")
        assert await reader.readexactly(3) == b"end"

    ran(work)


def test_what_was_written_before_the_close_is_read_and_nothing_after_an_abort() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, _ = await house.come()
        text = os.urandom(12_000_000)
        spoken.transport.write(text)
        spoken.transport.close()
        spoken.transport.write(b"too late")
        assert spoken.transport.is_closing()
        await asyncio.sleep(0.2)  # the front has all of it, and the reader has not
        assert await reader.read(-1) == text
        await until(lambda: spoken.told[-1] == "lost")

        cut, reader, _ = await house.come()
        cut.transport.write(text)
        await asyncio.sleep(0.05)
        cut.transport.close()
        cut.transport.abort()
        await until(lambda: cut.told[-1] == "lost")
        assert len(await reader.read(-1)) < len(text)
        assert cut.told.count("lost") == 1

    ran(work)


def test_the_last_words_of_a_house_that_closes_go_out() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, _ = await house.come()
        spoken.transport.write(b"good night")
        await line.close()
        assert await reader.read(-1) == b"good night"
        assert spoken.told == ["lost"]
        assert not line.cut_off

    ran(work)


def test_who_says_no_more_still_reads_what_is_under_way() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, writer = await house.come()
        text = os.urandom(12_000_000)
        spoken.transport.write(text)
        await asyncio.sleep(0.05)
        writer.write(b"bye")
        writer.write_eof()
        assert await reader.read(-1) == text
        await until(lambda: spoken.told[-1] == "lost")
        assert spoken.came == b"bye"

    ran(work)


def test_who_is_to_go_and_takes_nothing_goes_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "LEAVES_S", 1.0)
    ours, theirs = socket.socketpair()
    with listening() as door, ours:
        ours.settimeout(WAIT_S)
        thread = threading.Thread(target=front.Front(door, theirs).run)
        thread.start()
        with (
            socket.create_connection(door.getsockname()) as reads,
            socket.create_connection(door.getsockname()) as not_,
        ):
            text = b"x" * 1_000_000
            for number in (1, 2):
                for _ in range(80):
                    ours.sendall(HEAD.pack(front.WRITE, number, len(text)) + text)
                ours.sendall(HEAD.pack(front.CLOSE, number, 0))
            taken = 0
            while piece := reads.recv(60_000 if taken < 1_200_000 else 2_000_000):
                taken += len(piece)
                time.sleep(0.1 if taken < 1_200_000 else 0)
            assert taken == 80 * len(text), "however slowly, for longer than that"
            gone, told = [HEAD.pack(front.GONE, number, 0) for number in (1, 2)], b""
            while not all(each in told for each in gone):  # in whichever order
                told += ours.recv(4_096)
            time.sleep(1.6)
            assert thread.is_alive(), "who has gone is forgotten"
            assert not_.fileno() > 0
        ours.close()
        thread.join()
    theirs.close()


def test_who_is_not_read_from_waits_and_is_read_in_full_afterwards() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, _, writer = await house.come()
        spoken.transport.pause_reading()
        await asyncio.sleep(0.05)
        text = os.urandom(3_000_000)
        writer.write(text)
        await asyncio.sleep(0.1)
        assert not spoken.came
        spoken.transport.resume_reading()
        await until(lambda: len(spoken.came) == len(text))
        assert bytes(spoken.came) == text
        writer.close()
        await until(lambda: spoken.told == ["lost"])

    ran(work)


def test_a_fault_of_one_connection_is_its_own() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, writer = await house.come()
        other, _, beside = await house.come()
        spoken.fault = True
        held(line)
        writer.write(b"x")
        await asyncio.sleep(0.01)
        line.data_received(HEAD.pack(front.CAME, 1, 1) + b"y" + HEAD.pack(front.CAME, 1, 1) + b"z")
        go_on(line)
        assert await reader.read(-1) == b""
        await until(lambda: spoken.told == ["lost"])
        assert spoken.came == b"y", "nothing more is given to who has failed"
        beside.write(b"y")
        await until(lambda: other.came == b"y")

    ran(work)


def test_nobody_is_let_in_once_the_door_is_shut_and_who_is_in_stays() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, _ = await house.come()
        line.shut()
        spoken.transport.write(b"shut")
        assert await reader.readexactly(4) == b"shut"
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await house.come()

    ran(work)


def test_who_comes_in_the_moment_in_which_the_door_is_shut_does_no_harm() -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, _ = await house.come()
        await asyncio.sleep(0.05)
        held(line)
        line.shut()
        await asyncio.sleep(0.05)
        _, writer = await asyncio.open_connection(*house.address)
        await asyncio.sleep(0.05)
        go_on(line)
        spoken.transport.write(b"still here")
        assert await reader.readexactly(10) == b"still here"
        writer.close()
        line.data_received(HEAD.pack(front.OPENED, 7, 19) + b"192.0.2.1 1 ::1 800" + HEAD.pack(front.GONE, 7, 0))
        assert house.all == [spoken]

    ran(work)


def test_the_front_holds_little_of_what_comes_however_many_speak_at_once() -> None:
    async def work(house: Houseful, line: Line) -> None:
        people = [await house.come() for _ in range(200)]
        before = _peak_kb(line.pid)
        held(line)
        for _, _, writer in people:
            writer.write(b"x" * 100_000)
        await asyncio.sleep(0.05)
        go_on(line)
        await until(lambda: all(len(spoken.came) == 100_000 for spoken, _, _ in people))
        assert _peak_kb(line.pid) - before < 6_000

    ran(work)


def held(line: Line) -> None:
    """The front does nothing until it may go on."""
    os.kill(line.pid, signal.SIGSTOP)
    assert eventually(lambda: Path(f"/proc/{line.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")


def go_on(line: Line) -> None:
    os.kill(line.pid, signal.SIGCONT)


def _peak_kb(pid: int) -> int:
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0])


def test_every_connection_ends_with_the_front_and_the_house_knows() -> None:
    async def work(house: Houseful, line: Line) -> None:
        people = [await house.come() for _ in range(3)]
        people[1][0].fault = True
        os.kill(line.pid, signal.SIGKILL)
        await until(lambda: line.cut_off)
        await asyncio.sleep(0)
        assert [spoken.told for spoken, _, _ in people] == [["lost"]] * 3

    ran(work)


def test_where_no_descriptor_is_left_who_comes_waits_and_the_others_go_on(capfd: pytest.CaptureFixture[str]) -> None:
    async def work(house: Houseful, line: Line) -> None:
        spoken, reader, _ = await house.come()
        used = {int(number) for number in os.listdir(f"/proc/{line.pid}/fd")}
        unused = (number for number in itertools.count() if number not in used)
        next(unused)
        most = next(unused)
        resource.prlimit(line.pid, resource.RLIMIT_NOFILE, (most, most))
        _, _, last = await house.come()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.8):
                await house.come()
        spoken.transport.write(b"go on")
        assert await reader.readexactly(5) == b"go on"
        last.close()
        await until(lambda: len(house.all) == 3)

    ran(work)
    assert 1 <= capfd.readouterr().err.count('"what":"crowded"') < 10, "it waits for room, and does nothing else"


@pytest.mark.parametrize("size", [1, 2, 7, 50])
def test_a_message_in_pieces_is_the_same_message(size: int) -> None:
    """Both ends of the line: the front is told in pieces, and so is the house."""
    ours, theirs = socket.socketpair()
    ours.settimeout(WAIT_S)
    with listening() as door, ours:
        given = door.fileno(), theirs.fileno()
        process = subprocess.Popen([sys.executable, "-I", "-S", front.__file__, *map(str, given)], pass_fds=given)
        theirs.close()
        people = [socket.create_connection(door.getsockname(), timeout=WAIT_S) for _ in range(2)]
        for person in people:
            person.sendall(b"hello")
        told = b""
        while told.count(b"hello") < 2:
            told += ours.recv(4_096)
        said = b"".join(
            (
                HEAD.pack(front.WRITE, 1, 300) + b"a" * 300,
                HEAD.pack(front.SAME, 2, 0),
                HEAD.pack(front.WRITE, 2, 3) + b"bcd",
                HEAD.pack(front.WRITE, 99, 3) + b"xyz",
                HEAD.pack(front.ASK, 99, 0),
                HEAD.pack(front.CLOSE, 1, 0),
                HEAD.pack(front.CLOSE, 2, 0),
            )
        )
        for at in range(0, len(said), size):
            ours.sendall(said[at : at + size])
        for person, expected in zip(people, (b"a" * 300, b"a" * 300 + b"bcd"), strict=True):
            with closing(person), person.makefile("rb") as reads:
                assert reads.read(len(expected)) == expected
        while told.count(HEAD.pack(front.GONE, 1, 0)) < 1 or told.count(HEAD.pack(front.GONE, 2, 0)) < 1:
            told += ours.recv(4_096)
        ours.close()
        assert process.wait(WAIT_S) == 0

    async def heard() -> None:
        house = Houseful(("", 0))
        line = Line(house.made)
        for at in range(0, len(told), size):
            line.data_received(told[at : at + size])
        assert [bytes(one.came) for one in house.all] == [b"hello", b"hello"]
        assert [one.told for one in house.all] == [["lost"], ["lost"]]

    asyncio.run(heard())


# ---------------------------------------------------------------------- the whole house


def front_of(server: Server) -> int:
    """The process that holds its sockets."""
    assert httpx.get(f"{server.url}/health").status_code == 200, "so there is one"
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    (found,) = (int(child) for child in children if front.__file__ in _command(int(child)))
    return found


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def test_a_house_without_its_front_ends_and_loses_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo") as server, staff(server, "pit-supervisor") as pit:
        pit.open("kept")
        os.kill(front_of(server), signal.SIGKILL)
        assert server.process.wait(WAIT_S) == 1
        assert "the house stops: the process that holds its sockets has ended" in server.log.read_text()
    with serving(tmp_path, "--no-demo") as server, guest(server) as ann:
        assert ann.get("/api/tables/kept").status_code == 200


def test_a_front_without_its_house_ends_at_once_and_leaves_the_port(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo") as server:
        pid, port = front_of(server), int(server.url.rpartition(":")[2])
        assert os.getpgid(pid) != os.getpgid(server.process.pid), "who stops the house from a terminal stops the house"
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(pid, number)
        assert httpx.get(f"{server.url}/health").status_code == 200, "it is the house that says when"
        server.process.kill()
        assert eventually(lambda: not _command(pid))
        with socket.socket() as again:
            again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            again.bind(("127.0.0.1", port))


def asked(server: Server, text: bytes, *, ends: bool = True) -> bytes:
    """All that is answered, until the connection is over."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=WAIT_S) as connection:
        found = b""
        try:
            connection.sendall(text)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65_536):
                found += piece
        except ConnectionError:
            pass
        return found


def test_who_asks_in_full_and_says_no_more_is_answered(tmp_path: Path) -> None:
    question = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    with serving(tmp_path, "--no-demo") as server:
        assert asked(server, question).count(b"HTTP/1.1 200 OK") == 1
        assert asked(server, question * 50).count(b"HTTP/1.1 200 OK") == 50
        assert asked(server, question * 5 + question[:-2]).count(b"HTTP/1.1 200 OK") == 5
        assert asked(server, question[:-2]) == b""
        assert asked(server, b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{}") == b""


def test_who_asks_on_and_on_without_waiting_is_cut_off(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo") as server:
        answered = asked(server, b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 5_000, ends=False)
        assert answered.count(b"HTTP/1.1 200 OK") < 2_000
        assert httpx.get(f"{server.url}/health").status_code == 200


def test_a_handshake_behind_a_question_is_no_handshake(tmp_path: Path) -> None:
    """Its frames would come before the answer to the question."""
    question = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    shake = (
        b"GET /api/tables/one/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with serving(tmp_path, "--no-demo") as server:
        assert b"HTTP/1.1 101 " in asked(server, shake, ends=False)
        told = asked(server, question * 3 + shake, ends=False)
        assert told.count(b"HTTP/1.1 200 OK") == 3
        assert b"HTTP/1.1 101 " not in told
        assert told.count(b"HTTP/1.1 ") == 4, "it is answered as a question, after the others"


def test_what_can_t_be_read_stands_in_no_other_answer(tmp_path: Path) -> None:
    question = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    chunk = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n"
    with serving(tmp_path, "--no-demo") as server:
        assert asked(server, b"no question\r\n\r\n", ends=False).startswith(b"HTTP/1.1 400 ")
        assert asked(server, chunk, ends=False).startswith(b"HTTP/1.1 400 ")
        told = asked(server, question * 3 + b"no question\r\n\r\n", ends=False)
        assert (told.count(b"HTTP/1.1 200 OK"), told.count(b"HTTP/1.1 ")) == (3, 3)
        assert b"HTTP/1.1 400 " not in asked(server, question * 3 + chunk, ends=False)
