"""The simulation check: worked out anew from the counts, in every format, and refused where it does not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from punto.report import as_json, html, pdf, table
from punto.report.content import build
from punto.report.pages.document import document
from punto.report.pages.simulation import verdict
from punto.report.records import ReportError, Simulation
from punto.report.simulation import Simulated
from punto.report.xlsx.workbook import workbook
from tests.cli.program import call
from tests.report.made import COMMISSION, DATE, LIVE, NEW, VERSION, checked, rulebook, simulated
from tests.report.recalculation import Workbook


def get_check(name: str = NEW, decks: int = 8, layout: str | None = None, shoes: int = 60) -> Simulation:
    check = checked(name, decks, layout, shoes).simulation
    assert check is not None
    return check


@pytest.mark.parametrize(("name", "decks"), [(NEW, 8), (LIVE, 6)])
def test_every_figure_is_the_one_that_the_simulation_printed(name: str, decks: int) -> None:
    """The report works it out from counts and its own exact figures, `punto simulate` from its arrays."""
    run, check = json.loads(simulated(name, decks)), get_check(name, decks)
    printed = [*({"bet": bet, **line} for bet, line in run["bets"].items()), *run["insurance"]]
    assert len(printed) == len(check.lines) > 20
    by_key = {
        (row["bet"], row.get("after"), row.get("player_points"), row.get("banker_points")): row for row in printed
    }
    for line in check.lines:
        expected = by_key[line.bet, line.after, line.player_points, line.banker_points]
        assert line.z == pytest.approx(expected["z"], abs=1e-9)
        assert float(line.exact) == pytest.approx(expected["exact"], rel=1e-12)
        assert line.times == expected["compared"]["times"]
        assert line.simulated == pytest.approx(expected["compared"]["expectation"])
        assert line.standard_error == pytest.approx(expected["compared"]["standard_error"])
    judged = [abs(line.z) for line in check.lines if line.judged and line.z is not None]
    assert check.largest_z == max(judged, default=None)
    assert len(judged) < len(check.lines)
    assert (check.chi_square, check.degrees, check.p) == pytest.approx(
        tuple(run["compared"]["chi_square"][key] for key in ("statistic", "degrees", "p"))
    )
    assert (check.seed, check.engine, check.shoes) == (7, "python", 60)
    assert sum(outcome.times for outcome in check.outcomes) == check.rounds_compared == run["compared"]["rounds"]
    assert check.agrees


def test_a_line_is_judged_once_it_is_sure_to_have_been_won_often() -> None:
    few, more = get_check(), get_check(shoes=200)
    assert {line.bet for line in few.lines if line.judged} == {"player", "banker"}
    assert {line.bet for line in more.lines if line.judged} > {"player", "banker", "tie", "player_pair"}
    assert "No line has rounds enough" in verdict(get_check(shoes=1))


def test_the_command_deals_the_same_again() -> None:
    words = get_check().command.split()
    assert words[0] == "punto"
    again, first = call(*words[1:]).json, json.loads(simulated())
    assert (again["bets"], again["compared"]) == (first["bets"], first["compared"])


def test_a_layout_shows_its_own_bets() -> None:
    bets = {line.bet for line in get_check(NEW, 8, "M").lines if line.after is None}
    assert bets == set(rulebook(NEW).layouts["M"].bets)


def test_it_stands_in_every_format() -> None:
    report, check = checked(), get_check()
    section = json.loads(as_json.document(report))["simulation"]
    assert (section["seed"], section["lines"][0]["z"]) == ("7", check.lines[0].z)
    assert len(section["outcomes"]) == len(check.outcomes)
    text = html.page(document(report)).decode()
    pages = PdfReader(BytesIO(pdf.pdf(document(report)))).pages
    paper = "".join("".join(page.extract_text() for page in pages).split())
    csv = table.csv_table(report).decode()
    for words in (check.file_sha256, check.command):
        assert words in text
        assert "".join(words.split()) in paper
        assert words in csv
    assert verdict(check) in text
    assert f"z,,{check.lines[0].z!r}" in csv
    assert csv.count("simulation outcomes") == 2 * len(check.outcomes)


def test_the_workbook_works_z_and_chi_square_out() -> None:
    """Other tests compare every formula of the workbook with its cached value; here with the report's own figures."""
    check, book = get_check(), Workbook(workbook(checked()))
    for row, line in enumerate(check.lines, 13):
        if line.z is not None:
            assert book.value("Simulation", f"K{row}") == pytest.approx(line.z, abs=1e-9)
        assert book.value("Simulation", f"J{row}") == pytest.approx(float(line.exact), abs=1e-14)
    whole = (check.chi_square, check.degrees, check.p)
    assert [book.value("Outcomes", f"D{row}") for row in (7, 8, 9)] == pytest.approx(whole)


@pytest.mark.parametrize("shoes", [1, 2])
def test_a_tiny_run_is_shown_without_what_it_can_not_say(shoes: int) -> None:
    check = get_check(shoes=shoes)
    assert any(line.z is None for line in check.lines)
    for made in (as_json.document, table.csv_table, table.parquet_table, workbook):
        assert made(checked(shoes=shoes))
    assert "–" in html.page(document(checked(shoes=shoes))).decode()


def _biased(run: dict[str, Any]) -> None:
    """A tenth of the ties become rounds that Banker wins: all counts follow, the figures do not."""
    outcomes = run["compared"]["outcomes"]
    ties = {key: count // 10 for key, count in outcomes.items() if key[0] == key[2] and key.endswith("none")}
    for key, count in ties.items():
        outcomes[key] -= count
    moved, to = sum(ties.values()), "0:1 3:3 none"
    outcomes[to] += moved
    for bet, line in run["bets"].items():
        _follow(line["compared"], bet, outcomes)


def _follow(line: dict[str, Any], bet: str, outcomes: dict[str, int]) -> None:
    from punto.game.outcome import all_outcomes
    from punto.game.settlement import pay_table

    rules = rulebook(COMMISSION)
    line |= {"won": dict.fromkeys(line["won"], 0), "returned": 0, "lost": 0}
    for outcome in all_outcomes(rules.table_of_play):
        verdict = next(result for key, result in pay_table(rules)[outcome].items() if key == bet)
        if verdict.odds is not None:
            line["won"][str(verdict.odds)] += outcomes[str(outcome)]
        else:
            line[verdict.result] += outcomes[str(outcome)]


def test_a_simulation_that_is_off_is_said_to_differ() -> None:
    run = json.loads(simulated(COMMISSION, 8, 200))
    _biased(run)
    file = Simulated(name="run.json", data=json.dumps(run).encode())
    check = build(rulebook(COMMISSION), date=DATE, version=VERSION, simulated=file).simulation
    assert check is not None
    assert not check.agrees
    assert check.p is not None
    assert check.p < 0.001
    assert "DIFFERS" in verdict(check)


def test_the_error_is_of_the_compared_rounds() -> None:
    (line,) = [line for line in get_check().lines if line.bet == "player"]
    mean = float(line.net / line.times)
    spread = (float(line.squares) - line.times * mean**2) / (line.times - 1)
    assert line.standard_error == pytest.approx(sqrt(spread / line.times))


Change = Callable[[dict[str, Any]], object]
BROKEN: dict[str, tuple[Change, str]] = {
    "edition": (lambda run: run.update(edition="2024-05-14"), "its edition is tiger-buffalo-non-commission/2024-05-14"),
    "game": (lambda run: run.update(game="tiger-buffalo-commission"), "is a simulation of something else"),
    "decks": (lambda run: run.update(decks=6), "its number of decks is 6, the report's 8"),
    "rules": (lambda run: run.update(data_sha256="0" * 64), "its hash of the rules' data is 0000"),
    "older": (lambda run: run.pop("data_sha256"), "missing required field `data_sha256`"),
    "a bet": (lambda run: run["bets"]["tie"]["compared"].update(lost=1), "the counts of tie do not follow"),
    "no bet": (lambda run: run["bets"].pop("tie"), "the counts of tie do not follow"),
    "an offer": (lambda run: run["insurance"].pop(), "insurance offers of the edition"),
    "twice": (lambda run: run["insurance"].append(run["insurance"][0]), "insurance offers of the edition"),
    "odds": (lambda run: run["insurance"][0]["compared"].update(won={"7": 1}), "are impossible"),
    "too often": (lambda run: run["insurance"][0]["compared"].update(lost=10**9), "are impossible"),
    "an outcome": (lambda run: run["compared"]["outcomes"].pop("0:1 3:3 none"), "778 outcomes"),
    "rounds": (lambda run: run["compared"]["outcomes"].update({"0:1 3:3 none": 10**6}), "outcomes add up to"),
    "shoes": (lambda run: run.update(shoes=61), "61 shoes"),
    "negative": (lambda run: run["bets"]["tie"]["compared"].update(lost=-1), "`int` >= 0"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_of_something_else_is_refused(case: str) -> None:
    change, reason = BROKEN[case]
    run = json.loads(simulated())
    change(run)
    with pytest.raises(ReportError, match=r"run\.json") as refused:
        build(
            rulebook(NEW),
            date=DATE,
            version=VERSION,
            simulated=Simulated(name="run.json", data=json.dumps(run).encode()),
        )
    assert reason in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(ReportError, match="is no result of punto simulate"):
        build(rulebook(NEW), date=DATE, version=VERSION, simulated=Simulated(name="run.json", data=data))


def test_the_command_line(tmp_path: Path) -> None:
    run, out = tmp_path / "run.json", tmp_path / "report.html"
    run.write_bytes(simulated())
    answer = call("report", NEW, "--simulation", str(run), "--out", str(out))
    assert (answer.status, answer.err) == (0, "")
    assert sha256(simulated()).hexdigest() in out.read_text("utf-8")
    out.unlink()
    for words, status, reason in (
        ((COMMISSION, "--simulation", str(run)), 1, "is a simulation of something else"),
        ((NEW, "--simulation", str(tmp_path / "none.json")), 1, "can't be read: No such file"),
        ((NEW, "--simulation", str(tmp_path)), 1, "can't be read: Is a directory"),
        ((NEW, "--simulation", "/dev/zero"), 1, "it is longer than"),
        (("--compare", NEW, LIVE, "--simulation", str(run)), 2, "a simulation is of one edition"),
    ):
        answer = call("report", *words, "--out", str(out))
        assert (answer.status, answer.out) == (status, "")
        assert reason in " ".join(answer.err.replace("│", " ").split())
        assert not out.exists()
