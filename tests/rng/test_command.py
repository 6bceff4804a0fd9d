"""`punto rng`: figures, reports that can be filed, the raw stream, and refusals."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from punto.rng import sources
from punto.rng.registered import REGISTERED
from punto.sim import rng as readable
from tests.cli.program import PLAIN, PUNTO, call
from tests.patience import LONG_S
from tests.rng.planted import one_short

SMALL = ("rng", "--source", "simulation", "--seed", "7", "--shoes", "500")
DIEHARDER = """#=============================================================================#
#            dieharder version 3.31.1 Copyright 2003 Robert G. Brown          #
#=============================================================================#
        test_name   |ntup| tsamples |psamples|  p-value |Assessment
   diehard_birthdays|   0|       100|     100|0.65972337|  PASSED
         sts_serial|  12|    100000|     100|0.99712345|   WEAK
"""


def test_all_figures_and_both_reports(tmp_path: Path) -> None:
    page, data, other = tmp_path / "b.html", tmp_path / "b.json", tmp_path / "dieharder.txt"
    other.write_text(DIEHARDER)
    answer = call(*SMALL, "--report", str(page), "--report", str(data), "--outside", str(other))
    assert (answer.status, answer.err) == (0, "")
    filed = json.loads(data.read_bytes())
    assert [test["id"] for test in filed["tests"]] == [test.id for test in REGISTERED]
    assert (filed["passed"], filed["seed"], filed["shoes"], filed["version"]) == (True, 7, 500, 1)
    assert [test["verdict"] for test in filed["outside"]["tests"]] == ["PASSED", "WEAK"]
    assert filed["outside"]["program"] == "dieharder 3.31.1"
    text = page.read_text("utf-8")
    for test in filed["tests"]:
        assert test["id"] in answer.out
        assert f"{test['p']:.4f}" in answer.out
        assert test["id"] in text
        assert f"{test['p']:.4f}" in text
    assert "0.99712345" in text
    assert "1 PASSED, 1 WEAK, 0 FAILED" in answer.out


def test_the_same_seed_gives_the_same_figures() -> None:
    first, again = call(*SMALL, "--json").json, call(*SMALL, "--json").json
    assert first["tests"] == again["tests"]
    assert first["tests"] != call(*SMALL[:4], "8", *SMALL[5:], "--json").json["tests"]


def test_a_generator_that_fails_is_exit_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One of the planted shuffles in the place of the house's."""
    planted = one_short(1)
    monkeypatch.setattr(sources, "shuffled", planted.shuffle)
    page = tmp_path / "b.html"
    answer = call("rng", "--shoes", "500", "--report", str(page), "--json")
    assert answer.status == 1
    assert "tests failed: order-choices, order-mean" in answer.err
    assert not answer.json["passed"]
    assert "FAILED" in page.read_text("utf-8")


def test_the_raw_stream_ends_when_nobody_reads() -> None:
    words = [str(PUNTO), "rng", "--raw", "--source", "simulation", "--seed", "9"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        first = child.stdout.read(16)
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(timeout=LONG_S) == 0
    assert first == b"".join(word.to_bytes(4, "little") for word in readable.philox((0, 0, 0, 0), (9, 0)))


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (("--source", "dice"), 2, "expected house or simulation"),
        (("--shoes", "499"), 2, "expected 500 to"),
        (("--source", "simulation", "--seed", "-1"), 2, "expected 0 to"),
        (("--decks", "0"), 2, "greater than or equal to 1"),
        (("--report", "b.pdf"), 1, "expected .json, .html"),
        (("--report", "nowhere/b.html"), 1, "can't be written"),
        (("--outside", "none.txt"), 1, "No such file"),
        (("--outside", "empty.txt"), 1, "is no output of dieharder"),
    ],
)
def test_bad_input_is_a_sentence_and_no_file(
    words: tuple[str, ...], status: int, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text("nothing")
    answer = call("rng", *words)
    assert (answer.status, answer.out) == (status, "")
    assert reason in " ".join(answer.err.replace("│", " ").split())
    assert [path.name for path in tmp_path.iterdir()] == ["empty.txt"]
