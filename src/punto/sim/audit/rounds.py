"""An audit of recorded rounds: checks cards, bets and payments against an edition, with arrays, in bounded memory.

Workers read and judge row groups in parallel; results are collected in the order of the file.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.game.settlement import Limits
from punto.rulebook.model import Bet, Rulebook
from punto.sim.audit import kernel
from punto.sim.audit.columns import BadFile
from punto.sim.audit.file import Batch, RecordedRounds
from punto.sim.audit.findings import CODES, Finding, findings
from punto.sim.audit.kernel import Fault
from punto.sim.audit.tables import Tables, Terms, tables, terms

__all__ = ["Audit", "BadFile", "BetTotals", "audit"]

MOST_LISTED: Final = 10_000
"""Findings kept in memory. All findings are counted, and all are passed to `listen`."""


class BetTotals(msgspec.Struct, frozen=True, kw_only=True):
    """The wagers on one bet that could be judged."""

    wagers: int
    staked_cents: int
    handed_back_cents: int
    due_cents: int
    """What must be handed back by the edition."""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in a file."""

    edition: str
    rounds: int
    judged: int
    """Rounds whose cards are lawful."""
    wagers: int
    unjudged_wagers: int
    """Wagers of rounds whose cards are not lawful."""
    bets: dict[str, BetTotals]
    faults: dict[str, int]
    """Code → how often."""
    overpaid_cents: int
    underpaid_cents: int
    findings: tuple[Finding, ...]
    outcomes: tuple[int, ...]
    """Lawful rounds by settlement class, in the order of `all_outcomes`."""

    @property
    def faultless(self) -> bool:
        return not self.faults


def audit(
    path: Path,
    rules: Rulebook,
    *,
    decks: int | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen: one default for all is safe)
    workers: int = 2,
    most: int = MOST_LISTED,
    listen: Callable[[Finding], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Audit:
    """Judge every round of a file. `listen` gets every finding in order; `progress` gets the rounds of each batch."""
    judging = _Judging(rules, limits, decks)
    total = _Sum(judging.table, most)
    for part in _parts(path, judging, workers):
        if part.faulty is not None:
            listed = findings(rules, judging.table, judging.decks, *part.faulty)
            total.note(*part.faulty, listed, listen)
        total.add(part)
        if progress is not None:
            progress(part.rounds)
    return total.audit(rules)


class _Judging:
    """An edition and a table's limits, ready for the kernel."""

    def __init__(self, rules: Rulebook, limits: Limits, decks: int | None) -> None:
        self.table: Tables = tables(rules)
        self.decks = rules.procedure.decks_default if decks is None else decks
        if self.decks not in rules.procedure.decks:
            allowed = ", ".join(str(deck) for deck in rules.procedure.decks)
            raise ValueError(f"{self.decks} decks are not allowed: expected {allowed} ({rules.procedure.decks_cite})")
        known, bound = self.table, terms(rules, limits)
        self.main = np.array([known.bets.index(Bet.PLAYER), known.bets.index(Bet.BANKER)])
        self.arrays = _arrays(known)
        self.terms = _terms(bound)


def _arrays(known: Tables) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The lookup tables for wagers, and those for insurance."""
    return (
        (known.on_layout, known.handed_back, known.deal_at, known.outcome_at, known.verdict_at),
        (known.offer_at, known.insured_at, known.offer_hand, known.offer_odds, known.odds_scale),
    )


def _terms(bound: Terms) -> tuple[Any, ...]:
    return (bound.both_hands, bound.forgone, bound.winnings, bound.per_round, bound.cap_cents)


class _Part(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The result of one batch. The batch itself is kept only if it has findings."""

    rounds: int
    wagers: int
    unjudged: int
    tally: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]
    faulty: tuple[Batch, npt.NDArray[np.int64]] | None


def _parts(path: Path, judging: _Judging, workers: int) -> Iterator[_Part]:
    """Judged batches, in order. Row groups are judged in parallel, with at most one more in the queue than there are
    workers. A row group too large for that is judged alone, batch by batch."""
    own = threading.local()
    here = RecordedRounds(path)

    def work(group: int) -> list[_Part]:
        if not hasattr(own, "file"):
            own.file = RecordedRounds(path)
        return list(_judged(own.file, group, judging))

    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[list[_Part]]] = deque()
        try:
            for group in range(here.groups):
                large = here.is_large(group)
                if not large:
                    waiting.append(pool.submit(work, group))
                while len(waiting) > (0 if large else workers):
                    yield from waiting.popleft().result()
                if large:
                    yield from _judged(here, group, judging)
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for task in waiting:
                task.cancel()


def _judged(file: RecordedRounds, group: int, judging: _Judging) -> Iterator[_Part]:
    known = judging.table
    for batch in file.batches(group, known.layouts, known.bets):
        tally = np.zeros(len(known.outcomes), np.int64)
        totals = np.zeros((len(known.bets), kernel.TOTALS), np.int64)
        rounds, wagers = len(batch.layout), int(batch.start[-1] - batch.start[0])
        room = np.empty((2 * rounds + wagers, 5), np.int64)
        faults, unjudged = kernel.judge(
            batch.cards, batch.layout, batch.start, batch.bet, batch.after, batch.stake, batch.paid, batch.patron,
            judging.decks, judging.main, judging.arrays, judging.terms, tally, totals, room,
        )  # fmt: skip
        faulty = (file.with_names(group, batch), _in_order(room[:faults])) if faults else None
        yield _Part(rounds=rounds, wagers=wagers, unjudged=unjudged, tally=tally, totals=totals, faulty=faulty)


def _in_order(faults: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A copy of the faults sorted by round; within a round, insurance comes last."""
    return faults[np.argsort(faults[:, kernel.ROW], kind="stable")]


class _Sum:
    """Running totals over the whole file."""

    def __init__(self, table: Tables, most: int) -> None:
        self.table, self.most = table, most
        self.rounds = self.wagers = self.unjudged = self.over = self.under = 0
        self.tally = np.zeros(len(table.outcomes), np.int64)
        self.totals = [[0] * kernel.TOTALS for _ in table.bets]
        self.faults: Counter[str] = Counter()
        self.listed: list[Finding] = []

    def add(self, part: _Part) -> None:
        self.rounds += part.rounds
        self.wagers += part.wagers
        self.unjudged += part.unjudged
        self.tally += part.tally
        for mine, theirs in zip(self.totals, part.totals.tolist(), strict=True):
            mine[:] = [mine_now + other for mine_now, other in zip(mine, theirs, strict=True)]

    def note(
        self,
        batch: Batch,
        faults: npt.NDArray[np.int64],
        listed: Iterator[Finding],
        listen: Callable[[Finding], None] | None,
    ) -> None:
        for fault, count in zip(*np.unique(faults[:, kernel.FAULT], return_counts=True), strict=True):
            self.faults[CODES[Fault(int(fault))]] += int(count)
        wrong = faults[faults[:, kernel.FAULT] == Fault.WRONG_PAYMENT]
        amounts = batch.paid[wrong[:, kernel.WAGER]].tolist()
        for paid, due in zip(amounts, wrong[:, kernel.EXPECTED].tolist(), strict=True):
            recorded = 0 if paid == kernel.NO_AMOUNT else paid
            self.over += max(recorded - due, 0)
            self.under += max(due - recorded, 0)
        for finding in listed:
            if listen is not None:
                listen(finding)
            if len(self.listed) < self.most:
                self.listed.append(finding)
            elif listen is None:
                break

    def audit(self, rules: Rulebook) -> Audit:
        return Audit(
            edition=rules.id,
            rounds=self.rounds,
            judged=int(self.tally.sum()),
            wagers=self.wagers,
            unjudged_wagers=self.unjudged,
            bets={bet: _totals(row) for bet, row in zip(self.table.bets, self.totals, strict=True) if row[0]},
            faults=dict(sorted(self.faults.items())),
            overpaid_cents=self.over,
            underpaid_cents=self.under,
            findings=tuple(self.listed),
            outcomes=tuple(self.tally.tolist()),
        )


def _totals(row: list[int]) -> BetTotals:
    staked, more, due = ((row[at] << 32) + row[at + 1] for at in (kernel.STAKED, kernel.HANDED_BACK, kernel.DUE))
    return BetTotals(wagers=row[kernel.WAGERS], staked_cents=staked, handed_back_cents=due + more, due_cents=due)
