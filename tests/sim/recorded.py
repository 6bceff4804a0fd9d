"""Recorded rounds for audits: random records of `punto settle`, and the Parquet files a casino would make of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from punto.cards import DECK
from tests.oracle import plain
from tests.properties.rounds import Edition
from tests.properties.settling import answer
from tests.properties.strategies import MOMENTS, PATRONS

CARDS = [str(card) for card in DECK]
WAGER = pa.struct(
    {
        "bet": pa.string(),
        "stake_cents": pa.int64(),
        "handed_back_cents": pa.int64(),
        "patron": pa.string(),
        "after": pa.string(),
    }
)
SCHEMA = pa.schema(
    [
        ("round", pa.string()),
        ("layout", pa.string()),
        *((f"{hand}_{at}", pa.string()) for hand in ("player", "banker") for at in (1, 2, 3)),
        ("wagers", pa.list_(WAGER)),
    ]
)
MAXIMUM = "200.00"


def records(edition: Edition, count: int, seed: int, *, lawful: bool = False) -> list[dict[str, Any]]:
    """Random records of one edition. Unless lawful, some have wrong cards, bets and insurance."""
    chance = random.Random(seed)
    return [_record(edition, chance, f"r{at}", lawful) for at in range(count)]


def _record(edition: Edition, chance: random.Random, name: str, lawful: bool) -> dict[str, Any]:
    layout = chance.choice(plain.layouts(*edition))
    player, banker = plain.deal(chance.choices(CARDS, k=6))
    if not lawful and chance.random() < 0.1:
        player, banker = ([*chance.choices(CARDS, k=chance.choice((2, 3)))] for _ in range(2))
    bets = list(plain.bets_on(*edition, layout))
    if not lawful and chance.random() < 0.1:
        bets += ["tiger", "super_6_plus", "big_buffalo", "lucky_7"]
    patrons = chance.sample(PATRONS, chance.choice((1, 1, 2)))
    wagers = [_wager(chance, patrons, {"bet": chance.choice(bets)}) for _ in range(chance.randrange(5))]
    wagers += [_wager(chance, patrons, {"bet": chance.choice(("player", "banker"))}) for _ in range(2)]
    insurance: list[dict[str, Any]] = []
    offers = (
        {after: plain.offer(*edition, after, player, banker) for after in MOMENTS} if plain_deal(player, banker) else {}
    )
    for after, offered in offers.items():
        if lawful or (offered is None and chance.random() < 0.95):
            continue
        bet = offered[0] if offered is not None and chance.random() < 0.9 else "banker_insurance"
        insurance += [
            _wager(chance, patrons, {"bet": bet, "after": after}, 100) for _ in range(chance.choice((0, 1, 1, 2)))
        ]
    return {
        "id": name,
        "game": edition[0],
        "edition": edition[1],
        "layout": layout,
        "player": player,
        "banker": banker,
        "wagers": wagers,
        "insurance": insurance,
        "limits": {"maximum": MAXIMUM},
    }


def plain_deal(player: list[str], banker: list[str]) -> bool:
    return len(player) >= 2 and len(banker) >= 2


def _wager(chance: random.Random, patrons: list[str], what: dict[str, Any], most: int = 400) -> dict[str, Any]:
    cents = chance.choice((chance.randint(1, most) * 25, chance.randint(1, most * 25)))
    return {**what, "patron": chance.choice(patrons), "stake": plain.amount(cents)}


def row(record: dict[str, Any], settled: dict[str, Any] | None = None) -> dict[str, Any]:
    """A record as a row of the file, paid as `settled` says; a refused one is paid nothing."""
    settled = answer(record) if settled is None else settled
    wagers = [*record["wagers"], *record["insurance"]]
    lines = settled.get("lines", [{"handed_back": "0.00"}] * len(wagers))
    columns: dict[str, Any] = {"round": record["id"], "layout": record["layout"]}
    for hand in ("player", "banker"):
        for at in range(3):
            columns[f"{hand}_{at + 1}"] = record[hand][at] if len(record[hand]) > at else None
    columns["wagers"] = [
        {
            "bet": wager["bet"],
            "stake_cents": plain.cents(wager["stake"]),
            "handed_back_cents": plain.cents(line["handed_back"]),
            "patron": wager["patron"],
            "after": wager.get("after"),
        }
        for wager, line in zip(wagers, lines, strict=True)
    ]
    return columns


def write(path: Path, rows: list[dict[str, Any]], *, group: int = 100, schema: pa.Schema = SCHEMA) -> Path:
    """Write the file, in row groups of this many rounds."""
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path, row_group_size=group)
    return path
