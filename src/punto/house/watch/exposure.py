"""The patron's edge on the cards left at a table, and its worth in money at the table's limits. Any node computes it on
request, from the table itself."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from punto.cards import CARDS_IN_A_DECK, RANKS
from punto.game.coup import MOST_CARDS as LEAST_CARDS
from punto.game.limits import effective
from punto.game.table import Phase, Table
from punto.house.table.governing_edition import in_use, named
from punto.money import Cents
from punto.rulebook.model import Rulebook
from punto.watch.live import Kept


class BetExposure(msgspec.Struct, frozen=True, kw_only=True):
    """A bet, or a possible offer of insurance. `edge` is the patron's, per unit staked."""

    bet: str
    edge: float
    exact: str | None = None
    """The edge as a fraction."""
    limit_cents: Cents | None = msgspec.field(name="limit")
    worst_cents: Cents | None = msgspec.field(name="worst")
    """The most that one wager at the limit can win."""
    worth_cents: Cents | None = msgspec.field(name="worth")
    """What one wager at the limit is worth to a patron who knows the edge."""


class TableExposure(msgspec.Struct, frozen=True, kw_only=True):
    """An open table, valued on exactly the cards left."""

    table: str
    name: str | None
    edition: str
    phase: str
    shoe: int
    hand: int
    left: int
    """Cards not seen, including those burnt or behind the cut card."""
    bets: list[BetExposure]
    favourable: int
    """Rounds of the table so far in which some bet favoured the patron."""
    rounds: int
    """Rounds of the table that were valued."""


def ranks_left(table: Table) -> list[int] | None:
    """13 counts, A to K. None if there is no shoe, too few cards are left, or those seen can't be of one shoe."""
    shoe = table.shoe
    if shoe is None:
        return None
    copies = shoe.cards // CARDS_IN_A_DECK
    seen = dict.fromkeys(RANKS, 0)
    for face, count in shoe.seen.items():
        seen[face[:-1].replace("10", "T")] += count
    left = [4 * copies - seen[rank] for rank in RANKS]
    return left if min(left) >= 0 and sum(left) >= LEAST_CARDS else None


def limits_of(rules: Rulebook, table: Table) -> dict[str, int]:
    """The maximum of one wager, by bet; a side bet may have none. Insurance is at most the Original Bet."""
    settings = table.opened
    bets = rules.layouts[settings.layout].bets
    shown = effective(table.limits, bets)
    limits = {bet.value: int(most) for bet in bets if (most := shown.bets[bet].maximum_cents) is not None}
    main = [limits[bet.value] for bet in bets if rules.bets[bet].main and bet.value in limits]
    return {**limits, "insurance": max(main)} if main else limits


def exposures(tables: Mapping[str, Table], kept: Mapping[str, Kept]) -> list[TableExposure]:
    """Every open table with a shoe. Raises ImportError without compiled code."""
    from punto.watch.live_stakes import edges

    by_edition: dict[str, list[str]] = {}
    for name, table in tables.items():
        rules = in_use(table)
        if table.phase is not Phase.CLOSED and rules is not None and ranks_left(table) is not None:
            by_edition.setdefault(rules.id, []).append(name)
    rows = []
    for edition, names in by_edition.items():
        rules = named(edition)
        valued = edges(rules, [ranks_left(tables[name]) or [] for name in names])
        for name, of_bets in zip(names, valued, strict=True):
            limits = limits_of(rules, tables[name])
            offered = {bet.value for bet in rules.layouts[tables[name].opened.layout].bets}
            bets = [_bet(rules, bet, edge, limits.get(bet)) for bet, edge in (of_bets or {}).items() if bet in offered]
            rows.append(_shown(name, tables[name], bets, kept.get(name) or Kept()))
    return sorted(rows, key=lambda row: -max((bet.edge for bet in row.bets), default=-1))


def exact(name: str, table: Table, kept: Kept | None) -> TableExposure | None:
    """One table with every bet and every possible offer, in fractions. Raises ImportError without compiled code."""
    from punto.watch.exposure import exposure

    rules, left = in_use(table), ranks_left(table)
    if table.phase is Phase.CLOSED or rules is None or left is None:
        return None
    limits = limits_of(rules, table)
    offered = {bet.value for bet in rules.layouts[table.opened.layout].bets}
    bets = []
    for bet in exposure(rules, left, limits):
        insurance = bet.name.startswith("insurance ")
        if insurance or bet.name in offered:
            limit = limits.get("insurance" if insurance else bet.name)
            bets.append(_exposed(bet.name, bet.edge, bet.pays, limit))
    return _shown(name, table, bets, kept or Kept())


def _bet(rules: Rulebook, bet: str, edge: float, limit: int | None) -> BetExposure:
    from punto.sim.atoms import compiled

    known = compiled(rules)
    at = [bet.value for bet in known.bets].index(bet)
    pays = Fraction(int(known.pays[:, at].max()), known.scale[at])
    return msgspec.structs.replace(_exposed(bet, Fraction(edge), pays, limit), exact=None)


def _exposed(name: str, edge: Fraction, pays: Fraction, limit: int | None) -> BetExposure:
    return BetExposure(
        bet=name,
        edge=float(edge),
        exact=str(edge),
        limit_cents=None if limit is None else Cents(limit),
        worst_cents=None if limit is None else Cents(int(pays * limit)),
        worth_cents=None if limit is None else Cents(max(int(edge * limit), 0)),
    )


def _shown(name: str, table: Table, bets: list[BetExposure], kept: Kept) -> TableExposure:
    shoe = table.in_use
    return TableExposure(
        table=name,
        name=table.opened.name,
        edition=table.round.edition if table.round is not None else table.opened.edition,
        phase=table.phase.value,
        shoe=shoe.number,
        hand=shoe.hands,
        left=shoe.cards - sum(shoe.seen.values()),
        bets=bets,
        favourable=max((favourable.rounds for favourable in kept.favourable.values()), default=0),
        rounds=kept.valued,
    )
