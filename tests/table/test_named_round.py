"""O90: a command that means “this round” may name it, and is then accepted in that round alone."""

from __future__ import annotations

import json
import re
import typing
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from punto.game import commands as c
from punto.game import notation
from punto.game.decide import decide
from punto.game.evolve import evolve
from punto.game.irregularities import report
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from tests.every import of_every
from tests.table.test_commands import BETS, C25, CLOSE, LIVE, SETTLE, bet, by_dora, deal, init_scene, insure, said
from tests.transcripts import reading

PAGE: Final = Path(__file__).parents[2] / "web" / "src" / "lib" / "round.ts"
MEAN_THE_TABLE: Final = {
    *("open-table", "close-table", "start-duty", "end-duty", "join", "buy-chips", "cash-chips", "sit", "stand-up"),
    *(
        "leave",
        "set-insurance",
        "set-limits",
        "announce-closing",
        "load-shoe",
        "place-cut-card",
        "burn",
        "end-shoe",
        "open-betting",
    ),
}
"""Commands that mean the table: people, chips, cards before a round, and the call that opens the next one."""


def tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a Struct


NAMES_A_ROUND: Final = {tag(kind) for kind in typing.get_args(c.AnyCommand) if "round" in kind.__struct_fields__}


def test_every_command_means_the_table_or_its_round() -> None:
    assert {tag(kind) for kind in typing.get_args(c.AnyCommand)} - NAMES_A_ROUND == MEAN_THE_TABLE


def test_the_page_names_the_round_of_the_same_commands() -> None:
    listed = PAGE.read_text("utf-8").partition("new Set([")[2].partition("])")[0]
    assert set(re.findall(r'"([a-z-]+)"', listed)) == NAMES_A_ROUND


def about_any_round(command: c.AnyCommand) -> bool:
    """Whether the `round` of the command says which round it is about, also a past one."""
    named = isinstance(command, c.ReportIrregularity) and command.round is not None
    return named or report.about_any_round(command)


@of_every([*reading.names(), *reading.irregular_names()])
def test_the_round_on_the_table_changes_nothing_and_any_other_is_refused(name: str) -> None:
    """Every command of every transcript is tried as it stands, with its round, and with the rounds before and after."""
    table: Table = NEW
    for step in reading.transcript(name).steps:
        events = tuple(notation.event(json.dumps(fields).encode()) for fields in step.events)
        if step.edition is not None and (step.refused or {}).get("code") != "bad-command":
            _named(table, step)
        for event in events:
            table = evolve(table, event)


def _named(table: Table, step: reading.Step) -> None:
    if step.command["do"] not in NAMES_A_ROUND or "top" in step.command:
        return
    command = notation.command(json.dumps(step.command).encode())
    if not isinstance(command, c.ReportIrregularity):
        command = msgspec.structs.replace(command, round=None)
    if about_any_round(command):
        return
    rules = reading.rulebook(step.edition or "")
    number = table.round.number if table.round is not None else 0
    if number:
        same = msgspec.structs.replace(command, round=number)
        answer, plain = decide(rules, table, same), decide(rules, table, command)
        if isinstance(plain, Refusal) and plain.code == "betting-not-open" and table.irregularity is None:
            # A command that names a round that is over comes too late, not too early.
            assert isinstance(answer, Refusal)
            assert answer.code == "no-more-bets"
        else:
            assert answer == plain
    for other in (number - 1, number + 1):
        refused = decide(rules, table, msgspec.structs.replace(command, round=other))
        assert isinstance(refused, Refusal), (step.text, other)
        assert refused.code == "another-round"
        assert str(other) in refused.message
        assert not number or str(number) in refused.message
        assert refused.paragraph is not None
        assert rules.knows(refused.paragraph)


ROUND: Final = [BETS, bet("ann", 1, "player", "100.00"), CLOSE, *deal("KH KS 7D 7C"), SETTLE]
PLACE: Final = bet("ann", 1, "player", "100.00")

REFUSED: Final[dict[str, tuple[str, dict[str, Any], str]]] = {
    "a wager that came too late, by the paragraph on late wagers": (C25, {**PLACE, "round": 1}, "5.6"),
    "at the Live tables too": (LIVE, {**PLACE, "round": 1}, "L9"),
    "insurance, by the paragraph on when it is offered": (C25, {**insure("ann", "player", "1.00"), "round": 1}, "3.12"),
    "what staff do, by what a round is": (C25, {**CLOSE, "round": 1}, "1.26"),
    "a round that is still to come": (C25, {**PLACE, "round": 3}, "3.3"),
    "a report": (C25, by_dora("report-irregularity", kind="interruption", round=1), "1.26"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_another_round(case: str) -> None:
    edition, command, paragraph = REFUSED[case]
    scene = init_scene(*ROUND, BETS, edition=edition)
    answer = scene.when(command)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.paragraph) == ("another-round", paragraph)
    assert answer.message == f"this is for round {command['round']}, and round 2 is on the table"
    assert not isinstance(scene.when({**PLACE, "round": 2}), Refusal)


def test_before_the_first_round() -> None:
    answer = init_scene().when({**PLACE, "round": 1})
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.message) == ("another-round", "this is for round 1, and no round has begun")


OFFERS: Final[dict[str, tuple[dict[str, Any], list[str] | str]]] = {
    "taken at the second offer, as it was seen": (
        {**insure("ann", "banker", "10.00"), "after": "player-third", "odds": "10"},
        ["insurance-taken ann 10.00 player-third"],
    ),
    "taken at the first, which has ended": (
        {**insure("ann", "banker", "10.00"), "after": "four-cards"},
        "no-such-offer",
    ),
    "taken at odds that are not on offer": (
        {**insure("ann", "banker", "10.00"), "after": "player-third", "odds": "3/2"},
        "no-such-offer",
    ),
    "declined, as it was seen": (
        {"do": "decline-insurance", "patron": "ann", "after": "player-third"},
        ["insurance-declined ann"],
    ),
    "declined, and the first was meant": (
        {"do": "decline-insurance", "patron": "ann", "after": "four-cards"},
        "no-such-offer",
    ),
}


@pytest.mark.parametrize("case", OFFERS)
def test_insurance_is_for_the_offer_that_was_seen(case: str) -> None:
    """Live, where an offer that passed leaves the next one open: 3 against 4, then 0 against 4 (5.3, 5.5)."""
    command, expected = OFFERS[case]
    scene = init_scene(BETS, bet("ann", 1, "banker", "100.00"), CLOSE, *deal("KH KS 3D 4C 7H"), edition=LIVE)
    assert said(scene.when(command)) == expected
