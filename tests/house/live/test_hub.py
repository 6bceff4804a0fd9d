"""Live frames: each version exactly once and in order, whatever breaks; slow readers are dropped; secrets are kept."""

from __future__ import annotations

import asyncio
import gc
import random
import re
import tracemalloc
from typing import Any

import msgspec
import pytest

from punto.game import commands as c
from punto.game.audience import Audience
from punto.house.dealer.dealers import deal
from punto.house.live.channel import Ended, Subscription
from punto.house.live.frames import PING, answer
from punto.house.store.dealing_pace import PACE
from punto.house.table.house import House, NoSuchTable
from punto.money import Cents
from tests.house.live.changed import after
from tests.house.table.playing import (
    BET,
    CLOSE,
    LOAD,
    Time,
    a_house,
    ask,
    betting,
    did,
    hubs,
    joins,
    opening,
    rich,
    wager,
)


async def frame(reading: Subscription) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(await reading.next())
    return decoded


MORE = c.BuyChips(patron="ann", chips_cents=Cents(100))


async def test_a_snapshot_then_events(database_url: str) -> None:
    async with a_house(database_url, now=Time(), pace_of=lambda table: PACE) as house:
        await betting(house, "ann", "bob")
        version = (await house.table("T1")).version
        ann = await hubs[house].subscribe("T1", Audience.PATRON, "ann")
        public = await hubs[house].subscribe("T1")
        first, same = await frame(ann), await frame(public)
        assert (first["frame"], first["version"]) == ("snapshot", version)
        assert first["view"] == same["view"]
        can = first["mine"].pop("can")
        assert [move["do"] for move in can] == ["buy-chips", "cash-chips", "sit", "leave", "place-wager"]
        assert first["mine"] == {"patron": "ann", "balance": "10000.00"}
        assert same["mine"] is None
        assert first["clock"] == {"for": "betting", "ends_at": "2027-01-15T08:00:20.000Z", "seconds": 20.0}
        await did(house, wager("ann", 5_000))
        mine, theirs = await frame(ann), await frame(public)
        assert (mine["frame"], mine["from"], mine["to"]) == ("events", version + 1, version + 1)
        assert mine["events"][0]["event"]["patron"] == "ann"
        assert theirs["events"][0]["event"]["patron"] == ""
        assert mine["mine"]["balance"] == "9950.00"
        assert theirs["view"]["boxes"][0]["stakes"] == {"player": "50.00"}
        await did(house, MORE)
        assert (await frame(public))["events"] == [], "not told, and the version moves on"
        for reader in (ann, public):
            reader.close()
        assert hubs[house].readers == 0


async def test_what_is_the_same_is_written_once(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        readers = [await hubs[house].subscribe("T1", Audience.PATRON, f"stranger{n}") for n in range(3)]
        readers += [await hubs[house].subscribe("T1") for _ in range(2)]
        for reader in readers:
            await reader.next()
        await did(house, wager("ann", 5_000))
        frames = [await reading.next() for reading in readers]
        assert all(sent is frames[0] for sent in frames[:3]), "who could join"
        assert all(sent is frames[3] for sent in frames[3:]), "who only watches"


async def test_who_comes_from_a_node_that_is_ahead_gets_a_first_frame(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This node reads on to the very version that the reader has seen. No event is new, but the clock may be."""
    async with a_house(database_url) as first, a_house(database_url) as second:
        await betting(first, "ann")
        other = await hubs[second].subscribe("T1")
        monkeypatch.setattr(second.store, "_calls", [])  # the news is on its way
        await did(first, MORE)
        version = (await first.table("T1")).version
        assert (await second.table("T1")).version == version - 1
        reading = await hubs[second].subscribe("T1", Audience.PATRON, "ann", after=version, changes=True)
        sent = await frame(reading)
        assert (sent["frame"], sent["from"], sent["to"], sent["events"]) == ("events", version + 1, version, [])
        assert sent["mine"]["patron"] == "ann"
        await did(second, MORE)
        assert (await frame(reading))["to"] == version + 1
        for reader in (reading, other):
            reader.close()


async def test_each_version_once_and_in_order_through_breaks_at_two_nodes(database_url: str) -> None:
    """Two nodes write. Readers of either disconnect at random and come back, perhaps at the other node."""
    chance = random.Random(11)

    async with a_house(database_url) as first, a_house(database_url) as second:
        nodes = (first, second)
        await betting(first, "ann")
        start = (await first.table("T1")).version
        last = start + 300
        done = asyncio.Event()

        async def writer(node: House) -> None:
            while not done.is_set() and (await node.table("T1")).version < last:
                assert (await ask(node, *[MORE] * chance.randint(1, 4))).accepted
                await asyncio.sleep(chance.uniform(0, 0.004))

        async def reader() -> list[int]:
            seen: list[int] = []
            after = start
            while after < last:
                reading = await hubs[chance.choice(nodes)].subscribe("T1", Audience.PIT, after=after)
                for _ in range(chance.randint(1, 20)):
                    sent = await frame(reading)
                    assert sent["frame"] == "events"
                    assert sent["from"] == after + 1
                    versions = [event["version"] for event in sent["events"]]
                    assert versions == list(range(sent["from"], sent["to"] + 1))
                    seen += versions
                    after = sent["to"]
                    if after >= last:
                        break
                    await asyncio.sleep(chance.choice((0, 0, 0.02)))
                reading.close()
                await asyncio.sleep(chance.uniform(0, 0.03))
            return seen

        readers = [asyncio.ensure_future(reader()) for _ in range(12)]
        writers = [asyncio.ensure_future(writer(node)) for node in nodes for _ in range(2)]
        for seen in await asyncio.gather(*readers):
            assert seen[: last - start] == list(range(start + 1, last + 1))
        done.set()
        await asyncio.gather(*writers)
        assert hubs[first].readers == hubs[second].readers == 0


async def test_who_was_away_too_long_starts_anew(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.house.live.resume.MOST_RESUMED", 5)

    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        version = (await house.table("T1")).version
        resumed = await hubs[house].subscribe("T1", after=version - 5)
        assert (await frame(resumed))["from"] == version - 4
        assert (await frame(await hubs[house].subscribe("T1", after=0)))["frame"] == "snapshot"
        assert (await frame(await hubs[house].subscribe("T1", after=version + 1)))["frame"] == "snapshot", (
            "no such version"
        )
        waits = await hubs[house].subscribe("T1", after=version)
        sent = await frame(waits)
        assert (sent["from"], sent["to"], sent["events"]) == (version + 1, version, [])
        assert sent["view"]["phase"] == "betting"
        assert "clock" in sent
        asking = asyncio.ensure_future(frame(waits))
        await did(house, MORE)
        assert (await asking)["from"] == version + 1
        with pytest.raises(NoSuchTable):
            await hubs[house].subscribe("T9")


async def test_a_reader_that_falls_out_of_what_is_kept_is_dropped(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.house.live.channel.MOST_KEPT", 5)

    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        quick, slow = await hubs[house].subscribe("T1"), await hubs[house].subscribe("T1")
        await quick.next()
        await slow.next()
        for _ in range(6):
            await did(house, MORE)
            await quick.next()
        with pytest.raises(Ended) as ended:
            await slow.next()
        assert ended.value.code == 4408


async def test_a_ping_where_nothing_happens_then_the_end(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.house.live.hub.PING_S", 0.02)

    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        pinging = asyncio.ensure_future(hubs[house].run())
        reading, other = await hubs[house].subscribe("T1"), await hubs[house].subscribe("T1")
        await reading.next()
        assert await reading.next() == PING
        pinging.cancel()
        await asyncio.gather(pinging, return_exceptions=True)
        other.end(4401)
        hubs[house].close()
        for reader, code in ((reading, 1012), (other, 4401)):
            with pytest.raises(Ended) as ended:
                await reader.next()
            assert ended.value.code == code, "the first code counts"
            reader.close()
            reader.close()
        assert hubs[house].readers == 0


async def test_few_events_are_kept_unless_somebody_is_behind(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.house.live.channel.FEW_KEPT", 2)

    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        fine, late = await hubs[house].subscribe("T1"), await hubs[house].subscribe("T1")
        channel = hubs[house]._channels["T1"]

        async def moved(times: int, *reading: Subscription) -> None:
            for _ in range(times):
                await did(house, MORE)
                for reader in reading:
                    await frame(reader)

        await moved(1, fine, late, fine, late)
        await moved(5, fine, late)
        behind = channel.version
        assert channel.holds(behind - 3)
        assert not channel.holds(behind - 4)
        await moved(5, fine)
        sent = await frame(late)
        assert (sent["from"], sent["to"]) == (behind + 1, behind + 5)
        await moved(1, fine, late)
        assert not channel.holds(behind)
        await moved(5, fine)
        late.close()
        await moved(2, fine)
        assert not channel.holds(channel.version - 4), "who has gone is waited for by nobody"
        fine.close()
        assert hubs[house].readers == 0


async def test_no_secret_is_in_any_frame_before_the_shoe_ends(sqlite_url: str) -> None:
    """A whole shoe dealt face down, with every audience reading: a card is in a frame only once it was turned."""
    async with a_house(sqlite_url) as house:
        await rich(house.store, "ann")
        await did(house, opening(facing="down", decks=4), joins("ann"), c.Sit(patron="ann", box=1))
        readings = [await hubs[house].subscribe("T1", audience, "ann") for audience in Audience]
        dealing = asyncio.ensure_future(deal(house, "T1"))
        turned: list[str] = []
        count = 0
        while True:
            frames = [await reading.next() for reading in readings]
            shoe = (await house.table("T1")).shoe
            if any(b'"shoe-ended"' in sent for sent in frames):
                break
            assert shoe is not None or not count
            for written in frames:
                events = msgspec.json.decode(written).get("events", [])
                if written is frames[-1]:
                    turned += [entry["event"]["card"] for entry in events if entry["event"]["event"] == "card-exposed"]
                    count += len(events)
                faces = re.findall(r'"([A2-9TJQK][SHDC])"', written.decode())
                opened = {entry["event"].get("card") for entry in events} | set(turned[-12:])
                assert set(faces) <= opened, "a card that was not turned"
                if shoe is not None:
                    assert shoe.salt is not None
                    assert shoe.salt.encode() not in written
                    assert shoe.commitment is None or b"commitment" in written
        assert count > 300
        dealing.cancel()
        await asyncio.gather(dealing, return_exceptions=True)
        for reading in readings:
            reading.close()


async def test_two_thousand_readers_cost_little(sqlite_url: str) -> None:
    """Twenty tables, a hundred readers each, all of them waiting: under 10 kB a reader."""
    async with a_house(sqlite_url) as house:
        for number in range(20):
            await did(house, opening(f"T{number}"), LOAD, BET, table=f"T{number}")
        gc.collect()
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        readings = []
        for number in range(2_000):
            reading = await hubs[house].subscribe(f"T{number % 20}", Audience.PATRON, f"p{number}")
            await reading.next()
            readings.append(reading)
        waiting = [asyncio.ensure_future(reading.next()) for reading in readings]
        for number in range(20):
            await did(house, CLOSE, table=f"T{number}")
        assert all(b'"betting-closed"' in frame for frame in await asyncio.gather(*waiting))
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert (after - before) / 2_000 < 10_000
        for reading in readings:
            reading.close()
        assert hubs[house].readers == 0


async def test_an_answer_goes_over_the_socket_too(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        good, bad = await ask(house, wager("ann", 5_000)), await ask(house, wager("ann", 5_000))
        assert msgspec.json.decode(answer("k", good)) == {
            "frame": "answer",
            "key": "k",
            "answer": msgspec.json.decode(good.json),
        }
        assert msgspec.json.decode(answer("k", bad))["problem"]["code"] == "wager-exists"


async def test_who_reads_changes_comes_to_know_what_others_are_sent_whole(database_url: str) -> None:
    """Step by step, after a jump of more versions than views are kept, and over a clock step that was not read yet."""
    time = Time()
    async with a_house(database_url, now=time, pace_of=lambda table: PACE) as house:
        await betting(house, "ann", "bob")
        hub = hubs[house]
        readers = [await hub.subscribe("T1", Audience.PATRON, "ann", changes=changes) for changes in (True, False)]
        known: list[dict[str, Any]] = [{}, {}]
        sizes, kinds = [0, 0], set()

        async def both(version: int) -> None:
            for number, reading in enumerate(readers):
                while known[number].get("version", 0) < version or reading.clock_due:
                    sent = await reading.next()
                    sizes[number] += len(sent)
                    decoded = msgspec.json.decode(sent)
                    kinds.add((number, "view" in decoded, "mine" in decoded))
                    known[number] = after(known[number], decoded)
            assert known[0] == known[1]

        await both((await house.table("T1")).version)
        for step in range(8):
            await did(
                house,
                wager("ann" if step % 2 else "bob", 1_000 + step, bet=("player", "banker")[step // 2 % 2])
                if step < 4
                else MORE,
            )
            await both((await house.table("T1")).version)
        assert sizes[0] < sizes[1] / 2
        for _ in range(20):
            await did(house, MORE)
        await both((await house.table("T1")).version)
        await did(house, wager("bob", 2_000, bet="tie"))
        time.step(3600)
        hub.retime()
        await did(house, MORE)
        await both((await house.table("T1")).version)
        await did(house, CLOSE)
        await both((await house.table("T1")).version)
        assert {(0, True, True), (0, False, True), (0, False, False), (1, True, True)} == kinds
        for reader in readers:
            reader.close()
