"""Random records of `punto settle` without insurance, against the oracle."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import plain
from tests.properties.settling import answer
from tests.properties.strategies import LAW, PATRONS, hands, stakes, tables


@LAW
@given(st.data())
def test_any_wagers(data: st.DataObject) -> None:
    """All bets of all layouts of all editions, cards in every spelling, stakes up to the largest."""
    edition, layout = data.draw(tables)
    player, banker = data.draw(hands)
    bets = st.sampled_from(plain.bets_on(*edition, layout))
    amounts = (stakes | st.integers(1, 10**15 - 1)).map(plain.amount)
    shape = {"bet": bets, "stake": amounts | st.integers(1, 99).map(str) | st.integers(1, 9).map(lambda d: f"7.{d}")}
    more = {"patron": st.sampled_from(PATRONS), "id": st.none() | st.text(max_size=5) | st.integers(-9, 9)}
    record: dict[str, Any] = {
        "id": data.draw(st.none() | st.text(max_size=5) | st.integers(-9, 9)),
        "game": edition[0],
        "edition": edition[1],
        "layout": layout,
        "player": [data.draw(st.sampled_from((card, card.lower(), card.replace("T", "10")))) for card in player],
        "banker": [data.draw(st.sampled_from((card, card.lower(), card.replace("T", "10")))) for card in banker],
        "wagers": data.draw(st.lists(st.fixed_dictionaries(shape, optional=more), max_size=12)),
    }
    assert answer(record) == plain.settle_record(record)


@LAW
@given(st.data())
def test_the_edition_in_force_on_a_date(data: st.DataObject) -> None:
    """E1, E5: the same round under the edition that its date calls for."""
    game = data.draw(st.sampled_from((plain.TB_COMMISSION, plain.TB_NON_COMMISSION, plain.LIVE_COMMISSION)))
    day = data.draw(st.dates(dt.date(2024, 5, 14), dt.date(2027, 1, 1)) | st.just(dt.date(2025, 11, 21)))
    suffix = "" if day == dt.date(2024, 5, 14) else data.draw(st.sampled_from(("", "T07:59", "T08:00", "T23:00:00Z")))
    player, banker = data.draw(hands)
    record = {
        "game": game,
        "on": f"{day}{suffix}",
        "layout": "live" if plain.is_live(game) else "K",
        "player": player,
        "banker": banker,
        "wagers": [{"bet": bet, "stake": "10.00"} for bet in ("player", "banker", "tie", "player_pair")],
    }
    assert answer(record) == plain.settle_record(record)
