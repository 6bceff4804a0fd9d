"""Vectors of limits: what lies in one box after a few moves. The Live page states no limits, so it has none."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

from punto.conformance.vectors import Acceptable, Level, Vector, vector
from punto.rulebook import load
from tests.conformance import oracle_answers as oracle
from tests.conformance import plain_box
from tests.oracle.plain import amount, cents

Move = dict[str, Any]

LIMITS: Final = {"minimum": "50.00", "maximum_differential": "500.00"}
CAPPED: Final = {**LIMITS, "maximum": "800.00"}
SIDE: Final = {**LIMITS, "bets": {"tie": {"minimum": "10.00", "maximum": "100.00"}}}
CLOSE: Final[Move] = {"move": "close"}


def place(name: str, bet: str, stake: str, seated: bool = False) -> Move:
    return {"move": "place", "id": name, "bet": bet, "stake": stake, "seated": seated}


def find_chips(name: str, bet: str, stake: str, seated: bool = False) -> Move:
    return {"move": "found", "id": name, "bet": bet, "stake": stake, "seated": seated}


def change(move: str, name: str, stake: str | None = None) -> Move:
    return {"move": move, "id": name, **({} if stake is None else {"stake": stake})}


SEATED: Final = place("w1", "player", "300.00", True)

BOXES: Final[tuple[tuple[str, str, dict[str, Any], list[Move]], ...]] = (
    ("limit.excess", "exactly the Differential", LIMITS, [place("w1", "player", "500.00", True)]),
    ("limit.excess", "a cent over the Differential", LIMITS, [place("w1", "player", "500.01", True)]),
    ("limit.excess", "the same on Banker", LIMITS, [place("w1", "banker", "500.01", True)]),
    (
        "limit.excess",
        "the other side makes room",
        LIMITS,
        [SEATED, place("w2", "banker", "700.00"), place("w3", "banker", "200.00")],
    ),
    (
        "limit.excess",
        "seated and standing count together",
        LIMITS,
        [SEATED, place("w2", "player", "150.00"), place("w3", "player", "100.00")],
    ),
    ("limit.excess", "a rest under the minimum is not taken", LIMITS, [SEATED, place("w2", "player", "160.01")]),
    (
        "limit.excess",
        "what would be left is under the minimum",
        LIMITS,
        [place("w1", "player", "460.00", True), place("w2", "player", "60.00")],
    ),
    (
        "limits.patron-duty",
        "exactly the maximum",
        CAPPED,
        [place("w1", "player", "300.00"), place("w2", "banker", "800.00", True)],
    ),
    ("limits.patron-duty", "a cent over the maximum", CAPPED, [SEATED, place("w2", "banker", "800.01")]),
    ("limits.patron-duty", "a side bet at its maximum", SIDE, [place("w1", "tie", "100.00", True)]),
    ("limits.patron-duty", "a side bet over its maximum", SIDE, [place("w1", "tie", "100.01", True)]),
    ("limits.patron-duty", "a side bet enters no Differential", LIMITS, [place("w1", "tie", "9000.00", True)]),
    (
        "seated-first",
        "who sits pushes out the latest who stands",
        LIMITS,
        [place("w1", "player", "200.00"), place("w2", "player", "200.00"), place("w3", "player", "300.00", True)],
    ),
    (
        "seated-first",
        "and the earlier one too where it takes that",
        LIMITS,
        [place("w1", "player", "200.00"), place("w2", "player", "200.00"), place("w3", "player", "480.00", True)],
    ),
    (
        "seated-first",
        "what is cut under the minimum goes back whole",
        LIMITS,
        [place("w1", "player", "100.00"), place("w2", "player", "380.00", True), change("raise", "w2", "100.00")],
    ),
    (
        "limit.excess",
        "a lighter side cuts the other: standing first",
        LIMITS,
        [
            place("w1", "player", "400.00", True),
            place("w2", "banker", "300.00", True),
            place("w3", "banker", "600.00"),
            change("lower", "w1", "200.00"),
        ],
    ),
    (
        "limit.excess",
        "and then who sits",
        LIMITS,
        [
            place("w1", "player", "400.00"),
            place("w2", "banker", "800.00", True),
            place("w3", "banker", "100.00"),
            change("withdraw", "w1"),
        ],
    ),
    ("limit.excess", "withdrawn, and nothing on the other side", LIMITS, [SEATED, change("withdraw", "w1")]),
    ("limit.excess", "raised past the Differential", LIMITS, [SEATED, change("raise", "w1", "250.00")]),
    ("minimum.noticed", "exactly the minimum stays", LIMITS, [place("w1", "player", "50.00", True), CLOSE]),
    (
        "minimum.noticed",
        "under the minimum goes back at the close",
        LIMITS,
        [place("w1", "player", "49.99", True), CLOSE],
    ),
    (
        "minimum.noticed",
        "raised to the minimum in time",
        LIMITS,
        [place("w1", "player", "49.99", True), change("raise", "w1", "0.01"), CLOSE],
    ),
    ("minimum.noticed", "lowered under it", LIMITS, [SEATED, change("lower", "w1", "260.00"), CLOSE]),
    ("minimum.noticed", "a side bet has a minimum of its own", SIDE, [place("w1", "tie", "9.99", True), CLOSE]),
    ("minimum.noticed", "or none", LIMITS, [place("w1", "tie", "0.01", True), CLOSE]),
    (
        "minimum.noticed",
        "what goes back takes the other side along",
        LIMITS,
        [place("w1", "player", "49.00", True), place("w2", "banker", "549.00"), CLOSE],
    ),
    (
        "limit.pro-rata",
        "found chips over the Differential are shared out",
        LIMITS,
        [place("w1", "player", "400.00", True), CLOSE, find_chips("w2", "player", "400.00")],
    ),
    (
        "limit.pro-rata",
        "in proportion to what lies there",
        LIMITS,
        [
            place("w1", "player", "300.00", True),
            place("w2", "player", "100.00"),
            CLOSE,
            find_chips("w3", "player", "600.00"),
        ],
    ),
    (
        "limit.pro-rata",
        "the lighter side adds to the room",
        LIMITS,
        [
            place("w1", "player", "400.00", True),
            place("w2", "banker", "300.00"),
            CLOSE,
            find_chips("w3", "player", "800.00"),
        ],
    ),
    (
        "limit.pro-rata",
        "none falls below the minimum",
        LIMITS,
        [
            place("w1", "player", "450.00", True),
            place("w2", "player", "50.00"),
            CLOSE,
            find_chips("w3", "player", "500.00"),
        ],
    ),
    (
        "limit.pro-rata",
        "a maximum that is passed is shared alike",
        CAPPED,
        [
            place("w1", "player", "800.00", True),
            place("w2", "banker", "400.00"),
            CLOSE,
            find_chips("w3", "player", "800.00"),
        ],
    ),
    (
        "limit.pro-rata",
        "found chips within the limits stand",
        LIMITS,
        [place("w1", "player", "100.00", True), CLOSE, find_chips("w2", "banker", "400.00")],
    ),
    (
        "minimum.unnoticed",
        "found under the minimum, it stands",
        LIMITS,
        [SEATED, CLOSE, find_chips("w2", "player", "20.00")],
    ),
    (
        "limit.pro-rata-below-minimum",
        "and in full where others are cut",
        LIMITS,
        [place("w1", "player", "500.00", True), CLOSE, find_chips("w2", "player", "20.00")],
    ),
    (
        "limit.pro-rata",
        "cents that do not divide",
        LIMITS,
        [
            place("w1", "player", "100.00", True),
            place("w2", "player", "100.00"),
            place("w3", "player", "100.00"),
            CLOSE,
            find_chips("w4", "player", "400.00"),
        ],
    ),
)


def boxes(edition: str) -> Iterator[Vector]:
    if edition.startswith("live-"):
        return
    rules = load.edition(*oracle.split(edition))
    for topic, why, limits, moves in BOXES:
        yield _box(edition, (rules.paragraph(TOPICS.get(topic, topic)),), why, limits, moves)


TOPICS: Final = {"seated-first": "limit.excess"}


def random_boxes(edition: str, number: int = 100) -> Iterator[Vector]:
    """For an exhaustive run: boxes with random moves, the same each time."""
    if edition.startswith("live-"):
        return
    chance = random.Random(f"boxes of {edition}")
    cite = load.edition(*oracle.split(edition)).paragraph("limit.excess")
    for _ in range(number):
        moves = _random_moves(chance)
        yield _box(edition, (cite,), "moves as they come", chance.choice((LIMITS, CAPPED)), moves)


def _random_moves(chance: random.Random) -> list[Move]:
    moves: list[Move] = []
    seated: set[str] = set()
    for number in range(1, chance.randint(3, 7)):
        bet = chance.choice(("player", "banker"))
        sits = bet not in seated and chance.random() < 0.4
        seated |= {bet} if sits else set()
        moves.append(place(f"w{number}", bet, amount(chance.randint(1_000, 60_000)), sits))
    if chance.random() < 0.4:
        moves.append(CLOSE)
        moves.append(find_chips("w9", chance.choice(("player", "banker")), amount(chance.randint(1_000, 90_000))))
    return moves


def _box(edition: str, paragraphs: tuple[str, ...], why: str, limits: dict[str, Any], moves: list[Move]) -> Vector:
    answer = plain_box.after(limits, moves)
    return vector(
        edition=edition,
        level=Level.LIMITS,
        ask="box",
        paragraphs=paragraphs,
        input={"limits": limits, "moves": moves},
        expected={"box": answer},
        acceptable=_readings(limits, moves, answer) + _other_cents(limits, moves, answer),
        why=why,
    )


def _readings(limits: dict[str, Any], moves: list[Move], answer: dict[str, str]) -> tuple[Acceptable, ...]:
    """Other answers that the text leaves room for."""
    others: dict[tuple[str, ...], Acceptable] = {}
    for reading in plain_box.READINGS:
        box = plain_box.after(limits, moves, reading)
        if box != answer:
            ruling = "D3" if reading.returned_at_close else "D5"
            others.setdefault(tuple(box.values()), Acceptable(ruling=ruling, answer={"box": box}))
    return tuple(others.values())


def _other_cents(limits: dict[str, Any], moves: list[Move], answer: dict[str, str]) -> tuple[Acceptable, ...]:
    """D4: the text says pro rata, but not where the last cent goes. Another wager that was cut may have it, or none."""
    late = [move for move in moves if move["move"] == "found"]
    if not late:
        return ()
    bet = {move["id"]: move["bet"] for move in moves if move["move"] in ("place", "found")}
    laid = plain_box.after(limits, [move for move in moves if move["move"] != "found"])
    stakes = {name: laid.get(name, "0.00") for name in answer} | {move["id"]: move["stake"] for move in late}
    cut = [name for name in answer if cents(answer[name]) < cents(stakes[name])]
    others = []
    for giver in cut:
        for taker in cut:
            if giver != taker and bet[giver] == bet[taker]:
                moved = {giver: amount(cents(answer[giver]) - 1), taker: amount(cents(answer[taker]) + 1)}
                others.append(Acceptable(ruling="D4", answer={"box": answer | moved}))
    down = {name: amount(cents(answer[name]) - 1) for name in cut}
    for name, less in down.items():
        others.append(Acceptable(ruling="D4", answer={"box": answer | {name: less}}))
    return tuple(others)
