"""The matrix: what counts as a proof, and what counts as code that answers a topic."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from punto.rulebook import load, trace
from punto.rulebook.trace import Proof
from tests.rulebook.library import DATES, LIVE, TIGER

RULES = load.edition(TIGER[0], DATES[1])
LIVE_RULES = load.edition(LIVE[0], "undated")

TESTS = """
@proves("card.ace", broken_by=ace_of_two)
def an_ace_counts_one() -> None: ...

@proves("card.pips", "card.picture", broken_by=other_points, game="tiger-buffalo")
def the_other_cards() -> None: ...

@proves("tie.returns")
def not_shown_to_fail() -> None: ...

@cites("hand.ranking", broken_by=nothing)
def no_proof_at_all() -> None: ...

def test_plain() -> None: ...
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cards.py").write_text(TESTS, "utf-8")
    return tmp_path


def test_a_proof_names_its_topics_and_what_breaks_it(folder: Path) -> None:
    """Without broken_by nothing shows that the test can fail, so it proves nothing."""
    assert trace.proofs(folder) == (
        Proof("card.ace", "", "cards.py::an_ace_counts_one"),
        Proof("card.picture", "tiger-buffalo", "cards.py::the_other_cards"),
        Proof("card.pips", "tiger-buffalo", "cards.py::the_other_cards"),
    )


@pytest.mark.parametrize(
    ("game", "proved"), [("", True), ("tiger-buffalo", True), ("tiger-buffalo-non", False), ("live", False)]
)
def test_a_proof_counts_in_the_games_it_is_for(game: str, proved: bool) -> None:
    count = trace.trace(RULES, (Proof("card.ace", game, "cards.py::an_ace_counts_one"),))
    assert ("3.2.1" not in count.unproved) == proved


def test_every_topic_of_a_paragraph_needs_its_proof() -> None:
    two = next(
        paragraph
        for rules in (RULES, LIVE_RULES)
        for paragraph in rules.paragraphs.values()
        if len(paragraph.topics) > 1
    )
    rules = RULES if two.number in RULES.paragraphs and RULES.paragraphs[two.number] == two else LIVE_RULES
    half = tuple(Proof(topic, "", "x") for topic in two.topics[1:])
    assert two.number in trace.trace(rules, half).unproved
    assert two.number not in trace.trace(rules, (*half, Proof(two.topics[0], "", "x"))).unproved


def test_nothing_is_proved_without_proofs_and_notices_need_none() -> None:
    count = trace.trace(RULES, ())
    assert (count.proved, len(count.unproved)) == (0, count.binding)
    assert count.binding == sum(paragraph.binds for paragraph in RULES.paragraphs.values()) < count.paragraphs


def test_the_shipped_list_is_used_where_there_is_no_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tmp_path / "proofs.json"
    shipped.write_bytes(msgspec.json.encode((Proof("card.ace", "", "cards.py::one"),)))
    monkeypatch.setattr(trace, "TESTS", tmp_path / "none")
    monkeypatch.setattr(trace, "SHIPPED", shipped)
    assert trace.proofs() == (Proof("card.ace", "", "cards.py::one"),)
    shipped.unlink()
    assert trace.proofs() == ()


def test_code_that_asks_by_a_condition_is_found_for_both_topics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "late.py").write_text(
        'rules.paragraph("a" if late else "b" if later else "c")\nrules.cite(name)\nrules.knows("d")\n', "utf-8"
    )
    monkeypatch.setattr(trace, "SOURCE", tmp_path)
    assert trace.answered() == {topic: {"late.py"} for topic in "abc"}


def test_a_row_has_the_data_code_and_tests_of_its_paragraph(folder: Path) -> None:
    rows = {row.paragraph: row for row in trace.matrix(RULES, trace.proofs(folder))}
    assert list(rows) == list(RULES.paragraphs)
    assert rows["3.2.1"].tests == ("cards.py::an_ace_counts_one",)
    assert "bets: bet banker" in rows["4.1.2"].data
    assert "game/explain.py" in rows["3.17"].code
