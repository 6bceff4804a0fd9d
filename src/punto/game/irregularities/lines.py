"""Money put right: wagers returned line by line, and compensating entries for what was settled before (I6, I10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from punto.game import insurance as insured
from punto.game.events import OwedCollected
from punto.game.table import Entry, Laid, Round, SettledLine, Table, Taken
from punto.money import Cents
from punto.rulebook.model import Rulebook


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
    return tuple(returned(wager, paragraph) for wager in wagers if patron in (None, wager.patron))


def entries(table: Table, old: tuple[SettledLine, ...], new: tuple[SettledLine, ...]) -> tuple[Entry, ...]:
    """What must move so that the new lines hold in place of the old ones of the same wagers."""
    names = {line.wager for line in new}
    moves: Counter[str] = Counter()
    for line in new:
        moves[line.patron] += line.handed_back_cents
    for line in old:
        if line.wager in names:
            moves[line.patron] -= line.handed_back_cents
    return tuple(_entry(table, patron, cents) for patron, cents in moves.items() if cents)


def reversal(table: Table, corrections: Mapping[str, int] | None = None) -> tuple[Entry, ...]:
    """Take back everything that the settlement of the current round handed out for the wagers still in it. Chips that
    lie on the layout, and nobody had entered, can't be taken."""
    current = table.current
    lying = {*current.wagers, *(taken.id for taken in current.insurance)}
    moves: Counter[str] = Counter()
    for line in current.lines:
        if line.wager in lying:
            moves[line.patron] -= line.handed_back_cents
    kept = corrections or {}
    return tuple(_entry(table, patron, cents, kept.get(patron, 0)) for patron, cents in moves.items() if cents)


def payments(table: Table, pay: dict[str, Cents]) -> tuple[Entry, ...]:
    return tuple(_entry(table, patron, cents) for patron, cents in pay.items() if cents)


def _entry(table: Table, patron: str, cents: int, kept: int = 0) -> Entry:
    """A credit clears what is owed first; a debit takes what the patron has, and books the rest as owed."""
    if cents > 0:
        cleared = min(cents, table.owed_cents.get(patron, 0))
        return Entry(patron=patron, paid_cents=Cents(cents - cleared), cleared_cents=Cents(cleared))
    known = table.patrons.get(patron)
    taken = min(-cents, max(0, (known.balance_cents if known is not None else 0) - kept))
    return Entry(patron=patron, taken_cents=Cents(taken), owed_cents=Cents(-cents - taken))


def collected(rules: Rulebook, table: Table, lines: tuple[SettledLine, ...]) -> tuple[OwedCollected, ...]:
    """What a patron could not put back when the round was reopened is kept from what its lines hand them (I10)."""
    back: Counter[str] = Counter()
    for line in lines:
        back[line.patron] += line.handed_back_cents
    entries = []
    for patron, owed in table.current.owed_cents.items():
        cents = Cents(min(owed, back[patron], table.owed_cents.get(patron, 0)))
        if cents:
            entries.append(Entry(patron=patron, taken_cents=cents, cleared_cents=cents))
    return (OwedCollected(paragraph=rules.paragraph("define.round"), entries=tuple(entries)),) if entries else ()


def misoffered(rules: Rulebook, current: Round) -> tuple[Taken, ...]:
    """Insurance taken at an offer that the cards, as they lie now, do not make."""
    return tuple(taken for taken in current.insurance if not still_offered(rules, current, taken))


def still_offered(rules: Rulebook, current: Round, taken: Taken) -> bool:
    offer = insured.offer(rules, taken.after, current.coup)
    return (
        offer is not None
        and offer.bet is taken.bet
        and offer.odds == taken.odds
        and offer.tie_paragraph == taken.tie_paragraph
    )
