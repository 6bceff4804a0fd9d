"""Past rounds shown again: a correction made rounds later belongs to the corrected round and to no other."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa

from punto.game import commands as c
from punto.game.audience import Audience
from punto.house.history import export, queries, stream_index
from punto.house.history.export import ROUNDS, Span, all_rounds, judged_rounds, ledger
from punto.house.history.past_round import PastRound
from punto.house.history.recorded_rounds import RECORDED
from punto.house.store.schema import played as stored_played
from punto.house.table.house import House
from punto.house.web import exports
from punto.money import Cents, amount, cents
from punto.rulebook.model import Insurance, Moment, Rank
from tests.cli.program import call
from tests.house.databases import on_sqlite
from tests.house.table.playing import BET, CLOSE, LOAD, SETTLE, TIGER, a_house, did, joins, opening, rich, wager


def cards(faces: str) -> list[c.AnyCommand]:
    return [c.DrawCard(by="sue", card=face) for face in faces.split()]


async def played(house: House) -> None:
    """Round 1 is settled, and made void while round 2 is open: the Banker's third card was due and not dealt (5.15.1).
    Round 2 ends as it should."""
    await rich(house.store, "ann")
    await did(house, opening(source="live"), LOAD, joins("ann"), c.Sit(patron="ann", box=1))
    await did(house, BET, wager("ann", 5_000, bet="banker"), CLOSE, *cards("KH 2S 7D 3C 4H"), SETTLE, BET)
    late = c.ReportIrregularity(by="sue", kind="late-table-of-play", round=1, player=("KH", "7D"), banker=("2S", "3C"))
    await did(house, late, c.DecideIrregularity(by="sue", reason="the camera shows it"))
    await did(house, wager("ann", 2_000), CLOSE, *cards("9H 2H KD 3D"), SETTLE)


async def recalled(house: House, number: int, patron: str | None = None) -> PastRound:
    audience = Audience.PIT if patron is None else Audience.PATRON
    past = await queries.past_round(house.store, "T1", number, audience, patron)
    assert past is not None
    return past


@on_sqlite
async def test_a_later_correction_is_told_with_its_own_round(house: House) -> None:
    await played(house)
    first, second = await recalled(house, 1), await recalled(house, 2)
    assert first.corrected
    kinds = [type(entry.event).__name__ for entry in first.events]
    assert kinds.index("RoundSettled") < kinds.index("PastRoundCorrected"), "both are shown"
    assert first.entries
    assert not second.corrected
    assert (second.winner, second.player_points, second.banker_points) == ("player", 9, 5)
    assert [line.stake_cents for line in second.lines] == [2_000]
    assert (second.net, second.entries) == ("20.00", ())
    assert second.cards == {"P1": "9H", "B1": "2H", "P2": "KD", "B2": "3D"}


@on_sqlite
async def test_an_export_has_each_round_as_it_was_put_right(house: House) -> None:
    """To the cent: what patrons won by the rounds is what the table lost."""
    await played(house)
    rows = [
        dict(zip(ROUNDS, row, strict=True))
        async for page in all_rounds(house.store, Span(("T1",), 0, 2**62))
        for row in page
    ]
    first, second = await recalled(house, 1), await recalled(house, 2)
    assert [row["net"] for row in rows] == [first.net, second.net]
    assert [row["winner"] for row in rows] == [first.winner, second.winner]
    total = sum(Cents(round(float(row["net"]) * 100)) for row in rows)
    assert total == -(await house.table("T1")).house_cents


@on_sqlite
async def test_what_a_ruling_paid_is_in_the_round(house: House) -> None:
    """It is paid by discretion, beside the lines. The patron's history, the pit's and the export match the books."""
    await played(house)
    report = c.ReportIrregularity(by="sue", kind="discretion", note="a drink was spilt on the felt")
    pays = c.DecideIrregularity(by="max", action="pay", pay_cents={"ann": Cents(500)}, reason="for the wait")
    await did(house, c.StartDuty(name="max", rank=Rank.SHIFT_MANAGER), report, pays)
    second = await recalled(house, 2)
    assert ([(payment.patron, payment.paid_cents) for payment in second.paid], second.net) == ([("ann", 500)], "25.00")
    mine, others = [await recalled(house, 2, name) for name in ("ann", "bob")]
    assert (mine.net, others.net, others.paid) == ("25.00", None, ())
    pages = [page async for page in all_rounds(house.store, Span(("T1",), 0, 2**62))]
    rows = [dict(zip(ROUNDS, row, strict=True)) for page in pages for row in page]
    assert (rows[-1]["handed_back"], rows[-1]["paid"], rows[-1]["net"]) == ("40.00", "5.00", "25.00")
    total = sum(Cents(round(float(row["net"]) * 100)) for row in rows)
    assert total == -(await house.table("T1")).house_cents


async def test_what_a_ruling_pays_for_a_past_round_is_in_that_round(house: House) -> None:
    """O93: also for a patron who has no wager in the round in which it is paid."""
    await played(house)
    before = (await recalled(house, 1, "ann")).net
    assert before is not None
    report = c.ReportIrregularity(by="sue", kind="discretion", round=1, note="the camera was off")
    pays = c.DecideIrregularity(by="max", action="pay", pay_cents={"ann": Cents(500)}, reason="for the doubt")
    await did(house, c.StartDuty(name="max", rank=Rank.SHIFT_MANAGER), BET, report, pays, CLOSE)
    rounds = [await recalled(house, number, "ann") for number in (1, 2, 3)]
    assert [[entry.paid_cents for entry in past.paid] for past in rounds] == [[500], [], []]
    assert [past.net for past in rounds] == [amount(cents(before) + 500), "20.00", None]
    pages = [page async for page in all_rounds(house.store, Span(("T1",), 0, 2**62))]
    rows = [dict(zip(ROUNDS, row, strict=True)) for page in pages for row in page]
    assert [row["paid"] for row in rows] == ["5.00", "0.00", "0.00"]
    assert [row["net"] for row in rows] == [rounds[0].net, "20.00", "0.00"]


@on_sqlite
async def test_a_card_that_came_between_rounds_leaves_the_cards_of_the_last(house: House) -> None:
    await played(house)
    before = await recalled(house, 2)
    report = c.ReportIrregularity(by="sue", kind="excess-card", cards=("6C",))
    await did(house, report, c.DecideIrregularity(by="sue", reason="it waits for the next round"))
    after = await recalled(house, 2)
    assert (after.cards, after.state, after.winner) == (before.cards, "settled", before.winner)
    assert after.waiting == ("6C",)


async def test_what_is_recorded_is_judged_by_another_program(sqlite_url: str, tmp_path: Path) -> None:
    """Every payment is judged, insurance and an excess among them, and one cent that is wrong is found."""

    file = tmp_path / "recorded.parquet"
    async with a_house(sqlite_url) as house:
        await rich(house.store, "ann", "bob")
        await did(house, opening(source="live"), LOAD, joins("ann"), joins("bob"), c.Sit(patron="ann", box=1))
        await did(house, BET, wager("ann", 5_000), wager("bob", 4_000, bet="tie"), CLOSE, *cards("KH 2S 7D 3C"))
        insured = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1_000))
        await did(house, insured, *cards("4H"), SETTLE)
        await did(house, BET, wager("ann", 200_000), CLOSE, *cards("9H 2H KD 3D"), SETTLE)
        await did(house, BET, wager("bob", 4_000), CLOSE, *cards("9C 2C"))
        report = c.ReportIrregularity(by="sue", kind="void", cause="wrong-count", note="a deck is short")
        await did(house, report, c.DecideIrregularity(by="sue", reason="it did"))
        await did(house, BET, wager("bob", 4_000), CLOSE, *cards("TH 2D 7C 3H 4D"), SETTLE, BET, wager("ann", 2_000))
        missed = c.ReportIrregularity(by="sue", kind="insurance-missed", round=4, after=Moment.FOUR_CARDS)
        await did(house, missed, c.DecideIrregularity(by="sue", patrons=("bob",), reason="he asked for it"))
        span = Span(("T1",), 0, 2**62)
        rows = judged_rounds(house.store, span, TIGER)
        parts = await exports._parquet(RECORDED, rows, TIGER)
        file.write_bytes(b"".join([part async for part in parts]))
    table = pq.read_table(file)
    assert table["round"].to_pylist() == ["T1/1", "T1/2"], "what was void, put right later or is open is not judged"
    assert [len(wagers) for wagers in table["wagers"].to_pylist()] == [3, 1]
    assert table["wagers"][1][0]["stake_cents"].as_py() == 100_000, "what exceeds the Differential was not in play"
    limits = ("--maximum", "2000.00", "--maximum-differential", "1000.00")
    done = call("audit-rounds", str(file), "--json", *limits)
    assert (done.status, done.json["findings"]) == (0, []), done.out
    rounds = table.to_pylist()
    rounds[0]["wagers"][0]["handed_back_cents"] += 1
    pq.write_table(pa.Table.from_pylist(rounds, table.schema), file)
    assert call("audit-rounds", str(file), *limits).status == 1


@on_sqlite
async def test_what_is_recorded_names_the_layout_that_the_round_was_played_on(house: House) -> None:
    """A table may be closed and opened again with another."""
    await rich(house.store, "ann")
    for layout in ("H", "D", "G"):
        await did(
            house,
            opening(source="live", layout=layout, positions=5),
            LOAD,
            joins("ann", 10_000),
            c.Sit(patron="ann", box=1),
        )
        for faces in ("KH 2S 9D 3C", "KD 2C 9C 3S"):
            await did(house, BET, wager("ann", 1_000), CLOSE, *cards(faces), SETTLE)
        chips = (await house.table("T1")).patrons["ann"].balance_cents
        await did(house, c.CashChips(patron="ann", chips_cents=Cents(chips)), c.Leave(patron="ann"))
        await did(house, c.EndShoe(by="sue"), c.CloseTable(by="sue"))
    pages = judged_rounds(house.store, Span(("T1",), 0, 2**62), TIGER)
    layouts = [row[RECORDED.index("layout")] async for page in pages for row in page]
    assert layouts == ["H", "H", "D", "D", "G", "G"]


@pytest.mark.parametrize("what", ["rounds", "ledger"])
@on_sqlite
async def test_parquet_holds_what_the_csv_does(house: House, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell by cell, over several pages."""
    monkeypatch.setattr(export, "PAGE", 5)
    await played(house)
    span = Span(("T1",), 0, 2**62)

    def rows() -> export.Rows:
        return all_rounds(house.store, span) if what == "rounds" else ledger(house.store, span, None)

    head = ROUNDS if what == "rounds" else export.LEDGER
    text = b"".join([part async for part in exports._csv(head, rows())]).decode()
    lines = list(csv.DictReader(io.StringIO(text, newline="")))
    data = b"".join([part async for part in await exports._parquet(head, rows(), None)])
    cells = pq.read_table(io.BytesIO(data)).to_pylist()
    assert [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in cells] == lines
    stored = 0
    for stream, _ in await house.store.streams():
        stored += len(await house.store.transfers(stream))
    assert len(lines) == (2 if what == "rounds" else stored)


@on_sqlite
async def test_a_round_of_any_length_is_told_whole(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await played(house)
    at_once = [await recalled(house, number) for number in (1, 2)]
    monkeypatch.setattr(queries, "PAGE", 3)
    assert [await recalled(house, number) for number in (1, 2)] == at_once
    assert at_once[1].state == "settled"


async def test_an_old_table_is_searched_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for its first round or its first shoe causes only new rows to be read, and none twice."""
    monkeypatch.setattr(stream_index, "PAGE", 1)
    await played(house)
    store, fetched = house.store, []
    real = store.fetch

    async def fetch(statement: Any) -> Any:
        fetched.append(str(statement))
        return await real(statement)

    monkeypatch.setattr(store, "fetch", fetch)
    corrected = await queries.corrections(store, "T1", 0)
    assert {number: [type(row[2]).__name__ for row in rows] for number, rows in corrected.items()} == {
        1: ["PastRoundCorrected"]
    }
    assert await queries.shoe_at(store, "T1", (await store.head("table/T1"))[0]) == 1
    assert await queries.shoe_at(store, "T1", 1) is None
    searched = [statement for statement in fetched if "substr" in statement]
    await did(house, c.EndShoe(by="sue"), LOAD)
    fetched.clear()
    head, _ = await store.head("table/T1")
    assert (await queries.shoe_at(store, "T1", head), await queries.shoe_at(store, "T1", head - 1)) == (2, 1)
    assert len([statement for statement in fetched if "substr" in statement]) < len(searched)
    fetched.clear()
    several = [queries.shoe_at(store, "T1", head) for _ in range(5)]
    assert await asyncio.gather(*several) == [2] * 5
    assert fetched == []
    assert await queries.corrections(store, "T1", head) == {}


async def test_rounds_that_ended_in_one_instant_are_on_one_page(house: House) -> None:
    """And a round that ended twice, as one that was settled and then void, comes once: with its last end."""
    ends = [(5, 1), (6, 6), (7, 2), (7, 3), (7, 4), (7, 6), (9, 5), (11, 1)]
    for at, number in ends:
        row = {"person": "ann", "at": at, "stream": "table/T1", "round": number, "version": 1}
        await house.store.execute(sa.insert(stored_played).values(**row))
    seen, before = [], None
    while page := await queries.played_by(house.store, "ann", before, 2):
        seen += [row["round"] for row in page]
        before = page[-1]["at"]
    assert (seen[:2], sorted(seen[2:])) == ([1, 5], [2, 3, 4, 6])
