"""I5: what the record says against a report, and where it says nothing yet."""

from __future__ import annotations

from typing import Final

import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.decide import decide
from punto.game.refusals import Refusal
from punto.rulebook.model import Insurance
from tests.irregularities import given as g
from tests.table.given import CLOSE, FOUR, LIVE, OPEN, TIGER, given, opened, seated, shoe, wager

BEFORE: Final = (*seated("ann", 1), OPEN, wager("ann", 1, "player", 10_000), CLOSE)


@pytest.mark.parametrize("facing", ["up", "down"])
def test_5_5_3_the_record_says_nothing_against_a_hand_while_a_card_lies_face_down(facing: str) -> None:
    """A refusal would reveal that no third card is due, and so something about the hidden cards."""
    table = given(TIGER, opened(TIGER, facing=facing), shoe(TIGER, "KH 2S 9D 3C"), *BEFORE, *FOUR)
    report = c.ReportIrregularity(by="sue", kind="void", cause="not-reconstructible")
    answer = decide(TIGER, table, report)
    if facing == "up":
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.paragraph) == ("bad-report", "5.5.3")
    else:
        assert isinstance(answer, tuple)
        assert [type(event) for event in answer] == [e.IrregularityReported]


def test_l9_a_refuted_cause_is_refused_under_the_ruling_where_the_page_has_no_paragraph() -> None:
    table = given(LIVE, opened(LIVE), shoe(LIVE, "AS 2S"), c.Burn(by="sue"), *BEFORE)
    answer = decide(LIVE, table, c.ReportIrregularity(by="sue", kind="void", cause="wrong-count"))
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.paragraph) == ("bad-report", "L9")


def test_5_18_misplaced_insurance_of_a_round_that_came_to_nothing_is_not_put_right() -> None:
    table = g.init_round(g.COMMISSION_2025, g.FOUR)
    g.insure(table, 5_000, Insurance.BANKER)
    (insurance,) = table.table.current.insurance
    g.report(table, "void", cause="foreign-card")
    g.decide(table, "sam")
    report = c.ReportIrregularity(by="dora", kind="insurance-misplaced", insurance=insurance.id, round=1)
    answer = decide(table.opened_under, table.table, report)
    assert isinstance(answer, Refusal)
    assert answer.message == "there is no round to correct: none was played, or it already ended without a result"
    assert (answer.code, answer.paragraph) == ("bad-report", "5.18")
