"""Watch recorded rounds: shoes, sets of cards, shuffles, exposure and patrons, in one pass and bounded memory.

If patrons sit in groups, a further pass weighs the groups. If patrons are named, another one collects their rounds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import msgspec
import numpy as np

from punto.rulebook.model import Rulebook
from punto.watch import stakes
from punto.watch.alarms import Alarm
from punto.watch.groups import group_suspects, rounds_of
from punto.watch.history import Depth, History, Measure
from punto.watch.integrity import Integrity, Result
from punto.watch.ledger import Ledger, Suspect
from punto.watch.riffles import Fit
from punto.watch.rows import Flaw, Flaws, Int64, Names, Rounds, Shoes, Sorter
from punto.watch.sets import Sets
from punto.watch.settings import Settings

MOST_ALARMS: Final = 10_000

Stretches = Callable[[], Iterable[Rounds]]
"""Reads the file from its beginning each time it is called."""


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """The results of watching a file."""

    rounds: int
    shoes: int
    cards: int
    flaws: dict[str, int]
    listed_flaws: tuple[Flaw, ...]
    alarms: tuple[Alarm, ...]
    alarms_in_all: int
    patrons: int
    suspects: tuple[Suspect, ...]
    groups: int
    suspect_groups: tuple[Suspect, ...]
    shuffles: tuple[tuple[str, Fit], ...]
    """Set and fit, for the sets that are shuffled worst."""
    valued_rounds: int
    depths: tuple[Depth, ...]
    measures: tuple[Measure, ...]


class _Part(msgspec.Struct, frozen=True, eq=False):
    """The result of one batch."""

    result: Result
    who: Int64
    evidence: stakes.Float64
    sums: np.ndarray
    valued: int
    first_shoe: int


def watch(
    rules: Rulebook,
    settings: Settings,
    stretches: Stretches,
    names: Names,
    *,
    rounds: int,
    late_limit_cents: int = 10_000,
    workers: int = 2,
    progress: Callable[[int], None] | None = None,
) -> Watched:
    """Watch a whole file. `names` gets tables, sets and patrons while the stretches are read."""
    seeing = _Seeing(rules, settings, names, rounds, late_limit_cents)
    for part in _in_order(seeing, stretches(), workers, progress):
        seeing.take(part)
    return seeing.answer(stretches)


class _Seeing:
    def __init__(self, rules: Rulebook, settings: Settings, names: Names, rounds: int, late_limit: int) -> None:
        self.rules, self.settings, self.names = rules, settings, names
        decks = settings.procedure.decks
        self.flaws = Flaws()
        self.sorter = Sorter(names.tables, self.flaws)
        self.integrity = Integrity(settings)
        self.counts = stakes.counts(rules, decks)
        self.history = History(rules, decks, rounds, late_limit)
        self.ledger = Ledger()
        self.sets = Sets(settings, self.integrity.ways)
        self.alarms: list[Alarm] = []
        self.rounds = self.shoes = self.cards = self.alarmed = 0

    def job(self, shoes: Shoes) -> Callable[[], _Part]:
        """The work of a batch that can run in parallel with other batches. The batch is prepared here, in order."""
        batch, first = self.integrity.prepare(shoes), self.shoes
        self.shoes += len(shoes)

        def work() -> _Part:
            result = self.integrity.run(batch)
            who, evidence = stakes.weigh(self.counts, shoes, first)
            sums, valued = self.history.value(shoes, first)
            return _Part(result, who, evidence, sums, valued, first)

        return work

    def take(self, part: _Part) -> None:
        alarms = self.integrity.alarms(part.result, self.names.tables)
        alarms += self.sets.add(part.result, self.names)
        self.alarmed += len(alarms)
        self.alarms += alarms[: MOST_ALARMS - len(self.alarms)]
        self.cards += len(part.result.batch.cards)
        self.ledger.add(part.who, part.evidence, part.first_shoe)
        self.history.add(part.sums, part.valued)

    def answer(self, stretches: Stretches) -> Watched:
        share = self.settings.false_discoveries
        named = self.ledger.suspects(share)
        groups = self.ledger.groups()
        suspect_groups: list[Suspect] = []
        suspects: list[Suspect] = []
        if groups:
            suspect_groups = group_suspects(self.counts, groups, self._shoes(stretches), self.names.patrons, share)
        if named:
            shown = rounds_of(self.rules, self.settings, named, self._shoes(stretches), self.names)
            evidence = self.ledger.evidence
            for patron in named:
                suspects.append(
                    Suspect(
                        patrons=(self.names.patrons[patron],),
                        shoes=int(self.ledger.shoes[patron]),
                        evidence=float(evidence[patron]),
                        p=float(1 / self.ledger.peak[patron]),
                        rounds=tuple(shown.get(patron, ())),
                    )
                )
        return Watched(
            rounds=self.rounds,
            shoes=self.shoes,
            cards=self.cards,
            flaws=dict(sorted(self.flaws.counts.items())),
            listed_flaws=tuple(self.flaws.listed),
            alarms=tuple(self.alarms),
            alarms_in_all=self.alarmed,
            patrons=int((self.ledger.shoes > 0).sum()),
            suspects=tuple(sorted(suspects, key=lambda suspect: -suspect.evidence)),
            groups=len(groups),
            suspect_groups=tuple(suspect_groups),
            shuffles=self.sets.fits(self.names.sets),
            valued_rounds=self.history.valued,
            depths=tuple(self.history.depths()),
            measures=tuple(self.history.measures()),
        )

    def _shoes(self, stretches: Stretches) -> Iterator[Shoes]:
        """Read the shoes again."""
        yield from sorted_shoes(stretches(), Sorter(self.names.tables, Flaws()))


def sorted_shoes(stretches: Iterable[Rounds], sorter: Sorter) -> Iterator[Shoes]:
    held: Rounds | None = None
    for stretch in stretches:
        if held is not None:
            yield sorter.add(held, last=False)
        held = stretch
    if held is not None:
        yield sorter.add(held, last=True)


def _in_order(
    seeing: _Seeing, stretches: Iterable[Rounds], workers: int, progress: Callable[[int], None] | None
) -> Iterator[_Part]:
    """Work on batches in parallel, and yield results in the order of the file. The queue holds at most one more than
    there are workers."""

    def counted() -> Iterator[Rounds]:
        for stretch in stretches:
            seeing.rounds += len(stretch)
            if progress is not None:
                progress(len(stretch))
            yield stretch

    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[_Part]] = deque()
        for shoes in sorted_shoes(counted(), seeing.sorter):
            if len(shoes):
                waiting.append(pool.submit(seeing.job(shoes)))
            while len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
