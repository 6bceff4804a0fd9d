"""One commit after the other: answers, keys, lists, limits and the close of betting, on a real store."""

from __future__ import annotations

import asyncio
import random

import msgspec
import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.audience import Audience
from punto.game.table import Phase
from punto.house.store import codec
from punto.house.store.answers import Answer
from punto.house.store.records import Row
from punto.house.table.house import Busy, House, NoSuchTable
from punto.house.table.loaded_table import Halted
from punto.money import Cents
from tests.house.table.playing import (
    BET,
    CLOSE,
    DRAW,
    LOAD,
    SETTLE,
    Time,
    a_house,
    ask,
    betting,
    decoded,
    did,
    joins,
    opening,
    rich,
    sound,
    topped,
    wager,
)

NATURAL = topped("9H 7S KD KC")


async def stream(house: House, table: str = "T1") -> list[Row]:
    return await house.store.read(f"table/{table}")


async def events(house: House, table: str = "T1") -> list[e.AnyEvent]:
    return [codec.event(row) for row in await stream(house, table)]


async def test_a_round_is_played_and_paid(database_url: str) -> None:
    async with a_house(database_url, new_shoe=NATURAL) as house:
        await betting(house, "ann", "bob")
        await did(house, wager("ann", 10_000), wager("bob", 5_000, "banker"), CLOSE, DRAW, DRAW, DRAW, DRAW, SETTLE)
        table = await house.table("T1")
        assert table.phase is Phase.SETTLED
        assert table.patrons["ann"].balance_cents == 1_010_000
        assert table.patrons["bob"].balance_cents == 995_000
        await sound(house)
        assert await house.store.wallet("ann") == 9_000_000
        await did(house, c.CashChips(patron="ann", chips_cents=Cents(1_010_000)))
        assert await house.store.wallet("ann") == 10_010_000
        assert await house.store.round("table/T1", 1) is not None


async def test_an_answer_has_the_version_and_what_the_asker_may_see(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        answer = await ask(house, wager("ann", 10_000), actor="ann", audience=Audience.PATRON)
        version = (await house.table("T1")).version
        assert (decoded(answer)["table"], decoded(answer)["version"]) == ("T1", version)
        assert decoded(answer)["events"][0]["patron"] == "ann"
        refused = await ask(house, wager("ann", 1), actor="ann")
        assert refused.status == 409
        assert {"type", "title", "status", "code", "detail", "paragraph", "facts"} == set(decoded(refused))


async def test_a_key_that_is_sent_again_has_one_effect_and_the_identical_answer(database_url: str) -> None:
    async def resent(house: House, key: str) -> Answer:
        return await ask(house, wager("ann", 10_000), key=key, actor="ann", audience=Audience.PATRON)

    async with a_house(database_url) as house, a_house(database_url) as other:
        await betting(house, "ann")
        together = await asyncio.gather(*(resent(house, "w1") for _ in range(5)), resent(other, "w1"))
        assert len(set(together)) == 1
        assert together[0].accepted
        refused = await resent(house, "w2")
        assert refused.code == "wager-exists"
        await did(house, c.WithdrawWager(patron="ann", box=1, bet="player"))
        assert await resent(house, "w2") == refused, "it would be accepted now"
        assert await resent(other, "w2") == refused
        assert await resent(other, "w1") == together[0], "it would be accepted again"
        reused = await ask(house, wager("ann", 20_000), key="w1", actor="ann")
        assert reused.code == "key-reused"
        assert (await ask(other, wager("ann", 20_000), key="w2", actor="ann")).code == "key-reused"
        assert (await ask(house, wager("ann", 10_000), key="w1", actor="sue")).accepted, "her key is another"
        first, refusal = together[0], refused
    async with a_house(database_url) as house:
        assert await resent(house, "w1") == first
        assert await resent(house, "w2") == refusal
        placed = [event for event in await events(house) if isinstance(event, e.WagerPlaced)]
        assert len(placed) == 2
        await sound(house)


async def test_the_same_key_twice_at_once_with_another_body_is_refused(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        first, second = await asyncio.gather(
            ask(house, wager("ann", 10_000), key="w", actor="ann"),
            ask(house, wager("ann", 20_000), key="w", actor="ann"),
        )
        assert first.accepted
        assert second.code == "key-reused"


async def test_a_list_is_all_or_nothing(house: House) -> None:
    await betting(house, "ann")
    before = await house.table("T1")
    bad = await ask(house, wager("ann", 10_000), wager("ann", 10_000, "tie"), wager("ann", 10_000, "lion"))
    assert bad.code == "unknown-bet"
    assert await house.table("T1") == before
    assert len(await stream(house)) == before.version
    good = await ask(house, wager("ann", 10_000), wager("ann", 10_000, "tie"), actor="ann", key="both")
    assert [event["bet"] for event in decoded(good)["events"]] == ["player", "tie"]
    first = (await stream(house))[-2]
    assert (first.key, first.count) == ("ann/both", 2)
    assert (await ask(house)).code == "bad-command"
    assert (await ask(house, *[CLOSE] * 65)).code == "bad-command"


async def test_fifty_simultaneous_wagers_on_one_box_never_pass_the_limit(database_url: str) -> None:
    """The maximum Differential of the box is 1,000.00; fifty patrons put 37.00 on Player at once, at two nodes."""
    patrons = [f"p{number}" for number in range(50)]

    async with a_house(database_url) as house, a_house(database_url) as other:
        await betting(house, *patrons)
        nodes = (house, other)
        answers = await asyncio.gather(
            *(ask(nodes[n % 2], wager(patron, 3_700), actor=patron) for n, patron in enumerate(patrons))
        )
        rows = await stream(house)
        placed = [event for row in rows if isinstance(event := codec.event(row), e.WagerPlaced)]
        assert [placement.stake_cents for placement in placed] == [3_700] * 27, "what is left is under the minimum"
        assert sum(answer.accepted for answer in answers) == len(placed)
        assert [row.version for row in rows] == list(range(1, len(rows) + 1))
        await sound(house)


async def test_no_wager_is_accepted_after_the_close(database_url: str) -> None:
    """Two hundred clients bet around “No more Bets”, at two nodes."""
    patrons = [f"p{number}" for number in range(200)]

    async with a_house(database_url) as house, a_house(database_url) as other:
        limits = msgspec.structs.replace(opening().limits, maximum_differential_cents=Cents(10**9), maximum_cents=None)
        await betting(house, *patrons, limits=limits)
        chance = random.Random(7)

        async def bet(number: int, patron: str) -> Answer:
            await asyncio.sleep(chance.uniform(0, 0.1))
            return await ask((house, other)[number % 2], wager(patron, 5_000), actor=patron)

        async def close() -> Answer:
            await asyncio.sleep(0.05)
            return await ask(house, CLOSE)

        closed, *answers = await asyncio.gather(close(), *(bet(n, patron) for n, patron in enumerate(patrons)))
        assert closed.accepted
        log = await events(house)
        (at,) = [n for n, event in enumerate(log) if isinstance(event, e.BettingClosed)]
        placed = [n for n, event in enumerate(log) if isinstance(event, e.WagerPlaced)]
        assert all(n < at for n in placed)
        accepted = [answer for answer in answers if answer.accepted]
        assert len(placed) == len(accepted) < 200
        assert {answer.code for answer in answers if not answer.accepted} == {"no-more-bets"}
        await sound(house)


async def test_sixteen_writers_at_two_nodes_leave_no_gap(database_url: str) -> None:
    async with a_house(database_url) as house, a_house(database_url) as other:
        names = [f"p{number}" for number in range(16)]
        await betting(house, *names)

        async def writer(number: int) -> int:
            done = 0
            for _ in range(10):
                bought = await ask(
                    (house, other)[number % 2],
                    c.BuyChips(patron=names[number], chips_cents=Cents(100)),
                    actor=names[number],
                )
                done += bought.accepted
            return done

        assert sum(await asyncio.gather(*(writer(number) for number in range(16)))) == 160
        rows = await stream(house)
        assert [row.version for row in rows] == list(range(1, len(rows) + 1))
        assert (await house.newest("T1")).table == (await other.newest("T1")).table
        patrons = (await house.table("T1")).patrons
        assert all(patrons[name].balance_cents == 1_001_000 for name in names)
        await sound(house)


async def test_a_wallet_that_holds_too_little_refuses_only_its_own(house: House) -> None:
    await rich(house.store, "ann", "bob", cents=1_000)
    await did(house, opening())
    poor, fine, again = await asyncio.gather(
        ask(house, joins("ann", 1_001), actor="ann", key="j"),
        ask(house, joins("bob", 1_000), actor="bob"),
        ask(house, joins("ann", 1_000), actor="ann"),
    )
    assert poor.code == "not-enough-funds"
    assert fine.accepted
    assert again.accepted
    assert await ask(house, joins("ann", 1_001), actor="ann", key="j") == poor
    assert (await house.store.wallet("ann"), await house.store.wallet("bob")) == (0, 0)


async def test_the_house_alone_says_what_a_shoe_is_and_what_day_it_is(sqlite_url: str) -> None:
    order = NATURAL(8)
    loads = (
        msgspec.structs.replace(LOAD, order=order),
        msgspec.structs.replace(LOAD, salt="00" * 32),
        msgspec.structs.replace(LOAD, commitment="00" * 32),
    )

    async with a_house(sqlite_url, now=Time()) as house:
        await did(house, opening(edition=None, game="tiger-buffalo-non-commission", on="2024-08-01", layout="H"))
        for load in loads:
            refused = await ask(house, load)
            assert refused.code == "bad-shoe"
            assert b"the house shuffles its virtual shoes itself" in refused.json
        (loaded,) = await did(house, LOAD)
        assert (loaded["order"], loaded["salt"]) == (None, None)
        await did(house, c.OpenBetting(by="sue", on="2024-08-01"))
        table = await house.table("T1")
        assert table.current.edition == "tiger-buffalo-non-commission/2025-11-21", "the day is the house's"
        assert (await ask(house, opening("T2"), table="T3")).code == "bad-name"


async def test_a_table_that_never_was(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        with pytest.raises(NoSuchTable):
            await house.table("T9")
        with pytest.raises(NoSuchTable):
            await ask(house, BET, table="T9")
        assert not house._tables


async def test_tables_that_nobody_uses_are_dropped_and_read_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.house.table.house.MOST_TABLES", 4)

    async with a_house(sqlite_url) as house:
        tables = [f"T{number}" for number in range(20)]
        for table in tables:
            await did(house, opening(table), LOAD, table=table)
        assert len(house._tables) <= 5
        for table in tables:
            assert (await house.table(table)).phase is Phase.READY
        assert len(house._tables) <= 5


async def test_a_table_is_loaded_from_its_snapshot(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.house.store.snapshots.EVERY", 20)

    async with a_house(database_url, new_shoe=NATURAL) as house:
        await betting(house, "ann")
        await did(house, CLOSE, DRAW, DRAW, DRAW, DRAW, SETTLE)
        for _ in range(40):
            await did(house, c.BuyChips(patron="ann", chips_cents=Cents(100)))
        stood = await house.state("T1")
    async with a_house(database_url) as house:
        kept = await house.store.snapshot("table/T1")
        assert kept is not None
        assert 20 <= kept.version < stood.table.version
        again = await house.state("T1")
        assert (again.table, again.head, again.at) == (stood.table, stood.head, stood.at)
        await did(house, BET)


async def test_a_bug_in_one_command_is_that_commands_alone(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from punto.game.decide import decide as whole

    def broken(rules: object, table: object, command: c.AnyCommand) -> object:
        assert not (isinstance(command, c.PlaceWager) and command.patron == "bob"), "a bug"
        return whole(rules, table, command)  # type: ignore[arg-type]

    async with a_house(sqlite_url) as house:
        await betting(house, "ann", "bob", "cat")
        monkeypatch.setattr("punto.house.table.decide.decide", broken)
        answers = await asyncio.gather(
            *(ask(house, wager(name, 5_000), actor=name) for name in ("ann", "bob", "cat")), return_exceptions=True
        )
        assert isinstance(answers[1], AssertionError)
        assert [isinstance(answer, Answer) and answer.accepted for answer in answers] == [True, False, True]


async def test_whoever_stops_waiting_has_not_stopped_the_command(sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        asking = asyncio.ensure_future(ask(house, wager("ann", 10_000), key="w", actor="ann"))
        await asyncio.sleep(0)
        asking.cancel()
        again = await ask(house, wager("ann", 10_000), key="w", actor="ann")
        assert again.accepted
        assert len((await house.table("T1")).current.wagers) == 1


async def test_a_broken_store_stops_the_house(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full. No waiting request is answered as done, and no new one is accepted."""
    from punto.house.store.sqlite import batch_statements

    async with a_house(sqlite_url) as house:
        await betting(house, "ann", "bob")

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(batch_statements, "commit", full)
        answers = await asyncio.gather(
            *(ask(house, wager(name, 5_000), actor=name) for name in ("ann", "bob")), return_exceptions=True
        )
        assert all(isinstance(answer, Halted) for answer in answers)
        await house.broken.wait()
        with pytest.raises(Halted, match="No space left"):
            await ask(house, BET)
        with pytest.raises(Halted):
            await house.table("T1")


async def test_too_many_that_wait_are_sent_away(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.house.table.house.MOST_WAITING", 3)

    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        answers = await asyncio.gather(*(ask(house, wager("ann", 5_000)) for _ in range(9)), return_exceptions=True)
        assert any(isinstance(answer, Busy) for answer in answers)
        assert any(isinstance(answer, Answer) and answer.accepted for answer in answers)


async def test_a_key_that_stands_twice_in_a_batch_is_answered_as_it_was_before(sqlite_url: str) -> None:
    """Another request that was sent under it in between changes nothing."""
    async with a_house(sqlite_url) as house:
        await did(house, opening())
        first = await ask(house, c.Join(patron="bob"), key="K")
        assert first.accepted
        _, other, again = await asyncio.gather(
            ask(house, c.Join(patron="cid"), key="z"),
            ask(house, c.Join(patron="ann"), key="K"),
            ask(house, c.Join(patron="bob"), key="K"),
        )
        assert other.code == "key-reused"
        assert again == first
