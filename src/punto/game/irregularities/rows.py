"""One row for each kind of irregularity: when it is heard, what it tells, what may be ruled, what carries it
out, and where that leads.

Decider, command line, documents and the house's permissions read this table. Who decides, which of the remedies an
edition has and their paragraphs is in its irregularities.toml.
"""

from __future__ import annotations

from typing import Any, Final

from punto.game.irregularities import at_once, cards, checks, dealing_errors, determined, discretion, late, live, missed
from punto.game.irregularities import records as r
from punto.game.irregularities.carried_out import of_a_past_round, with_hands, without_hands
from punto.game.irregularities.kinds import Fits, Kind, Lead, Remedied, Row, Ruling
from punto.game.table import Phase
from punto.rulebook.model import Irregularity

_ROUND: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
_DEALT: Final = (Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.SETTLED)
_CURRENT: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, *_DEALT)
"""I10: a settled round is the current one until the next betting opens, also once its shoe has ended."""
_ANY: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED)

UNFOUNDED: Final = "unfounded"


_STOOD: Final = (Lead.STOOD,)
_ON: Final = (Lead.ON,)
_STOOD_OR_ON: Final = (Lead.STOOD, Lead.ON)
_OPTIONS: Final = (Lead.OPTIONS, Lead.ON)
"""The options where there is somebody to choose and the edition gives them to this case."""
_OVER: Final = (Lead.OVER,)
_OVER_OR_STOOD: Final = (Lead.OVER, Lead.STOOD)
_OFFER: Final = (Lead.OFFER,)
_NO_SHOE: Final = (Lead.NO_SHOE,)


def _rule(
    remedy: str, carry_out: Remedied, leads: tuple[Lead, ...], words: type[r.Words] = r.Words, **more: Any
) -> Ruling:
    return Ruling(remedy=remedy, carry_out=carry_out, leads=leads, words=words, **more)


def _act(
    action: str,
    carry_out: Remedied,
    leads: tuple[Lead, ...],
    words: type[r.Words] = r.Words,
    *,
    remedy: str = "",
    fits: Fits | None = None,
) -> Ruling:
    """A ruling that is named by its action, with a written reason."""
    marks, remedy = {"action": action}, remedy or action
    return Ruling(remedy=remedy, carry_out=carry_out, leads=leads, words=words, marks=marks, fits=fits, in_writing=True)


NOT_FOUNDED: Final = _act(UNFOUNDED, dealing_errors.unfounded, _STOOD_OR_ON)
"""O28: the report was mistaken. No edition's data has this ruling; every kind accepts it."""

_RECONSTRUCT: Final = {"reconstruct": True}
_NOT: Final = {"reconstruct": False}
_ENDS: Final = {"end_shoe": "end-shoe"}

_REBUILD: Final = (
    _rule("reconstruct", dealing_errors.laid_out, _OPTIONS, marks=_RECONSTRUCT),
    _rule("void", dealing_errors.wrong_number, _OVER, marks=_NOT, fits=dealing_errors.hand_is_wrong),
    _rule("as-dealt", dealing_errors.left_as_dealt, _OPTIONS, marks=_NOT),
)
_RESETTLE: Final = _act("resettle", late.resettled, _STOOD, r.OrderWords, fits=with_hands)

_REPORTED: Final[dict[Kind, Row]] = {
    Kind.INTERRUPTION: Row(
        phases=_ROUND,
        rulings=(
            _rule("conclude", at_once.conclude, _ON, fits=at_once.is_established),
            _rule("void", at_once.interrupted, _OVER),
        ),
    ),
    Kind.VOID: Row(
        phases=_ANY,
        facts=r.VoidFacts,
        check=checks.void,
        rulings=(
            _rule("replace-cards", dealing_errors.new_cards, _STOOD, fits=dealing_errors.stands_settled),
            _rule("void", dealing_errors.void, _OVER),
        ),
        reaches_settled=True,
        at_virtual=True,
    ),
    Kind.CUT_CARD: Row(
        phases=_DEALT,
        check=checks.cut_card,
        rulings=(_rule("options", dealing_errors.withdrawal_missed, _OPTIONS),),
        reaches_settled=True,
    ),
    Kind.EXCESS_CARD: Row(
        phases=(Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
        facts=r.ExcessFacts,
        check=checks.excess,
        rulings=(
            _rule(
                "use-next-round",
                dealing_errors.carried_over,
                _OPTIONS,
                marks=_RECONSTRUCT,
                fits=dealing_errors.outside_a_deal,
            ),
            *_REBUILD,
        ),
        reaches_settled=True,
    ),
    Kind.WRONG_HAND: Row(
        phases=_CURRENT, facts=r.WrongHandFacts, check=checks.wrong_hand, rulings=_REBUILD, reaches_settled=True
    ),
    Kind.FACE_UP: Row(
        phases=(Phase.DEALING,),
        facts=r.FaceUpFacts,
        check=cards.face_up,
        shows=cards.turned,
        rulings=(_rule("stand", dealing_errors.stand, _OPTIONS),),
    ),
    Kind.SIMULTANEOUS: Row(
        phases=(Phase.CUT_CARD, *_CURRENT),
        facts=r.CardFacts,
        check=checks.together,
        rulings=(
            _rule(
                "decide", dealing_errors.together, _OPTIONS, r.TogetherWords, also={"replace_cards": "replace-cards"}
            ),
        ),
        reaches_settled=True,
    ),
    Kind.RESET: Row(phases=_ROUND, rulings=(_rule("options", dealing_errors.stand, _OPTIONS),)),
    Kind.DAMAGED_CARD: Row(
        phases=(Phase.CUT_CARD, *_CURRENT),
        facts=r.DamagedFacts,
        check=cards.damaged,
        shows=cards.lost,
        rulings=(
            _rule(
                "determine-value",
                determined.value,
                _STOOD_OR_ON,
                r.CardWords,
                fits=lambda _, __, fields: "card" in fields,
            ),
            _rule("void", determined.unknown, _OVER),
        ),
        at_discretion=(_act("determine", determined.value, _STOOD_OR_ON, r.CardWords, remedy="determine-value"),),
        reaches_settled=True,
    ),
    Kind.LATE_DISCOVERY: Row(
        phases=_ANY,
        facts=r.PastFacts,
        rulings=(_rule("stand", at_once.stand, _STOOD),),
        past_only=True,
        at_virtual=True,
    ),
    Kind.LATE_TABLE_OF_PLAY: Row(
        phases=_ANY,
        facts=r.LatePlayFacts,
        check=checks.late_play,
        rulings=(
            _rule("void", late.missing_third, _STOOD, r.MissingWords, fits=late.lacks_third),
            _rule("void", late.not_rectified, _STOOD, marks=_NOT),
            _rule("resettle", late.resettled, _STOOD, r.OrderWords, marks=_RECONSTRUCT),
        ),
        at_discretion=(_act("void", late.at_discretion, _STOOD, r.KeepWords), _RESETTLE),
        past_only=True,
        reaches_settled=True,
    ),
    Kind.OTHER_DEALING_ERROR: Row(
        phases=_CURRENT,
        facts=r.HandFacts,
        check=checks.dealing_error,
        rulings=(
            _rule("options", dealing_errors.stand, _OPTIONS, marks=_RECONSTRUCT, fits=without_hands),
            *_REBUILD,
        ),
        reaches_settled=True,
    ),
    Kind.INSURANCE_MISSED: Row(
        phases=_ANY,
        facts=r.MissedFacts,
        check=checks.insurance_missed,
        rulings=(
            _rule("return", missed.original_back, _STOOD, r.PatronWords, fits=missed.result_known),
            _rule("late-offer", missed.offer_late, _OFFER),
        ),
        reaches_settled=True,
        at_virtual=True,
    ),
    Kind.INSURANCE_MISPLACED: Row(
        phases=_ANY,
        facts=r.MisplacedFacts,
        check=checks.misplaced,
        rulings=(_rule("reposition", missed.repositioned, _STOOD),),
        at_discretion=(_act("reposition", missed.repositioned, _STOOD),),
        reaches_settled=True,
    ),
    Kind.DISPLAYS: Row(
        phases=_ANY,
        facts=r.DisplayFacts,
        check=checks.display,
        rulings=(_rule("correct", at_once.board_right, _STOOD),),
        at_virtual=True,
    ),
    Kind.DISCRETION: Row(
        phases=_ANY,
        facts=r.DiscretionFacts,
        check=checks.misread,
        rulings=(
            _act("stand", discretion.stand, _STOOD),
            _act("void", discretion.void_current, _OVER, fits=discretion.current_stands),
            _act("void", discretion.void_past, _STOOD, fits=discretion.past_stands),
            _act("options", discretion.give_options, _OPTIONS, fits=discretion.can_choose),
            _act("pay", discretion.pay, _STOOD, r.PayWords),
        ),
        at_discretion=(_RESETTLE,),
        reaches_settled=True,
        at_virtual=True,
    ),
    Kind.COMMENCEMENT: Row(
        phases=(Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
        rulings=(
            _rule(
                "replace-cards",
                live.invalid_shoe,
                _NO_SHOE,
                r.InvalidWords,
                fits=live.begun,
                also={"void_rounds": "void"},
            ),
            _rule("correct", live.skip_right, _STOOD, r.SkipWords),
        ),
    ),
    Kind.BLUE_CARD: Row(
        phases=(Phase.BETTING, *_ROUND, Phase.SETTLED),
        facts=r.AfterLastFacts,
        check=checks.blue_card,
        rulings=(_rule("void", live.after_the_last, _OVER_OR_STOOD),),
        reaches_settled=True,
    ),
    Kind.EXPOSED_WHILE_BETTING: Row(
        phases=(Phase.BETTING, Phase.OFFER),
        facts=r.CardFacts,
        check=checks.exposed,
        rulings=(_rule("void", at_once.void, _OVER),),
    ),
    Kind.UNNEEDED_CARD: Row(
        phases=(Phase.DEALING, Phase.COMPLETE, Phase.SETTLED),
        facts=r.CardFacts,
        check=checks.unneeded,
        rulings=(_rule("burn", live.burnt, _STOOD, r.EndShoeWords, also=_ENDS),),
    ),
    Kind.EXPOSED_WHILE_SHUFFLING: Row(
        phases=(Phase.NO_SHOE,), rulings=(_rule("decide", discretion.stand, _STOOD, in_writing=True),)
    ),
    Kind.EXPOSED_AT_COMMENCEMENT: Row(
        phases=(Phase.COMMENCING, Phase.READY), rulings=(_rule("stand", at_once.stand, _STOOD),)
    ),
    Kind.WRONG_DEALING: Row(
        phases=_ANY,
        facts=r.WrongDealingFacts,
        check=checks.wrong_dealing,
        rulings=(
            _rule("void", live.void_hand, _OVER_OR_STOOD, r.EndShoeWords, marks=_NOT, also=_ENDS),
            _rule(
                "correct", live.resettled, _STOOD, r.DealingWords, marks=_RECONSTRUCT, fits=of_a_past_round, also=_ENDS
            ),
            _rule("correct", live.corrected, _ON, r.EndShoeWords, marks=_RECONSTRUCT, fits=with_hands, also=_ENDS),
            _rule("reconstruct", live.laid_out, _ON, r.DealingWords, marks=_RECONSTRUCT, also=_ENDS),
        ),
        reaches_settled=True,
    ),
    Kind.DROPPED_CARD: Row(
        phases=_ANY,
        facts=r.DroppedFacts,
        rulings=(_rule("void", at_once.void, _OVER, fits=at_once.lost_unseen), _rule("stand", at_once.dropped, _STOOD)),
    ),
}

REPORTED: Final = tuple(_REPORTED)
"""Kinds that can be reported."""
ROWS: Final[dict[str, Row]] = {kind: _REPORTED.get(kind, Row()) for kind in Kind}
"""The row of every kind; kinds that are applied in play have an empty one."""


def rulings(row: Irregularity) -> tuple[Ruling, ...]:
    """What may be ruled on a kind in this edition: by its own remedies, or by those of the row that it goes by."""
    governs = ROWS[row.goes_by or row.id]
    own = ROWS[row.id].at_discretion if governs is ROWS[Kind.DISCRETION] else ()
    return (NOT_FOUNDED, *own, *governs.rulings)
