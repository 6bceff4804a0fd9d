"""The usual record by lookup, byte for byte against the reference: every cell, every bet, every kind of text."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cli.settle import governing_at
from punto.game.record import settle_in_full, settle_line
from punto.game.record_lookup import look_up
from punto.rulebook.model import Rulebook
from tests.cli.rounds import line, record
from tests.cli.test_settle import TABLE
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Edition, cells, families
from tests.properties.strategies import LAW, PATRONS, hands, tables

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
USUAL: dict[str, Any] = record(insurance=None)
ODD_CENTS = ("0.01", "0.05", "0.10", "1.00", "2.50", "33.33", "99.99", "1234567.89", "9999999999999.99")
"""Commission, 3 to 2 and other odds meet half cents here; the largest stake is the last."""


def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
    return governing_at(game, edition, on, NOW)


def same(text: bytes) -> bytes | None:
    """The lookup's answer, which must be the reference's; None where the lookup leaves the record to the reference."""
    answer = look_up(text, governing)
    expected, good = settle_in_full(text, governing)
    assert answer is None or (good and answer == expected)
    assert settle_line(text, governing) == (expected, good)
    return answer


@EDITIONS
def test_every_cell_with_every_bet_of_every_layout(edition: Edition) -> None:
    """Exhaustive: 8,105 cells, each with all bets of one of the edition's sets of bets, in turn, and all stakes."""
    layouts = list(families(edition).items())
    for number, cell in enumerate(cells()):
        bets, layout = layouts[number % len(layouts)]
        wagers = [
            {"id": f"w{at}", "bet": bet, "stake": ODD_CENTS[3:][(number + at) % 6]} for at, bet in enumerate(bets)
        ]
        texts = [[str(card) for card in hand] for hand in (cell.coup.player, cell.coup.banker)]
        fields = {"id": number, "game": edition[0], "edition": edition[1], "layout": layout}
        text = json.dumps({**fields, "player": texts[0], "banker": texts[1], "wagers": wagers}).encode()
        assert same(text) is not None, text


@EDITIONS
def test_every_bet_of_every_layout_on_coups_of_every_outcome(edition: Edition) -> None:
    """Exhaustive: every set of bets on one coup of every settlement class."""
    outcomes = {plain_class(cell): cell for cell in cells()}
    assert len(outcomes) == 779
    for bets, layout in families(edition).items():
        wagers = [{"bet": bet, "stake": ODD_CENTS[at % 9]} for at, bet in enumerate(bets)]
        for cell in outcomes.values():
            texts = [[str(card) for card in hand] for hand in (cell.coup.player, cell.coup.banker)]
            fields = {"game": edition[0], "edition": edition[1], "layout": layout, "wagers": wagers}
            same(json.dumps({**fields, "player": texts[0], "banker": texts[1]}).encode())


def plain_class(cell: Any) -> tuple[int, int, int, int, str]:
    points = (
        plain.points([str(card) for card in cell.coup.player]),
        plain.points([str(card) for card in cell.coup.banker]),
    )
    return (*points, len(cell.player), len(cell.banker), cell.flag)


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_every_refusal_is_left_to_the_reference(row: Any) -> None:
    assert same(row.text) is None
    assert same(row.text.replace(b', "insurance"', b', "decks"')) is None


def test_every_hand_of_cards_that_is_none_is_left_to_the_reference() -> None:
    """Exhaustive over the numbers of cards, with a natural and with hands that draw."""
    for player in range(6):
        for banker in range(6):
            for first in ("9H", "2H"):
                hands = [first, "KS", "3D", "4C", "5S"]
                answer = same(line(insurance=None, player=hands[:player], banker=hands[1:][:banker]))
                assert answer is None or (player in (2, 3) and banker in (2, 3))


IDS = [
    "",
    "r:1",
    'a"b',
    "back\\slash",
    "tab\t",
    "\x7f",
    "閒",
    "\u2028",
    "😀",
    7,
    -1,
    0,
    2**63,
    2**64,
    10**30,
    2.5,
    None,
]


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("name", IDS, ids=ascii)
def test_ids_of_every_kind(name: object, ascii_only: bool) -> None:
    wagers = [{"id": name, "bet": "tie", "stake": "1.00", "patron": str(name)}]
    for changed in ({"id": name}, {"wagers": wagers}, {"id": name, "wagers": wagers}):
        same(json.dumps({**USUAL, **changed}, ensure_ascii=ascii_only).encode())


def test_every_character_that_a_text_can_hold() -> None:
    """Exhaustive up to the end of the Latin letters, and one in 97 from there."""
    codes = [*range(0x250), *range(0x250, 0xD800, 97), *range(0xE000, 0x110000, 97)]
    for code in codes:
        same(json.dumps({**USUAL, "id": f"r{chr(code)}"}, ensure_ascii=False).encode())


STAKES = [
    *ODD_CENTS,
    *("1", "1.5", "01.00", "00.50", "1.005", "+1.00", "-1.00", "1_0.00", " 1.00", "1.00 ", "١٢.٠٠", "1.٠٠", "²2.00"),
    *("10000000000000.00", "99999999999999999999.00", ".50", "1.", "1.0.0", "1..00", "", ".", "0.00", "1e2.00"),
]


@pytest.mark.parametrize("stake", STAKES)
@pytest.mark.parametrize("bet", ["player", "banker", "tie"])
def test_stakes_of_every_kind(stake: str, bet: str) -> None:
    same(line(insurance=None, wagers=[{"id": "w1", "bet": bet, "stake": stake}]))


@pytest.mark.parametrize("on", ["2024-05-14", "2025-11-21T08:00:00+08:00", "2025-11-21", "2024-06-01T12:00"])
def test_a_date_and_its_note(on: str) -> None:
    assert same(line(insurance=None, edition=None, on=on)) is not None


@pytest.mark.parametrize(
    "key", ["id", "game", "edition", "layout", "player", "banker", "wagers", "bet", "stake", "patron"]
)
@pytest.mark.parametrize("between", [":", " :", "\t: "])
def test_a_key_that_stands_twice_is_left_to_the_reference(key: str, between: str) -> None:
    once = line(insurance=None)
    value = {"wagers": "[]", "player": "[]", "banker": "[]"}.get(key, '"patron"')
    twice = once.replace(f'"{key}":'.encode(), f'"{key}"{between}{value},"{key}":'.encode(), 1)
    assert twice != once
    assert same(once) is not None
    assert same(twice) is None


@LAW
@given(st.data())
def test_any_record(data: st.DataObject) -> None:
    """Wagers of all kinds, good and bad together, with and without blanks."""
    edition, layout = data.draw(tables)
    player, banker = data.draw(hands)
    bets = st.sampled_from((*plain.bets_on(*edition, layout), "player_insurance", "dragon", "tiger_pair"))
    names = st.none() | st.text(max_size=5) | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    wager = st.fixed_dictionaries(
        {"bet": bets, "stake": st.sampled_from(STAKES) | st.integers(1, 10**9).map(plain.amount)},
        optional={"patron": st.sampled_from(PATRONS), "id": names, "found": st.booleans()},
    )
    record: dict[str, Any] = data.draw(
        st.fixed_dictionaries(
            {"wagers": st.lists(wager, max_size=5)},
            optional={"id": names, "decks": st.integers(3, 11), "limits": st.just({}), "insurance": st.just([])},
        )
    )
    record |= {"game": edition[0], "edition": edition[1], "layout": layout, "player": player, "banker": banker}
    blank = data.draw(st.sampled_from(((",", ":"), (", ", ": "), (" , ", " : "))))
    same(json.dumps(record, separators=blank, ensure_ascii=data.draw(st.booleans())).encode())
