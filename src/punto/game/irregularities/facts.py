"""What a report must tell, kind by kind, and whether it can be true of this table. A sentence says what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from punto.cards import CardError, card
from punto.game import commands as c
from punto.game import dealing, shoe
from punto.game.coup import Coup, in_deal_order, wrong
from punto.game.irregularities import missed
from punto.game.irregularities.lay import true_coup
from punto.game.refusals import Refusal
from punto.game.table import Phase, PlacedCard, Round, Table
from punto.rulebook.model import Rulebook

Check = Callable[[Rulebook, Table, c.ReportIrregularity], str | Refusal | None]

CAUSES: Final = ("foreign-card", "wrong-count", "not-reconstructible", "too-few-cards", "unshuffled")

_LATE: Final = ("late-discovery", "late-table-of-play")
OF_A_ROUND: Final = (*_LATE, "insurance-missed", "insurance-misplaced", "discretion", "blue-card", "void")
"""Kinds whose report may name a past round."""


def about_any_round(command: c.AnyCommand) -> bool:
    """Whether its `round` says which round it is about, not which one it was given in."""
    return isinstance(command, c.ReportIrregularity) and command.kind in OF_A_ROUND


def fault(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | Refusal | None:
    """The first thing wrong with a report."""
    if command.round is not None:
        text = _round(table, command)
        if text is not None:
            return text
    check = CHECKS.get(command.kind)
    return None if check is None else check(rules, table, command)


def _round(table: Table, command: c.ReportIrregularity) -> str | None:
    current = table.round is not None and command.round == table.round.number
    if command.kind in _LATE and current:
        return "this is about the current round: report another kind"
    if current or (command.round in table.past and command.kind != "void"):
        return None
    return "expected a round that this table still holds"


def _named(table: Table, command: c.ReportIrregularity) -> Round | None:
    """The round that a report is about."""
    if command.round is None or (table.round is not None and command.round == table.round.number):
        return table.round
    return table.past.get(command.round)


def shoe_gone(table: Table) -> bool:
    """I10: the round is the current one still, and the shoe that it was dealt from has ended."""
    return table.dealt_from is None


def _standing(current: Round | None) -> str | None:
    if current is None or (current.ended and current.winner is None):
        return "there is no round to put right: none was played, or it has no result already"
    return None


def _void(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    if command.cause not in CAUSES:
        return f"expected a cause: {', '.join(CAUSES)}"
    if table.phase in (Phase.READY, Phase.COMMENCING) and command.round is None:
        return "between rounds there is nothing to void; name the `round` if the last one is meant"
    return _standing(table.round)


WRONG_HANDS: Final = ("area", "person")
"""Where a card that belonged to one hand went: the other hand's place, or the person who holds the other hand."""


def _wrong_hand(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    if command.cause not in (None, *WRONG_HANDS):
        return f"expected as cause, if any is named: {' or '.join(WRONG_HANDS)}"
    return _dealt(rules, table, command)


def _together(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    return _standing(table.round)


def _dealt(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    if shoe_gone(table):
        taken = "the shoe of that round has ended: no cards of it are left to report"
        return taken if command.cards or command.count else _standing(table.round)
    if not table.current.cards and not command.cards and not command.count:
        return "no card has been dealt"
    return _standing(table.round)


def _cut_card(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    """I8: at a live shoe the Dealer may have dealt on without a word, though he entered that it came first, or not."""
    settings = table.opened
    if not settings.high_limit or settings.device == "shuffler":
        return "withdrawal is offered in a high-limit area, at a shoe with a cut card"
    against = table.in_use.cut_drawn and not table.current.cut_first
    if table.in_use.order is not None or against:
        return "by the record the cut card did not come first in this round, or withdrawal was offered"
    return _standing(table.round)


def _lying(table: Table, place: str | None) -> PlacedCard | None:
    return next((one for one in table.current.cards if one.place == place), None)


def _face_up(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | Refusal | None:
    if table.opened.facing != "down":
        return "this table is dealt face up"
    lying = _lying(table, command.place)
    if lying is None or lying.exposed:
        return "expected the place of a card that should lie face down"
    if lying.face is None:
        if command.card is None:
            return "expected the card that was seen"
        found = shoe.known_face(rules, table, command.card)
        return found if isinstance(found, Refusal) else None
    if command.card is not None and _text(command.card) != lying.face:
        return f"{lying.place} was drawn as another card"
    return None


def _text(entered: str) -> str | None:
    try:
        return str(card(entered))
    except CardError:
        return None


def _damaged(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    """A card that lies on the table, or one that was lost on its way there."""
    if _standing(table.round) is not None:
        return _standing(table.round)
    if command.place is not None:
        if _lying(table, command.place) is None or command.count:
            return "expected the place of a card of this round"
        return None
    if (
        shoe_gone(table)
        or command.count != 1
        or table.in_use.order is not None
        or table.in_use.carried
        or table.in_use.left <= 0
    ):
        return "expected the `place` of a card, or `count` 1 for one lost on its way from a live shoe"
    if table.phase not in (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER):
        return "no card was due"
    return None if isinstance(dealing.next_place(rules, table), str) else "no card was due"


def _late_play(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | Refusal | None:
    past = table.past.get(command.round or 0)
    if past is None:
        return "expected a past round that this table still holds"
    if past.winner is None:
        return "that round has no result already"
    coup = true_coup(rules, table, command.player, command.banker)
    if isinstance(coup, Refusal):
        return coup
    if wrong(rules, coup) is None:
        return f"{coup}: that is dealt by the Table of Play"
    return _others(table, past, coup)


def _late_error(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    return None if command.round is not None else "expected a past round that this table still holds"


def _missed(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    if command.after is None:
        return "expected the moment at which insurance was missed: four-cards or player-third"
    current = _named(table, command)
    if current is None or _standing(current) is not None:
        return _standing(current)
    if rules.irregularities["insurance-missed"].goes_by is not None:
        return None
    return missed.fault(rules, table, current, command.after)


def _misplaced(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    current = _named(table, command)
    if current is None or _standing(current) is not None:
        return _standing(current)
    taken = next((one for one in current.insurance if one.id == command.insurance), None)
    if taken is None:
        return "expected the insurance whose chips were put on the wrong side"
    return "its chips lie where they belong" if taken.area is taken.bet else None


def _truth(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | Refusal | None:
    """The true hands: needed once the round is settled, else where they are known to differ from the record."""
    if _standing(table.round) is not None:
        return _standing(table.round)
    if not command.player and not command.banker:
        return "expected the hands as they truly lay" if table.current.ended else None
    if command.cards or command.count:
        return "expected cards or hands, not both"
    if not table.current.all_open:
        return "turn the cards first: hands are entered once they lie open"
    coup = true_coup(rules, table, command.player, command.banker)
    return coup if isinstance(coup, Refusal) else _another(table, coup)


def _another(table: Table, coup: Coup) -> str | None:
    """Hands that differ from the record, and that the shoe could give."""
    if coup == table.current.coup:
        return f"{coup}: that is on record"
    if shoe_gone(table):
        return None
    if len(in_deal_order(coup)) - len(table.current.cards) > table.in_use.left:
        return "the shoe has not that many cards"
    return _others(table, table.current, coup)


def _others(table: Table, played: Round, coup: Coup) -> str | None:
    """O60: hands of a virtual shoe are of the cards that it gave in that round."""
    if table.opened.source != "virtual":
        return None
    same = Counter(map(str, in_deal_order(coup))) == Counter(one.face for one in played.cards)
    return None if same else "a virtual shoe gives its own cards, and these are not those of that round"


def _blue_card(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    """L3: the record knows of no blue card, or this hand would not have begun."""
    if table.in_use.order is not None or table.in_use.cut_drawn or table.opened.device == "shuffler":
        return "by the record this hand is not one after the last"
    named = _named(table, command)
    if named is not None and named.shoe != table.in_use.number:
        return "that round was dealt from another shoe"
    return None if command.round in table.past else _standing(table.round)


def _shown(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    return None if command.exposed else "a card that nobody has seen changes nothing: put it back"


def _unneeded(rules: Rulebook, table: Table, command: c.ReportIrregularity) -> str | None:
    """L6: while a card is due the next one belongs to a hand; a wrongly dealt one is another report."""
    if table.phase is Phase.DEALING and dealing.next_place(rules, table) is not None:
        return "a card is due: the next one belongs to a hand, and is drawn or reported as wrong-dealing"
    return None


CHECKS: Final[dict[str, Check]] = {
    "void": _void,
    "cut-card": _cut_card,
    "wrong-hand": _wrong_hand,
    "simultaneous": _together,
    "face-up": _face_up,
    "damaged-card": _damaged,
    "late-discovery": _late_error,
    "late-table-of-play": _late_play,
    "insurance-missed": _missed,
    "insurance-misplaced": _misplaced,
    "other-dealing-error": _truth,
    "wrong-dealing": _truth,
    "blue-card": _blue_card,
    "unneeded-card": _unneeded,
    "exposed-while-betting": _shown,
}
