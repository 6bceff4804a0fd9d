"""Planted cases and honest ones by the thousand: `make watch-power` prints the tables of docs/watch.md."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np

from punto.sim.analysis import expectations
from punto.watch import deal, stakes
from punto.watch.integrity import Integrity
from punto.watch.ledger import Ledger
from punto.watch.missing_kernel import LostArrays
from punto.watch.riffles import riffled
from punto.watch.rows import NO_CARD, Flaws, Rounds, Shoes, Sorter
from punto.watch.settings import MISSING, Procedure, Settings
from tests.watch.shoes import RULES

SETTINGS = Settings(tables=1_000)
LENGTHS = (12, 16, 20, 30, 40, 60)
RIFFLES = tuple(range(8))


def laid(shoes: list[np.ndarray], *, table_of: int = 1) -> Rounds:
    """Whole packs of 416 cards as rows, six cards a round, so that every card is on record in its order."""
    packs = np.stack(shoes).astype(np.uint8)
    count, cards = packs.shape
    rows = -(-cards // 6)
    padded = np.full((count, rows * 6), NO_CARD, np.uint8)
    padded[:, :cards] = packs
    by_row = padded.reshape(-1, 6)
    by_row[by_row[:, 3] == NO_CARD] = NO_CARD
    number = np.tile(np.arange(1, rows + 1), count)
    shoe = np.repeat(np.arange(count), rows)
    return Rounds(
        row=np.arange(len(by_row)),
        cards=np.ascontiguousarray(by_row.T),
        suited=np.ones(len(by_row), bool),
        table=shoe // table_of,
        card_set=shoe // table_of,
        shoe=shoe,
        shoes=tuple(str(index) for index in range(count)),
        number=number,
        start=np.zeros(len(by_row) + 1, np.int64),
        bet=np.zeros(0, np.uint8),
        stake=np.zeros(0, np.int64),
        patron=np.zeros(0, np.int64),
    )


def whole(rounds: Rounds) -> Shoes:
    tables = [str(table) for table in range(int(rounds.table.max()) + 1)]
    flaws = Flaws()
    flaws.note = lambda *_: None  # type: ignore[method-assign]
    return Sorter(tables, flaws).add(rounds, last=True)


def with_slug(chance: np.random.Generator, length: int, times: int) -> tuple[np.ndarray, np.ndarray, int]:
    """A shoe, and the next one: `length` cards of it stayed together while all others were shuffled fairly, and then
    all were riffled `times` times. The place is that of the slug's first card."""
    last = chance.permutation(np.tile(np.arange(52), 8))
    begin = int(chance.integers(0, 408 - length))
    slug = np.arange(begin, begin + length)
    rest = chance.permutation(np.setdiff1d(np.arange(408), slug))
    at = int(chance.integers(0, 408 - length))
    order = np.concatenate([rest[:at], slug, rest[at:], np.arange(408, 416)])
    order = riffled(chance, order, times) if times else order
    places = np.flatnonzero(np.isin(order, slug))
    return last, last[order], int(places[0])


def power(chance: np.random.Generator, shoes: int) -> Iterator[tuple[int, int, float, float, float]]:
    """Length, riffles, share found, share found by the tenth card of the slug, median cards of the slug needed."""
    settings = Settings(tables=1_000, procedure=Procedure())
    for length in LENGTHS:
        for times in RIFFLES:
            packs, first = [], []
            for _ in range(shoes):
                last, now, at = with_slug(chance, length, times)
                packs += [last, now]
                first.append(at)
            watch = Integrity(settings)
            result = watch.run(watch.prepare(whole(laid(packs, table_of=2))))
            seen: dict[int, int] = {}
            for shoe, _, _, at, _, _ in result.rows.tolist():
                seen.setdefault(shoe, at)
            waits = [seen[2 * pair + 1] - first[pair] + 1 for pair in range(shoes) if 2 * pair + 1 in seen]
            early = sum(wait <= 10 for wait in waits)
            yield length, times, len(waits) / shoes, early / shoes, float(np.median(waits)) if waits else np.nan


def missing(chance: np.random.Generator, sets: int) -> Iterator[tuple[int, float, float, float]]:
    """Cards missing, and shoes until the alarm: median, nine in ten, all."""
    limit = 1 / (SETTINGS.chance_a_shoe * MISSING)
    for lost in range(1, 6):
        needed = []
        for _ in range(sets):
            pack = np.tile(np.arange(52), 8)
            pack = np.delete(pack, chance.choice(416, lost, replace=False))
            set_of_cards = LostArrays(52, 416)
            for _ in range(200):
                seen = chance.permutation(pack)[: len(pack) - 22]
                if set_of_cards.shoe(np.bincount(seen, minlength=52)) >= limit:
                    break
            needed.append(set_of_cards.shoes)
        yield lost, float(np.median(needed)), float(np.quantile(needed, 0.9)), float(max(needed))


def counters(chance: np.random.Generator, shoes: int) -> Iterator[tuple[str, str, float, float]]:
    """Bet, way of betting, shoes until p is below one in a million (median over counters), favourable rounds a shoe."""
    known = stakes.counts(RULES, 8)
    dealt = deal.deal(RULES, deal.shoes(chance, 8, shoes), 14)
    inside = np.arange(dealt.left.shape[1])[None, :] < dealt.rounds[:, None]
    edges = np.zeros((*inside.shape, len(known.bets)))
    edges[inside] = expectations(RULES, dealt.left[inside].astype(np.int64))
    left = dealt.left.astype(np.float64)
    cards = np.maximum(left.sum(axis=2), 2)
    pairs = (left * (left - 1)).sum(axis=2) / (cards * (cards - 1)) - 1 / 13
    count = np.where(inside[..., None], left @ known.worth / cards[..., None] + known.paired * pairs[..., None], 0)
    for at, bet in enumerate(known.bets):
        if known.main[at]:
            continue
        good = (edges[..., at] > 0) & inside
        usual = float(good.sum(axis=1).mean())
        if usual < 0.05:
            continue
        for way in ("alone", "a third of a team"):
            bets = good if way == "alone" else good & (chance.random(good.shape) < 1 / 3)
            part = _log_evidence(known, count[..., at], bets, at, dealt.rounds)
            yield bet, way, _shoes_needed(chance, part), usual


def _log_evidence(
    known: stakes.Counts, count: np.ndarray, bets: np.ndarray, bet: int, rounds: np.ndarray
) -> np.ndarray:
    evidence = np.zeros(len(count))
    for shoe in range(len(count)):
        number, total = shoe % len(known.pool), int(rounds[shoe])
        mine = count[shoe, :total][bets[shoe, :total]].sum() - bets[shoe].sum() * count[shoe, :total].mean()
        pool = known.pool[number, :total, bet]
        others = pool[bets[shoe, :total]].sum(axis=0) - bets[shoe].sum() * pool.mean(axis=0)
        evidence[shoe] = np.log(
            stakes.share_of_last(np.append(others, mine).astype(np.float64), float(bets[shoe].sum()))
        )
    return evidence


def _shoes_needed(chance: np.random.Generator, log: np.ndarray, limit: float = 2e6) -> float:
    """Main and side bets are weighed separately and averaged, so the limit is twice as high."""
    needed = []
    for _ in range(200):
        path = np.cumsum(chance.choice(log, 2_000))
        reached = np.flatnonzero(path >= np.log(limit))
        needed.append(float(reached[0] + 1) if len(reached) else np.inf)
    return float(np.median(needed))


def honest_patrons(chance: np.random.Generator, patrons: int, shoes: int = 10) -> Ledger:
    """Patrons of honest shoes who bet by chance: 200 at a table, and each stays for this many shoes."""
    known, total, a_table, tables = stakes.counts(RULES, 8), Ledger(), 200, 50
    for number, first in enumerate(range(0, patrons, a_table * tables)):
        packs = np.tile(np.tile(np.arange(52, dtype=np.uint8), 8), (shoes * tables, 1))
        cards, shoe, row = deal.rows(RULES, chance.permuted(packs, axis=1), 14)
        held = chance.integers(0, 12, len(shoe))
        of_wager = np.repeat(shoe, held)
        made = Rounds(
            row=np.arange(len(shoe)),
            cards=np.ascontiguousarray(cards),
            suited=np.ones(len(shoe), bool),
            table=shoe % tables,
            card_set=shoe % tables,
            shoe=shoe,
            shoes=tuple(str(index) for index in range(len(packs))),
            number=row,
            start=np.r_[0, np.cumsum(held)],
            bet=chance.integers(0, len(known.bets), len(of_wager)).astype(np.uint8),
            stake=chance.integers(1, 40, len(of_wager)) * 500,
            patron=first + of_wager % tables * a_table + chance.integers(0, a_table, len(of_wager)),
        )
        who, evidence = stakes.weigh(known, whole(made), number * len(packs))
        total.add(who, evidence, number * len(packs))
    return total


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--shoes", type=int, default=200)
    options.add_argument("--patrons", type=int, default=0)
    arguments, chance = options.parse_args(), np.random.default_rng(25)
    if arguments.patrons:
        started = time.perf_counter()
        ledger = honest_patrons(chance, arguments.patrons)
        seen = int((ledger.shoes > 0).sum())
        for level in (20, 100, 1_000, 10_000):
            count = int((ledger.peak >= level).sum())
            print(
                f"evidence of {level:>6}: {count:>7,} of {seen:,} honest patrons, at most {seen / level:,.0f} predicted"
            )
        mean = ledger.evidence[ledger.shoes > 0].mean()
        print(f"mean evidence {mean:.4f}; named {len(ledger.suspects(0.01))}; {time.perf_counter() - started:.0f} s")
        return
    print("| cards | " + " | ".join(f"{times} riffles" for times in RIFFLES) + " |")
    line: list[str] = []
    for length, times, share, early, wait in power(chance, arguments.shoes):
        line.append(f"{share:.0%} ({wait:.0f})" if times else f"{share:.0%} ({wait:.0f}; by the tenth {early:.0%})")
        if times == RIFFLES[-1]:
            print(f"| {length} | " + " | ".join(line) + " |", flush=True)
            line = []
    for lost, median, most, last in missing(chance, max(20, arguments.shoes // 4)):
        print(f"| {lost} missing | {median:.0f} | {most:.0f} | {last:.0f} |", flush=True)
    for bet, way, needed, usual in counters(chance, 4 * arguments.shoes):
        print(f"| {bet} | {way} | {needed:.0f} | {usual:.2f} |", flush=True)


if __name__ == "__main__":
    main()
