"""Vectors of roads, odds and history: boards drawn a second time, every sequence of ranks counted, the dates."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

from punto.conformance.vectors import ANY_EDITION, Acceptable, Level, Vector, vector
from punto.rulebook import load
from tests.conformance import oracle_answers as oracle
from tests.oracle import plain, plain_roads

VECTORS: Final = Path(__file__).parents[1] / "vectors" / "roads.json"
"""Shoes whose roads were drawn by hand and checked by others, kept unchanged."""

DERIVED: Final = ("big_eye", "small", "cockroach")
DRAWN: Final = ("O111",)


def _road(ask: str, results: str, expected: dict[str, Any], why: str, rests_on: tuple[str, ...] = ()) -> Vector:
    return vector(
        edition=ANY_EDITION,
        level=Level.ROADS,
        ask=ask,
        paragraphs=(),
        input={"results": results},
        expected=expected,
        rests_on=rests_on,
        why=why,
    )


SHOES: Final = (
    ("", "nothing yet"),
    ("T", "ties alone"),
    ("B", "one decision"),
    ("BB", "one streak"),
    ("BBP", "the first mark of nothing"),
    ("BPB", "the third column, from the first on"),
    ("BPP", "a second row beside a first column of one"),
    ("BBPPP", "one deeper than the column before"),
    ("BBPPPP", "two deeper than the column before: past the first gap"),
    ("BPPPPPP", "far past the first gap"),
    ("BTBTPTP", "ties between decisions change no derived road"),
    ("TTBBP", "ties before the first decision"),
    ("BBBBBBBBPPPPPPPPBBBBBBBBPPPPPPPP", "streaks deeper than the board, side by side"),
    ("BPBPBPBPBPBPBPBPBPBPBPBPBPBPBPBP", "one and one"),
    ("BBPPBBPPBBPPBBPPBBPP", "two and two"),
    ("BBBPBBBPBBBPBBBP", "three and one"),
)


def roads() -> Iterator[Vector]:
    """Shoes drawn by hand, then those of the list, then random ones."""
    for example in json.loads(VECTORS.read_text("utf-8")):
        board = plain_roads.boards(example["input"])
        for name in DERIVED:
            assert board[name] == example[name], f"{example['id']}: {name}"
        assert board["big_road"] == example["big_road"], example["id"]
        yield from boards(example["input"], example["id"].partition("-")[2].replace("-", " "))
    for results, why in SHOES:
        yield from boards(results, why)
    yield from random_roads(12, "default")


def random_roads(number: int, which: str) -> Iterator[Vector]:
    chance = random.Random(f"roads, {which}")
    for _ in range(number):
        results = "".join(chance.choices("BPT", (46, 44, 10), k=chance.randint(20, 75)))
        yield from boards(results, "a shoe as it comes")


def boards(results: str, why: str) -> Iterator[Vector]:
    board: dict[str, Any] = plain_roads.boards(results)
    yield _road("derived", results, {name: board[name]["sequence"] for name in DERIVED}, why)
    if results:
        yield _road("next", results, {"banker": board["ask"]["B"], "player": board["ask"]["P"]}, why)
        yield _road("bead", results, {"rows": board["bead"]}, why)
    if results.strip("T"):
        yield _road("big-road", results, {"rows": board["big_road"]}, why, _drawing(results))


def _drawing(results: str) -> tuple[str, ...]:
    """O111: a streak that turns at the bottom, or meets another one, is drawn in more than one way."""
    deepest = max(len(streak) for streak in plain_roads.columns(results.replace("T", "")))
    return DRAWN if deepest > 6 else ()


# Which edition governs


GAMES: Final = ("tiger-buffalo-commission", "tiger-buffalo-non-commission")
DATES: Final = (
    ("2024-05-14T07:59:59+08:00", None, "a second before the first edition", None),
    ("2024-05-14T08:00:00+08:00", "2024-05-14", "the instant of the first edition", None),
    ("2024-05-14T00:00:00+00:00", "2024-05-14", "the same instant in another zone", None),
    ("2024-05-13T23:59:59+00:00", None, "a second earlier in another zone", None),
    ("2024-06-01T12:00:00+08:00", "2024-05-14", "weeks after it", None),
    ("2025-11-21T07:59:59+08:00", "2024-05-14", "a second before the newer edition", "E3"),
    ("2025-11-21T08:00:00+08:00", "2025-11-21", "the instant of the newer edition", None),
    ("2025-11-20T23:59:59+00:00", "2024-05-14", "a second before it, in another zone", "E3"),
    ("2025-11-21T00:00:00+00:00", "2025-11-21", "the instant in another zone", None),
    ("2025-11-21T08:00:00+09:00", "2024-05-14", "an hour early, in another zone", "E3"),
    ("2026-06-01T00:00:00+08:00", "2025-11-21", "long after", None),
    ("2020-01-01T00:00:00+08:00", None, "long before", None),
)


def history() -> Iterator[Vector]:
    for game in GAMES:
        for on, edition, why, ruling in DATES:
            if edition is not None:
                assert plain.edition_of({"game": game, "on": on}) == edition
            yield _in_force(game, on, edition, why, () if ruling is None else (ruling,))
        lawful = (Acceptable(ruling="E5", answer={"edition": "2024-05-14"}),)
        yield _in_force(game, "2025-11-21", "2025-11-21", "the day alone: its hour is not said", (), lawful)
    for game in (plain.LIVE_COMMISSION, plain.LIVE_NO_COMMISSION):
        yield _in_force(game, "2025-01-01T00:00:00+08:00", "undated", "the Live page has no date", ())


def _in_force(
    game: str,
    on: str,
    edition: str | None,
    why: str,
    rests_on: tuple[str, ...],
    acceptable: tuple[Acceptable, ...] = (),
) -> Vector:
    return vector(
        edition=ANY_EDITION,
        level=Level.HISTORY,
        ask="in-force",
        paragraphs=(),
        input={"game": game, "on": on},
        expected={"edition": edition},
        acceptable=acceptable,
        rests_on=rests_on,
        why=why,
    )


# Odds

SHOES_OF_ODDS: Final = ((8, ()), (6, ()), (8, ("9H", "9D", "8S", "6C")))


def odds(edition: str) -> Iterator[Vector]:
    """Every bet on a full shoe, on six decks, and on one from which a few cards have gone."""
    for decks, removed in SHOES_OF_ODDS:
        counted = _counted(decks, removed)
        for bets in oracle.groups(edition):
            shoe = f"{decks} decks" + (f" without {' '.join(removed)}" if removed else "")
            yield vector(
                edition=edition,
                level=Level.ODDS,
                ask="odds",
                paragraphs=tuple(dict.fromkeys(_cite(edition, bet) for bet in bets)),
                input={"decks": decks, "removed": list(removed), "bets": list(bets)},
                expected={"bets": {bet: _worth(edition, bet, counted) for bet in bets}},
                why=f"{', '.join(bets)} on {shoe}",
            )


def _cite(edition: str, bet: str) -> str:
    return next(rule.cite for rule in load.edition(*oracle.split(edition)).bets.values() if rule.bet == bet)


Counted = dict[tuple[tuple[str, ...], tuple[str, ...]], int]


@cache
def _counted(decks: int, removed: tuple[str, ...]) -> Counted:
    """An example of each kind of final hands → how many sequences of six cards end so, of all 13⁶ of ranks."""
    import numpy as np

    from tests.odds import brute

    ranks = [4 * decks] * 13
    for card in removed:
        ranks["A23456789TJQK".index(plain.rank(card))] -= 1
    walked = brute.walk(tuple(ranks))
    counted: Counted = {}
    examples: dict[tuple[object, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for a, b, v, w, flag in np.argwhere(walked).tolist():
        player, banker = _example(a, b, v, w, flag)
        kind = (plain.points(player), plain.points(banker), len(player), len(banker), flag)
        hands = examples.setdefault(kind, (player, banker))
        counted[hands] = counted.get(hands, 0) + int(walked[a, b, v, w, flag])
    return counted


def _example(a: int, b: int, v: int, w: int, flag: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hands with these two-card points and third cards; pairs in none, Player, Banker, both, or both of one rank."""
    player = plain.example(a, flag in (1, 3, 4))
    banker = plain.example(b, flag in (2, 3, 4))
    if flag == 3 and player[0] == banker[0]:
        other = next(rank for rank in plain.RANKS if rank != player[0] and plain.points((rank, rank)) == b)
        banker = (other, other)
    if flag == 4:
        banker = player
    thirds = "TA23456789"
    return (
        (*player, *([thirds[v]] if v < 10 else [])),
        (*banker, *([thirds[w]] if w < 10 else [])),
    )


def _worth(edition: str, bet: str, counted: Counted) -> dict[str, str]:
    total = sum(counted.values())
    shares = {"won": 0, "returned": 0, "lost": 0}
    expectation = Fraction(0)
    for (player, banker), ways in counted.items():
        result, pays, _ = plain.settle_bet(*oracle.split(edition), bet, player, banker)
        shares[result] += ways
        expectation += ways * (pays if pays is not None else -1 if result == "lost" else 0)
    worth = {name: str(Fraction(ways, total)) for name, ways in shares.items()}
    return worth | {"expectation": str(expectation / total)}
