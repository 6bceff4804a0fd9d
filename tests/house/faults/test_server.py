"""The whole server, killed ten times while tables deal by themselves and guests bet."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import httpx

from punto.game.table import NEW
from punto.house.audit.run import audit
from punto.house.store.interface import open_store
from punto.house.store.reader import opened
from punto.house.store.sqlite import store as sqlite
from tests.house.faults import laws
from tests.house.faults.laws import Command
from tests.house.web.running import Person, Server, eventually, guest, serving, staff

KILLS = 10
TABLES = ("v1", "v2")
PACE = {"betting": 0.15, "insurance": 0.02, "card": 0.02, "result": 0.05, "options": 0.05, "squeeze": 0.02}
PATRONS = 4
PLAYED_S = (0.25, 0.8)
PAUSE_S = 0.01
"""How long each guest waits between an answer and the next bet."""
ANSWERS = 10
"""More answers than this come before each kill; on a slow machine that takes longer."""


class Bettor:
    """A guest who bets again and again, and remembers every answer."""

    def __init__(self, server: Server, number: int) -> None:
        with guest(server) as person:
            self.name, self.csrf = person.name, person.csrf
            self.cookies = dict(person.http.cookies)
        self.table = TABLES[number % len(TABLES)]
        self.box = 1 + number // len(TABLES)
        self.acks: dict[str, tuple[dict[str, str], int, bytes]] = {}
        self.fresh: list[str] = []
        self._next = 0

    def bet(self, server: Server) -> None:
        """Bet until the server is gone."""
        with server.client(cookies=self.cookies) as http:
            if not self.acks:
                self._say(http, {"do": "join", "chips": "5000.00"})
                self._say(http, {"do": "sit", "box": str(self.box)})
            while self._say(http, {"do": "place-wager", "box": str(self.box), "bet": "player", "stake": "10.00"}):
                time.sleep(PAUSE_S)

    def _say(self, http: httpx.Client, order: dict[str, str]) -> bool:
        self._next += 1
        key = f"b{self._next}"
        try:
            answer = self.send(http, key, order)
        except httpx.TransportError:
            return False
        assert answer.status_code in (200, 409), answer.text
        self.acks[key] = (order, answer.status_code, answer.content)
        self.fresh.append(key)
        return True

    def send(self, http: httpx.Client, key: str, order: dict[str, str]) -> httpx.Response:
        command = {**order, "box": int(order["box"])} if "box" in order else order
        path, headers = f"/api/tables/{self.table}/commands", {"x-csrf-token": self.csrf}
        return http.post(path, json={"key": key, "command": command}, headers=headers)

    def same_answers(self, server: Server, chance: random.Random) -> None:
        """The last answers before the kill, and some older ones, are given again byte for byte."""
        with server.client(cookies=self.cookies) as http:
            for key in {*self.fresh[-5:], *chance.sample(sorted(self.acks), min(5, len(self.acks)))}:
                order, status, content = self.acks[key]
                answer = self.send(http, key, order)
                assert (answer.status_code, answer.content) == (status, content), f"{self.name} {key}"


def logs(url: str) -> dict[str, list[Command]]:
    async def read() -> dict[str, list[Command]]:
        store = await open_store(url)
        try:
            names = [name for name, _ in await store.streams("table/")]
            return {name: laws.commands(name, await store.read(name)) for name in names}
        finally:
            await store.close()

    return asyncio.run(read())


def test_ten_times(tmp_path: Path) -> None:
    chance = random.Random(10)
    url = f"sqlite:///{tmp_path / 'house.db'}"
    bettors: list[Bettor] = []
    before: dict[str, list[Command]] = {}
    interrupted = 0
    for number in range(KILLS + 1):
        with ExitStack() as stack:
            server = stack.enter_context(serving(tmp_path, "--no-rate-limits", database=url))
            if not number:
                _open_tables(stack.enter_context(staff(server, "pit-supervisor")))
                bettors = [Bettor(server, seat) for seat in range(PATRONS)]
            interrupted += _came_back(before, logs(url))
            for bettor in bettors:
                if bettor.acks:
                    bettor.same_answers(server, chance)
            if number < KILLS:
                _killed(server, bettors, chance.uniform(*PLAYED_S))
                before = logs(url)
    histories = logs(url)
    for bettor in bettors:
        statuses = {f"{bettor.name}/{key}": status for key, (_, status, _) in bettor.acks.items()}
        done = {command.key for command in histories[f"table/{bettor.table}"]}
        assert {key for key, status in statuses.items() if status == 200} == done & statuses.keys()
    report = audit(url)
    assert report.good, report.findings[:5]
    assert interrupted > 3, "some kill came after No more Bets"
    assert sum(len(bettor.acks) for bettor in bettors) > ANSWERS * KILLS
    with opened(url) as reader:
        ((left,),) = reader.rows("SELECT count(*) FROM wallets WHERE cents < 0")
    assert left == 0
    assert sqlite.file_of(url).exists()


def _open_tables(pit: Person) -> None:
    for name in TABLES:
        pit.open(name, source="virtual", pace=PACE)


def _killed(server: Server, bettors: list[Bettor], seconds: float) -> None:
    threads = [threading.Thread(target=bettor.bet, args=(server,)) for bettor in bettors]
    for bettor in bettors:
        bettor.fresh = []
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    assert eventually(lambda: sum(len(bettor.fresh) for bettor in bettors) > ANSWERS)
    server.process.kill()
    server.process.wait()
    for thread in threads:
        thread.join()


def _came_back(before: dict[str, list[Command]], after: dict[str, list[Command]]) -> int:
    """Nothing of the log is gone, and interrupted rounds were put right before anything else happened. Returns how many
    there were."""
    number = 0
    for name, was in before.items():
        history = after[name]
        assert [command.rows for command in history[: len(was)]] == [command.rows for command in was], (
            f"{name}: history has changed"
        )
        state = was[-1].after if was else NEW
        due = state.phase in laws.UNDER_WAY and not state.current.ended
        added = history[len(was) :]
        assert [command.recovery for command in added] == [due, *[False] * (len(added) - 1)][: len(added)]
        assert added or not due, f"{name} was found in {state.phase} and left so"
        if due and name.removeprefix("table/") in TABLES:
            laws.put_right(added[0])
        number += due
    return number
