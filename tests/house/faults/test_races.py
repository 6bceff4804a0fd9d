"""Races between processes. Those between nodes of one process are in tests/house/table."""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec

from punto.game import commands as c
from punto.game import events as e
from punto.house.audit.run import audit
from punto.house.store import codec
from punto.house.table.house import House
from punto.money import Cents
from tests.house.faults import killing
from tests.house.table.playing import BET, CLOSE, LOAD, a_house, ask, did, joins, opening, sound, wager
from tests.patience import LONG_S

ROOT = Path(__file__).parents[3]
WRITERS = 16
TIMES = 12
"""Commands of each writer."""
TOO_LATE = 198
"""This client of process 0 bets once betting is closed, even if all others bet before that."""
WIDE = msgspec.structs.replace(opening().limits, maximum_differential_cents=Cents(10**9), maximum_cents=None)


def names(process: int) -> list[str]:
    return [f"w{process}-{number}" for number in range(WRITERS // 2)]


async def _buys(house: House, name: str) -> list[str]:
    """Buys chips and bets a little, one command after the other; every second key is sent twice at once."""
    said = []
    for number in range(TIMES):
        raises = (
            c.RaiseWager(patron=name, box=1, bet="player", stake_cents=Cents(1_000)) if number else wager(name, 1_000)
        )
        command = c.BuyChips(patron=name, chips_cents=Cents(100)) if number % 2 else raises
        again = 1 + number % 2
        answers = await asyncio.gather(*(ask(house, command, actor=name, key=f"{name}-{number}") for _ in range(again)))
        assert all(answer == answers[0] for answer in answers)
        said.append(f"{name}/{name}-{number} {answers[0].status}")
    return said


async def _writes(url: str, process: int) -> None:
    async with a_house(url) as house:
        await house.follow("T1")
        start = _start()
        await asyncio.sleep(max(0.0, start - time.time()))
        for said in await asyncio.gather(*(_buys(house, name) for name in names(process))):
            print("\n".join(said))


def together(url: str, *options: str) -> Counter[str]:
    """Run two processes that begin at the same instant; the lines that they printed."""
    command = [sys.executable, "-m", "tests.house.faults.test_races", url, *options]
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen([*command, str(number)], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) for number in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    start = f"{time.time() + 0.2}\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(start)
        process.stdin.flush()
    answers = Counter(line for process in processes for line in process.communicate(timeout=LONG_S)[0].splitlines())
    assert [process.returncode for process in processes] == [0, 0]
    return answers


def _start() -> float:
    """The time to begin, which is given once both processes are ready."""
    print("ready", flush=True)
    return float(sys.stdin.readline())


def test_sixteen_writers_in_two_processes(database_url: str) -> None:
    """No gap, no duplicate, no lost update: every accepted command is in the log once, and all chips agree with it."""
    everybody = [*names(0), *names(1)]

    async def begin() -> None:
        async with a_house(database_url) as house:
            await killing.granted(house.store, everybody, 10_000_000)
            host = (c.Join(patron="host"), c.Sit(patron="host", box=1))
            await did(house, opening(limits=WIDE), LOAD, *host, *(joins(name) for name in everybody), BET)

    async def end(lines: Counter[str]) -> None:
        async with a_house(database_url) as house:
            rows = await house.store.read("table/T1")
            assert [row.version for row in rows] == list(range(1, len(rows) + 1))
            keys = Counter(row.key for row in rows if row.key is not None and "/w" in row.key)
            assert keys == Counter({line.split()[0]: 1 for line in lines if line.endswith(" 200")})
            events = [codec.event(row) for row in rows]
            bought = Counter(event.patron for event in events if isinstance(event, e.ChipsBought))
            state = (await house.newest("T1")).table
            for name in everybody:
                laid = sum(bet.stake_cents for bet in state.current.wagers.values() if bet.patron == name)
                joined = 1
                chips = 1_000_000 + 100 * (bought[name] - joined)
                assert state.patrons[name].balance_cents + laid == chips
                assert laid == 1_000 * (TIMES // 2)
                assert await house.store.wallet(name) == 10_000_000 - chips
            await sound(house)

    asyncio.run(asyncio.wait_for(begin(), LONG_S))
    answers = together(database_url)
    assert len(answers) == answers.total() == WRITERS * TIMES
    asyncio.run(asyncio.wait_for(end(answers), LONG_S))
    assert audit(database_url).good


async def test_one_commit_spends_no_chips_that_a_later_command_brings(house: House) -> None:
    """Many commands go into one commit. The wallet must hold enough for each of them, not only at the end."""
    await killing.granted(house.store, ["ann"], 1_000)
    await did(house, opening(), joins("ann", 600))
    buys, cashes = (
        c.BuyChips(patron="ann", chips_cents=Cents(500)),
        c.CashChips(patron="ann", chips_cents=Cents(200)),
    )
    bought, cashed = await asyncio.gather(*(ask(house, command, actor="ann") for command in (buys, cashes)))
    assert (bought.code, cashed.accepted) == ("not-enough-funds", True)
    together = await ask(house, buys, cashes, actor="ann")
    assert together.accepted, "600 there and 500 wanted"
    assert await house.store.wallet("ann") == 300
    await sound(house)


def test_clients_in_two_processes_bet_around_the_close(database_url: str) -> None:
    """Two hundred clients bet within 50 ms before and after “No more Bets”. No wager is in the log after the close."""
    everybody = [f"c{number}" for number in range(200)]

    async def begin() -> None:
        async with a_house(database_url) as house:
            await killing.granted(house.store, everybody, 10_000)
            host = (c.Join(patron="host"), c.Sit(patron="host", box=1))
            await did(house, opening(limits=WIDE), LOAD, *host)
            await asyncio.gather(*(ask(house, joins(name, 5_000), actor=name) for name in everybody))
            await did(house, BET)

    async def end(lines: Counter[str]) -> None:
        async with a_house(database_url) as house:
            events = [codec.event(row) for row in await house.store.read("table/T1")]
            (close,) = [at for at, event in enumerate(events) if isinstance(event, e.BettingClosed)]
            placed = [at for at, event in enumerate(events) if isinstance(event, e.WagerPlaced)]
            assert all(at < close for at in placed)
            accepted = {line.split()[0] for line in lines if line.endswith(" 200")}
            assert len(placed) == len(accepted) < len(everybody)
            assert lines.total() == len(everybody)
            await sound(house)

    asyncio.run(asyncio.wait_for(begin(), LONG_S))
    answers = together(database_url, "--around")
    asyncio.run(asyncio.wait_for(end(answers), LONG_S))


async def _around(url: str, process: int) -> None:
    async with a_house(url) as house:
        await house.follow("T1")
        start = _start()

        async def bet(number: int) -> None:
            await asyncio.sleep(max(0.0, start - time.time() + number * 0.0005))
            answer = await ask(house, wager(f"c{number}", 5_000), actor=f"c{number}", key="bet")
            print(f"c{number} {answer.status}")

        async def close() -> None:
            await asyncio.sleep(max(0.0, start - time.time() + 0.05))
            assert (await ask(house, CLOSE, key="close")).accepted
            await bet(TOO_LATE)

        bets = [bet(number) for number in range(process, 200, 2) if number != TOO_LATE]
        await asyncio.gather(*bets, *([close()] if process == 0 else []))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("process", type=int)
    parser.add_argument("--around", action="store_true")
    options = parser.parse_args()
    work = _around if options.around else _writes
    asyncio.run(work(options.url, options.process))


if __name__ == "__main__":
    main()
