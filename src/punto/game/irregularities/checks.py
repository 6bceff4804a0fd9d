"""Whether a report can be true of this table, kind by kind. A sentence says what is wrong with it."""

from __future__ import annotations

from collections import Counter
from typing import Final

from punto.codes import Code
from punto.game import dealing
from punto.game.coup import MOST_CARDS, Coup, in_deal_order, wrong
from punto.game.irregularities import missed
from punto.game.irregularities import records as r
from punto.game.irregularities.kinds import Kind
from punto.game.irregularities.reconstruction import rightly_numbered, true_coup
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Round, Table
from punto.rulebook.model import Rulebook

LONGEST_TEXT: Final = 2000
"""Letters of a note, a reason, or what a board showed."""

NO_SUCH_ROUND: Final = "this table has played no such round"
UNREAD: Final = "the round is no longer held here, and was not read back"


def named_round(table: Table, number: int | None) -> Round | None:
    """The round that a report is about: the current one where it names none."""
    if number is None or (table.round is not None and number == table.round.number):
        return table.round
    return table.past.get(number)


def round_fault(table: Table, number: int | None, *, past_only: bool) -> str | None:
    """What is wrong with the `round` that a report names."""
    if number is None:
        return None
    current = table.round is not None and number == table.round.number
    if past_only and current:
        return "this is about the current round: report another kind"
    if current or number in table.past:
        return None
    return UNREAD if 0 < number <= table.rounds else NO_SUCH_ROUND


def shoe_gone(table: Table) -> bool:
    """I10: the round is the current one still, and the shoe that it was dealt from has ended."""
    return table.dealt_from is None


_OF_THE_CURRENT: Final = frozenset(
    {Kind.VOID, Kind.CUT_CARD, Kind.WRONG_HAND, Kind.SIMULTANEOUS, Kind.DAMAGED_CARD, Kind.OTHER_DEALING_ERROR}
)
_OF_ANY: Final = frozenset({Kind.INSURANCE_MISSED, Kind.INSURANCE_MISPLACED, Kind.DISPLAYS, Kind.WRONG_DEALING})
"""Kinds about the current round, and about any round: there may be no such round, or one without result."""


def nowhere(table: Table, kind: str, *, past_only: bool) -> str | None:
    """Why a kind can't come about at this table, whatever a report says of it."""
    settings = table.opened
    if kind == Kind.FACE_UP and settings.facing != "down":
        return "this table is dealt face up"
    if kind == Kind.CUT_CARD and (not settings.high_limit or settings.device == "shuffler"):
        return "withdrawal is offered in a high-limit area, at a shoe with a cut card"
    if past_only and table.rounds <= (table.round is not None):
        return "no earlier round was played: report another kind"
    if kind in _OF_ANY and table.rounds:
        return None
    return standing_fault(table.round) if kind in _OF_ANY | _OF_THE_CURRENT else None


def standing_fault(current: Round | None) -> str | None:
    if current is None or (current.ended and current.winner is None):
        return "there is no round to correct: none was played, or it already ended without a result"
    return None


def void(rules: Rulebook, table: Table, facts: r.VoidFacts) -> str | Refusal | None:
    """I5: 5.5 is about the current round. Found after its settlement, all causes but one call for new cards only."""
    if facts.round is not None and named_round(table, facts.round) is not table.round:
        return "earlier rounds stand: only the current round is void by this"
    if table.phase in (Phase.READY, Phase.COMMENCING) and facts.round is None:
        return "between rounds there is nothing to void; name the `round` if the last one is meant"
    if standing_fault(table.round) is not None:
        return standing_fault(table.round)
    fault = _refuted(rules, table, facts.cause)
    if fault is None and only_new_cards(table, facts.cause) and shoe_gone(table):
        fault = "the round is settled and its cards are gone: nothing is void, and there are none to replace"
    cite = rules.topics.get(f"void.{facts.cause}", rules.irregularities["void"].cite)
    return None if fault is None else refuse(Code.BAD_REPORT, fault, cite)


def only_new_cards(table: Table, cause: str | None) -> bool:
    """I5: whether a settled round stands whatever the cards were like: only 5.5.3 voids one."""
    return table.current.ended and cause != r.Cause.NOT_RECONSTRUCTIBLE


def _refuted(rules: Rulebook, table: Table, cause: r.Cause) -> str | None:
    """I5: what the house's own record of a virtual shoe says against a cause."""
    if table.opened.source != "virtual":
        return None
    current, left = table.current, table.shoe
    if cause in (r.Cause.FOREIGN_CARD, r.Cause.WRONG_COUNT):
        return "by the record this shoe is of whole decks, each card of them once"
    there = 0 if left is None else left.left + len(left.carried) + len(current.cards)
    if cause is r.Cause.TOO_FEW_CARDS and left is not None and there >= MOST_CARDS:
        return f"by the record {left.left} cards are left: enough for this round"
    if cause is r.Cause.NOT_RECONSTRUCTIBLE and current.all_open:
        assert rightly_numbered(rules, current.coup), "a virtual shoe deals by the Table of Play"
        return "by the record both hands have the number of cards that the Table of Play calls for"
    return None


def excess(rules: Rulebook, table: Table, facts: r.ExcessFacts) -> str | Refusal | None:
    return hands(rules, table, facts) if facts.player or facts.banker else None


def wrong_hand(rules: Rulebook, table: Table, facts: r.WrongHandFacts) -> str | Refusal | None:
    if facts.player or facts.banker:
        return hands(rules, table, facts)
    if shoe_gone(table):
        gone = "the shoe of that round has ended: no cards of it are left to report"
        return gone if facts.cards or facts.count else standing_fault(table.round)
    if not table.current.cards and not facts.cards and not facts.count:
        return "no card has been dealt"
    return standing_fault(table.round)


def together(rules: Rulebook, table: Table, facts: r.CardFacts) -> str | None:
    return standing_fault(table.round)


def cut_card(rules: Rulebook, table: Table, facts: r.Facts) -> str | None:
    """I8: at a live shoe the Dealer may have dealt on silently, whether or not they entered that it came first."""
    against = table.in_use.cut_drawn and not table.current.cut_first
    if table.in_use.order is not None or against:
        return "by the record the cut card did not come first in this round, or withdrawal was offered"
    return standing_fault(table.round)


def _past_hands(
    rules: Rulebook, table: Table, facts: r.LatePlayFacts | r.DiscretionFacts | r.WrongDealingFacts
) -> Coup | str | Refusal:
    """The true hands of a past round that has a result."""
    past = table.past[facts.round or 0]
    if past.winner is None:
        return "that round already ended without a result"
    coup = true_coup(rules, table, facts.player, facts.banker)
    if isinstance(coup, Refusal):
        return coup
    return _others(table, past, coup) or coup


def late_play(rules: Rulebook, table: Table, facts: r.LatePlayFacts) -> str | Refusal | None:
    coup = _past_hands(rules, table, facts)
    if not isinstance(coup, Coup):
        return coup
    return f"{coup}: that is dealt by the Table of Play" if wrong(rules, coup) is None else None


def misread(rules: Rulebook, table: Table, facts: r.DiscretionFacts) -> str | Refusal | None:
    """I13: the true hands, if any are given, are those of a past round whose hands were lawful."""
    if not facts.player and not facts.banker:
        return None
    if facts.round not in table.past:
        return "hands are given for a past round; in the current one report the card as damaged, or a dealing error"
    coup = _past_hands(rules, table, facts)
    if not isinstance(coup, Coup):
        return coup
    if coup == table.past[facts.round].coup:
        return f"{coup}: that is on record"
    fault = wrong(rules, coup)
    return None if fault is None else f"{fault}; report this as a broken Table of Play, which is another kind"


def insurance_missed(rules: Rulebook, table: Table, facts: r.MissedFacts) -> str | None:
    current = named_round(table, facts.round)
    if current is None or standing_fault(current) is not None:
        return standing_fault(current)
    if rules.irregularities["insurance-missed"].goes_by is not None:
        return None
    return missed.fault(rules, table, current, facts.after)


def misplaced(rules: Rulebook, table: Table, facts: r.MisplacedFacts) -> str | None:
    current = named_round(table, facts.round)
    if current is None or standing_fault(current) is not None:
        return standing_fault(current)
    taken = next((taken for taken in current.insurance if taken.id == facts.insurance), None)
    if taken is None:
        return "expected the insurance whose chips were put on the wrong side"
    return "its chips lie where they belong" if taken.area is taken.bet else None


def display(rules: Rulebook, table: Table, facts: r.DisplayFacts) -> str | None:
    current = named_round(table, facts.round)
    if current is None or current.winner is None:
        return "that round has no result that a board could show wrongly"
    if not 0 < len(facts.shown.strip()) <= LONGEST_TEXT:
        return f"expected what the board showed, in at most {LONGEST_TEXT} characters"
    return None


def dealing_error(rules: Rulebook, table: Table, facts: r.HandFacts) -> str | Refusal | None:
    """The true hands: needed once the round is settled, else where they are known to differ from the record."""
    if standing_fault(table.round) is not None or facts.player or facts.banker:
        return hands(rules, table, facts)
    return "expected both hands as they really were" if table.current.ended else None


def wrong_dealing(rules: Rulebook, table: Table, facts: r.WrongDealingFacts) -> str | Refusal | None:
    """L8: also of a past round, whose true hands are given."""
    if facts.round in table.past:
        if facts.cards or facts.count:
            return "no card of a past round is still to be laid out: give its hands"
        coup = _past_hands(rules, table, facts)
        return None if isinstance(coup, Coup) else coup
    if table.phase is Phase.BETTING:
        return "no card has been dealt; name the `round` if an earlier hand is meant"
    if facts.player or facts.banker or standing_fault(table.round) is not None or facts.round is not None:
        return hands(rules, table, facts)
    return "expected both hands as they really were" if table.current.ended else None


def hands(rules: Rulebook, table: Table, facts: r.HandFacts | r.ExcessFacts) -> str | Refusal | None:
    """Hands of the current round that differ from the record, and that the shoe could give."""
    fault = standing_fault(table.round)
    if fault is not None:
        return fault
    if isinstance(facts, r.CardFacts) and (facts.cards or facts.count):
        return "expected cards or hands, not both"
    if not table.current.all_open:
        return "turn the cards first: hands are entered once they lie open"
    coup = true_coup(rules, table, facts.player, facts.banker, begun=isinstance(facts, r.WrongDealingFacts))
    if isinstance(coup, Refusal):
        return coup
    if coup == table.current.coup:
        return f"{coup}: that is on record"
    if shoe_gone(table):
        return None
    if len(in_deal_order(coup)) - len(table.current.cards) > table.in_use.left:
        return "the shoe does not have that many cards"
    return _others(table, table.current, coup)


def _others(table: Table, played: Round, coup: Coup) -> str | None:
    """O60: hands of a virtual shoe are of the cards that it gave in that round."""
    if table.opened.source != "virtual":
        return None
    same = Counter(map(str, in_deal_order(coup))) == Counter(card.face for card in played.cards)
    return None if same else "a virtual shoe gives its own cards, and these are not those of that round"


def blue_card(rules: Rulebook, table: Table, facts: r.AfterLastFacts) -> str | None:
    """L3: the record knows of no blue card, or this hand would not have begun."""
    if table.in_use.order is not None or table.in_use.cut_drawn or table.opened.device == "shuffler":
        return "by the record this hand did not come after the last hand of the shoe"
    named = named_round(table, facts.round)
    if named is not None and named.shoe != table.in_use.number:
        return "that round was dealt from another shoe"
    return None if facts.round in table.past else standing_fault(table.round)


def exposed(rules: Rulebook, table: Table, facts: r.CardFacts) -> str | None:
    return None if facts.exposed else "a card that nobody has seen changes nothing: put it back"


def unneeded(rules: Rulebook, table: Table, facts: r.CardFacts) -> str | None:
    """L6: while a card is due the next one belongs to a hand; a wrongly dealt one is another report."""
    if table.phase is Phase.DEALING and dealing.next_place(rules, table) is not None:
        return "a card is due: the next one belongs to a hand, and is drawn or reported as wrong-dealing"
    return None
