"""Weigh the stakes of a live shoe when it ends: for each patron, and for groups who sit together as for one patron."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from math import prod
from typing import Final

import msgspec
import numpy as np

from punto.game.coup import MOST_CARDS as LEAST_CARDS
from punto.rulebook.model import Rulebook
from punto.sim.analysis import expectations
from punto.sim.atoms import compiled
from punto.watch.ledger import LARGEST, LEAST_SHOES, MOST_IN_A_GROUP
from punto.watch.live import BEST, MOST_PATRONS, Evidence, Favourable, Kept, LiveShoe, PlayedRound, WorthRound
from punto.watch.rows import NO_CARD, Rounds, Shoes
from punto.watch.stakes import Counts, discoveries, weigh

MOST_GROUPS: Final = 256
"""Most groups kept of one table."""


class Suspicion(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence on a patron or a group over all tables. `named` follows the share of honest patrons among those
    named that the house accepts."""

    patrons: tuple[str, ...]
    shoes: int
    evidence: float
    p: float
    """Upper bound of the probability that an honest patron ever shows as much, however often one looks."""
    named: bool
    rounds: tuple[tuple[str, WorthRound], ...]
    """Table and wager, the largest worth first."""


def edges(rules: Rulebook, left: Sequence[Sequence[int]]) -> list[dict[str, float] | None]:
    """The edges of every bet on each of these shoes; None for a shoe that is too small or has a card too many."""
    good = [at for at, ranks in enumerate(left) if min(ranks) >= 0 and sum(ranks) >= LEAST_CARDS]
    answer: list[dict[str, float] | None] = [None] * len(left)
    if good:
        bets = [bet.value for bet in compiled(rules).bets]
        worths = expectations(rules, np.array([left[at] for at in good], np.int64))
        for at, row in zip(good, worths.tolist(), strict=True):
            answer[at] = dict(zip(bets, row, strict=True))
    return answer


def weigh_shoe(rules: Rulebook, known: Counts, shoe: LiveShoe, kept: Kept) -> None:
    """Weigh a shoe that has ended: count how often its cards favoured the patron, and update the evidence on everybody
    who staked in it and on the groups among them."""
    valued = edges(rules, [played.left for played in shoe.rounds])
    for staked in valued:
        _favourable(kept, staked)
    name = f"{shoe.table}/{shoe.number}"
    patrons = sorted({staked.patron for played in shoe.rounds for staked in played.staked})
    if not patrons:
        return
    groups = [group for group in _groups(kept) if set(group) & set(patrons)]
    who, evidence = weigh(known, _as_rows(known, shoe, patrons, groups), _hash(name, 0))
    for (at, _), (main, side) in zip(who.tolist(), evidence.tolist(), strict=True):
        record = (
            kept.patrons.setdefault(patrons[at], Evidence())
            if at < len(patrons)
            else kept.groups.setdefault(" ".join(groups[at - len(patrons)]), Evidence())
        )
        record.main, record.side = min(record.main * main, LARGEST), min(record.side * side, LARGEST)
        record.shoes += 1
        record.marks = (min(record.marks[0], _hash(name, 1)), min(record.marks[1], _hash(name, 2)))
    for played, edge in zip(shoe.rounds, valued, strict=True):
        _best(kept, shoe.number, played, edge)
    _bound(kept)


def _favourable(kept: Kept, edges: dict[str, float] | None) -> None:
    if edges is None:
        return
    kept.valued += 1
    for bet, edge in edges.items():
        if edge > 0:
            favourable = kept.favourable.setdefault(bet, Favourable())
            favourable.rounds += 1
            favourable.edges += edge
            favourable.largest = max(favourable.largest, edge)


def _groups(kept: Kept) -> list[tuple[str, ...]]:
    """Groups of patrons who have been at the same shoes so far, whatever they staked."""
    by_marks: dict[tuple[int, int], list[str]] = {}
    for name, evidence in kept.patrons.items():
        if evidence.shoes >= LEAST_SHOES:
            by_marks.setdefault(evidence.marks, []).append(name)
    together = [tuple(sorted(names)) for names in by_marks.values() if 2 <= len(names) <= MOST_IN_A_GROUP]
    known = [tuple(names.split()) for names in kept.groups]
    return list(dict.fromkeys([*known, *together]))[:MOST_GROUPS]


def _as_rows(known: Counts, shoe: LiveShoe, patrons: Sequence[str], groups: Sequence[tuple[str, ...]]) -> Shoes:
    """The shoe as rows of a file. A group is a further patron who stakes what its members stake."""
    number = {name: [at] for at, name in enumerate(patrons)}
    for at, group in enumerate(groups, len(patrons)):
        for name in group:
            number.setdefault(name, []).append(at)
    bets = {bet: at for at, bet in enumerate(known.bets)}
    wagers = [
        [
            (bets[stake.bet], stake.stake_cents, at)
            for stake in played.staked
            if stake.bet in bets and stake.stake_cents > 0
            for at in number[stake.patron]
        ]
        for played in shoe.rounds
    ]
    every, count = [wager for row in wagers for wager in row], len(shoe.rounds)
    cards = [[NO_CARD if card is None else card for card in played.cards] for played in shoe.rounds]
    rows = Rounds(
        row=np.arange(count),
        cards=np.array(cards, np.uint8).T.copy(),
        suited=np.ones(count, bool),
        table=np.zeros(count, np.int64),
        card_set=np.zeros(count, np.int64),
        shoe=np.zeros(count, np.int64),
        shoes=(str(shoe.number),),
        number=np.arange(1, count + 1),
        start=np.r_[0, np.cumsum([len(row) for row in wagers])],
        bet=np.array([stake[0] for stake in every], np.uint8),
        stake=np.array([stake[1] for stake in every], np.int64),
        patron=np.array([stake[2] for stake in every], np.int64),
    )
    return Shoes(
        rounds=rows,
        order=np.arange(count),
        first=np.array([0, count]),
        gap=np.zeros(count, bool),
        names=(str(shoe.number),),
    )


def _best(kept: Kept, shoe: int, played: PlayedRound, edges: dict[str, float] | None) -> None:
    """Keep the round's wagers that are among the best of their patron, if the patron was weighed."""
    for stake in played.staked if edges is not None else ():
        edge = edges.get(stake.bet) if edges is not None else None
        patron = kept.patrons.get(stake.patron)
        if patron is not None and edge is not None and edge > 0:
            worth = WorthRound(shoe=shoe, round=played.number, bet=stake.bet, stake_cents=stake.stake_cents, edge=edge)
            patron.best.append(worth)
            patron.best.sort(key=lambda wager: -wager.worth_cents)
            del patron.best[BEST:]


def _bound(kept: Kept) -> None:
    """If there are too many patrons or groups, forget those with the least evidence."""
    for held, most in ((kept.patrons, MOST_PATRONS), (kept.groups, MOST_GROUPS)):
        spare = sorted(held, key=lambda name: held[name].main + held[name].side)[: max(len(held) - most, 0)]
        for name in spare:
            del held[name]


def _hash(name: str, salt: int) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=7, salt=bytes([salt])).digest())


def judged(tables: Mapping[str, Kept], share: float) -> tuple[list[Suspicion], list[Suspicion]]:
    """The suspicions on patrons, and on groups. Each list is judged with half of the share, so that both keep to it."""
    return suspicions(tables, share / 2, groups=False), suspicions(tables, share / 2, groups=True)


def suspicions(tables: Mapping[str, Kept], share: float, *, groups: bool) -> list[Suspicion]:
    """All patrons or groups over all tables, the most evidence first. At each table the evidence is a separate fair bet
    on other shoes, so it is multiplied over tables."""
    by_name: dict[str, list[tuple[str, Evidence]]] = {}
    for table, kept in tables.items():
        for name, evidence in (kept.groups if groups else kept.patrons).items():
            by_name.setdefault(name, []).append((table, evidence))
    names = list(by_name)
    values = [_over_tables([evidence for _, evidence in by_name[name]]) for name in names]
    named = set(discoveries(values, share))
    listed = [
        Suspicion(
            patrons=tuple(name.split()) if groups else (name,),
            shoes=sum(evidence.shoes for _, evidence in by_name[name]),
            evidence=values[at],
            p=min(1.0, 1 / values[at]) if values[at] > 0 else 1.0,
            named=at in named,
            rounds=_rounds(by_name[name]),
        )
        for at, name in enumerate(names)
    ]
    return sorted(listed, key=lambda suspicion: -suspicion.evidence)


def _over_tables(held: list[Evidence]) -> float:
    main, side = prod(evidence.main for evidence in held), prod(evidence.side for evidence in held)
    return (min(main, LARGEST) + min(side, LARGEST)) / 2


def _rounds(held: list[tuple[str, Evidence]]) -> tuple[tuple[str, WorthRound], ...]:
    best = [(table, wager) for table, evidence in held for wager in evidence.best]
    return tuple(sorted(best, key=lambda pair: -pair[1].worth_cents)[:BEST])
