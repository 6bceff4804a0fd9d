"""`punto simulate`: the shape of its JSON, its files, its refusals with nothing written, Ctrl-C."""

from __future__ import annotations

import csv
import errno
import json
import os
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from punto.rulebook import load
from punto.sim.run import files as run_files
from tests.cli.program import PLAIN, PUNTO, call, read_terminal, start
from tests.patience import LONG_S

GAME = "tiger-buffalo-commission/2025-11-21"
LIVE = "live-baccarat-insurance-no-commission/undated"
SMALL = ("simulate", GAME, "--shoes", "200", "--seed", "7")


def figures(result: dict[str, Any]) -> dict[str, Any]:
    """All of a result but what depends on the clock or the command line."""
    timing = ("seconds", "rounds_per_second", "compile_seconds", "workers", "engine", "ended")
    return {name: value for name, value in result.items() if name not in timing}


def test_the_contract() -> None:
    result = call(*SMALL, "--json").json
    assert [result[name] for name in ("game", "edition", "decks", "seed", "shoes")] == [*GAME.split("/"), 8, 7, 200]
    assert result["rounds_per_second"] == pytest.approx(result["rounds"] / result["seconds"])
    assert list(result["bets"]) == [bet.value for bet in load.edition(*GAME.split("/")).bets]
    banker = result["bets"]["banker"]
    assert list(banker["won"]) == ["19/20"]
    assert banker["won"]["19/20"] + banker["returned"] + banker["lost"] == result["rounds"]
    assert banker["exact"] == pytest.approx(-0.0105791, abs=1e-7)
    for z, of in (("z_all_rounds", banker), ("z", banker["compared"])):
        assert banker[z] == pytest.approx((of["expectation"] - banker["exact"]) / of["standard_error"])
    assert banker["expectation"] == pytest.approx(
        (0.95 * banker["won"]["19/20"] - banker["lost"]) / result["rounds"], abs=1e-12
    )
    assert len(result["insurance"]) == 83
    for offer in result["insurance"]:
        assert offer["won"][offer["odds"]] + offer["returned"] + offer["lost"] == offer["offered"]
    compared = result["compared"]
    assert (compared["rounds_per_shoe"], compared["rounds"], banker["compared"]["times"]) == (67, 67 * 200, 67 * 200)
    every_z = [row["z"] for row in (*result["bets"].values(), *result["insurance"])]
    assert compared["largest_z"] == max(abs(z) for z in every_z if z is not None)
    for chi_square in (compared["chi_square"], result["chi_square_all_rounds"]):
        assert set(chi_square) == {"statistic", "degrees", "p", "rounds"}
    assert result["compile_seconds"] >= 0


@pytest.mark.parametrize("more", [("--workers", "1"), ("--workers", "3"), ("--engine", "python", "--shoes", "20")])
def test_the_same_seed_gives_the_same_figures(more: tuple[str, ...]) -> None:
    plain = (*SMALL, *more[2:]) if more[0] == "--engine" else SMALL
    assert figures(call(*plain, "--json").json) == figures(call(*SMALL, *more, "--json").json)


def test_another_seed_gives_other_figures() -> None:
    assert call(*SMALL, "--json").json["bets"] != call(*SMALL[:-1], "8", "--json").json["bets"]


def test_tables_for_people() -> None:
    answer = call(*SMALL)
    assert (answer.status, answer.err) == (0, "")
    for text in (
        "200 shoes",
        "banker_pair",
        "player-third",
        "z is computed from the first 67 rounds",
        "chi-square over these rounds",
        "chi-square over all rounds",
        "rounds a second",
        "to compile",
    ):
        assert text in answer.out


def test_a_shoe_round_by_round() -> None:
    answer = call("simulate", LIVE, "--show", "3", "--seed", "9")
    assert answer.status == 0
    first, burnt, *rounds, left = answer.out.splitlines()
    assert first == f"{LIVE}, 8 decks, seed 9, shoe 3"
    assert burnt.startswith("burnt: ")
    assert left == "14 cards left"
    assert rounds[-1] == " 81  2D 7D v 8D 7H         9:5 player    cut card"
    shoe = call("simulate", LIVE, "--show", "3", "--seed", "9", "--json").json
    assert len(shoe["rounds"]) == len(rounds) == 81
    assert shoe["rounds"][-1] == {
        "round": 81,
        "place": 398,
        "player": ["2D", "7D"],
        "banker": ["8D", "7H"],
        "player_points": 9,
        "banker_points": 5,
        "winner": "player",
        "offers": [],
        "cut_card": True,
    }
    with_offers = [round_ for round_ in shoe["rounds"] if round_["offers"]]
    assert with_offers[0]["offers"][0].keys() == {"bet", "after", "odds"}


def test_the_shoes_shown_are_the_shoes_counted() -> None:
    shown = [call("simulate", GAME, "--show", str(shoe), "--seed", "7", "--json").json for shoe in range(3)]
    winners = [round_["winner"] for shoe in shown for round_ in shoe["rounds"]]
    result = call("simulate", GAME, "--shoes", "3", "--seed", "7", "--json").json
    assert result["rounds"] == len(winners)
    assert result["bets"]["tie"]["won"] == {"8": winners.count("tie")}
    assert result["bets"]["player"]["won"] == {"1": winners.count("player")}


def test_precision_ends_a_run() -> None:
    result = call("simulate", GAME, "--until", "0.004", "--json").json
    assert result["ended"] == "precise"
    errors = [result["bets"][bet]["standard_error"] for bet in ("banker", "player", "tie")]
    assert max(errors) < 0.004
    assert call("simulate", GAME, "--until", "0.0001", "--shoes", "10", "--json").json["ended"] == "complete"


def test_a_checkpoint_is_written_and_gone_on_from(tmp_path: Path) -> None:
    path = str(tmp_path / "run")
    assert call(*SMALL, "--checkpoint", path).status == 0
    more = call(*SMALL, "--shoes", "300", "--checkpoint", path, "--json").json
    assert figures(more) == figures(call(*SMALL, "--shoes", "300", "--json").json)
    other = call(*SMALL[:-1], "8", "--shoes", "300", "--checkpoint", path)
    assert other.status == 1
    assert "is a checkpoint of another run: its seed is 7, expected 8" in other.err


@pytest.mark.parametrize("suffix", ["json", "csv", "parquet"])
def test_results_in_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"result.{suffix}"
    assert call(*SMALL, "--out", str(path)).status == 0
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    if suffix == "json":
        assert figures(json.loads(path.read_text())) == figures(call(*SMALL, "--json").json)
    if suffix == "csv":
        with path.open() as file:
            assert {row["bet"] for row in csv.DictReader(file)} > {"banker", "player_insurance"}


WRONG = [
    (("--shoes", "0"), "0 shoes can't be dealt"),
    (("--shoes", "-1"), "-1 shoes can't be dealt"),
    (("--cut", "416"), "a cut card 416 cards from the end of 416"),
    (("--cut", "1000"), "a cut card 1000 cards from the end"),
    (("--cut", "3"), "a cut card 3 cards from the end"),
    (("--decks", "3"), "3 decks are not allowed"),
    (("--decks", "11"), "11 decks are not allowed"),
    (("--seed", "-1"), "seed -1 is out of range"),
    (("--seed", str(1 << 64)), "is out of range"),
    (("--workers", "0"), "0 workers can't deal"),
    (("--until", "0"), "standard error of 0.0"),
    (("--show", "-2"), "there is no shoe -2"),
]


@pytest.mark.parametrize(("words", "text"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_bad_input_is_refused_and_leaves_no_file(tmp_path: Path, words: tuple[str, ...], text: str) -> None:
    files = ("--out", str(tmp_path / "result.json"), "--checkpoint", str(tmp_path / "run"))
    answer = call(*SMALL, *words, *files)
    assert (answer.status, answer.out) == (1, "")
    assert text in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_bad_places_and_engines(tmp_path: Path) -> None:
    assert call(*SMALL, "--out", str(tmp_path / "result.xlsx")).status == 1
    assert call(*SMALL, "--out", str(tmp_path / "missing" / "result.csv")).status == 1
    assert call(*SMALL, "--checkpoint", str(tmp_path / "missing" / "run")).status == 1
    assert call(*SMALL, "--engine", "abacus").status == 2
    twice = str(tmp_path / "result.json")
    assert call(*SMALL, "--out", twice, "--checkpoint", twice).status == 1
    assert call("simulate", "poker").status == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("address", ["127.0.0.1:9", "nowhere"])
def test_an_unreachable_cluster_is_said_and_leaves_no_file(tmp_path: Path, address: str) -> None:
    answer = call(*SMALL, "--engine", "ray", "--address", address, "--out", str(tmp_path / "result.json"))
    assert (answer.status, answer.out) == (1, "")
    assert f"no cluster answers at {address}" in answer.err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(find_spec("cupy") is not None, reason="there may be a graphics card")
def test_no_graphics_card_is_said_and_leaves_no_file(tmp_path: Path) -> None:
    answer = call(*SMALL, "--engine", "gpu", "--out", str(tmp_path / "result.json"))
    assert (answer.status, answer.out) == (1, "")
    assert "punto[gpu]" in answer.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_valid_partial_result(tmp_path: Path, number: signal.Signals) -> None:
    """The first shoes of the run, on standard output, in the file and in the checkpoint."""
    path, kept = tmp_path / "result.json", tmp_path / "run"
    words = ["simulate", GAME, "--seed", "7", "--shoes", "100000000000", "--json"]
    child = subprocess.Popen(
        [PUNTO, *words, "--out", path, "--checkpoint", kept],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=PLAIN,
    )
    deadline = time.monotonic() + LONG_S
    while not kept.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(child.pid, number)
    out, err = child.communicate(timeout=LONG_S)
    result = json.loads(out)
    assert child.returncode == 1
    assert b"interrupted: these are the first" in err
    assert result["ended"] == "interrupted"
    assert json.loads(path.read_text()) == result
    assert 0 < result["shoes"] == json.loads(kept.read_text())["shoes"] < 100_000_000_000
    again = call("simulate", GAME, "--seed", "7", "--shoes", str(result["shoes"]), "--json").json
    assert figures(again) == figures(result)


def test_a_bar_on_a_terminal_shows_rounds_a_second(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    environment = {**PLAIN, "TERM": "xterm-256color", "COLUMNS": "150"}
    words = [str(PUNTO), "simulate", GAME, "--shoes", "400000", "--json"]
    result = tmp_path / "result.json"
    with result.open("wb") as out, subprocess.Popen(words, stdout=out, stderr=theirs, env=environment) as child:
        os.close(theirs)
        shown = read_terminal(ours)
        assert child.wait(timeout=LONG_S) == 0
    os.close(ours)
    assert json.loads(result.read_text())["shoes"] == 400_000
    assert b"million a second" in shown


def test_the_program_starts_it() -> None:
    answer = start(*SMALL, "--json")
    assert (answer.status, answer.err) == (0, "")
    assert figures(answer.json) == figures(call(*SMALL, "--json").json)


@pytest.mark.parametrize(("option", "name"), [("--out", "found.json"), ("--checkpoint", "run.checkpoint")])
def test_a_full_disk_costs_the_file_and_not_the_result(
    option: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours of dealing are not lost because a file can't be written: the result is shown, and the status is 1."""

    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(run_files, "replace", full)
    words = ["simulate", GAME, "--shoes", "3", "--engine", "python", "--json"]
    answer = call(*words, option, str(tmp_path / name))
    assert answer.status == 1
    assert answer.json["bets"] == call(*words).json["bets"]
    assert answer.err == f"punto: {tmp_path / name} is not written: No space left on device\n"
