"""The models in seconds: tables become a model, TLC goes through it, a planted fault is found and its script played.

`make model` goes through everything."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from models import appends, inputs, scripts, table, tlc, writing
from models.appends import Recording
from models.faults import FAULTS, Fault
from punto.cli.main import app
from punto.game import commands as c
from punto.game.round import HEARD
from punto.game.table import Phase
from punto.rulebook import load
from tests.browser.chromium import watched

RULES = load.edition("tiger-buffalo-commission", "2025-11-21")


@pytest.fixture(scope="module")
def table_input() -> inputs.TableInput:
    return inputs.of(RULES)


@pytest.fixture
def checker() -> None:
    if tlc.java() is None:
        assert not watched(), tlc.MISSING
        pytest.skip(tlc.MISSING)


def test_the_model_has_what_the_tables_have(table_input: inputs.TableInput) -> None:
    """A phase, a command, a kind or a rank that is taken away from the game is gone from the model."""
    module = writing.tables(table_input)
    for name in (*table_input.heard, *table_input.kinds, *inputs.COMMANDS):
        assert f'"{name}"' in module
    assert table_input.heard["betting"].keys() == {inputs.tag(command) for command in HEARD[Phase.BETTING]}
    rows = [row for row in RULES.irregularities.values() if row.id in table_input.kinds]
    assert [table_input.kinds[row.id].decided_by for row in rows] == [row.decided_by for row in rows]


def test_every_command_is_in_the_model_or_left_out_by_name() -> None:
    text = (tlc.HERE / "Table.tla").read_text()
    assert set(inputs.COMMANDS) >= table.LEFT_OUT
    for name in inputs.COMMANDS:
        assert (f'"{name}"' in text) != (name in table.LEFT_OUT), name


def test_faults_are_of_what_the_model_is_made_from(table_input: inputs.TableInput) -> None:
    assert len(FAULTS) >= 20
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for fault in FAULTS:
        assert fault.change(table_input) != table_input, fault.name
        assert set(fault.finds) <= {*table.INVARIANTS, *table.PROPERTIES}, fault.name


def _fault(name: str) -> Fault:
    return next(fault for fault in FAULTS if fault.name == name)


def _played(script: str, folder: Path) -> list[dict[str, object]]:
    """The answers of `punto replay`."""
    path = folder / "counterexample.jsonl"
    path.write_text(script)
    lines = CliRunner().invoke(app, ["replay", str(path)]).stdout.splitlines()
    return [msgspec.json.decode(line) for line in lines if '"command"' in line]


@pytest.mark.usefixtures("checker")
def test_a_counterexample_is_played_at_a_table(
    table_input: inputs.TableInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model finds a planted fault. The game refuses its script, and carries it out once it has the same fault."""
    ((fault, result),) = table.planted(table_input, (_fault("place-wager is heard after the close"),))
    assert result.broken in fault.finds
    script = table.script(RULES, table_input, result)
    last = _played(script, tmp_path)[-1]
    assert msgspec.json.encode(last).count(b"no-more-bets") == 1
    monkeypatch.setitem(HEARD, Phase.DEALING, {**HEARD[Phase.DEALING], c.PlaceWager: (Phase.DEALING,)})
    assert b"wager-placed" in msgspec.json.encode(_played(script, tmp_path)[-1])


@pytest.mark.usefixtures("checker")
def test_a_table_without_reports_has_no_way_to_get_stuck(table_input: inputs.TableInput) -> None:
    result = table.check(table_input, "up", reports=0, patrons=1)
    assert result.broken is None
    assert result.distinct > 1000


def _accepted(number: int) -> tuple[str, int]:
    return ("accepted", number)


GOOD = Recording(
    ("a", "b"),
    (
        ("send", "a", "n1"),
        ("send", "b", "n2"),
        ("answer", "b", "n2", _accepted(2)),
        ("killed", "", "n1"),
        ("send", "a", "n2"),
        ("answer", "a", "n2", _accepted(1)),
        ("send", "c", "n1"),
        ("answer", "c", "n1", ("refused",)),
    ),
)


@pytest.mark.usefixtures("checker")
@pytest.mark.parametrize(
    ("recording", "expected"),
    [
        pytest.param(GOOD, True, id="answered again after a kill"),
        pytest.param(Recording(("a", "a", "b"), GOOD.events), False, id="an effect is doubled"),
        pytest.param(Recording(("b", "a"), GOOD.events), False, id="rows are swapped"),
    ],
)
def test_recordings_are_judged_by_the_model(recording: Recording, expected: bool) -> None:
    assert appends.is_behaviour(recording) is expected


def test_values_have_one_form() -> None:
    assert writing.text({"a": (1, True), "b": frozenset({"y", "x"})}) == '(("a" :> <<1, TRUE>>) @@ ("b" :> {"x", "y"}))'
    assert tlc.value('<<"start-duty", 3, TRUE>>') == ["start-duty", 3, True]
    assert re.fullmatch(r"\{\}", writing.text(frozenset()))


def test_cards_of_a_script_take_the_course(table_input: inputs.TableInput) -> None:
    for four, fives in table_input.courses.items():
        for five in fives or (None,):
            assert len(inputs.example(four, five, RULES)) >= 4
    assert scripts.STAFF.keys() == set(range(1, len(table_input.ranks) + 1))
