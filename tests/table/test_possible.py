"""What is offered is accepted, and what is not offered is refused: over random tables and over every transcript."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Final

import pytest

from punto.game import commands as c
from punto.game import possible, possible_staff
from punto.game.decide import decide
from punto.game.evolve import evolve
from punto.game.irregularities.kinds import Kind
from punto.game.irregularities.rows import NOT_FOUNDED, ROWS
from punto.game.refusals import Refusal
from punto.game.table import NEW, Phase, Table
from punto.house.table.governing_edition import in_use
from punto.rulebook.model import Rulebook
from tests.house.live.test_frames import states
from tests.irregularities.given import COMMISSION_2025, report
from tests.irregularities.standing import standing
from tests.table.driver import Driver
from tests.table.possible_commands import covered, fields_fault, of_patron, of_staff, whole
from tests.transcripts import reading

STRANGER = "zoe"


MOST = 120
"""The most commands of one person that are tried at a table, drawn at random from those that they might give."""


def agree(chance: random.Random, rules: Rulebook, table: Table, seen: Counter[str]) -> None:
    """For patrons, a stranger and staff: what is offered is what is accepted."""
    people = [*table.patrons, STRANGER]
    for name in chance.sample(people, min(2, len(people))):
        offered = possible.for_patron(rules, table, name)
        _same(rules, table, offered, _some(chance, of_patron(chance, rules, table, name)), seen)
    for name in (chance.choice([*table.staff, STRANGER]),):
        offered = possible_staff.for_staff(rules, table, name)
        _same(rules, table, offered, _some(chance, of_staff(chance, rules, table, name)), seen)
    for name in table.staff:
        _same_words(rules, table, name, seen)


def agree_at(chance: random.Random, table: Table, seen: Counter[str]) -> None:
    rules = in_use(table)
    assert rules is not None
    agree(chance, rules, table, seen)


def _some(chance: random.Random, commands: Iterator[c.AnyCommand]) -> list[c.AnyCommand]:
    every = list(commands)
    return chance.sample(every, min(MOST, len(every)))


def _same(
    rules: Rulebook,
    table: Table,
    offered: tuple[possible.Possible, ...],
    commands: list[c.AnyCommand],
    seen: Counter[str],
) -> None:
    for offer in offered:
        assert fields_fault(offer) is None, fields_fault(offer)
        assert rules.knows(offer.paragraph or "") or offer.do == "report-irregularity", offer
    for command in commands:
        accepted, inside = whole(rules, table, command), covered(offered, table, command)
        what = "accepted" if accepted else "refused"
        assert accepted is inside, f"{command} while {table.phase.value} is {what}, offered are {offered}"
        seen[f"{type(command).__name__} {what}"] += 1


NEVER: Final = {
    *("not-now", "not-then", "unknown-irregularity", "applied-in-play", "no-more-bets", "betting-open", "wrong-rank"),
    "no-such-remedy",
}
"""Codes that refuse a report or ruling whatever its facts. Other codes mean that a fact is missing or can't be true."""
NOWHERE: Final = (
    "this table is dealt face up",
    "withdrawal is offered in a high-limit area, at a shoe with a cut card",
    "no earlier round was played: report another kind",
)
NO_ROUND: Final = "there is no round to correct: none was played, or it already ended without a result"
"""The kinds of NAMES_ONE may get this answer too: such a report could have named an earlier round."""
NAMES_ONE: Final = ("insurance-missed", "insurance-misplaced", "wrong-dealing", "blue-card")


def _can_t_be(table: Table, command: c.AnyCommand, answer: Refusal) -> bool:
    """Whether this kind of irregularity can't occur at this table."""
    named = isinstance(command, c.ReportIrregularity) and command.kind in NAMES_ONE and table.rounds > 0
    return answer.message in NOWHERE or (answer.message == NO_ROUND and not named)


_RULINGS: Final = (NOT_FOUNDED, *(ruling for row in ROWS.values() for ruling in (*row.at_discretion, *row.rulings)))
MARKS: Final = tuple({mark: None for ruling in _RULINGS for mark in ruling.marks.items()})


def _same_words(rules: Rulebook, table: Table, name: str, seen: Counter[str]) -> None:
    """Reports by their kind, and rulings by their marks: what is not offered is refused, whatever its facts are."""
    offered = {offer.do: offer.choices for offer in possible_staff.for_staff(rules, table, name)}
    trials: list[tuple[c.AnyCommand, bool]] = []
    for kind in Kind:
        kinds = offered.get("report-irregularity", {}).get("kind", ())
        trials.append((c.ReportIrregularity(by=name, kind=kind), kind in kinds))
    for mark, value in MARKS:
        ruling = c.DecideIrregularity(by=name, reason="as was seen", **{mark: value})
        trials.append((ruling, value in offered.get("decide-irregularity", {}).get(mark, ())))
    for command, inside in trials:
        answer = decide(rules, table, command)
        never = isinstance(answer, Refusal) and (answer.code in NEVER or "an action that fits" in answer.message)
        never = never or (isinstance(answer, Refusal) and answer.code == "wrong-field")
        never = never or (isinstance(answer, Refusal) and _can_t_be(table, command, answer))
        assert inside is not never, f"{command} while {table.phase.value}: {answer}, offered are {offered}"
        seen[f"{type(command).__name__} {'offered' if inside else 'not'}"] += 1


@pytest.mark.parametrize("seed", range(3))
def test_what_is_offered_at_a_random_table_is_what_is_accepted(seed: int) -> None:
    chance = random.Random(f"possible {seed}")
    seen: Counter[str] = Counter()
    for _ in range(12):
        driver = Driver(chance)
        driver.play(3)
        tables = [NEW]
        for answer in driver.watched.answers:
            for event in () if isinstance(answer, Refusal) else answer:
                tables.append(evolve(tables[-1], event))
        opened = [state for state in tables if state.settings is not None]
        betting = [state for state in opened if state.phase is Phase.BETTING]
        for table in (*chance.choices(opened, k=10), *chance.choices(betting, k=10)):
            agree_at(chance, table, seen)
    for kind in ("PlaceWager", "RaiseWager", "LowerWager", "WithdrawWager", "DrawCard", "CashChips"):
        assert seen[f"{kind} accepted"], f"no {kind} was accepted"
        assert seen[f"{kind} refused"], f"no {kind} was refused"


@pytest.mark.parametrize("first", "abcdefghijklmnopqrstuvwxyz")
def test_what_is_offered_in_a_transcript_is_what_is_accepted(first: str) -> None:
    """Transcripts also reach irregularities, which random tables do not."""
    for name in (*reading.names(), *reading.irregular_names()):
        if not name.rpartition("/")[2].startswith(first):
            continue
        chance = random.Random(name)
        tables = states(name)
        stopped = [state for state in tables if state.irregularity is not None]
        for table in (*chance.choices(tables, k=3), *stopped[:3]):
            agree_at(chance, table, Counter())


def test_what_a_past_round_can_t_have_is_not_offered() -> None:
    """Patrons choose only in the round on the table. A past one is void, stands, is settled anew, or the House pays."""
    offered: dict[bool, set[object]] = {True: set(), False: set()}
    for name in reading.irregular_names():
        for table in states(name):
            open_ = table.irregularity
            rules = in_use(table)
            if rules is None or open_ is None or open_.kind != Kind.DISCRETION or table.phase is not Phase.IRREGULARITY:
                continue
            for staff in table.staff:
                can = {offer.do: offer for offer in possible_staff.for_staff(rules, table, staff)}
                if "decide-irregularity" in can:
                    offered[open_.round is None] |= set(can["decide-irregularity"].choices["action"])
    assert offered[True] == {"unfounded", "stand", "void", "options", "pay"}
    assert offered[False] == {"unfounded", "stand", "void", "resettle", "pay"}


ABOUT = {Phase.NO_SHOE: None, Phase.READY: None, Phase.BETTING: 3, Phase.DEALING: 3, Phase.SETTLED: 2}
"""Phase → the round that a report is about. Two rounds were played; while betting or dealing the third is on."""


@pytest.mark.parametrize(("phase", "about"), ABOUT.items())
def test_o31_a_report_is_about_the_round_on_the_table_but_on_a_new_shoe(phase: Phase, about: int | None) -> None:
    table = standing("tiger-buffalo-commission/2025-11-21", phase)
    assert table is not None
    offered = possible_staff.for_staff(table.opened_under, table.table, "dora")
    assert [offer.round for offer in offered if offer.do == "report-irregularity"] == [about]


@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.COMPLETE, Phase.SETTLED])
def test_5_19_chips_that_were_found_are_offered_under_the_paragraph_of_where_chips_lie(phase: Phase) -> None:
    """Not under the paragraph on small wagers (5.2.1): how much was found is not known yet."""
    table = standing("tiger-buffalo-commission/2025-11-21", phase)
    assert table is not None
    offered = possible_staff.for_staff(table.opened_under, table.table, "dora")
    assert [offer.paragraph for offer in offered if offer.do == "report-chips"] == ["5.19"]


def rulings_at(name: str) -> dict[str, possible.Possible]:
    """How each of the staff can rule on the first report of a transcript."""
    table = next(state for state in states(f"irregularities/{name}") if state.phase is Phase.IRREGULARITY)
    rules = in_use(table)
    assert rules is not None
    can = {name: possible_staff.for_staff(rules, table, name) for name in table.staff}
    return {name: offer for name, every in can.items() for offer in every if offer.do == "decide-irregularity"}


def test_5_23_a_ruling_at_discretion_is_offered_as_one_in_writing() -> None:
    assert rulings_at("discretion-pays-2025")["tess"].reason
    assert rulings_at("excess-card-options-2025")["sam"].reason
    assert not rulings_at("reset-options-2025")["sam"].reason


def test_5_17_who_meant_to_insure_is_named_once_the_result_is_known_and_not_before() -> None:
    """I7, I12: a ruling is offered with only those fields that it can have now."""
    assert "patrons" not in rulings_at("insurance-missed-late-offer-2025")["mia"].choices
    assert rulings_at("insurance-missed-after-the-result-2025")["mia"].choices["patrons"] == ("ann", "bob")
    assert "order" not in rulings_at("discretion-pays-2025")["tess"].choices
    assert rulings_at("misread-card-a-round-later-2025")["tess"].choices["order"]


def test_2_2_1_a_shoe_ends_under_its_own_paragraph_while_a_card_waits() -> None:
    """O78: not under the paragraph by which the card left over is discarded."""
    table = states("irregularities/excess-card-next-round-2025")
    waiting = next(state for state in table if state.phase is Phase.SETTLED and state.in_use.carried)
    rules = in_use(waiting)
    assert rules is not None
    offered = possible_staff.for_staff(rules, waiting, "dora")
    assert [offer.paragraph for offer in offered if offer.do == "end-shoe"] == ["2.2.1"]


def test_5_23_a_ruling_at_discretion_is_offered_with_its_reason() -> None:
    """Every ruling at discretion needs a reason; one under 5.12 needs none, unless the report was mistaken."""
    for kind, needed in (("discretion", True), ("reset", False)):
        table = standing(COMMISSION_2025, Phase.DEALING)
        assert table is not None
        report(table, kind)
        offered = possible_staff.for_staff(table.opened_under, table.table, "tess")
        rulings = [offer for offer in offered if offer.do == "decide-irregularity"]
        assert [ruling.reason for ruling in rulings] == [needed]
