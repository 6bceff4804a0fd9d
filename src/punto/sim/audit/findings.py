"""The findings of an audit about a round: the fault in a sentence, the amounts, the paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto import money
from punto.cards import DECK
from punto.game.coup import Coup, check, check_decks
from punto.game.settlement import not_offered, unknown_layout
from punto.rulebook.model import Rulebook
from punto.sim.audit.columns import CARDS
from punto.sim.audit.file import Batch
from punto.sim.audit.kernel import EXPECTED, FAULT, MOST_STAKE_CENTS, NO_AMOUNT, NO_CARD, ROW, VERDICT, WAGER, Fault
from punto.sim.audit.tables import Tables

CODES: Final[dict[Fault, str]] = {
    **{fault: fault.name.lower().replace("_", "-") for fault in Fault},
    Fault.BAD_MOMENT: "bad-record",
    Fault.BOTH_HANDS: "no-such-offer",
}
"""The codes of `punto settle`, and `wrong-payment`."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One fault. `wager` counts from 1 within its round; amounts are given where a payment can be judged."""

    round: str | int | None
    row: int
    wager: int | None
    bet: str | None
    patron: str | int | None
    code: str
    message: str
    paragraph: str | None
    stake: str | None = None
    expected: str | None = None
    recorded: str | None = None


def findings(
    rules: Rulebook, table: Tables, decks: int, batch: Batch, faults: npt.NDArray[np.int64]
) -> Iterator[Finding]:
    """The kernel's findings of one batch, as records with messages."""
    rounds = batch.raw.column("round")
    for row, wager, fault, expected, verdict in faults[:, [ROW, WAGER, FAULT, EXPECTED, VERDICT]].tolist():
        named = {} if wager < 0 else _wager(batch, wager)
        first: dict[str, Any] = {
            "round": rounds[row].as_py(),
            "row": batch.first + row,
            "wager": None if wager < 0 else wager - int(batch.start[row]) + 1,
            "bet": named.get("bet"),
            "patron": named.get("patron"),
            "code": CODES[Fault(fault)],
            "recorded": None if wager < 0 else _amount(int(batch.paid[wager])),
        }
        if Fault(fault) is Fault.WRONG_PAYMENT:
            verdict_made = table.verdicts[verdict]
            at = "" if verdict_made.odds is None else f" at {verdict_made.odds}"
            stake, due = int(batch.stake[wager]), money.amount(expected)
            message = f"{named['bet']} {verdict_made.result}{at}: {due} goes back, {first['recorded']} is recorded"
            amounts: dict[str, Any] = {"stake": money.amount(stake), "expected": due}
            yield Finding(**first, **amounts, message=message, paragraph=verdict_made.paragraph)
        else:
            message, paragraph = _refused(rules, decks, batch, row, named, Fault(fault))
            yield Finding(**first, message=message, paragraph=paragraph)


def _wager(batch: Batch, wager: int) -> dict[str, Any]:
    """The fields of one wager, as recorded in the file."""
    known: dict[str, Any] = batch.raw.column("wagers").values[wager].as_py() or {}
    return known


def _amount(value_cents: int) -> str | None:
    return None if value_cents == NO_AMOUNT else money.amount(value_cents)


def _refused(
    rules: Rulebook, decks: int, batch: Batch, row: int, named: dict[str, Any], fault: Fault
) -> tuple[str, str | None]:
    """The message and the paragraph of a fault. Where the settlement code has a refusal for it, that one is used."""
    bet, who, insurance = named.get("bet"), named.get("patron") or "the patron", rules.insurance
    match fault:
        case Fault.UNKNOWN_LAYOUT:
            refusal = unknown_layout(rules, str(batch.raw.column("layout")[row].as_py()))
            return refusal.message, refusal.paragraph
        case Fault.UNKNOWN_CARD:
            cards = ", ".join(str(batch.raw.column(name)[row].as_py()) for name in CARDS)
            return f"{cards}: not all of these are cards", rules.procedure.decks_cite
        case Fault.TOO_MANY_OF_A_CARD | Fault.TABLE_OF_PLAY:
            coup = _coup(batch, row)
            wrong = check_decks(rules, coup.player + coup.banker, decks) or check(rules, coup)
            assert wrong is not None, "the kernel and the Table of Play agree"
            return wrong.message, wrong.paragraph
        case Fault.BAD_AMOUNT:
            text = "a stake is more than 0.00 and at most " + money.amount(MOST_STAKE_CENTS)
            return text, rules.paragraph("limits.patron-duty")
        case Fault.UNKNOWN_BET | Fault.BET_NOT_ON_LAYOUT:
            layout = rules.layouts.get(str(batch.raw.column("layout")[row].as_py()), next(iter(rules.layouts.values())))
            refusal = not_offered(rules, layout, str(bet))
            return refusal.message, refusal.paragraph
        case Fault.BAD_MOMENT:
            return (
                f"{named.get('after')!r} is no moment of insurance: expected four-cards or player-third",
                insurance.cite,
            )
        case Fault.NO_ORIGINAL_BET:
            return f"{who} has no Original Bet on the hand that {bet} insures", insurance.right_cite
        case Fault.BOTH_HANDS:
            return f"{who} has wagers on both hands and is offered no insurance", insurance.both_hands_cite
        case Fault.NO_SUCH_OFFER:
            return f"{bet} was not on offer after {named.get('after')} in {_coup(batch, row)}", insurance.cite
        case Fault.INSURANCE_FORGONE:
            return (
                f"{who} let the offer after four cards pass and has none for the rest of the round",
                insurance.forgone_cite,
            )
        case _:
            return f"{who} staked more on {bet} after {named.get('after')} than the limit allows", insurance.limit.cite


def _coup(batch: Batch, row: int) -> Coup:
    codes = batch.cards[:, row].tolist()
    hands = [tuple(DECK[code] for code in codes[at : at + 3] if code != NO_CARD) for at in (0, 3)]
    return Coup(hands[0], hands[1])
