"""Answer questions about one box and its limits: play the moves of the question as commands at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from punto import money
from punto.conformance.engine.play import table_after
from punto.rulebook.model import Rulebook

BOX: Final = 1
SEATED: Final = "seated"
STAFF: Final = "dealer"
CHIPS: Final = "1000000.00"


def box(rules: Rulebook, question: Mapping[str, Any]) -> dict[str, Any]:
    """The amount of each wager in play after the moves: 0 for a wager that is gone or was never accepted."""
    moves: list[dict[str, Any]] = question["moves"]
    wagers = {move["id"]: move for move in moves if move["move"] in ("place", "found")}
    commands = _opening(rules, question["limits"], wagers)
    for move in moves:
        commands += _commands(move, wagers)
    table, _ = table_after(commands)
    round_ = table.round
    lying = {} if round_ is None else {(wager.patron, wager.bet.value): wager for wager in round_.wagers.values()}
    in_play = {}
    for name, move in wagers.items():
        laid = lying.get((_patron(move), move["bet"]))
        in_play[name] = money.amount(0 if laid is None else laid.in_play_cents)
    return {"box": in_play}


def _patron(wager: Mapping[str, Any]) -> str:
    """One patron sits at the box; each other wager has its own standing patron."""
    return SEATED if wager["seated"] else f"standing {wager['id']}"


def _opening(rules: Rulebook, limits: Mapping[str, Any], wagers: Mapping[str, Any]) -> list[dict[str, Any]]:
    layout = next(iter(rules.layouts.values()))
    opening: list[dict[str, Any]] = [
        {
            "do": "open-table",
            "by": STAFF,
            "table": "T1",
            "edition": rules.id,
            "layout": layout.id,
            "positions": layout.positions[1],
            "limits": dict(limits),
        },
        {"do": "load-shoe", "by": STAFF, "count": 52 * rules.procedure.decks_default, "shuffled": True},
        {"do": "join", "patron": SEATED, "chips": CHIPS},
        {"do": "sit", "patron": SEATED, "box": BOX},
    ]
    if rules.procedure.burn != "none":
        opening.append({"do": "burn", "by": STAFF, "card": "AS"})
    standing = dict.fromkeys(_patron(wager) for wager in wagers.values() if not wager["seated"])
    opening += [{"do": "join", "patron": name, "chips": CHIPS} for name in standing]
    return [*opening, {"do": "open-betting", "by": STAFF}]


def _commands(move: Mapping[str, Any], wagers: Mapping[str, Any]) -> list[dict[str, Any]]:
    if move["move"] == "close":
        return [{"do": "close-betting", "by": STAFF}]
    wager = wagers[move["id"]]
    which = {"patron": _patron(wager), "box": BOX, "bet": wager["bet"]}
    match move["move"]:
        case "place":
            return [{"do": "place-wager", **which, "stake": move["stake"]}]
        case "found":
            return [{"do": "report-chips", "by": STAFF, **which, "stake": move["stake"]}]
        case "raise":
            return [{"do": "raise-wager", **which, "stake": move["stake"]}]
        case "lower":
            return [{"do": "lower-wager", **which, "stake": move["stake"]}]
        case "withdraw":
            return [{"do": "withdraw-wager", **which}]
        case other:
            raise ValueError(f"{other!r} is no move of a box")
