"""A second, plain implementation of one box with its limits: D1 to D5 in cents, nothing taken from `punto.game`."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, Final, NamedTuple

from tests.oracle.plain import amount, cents

Wager = dict[str, Any]


class Reading(NamedTuple):
    """How the text is read where it leaves room. The default of each field is Punto's reading."""

    latest_first: bool = True
    """D3: of the standing wagers, the latest makes room first; no text says so."""
    small_goes_back: bool = True
    """D3: a wager that is cut below the minimum goes back whole; no text says so."""
    part_is_taken: bool = True
    """D3: of a stake that is too large, the part that fits is taken; the text may refuse the whole bet."""
    returned_at_close: bool = True
    """D5: a wager noticed under the minimum and not raised goes back; the text does not go that far."""


PUNTO: Final = Reading()
READINGS: Final = tuple(Reading(*flags) for flags in product((True, False), repeat=4))


class Box:
    """Wagers in the order in which they were placed; `stake` is what lies there, in cents."""

    def __init__(self, limits: dict[str, Any], reading: Reading = PUNTO) -> None:
        self.limits = limits
        self.reading = reading
        self.wagers: list[Wager] = []

    def minimum(self, bet: str) -> int:
        own = self.limits.get("bets", {}).get(bet, {}).get("minimum")
        if own is not None:
            return cents(own)
        return cents(self.limits["minimum"]) if bet in ("player", "banker") else 0

    def maximum(self, bet: str) -> int | None:
        own = self.limits.get("bets", {}).get(bet, {}).get("maximum")
        if own is None and bet in ("player", "banker"):
            own = self.limits.get("maximum")
        return None if own is None else cents(own)

    def total(self, bet: str) -> int:
        return sum(wager["stake"] for wager in self.wagers if wager["bet"] == bet)

    def room(self, bet: str) -> int:
        """What can still be added to a bet; negative where it is over its limit already."""
        rooms = [10**12]
        highest = self.maximum(bet)
        if highest is not None:
            rooms.append(highest - self.total(bet))
        if bet in ("player", "banker"):
            other = "banker" if bet == "player" else "player"
            rooms.append(cents(self.limits["maximum_differential"]) - self.total(bet) + self.total(other))
        return min(rooms)

    def add(self, name: str, bet: str, stake: int, seated: bool, before: int = 0) -> None:
        """D3: only the excess is refused; a seated patron pushes out the latest standing wagers on the same bet."""
        room = max(0, self.room(bet))
        movable = (
            sum(wager["stake"] for wager in self.wagers if wager["bet"] == bet and not wager["seated"]) if seated else 0
        )
        fits = min(stake, room + movable)
        if fits == 0 or (fits < stake and before + fits < self.minimum(bet)):
            return
        if fits < stake and not self.reading.part_is_taken:
            return
        if fits > room:
            standing = [wager for wager in self.wagers if wager["bet"] == bet and not wager["seated"]]
            self._cut(self._latest_first(standing), fits - room)
        laid = next((wager for wager in self.wagers if wager["id"] == name), None)
        if laid is None:
            laid = {"id": name, "bet": bet, "stake": 0, "seated": seated, "noticed": False}
            self.wagers.append(laid)
        laid["stake"] += fits
        laid["noticed"] = laid["stake"] < self.minimum(bet)
        if fits > room:
            self._lighten()

    def _cut(self, order: list[Wager], over: int) -> None:
        """Take this much off, from the first wager on. A wager that would be left under the minimum goes back whole."""
        for wager in order:
            if over <= 0:
                return
            off = min(over, wager["stake"])
            if self.reading.small_goes_back and wager["stake"] - off < self.minimum(wager["bet"]):
                off = wager["stake"]
            wager["stake"] -= off
            over -= off

    def _lighten(self) -> None:
        """The side that is now too large is cut: standing wagers first, then seated ones, the latest first."""
        while True:
            lead = self.total("banker") - self.total("player")
            over = abs(lead) - cents(self.limits["maximum_differential"])
            if over <= 0:
                return
            heavy = [wager for wager in self.wagers if wager["bet"] == ("banker" if lead > 0 else "player")]
            standing = [wager for wager in heavy if not wager["seated"]]
            sitting = [wager for wager in heavy if wager["seated"]]
            self._cut(self._latest_first(standing) + self._latest_first(sitting), over)

    def _latest_first(self, wagers: list[Wager]) -> list[Wager]:
        return wagers[::-1] if self.reading.latest_first else wagers

    def lower(self, name: str, stake: int | None) -> None:
        laid = next(wager for wager in self.wagers if wager["id"] == name)
        laid["stake"] -= laid["stake"] if stake is None else min(stake, laid["stake"])
        laid["noticed"] = 0 < laid["stake"] < self.minimum(laid["bet"])
        self._lighten()

    def close(self) -> None:
        """D5: a wager that was noticed under the minimum and not raised goes back."""
        for wager in self.wagers:
            if self.reading.returned_at_close and wager["noticed"] and wager["stake"] < self.minimum(wager["bet"]):
                wager["stake"] = 0
        self._lighten()

    def find_chips(self, name: str, bet: str, stake: int, seated: bool) -> dict[str, int]:
        """D4: chips are found after the close; returns what every wager then has in play."""
        self.wagers.append({"id": name, "bet": bet, "stake": stake, "seated": seated, "noticed": False})
        in_play = {wager["id"]: wager["stake"] for wager in self.wagers}
        for each in dict.fromkeys(wager["bet"] for wager in self.wagers):
            highest = self.maximum(each)
            if highest is not None:
                self._share(in_play, each, highest)
        totals = {
            side: sum(in_play[wager["id"]] for wager in self.wagers if wager["bet"] == side)
            for side in ("player", "banker")
        }
        heavy, light = sorted(totals, key=lambda side: -totals[side])
        self._share(in_play, heavy, cents(self.limits["maximum_differential"]) + totals[light])
        return in_play

    def _share(self, in_play: dict[str, int], bet: str, capacity: int) -> None:
        """Pro rata by stake; wagers under the minimum stand in full, no other falls below it."""
        mine = [wager for wager in self.wagers if wager["bet"] == bet and wager["stake"]]
        if sum(in_play[wager["id"]] for wager in mine) <= capacity:
            return
        least = self.minimum(bet)
        fixed = {wager["id"]: wager["stake"] for wager in mine if wager["stake"] < least}
        while True:
            rest = [wager for wager in mine if wager["id"] not in fixed]
            room = capacity - sum(fixed.values())
            exact = {
                wager["id"]: Fraction(wager["stake"] * room, sum(other["stake"] for other in rest)) for wager in rest
            }
            under = [name for name, part in exact.items() if part < least]
            if not under:
                break
            fixed |= dict.fromkeys(under, least)
        whole = {name: int(part) for name, part in exact.items()}
        spare = room - sum(whole.values()) if rest else 0
        for name in sorted(exact, key=lambda wager_id: whole[wager_id] - exact[wager_id])[:spare]:
            whole[name] += 1
        in_play |= fixed | whole


def after(limits: dict[str, Any], moves: list[dict[str, Any]], reading: Reading = PUNTO) -> dict[str, str]:
    """What each wager has in play after the moves."""
    box = Box(limits, reading)
    in_play: dict[str, int] | None = None
    names = dict.fromkeys(move["id"] for move in moves if move["move"] in ("place", "found"))
    by_name = {move["id"]: move for move in moves if move["move"] in ("place", "found")}
    for move in moves:
        stake = cents(move["stake"]) if "stake" in move else None
        wager = by_name.get(move.get("id", ""))
        if move["move"] in ("place", "raise"):
            assert stake is not None
            assert wager is not None
            before = sum(laid["stake"] for laid in box.wagers if laid["id"] == move["id"])
            box.add(move["id"], wager["bet"], stake, wager["seated"], before)
        elif move["move"] in ("lower", "withdraw"):
            if any(laid["id"] == move["id"] and laid["stake"] for laid in box.wagers):
                box.lower(move["id"], stake)
        elif move["move"] == "close":
            box.close()
        else:
            assert stake is not None
            in_play = box.find_chips(move["id"], move["bet"], stake, move["seated"])
    lying = in_play if in_play is not None else {laid["id"]: laid["stake"] for laid in box.wagers}
    return {name: amount(lying.get(name, 0)) for name in names}
