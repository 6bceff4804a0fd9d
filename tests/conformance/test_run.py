"""A run over engines of every kind: each vector has one result, and no engine can end, stop or swell the run."""

from __future__ import annotations

import resource
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import msgspec
import pytest

from punto.conformance import pack as packs
from punto.conformance import run as runs
from punto.conformance import written
from punto.conformance.judge import Result
from punto.conformance.pack import Pack, PackError
from punto.conformance.report import Report
from punto.conformance.vectors import Level, Vector
from tests.conformance import hostile
from tests.patience import LONG_S

SECONDS = 0.4
"""The time given to engines that never answer. Those that do answer have LONG_S."""


@pytest.fixture(scope="module")
def pack() -> Pack:
    return packs.load()


def some(pack: Pack, number: int = 8) -> tuple[Vector, ...]:
    """A few vectors of two levels."""
    deals = pack.select(levels=["deal"])[: number // 2]
    return (*deals, *pack.select(levels=["history"])[: number - len(deals)])


def accounted(report: Report, vectors: tuple[Vector, ...]) -> None:
    assert [outcome.id for outcome in report.outcomes] == [vector.id for vector in vectors]
    assert sum(report.results.values()) == len(vectors)


@pytest.mark.parametrize("name", hostile.GREETING)
def test_an_engine_that_says_no_hello_is_asked_nothing(name: str, pack: Pack) -> None:
    vectors = some(pack)
    plan = runs.Plan(
        command=hostile.command(hostile.GREETING[name]), hello_seconds=SECONDS if "never" in name else LONG_S
    )
    report = runs.run(pack, vectors, plan)
    accounted(report, vectors)
    assert report.results[Result.UNTESTED.value] == len(vectors)
    assert report.trouble.startswith("the engine did not say hello: ")
    assert not report.good


SLOW = ("hangs", "hangs with a child", "reads nothing", "closes its output", "drips without a newline")


@pytest.mark.parametrize("name", hostile.ANSWERING)
def test_a_hostile_engine_fails_and_every_vector_is_accounted_for(name: str, pack: Pack) -> None:
    """After five faults in a row at a level, the rest of that level is not asked. There are two levels."""
    vectors = some(pack, 16)
    seconds = SECONDS if name in SLOW else LONG_S
    plan = runs.Plan(
        command=hostile.command(hostile.ANSWERING[name]), answer_seconds=seconds, memory_bytes=256 << 20, jobs=2
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = runs.run(pack, vectors, plan)
    accounted(report, vectors)
    assert not report.good
    if name == "answers twice":  # the first answer is judged, the second counts as a fault of the next question
        assert report.results[Result.FAILED.value] + report.results[Result.CANNOT_TELL.value] == len(vectors)
        return
    failed = [outcome for outcome in report.outcomes if outcome.result is Result.FAILED]
    untested = [outcome for outcome in report.outcomes if outcome.result is Result.UNTESTED]
    assert len(failed) + len(untested) == len(vectors)
    assert runs.PATIENCE * 2 <= len(failed) <= runs.PATIENCE * 2 + 2 * plan.jobs
    assert all(outcome.note.startswith("the engine gave no usable answer: ") for outcome in failed)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 << 10, "the runner keeps no more of an answer than a line may hold"


def test_a_run_that_has_no_time_left_ends_and_says_so(pack: Pack) -> None:
    vectors = some(pack)
    plan = runs.Plan(command=hostile.PUNTO, total_seconds=0.0)
    report = runs.run(pack, vectors, plan)
    accounted(report, vectors)
    assert report.results[Result.UNTESTED.value] == len(vectors)
    assert report.trouble == "the run was ended after 0 seconds"


def test_what_an_engine_does_not_claim_is_inapplicable(pack: Pack) -> None:
    program = 'hello(levels=["deal"])\nfor one in asked(): say({"question": one["question"], "unsupported": "not yet"})'
    vectors = some(pack)
    report = runs.run(pack, vectors, runs.Plan(command=hostile.command(program)))
    accounted(report, vectors)
    assert report.results[Result.INAPPLICABLE.value] == len(vectors)
    assert {outcome.note for outcome in report.outcomes} == {
        "the engine does not claim this level or edition",
        "unsupported: not yet",
    }
    assert report.good


COUNTING = """
hello()
for one in asked():
    with open({path!r}, "a") as file: file.write("asked\\n")
    say({{"question": one["question"], "answer": {{}}}})
"""


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(pack: Pack, tmp_path: Path) -> None:
    vectors, journal, log = some(pack), tmp_path / "journal", tmp_path / "asked"
    plan = runs.Plan(command=hostile.command(COUNTING.format(path=str(log))))
    first = runs.run(pack, vectors[:5], plan, journal=journal)
    assert first.results[Result.CANNOT_TELL.value] == 5
    text = journal.read_bytes()
    journal.write_bytes(text[:-7])  # killed in the middle of a line
    report = runs.run(pack, vectors, plan, journal=journal)
    accounted(report, vectors)
    assert log.read_text().count("asked") == 5 + (len(vectors) - 5) + 1
    again = runs.run(pack, vectors, plan, journal=journal)
    assert [outcome.result for outcome in again.outcomes] == [outcome.result for outcome in report.outcomes]
    assert log.read_text().count("asked") == len(vectors) + 1
    other = msgspec.structs.replace(plan, command=hostile.command("hello()"))
    with pytest.raises(PackError, match="journal of another run"):
        runs.run(pack, vectors, other, journal=journal)


def test_punto_passes_over_the_wire_and_the_report_can_be_filed(pack: Pack) -> None:
    """A few vectors of every level and edition through two processes; all of them are asked in test_pack."""
    chosen: dict[tuple[str, Level], list[Vector]] = {}
    for vector in pack.vectors:
        chosen.setdefault((vector.edition, vector.level), []).append(vector)
    vectors = tuple(vector for group in chosen.values() for vector in group[:2])
    seen: list[int] = []
    plan = runs.Plan(command=hostile.PUNTO, jobs=2, answer_seconds=LONG_S)
    report = runs.run(pack, vectors, plan, progress=lambda done, total, outcome: seen.append(done))
    accounted(report, vectors)
    assert report.results[Result.PASSED.value] == len(vectors)
    assert report.good
    assert seen == list(range(1, len(vectors) + 1))
    tree = ElementTree.fromstring(written.junit(report))
    assert (tree.get("tests"), tree.get("failures")) == (str(len(vectors)), "0")
    page = written.html(report)
    assert "<script" not in page
    for vector in vectors:
        for number in vector.paragraphs:
            assert f"<th scope=row>{number}</th>" in page
