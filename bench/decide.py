"""How fast one core runs realistic commands through `decide` and `evolve`, compared with a no-op command."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from punto.cards import DECK
from punto.game import commands as c
from punto.game.decide import apply
from punto.game.refusals import Refusal
from punto.game.table import NEW, Phase, Table, TableLimits
from punto.money import Cents
from punto.rulebook import load
from punto.rulebook.model import Rank, Rulebook

ROUNDS = 4_000
SEATS = 6
REPEATS = 5


def script(rules: Rulebook, rounds: int) -> list[c.AnyCommand]:
    """Commands for a table with six seated patrons and one standing: main and side bets, insurance, and as many shoes
    as the rounds need."""
    chance = random.Random(1)
    limits = TableLimits(minimum_cents=Cents(1000), maximum_differential_cents=Cents(10_000_000))
    commands: list[c.AnyCommand] = []
    table: Table = NEW

    def ask(command: c.AnyCommand) -> None:
        nonlocal table
        table, answer = apply(rules, table, command)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"
        commands.append(command)

    ask(
        c.OpenTable(
            by="sue", table="T1", edition=rules.id, layout="A", positions=SEATS, limits=limits, source="virtual"
        )
    )
    ask(c.StartDuty(name="dan", rank=Rank.DEALER))
    patrons = [f"patron {at}" for at in range(1, SEATS + 2)]
    for at, name in enumerate(patrons, 1):
        ask(c.Join(patron=name, chips_cents=Cents(10**12)))
        if at <= SEATS:
            ask(c.Sit(patron=name, box=at))
    bets = rules.layouts["A"].bets
    while table.rounds < rounds or table.phase is not Phase.SETTLED:
        if table.phase is Phase.NO_SHOE:
            order = [str(card) for card in DECK * 8]
            chance.shuffle(order)
            ask(c.LoadShoe(by="dan", count=len(order), shuffled=True, order=tuple(order)))
            ask(c.PlaceCutCard(by="dan", after=len(order) - 14))
        if table.in_use.last_round:
            ask(c.EndShoe(by="dan"))
            continue
        ask(c.OpenBetting(by="dan"))
        for at, name in enumerate(patrons):
            box = min(at + 1, SEATS)
            main = chance.choice(("player", "banker"))
            ask(c.PlaceWager(patron=name, box=box, bet=main, stake_cents=Cents(100 * chance.randint(10, 900))))
            if chance.random() < 0.5:
                side = chance.choice(bets[2:])
                ask(c.PlaceWager(patron=name, box=box, bet=side, stake_cents=Cents(100 * chance.randint(1, 90))))
            if chance.random() < 0.2:
                ask(c.RaiseWager(patron=name, box=box, bet=main, stake_cents=Cents(1000)))
        ask(c.CloseBetting(by="dan"))
        while table.phase is not Phase.COMPLETE:
            offer = table.current.offer
            for name in offer.patrons if offer is not None else ():
                if chance.random() < 0.4:
                    assert offer is not None
                    ask(c.TakeInsurance(patron=name, bet=offer.bet, stake_cents=Cents(500)))
            ask(c.DrawCard(by="dan"))
        ask(c.Settle(by="dan"))
    return commands


def seconds(rules: Rulebook, commands: list[c.AnyCommand]) -> float:
    """How long one core takes to decide and evolve all commands, from a new table."""
    table: Table = NEW
    start = time.perf_counter()
    for command in commands:
        table, _ = apply(rules, table, command)
    return time.perf_counter() - start


def main() -> None:
    """Print commands a second, and the ratio to a command that is refused at once."""
    rules = load.edition("tiger-buffalo-commission", "2025-11-21")
    commands = script(rules, ROUNDS)
    idle: list[c.AnyCommand] = [c.Settle(by="dan")] * len(commands)
    ours = min(seconds(rules, commands) for _ in range(REPEATS))
    none = min(seconds(rules, idle) for _ in range(REPEATS))
    rate, still = len(commands) / ours, len(idle) / none
    each = len(commands) / ROUNDS
    print(f"decide and evolve {rate:>10,.0f} commands/s, {ROUNDS:,} rounds of {each:.1f} commands, one core")
    print(f"no-op (refused)   {still:>10,.0f} commands/s")
    print(f"ratio             {still / rate:>10.1f}")


if __name__ == "__main__":
    main()
