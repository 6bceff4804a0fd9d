"""Compares stored balances of tables and wallets with the sums of their transfers."""

from __future__ import annotations

from collections import Counter
from typing import Final

from punto.house.audit.findings import Context
from punto.house.audit.stream_rows import StreamRows

WALLETS: Final = 'SELECT "person", "cents" FROM "wallets" ORDER BY "person"'


def compare_table(context: Context, rows: StreamRows, held: Counter[str]) -> None:
    """The accounts of a table, added up from its transfers, are what the table itself holds."""
    own = {name: cents for name, cents in rows.accounts.items() if not name.startswith("wallet/")}
    for account in sorted({*own, *held}):
        if own.get(account, 0) != held[account]:
            text = f"{account} holds {own.get(account, 0)} cents by its transfers and {held[account]} by the table"
            context.findings.add(rows.stream, rows.version, "ledger", text)


def compare_wallets(context: Context, accounts: Counter[str]) -> None:
    """Every wallet holds what its transfers come to."""
    unmatched = Counter({name.partition("/")[2]: cents for name, cents in accounts.items()})

    def fault(person: str, message: str) -> None:
        context.findings.add(f"person/{person}", 0, "wallet", message)

    for person, cents in context.reader.rows(WALLETS):
        if person not in unmatched:
            fault(person, "there is a wallet, but no transfer to or from it")
        due = unmatched.pop(person, 0)
        if cents != due:
            fault(person, f"the wallet holds {cents} cents, but its transfers come to {due}")
        if cents < 0:
            fault(person, "the wallet's balance is negative")
    for person, cents in unmatched.items():
        if cents:
            fault(person, f"there is no wallet, but transfers come to {cents} cents")
