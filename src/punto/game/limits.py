"""Limits and the Differential: D1 to D5. Pure arithmetic over wagers as they lie; nothing here moves a chip."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from punto.game.table import BetLimits, Laid, TableLimits
from punto.money import Cents
from punto.rulebook.model import Bet

MAIN = (Bet.PLAYER, Bet.BANKER)
NO_LIMITS = BetLimits()
UNLIMITED_CENTS = 10**18


class Room(msgspec.Struct, frozen=True):
    """How much a standing patron can still add to a bet in a box. The seated one can push out standing wagers too."""

    cents: int
    standing: tuple[Laid, ...]
    bound: str

    @property
    def seated_cents(self) -> int:
        return self.cents + sum(wager.stake_cents for wager in self.standing)


class Cut(msgspec.Struct, frozen=True):
    """A wager cut back by an amount (D3); all of it where the remainder would be under the minimum."""

    wager: Laid
    amount_cents: int


class Fit(msgspec.Struct, frozen=True):
    """How much of a stake fits, which wagers are cut to make room for it, and which limit excludes the rest."""

    fits_cents: int
    cuts: tuple[Cut, ...]
    bound: str


def other(bet: Bet) -> Bet:
    return Bet.BANKER if bet is Bet.PLAYER else Bet.PLAYER


def minimum_cents(limits: TableLimits, bet: Bet) -> int:
    """D1: the main bets share a minimum; a side bet has its own, or none."""
    own = limits.bets.get(bet, NO_LIMITS).minimum_cents if limits.bets else None
    return own if own is not None else limits.minimum_cents if bet in MAIN else 0


def maximum_cents(limits: TableLimits, bet: Bet) -> int | None:
    own = limits.bets.get(bet, NO_LIMITS).maximum_cents if limits.bets else None
    return own if own is not None else limits.maximum_cents if bet in MAIN else None


def bounded(limits: TableLimits) -> tuple[Bet, ...]:
    """The bets that have a maximum or share the Differential."""
    own = [bet for bet in limits.bets if bet not in MAIN and maximum_cents(limits, bet) is not None]
    return (*MAIN, *own)


def effective(limits: TableLimits, bets: Iterable[Bet]) -> TableLimits:
    """D1: the same limits with the effective figures of every bet, so that nobody has to work them out."""
    figures = {
        bet: BetLimits(
            minimum_cents=_cents(minimum_cents(limits, bet)), maximum_cents=_cents(maximum_cents(limits, bet))
        )
        for bet in bets
    }
    return msgspec.structs.replace(limits, bets=figures)


def _cents(amount: int | None) -> Cents | None:
    return None if amount is None else Cents(amount)


def total_cents(wagers: list[Laid], bet: Bet) -> int:
    return sum([wager.stake_cents for wager in wagers if wager.bet is bet])


def in_box(wagers: dict[str, Laid], box: int) -> list[Laid]:
    return [wager for wager in wagers.values() if wager.box == box]


def differential_cents(wagers: Iterable[Laid]) -> int:
    """D2: Banker less Player, without its sign."""
    player, banker = MAIN
    lead = 0
    for wager in wagers:
        if wager.bet is banker:
            lead += wager.stake_cents
        elif wager.bet is player:
            lead -= wager.stake_cents
    return abs(lead)


def fit(limits: TableLimits, wagers: dict[str, Laid], box: int, bet: Bet, stake_cents: int, *, seated: bool) -> Fit:
    """D3: the part of a stake that fits. A seated patron's may push out the latest standing wagers on the same side."""
    room = room_in(limits, wagers, in_box(wagers, box), bet)
    standing = room.standing if seated else ()
    fits = min(stake_cents, room.seated_cents if seated else room.cents)
    if fits <= room.cents:
        return Fit(fits, (), room.bound)
    return Fit(fits, tuple(cut_back(limits, standing, fits - room.cents)), room.bound)


def room_in(limits: TableLimits, wagers: dict[str, Laid], here: list[Laid], bet: Bet) -> Room:
    """What can still be added to a bet in a box with these wagers, and which limit bounds it."""
    against = other(bet) if bet in MAIN else None
    laid, rival, standing = 0, 0, []
    for wager in here:
        if wager.bet is bet:
            laid += wager.stake_cents
            if not wager.seated:
                standing.append(wager)
        elif wager.bet is against:
            rival += wager.stake_cents
    most, bound = UNLIMITED_CENTS, "nothing"
    if against is not None:
        most, bound = limits.maximum_differential_cents - laid + rival, "differential"
    highest = maximum_cents(limits, bet)
    if highest is not None and highest - laid < most:
        most, bound = highest - laid, "maximum"
    if against is not None and limits.scope == "box-and-table":
        everywhere = list(wagers.values())
        left = limits.maximum_differential_cents - total_cents(everywhere, bet) + total_cents(everywhere, against)
        if left < most:
            most, bound = left, "table differential"
    return Room(max(0, most), tuple(standing), bound)


def cut_back(limits: TableLimits, wagers: Iterable[Laid], amount_cents: int) -> list[Cut]:
    """D3: take an amount off these wagers, standing before seated and the latest first."""
    cuts = []
    left = amount_cents
    for wager in sorted(wagers, key=lambda laid: (laid.seated, -laid.order)):
        if left <= 0:
            break
        off = min(left, wager.stake_cents)
        if wager.stake_cents - off < minimum_cents(limits, wager.bet):
            off = wager.stake_cents
        cuts.append(Cut(wager, off))
        left -= off
    return cuts


def excess(limits: TableLimits, wagers: dict[str, Laid]) -> list[Cut]:
    """D3: what lies too much on one side of a box, or of the table, once the other side has become lighter.

    A cut in one box can leave too much on its other side, so this repeats until the limits hold; it only cuts.
    """
    lying = dict(wagers)
    while True:
        cuts = next((too_much for group in _groups(limits, lying) if (too_much := _too_much(limits, group))), None)
        if cuts is None:
            break
        for cut in cuts:
            left = cut.wager.stake_cents - cut.amount_cents
            lying[cut.wager.id] = msgspec.structs.replace(cut.wager, stake_cents=left)
    return [
        Cut(wager, wager.stake_cents - lying[name].stake_cents)
        for name, wager in wagers.items()
        if lying[name].stake_cents < wager.stake_cents
    ]


def _groups(limits: TableLimits, wagers: dict[str, Laid]) -> list[list[Laid]]:
    """Where the Differential is judged (D2): in each box, then over the table where it is set to."""
    lying = [wager for wager in wagers.values() if wager.bet in MAIN and wager.stake_cents]
    groups = [[wager for wager in lying if wager.box == box] for box in dict.fromkeys(wager.box for wager in lying)]
    return [*groups, lying] if limits.scope == "box-and-table" else groups


def _too_much(limits: TableLimits, group: list[Laid]) -> list[Cut]:
    over = differential_cents(group) - limits.maximum_differential_cents
    if over <= 0:
        return []
    heavy = max(MAIN, key=lambda bet: total_cents(group, bet))
    return cut_back(limits, [wager for wager in group if wager.bet is heavy], over)


def shares_cents(wagers: list[Laid], capacity_cents: int, minimum: int) -> dict[str, int]:
    """D4: share a capacity among wagers by whole cents.

    Wagers under the minimum stand in full and use it up first; the others share the rest in proportion, but none falls
    under the minimum; largest remainders, ties to the earlier wager.
    """
    small = [wager for wager in wagers if wager.stake_cents < minimum]
    shares = {wager.id: wager.stake_cents for wager in small}
    sharing = sorted((wager for wager in wagers if wager.stake_cents >= minimum), key=lambda laid: laid.order)
    left = capacity_cents - sum(shares.values())
    while sharing:
        total = sum(wager.stake_cents for wager in sharing)
        lifted = [wager for wager in sharing if wager.stake_cents * left < minimum * total]
        if not lifted:
            break
        shares |= {wager.id: minimum for wager in lifted}
        left -= minimum * len(lifted)
        sharing = [wager for wager in sharing if wager not in lifted]
    return shares | _proportional(sharing, left)


def _proportional(wagers: list[Laid], capacity_cents: int) -> dict[str, int]:
    total = sum(wager.stake_cents for wager in wagers)
    if capacity_cents >= total:
        return {wager.id: wager.stake_cents for wager in wagers}
    parts = {wager.id: divmod(wager.stake_cents * capacity_cents, total) for wager in wagers}
    spare = capacity_cents - sum(whole for whole, _ in parts.values())
    first = sorted(wagers, key=lambda laid: (-parts[laid.id][1], laid.order))[:spare]
    return {wager.id: parts[wager.id][0] + (wager in first) for wager in wagers}


def pro_rata(limits: TableLimits, wagers: dict[str, Laid], box: int) -> dict[str, int]:
    """D4: what is in play of every wager of a box in which chips were found after the close."""
    here = in_box(wagers, box)
    shares: dict[str, int] = {}
    for bet in dict.fromkeys(wager.bet for wager in here):
        side = [wager for wager in here if wager.bet is bet]
        highest = maximum_cents(limits, bet)
        laid = total_cents(side, bet)
        shares |= shares_cents(side, laid if highest is None else min(laid, highest), minimum_cents(limits, bet))
    sides = {bet: [wager for wager in here if wager.bet is bet] for bet in MAIN}
    in_play = {bet: sum(shares[wager.id] for wager in side) for bet, side in sides.items()}
    heavy = max(MAIN, key=lambda bet: in_play[bet])
    capacity = limits.maximum_differential_cents + in_play[other(heavy)]
    if in_play[heavy] > capacity:
        shares |= shares_cents(sides[heavy], capacity, minimum_cents(limits, heavy))
    return shares
