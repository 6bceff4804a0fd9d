"""CONTRIBUTING.md, "Add a bet", done on a copy: a bet that pays when Banker wins on 8, in one edition."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.recipes.project import Project

MODEL = "src/punto/rulebook/model.py"
EDITION = "src/punto/rulebook/editions/tiger-buffalo-commission/2025-11-21"
BET = """
[[bet]]
id = "banker_eight"
name = "Banker Eight"
kind = "side"
cite = "4.1.16"
defined = "4.1.16"
pays = "Banker wins on 8 points | 5 to 1"
"""
PARAGRAPH = '"4.1.16" = { topic = "pay.banker-eight", is = "value", gist = "Banker Eight pays 5 to 1, on layout M." }\n'
AFTERWARDS = (
    "tests/rulebook/test_revisions.py::test_every_hash_that_shipped_is_readable",
    "tests/rulebook/test_editions.py::test_the_bets_are_those_of_the_editions_and_of_the_oracle",
    "tests/rules/test_paragraphs.py::test_every_binding_paragraph_is_proved",
    "tests/docs/test_readme.py::test_the_bets_are_counted",
)
"""Tests that fail until the tests and the README know the bet too."""
LOAD = """
from punto.rulebook import load
rules = load.edition("tiger-buffalo-commission", "2025-11-21")
"""
WORTH = """
import json, punto
from punto.odds.composition import full
from punto.odds.value import values
from punto.rulebook.model import Bet
from web.tests.fixtures.make import main
main()
slip = punto.settle(rules, punto.coup(rules, "KH 7D v KS 8C"), "M", [("banker_eight", "10.00")])
edge = -values(rules, full(rules, 8))[Bet.BANKER_EIGHT].expectation
print(json.dumps([slip.lines[0].paragraph, slip.handed_back_cents, len(rules.bets), 0 < edge < 1]))
"""


def test_a_bet_is_added(tmp_path: Path) -> None:
    copy = Project(tmp_path)
    copy.insert(MODEL, '    SUPER_6_PLUS = "super_6_plus"\n', '    BANKER_EIGHT = "banker_eight"\n')
    copy.insert(MODEL, '    FOUR_CARDS = "4 cards"\n', '    BANKER_WINS_ON_8 = "Banker wins on 8 points"\n')
    cases = {"test_the_cases_of_a_coup", "test_every_case_has_an_example_above"}
    assert copy.red("tests/game/test_outcome.py") == cases
    meaning = "    Case.BANKER_WINS_ON_8: lambda o: _wins(o, BANKER, 8),\n"
    copy.insert("src/punto/game/outcome.py", "    Case.TIE: lambda o: o.lead == 0,\n", meaning)
    copy.insert("tests/game/test_outcome.py", '"KH QD v TS 8C": "Banker wins|', "Banker wins on 8 points|")

    before = copy.folder / EDITION / "revision-2"
    before.mkdir()
    for name in ("bets.toml", "layouts.toml", "paragraphs.toml"):
        shutil.copy(copy.folder / EDITION / name, before)
    copy.append(f"{EDITION}/bets.toml", BET)
    copy.replace(f"{EDITION}/paragraphs.toml", '"4.2" = {', PARAGRAPH + '"4.2" = {')
    assert "the bet banker_eight is on no layout" in copy.python("-c", LOAD).stderr
    copy.insert(f"{EDITION}/layouts.toml", '"4.1.13" = "M"\n', '"4.1.16" = "M"\n')

    assert json.loads(copy.runs(LOAD + WORTH)) == ["4.1.16", 6000, 21, True]
    assert "banker_eight" in (copy.folder / "web/tests/fixtures/editions.json").read_text("utf-8")
    assert copy.red("tests/game/test_outcome.py", *AFTERWARDS) == {name.split("::")[1] for name in AFTERWARDS}
