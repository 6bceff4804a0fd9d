"""The load on a house: guests, their tables, and their commands over HTTP and over sockets."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

import msgspec

from bench.house_wire import Http, Socket, handshake, request

WORKERS = 24
"""Number of connections that set up a house."""
GIVE_UP_S = 120.0
"""A timeout that only a fault reaches: a set-up request on a busy machine has taken eighteen seconds."""

_ROUND = (
    b'{"do":"place-wager","box":%d,"bet":"player","stake":"100"}',
    b'{"do":"raise-wager","box":%d,"bet":"player","stake":"10"}',
    b'{"do":"lower-wager","box":%d,"bet":"player","stake":"10"}',
    b'{"do":"withdraw-wager","box":%d,"bet":"player"}',
)
_BETS = (b"tie", b"player_pair", b"banker_pair", b"small_tiger")
_PLACE = b'{"do":"place-wager","box":%d,"bet":"%s","stake":"10"}'
_WITHDRAW = b'{"do":"withdraw-wager","box":%d,"bet":"%s"}'
AT_ONCE = len(_BETS)
"""Number of wagers in a list."""


class Person(msgspec.Struct, eq=False):
    """Somebody with a session. After four single commands, or two lists, the wagers at the table are as before."""

    name: str
    cookie: str
    csrf: str
    number: int = 0
    box: int = 0
    turns: int = 0
    singles: int = 0
    lists: int = 0
    socket: Socket | None = None
    sent_at: float = 0.0

    def asks(self, listed: bool) -> bytes:
        """The next command or list of them, with its key."""
        self.turns += 1
        if not listed:
            content = b'"command":' + _ROUND[self.singles % 4] % self.box
            self.singles += 1
        else:
            form = _WITHDRAW if self.lists % 2 else _PLACE
            self.lists += 1
            content = b'"commands":[' + b",".join(form % (self.box, bet) for bet in _BETS) + b"]"
        return b'{"key":"k%d",%s' % (self.turns, content)


class Commits(msgspec.Struct):
    """Commits by the house's own metrics: how many, how many took over 25 ms, and the time of all."""

    count: int
    slow: int
    ms: float


class Figures(msgspec.Struct):
    """The result of one load. Milliseconds from just before sending to the answer."""

    rate: float
    p50: float
    p99: float
    worst: float
    refused: list[str]
    in_flight: int


def figures(took: list[float], seconds: float, refused: list[str], in_flight: int) -> Figures:
    took.sort()
    p50, p99, worst = (1000 * took[min(len(took) - 1, int(len(took) * part))] for part in (0.5, 0.99, 1.0))
    return Figures(len(took) / seconds, p50, p99, worst, refused, in_flight)


class Load:
    """A house under load, at one address."""

    def __init__(self, host: str, port: int) -> None:
        self.address, self.host = (host, port), f"{host}:{port}"
        self.people: list[Person] = []

    # ------------------------------------------------------------------ setting up

    async def ask(self, http: Http, *parts: object, **more: str) -> tuple[int, bytes, bytes]:
        """Send a request, await the response."""
        done: asyncio.Future[tuple[int, bytes, bytes]] = asyncio.get_running_loop().create_future()
        http.answered = lambda *answer: done.set_result(answer)
        method, path, body = parts
        http.send(request(str(method), str(path), self.host, msgspec.json.encode(body) if body else b"", **more))
        return await asyncio.wait_for(done, GIVE_UP_S)

    async def there(self) -> None:
        """Wait until the house listens."""
        until = time.monotonic() + GIVE_UP_S
        while time.monotonic() < until:
            try:
                (await self.connection()).transport.close()
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)
            else:
                return
        raise AssertionError("the house does not listen")

    async def connection(self) -> Http:
        _, http = await asyncio.get_running_loop().create_connection(lambda: Http(lambda *answer: None), *self.address)
        return http

    async def entered(self, http: Http, path: str, body: object = None) -> Person:
        """Somebody new: a guest, or staff who log in."""
        status, head, answer = await self.ask(http, "POST", path, body)
        assert status == 201, answer
        me = msgspec.json.decode(answer)
        cookie = head.partition(b"punto_session=")[2].partition(b";")[0].decode()
        return Person(me["name"], cookie, me["csrf"])

    async def each(self, work: Callable[[Http, int], Awaitable[None]], count: int) -> None:
        """Do the work for every number, over `WORKERS` connections."""
        numbers: Iterator[int] = iter(range(count))

        async def worker() -> None:
            http = await self.connection()
            for number in numbers:
                await work(http, number)
            http.transport.close()

        await asyncio.gather(*(worker() for _ in range(WORKERS)))

    async def signed_in(self, http: Http, name: str, first: str) -> Person:
        """Log in staff of the first start: they use the initial password only to set their own."""
        newcomer = await self.entered(http, "/api/sessions", {"name": name, "password": first})
        own = {"old": first, "new": f"{first}-own"}
        status, _, answer = await self.ask(
            http, "POST", "/api/me/password", own, cookie=newcomer.cookie, csrf=newcomer.csrf
        )
        assert status == 204, answer
        return await self.entered(http, "/api/sessions", {"name": name, "password": own["new"]})

    async def open_tables(self, count: int, password: str) -> None:
        """Open virtual tables whose betting stays open."""
        staff = await self.signed_in(await self.connection(), "pit-supervisor", password)
        opening = {"game": "tiger-buffalo-commission", "layout": "A", "positions": 6, "source": "virtual"}
        limits = {"minimum": "10", "maximum": "5000", "maximum_differential": "10000"}
        pace = {"betting": 3600, "card": 0}

        async def open_table(http: Http, number: int) -> None:
            body = {**opening, "table": table(number), "limits": limits, "pace": pace}
            status, _, answer = await self.ask(http, "POST", "/api/tables", body, cookie=staff.cookie, csrf=staff.csrf)
            assert status == 201, answer

        await self.each(open_table, count)

    async def enter(self, count: int, tables: int) -> None:
        """Create guests and seat them at the tables, with all their chips."""
        self.people = [Person("", "", "")] * count

        async def seat(http: Http, number: int) -> None:
            person = self.people[number] = await self.entered(http, "/api/guests")
            person.number, person.box = number % tables, 1 + number // tables
            commands = [{"do": "join", "chips": "10000"}, {"do": "sit", "box": person.box}]
            path = f"/api/tables/{table(person.number)}/commands"
            status, _, answer = await self.ask(
                http, "POST", path, {"key": "join", "commands": commands}, cookie=person.cookie, csrf=person.csrf
            )
            assert status == 200, answer

        await self.each(seat, count)

    async def betting(self, tables: int) -> None:
        """Wait until betting is open at every table."""
        http = await self.connection()
        until = time.monotonic() + GIVE_UP_S
        while time.monotonic() < until:
            _, _, answer = await self.ask(http, "GET", "/api/tables?limit=2000", None)
            if sum(entry["phase"] == "betting" for entry in msgspec.json.decode(answer)) == tables:
                http.transport.close()
                return
            await asyncio.sleep(0.5)
        raise AssertionError("betting did not open at every table")

    async def socket(self, number: int, person: Person, heard: Callable[[Socket, bool, bytes], None]) -> Socket:
        line = handshake(f"/api/tables/{table(number)}/live", self.host, person.cookie)
        _, socket = await asyncio.get_running_loop().create_connection(lambda: Socket(heard, line), *self.address)
        await asyncio.wait_for(socket.opened, GIVE_UP_S)
        return socket

    async def open_sockets(self) -> None:
        """Open a socket for each guest, at their table."""
        left = iter(self.people)

        async def some() -> None:
            for person in left:
                person.socket = await self.socket(person.number, person, _unheard)

        await asyncio.gather(*(some() for _ in range(WORKERS)))

    # ------------------------------------------------------------------ loads

    async def over_sockets(self, in_flight: int, seconds: float, *, listed: bool) -> Figures:
        """Keep this many commands in flight. The guests take turns."""
        turn = deque(self.people)
        by_socket = {person.socket: person for person in self.people}
        load = _Counting(seconds)

        def heard(socket: Socket, is_answer: bool, frame: bytes) -> None:
            if is_answer:
                person = by_socket[socket]
                load.took(person.sent_at, b"" if b',"answer":' in frame[:128] else frame)
                turn.append(person)
                send()

        def send() -> None:
            if not load.over():
                person = turn.popleft()
                assert person.socket is not None
                text = b'%s,"csrf":"%s"}' % (person.asks(listed), person.csrf.encode())
                person.sent_at = time.perf_counter()
                person.socket.send(text)

        for person in self.people:
            assert person.socket is not None
            person.socket.heard = heard
        for _ in range(in_flight):
            load.started()
            send()
        return await load.finished(in_flight)

    async def over_http(self, in_flight: int, seconds: float, *, listed: bool) -> Figures:
        """Use this many connections. Each sends the next guest's command as soon as it has the response."""
        turn = deque(self.people)
        load = _Counting(seconds)
        connections = [await self.connection() for _ in range(in_flight)]

        def ask(http: Http) -> None:
            if load.over():
                return
            person = turn.popleft()
            path = f"/api/tables/{table(person.number)}/commands"
            sent = request("POST", path, self.host, person.asks(listed) + b"}", person.cookie, person.csrf)
            began = time.perf_counter()

            def answered(status: int, head: bytes, body: bytes) -> None:
                load.took(began, b"" if status == 200 else body)
                turn.append(person)
                ask(http)

            http.answered = answered
            http.send(sent)

        for http in connections:
            load.started()
            ask(http)
        measured = await load.finished(in_flight)
        for http in connections:
            http.transport.close()
        return measured

    async def commits(self, http: Http) -> Commits:
        _, _, metrics = await self.ask(http, "GET", "/metrics", None)
        name = b"punto_commit_seconds_"
        samples = dict(line.split() for line in metrics.splitlines() if line.startswith(name))
        count, quick = (int(float(samples[name + part])) for part in (b"count", b'bucket{le="0.025"}'))
        return Commits(count, count - quick, 1000 * float(samples[name + b"sum"]))

    async def pauses(self) -> int:
        """How many commits have taken over 25 ms."""
        http = await self.connection()
        commits = await self.commits(http)
        http.transport.close()
        return commits.slow

    async def fan_out(self, readers: int, times: int) -> list[tuple[float, float, float]]:
        """For each event, milliseconds until the last of the sockets at one table has it: since the command was sent,
        the same without the commit, and since the first socket had it."""
        reached: list[float] = []
        all_there = asyncio.Event()

        def heard(socket: Socket, is_answer: bool, frame: bytes) -> None:
            if not is_answer:
                reached.append(time.perf_counter())
                if len(reached) == readers:
                    all_there.set()

        patron = self.people[0]
        assert patron.socket is not None
        patron.socket.heard = _unheard
        watching = [await self.socket(patron.number, person, heard) for person in self.people[1 : readers + 1]]
        delays: list[tuple[float, float, float]] = []
        http = await self.connection()
        for _ in range(times):
            before = await self.commits(http)
            await asyncio.sleep(0.05)
            reached.clear()
            all_there.clear()
            text = b'%s,"csrf":"%s"}' % (patron.asks(False), patron.csrf.encode())
            began = time.perf_counter()
            patron.socket.send(text)
            await asyncio.wait_for(all_there.wait(), GIVE_UP_S)
            whole = 1000 * (reached[-1] - began)
            after = await self.commits(http)
            # If there were other commits in between, the time of this one is unknown.
            commit = after.ms - before.ms if after.count == before.count + 1 else 0.0
            delays.append((whole, whole - commit, 1000 * (reached[-1] - reached[0])))
        http.transport.close()
        for socket in watching:
            socket.transport.abort()
        return delays

    async def closing(self, stop: Callable[[], None]) -> tuple[float, dict[int | None, int]]:
        """Seconds from the stop until the last socket is closed, and how many closed with each code."""
        sockets: Sequence[Socket] = [person.socket for person in self.people if person.socket is not None]
        began = time.perf_counter()
        stop()
        await asyncio.wait_for(asyncio.gather(*(socket.closed for socket in sockets)), GIVE_UP_S)
        seconds = time.perf_counter() - began
        codes: Iterable[int | None] = sorted((socket.code for socket in sockets), key=str)
        return seconds, {code: len(list(same)) for code, same in itertools.groupby(codes)}


class _Counting:
    """The times of a load. The warm-up at its start is not counted."""

    def __init__(self, seconds: float) -> None:
        self._from = time.perf_counter() + seconds * 0.2
        self._until = self._from + seconds
        self._seconds = seconds
        self._took: list[float] = []
        self._refused: list[str] = []
        self._under_way = 0
        self._done = asyncio.Event()

    def started(self) -> None:
        self._under_way += 1

    def over(self) -> bool:
        if time.perf_counter() < self._until:
            return False
        self._under_way -= 1
        if not self._under_way:
            self._done.set()
        return True

    def took(self, began: float, problem: bytes) -> None:
        now = time.perf_counter()
        if problem:
            self._refused.append(problem.decode())
        if self._from <= now < self._until:
            self._took.append(now - began)

    async def finished(self, in_flight: int) -> Figures:
        await asyncio.wait_for(self._done.wait(), self._seconds * 1.2 + GIVE_UP_S)
        return figures(self._took, self._seconds, self._refused, in_flight)


def table(number: int) -> str:
    return f"t{number:04}"


def _unheard(socket: Socket, is_answer: bool, frame: bytes) -> None:
    """Ignore a frame."""
