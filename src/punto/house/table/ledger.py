"""Double entry: every change of a table's money moves chips or cents from one account to another.

Accounts: `cage` (what was issued, as a negative sum), `wallet/<person>`, `chips/<table>/<person>`, `escrow/<table>`
(what lies on the layout) and `house/<table>` (what the table won or lost; may be negative).
"""

from __future__ import annotations

from typing import Final

from punto.game.events import AnyEvent, ChipsBought, ChipsCashed
from punto.game.table import Table, lying_cents
from punto.house.store.records import Transfer

CAGE: Final = "cage"
_WALLET: Final = "wallet/"
_AT_THE_CAGE: Final = (ChipsBought, ChipsCashed)


def wallet(person: str) -> str:
    return f"{_WALLET}{person}"


def chips(table: str, person: str) -> str:
    return f"chips/{table}/{person}"


def escrow(table: str) -> str:
    return f"escrow/{table}"


def house(table: str) -> str:
    return f"house/{table}"


def transfers(before: Table, after: Table, event: AnyEvent) -> tuple[Transfer, ...]:
    """The transfers of an event, from the table's money before and after it.

    Chips bought and cashed come from and go to the person's wallet; all else goes through the layout, the escrow.
    """
    if before.patrons is after.patrons and before.round is after.round and before.house_cents == after.house_cents:
        return ()
    table = after.opened.table
    layout = escrow(table)
    moves: list[tuple[str, str, int]] = []
    issued = after.issued_cents - before.issued_cents
    buyer = event.patron if isinstance(event, _AT_THE_CAGE) else None
    if buyer is not None:
        _move(moves, wallet(buyer), chips(table, buyer), issued)
    gained: list[tuple[str, str, int]] = []
    held = 0
    for name, patron in after.patrons.items():
        known = before.patrons.get(name)
        if known is patron:
            continue
        change = patron.balance_cents - (known.balance_cents if known is not None else 0)
        held += change
        if name == buyer:
            change -= issued
        _move(moves if change < 0 else gained, layout, chips(table, name), change)
    won = after.house_cents - before.house_cents
    _move(moves, house(table), layout, -won)
    moves += gained
    # M4: patrons, layout and house together hold what was issued.
    assert held + won + lying_cents(after) - lying_cents(before) == issued, "an event made or lost money"
    stream, version = f"table/{table}", after.version
    return tuple(
        [Transfer(stream, version, n, giver, taker, cents) for n, (giver, taker, cents) in enumerate(moves, 1)]
    )


def wallets(transfers: tuple[Transfer, ...]) -> tuple[tuple[str, int], ...]:
    """What transfers do to wallets, by person, in the order in which a store changes them.

    A wallet that goes down before it comes up again is changed in these two steps: however many commands go into one
    commit, none of them spends what only a later one brings.
    """
    change: dict[str, int] = {}
    lowest: dict[str, int] = {}
    for transfer in transfers:
        for account, cents in ((transfer.giver, -transfer.cents), (transfer.taker, transfer.cents)):
            if account.startswith(_WALLET):
                person = account.removeprefix(_WALLET)
                change[person] = change.get(person, 0) + cents
                lowest[person] = min(lowest.get(person, 0), change[person])
    if not change:
        return ()
    steps = (
        (person, cents) for person in sorted(change) for cents in (lowest[person], change[person] - lowest[person])
    )
    return tuple((person, cents) for person, cents in steps if cents)


def _move(moves: list[tuple[str, str, int]], giver: str, taker: str, cents: int) -> None:
    """A negative amount goes the other way."""
    if cents > 0:
        moves.append((giver, taker, cents))
    elif cents < 0:
        moves.append((taker, giver, -cents))
