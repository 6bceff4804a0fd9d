"""`punto replay`: a line that is no command is refused, and the next is played. Tables are tested in tests/table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.program import Answer, call

OPEN: dict[str, Any] = {
    "do": "open-table",
    "by": "sam",
    "table": "T1",
    "edition": "tiger-buffalo-commission/2025-11-21",
    "layout": "A",
    "positions": 6,
    "limits": {"minimum": "10.00", "maximum_differential": "1000.00"},
    "source": "virtual",
}
DUTY = b'{"do":"start-duty","name":"dora","rank":"dealer"}'
NEST = b"[" * 100_000 + b"]" * 100_000


def replayed(*lines: bytes) -> Answer:
    """Replay these lines at an open table."""
    return call("replay", stdin=b"\n".join([json.dumps(OPEN).encode(), *lines]))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (NEST, "object"),
        (b'{"do":"join","patron":"ann","chips":' + NEST + b"}", ""),
        (b'{"do":"load-shoe","by":"dora","count":416,"shuffled":true,"top":' + NEST + b"}", "recursion"),
        (b'{"do":"join","patron":"ann","patron":"bob"}', "'patron' is given twice: expected every key once"),
        (b'{"do":"join","patron":"ann","p\\u0061tron":"ann"}', "'patron' is given twice"),
        (b'{"do":"load-shoe","by":"dora","count":1,"top":[],"count":416,"shuffled":true}', "'count' is given twice"),
        (b"x" * (1 << 20) + b"x", "the line is longer than"),
    ],
    ids=["deep", "deep chips", "deep top", "twice", "twice, disguised", "twice beside top", "endless"],
)
def test_a_line_that_is_no_command_is_refused_and_the_next_one_played(line: bytes, says: str) -> None:
    answer = replayed(line, DUTY)
    opened, refused, played, _ = answer.lines
    assert (opened["command"], refused["command"], played["command"]) == (1, 2, 3)
    assert (refused["refused"]["code"], refused["refused"]["paragraph"]) == ("bad-command", None)
    assert says in refused["refused"]["message"]
    assert played["events"][0]["event"] == "duty-started"
    assert (answer.status, answer.err) == (1, "punto: commands refused: 1, the first is command 2\n")


def load(*top: str) -> bytes:
    return json.dumps({"do": "load-shoe", "by": "sam", "count": 416, "shuffled": True, "top": top}).encode()


def test_top_is_read_like_every_card() -> None:
    plain = replayed(load("KH", "TS", "TD", "4H"))
    assert (plain.status, plain.lines[1]["events"][0]["event"]) == (0, "shoe-loaded")
    assert replayed(load("kh", "10S", "10d", "4h")) == plain


def test_a_card_in_top_that_is_none_is_refused_as_one_in_an_order_is() -> None:
    refused = replayed(load("KH", "1S", "4H")).lines[1]["refused"]
    assert (refused["code"], refused["paragraph"]) == ("unknown-card", "2.2.1")
    assert "'1S' is no card" in refused["message"]


@pytest.mark.parametrize("refused", ["open-table", "past"])
def test_e2_what_was_refused_or_is_past_chooses_no_edition_for_the_next_round(refused: str) -> None:
    pinned = {**OPEN, "source": "live"}
    other = {**pinned, "edition": "tiger-buffalo-commission/2024-05-14"}
    load = {"do": "load-shoe", "by": "sam", "count": 416, "shuffled": True}
    bet = {"do": "open-betting", "by": "sam"}
    if refused == "open-table":
        script = [pinned, load, other, bet]
    else:
        close, end = {"do": "close-betting", "by": "sam"}, {"do": "close-table", "by": "sam"}
        void = {"do": "report-irregularity", "by": "sam", "kind": "void", "cause": "foreign-card"}
        ruled = {"do": "decide-irregularity", "by": "sam", "reason": "seen"}
        late = {"do": "report-irregularity", "by": "sam", "kind": "late-discovery", "round": 1}
        script = [other, load, bet, close, void, ruled, end, pinned, load, late, bet]
    lines = call("replay", stdin=b"\n".join(json.dumps(command).encode() for command in script)).lines
    assert lines[-2]["events"][0]["edition"] == "tiger-buffalo-commission/2025-11-21"
