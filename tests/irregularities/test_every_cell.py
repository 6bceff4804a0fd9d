"""Phase × irregularity × edition × rank: every cell is carried out or refused with a code. Exhaustive, not sampled."""

from __future__ import annotations

import pytest

from punto.game import commands as c
from punto.game.refusals import Refusal
from punto.game.table import Phase
from punto.rulebook.model import Moment, Rank
from tests.irregularities.cells import KINDS, PAGE, PARTS, Cell, cells, page
from tests.irregularities.laws import BOOKS
from tests.irregularities.standing import STAFF, standing

by_edition = pytest.mark.parametrize("edition", BOOKS)


def known(edition: str, refusal: Refusal) -> bool:
    return BOOKS[edition].knows(refusal.paragraph or "")


@by_edition
def test_no_cell_is_undefined(edition: str) -> None:
    grid = cells(edition)
    assert len(grid) == len(KINDS) * len(Phase)
    for cell in grid.values():
        assert cell.text
        if isinstance(cell.reported, Refusal):
            assert known(edition, cell.reported), cell.text


@by_edition
def test_a_rank_too_low_is_refused_with_the_paragraph_and_every_higher_one_may_decide(edition: str) -> None:
    decided = [cell for cell in cells(edition).values() if cell.decided]
    assert decided
    for cell in decided:
        row = BOOKS[edition].irregularities[cell.kind]
        early = cell.kind == "commencement" and cell.phase in (Phase.COMMENCING, Phase.READY, Phase.BETTING)
        needed = Rank(row.decided_by_of("correct") if early and not cell.begun else row.decided_by)
        for rank, answer in cell.decided.items():
            if rank.may_act_as(needed):
                assert not isinstance(answer, Refusal), f"{cell.kind} {cell.phase} {rank}: {answer}"
                continue
            assert isinstance(answer, Refusal)
            assert answer.code == "wrong-rank"
            assert answer.paragraph in (row.cite, *map(row.cite_of, row.remedies or ()))
            assert row.decided_by.replace("-", " ") in answer.message


@by_edition
def test_a_row_that_nobody_decides_waits_for_nobody(edition: str) -> None:
    for cell in cells(edition).values():
        row = BOOKS[edition].irregularities.get(cell.kind)
        if row is not None and cell.reported is not None and not isinstance(cell.reported, Refusal):
            assert bool(cell.decided) == (row.decided_by != "nobody")


@pytest.mark.parametrize("phase", Phase)
@by_edition
def test_a_bare_report_and_a_full_one_are_answered_too(edition: str, phase: Phase) -> None:
    """Missing facts, and facts of every kind at once: a refusal or a remedy, never an exception."""
    everything = {
        "cause": "unshuffled",
        "cards": ("9C", "9C"),
        "place": "P1",
        "card": "KH",
        "after": Moment.PLAYER_THIRD,
        "insurance": "i1",
        "round": 1,
        "player": ("KH",),
        "banker": ("zz", "3C"),
    }
    for kind in KINDS:
        for facts in ({}, everything, {"count": -1}, {"count": 999}, {"round": 99}, {"note": "x" * 3000}):
            ruled = standing(edition, phase)
            if ruled is None:
                return
            answer = ruled.send(c.ReportIrregularity(by="dora", kind=kind, **facts))
            if isinstance(answer, Refusal):
                assert known(edition, answer)
            elif ruled.table.phase is Phase.IRREGULARITY:
                for name in STAFF.values():
                    ruled.send(c.DecideIrregularity(by=name))


@pytest.mark.parametrize("edition", PARTS.values())
def test_games_of_one_kind_and_day_answer_alike(edition: str) -> None:
    """The page shows one edition of each pair: the other has the same cells."""
    day = edition.partition("/")[2]
    same = [name for name in BOOKS if name.startswith(edition[:5]) and name.endswith(day)]
    first, second = ({key: cell.text for key, cell in cells(name).items()} for name in same)
    assert first == second


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: make docs"


def test_a_cell_says_what_happened() -> None:
    cell = Cell("tiger-buffalo-commission/2025-11-21", Phase.DEALING, "wrong-hand")
    assert cell.text == "PS: cards-reconstructed, options-opened"
