"""The page knows the rules from the house alone: no bet, layout, edition, odds or limit is written in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.rulebook import load
from punto.rulebook.model import Bet

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "web" / "src"
# What is generated holds types only, and nothing of it is in the page.
FILES = sorted(
    path for path in SOURCE.rglob("*") if path.suffix in (".ts", ".svelte") and not path.name.endswith(".d.ts")
)

# Both hands and the tie have a colour and a place; bets on them carry the same names.
HANDS = {"player", "banker", "tie"}
# English words; where they are bets they stand in quotes after the word bet.
PLAIN = {"big", "small", "tiger"}
# The roads count pairs under these names, whether or not the table takes bets on them.
COUNTED = {"player_pair", "banker_pair"}

BETS = {bet.value for bet in Bet} - HANDS

COMMENT = re.compile(r"/\*.*?\*/|^\s*\*.*|(?<!:)//.*")

WRITTEN = {
    "a bet": rf"\b(?:{'|'.join(sorted(BETS - PLAIN - COUNTED))})\b",
    "a bet in quotes": rf"\bbet\w*\s*(?:[!=]==?|\[)\s*[\"'](?:{'|'.join(sorted(BETS))})[\"']",
    "a pair outside the counts": r"(?<!counts\.)(?<!pairs\.)\b(?:player|banker)_pair\b",
    "a layout": r"\blayout(?:\.id)?\s*[!=]==?\s*[\"']",
    "a game or edition": "|".join(sorted({source.game for source in load.catalogue()})),
    "odds": r"\b\d+(?:\.\d+)? to \d\b|\bodds\s*[!=]==?\s*[\"']\d",
    "a limit": r"\b(?:minimum|maximum|maximum_differential)\s*[:=]\s*[\"']?\d",
}


@pytest.mark.parametrize("what", WRITTEN)
def test_nothing_of_the_rules_is_written_in_the_page(what: str) -> None:
    search = re.compile(WRITTEN[what])
    findings = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if search.search(COMMENT.sub("", line))
    ]
    assert not findings


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a bet", 'if (bet === "wu_dalang")'),
        ("a bet in quotes", 'bet === "big"'),
        ("a bet in quotes", "bets['small']"),
        ("a pair outside the counts", "bets.player_pair"),
        ("a layout", 'view.layout === "C"'),
        ("a game or edition", "tiger-buffalo-commission"),
        ("odds", "Tie pays 8 to 1"),
        ("odds", "0.95 to 1"),
        ("a limit", "minimum: 1000"),
    ],
)
def test_the_search_finds_it(what: str, line: str) -> None:
    assert re.search(WRITTEN[what], line)
