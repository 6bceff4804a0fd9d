"""`punto.odds` alone needs msgspec and the standard library; called from Python it gives plain records and columns."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

import punto
from punto.odds.sheet import to_json
from tests.cli.program import PLAIN
from tests.odds.shoes import RULES

BLOCKED = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BANNED:
            raise ImportError(f"{name} is blocked")

BANNED = {"numpy", "numba", "typer", "rich", "pandas", "polars", "pyarrow", "matplotlib", "xlsxwriter", "typst"}
BANNED |= {"typing_extensions"}  # msgspec looks for it and can do without
sys.meta_path.insert(0, Block())
import punto.odds
import punto.odds.study, punto.odds.census, punto.odds.mid_round, punto.odds.insurance, punto.odds.removal
import punto.odds.rounds, punto.odds.sheet, punto.odds.value
import punto
found = punto.odds_of(punto.edition("tiger-buffalo-commission/2025-11-21"))
print(found.bets[punto.Bet.TIE].expectation)
standard = set(sys.stdlib_module_names) | {"punto", "__main__"}
print(sorted({name.partition(".")[0] for name in sys.modules} - standard - set(sys.builtin_module_names)))
"""


def test_odds_need_no_third_party_but_msgspec() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{BLOCKED}"],
        capture_output=True,
        text=True,
        check=False,
        env=PLAIN,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["-103841353768/723147898655", "['msgspec']"]


def test_a_record_in_a_line() -> None:
    sheet = punto.odds_of(RULES, decks=6, removed="9H 9D")
    assert (sheet.decks, sheet.composition.cards) == (6, 310)
    assert sheet.bets[punto.Bet.BANKER].expectation < 0
    assert isinstance(sheet.bets[punto.Bet.BANKER].expectation, Fraction)
    assert punto.odds_of(RULES).coups == 4998398275503360


def test_columns_are_of_one_length_and_plain() -> None:
    """A dict of lists, which polars.DataFrame and pandas.DataFrame take as it is."""
    sheet = punto.odds_of(RULES)
    for columns, rows in (
        (sheet.bet_columns(), 20),
        (sheet.way_columns(), sum(len(value.ways) for value in sheet.bets.values())),
        (sheet.offer_columns(), 83),
    ):
        assert {len(column) for column in columns.values()} == {rows}
        for name, column in columns.items():
            assert {type(value) for value in column} <= {str, int, float, bool, type(None)}, name
            assert len({type(value) for value in column} - {type(None)}) == 1, f"{name} mixes types"
    ways = sheet.way_columns()
    assert max(ways["coups"]) < 2**63, "counts fit the int64 columns of data frames"
    assert sum(ways["coups"]) == 20 * sheet.coups


def test_in_the_middle_of_a_round() -> None:
    sheet = punto.odds_of(RULES, seen="KH 5D v 2S 2C")
    assert len(sheet.insurance) == 1
    assert set(sheet.offer_columns()["after"]) == {"four-cards"}
    assert punto.odds_of(RULES, seen="KH 9D v 2S 2C").offer_columns() == {}


def test_only_some_bets() -> None:
    sheet = punto.odds_of(RULES).only([punto.Bet.TIE])
    assert list(to_json(sheet)["bets"]) == ["tie"]


@pytest.mark.parametrize(("decks", "removed", "seen"), [(3, "", None), (None, "XX", None), (None, "", "KH v 2S")])
def test_what_has_no_odds_is_a_value_error(decks: int | None, removed: str, seen: str | None) -> None:
    with pytest.raises(ValueError, match="expected"):
        punto.odds_of(RULES, decks, removed, seen)
