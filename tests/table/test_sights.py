"""What people see, step by step through whole tables, is compared with what is on record.

`make transcripts` writes it anew; the difference is read before it is kept. How it is written is in
`tests/transcripts/sights.py`.
"""

from __future__ import annotations

import json

import pytest

from punto.rulebook import load
from tests.transcripts import reading
from tests.transcripts.sights import SHOWN, STRANGER, Sight, difference, kept, written


def by_place(text: str) -> dict[tuple[int, str], Sight]:
    lines = [json.loads(line) for line in text.splitlines()]
    return {(line["step"], who): line | {"who": who} for line in lines for who in line["who"]}


@pytest.mark.parametrize("name", SHOWN)
def test_everybody_is_shown_what_is_on_record(name: str) -> None:
    recorded, now = by_place(kept(name).read_text("utf-8")), by_place(written(name))
    wrong = [at for at in sorted({*recorded, *now}) if recorded.get(at) != now.get(at)]
    for step, who in wrong[:1]:
        was, is_ = recorded.get((step, who), {}), now.get((step, who), {})
        pytest.fail(f"{name}, step {step}, {who}: on record {difference(is_, was)}, now {difference(was, is_)}")


def test_a_difference_says_what_is_new_and_what_has_gone() -> None:
    before: Sight = {"phase": "betting", "cards": {"P1": None, "B1": "2H"}, "offer": None, "stakes": {"tie": "1.00"}}
    after: Sight = {"phase": "betting", "cards": {"P1": "KS", "B1": "2H"}, "hand": None, "stakes": {}}
    new = {"cards": {"P1": "KS"}, "hand": None, "stakes": {"-": ["tie"]}, "-": ["offer"]}
    assert difference(before, after) == new
    assert difference(after, after) == {}
    assert difference({"winner": "tie"}, {"winner": None}) == {"winner": None}
    assert difference({"squeeze": {"granted": True}}, {"squeeze": None}) == {"squeeze": None}


def test_a_difference_of_words_says_which_came_and_which_left() -> None:
    assert difference({"bet": ["tie", "player"]}, {"bet": ["tie", "banker"]}) == {
        "bet": {"+": ["banker"], "-": ["player"]}
    }
    assert difference({"bet": ["tie", "player"]}, {"bet": ["player", "tie"]}) == {"bet": ["player", "tie"]}
    assert difference({"box": [1, 2]}, {"box": [2]}) == {"box": [2]}
    assert difference({"can": ["sit"]}, {"can": []}) == {"can": []}


def test_what_is_kept_is_small_and_of_these_scripts() -> None:
    sizes = {path: path.stat().st_size for path in reading.FOLDER.rglob("*.seen")}
    assert set(sizes) == {kept(name) for name in SHOWN}
    assert max(sizes.values()) < 200_000
    assert sum(sizes.values()) < 1_500_000


def test_every_edition_is_shown_and_every_audience_but_a_stranger_has_a_name_of_the_script() -> None:
    editions = {edition for name in SHOWN for edition in reading.transcript(name).editions}
    assert editions == {source.id for source in load.catalogue()}
    for name in SHOWN:
        lookers = {who.partition(" ") for _, who in by_place(kept(name).read_text("utf-8"))}
        assert {audience for audience, _, who in lookers if not who} == {"public", "dealer", "pit"}
        assert {audience for audience, _, who in lookers if who == STRANGER} >= {"patron", "pit"}
        assert STRANGER not in reading.transcript(name).script
