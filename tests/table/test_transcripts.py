"""Transcripts: whole tables as scripts, played by `punto replay` and compared with the output on record.

The balances in a script's comments are worked out by hand. `make transcripts` writes the outputs anew; the difference
is read before it is kept.
"""

from __future__ import annotations

import json
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from punto.cli.main import app
from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import notation
from punto.game.audience import Audience, view
from punto.game.evolve import evolve
from punto.game.record import settle_line
from punto.game.round import HEARD
from punto.game.settle_round import record
from punto.game.table import NEW, Table, conserved
from punto.rulebook import load
from punto.rulebook.model import Rulebook
from tests.every import of_every
from tests.transcripts import reading
from tests.transcripts.long_scripts import long_scripts
from tests.transcripts.reading import Step, Transcript

GAME: Final = Path(__file__).parents[2] / "src" / "punto" / "game"
DECIDERS: Final = (
    *("decide", "people", "shoe", "wagers", "late_wagers", "dealing", "insurance_offers", "settle_round", "limits"),
)
"""The modules that answer the commands of a round."""

OF_OTHER_MODULES: Final = {"bad-command", "unknown-bet", "bet-not-on-layout"}
"""Refusals by `punto replay` itself, and by the one module that knows which bets a layout has."""

NOT_SHOWN_YET: Final = {
    "report-irregularity",
    "decide-irregularity",
    "choose-option",
    "resume-play",
    "replacement-due",
    *(str(kind.__struct_config__.tag) for kind in typing.get_args(e.IrregularEvent)),
} - {"round-reopened"}
"""Commands, events and refusals of irregularities: their scripts are in tests/transcripts/irregularities."""

each = of_every(reading.names())


def every() -> list[Transcript]:
    return [reading.transcript(name) for name in reading.names()]


def steps() -> Iterator[Step]:
    for transcript in every():
        yield from transcript.steps


def tags(union: object) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in typing.get_args(union)}


# The scripts and their outputs


@each
def test_a_script_prints_what_is_on_record(name: str) -> None:
    assert reading.played(name).decode().splitlines() == reading.printed(name).read_text("utf-8").splitlines()


@each
def test_the_balances_worked_out_by_hand_are_the_balances_paid(name: str) -> None:
    expected, paid = reading.transcript(name).expected, reading.transcript(name).end["balances"]
    assert expected == {patron: cents for patron, cents in paid.items() if patron in expected or cents != "0.00"}


@pytest.mark.parametrize(("name", "status"), [("insurance-won", 0), ("refusals-of-wagers", 1)])
def test_the_command_prints_the_same(name: str, status: int) -> None:
    ran = CliRunner().invoke(app, ["replay", str(reading.script(name))])
    assert ran.exit_code == status
    assert ran.stdout_bytes == reading.printed(name).read_bytes()


def test_no_output_is_without_its_script() -> None:
    assert {path.stem for path in reading.FOLDER.glob("*.out")} == set(reading.names())


@of_every(long_scripts())
def test_a_written_script_is_what_its_writer_writes(name: str) -> None:
    assert reading.script(name).read_text("utf-8") == long_scripts()[name]


@each
def test_a_script_says_what_it_shows(name: str) -> None:
    first, *_ = reading.transcript(name).script.splitlines()
    assert first.startswith("# ")
    assert reading.transcript(name).cited, "expected a comment with the paragraphs"
    assert reading.printed(name).stat().st_size < 200_000


# Paragraphs


def cites(value: Any) -> Iterator[str]:
    """Every paragraph that stands anywhere in an answer."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("paragraph", "tie_paragraph") and inner is not None:
                yield inner
            yield from cites(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from cites(inner)


@each
def test_every_paragraph_is_one_of_the_governing_edition(name: str) -> None:
    for step in reading.transcript(name).steps:
        cited = set(cites(step.events)) | set(cites(step.refused))
        assert cited or (step.refused or {}).get("code") == "bad-command", f"{name} {step.number} cites nothing"
        unknown = {number for number in cited if not reading.rulebook(step.edition or "").knows(number)}
        assert not unknown, f"{name} {step.number}: {step.edition} has no {unknown}"


@each
def test_the_paragraphs_of_the_comment_exist(name: str) -> None:
    books = [reading.rulebook(edition) for edition in reading.transcript(name).editions]
    assert not {number for number in reading.transcript(name).cited if not any(book.knows(number) for book in books)}


@each
def test_the_pay_tables_of_the_comment_are_those_of_the_lines(name: str) -> None:
    """4.1 (Live: 3): a number that exists but pays another bet would lead a reader to the wrong table."""
    transcript = reading.transcript(name)
    rules = [rule for edition in transcript.editions for rule in reading.rulebook(edition).bets.values()]
    tables = {number for rule in rules for number in (rule.cite, *(row.cite for row in rule.pays))}
    printed = {number for step in transcript.steps for number in cites([step.events, step.refused])}
    assert not (transcript.cited & tables) - printed


# What the transcripts show together


def test_there_are_enough() -> None:
    rounds = [event for step in steps() for event in step.events if event["event"] == "round-settled"]
    assert len(reading.names()) >= 30
    assert len(rounds) >= 25


def test_every_edition_and_layout_family_is_played() -> None:
    opened = [event["settings"] for step in steps() for event in step.events if event["event"] == "table-opened"]
    settled = {step.edition for step in steps() if step.command.get("do") == "settle" and step.events}
    assert settled == {source.id for source in load.catalogue()}
    for family in ("ABDEGJK", "CFHI", "LNOPQ", "M", ("live",)):
        assert {settings["layout"] for settings in opened} & set(family), family
    for setting, words in {
        "device": {"shoe", "shuffler"},
        "facing": {"up", "down"},
        "source": {"live", "virtual"},
    }.items():
        assert {settings[setting] for settings in opened} == words


def test_every_command_is_given_and_carried_out() -> None:
    carried_out = {step.command["do"] for step in steps() if step.events}
    assert tags(c.AnyCommand) - carried_out <= NOT_SHOWN_YET
    assert not carried_out & NOT_SHOWN_YET


def test_every_event_happens() -> None:
    shown = {event["event"] for step in steps() for event in step.events}
    assert tags(e.AnyEvent) - shown <= NOT_SHOWN_YET
    assert not shown & NOT_SHOWN_YET


def codes() -> set[str]:
    """The refusals that the table's modules can give, read off their source."""
    source = "".join((GAME / f"{name}.py").read_text("utf-8") for name in DECIDERS)
    return {Code[name].value for name in re.findall(r"\bCode\.(\w+)", source)} | OF_OTHER_MODULES


def test_every_refusal_is_met() -> None:
    met = {step.refused["code"] for step in steps() if step.refused is not None}
    assert len(codes()) > 50
    assert met <= codes()
    assert codes() - met <= NOT_SHOWN_YET
    assert not met & NOT_SHOWN_YET


def test_every_result_is_met() -> None:
    lines = [line for step in steps() for event in step.events for line in event.get("lines", ())]
    assert {line["result"] for line in lines} == {"won", "lost", "returned"}
    insured = {(line["bet"], line["result"]) for line in lines if line["bet"].endswith("_insurance")}
    assert insured == {
        (f"{side}_insurance", result) for side in ("player", "banker") for result in ("won", "lost", "returned")
    }
    assert {winner for step in steps() for event in step.events if (winner := event.get("winner"))} == {
        "player",
        "banker",
        "tie",
    }


# The printed events are the table


def folded(name: str) -> Iterator[tuple[Step, Table]]:
    """The table after each command, from the printed events alone; they show no shoe's order and no face-down card."""
    table = NEW
    for step in reading.transcript(name).steps:
        for event in step.events:
            table = evolve(table, notation.event(json.dumps(event).encode()))
        yield step, table


@each
def test_the_printed_events_add_up_to_the_printed_table(name: str) -> None:
    step, table = list(folded(name))[-1]
    rules = reading.rulebook(
        next(s.edition for s in reversed(reading.transcript(name).steps) if s.edition and not s.refused)
    )
    assert json.loads(notation.encode(view(rules, table, Audience.PIT))) == reading.transcript(name).end["table"], (
        step.number
    )


@each
def test_money_is_conserved_after_every_command(name: str) -> None:
    for step, table in folded(name):
        assert conserved(table), f"{name} {step.number}"


def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
    assert edition is not None
    return load.edition(game, edition), None


LINE: Final = ("bet", "result", "stake", "odds", "winnings", "handed_back", "paragraph")


@each
def test_a_round_settles_as_punto_settle_settles_its_record(name: str) -> None:
    for step, table in folded(name):
        for event in step.events:
            if event["event"] != "round-settled":
                continue
            slip, good = settle_line(json.dumps(record(table)).encode(), governing)
            settled = json.loads(slip)
            assert good, settled
            # What was not in play has a line of its own at the table, and is not in the record.
            excess = reading.rulebook(table.current.edition).paragraph("limit.pro-rata")
            lines = [line for line in event["lines"] if (line["result"], line["paragraph"]) != ("returned", excess)]
            at_table = [(line["wager"], *(line[key] for key in LINE)) for line in lines]
            assert at_table == [(line["id"], *(line[key] for key in LINE)) for line in settled["lines"]]
            assert (event["winner"], event["player_points"]) == (settled["winner"], settled["player_points"])


@each
def test_a_command_leads_only_where_the_phase_table_says(name: str) -> None:
    before = NEW.phase
    for step, table in folded(name):
        leads = {str(kind.__struct_config__.tag): phases for kind, phases in HEARD[before].items()}  # type: ignore[attr-defined]
        allowed = leads[step.command["do"]] if step.events else (before,)
        assert table.phase in allowed, f"{name} {step.number}: {step.command['do']} from {before} to {table.phase}"
        before = table.phase
