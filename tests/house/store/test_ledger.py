"""The ledger over every transcript: after each event the transfers so far add up to the table's money."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from punto.game.table import Table, lying_cents
from punto.house.store.records import Transfer
from punto.house.table import ledger
from tests.every import of_every
from tests.house.store import transcript_steps


def standing(table: Table) -> dict[str, int]:
    """What each account of the table must hold."""
    name = table.opened.table
    held = {ledger.chips(name, patron.name): patron.balance_cents for patron in table.patrons.values()}
    held[ledger.escrow(name)] = lying_cents(table)
    held[ledger.house(name)] = table.house_cents
    return {account: cents for account, cents in held.items() if cents}


@of_every(transcript_steps.names())
def test_transfers_add_up_to_the_table(name: str) -> None:
    accounts: Counter[str] = Counter()
    for step in transcript_steps.steps(name):
        moved = ledger.transfers(step.before, step.after, step.event)
        for n, transfer in enumerate(moved, 1):
            assert (transfer.stream, transfer.version, transfer.n) == (
                f"table/{step.after.opened.table}",
                step.after.version,
                n,
            )
            assert transfer.cents > 0
            assert transfer.giver != transfer.taker
            accounts[transfer.giver] -= transfer.cents
            accounts[transfer.taker] += transfer.cents
        held = {account: cents for account, cents in accounts.items() if cents and not account.startswith("wallet/")}
        assert held == standing(step.after)
        wallets = sum(cents for account, cents in accounts.items() if account.startswith("wallet/"))
        assert wallets == -step.after.issued_cents
        assert sum(accounts.values()) == 0


def test_the_transcripts_move_money_every_way() -> None:
    """Otherwise the test above would prove little."""
    ways = set()
    for name in transcript_steps.names():
        for step in transcript_steps.steps(name):
            for transfer in ledger.transfers(step.before, step.after, step.event):
                ways.add((transfer.giver.partition("/")[0], transfer.taker.partition("/")[0]))
    assert ways == {
        ("wallet", "chips"),
        ("chips", "wallet"),
        ("chips", "escrow"),
        ("escrow", "chips"),
        ("escrow", "house"),
        ("house", "escrow"),
    }


def test_money_from_nowhere_is_a_bug() -> None:
    step = next(step for step in transcript_steps.steps("insurance-won") if step.after.house_cents)
    made = msgspec.structs.replace(step.after, house_cents=step.after.house_cents + 1)
    with pytest.raises(AssertionError, match="made or lost money"):
        ledger.transfers(step.before, made, step.event)


def test_what_transfers_do_to_wallets() -> None:
    def moved(n: int, giver: str, taker: str, cents: int) -> Transfer:
        return Transfer("s", 1, n, giver, taker, cents)

    assert ledger.wallets(()) == ()
    assert ledger.wallets((moved(1, "chips/T1/ann", "escrow/T1", 5),)) == ()
    both = (moved(1, "cage", "wallet/bob", 7), moved(2, "wallet/ann", "wallet/bob", 5))
    assert ledger.wallets(both) == (("ann", -5), ("bob", 12))
    assert ledger.wallets((moved(1, "cage", "wallet/bob", 7), moved(2, "wallet/bob", "cage", 7))) == ()
