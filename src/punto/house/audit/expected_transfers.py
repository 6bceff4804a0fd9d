"""The transfers that an event must have led to, read from the event alone: a second set of books beside the ledger.

`Layout` remembers the chips on the layout, wager by wager, because a settlement that is taken back puts them there
again. It knows no table state and shares no code with the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from punto.game import events as e
from punto.game.table import Entry, SettledLine
from punto.house.store import person as p

Moves = Counter[tuple[str, str, int]]
"""(giver, taker, cents) → count, in the order of their numbers: transfers to the layout before those from it, patrons
as they first joined."""


class Layout:
    """The chips on one table's layout, by wager, and as they were when the round was settled."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.stakes: dict[str, int] = {}
        self._settled_stakes: dict[str, int] = {}
        self._patrons: Counter[str] = Counter()
        self._house = 0
        self._joined: dict[str, int] = {}

    @property
    def cents(self) -> int:
        return sum(self.stakes.values())

    def moves(self, event: e.AnyEvent) -> Moves:
        """Add one event. Returns the transfers that it must have led to."""
        self._patrons, self._house = Counter(), 0
        outside: Moves = Counter()
        match event:
            case e.PatronJoined():
                self._joined.setdefault(event.patron, len(self._joined))
            case e.ChipsBought():
                outside[f"wallet/{event.patron}", self._chips(event.patron), int(event.chips_cents)] += 1
            case e.ChipsCashed():
                outside[self._chips(event.patron), f"wallet/{event.patron}", int(event.chips_cents)] += 1
            case e.BettingOpened():
                self.stakes, self._settled_stakes = {}, {}
            case e.WagerPlaced() | e.WagerRaised() | e.ChipsReported():
                self._stake(event.wager, event.patron, event.stake_cents)
            case e.InsuranceTaken():
                self._stake(event.insurance, event.patron, event.stake_cents)
            case e.WagerLowered() | e.WagerWithdrawn() | e.WagerCut() | e.WagerReturned():
                self._stake(event.wager, event.patron, -event.stake_cents)
            case e.RoundSettled():
                self._settled_stakes = dict(self.stakes)
                self._hand_back(event.lines)
            case _:
                self._correct(event)
        return outside + self._transfers()

    def _correct(self, event: e.AnyEvent) -> None:
        match event:
            case e.RoundVoided() | e.OptionChosen():
                if self.stakes:
                    self._hand_back(event.lines)
                else:
                    self._compensate(event.entries)
            case e.InsuranceReturned():
                self._hand_back(event.lines)
            case e.RoundReopened():
                self._compensate(event.entries)
                self.stakes = dict(self._settled_stakes)
                self._house -= self.cents
            case (
                e.OwedCollected()
                | e.PastRoundCorrected()
                | e.OriginalReturned()
                | e.InsuranceRepositioned()
                | e.RulingPaid()
            ):
                self._compensate(event.entries)
            case _:
                pass

    def _chips(self, patron: str) -> str:
        return f"chips/{self.table}/{patron}"

    def _stake(self, wager: str, patron: str, cents: int) -> None:
        self.stakes[wager] = self.stakes.get(wager, 0) + cents
        if not self.stakes[wager]:
            del self.stakes[wager]
        self._patrons[patron] -= cents

    def _hand_back(self, lines: Iterable[SettledLine]) -> None:
        for line in lines:
            self._patrons[line.patron] += line.handed_back_cents
            self._house += line.stake_cents - line.handed_back_cents
            self.stakes.pop(line.wager, None)

    def _compensate(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            cents = entry.paid_cents - entry.taken_cents
            self._patrons[entry.patron] += cents
            self._house -= cents

    def _transfers(self) -> Moves:
        """One transfer for each patron and the house, to or from the layout."""
        moves: Moves = Counter()
        in_order = sorted(self._patrons, key=lambda name: self._joined.get(name, 0))
        patrons = [(self._chips(name), self._patrons[name]) for name in in_order]
        losers, winners = ([(name, cents) for name, cents in patrons if (cents < 0) is lost] for lost in (True, False))
        hub = f"escrow/{self.table}"
        for account, cents in (*losers, (f"house/{self.table}", self._house), *winners):
            if cents > 0:
                moves[hub, account, cents] += 1
            elif cents < 0:
                moves[account, hub, -cents] += 1
        return moves


def for_person(name: str, event: p.AnyPersonEvent) -> Moves:
    """Transfers between cage and wallet: play chips, adjustments, and what a closed account returns."""
    wallet = f"wallet/{name}"
    cents = 0
    if isinstance(event, p.ChipsGranted):
        cents = event.chips_cents
    elif isinstance(event, p.BalanceAdjusted):
        cents = event.cents
    elif isinstance(event, p.AccountClosed):
        cents = -event.chips_cents
    if not cents:
        return Counter()
    return Counter({("cage", wallet, cents) if cents > 0 else (wallet, "cage", -cents): 1})
