"""Recomputes a settlement as `punto settle` would: from the cards and the stakes, line by line."""

from __future__ import annotations

import msgspec

from punto import money
from punto.game import events as e
from punto.game.record import settle_line
from punto.game.settle_round import record
from punto.game.table import Laid, Round, SettledLine, Table, Taken
from punto.rulebook.model import Rulebook


def difference(rules: Rulebook, table: Table, event: e.RoundSettled, *, irregular: bool) -> str | None:
    """What is wrong with a settlement; None if nothing is. `table` is the one before it.

    In a round with an irregularity, insurance may rest on offers that a record can't show (made late, or put on the
    wrong side). Only its wagers are settled again here; all of it is decided again elsewhere.
    """
    request = record(table)
    if irregular:
        request["insurance"] = []
    answer, settled = settle_line(msgspec.json.encode(request), lambda game, edition, on: (rules, None))
    slip = msgspec.json.decode(answer)
    if not settled:
        return f"the round can't be settled: {slip['error']['message']}"
    for name in ("winner", "player_points", "banker_points"):
        if slip[name] != getattr(event, name):
            return f"{name} is {getattr(event, name)}: by the cards it is {slip[name]}"
    return _lines(table.current, event.lines, {line["id"]: line for line in slip["lines"]})


def _lines(current: Round, lines: tuple[SettledLine, ...], due: dict[str, dict[str, str | None]]) -> str | None:
    """Every wager has a line for the part that was in play and one for the rest. There is no other line."""
    wagers: list[Laid | Taken] = [*current.wagers.values(), *current.insurance]
    for wager in wagers:
        fault = _of_wager(wager, [line for line in lines if line.wager == wager.id], current, due)
        if fault is not None:
            return f"{wager.id} of {wager.patron} on {wager.bet}: {fault}"
    ids = {wager.id for wager in wagers}
    extra = [line.wager for line in lines if line.wager not in ids]
    return f"there is a line for {extra[0]}, which is no wager of the round" if extra else None


def _of_wager(
    wager: Laid | Taken, lines: list[SettledLine], current: Round, due: dict[str, dict[str, str | None]]
) -> str | None:
    parts = [cents for cents in (wager.in_play_cents, wager.stake_cents - wager.in_play_cents) if cents]
    if [line.stake_cents for line in lines] != parts or any(line.patron != wager.patron for line in lines):
        return "its lines do not match its patron and stake"
    in_play, rest = (lines[:1], lines[1:]) if wager.in_play_cents else ([], lines)
    for line in in_play:
        known = line.wager in due and line.wager not in current.spared
        if fault := _line(line, due[line.wager]) if known else _sum(line):
            return fault
    if any(line.result != "returned" or line.handed_back_cents != line.stake_cents for line in rest):
        return "the part that was not in play was not returned in full"
    return None


def _line(line: SettledLine, due: dict[str, str | None]) -> str | None:
    recorded = {
        "bet": str(line.bet),
        "result": line.result,
        "stake": money.amount(line.stake_cents),
        "odds": None if line.odds is None else str(line.odds),
        "winnings": money.amount(line.winnings_cents),
        "handed_back": money.amount(line.handed_back_cents),
        "paragraph": line.paragraph,
    }
    for name, value in recorded.items():
        if due[name] != value:
            return f"{name} is {value} on record and {due[name]} by the rules"
    return None


def _sum(line: SettledLine) -> str | None:
    """A line that can't be recomputed here must still add up."""
    stake = 0 if line.result == "lost" else line.stake_cents
    return None if line.handed_back_cents == stake + line.winnings_cents else "stake and winnings don't add up"
