"""How fast recorded rounds are audited, on a file of 10 million rounds with 60 million wagers.

`python bench/audit.py [ROUNDS]`. The file is made once and kept under build/; delete it to make a new one.
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
from punto.rulebook.model import Moment, Rulebook
from punto.sim.audit.kernel import NO_CARD
from punto.sim.audit.rounds import audit
from punto.sim.audit.tables import Tables, tables

BUILD = Path(__file__).parents[1] / "build"
ROUNDS, GROUP, PATRONS, SEATS = 10_000_000, 1 << 17, 5_000, 3
TARGET_S = 5
LAYOUT = "C"


def main() -> None:
    """Make the file if it does not exist, then print the best of three passes with one and with two workers."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    rules = load.edition("tiger-buffalo-commission", "2025-11-21")
    path = BUILD / f"rounds-{rounds}.parquet"
    if not path.exists():
        BUILD.mkdir(exist_ok=True)
        started = time.perf_counter()
        _write(path, rules, rounds)
        print(f"made {path.name} in {time.perf_counter() - started:.0f} s, {path.stat().st_size >> 20} MiB")
    for workers in (1, 2):
        best, cpu, wagers = np.inf, np.inf, 0
        for _ in range(3):
            started, used = time.perf_counter(), time.process_time()
            report = audit(path, rules, workers=workers)
            best, wagers = min(best, time.perf_counter() - started), report.wagers
            cpu = min(cpu, time.process_time() - used)
            assert report.faultless, report.faults
        rate = f"{rounds / best / 1e6:.1f} million rounds and {wagers / best / 1e6:.1f} million wagers a second"
        print(f"{workers} worker(s)  {best:6.2f} s ({cpu:.2f} s of processor time) for {rounds:,} rounds: {rate}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"memory       {most} MiB at most, the {path.stat().st_size >> 20} MiB of the mapped file among them")
    if rounds == ROUNDS:
        print(f"target       under {TARGET_S} s: {'met' if best < TARGET_S else 'missed'}")


def _write(path: Path, rules: Rulebook, rounds: int) -> None:
    known, chance = tables(rules), np.random.default_rng(8)
    file = None
    for first in range(0, rounds, GROUP):
        table = _rounds(rules, known, chance, first, min(GROUP, rounds - first))
        file = file or pq.ParquetWriter(path, table.schema)
        file.write_table(table)
    if file is not None:
        file.close()


def _rounds(rules: Rulebook, known: Tables, chance: np.random.Generator, first: int, count: int) -> pa.Table:
    """Rounds dealt and paid correctly. Each has three patrons, who have a main bet, and a side bet or insurance."""
    cards, deal, flag = _dealt(known, chance, count)
    layout = rules.layouts[LAYOUT]
    sides = np.array([known.bets.index(bet) for bet in layout.bets if not rules.bets[bet].main])
    player, banker = known.bets.index("player"), known.bets.index("banker")
    bet, stake = np.empty((count, SEATS, 2), np.int64), np.empty((count, SEATS, 2), np.int64)
    hand = chance.integers(0, 2, (count, SEATS))
    bet[:, :, 0] = np.where(hand, banker, player)
    bet[:, :, 1] = chance.choice(sides, (count, SEATS))
    stake[:, :, 0] = chance.integers(1, 400, (count, SEATS)) * 2_500
    stake[:, :, 1] = chance.integers(1, 40, (count, SEATS)) * 500 + chance.integers(0, 2, (count, SEATS))
    verdict = known.verdict_at[known.outcome_at[deal, flag][:, None, None], bet].astype(np.int64)
    offer = known.offer_at[deal, 0]
    insures = (offer >= 0)[:, None] & (known.offer_hand[offer][:, None] == hand) & (chance.random(hand.shape) < 0.5)
    bet[:, :, 1][insures] = (len(known.bets) - 2 + hand)[insures]
    stake[:, :, 1][insures] = np.minimum(stake[:, :, 0], stake[:, :, 1])[insures]
    verdict[:, :, 1][insures] = np.broadcast_to(known.insured_at[deal, 0][:, None], hand.shape)[insures]
    odds = known.handed_back[verdict]
    back = (2 * stake * odds[..., 0] + odds[..., 1]) // (2 * odds[..., 1])
    patron = np.repeat(chance.integers(0, PATRONS // SEATS, (count, SEATS)) * SEATS + np.arange(SEATS), 2)
    insured = np.zeros((count, SEATS, 2), bool)
    insured[:, :, 1] = insures
    wagers = pa.StructArray.from_arrays(
        [
            _names(bet.ravel(), known.bets),
            pa.array(stake.ravel()),
            pa.array(back.ravel()),
            _names(patron, [f"patron-{at:05d}" for at in range(PATRONS)]),
            _names(np.zeros(bet.size, np.int64), [moment.value for moment in Moment], ~insured.ravel()),
        ],
        ["bet", "stake_cents", "handed_back_cents", "patron", "after"],
    )
    columns = {
        "round": pa.array([f"T07-{at:010d}" for at in range(first, first + count)]),
        "layout": _names(np.zeros(count, np.int64), [LAYOUT]),
    }
    for name, places in zip(
        ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3"), cards, strict=True
    ):
        columns[name] = _names(places, [str(card) for card in DECK], places == NO_CARD)
    offsets = pa.array(np.arange(count + 1, dtype=np.int32) * SEATS * 2)
    return pa.table({**columns, "wagers": pa.ListArray.from_arrays(offsets, wagers)})


def _dealt(known: Tables, chance: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Six random cards a round. Then the third cards that the Table of Play does not call for are removed."""
    cards = chance.integers(0, len(DECK), (6, count))
    points = np.minimum(cards // 4 + 1, 10) % 10
    row = 10 * ((points[0] + points[1]) % 10) + (points[3] + points[4]) % 10
    v, w, deal = points[2], points[5], np.full(count, -1)
    for no_v in (False, True):
        for no_w in (False, True):
            tried = known.deal_at[(row * 11 + (10 if no_v else v)) * 11 + (10 if no_w else w)]
            new = (tried >= 0) & (deal < 0)
            deal = np.where(new, tried, deal)
            cards[2][new & no_v] = NO_CARD
            cards[5][new & no_w] = NO_CARD
    player, banker = cards[0] // 4 == cards[1] // 4, cards[3] // 4 == cards[4] // 4
    return cards, deal, player + 2 * banker + (player & banker & (cards[0] // 4 == cards[3] // 4))


def _names(places: np.ndarray, names: list[str] | tuple[str, ...], absent: np.ndarray | None = None) -> pa.Array:
    places = np.where(absent, 0, places) if absent is not None else places
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int16), mask=absent), pa.array(names))


if __name__ == "__main__":
    main()
