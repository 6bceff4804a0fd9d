"""`punto report`: the file that was asked for, or a sentence and no file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.program import PLAIN, PUNTO, call, read_terminal, start
from tests.patience import LONG_S

LIVE = "live-baccarat-insurance-commission"
OLD, NEW = "tiger-buffalo-commission/2024-05-14", "tiger-buffalo-commission/2025-11-21"
DATED = ("--date", "2026-01-31")
ENDINGS = (".xlsx", ".pdf", ".html", ".csv", ".parquet", ".json")
STARTS = {
    ".xlsx": b"PK",
    ".pdf": b"%PDF",
    ".html": b"<!doctype",
    ".csv": b"section,",
    ".parquet": b"PAR1",
    ".json": b"{",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_ending_chooses_the_format(ending: str, tmp_path: Path) -> None:
    out = tmp_path / f"report{ending}"
    answer = call("report", LIVE, "--out", str(out), *DATED)
    assert (answer.status, answer.err) == (0, "")
    assert out.read_bytes().startswith(STARTS[ending])
    assert sha256(out.read_bytes()).hexdigest() in answer.out
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_comparison_goes_to_the_same_formats(ending: str, tmp_path: Path) -> None:
    out = tmp_path / f"changes{ending}"
    answer = call("report", "--compare", OLD, NEW, "--out", str(out), *DATED)
    assert (answer.status, answer.err) == (0, "")
    assert out.read_bytes().startswith(STARTS[ending])


def test_a_comparison_is_shown_on_screen() -> None:
    answer = call("report", "--compare", OLD, NEW)
    assert (answer.status, answer.err) == (0, "")
    assert "Tiger Tie" in answer.out
    assert "30.7354 %" in answer.out
    assert "0 insurance cells changed" in answer.out
    assert "6 layouts changed" in answer.out


def test_a_comparison_as_json() -> None:
    answer = call(
        "report",
        "--compare",
        "tiger-buffalo-commission/2025-11-21",
        "tiger-buffalo-non-commission/2025-11-21",
        "--json",
    )
    (banker,) = [row for row in answer.json["bets"] if row["bet"] == "banker"]
    assert (banker["status"], banker["old_expectation"]) == ("odds changed", "-114753351728/10847218479825")


def test_json_without_a_file_is_the_report() -> None:
    answer = call("report", "tiger-buffalo-commission/2025-11-21", "--json", "--layout", "C", "--decks", "10")
    assert answer.status == 0
    assert answer.json["cover"]["coups"] == "19206486926827200"
    assert answer.json["cover"]["layout"] == "C"


def test_json_with_a_file_is_a_receipt(tmp_path: Path) -> None:
    out = tmp_path / "r.csv"
    answer = call("report", LIVE, "--out", str(out), "--json", *DATED)
    assert answer.json["sha256"] == sha256(out.read_bytes()).hexdigest()
    assert (answer.json["format"], answer.json["coups"]) == ("csv", "4998398275503360")


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    out.write_text("old")
    assert call("report", LIVE, "--out", str(out)).status == 0
    assert json.loads(out.read_bytes())["cover"]["game"] == LIVE


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ([LIVE, "--out", "report.docx"], 2, ".xlsx, .pdf, .html, .csv, .parquet, .json"),
        ([LIVE, "--out", "report"], 2, "names no format"),
        ([LIVE], 2, "a file to write"),
        ([LIVE, NEW, "--out", "r.json"], 2, "--compare"),
        (["--compare", NEW, "--out", "r.json"], 2, "two editions"),
        (["--compare", OLD, NEW, "--layout", "A"], 2, "all layouts"),
        ([LIVE, "--out", "r.json", "--date", "soon"], 2, "is no date"),
        ([LIVE, "--out", "r.json", "--decks", "7"], 1, "7 decks are not allowed"),
        ([NEW, "--out", "r.pdf", "--decks", "11"], 1, "11 decks are not allowed"),
        ([NEW, "--out", "r.pdf", "--layout", "Z"], 1, "there is no layout 'Z'"),
        (["poker", "--out", "r.pdf"], 1, "there is no game 'poker'"),
        ([LIVE, "--out", "nowhere/r.pdf"], 1, "there is no folder nowhere"),
        ([LIVE, "--out", f"{'r' * 300}.json"], 1, "can't be written: File name too long"),
        (["--compare", LIVE, NEW, "--decks", "5"], 1, "5 decks are not allowed"),
    ],
)
def test_bad_input_is_a_sentence_and_no_file(
    words: list[str], status: int, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = call("report", *words)
    assert (answer.status, answer.out) == (status, "")
    assert reason in " ".join(answer.err.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "r.pdf").mkdir()
    answer = call("report", LIVE, "--out", str(tmp_path / "r.pdf"))
    assert answer.status == 1
    assert "is a folder" in answer.err


def test_a_disk_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "r.json"
    out.write_text("old")

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as half:
            half.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    answer = call("report", LIVE, "--out", str(out))
    assert (answer.status, answer.out) == (1, "")
    assert "can't be written: No space left on device" in answer.err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("r.json", "old")]


@pytest.mark.parametrize(("ending", "needed"), [(".xlsx", "xlsxwriter"), (".pdf", "typst"), (".parquet", "pyarrow")])
def test_a_missing_extra_is_named(ending: str, needed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.report.write.find_spec", lambda name: None if name == needed else find_spec(name))
    answer = call("report", LIVE, "--out", str(tmp_path / f"r{ending}"))
    assert (answer.status, answer.out) == (1, "")
    assert f"needs {needed}" in answer.err
    assert "punto[reports]" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_starts_without_the_writers() -> None:
    script = "import sys, punto.cli.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=PLAIN)
    loaded = {module.partition(".")[0] for module in done.stdout.split()}
    assert not loaded & {"matplotlib", "xlsxwriter", "typst", "pyarrow", "numpy"}
    assert "punto.report.content" not in done.stdout.split()


def test_plain_formats_need_no_extra(tmp_path: Path) -> None:
    """CSV, JSON and HTML are written even where none of the third-party libraries for reports is installed."""
    script = (
        "import sys\n"
        "for name in ('matplotlib', 'xlsxwriter', 'typst', 'pyarrow', 'numpy'): sys.modules[name] = None\n"
        "from punto.cli.main import app\n"
        f"app({['report', LIVE, '--out', 'OUT']!r}, standalone_mode=False)\n"
    )
    for ending in (".csv", ".json", ".html"):
        out = tmp_path / f"r{ending}"
        subprocess.run(
            [sys.executable, "-c", script.replace("OUT", str(out))], check=True, env=PLAIN, capture_output=True
        )
        assert out.stat().st_size > 10_000


def test_a_pipe_hears_nothing_of_the_progress(tmp_path: Path) -> None:
    answer = start("report", LIVE, "--out", str(tmp_path / "r.xlsx"), *DATED)
    assert (answer.status, answer.err) == (0, "")
    assert zipfile.is_zipfile(tmp_path / "r.xlsx")


def test_a_terminal_sees_a_bar(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    words = [str(PUNTO), "report", LIVE, "--out", str(tmp_path / "r.json")]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=theirs, env={**PLAIN, "TERM": "xterm"}) as child:
        os.close(theirs)
        shown = read_terminal(ours)
        assert child.wait(timeout=LONG_S) == 0
    os.close(ours)
    assert "starting" in shown.decode()
    assert "━" in shown.decode()
