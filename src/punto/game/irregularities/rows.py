"""One row for each kind of irregularity: when it is heard, what it tells, what may be ruled, and what carries it out.

Decider, command line, documents and the house's permissions read this table. Who decides, which of the remedies an
edition has and their paragraphs is in its irregularities.toml.
"""

from __future__ import annotations

from typing import Final

import msgspec

from punto.game.irregularities import at_once, checks, dealing_errors, determined, discretion, late, live, missed
from punto.game.irregularities import records as r
from punto.game.irregularities.cards import lost, turned
from punto.game.irregularities.kinds import Kind, Row, Ruling
from punto.game.table import Phase
from punto.rulebook.model import Irregularity

_ROUND: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
_DEALT: Final = (Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.SETTLED)
_CURRENT: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, *_DEALT)
"""I10: a settled round is the current one until the next betting opens, also once its shoe has ended."""
_ANY: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED)

UNFOUNDED: Final = "unfounded"
NOT_FOUNDED: Final = Ruling(
    remedy=UNFOUNDED, marks={"action": UNFOUNDED}, carry_out=dealing_errors.unfounded, in_writing=True
)
"""O28: the report was mistaken. It is in no edition's data, and heard of every kind."""

_RECONSTRUCT: Final = {"reconstruct": True}
_NOT: Final = {"reconstruct": False}

_LAID_OUT: Final = Ruling(remedy="reconstruct", marks=_RECONSTRUCT, carry_out=dealing_errors.laid_out)
_WRONG_NUMBER: Final = Ruling(
    remedy="void", marks=_NOT, fits=dealing_errors.hand_is_wrong, carry_out=dealing_errors.wrong_number
)
_AS_DEALT: Final = Ruling(remedy="as-dealt", marks=_NOT, carry_out=dealing_errors.left_as_dealt)
_OPTIONS: Final = Ruling(remedy="options", carry_out=dealing_errors.stand)

_STAND: Final = Ruling(remedy="stand", marks={"action": "stand"}, carry_out=discretion.stand, in_writing=True)
_BY_DISCRETION: Final = (
    _STAND,
    Ruling(
        remedy="void",
        marks={"action": "void"},
        fits=discretion.current_stands,
        carry_out=discretion.void_current,
        in_writing=True,
    ),
    Ruling(
        remedy="void",
        marks={"action": "void"},
        fits=discretion.past_stands,
        carry_out=discretion.void_past,
        in_writing=True,
    ),
    Ruling(
        remedy="options",
        marks={"action": "options"},
        fits=discretion.can_choose,
        carry_out=discretion.give_options,
        in_writing=True,
    ),
    Ruling(remedy="pay", marks={"action": "pay"}, words=r.PayWords, carry_out=discretion.pay, in_writing=True),
)
_RESETTLE: Final = Ruling(
    remedy="resettle",
    marks={"action": "resettle"},
    fits=discretion.with_hands,
    words=r.OrderWords,
    carry_out=late.resettled,
    in_writing=True,
)

ROWS: Final[dict[Kind, Row]] = {
    Kind.INTERRUPTION: Row(
        phases=_ROUND,
        rulings=(
            Ruling(remedy="conclude", fits=at_once.is_established, carry_out=at_once.conclude),
            Ruling(remedy="void", carry_out=at_once.interrupted),
        ),
    ),
    Kind.VOID: Row(
        phases=_ANY,
        facts=r.VoidFacts,
        check=checks.void,
        rulings=(
            Ruling(remedy="replace-cards", fits=dealing_errors.stands_settled, carry_out=dealing_errors.new_cards),
            Ruling(remedy="void", carry_out=dealing_errors.void),
        ),
        reaches_settled=True,
        at_virtual=True,
    ),
    Kind.CUT_CARD: Row(
        phases=_DEALT,
        check=checks.cut_card,
        rulings=(Ruling(remedy="options", carry_out=dealing_errors.withdrawal_missed),),
        reaches_settled=True,
    ),
    Kind.EXCESS_CARD: Row(
        phases=(Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
        facts=r.ExcessFacts,
        check=checks.excess,
        rulings=(
            Ruling(
                remedy="use-next-round",
                marks=_RECONSTRUCT,
                fits=dealing_errors.outside_a_deal,
                carry_out=dealing_errors.carried_over,
            ),
            _LAID_OUT,
            _WRONG_NUMBER,
            _AS_DEALT,
        ),
        reaches_settled=True,
    ),
    Kind.WRONG_HAND: Row(
        phases=_CURRENT,
        facts=r.WrongHandFacts,
        check=checks.wrong_hand,
        rulings=(_LAID_OUT, _WRONG_NUMBER, _AS_DEALT),
        reaches_settled=True,
    ),
    Kind.FACE_UP: Row(
        phases=(Phase.DEALING,),
        facts=r.FaceUpFacts,
        check=checks.face_up,
        shows=turned,
        rulings=(Ruling(remedy="stand", carry_out=dealing_errors.stand),),
    ),
    Kind.SIMULTANEOUS: Row(
        phases=(Phase.CUT_CARD, *_DEALT),
        facts=r.CardFacts,
        check=checks.together,
        rulings=(
            Ruling(
                remedy="decide",
                words=r.TogetherWords,
                also={"replace_cards": "replace-cards"},
                carry_out=dealing_errors.together,
            ),
        ),
        reaches_settled=True,
    ),
    Kind.RESET: Row(phases=_ROUND, rulings=(_OPTIONS,)),
    Kind.DAMAGED_CARD: Row(
        phases=(Phase.CUT_CARD, *_CURRENT),
        facts=r.DamagedFacts,
        check=checks.damaged,
        shows=lost,
        rulings=(
            Ruling(
                remedy="determine-value",
                fits=lambda rules, table, fields: "card" in fields,
                words=r.CardWords,
                carry_out=determined.value,
            ),
            Ruling(remedy="void", carry_out=determined.unknown),
        ),
        at_discretion=(
            Ruling(
                remedy="determine-value",
                marks={"action": "determine"},
                words=r.CardWords,
                carry_out=determined.value,
                in_writing=True,
            ),
        ),
        reaches_settled=True,
    ),
    Kind.LATE_DISCOVERY: Row(
        phases=_ANY,
        facts=r.PastFacts,
        rulings=(Ruling(remedy="stand", carry_out=at_once.stand),),
        past_only=True,
        at_virtual=True,
    ),
    Kind.LATE_TABLE_OF_PLAY: Row(
        phases=_ANY,
        facts=r.LatePlayFacts,
        check=checks.late_play,
        rulings=(
            Ruling(remedy="void", fits=late.lacks_third, words=r.MissingWords, carry_out=late.missing_third),
            Ruling(remedy="void", marks=_NOT, carry_out=late.not_rectified),
            Ruling(remedy="resettle", marks=_RECONSTRUCT, words=r.OrderWords, carry_out=late.resettled),
        ),
        at_discretion=(
            Ruling(
                remedy="void",
                marks={"action": "void"},
                words=r.KeepWords,
                carry_out=late.at_discretion,
                in_writing=True,
            ),
            _RESETTLE,
        ),
        past_only=True,
        reaches_settled=True,
    ),
    Kind.OTHER_DEALING_ERROR: Row(
        phases=_CURRENT,
        facts=r.HandFacts,
        check=checks.dealing_error,
        rulings=(
            msgspec.structs.replace(_OPTIONS, marks=_RECONSTRUCT, fits=dealing_errors.nothing_to_lay),
            _LAID_OUT,
            _WRONG_NUMBER,
            _AS_DEALT,
        ),
        reaches_settled=True,
    ),
    Kind.INSURANCE_MISSED: Row(
        phases=_ANY,
        facts=r.MissedFacts,
        check=checks.insurance_missed,
        rulings=(
            Ruling(remedy="return", fits=missed.result_known, words=r.PatronWords, carry_out=missed.original_back),
            Ruling(remedy="late-offer", carry_out=missed.offer_late),
        ),
        reaches_settled=True,
        at_virtual=True,
    ),
    Kind.INSURANCE_MISPLACED: Row(
        phases=_ANY,
        facts=r.MisplacedFacts,
        check=checks.misplaced,
        rulings=(Ruling(remedy="reposition", carry_out=missed.repositioned),),
        at_discretion=(
            Ruling(remedy="reposition", marks={"action": "reposition"}, carry_out=missed.repositioned, in_writing=True),
        ),
        reaches_settled=True,
    ),
    Kind.DISPLAYS: Row(
        phases=_ANY,
        facts=r.DisplayFacts,
        check=checks.display,
        rulings=(Ruling(remedy="correct", carry_out=at_once.board_right),),
        at_virtual=True,
    ),
    Kind.DISCRETION: Row(
        phases=_ANY,
        facts=r.DiscretionFacts,
        check=checks.misread,
        rulings=_BY_DISCRETION,
        at_discretion=(_RESETTLE,),
        reaches_settled=True,
        at_virtual=True,
    ),
    Kind.COMMENCEMENT: Row(
        phases=(Phase.COMMENCING, Phase.READY, Phase.BETTING, *_ROUND, Phase.SETTLED),
        rulings=(
            Ruling(
                remedy="replace-cards",
                fits=live.begun,
                words=r.InvalidWords,
                also={"void_rounds": "void"},
                carry_out=live.invalid_shoe,
            ),
            Ruling(remedy="correct", words=r.SkipWords, carry_out=live.skip_right),
        ),
    ),
    Kind.BLUE_CARD: Row(
        phases=(Phase.BETTING, *_ROUND, Phase.SETTLED),
        facts=r.RoundFacts,
        check=checks.blue_card,
        rulings=(Ruling(remedy="void", carry_out=live.after_the_last),),
        reaches_settled=True,
    ),
    Kind.EXPOSED_WHILE_BETTING: Row(
        phases=(Phase.BETTING, Phase.OFFER),
        facts=r.CardFacts,
        check=checks.exposed,
        rulings=(Ruling(remedy="void", carry_out=at_once.void),),
    ),
    Kind.UNNEEDED_CARD: Row(
        phases=(Phase.DEALING, Phase.COMPLETE, Phase.SETTLED),
        facts=r.CardFacts,
        check=checks.unneeded,
        rulings=(Ruling(remedy="burn", words=r.EndShoeWords, also={"end_shoe": "end-shoe"}, carry_out=live.burnt),),
    ),
    Kind.EXPOSED_WHILE_SHUFFLING: Row(
        phases=(Phase.NO_SHOE,),
        rulings=(Ruling(remedy="decide", carry_out=discretion.stand, in_writing=True),),
    ),
    Kind.EXPOSED_AT_COMMENCEMENT: Row(
        phases=(Phase.COMMENCING, Phase.READY), rulings=(Ruling(remedy="stand", carry_out=at_once.stand),)
    ),
    Kind.WRONG_DEALING: Row(
        phases=_ANY,
        facts=r.WrongDealingFacts,
        check=checks.wrong_dealing,
        rulings=(
            Ruling(
                remedy="void",
                marks=_NOT,
                words=r.EndShoeWords,
                also={"end_shoe": "end-shoe"},
                carry_out=live.void_hand,
            ),
            Ruling(
                remedy="correct",
                marks=_RECONSTRUCT,
                fits=live.of_a_past_round,
                words=r.DealingWords,
                also={"end_shoe": "end-shoe"},
                carry_out=live.resettled,
            ),
            Ruling(
                remedy="correct",
                marks=_RECONSTRUCT,
                fits=live.with_hands,
                words=r.EndShoeWords,
                also={"end_shoe": "end-shoe"},
                carry_out=live.corrected,
            ),
            Ruling(
                remedy="reconstruct",
                marks=_RECONSTRUCT,
                words=r.DealingWords,
                also={"end_shoe": "end-shoe"},
                carry_out=live.laid_out,
            ),
        ),
        reaches_settled=True,
    ),
    Kind.DROPPED_CARD: Row(
        phases=_ANY,
        facts=r.DroppedFacts,
        rulings=(
            Ruling(remedy="void", fits=at_once.lost_unseen, carry_out=at_once.void),
            Ruling(remedy="stand", carry_out=at_once.dropped),
        ),
    ),
    **dict.fromkeys(
        (
            Kind.LIMIT_PASSED,
            Kind.UNDER_MINIMUM,
            Kind.INSURANCE_FORGONE,
            Kind.LATE_WAGERS,
            Kind.OPTIONS,
            Kind.CHIPS_LIE,
            Kind.VOID_RETURNS,
            Kind.STAFF_PLACE,
        ),
        Row(),
    ),
}

REPORTED: Final = tuple(kind for kind, row in ROWS.items() if row.phases)
"""Kinds that are reported at all."""


def rulings(row: Irregularity) -> tuple[Ruling, ...]:
    """What may be ruled on a kind in this edition: by its own remedies, or by those of the row that it goes by."""
    own = ROWS[Kind(row.id)]
    governs = ROWS[Kind(row.goes_by or row.id)]
    if governs is not ROWS[Kind.DISCRETION]:
        return (NOT_FOUNDED, *governs.rulings)
    return (NOT_FOUNDED, *own.at_discretion, *governs.rulings)
