"""A failed run leaves behind the evidence that it was judged by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.failover import evidence
from tests.house.failover.evidence import Evidence, kept_on_fault
from tests.house.failover.test_promises import answers, rows, transfers

LOST = Evidence(answers(), rows(), transfers()[1:])
"""A stake that did not move."""


def test_a_fault_names_the_folder_and_is_found_there_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    log.write_text("a line")
    with (
        pytest.raises(AssertionError, match="broken") as fault,
        kept_on_fault(tmp_path / "kept", lambda folder: evidence.keep(folder, LOST, [log])),
    ):
        raise AssertionError("broken")
    (note,) = fault.value.__notes__
    folder = Path(note.removeprefix("kept in "))
    assert evidence.read(folder) == LOST
    assert (folder / "node-1.jsonl").read_text() == "a line"
    assert LOST.faults
    assert evidence.main(str(folder)) == 1
    assert capsys.readouterr().out.startswith(f"{LOST.faults[0]}\n")


def test_what_could_not_be_kept_is_said_and_the_fault_stays(tmp_path: Path) -> None:
    def fails(folder: Path) -> None:
        (folder / "part").touch()
        raise OSError("the server is gone")

    with pytest.raises(AssertionError, match="broken") as fault, kept_on_fault(tmp_path, fails):
        raise AssertionError("broken")
    missing, kept = fault.value.__notes__
    assert "the server is gone" in missing
    assert (Path(kept.removeprefix("kept in ")) / "part").exists()


def test_where_nothing_is_wrong_nothing_is_kept(tmp_path: Path) -> None:
    with kept_on_fault(tmp_path, lambda folder: evidence.keep(folder, LOST, [])):
        pass
    assert list(tmp_path.iterdir()) == []
