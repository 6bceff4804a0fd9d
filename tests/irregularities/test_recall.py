"""I11: a past round is put right however far back; the table itself holds no more rounds than before."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from punto.cli import replay
from punto.game import commands as c
from punto.game import events as e
from punto.game import recall
from punto.game.evolve import MOST_PAST_ROUNDS
from punto.game.table import Round
from tests.irregularities.given import BANKER_WINS, COMMISSION_2025, another, init_round, settle

ROUNDS = MOST_PAST_ROUNDS + 40


def script(*last: dict[str, Any]) -> list[bytes]:
    deal: list[dict[str, Any]] = [{"do": "draw-card", "by": "dora", "card": face} for face in BANKER_WINS.split()]
    wagers: list[dict[str, Any]] = [
        {"do": "place-wager", "patron": name, "box": box, "bet": bet, "stake": "10.00"}
        for name, box, bet in (("ann", 1, "player"), ("bob", 2, "banker"))
    ]
    insured = {"do": "take-insurance", "by": "dora", "patron": "ann", "bet": "player_insurance", "stake": "2.00"}
    first: list[dict[str, Any]] = [
        *wagers,
        {"do": "close-betting", "by": "dora"},
        *deal[:4],
        {**insured, "area": "banker_insurance"},
        deal[4],
    ]
    rest: list[dict[str, Any]] = [
        {"do": "close-betting", "by": "dora"},
        *({**command, "card": face} for command, face in zip(deal, ["KD", "2H", "9D", "3H"], strict=False)),
    ]
    opening = {"do": "open-betting", "by": "dora"}
    lines: list[dict[str, Any]] = [
        {
            "do": "open-table",
            "by": "sam",
            "table": "T1",
            "edition": COMMISSION_2025,
            "layout": "A",
            "positions": 6,
            "device": "shuffler",
            "limits": {"minimum": "10.00", "maximum_differential": "1000.00"},
        },
        {"do": "start-duty", "name": "dora", "rank": "dealer"},
        {"do": "start-duty", "name": "mia", "rank": "pit-manager"},
        {"do": "start-duty", "name": "tess", "rank": "shift-manager"},
        {"do": "load-shoe", "by": "dora", "count": 416, "shuffled": True},
        {"do": "join", "patron": "ann", "chips": "1000.00"},
        {"do": "join", "patron": "bob", "chips": "1000.00"},
        {"do": "sit", "patron": "ann", "box": 1},
        {"do": "sit", "patron": "bob", "box": 2},
        opening,
        *first,
        {"do": "settle", "by": "dora"},
    ]
    for _ in range(ROUNDS):
        lines += [opening, *rest, {"do": "settle", "by": "dora"}]
    return [json.dumps(command).encode() for command in (*lines, *last)]


def report(kind: str, **facts: Any) -> dict[str, Any]:
    return {"do": "report-irregularity", "by": "dora", "kind": kind, "round": 1, **facts}


def rule(by: str, **said: Any) -> dict[str, Any]:
    return {"do": "decide-irregularity", "by": by, "reason": "the camera shows it", **said}


@pytest.mark.parametrize(
    ("reported", "ruled", "happens"),
    [
        (
            report("late-table-of-play", player=["KH", "7D", "4H"], banker=["2S", "3C", "9H"]),
            rule("mia"),
            "past-round-corrected",
        ),
        (report("insurance-misplaced", insurance="i3"), rule("dora"), "insurance-repositioned"),
        (
            report("discretion", player=["KH", "7D"], banker=["2S", "3C", "5H"]),
            rule("tess", action="resettle"),
            "past-round-corrected",
        ),
        (report("discretion"), rule("tess", action="void"), "past-round-corrected"),
    ],
)
def test_any_round_of_the_history_is_put_right(reported: dict[str, Any], ruled: dict[str, Any], happens: str) -> None:
    answers, refused = replay.run(script(reported, ruled))
    assert not refused, answers[-3:]
    assert happens in [event["event"] for event in json.loads(answers[-2])["events"]]


def test_what_was_put_right_before_is_read_back_as_well() -> None:
    """A round that is void already can't be corrected again, and a round that was never played is refused."""
    void = rule("tess", action="void")
    again = report("late-table-of-play", player=["KH", "7D", "4H"], banker=["2S", "3C", "9H"])
    answers, refused = replay.run(script(report("discretion"), void, again, {**again, "round": ROUNDS + 9}))
    assert refused == 2
    first, second = (json.loads(answer)["refused"]["message"] for answer in answers[-3:-1])
    assert first == "that round already ended without a result"
    assert second == "this table has played no such round"


def test_a_round_read_back_is_the_one_that_the_table_held() -> None:
    table = init_round(COMMISSION_2025, BANKER_WINS)
    settle(table)
    another(table, "KD 2H 9D 3H")
    read: Round | None = recall.past_round(table.events, 1)
    assert read == table.table.past[1]
    assert msgspec.structs.replace(table.table, past={}) == recall.let_go(table.table, 1)
    assert isinstance(table.events[-1], e.CoupCompleted)


def test_a_ruling_where_nothing_was_reported_needs_no_round_read_back() -> None:
    table = init_round(COMMISSION_2025, BANKER_WINS)
    assert recall.wanted(table.table, c.DecideIrregularity(by="sam")) is None
    assert recall.wanted(table.table, c.OpenBetting(by="sam")) is None
