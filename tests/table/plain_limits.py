"""D1 to D5 a second time, slowly and plainly: full searches and Fractions, nothing taken from `punto.game.limits`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from punto.game.table import Laid, TableLimits
from punto.rulebook.model import Bet

MAIN = (Bet.PLAYER, Bet.BANKER)


def minimum(limits: TableLimits, bet: Bet) -> int:
    """D1: a bet's own figure; else the main bets share the table's, and a side bet has none."""
    own = limits.bets.get(bet)
    if own is not None and own.minimum_cents is not None:
        return own.minimum_cents
    return limits.minimum_cents if bet in MAIN else 0


def maximum(limits: TableLimits, bet: Bet) -> int | None:
    own = limits.bets.get(bet)
    if own is not None and own.maximum_cents is not None:
        return own.maximum_cents
    return limits.maximum_cents if bet in MAIN else None


def fault(limits: TableLimits, wagers: Sequence[Laid]) -> str | None:
    """The first limit that the wagers pass, in words; None where they pass none."""
    totals: dict[tuple[int, Bet], int] = {}
    for wager in wagers:
        key = (wager.box, wager.bet)
        totals[key] = totals.get(key, 0) + wager.stake_cents
    everywhere = 0
    for (box, bet), total in totals.items():
        most = maximum(limits, bet)
        if most is not None and total > most:
            return f"{total} on {bet} in box {box} is over the maximum {most}"
        if bet in MAIN:
            other = Bet.BANKER if bet is Bet.PLAYER else Bet.PLAYER
            lead = total - totals.get((box, other), 0)
            if lead > limits.maximum_differential_cents:
                return f"{bet} leads by {lead} in box {box}"
            everywhere += total if bet is Bet.BANKER else -total
    if limits.scope == "box-and-table" and abs(everywhere) > limits.maximum_differential_cents:
        return f"the table's Differential is {everywhere}"
    return None


def share(stakes: Sequence[int], capacity: int, least: int) -> list[int]:
    """D4 for wagers in the order in which they were placed: what each may have in play."""
    if sum(stakes) <= capacity:
        return list(stakes)
    shares: dict[int, int] = {at: stake for at, stake in enumerate(stakes) if stake < least}
    while True:
        rest = [at for at in range(len(stakes)) if at not in shares]
        if not rest:
            break
        room = capacity - sum(shares.values())
        exact = {at: Fraction(stakes[at] * room, sum(stakes[other] for other in rest)) for at in rest}
        under = [at for at in rest if exact[at] < least]
        if under:
            for at in under:
                shares[at] = least
            continue
        whole = {at: int(part) for at, part in exact.items()}
        while sum(whole.values()) < room:
            neediest = max(rest, key=lambda at: (exact[at] - whole[at], -at))
            whole[neediest] += 1
        shares |= whole
        break
    return [shares[at] for at in range(len(stakes))]


def in_play(limits: TableLimits, box: Sequence[Laid]) -> dict[str, int]:
    """D4 for a box in which chips were found after the close: each bet under its maximum, then the Differential."""
    parts: dict[str, int] = {}
    sides: dict[Bet, list[Laid]] = {}
    for wager in sorted(box, key=lambda laid: laid.order):
        sides.setdefault(wager.bet, []).append(wager)

    def scale(bet: Bet, capacity: int) -> None:
        stakes = [laid.stake_cents for laid in sides[bet]]
        for entry, part in zip(sides[bet], share(stakes, capacity, minimum(limits, bet)), strict=True):
            parts[entry.id] = part

    for bet, side in sides.items():
        most = maximum(limits, bet)
        scale(bet, sum(laid.stake_cents for laid in side) if most is None else most)
    player, banker = (sum(parts[laid.id] for laid in sides.get(bet, [])) for bet in MAIN)
    if abs(player - banker) > limits.maximum_differential_cents:
        heavy = Bet.PLAYER if player > banker else Bet.BANKER
        scale(heavy, limits.maximum_differential_cents + min(player, banker))
    return parts


def most_that_fits(limits: TableLimits, wagers: Sequence[Laid], new: Laid) -> int:
    """D3 by search: the largest part of a new stake that is within the limits, when every standing wager
    on the same side of the box may make way for a seated patron's."""
    movable = sum(
        wager.stake_cents
        for wager in wagers
        if new.seated and wager.box == new.box and wager.bet is new.bet and not wager.seated
    )
    for part in range(new.stake_cents, 0, -1):
        for gone in range(movable + 1):
            if _stands(limits, wagers, new, part - gone):
                return part
    return 0


def _stands(limits: TableLimits, wagers: Sequence[Laid], new: Laid, added: int) -> bool:
    """Whether the bet may have this much more (or less) in its box. An excess that this causes on the other side is
    cut afterwards (D3) and does not count here."""
    here = sum(wager.stake_cents for wager in wagers if wager.box == new.box and wager.bet is new.bet) + added
    most = maximum(limits, new.bet)
    if most is not None and here > most:
        return False
    if new.bet not in MAIN:
        return True
    other = Bet.BANKER if new.bet is Bet.PLAYER else Bet.PLAYER
    there = sum(wager.stake_cents for wager in wagers if wager.box == new.box and wager.bet is other)
    lead = added + sum(
        (wager.bet is new.bet) * wager.stake_cents - (wager.bet is other) * wager.stake_cents for wager in wagers
    )
    if limits.scope == "box-and-table" and lead > limits.maximum_differential_cents:
        return False
    return here - there <= limits.maximum_differential_cents
