"""`punto strategy` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import call, start

GAME = "tiger-buffalo-commission/2025-11-21"
FEW = ("--sessions", "50", "--seed", "3")


def test_flat_betting() -> None:
    answer = call("strategy", GAME, "--bet", "banker=100.00", *FEW, "--json")
    assert (answer.status, answer.err) == (0, "")
    result = answer.json
    assert (result["game"], result["edition"], result["seed"]) == ("tiger-buffalo-commission", "2025-11-21", 3)
    assert result["sessions"] == result["per_session"]["count"] == result["per_shoe"]["count"] == 50
    assert result["staked"] == f"{100 * result['rounds']}.00"
    assert float(result["net"]) == pytest.approx(50 * result["per_session"]["mean"])
    assert result["ended"]["shoes"]["times"] == 50
    assert result["ruin"]["times"] == result["insurance"]["times"] == result["counted"]["times"] == 0


def test_the_same_seed_gives_the_same_whatever_the_workers() -> None:
    words = ("strategy", GAME, "--bet", "player=25.00", "--insurance", "worth", *FEW, "--json")
    first, other = (call(*words, "--workers", workers).json for workers in ("1", "3"))
    first.pop("seconds"), other.pop("seconds")
    assert first == other
    assert first["insurance"]["times"] > 0


def test_a_side_bet_by_the_count_and_stops() -> None:
    answer = call(
        *("strategy", GAME, "--bet", "banker=50", "--side", "tie=10.00", "--tags", "4=1, 5=0.5 10=-1/3"),
        *("--line", "1.5", "--bankroll", "600.00", "--stop-win", "300", "--stop-loss", "400", "--rounds", "150"),
        *("--shoes", "4", *FEW),
    )
    assert answer.status == 0
    assert "tie 10.00 from a true count of 3/2" in answer.out
    assert "Side bet by the count" in answer.out
    assert "stop-loss" in answer.out
    running = call("strategy", GAME, "--side", "tie=10", "--tags", "9=1", "--line", "8", "--running", *FEW)
    assert "from a running count of 8" in running.out


def test_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "sessions.png"
    answer = call("strategy", GAME, "--bet", "banker=100.00", "--bankroll", "900", *FEW, "--plot", str(path))
    assert answer.status == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "the strategy has no bet"),
        (["--bet", "banker"], "'' is no amount"),
        (["--bet", "lucky=1.00"], "names no bet"),
        (["--bet", "super_6_plus=1.00"], "is no bet of tiger-buffalo-commission"),
        (["--bet", "banker=0"], "is no stake"),
        (["--bet", "banker=1", "--bankroll", "much"], "'much' is no amount"),
        (["--bet", "banker=1", "--sessions", "0"], "expected at least one of each"),
        (["--bet", "banker=1", "--shoes", "99999999"], "shoes in all"),
        (["--bet", "banker=1", "--cut", "1000"], "a cut card 1000 cards from the end"),
        (["--bet", "banker=1", "--decks", "3"], "3 decks are not allowed"),
        (["--bet", "banker=1", "--seed", "-1"], "seed -1 is out of range"),
        (["--side", "tie=1"], "a side bet needs a count"),
        (["--side", "tie=1", "--tags", "X=1"], "'X=1' is no tag"),
        (["--bet", "tie=1", "--tags", "9=1"], "a count needs a side bet: give --side such as tie=50.00"),
        (["--bet", "tie=1", "--line", "3"], "a count needs a side bet"),
        (["--bet", "tie=1", "--running"], "a count needs a side bet"),
        (["--bet", "tiger=1", "--bet", "big_tiger=1"], "no layout has all of these bets: tiger, big_tiger"),
        (["--bet", "banker=3", "--bet", "banker=2.01", "--maximum", "5"], "5.01 on banker: the maximum is 5.00"),
        (["--side", "tie=1", "--tags", "9=x"], "'x' is no number"),
        (["--side", "tie=1", "--tags", "9=1", "--line", "1/0"], "'1/0' is no number"),
        (["--bet", "banker=1", "--plot", "picture.gif"], "expected .png, .svg, .pdf"),
        (["--bet", "banker=1", "--plot", "no/such/folder/picture.png"], "can't be written"),
    ],
)
def test_what_is_refused(words: list[str], sentence: str) -> None:
    answer = call("strategy", GAME, *words)
    assert (answer.status, answer.out) == (1, "")
    assert sentence in answer.err


def test_an_unknown_way_to_insure_is_a_usage_error() -> None:
    answer = call("strategy", GAME, "--bet", "banker=1", "--insurance", "sometimes")
    assert answer.status == 2
    assert "expected never, always, worth" in " ".join(answer.err.replace("│", " ").split())


def test_the_program_itself() -> None:
    answer = start("strategy", GAME, "--bet", "banker=100.00", *FEW)
    assert (answer.status, answer.err) == (0, "")
    assert "50 sessions" in answer.out
