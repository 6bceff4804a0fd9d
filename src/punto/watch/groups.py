"""Weigh patrons who sit together as one patron; and find the rounds behind a patron's evidence, with exact edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import numpy as np

from punto.game.coup import MOST_CARDS as LEAST_CARDS
from punto.rulebook.model import Rulebook
from punto.sim.analysis import expectations
from punto.watch import stakes
from punto.watch.history import left_before
from punto.watch.ledger import Ledger, StakedRound, Suspect
from punto.watch.rows import Names, Shoes
from punto.watch.settings import Settings

SHOWN: Final = 20
"""Wagers shown of one patron."""
MOST_NAMED: Final = 200
"""Patrons whose rounds are shown."""
LOOKED_AT: Final = 50
"""Shoes of one patron that are valued exactly to find those wagers."""


def group_suspects(
    known: stakes.Counts,
    groups: Sequence[tuple[int, ...]],
    shoes: Iterable[Shoes],
    patrons: Sequence[str],
    share: float,
) -> list[Suspect]:
    """The groups to name. The stakes of a group are weighed as if one patron had placed them."""
    group_of = np.full(len(patrons), -1, np.int64)
    for at, group in enumerate(groups):
        group_of[list(group)] = at
    ledger, first = Ledger(), 0
    for shoe in shoes:
        patron = np.where(shoe.rounds.patron >= 0, group_of[shoe.rounds.patron], -1)
        as_groups = msgspec.structs.replace(shoe, rounds=msgspec.structs.replace(shoe.rounds, patron=patron))
        who, evidence = stakes.weigh(known, as_groups, first)
        ledger.add(who, evidence, first)
        first += len(shoe)
    return [
        Suspect(
            patrons=tuple(patrons[member] for member in groups[at]),
            shoes=int(ledger.shoes[at]),
            evidence=float(ledger.evidence[at]),
            p=float(1 / ledger.peak[at]),
        )
        for at in ledger.suspects(share)
    ]


def rounds_of(
    rules: Rulebook, settings: Settings, named: Sequence[int], shoes: Iterable[Shoes], names: Names
) -> dict[int, list[StakedRound]]:
    """Named patron → their wagers with the largest exact worth, from the first shoes that they were at."""
    wanted = set(named[:MOST_NAMED])
    looked = dict.fromkeys(wanted, 0)
    by_patron: dict[int, list[StakedRound]] = {patron: [] for patron in wanted}
    for watched in shoes:
        of = watched.rounds
        mine = np.isin(of.patron, list(wanted))
        if not mine.any():
            continue
        row_of = np.repeat(np.arange(len(of)), np.diff(of.start))
        shoe_of = np.full(len(of), -1)
        shoe_of[watched.order] = np.repeat(np.arange(len(watched)), np.diff(watched.first))
        for shoe in np.unique(shoe_of[row_of[mine]]).tolist():
            if shoe >= 0:
                _shoe(rules, settings, watched, shoe, looked, by_patron, names)
    return {patron: sorted(rounds, key=lambda r: -r.worth_cents)[:SHOWN] for patron, rounds in by_patron.items()}


def _shoe(
    rules: Rulebook,
    settings: Settings,
    shoes: Shoes,
    shoe: int,
    looked: dict[int, int],
    rounds: dict[int, list[StakedRound]],
    names: Names,
) -> None:
    of, bets = shoes.rounds, tuple(bet.value for bet in rules.bets)
    rows = shoes.order[shoes.first[shoe] : shoes.first[shoe + 1]]
    here = {
        patron
        for row in rows.tolist()
        for patron in of.patron[of.start[row] : of.start[row + 1]].tolist()
        if looked.get(patron, LOOKED_AT) < LOOKED_AT
    }
    if not here:
        return
    left = left_before(shoes, shoe, settings.procedure.decks)
    enough = (left.sum(axis=1) >= LEAST_CARDS) & (left >= 0).all(axis=1)
    edges = np.full((len(rows), len(bets)), np.nan)
    if enough.any():
        edges[enough] = expectations(rules, left[enough])
    for patron in here:
        looked[patron] += 1
    for number, row in enumerate(rows.tolist(), 1):
        for wager in range(int(of.start[row]), int(of.start[row + 1])):
            patron, bet = int(of.patron[wager]), int(of.bet[wager])
            if patron in here and bet < len(bets) and enough[number - 1]:
                edge, stake = float(edges[number - 1, bet]), int(of.stake[wager])
                rounds[patron].append(
                    StakedRound(
                        table=names.tables[int(of.table[row])],
                        shoe=shoes.names[shoe],
                        number=number,
                        patron=names.patrons[patron],
                        bet=bets[bet],
                        stake_cents=stake,
                        edge=edge,
                        worth_cents=stake * edge,
                    )
                )
