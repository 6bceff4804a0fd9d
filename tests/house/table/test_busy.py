"""A busy table: a dealer at one node, patrons and staff at two, everything at random; the laws hold at the end."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from punto.game import commands as c
from punto.game import dealing
from punto.game.audience import Audience
from punto.game.evolve import evolve
from punto.game.table import NEW, Phase, Table
from punto.house.dealer.dealers import deal
from punto.house.store import chain, codec
from punto.house.store.dealing_pace import PACE
from punto.house.table.house import House
from punto.money import Cents
from tests.house.table.playing import Time, a_house, ask, did, opening, rich, sound

PATRONS = ("ann", "bob", "cyd", "dee")


def act(chance: random.Random, table: Table) -> tuple[str, c.AnyCommand]:
    """Something that somebody might do now, sensible or not."""
    patron = chance.choice(PATRONS)
    box, bet = chance.randint(1, 3), chance.choice(("player", "banker", "tie", "tiger", "big_tiger"))
    stake = Cents(chance.choice((500, 1_000, 2_500, 30_000, 99_000)))
    known = table.patrons.get(patron)
    if known is None or not known.present:
        return patron, c.Join(patron=patron, chips_cents=Cents(chance.choice((0, 50_000, 400_000))))
    if table.phase is Phase.IRREGULARITY:
        return "sue", c.DecideIrregularity(by="sue", reason="seen on tape", order=("1", "2"))
    choices: list[c.AnyCommand] = [
        c.Sit(patron=patron, box=box),
        c.BuyChips(patron=patron, chips_cents=stake),
        c.CashChips(patron=patron, chips_cents=stake),
    ]
    match table.phase:
        case Phase.BETTING:
            choices += [c.PlaceWager(patron=patron, box=box, bet=bet, stake_cents=stake)] * 8
            choices += [
                c.RaiseWager(patron=patron, box=box, bet=bet, stake_cents=stake),
                c.LowerWager(patron=patron, box=box, bet=bet, stake_cents=Cents(500)),
                c.WithdrawWager(patron=patron, box=box, bet=bet),
            ]
        case Phase.DEALING:
            lying = [card.place for card in table.current.cards if not card.exposed]
            choices += [c.AskSqueeze(patron=patron, places=(chance.choice(dealing.PLACES),)), c.Leave(patron=patron)]
            choices += [c.ExposeCard(by=patron, place=chance.choice(lying))] * 4 if lying else []
            choices += [c.ReportIrregularity(by="sue", kind="simultaneous", count=2)]
        case Phase.OFFER:
            offer = table.current.offer
            taken = c.TakeInsurance(
                patron=patron,
                bet=offer.bet if offer else "player_insurance",
                stake_cents=stake,
            )
            choices += [taken, c.DeclineInsurance(patron=patron)] * 3
        case Phase.OPTIONS:
            choices += [c.ChooseOption(patron=patron, option=chance.choice(("continue", "returned")))] * 5
        case _:
            choices += [c.StandUp(patron=patron), c.Leave(patron=patron)]
    return patron, chance.choice(choices)


@pytest.mark.parametrize(("seed", "facing"), [(1, "up"), (2, "down"), (3, "down")])
async def test_a_busy_table_keeps_every_law(seed: int, facing: str, database_url: str) -> None:
    chance, time = random.Random(seed), Time()
    answered: Counter[str] = Counter()

    async with (
        a_house(database_url, now=time, pace_of=lambda table: PACE) as house,
        a_house(database_url, now=time, pace_of=lambda table: PACE) as other,
    ):
        await rich(house.store, *PATRONS, cents=2_000_000)
        await did(house, opening(facing=facing, decks=4))

        async def act_at(node: House) -> None:
            actor, command = act(chance, await node.table("T1"))
            answer = await ask(node, command, actor=actor, audience=Audience.PATRON)
            answered[answer.code or "accepted"] += 1

        async def sleep(seconds: float) -> None:
            for _ in range(chance.randint(0, 3)):
                await asyncio.gather(*(act_at(chance.choice((house, other))) for _ in range(chance.randint(1, 6))))
            time.pass_by(seconds)

        dealer = asyncio.ensure_future(deal(house, "T1", sleep))
        await house.follow("T1")
        while (table := await house.table("T1")).rounds < 20:
            if table.phase is Phase.IRREGULARITY:
                await act_at(house)
            else:
                await house.wait_past("T1", table.version)
        dealer.cancel()
        await asyncio.gather(dealer, return_exceptions=True)
        house.unfollow("T1")
        for node in (house, other):
            await node._workers.finish(node._tables.values())
        await sound(house)
        rows = await house.store.read("table/T1")
        assert chain.broken(chain.start("table/T1"), 0, rows) is None
        table = NEW
        for row in rows:
            table = evolve(table, codec.event(row))
        assert table == (await house.newest("T1")).table == (await other.newest("T1")).table
        total = sum(patron.balance_cents for patron in table.patrons.values()) + table.house_cents
        wallets = sum([await house.store.wallet(name) for name in PATRONS])
        lying = 2_000_000 * len(PATRONS) - wallets - total
        assert lying >= 0
        assert answered["accepted"] > 40
        assert len(answered) > 3, "some of it is refused"
