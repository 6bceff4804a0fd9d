"""CONTRIBUTING.md, recipes that change what is stored, done on a copy: old houses stay readable and audit clean."""

from __future__ import annotations

import json
from pathlib import Path

from tests.recipes.project import Project

COMMANDS = "src/punto/game/commands.py"
EVENTS = "src/punto/game/events.py"
WAGERS = "src/punto/game/wagers.py"
TABLE = "src/punto/game/table.py"
KEPT = "tests/house/kept/test_kept.py::test_it_is_sound_by_todays_audit[0002-sqlite]"

RECORDS = "src/punto/house/store/records.py"
CODEC = "src/punto/house/store/codec.py"
READERS = "src/punto/house/audit/tables/commands_from_events.py"


def raise_older_rows(copy: Project, event: str, field: str, value: str) -> None:
    """Raise the schema's number by one, and give rows of the schema before it the field when they are read."""
    copy.replace(RECORDS, "SCHEMA: Final = 2", "SCHEMA: Final = 3")
    upcast = f'    ("{event}", 2): lambda event: {{**event, "{field}": {value}}},\n'
    copy.insert(CODEC, "dict[str, Any]]]] = {\n", upcast)


def test_a_field_is_added_to_a_stored_event(tmp_path: Path) -> None:
    """Betting was closed after a warning: the command says so, the event records it, the audit reads it back."""
    copy = Project(tmp_path)
    closed = (
        'class BettingClosed(Event, frozen=True, kw_only=True, tag="betting-closed"):\n    says: str\n    by: str\n'
    )
    copy.insert(EVENTS, closed, "    warned: bool\n")
    close = 'class CloseBetting(RoundCommand, frozen=True, kw_only=True, tag="close-betting"):\n    by: str\n'
    copy.insert(COMMANDS, close, "    warned: bool = False\n")
    copy.insert(WAGERS, "says=rules.procedure.closes_with, by=command.by", ", warned=command.warned")
    copy.insert(READERS, "c.CloseBetting(by=event.by", ", warned=event.warned")
    assert copy.red(KEPT), "rows of before have no such field"
    raise_older_rows(copy, "betting-closed", "warned", "False")
    assert not copy.red(KEPT)


LIMITS = """
import json, msgspec
from bench.decide import script
from punto.game import commands as c, notation
from punto.game.decide import apply
from punto.game.evolve import evolve_all
from punto.game.table import NEW, Phase
from punto.house.audit.tables.commands_from_events import possible_commands
from punto.money import Cents
from punto.rulebook import load
rules = load.edition("tiger-buffalo-commission", "2025-11-21")
table = NEW
for command in script(rules, 1):
    table, _ = apply(rules, table, command)
low = msgspec.structs.replace(table.limits, maximum_cents=Cents(2000))
wager = c.PlaceWager(patron="patron 1", box=1, bet="player", stake_cents=Cents(5000))
placed = []
for limits in (None, low):
    opened, (event,) = apply(rules, table, c.OpenBetting(by="dan", limits=limits))
    stored = notation.event(notation.encode(event))
    assert evolve_all(table, (stored,)) == opened, "a replay needs no clock"
    (again,) = possible_commands(table, (event,), "dan")
    assert apply(rules, table, again)[0] == opened, "the audit comes to the same"
    placed.append(int(apply(rules, opened, wager)[1][0].stake_cents))
print(json.dumps(placed))
"""


def test_a_limit_depends_on_the_time_of_day(tmp_path: Path) -> None:
    """The house names the limits of the hour as betting opens; the event records them; the round goes by them."""
    copy = Project(tmp_path)
    field = "    limits: TableLimits | None = None\n"
    copy.insert(COMMANDS, "    by: str\n    on: str | None = None\n", field)
    opened = "    round: int\n    hand: int\n    edition: str\n    says: str\n    by: str\n"
    copy.insert(EVENTS, opened, field)
    copy.insert(EVENTS, "from punto.game.table import Settings, SettledLine", ", TableLimits")
    copy.insert(WAGERS, "            says=rules.procedure.opens_with,\n", "            limits=command.limits,\n")
    edition = "                    edition=event.edition,\n"
    copy.insert("src/punto/game/evolve.py", edition, "                    limits=event.limits,\n")
    copy.insert(TABLE, "    cut_first: bool = False\n", field)
    now = "(self.round and self.round.limits) or self.opened.limits"
    copy.replace(TABLE, "        limits = self.opened.limits\n", f"        limits = {now}\n")
    copy.replace(READERS, '_same_fields(c.OpenBetting, "by")', '_same_fields(c.OpenBetting, "by", "limits")')
    raise_older_rows(copy, "betting-opened", "limits", "None")
    assert json.loads(copy.runs(LIMITS)) == [5000, 2000]
    assert not copy.red(KEPT)
