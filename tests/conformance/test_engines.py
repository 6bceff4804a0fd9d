"""Engines of others: those that were written from the document, and the command line around them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from punto.cli.main import app
from punto.conformance import judge
from punto.conformance import pack as packs
from punto.conformance import run as runs
from punto.conformance.vectors import rulings_of
from tests.conformance import hostile
from tests.patience import LONG_S

ROOT = Path(__file__).parents[2]
LIVE = ROOT / "conformance" / "engines" / "live.js"
TIGER = ROOT / "conformance" / "engines" / "tiger.c"
NODE = shutil.which("node") or shutil.which("node", path=str(ROOT / "build" / "node" / "bin"))
EDITION = "live-baccarat-insurance-commission/undated"


def in_node(folder: Path) -> str:
    if NODE is None:
        assert "CI" not in os.environ, "Node is missing"
        pytest.skip("Node is not installed")
    return shlex.join([NODE, str(LIVE)])


def in_c(folder: Path) -> str:
    """An engine by somebody who had the document of the kit and a rule document, and nothing of Punto's code."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    made = folder / "tiger"
    subprocess.run(
        [compiler, "-O1", "-std=c11", "-Wall", "-Wextra", "-Werror", str(TIGER), "-o", str(made)], check=True
    )
    return shlex.quote(str(made))


@pytest.mark.parametrize(
    ("source", "edition", "command"),
    [(LIVE, EDITION, in_node), (TIGER, "tiger-buffalo-non-commission/2025-11-21", in_c)],
    ids=["JavaScript", "C"],
)
def test_an_engine_written_from_the_document_alone_passes_what_it_claims(
    source: Path, edition: str, command: Callable[[Path], str], tmp_path: Path
) -> None:
    assert len(source.read_text("utf-8").splitlines()) < 300
    pack = packs.load()
    vectors = pack.select(levels=["deal", "outcome", "settle", "insurance"], editions=[edition])
    assert len(vectors) > 500
    report = runs.run(pack, vectors, runs.Plan(command=command(tmp_path), answer_seconds=LONG_S))
    assert [outcome for outcome in report.outcomes if outcome.result is not judge.Result.PASSED] == []


def punto(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["conformance", *arguments])


WRONG = """
hello(name="wrong", levels=["deal"])
for one in asked():
    cards = one["input"]["cards"]
    say({"question": one["question"], "answer": {"player": [cards[0], cards[2]], "banker": [cards[1], cards[3]]}})
"""


def test_the_command_line_runs_explains_compares_and_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All commands in one session, with an engine that never draws a third card."""
    monkeypatch.chdir(tmp_path)
    wrong = hostile.command(WRONG)
    which = ("--level", "deal", "--edition", EDITION)
    run = punto("run", "--engine", wrong, *which, "--out", "a.json", "--html", "a.html", "--junit", "a.xml")
    assert run.exit_code == 1
    assert "wrong 0:" in run.stdout
    assert "vectors failed" in run.stderr
    report = json.loads((tmp_path / "a.json").read_text("utf-8"))
    failed = next(outcome for outcome in report["outcomes"] if outcome["result"] == "failed")
    assert (tmp_path / "a.html").read_text("utf-8").count("✗") > 1
    assert "<failure" in (tmp_path / "a.xml").read_text("utf-8")

    story = punto("explain", failed["id"], "--engine", wrong)
    assert story.exit_code == 0
    assert "First difference at" in story.stdout
    assert re.search(r"draws on|draws", story.stdout)
    alone = punto("explain", failed["id"])
    assert "Expected: " in alone.stdout
    reading = next(vector for vector in packs.load().vectors if rulings_of(vector) == ("M1",))
    assert "M1: other readings" in (read := punto("explain", reading.id).stdout)
    assert "Punto's reading: " in read
    unknown = punto("explain", "deal-000000000000")
    assert (unknown.exit_code, unknown.stderr) == (1, "punto: there is no vector 'deal-000000000000' in this pack\n")

    engine = hostile.PUNTO
    good = punto("run", "--engine", engine, *which, "--json", "--out", "b.json")
    assert (good.exit_code, json.loads(good.stdout)["results"]["failed"]) == (0, 0)
    better = punto("compare", "a.json", "b.json")
    assert better.exit_code == 0
    assert re.search(r"mended: [1-9]", better.stdout)
    worse = punto("compare", "b.json", "a.json", "--json")
    assert worse.exit_code == 1
    assert json.loads(worse.stdout)["broken"]
    assert punto("compare", "a.json", "a.html").stderr.startswith("punto: a.html is no report")

    exported = punto("export", "pack")
    assert exported.exit_code == 0
    again = punto("run", "--engine", engine, "--pack", "pack", "--level", "history")
    assert again.exit_code == 0
    (tmp_path / "pack" / "vectors" / "any" / "history.jsonl").write_text("changed\n")
    broken = punto("run", "--engine", engine, "--pack", "pack")
    assert (broken.exit_code, "SHA-256 differs" in broken.stderr) == (1, True)
    assert punto("run", "--engine", engine, "--level", "chess").exit_code == 2
    nothing = punto("run", "--engine", engine, "--paragraph", "99.9")
    assert (nothing.exit_code, "the pack has no vector" in nothing.stderr) == (1, True)
