"""How fast recorded rounds are watched, compared with `punto audit-rounds` on the same file in one run.

`python bench/watch.py [ROUNDS]`. The file is made once and kept under build/; delete it to make a new one. It holds
whole shoes of many tables with suits, sets, and patrons with a main and a side bet each, paid correctly.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from punto.cards import DECK
from punto.rulebook import load
from punto.rulebook.model import Rulebook
from punto.sim.audit.kernel import NO_CARD
from punto.sim.audit.rounds import audit
from punto.sim.audit.tables import Tables, tables
from punto.watch import deal
from punto.watch.file import RecordedShoes
from punto.watch.recorded import watch
from punto.watch.settings import Settings

BUILD = Path(__file__).parents[1] / "build"
ROUNDS, GROUP, TABLES, SEATS, LAYOUT = 10_000_000, 1 << 17, 100, 3, "C"
TARGET_S = 20


def main() -> None:
    """Make the file if it does not exist, then print the best of three passes of both programs."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    rules = load.edition("tiger-buffalo-commission", "2025-11-21")
    path = BUILD / f"shoes-{rounds}.parquet"
    if not path.exists():
        BUILD.mkdir(exist_ok=True)
        _write(path, rules, rounds)
        print(f"made {path.name}, {path.stat().st_size >> 20} MiB")
    best = {"audit-rounds": np.inf, "watch": np.inf}
    used = dict(best)
    for _ in range(3):
        for name in best:
            started, cpu = time.perf_counter(), time.process_time()
            if name == "watch":
                opened = RecordedShoes(path, tuple(bet.value for bet in rules.bets))
                seen = watch(rules, Settings(), opened.stretches, opened.names, rounds=opened.rounds)
                assert seen.rounds == opened.rounds
                assert not seen.alarms, seen.alarms[:3]
                assert not seen.suspects
            else:
                assert audit(path, rules, workers=2).faultless
            best[name] = min(best[name], time.perf_counter() - started)
            used[name] = min(used[name], time.process_time() - cpu)
    for name, seconds in best.items():
        rate = rounds / seconds / 1e6
        print(f"{name:<13} {seconds:6.2f} s ({used[name]:.2f} s of processor time), {rate:.2f} million rounds a second")
    print(f"ratio         {best['watch'] / best['audit-rounds']:.2f} of the time of punto audit-rounds")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"memory        {most} MiB at most, the {path.stat().st_size >> 20} MiB of the mapped file among them")
    if rounds == ROUNDS:
        print(f"target        under {TARGET_S} s: {'met' if best['watch'] < TARGET_S else 'missed'}")


def _write(path: Path, rules: Rulebook, rounds: int) -> None:
    known, chance, file, first, shoe = tables(rules), np.random.default_rng(8), None, 0, 0
    while first < rounds:
        table, shoes = _rounds(rules, known, chance, first, min(GROUP, rounds - first), shoe)
        file = file or pq.ParquetWriter(path, table.schema)
        file.write_table(table)
        first += len(table)
        shoe += shoes
    if file is not None:
        file.close()


def _rounds(
    rules: Rulebook, known: Tables, chance: np.random.Generator, first: int, count: int, shoe: int
) -> tuple[pa.Table, int]:
    """Shoes, given to the tables in turn, dealt and paid correctly."""
    shoes = -(-count // 70)
    whole = chance.permuted(np.tile(np.tile(np.arange(52, dtype=np.uint8), 8), (shoes, 1)), axis=1)
    dealt, shoe_of, number = (array[..., :count] for array in deal.rows(rules, whole, 14))
    cards = np.ascontiguousarray(dealt[[0, 2, 4, 1, 3, 5]])
    """The cards of a hand are adjacent, as in the columns of a file."""
    points = np.r_[deal.POINT_OF_RANK.repeat(4), 10]
    at = (10 * ((points[cards[0]] + points[cards[1]]) % 10) + (points[cards[3]] + points[cards[4]]) % 10) * 11
    lawful = known.deal_at[(at + points[cards[2]]) * 11 + points[cards[5]]]
    pairs = cards[0] // 4 == cards[1] // 4, cards[3] // 4 == cards[4] // 4
    flag = pairs[0] + 2 * pairs[1] + (pairs[0] & pairs[1] & (cards[0] // 4 == cards[3] // 4))
    sides = np.array([known.bets.index(bet) for bet in rules.layouts[LAYOUT].bets if not rules.bets[bet].main])
    bet = np.empty((count, SEATS, 2), np.int64)
    bet[:, :, 0] = chance.integers(0, 2, (count, SEATS)) * known.bets.index("player") + 0
    bet[:, :, 0] = np.where(bet[:, :, 0] > 0, known.bets.index("player"), known.bets.index("banker"))
    bet[:, :, 1] = chance.choice(sides, (count, SEATS))
    stake = chance.integers(1, 40, (count, SEATS, 2)) * 500
    odds = known.handed_back[known.verdict_at[known.outcome_at[lawful, flag][:, None, None], bet].astype(np.int64)]
    back = (2 * stake * odds[..., 0] + odds[..., 1]) // (2 * odds[..., 1])
    number_of_shoe = shoe + shoe_of
    at_table = number_of_shoe // TABLES
    """By seat, patrons stay for two, three and four shoes."""
    stay = at_table[:, None] // (2 + np.arange(SEATS))
    seat = (number_of_shoe % TABLES * SEATS)[:, None] + np.arange(SEATS) + SEATS * TABLES * stay
    wagers = pa.StructArray.from_arrays(
        [
            _names(bet.ravel(), known.bets),
            pa.array(stake.ravel()),
            pa.array(back.ravel()),
            pa.array(np.repeat(seat.ravel(), 2)),
        ],
        ["bet", "stake_cents", "handed_back_cents", "patron"],
    )
    columns = {
        "round": pa.array(np.arange(first, first + count)),
        "layout": _names(np.zeros(count, np.int64), [LAYOUT]),
        "table": _names(number_of_shoe % TABLES, [f"T{table:03d}" for table in range(TABLES)]),
        "card_set": _names(number_of_shoe % (2 * TABLES), [f"S{card_set:03d}" for card_set in range(2 * TABLES)]),
        "shoe": pa.array(number_of_shoe),
        "number": pa.array(number),
    }
    for name, places in zip(
        ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3"), cards, strict=True
    ):
        columns[name] = _names(places, [str(card) for card in DECK], places == NO_CARD)
    offsets = pa.array(np.arange(count + 1, dtype=np.int32) * SEATS * 2)
    return pa.table({**columns, "wagers": pa.ListArray.from_arrays(offsets, wagers)}), shoes


def _names(places: np.ndarray, names: list[str] | tuple[str, ...], absent: np.ndarray | None = None) -> pa.Array:
    places = np.where(absent, 0, places) if absent is not None else places
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int16), mask=absent), pa.array(names))


if __name__ == "__main__":
    main()
