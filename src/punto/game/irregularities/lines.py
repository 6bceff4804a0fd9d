"""Money put right: wagers returned line by line, and compensating entries for what was settled before (I6, I10)."""

from __future__ import annotations

from collections import Counter

from punto.game.table import Entry, Laid, Round, SettledLine, Table, Taken
from punto.money import Cents


def returned(wager: Laid | Taken, paragraph: str) -> SettledLine:
    """A whole wager handed back."""
    return SettledLine(
        wager=wager.id,
        patron=wager.patron,
        bet=wager.bet,
        result="returned",
        paragraph=paragraph,
        stake_cents=Cents(wager.stake_cents),
        winnings_cents=Cents(0),
        handed_back_cents=Cents(wager.stake_cents),
    )


def all_returned(current: Round, paragraph: str, patron: str | None = None) -> tuple[SettledLine, ...]:
    """Every wager and insurance of a round, or of one patron in it, handed back."""
    wagers: list[Laid | Taken] = [*current.wagers.values(), *current.insurance]
    return tuple(returned(one, paragraph) for one in wagers if patron in (None, one.patron))


def entries(table: Table, old: tuple[SettledLine, ...], new: tuple[SettledLine, ...]) -> tuple[Entry, ...]:
    """What must move so that the new lines hold in place of the old ones."""
    moves: Counter[str] = Counter()
    for line in new:
        moves[line.patron] += line.handed_back_cents
    for line in old:
        moves[line.patron] -= line.handed_back_cents
    return tuple(_entry(table, patron, cents) for patron, cents in moves.items() if cents)


def reversal(table: Table, lines: tuple[SettledLine, ...]) -> tuple[Entry, ...]:
    """Take back everything that a settlement handed out."""
    return entries(table, lines, ())


def payments(table: Table, pay: dict[str, Cents]) -> tuple[Entry, ...]:
    return tuple(_entry(table, patron, cents) for patron, cents in pay.items() if cents)


def _entry(table: Table, patron: str, cents: int) -> Entry:
    """A credit clears what is owed first; a debit takes what the patron has, and books the rest as owed."""
    if cents > 0:
        cleared = min(cents, table.owed_cents.get(patron, 0))
        return Entry(patron=patron, paid_cents=Cents(cents - cleared), cleared_cents=Cents(cleared))
    taken = min(-cents, table.patrons[patron].balance_cents)
    return Entry(patron=patron, taken_cents=Cents(taken), owed_cents=Cents(-cents - taken))
