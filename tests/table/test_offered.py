"""What is offered cites the paragraph of the act itself, reveals nothing of the shoe, and can occur at this table."""

from __future__ import annotations

from typing import Any

import pytest

from punto.game import commands as c
from punto.game import possible_staff
from punto.game.decide import decide
from punto.game.refusals import Refusal
from punto.game.shoe import cut_card_due
from punto.game.table import Phase, Table
from punto.house.table import replay_script
from punto.house.table.governing_edition import in_use
from punto.money import Cents
from punto.rulebook.model import Moment
from tests.house.live.test_frames import states
from tests.irregularities import given as g
from tests.irregularities.laws import Ruled
from tests.irregularities.standing import commence, do, opened, standing
from tests.transcripts import reading


def offered(table: Table, name: str = "sam") -> dict[str, Any]:
    rules = in_use(table)
    assert rules is not None
    return {offer.do: offer for offer in possible_staff.for_staff(rules, table, name)}


def kinds(ruled: Ruled) -> set[object]:
    return set(offered(ruled.table, "dora")["report-irregularity"].choices["kind"])


@pytest.mark.parametrize(
    ("edition", "paragraph"), [(g.COMMISSION_2024, "3.8"), (g.COMMISSION_2025, "3.8"), (g.LIVE, "L9")]
)
def test_3_8_betting_closes_under_its_own_paragraph_whatever_goes_back_then(edition: str, paragraph: str) -> None:
    """Not under the paragraph on a wager under the minimum, which goes back at the close (5.2; Live: D5)."""
    ruled = opened(edition)
    commence(ruled)
    do(ruled, c.OpenBetting(by="dora"), c.PlaceWager(patron="ann", box=1, bet="player", stake_cents=Cents(1)))
    assert offered(ruled.table)["close-betting"].paragraph == paragraph


def test_1_14_a_table_closes_under_its_own_paragraph_though_its_shoe_ends_first() -> None:
    """O46: not under the paragraph on decks (2.2.1), by which the committed shoe is ended and shown."""
    open_to_all = [table for table in states("committed-shoe") if table.phase is Phase.SETTLED]
    assert open_to_all
    assert {offered(table)["close-table"].paragraph for table in open_to_all} == {"1.14"}


def test_2_2_1_a_shoe_ends_under_its_own_paragraph_though_cards_are_left_over() -> None:
    """Not under the paragraph on reconstruction (1.25), by which the cards left over are put away."""
    ruled = standing(g.COMMISSION_2025, Phase.SETTLED)
    assert ruled is not None
    g.report(ruled, "excess-card", cards=("9C",))
    g.decide(ruled, "sam", reconstruct=True)
    assert ruled.table.in_use.carried, "a card waits"
    assert offered(ruled.table)["end-shoe"].paragraph == "2.2.1"


def test_3_10_a_card_is_turned_under_its_own_paragraph_though_a_late_offer_ends_with_it() -> None:
    """I7: not under the paragraph on forgone insurance (5.3)."""
    ruled = g.init_round(g.COMMISSION_2025, "? ? ? ?", ("ann", "player", 10_000), facing="down")
    for place, face in (("P1", "KH"), ("B1", "2S"), ("P2", "7D"), ("B2", "3C")):
        do(ruled, c.ExposeCard(by="dora", place=place, card=face))
    do(ruled, c.DrawCard(by="dora"))
    g.report(ruled, "insurance-missed", after=Moment.FOUR_CARDS)
    g.decide(ruled, "mia")
    assert ruled.table.phase is Phase.OFFER
    assert offered(ruled.table)["expose-card"].paragraph == "3.13"


def before_the_first_card() -> list[Table]:
    """The two rounds of a transcript before their first card. In the second the cut card comes first."""
    lines = reading.script("cut-card-first-withdrawal").read_bytes().splitlines()
    played = [step.table for step in replay_script.played([line for line in lines if not line.startswith(b"#")])]
    tables = [table for table in played if table.phase is Phase.DEALING and not table.current.cards]
    assert [cut_card_due(table.in_use) for table in tables] == [False, True]
    return tables


def test_5_7_1_nobody_is_told_that_the_cut_card_comes_next() -> None:
    """If a face could be entered only then, at a virtual shoe, that would give the cut card away."""
    assert [offered(table)["draw-card"].may_enter for table in before_the_first_card()] == [(), ()]


def test_2_2_1_a_face_is_not_entered_at_a_virtual_shoe_also_where_the_cut_card_comes_next() -> None:
    """The face is refused, not ignored."""
    for table in before_the_first_card():
        rules = in_use(table)
        assert rules is not None
        answer = decide(rules, table, c.DrawCard(by="dora", card="KH"))
        assert isinstance(answer, Refusal), f"carried out: {answer}"
        assert (answer.code, answer.paragraph) == ("bad-card", "2.2.1")


def test_5_10_a_card_face_up_is_no_irregularity_where_cards_are_dealt_face_up() -> None:
    up, down = (g.init_round(g.COMMISSION_2025, "", facing=facing) for facing in ("up", "down"))
    assert "face-up" not in kinds(up)
    assert "face-up" in kinds(down)


@pytest.mark.parametrize(
    ("high_limit", "device", "reported"), [(True, "shoe", True), (False, "shoe", False), (True, "shuffler", False)]
)
def test_5_7_3_withdrawal_is_missed_only_where_it_is_offered(high_limit: bool, device: str, reported: bool) -> None:
    """I8: in a high-limit area, at a shoe with a cut card."""
    ruled = g.init_round(g.COMMISSION_2025, "KH 2S", high_limit=high_limit, device=device)
    assert ("cut-card" in kinds(ruled)) is reported


@pytest.mark.parametrize("edition", [g.COMMISSION_2024, g.COMMISSION_2025, g.LIVE])
def test_before_any_round_nothing_is_reported_that_is_about_one(edition: str) -> None:
    """I10, I11: a round is current from the call that opens betting, and past once the next betting opens."""
    ruled = opened(edition)
    allowed = {
        "excess-card",
        "discretion",
        "commencement",
        "exposed-while-shuffling",
        "exposed-at-commencement",
        "dropped-card",
    }
    assert kinds(ruled) <= allowed
    commence(ruled)
    assert kinds(ruled) <= allowed
    do(ruled, c.OpenBetting(by="dora"))
    assert "void" in kinds(ruled)
    assert not kinds(ruled) & {"late-discovery", "late-table-of-play"}, "there is no past round"


def test_5_5_a_round_without_result_is_not_put_right_again() -> None:
    """The round is void already: only reports that may be about an earlier round are still offered."""
    ruled = g.init_round(g.COMMISSION_2025, "KH 2S")
    g.report(ruled, "void", cause="foreign-card")
    g.decide(ruled, "sam")
    assert not kinds(ruled) & {"void", "wrong-hand", "damaged-card", "other-dealing-error"}
