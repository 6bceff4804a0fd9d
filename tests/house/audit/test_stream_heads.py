"""Heads of an earlier audit show that rows were removed from the end of a stream."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.house.audit import stream_heads
from tests.house.audit.sqlite_attacker import attacked, audited


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "heads.json"


def test_rows_taken_off_the_end_are_found_by_the_heads(played: Path, tmp_path: Path, file: Path) -> None:
    stream_heads.write(file, audited(f"sqlite:///{played}").heads)
    stream = "person/ann"
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("DELETE FROM events WHERE stream = ? AND version > 1", (stream,))
        connection.execute("DELETE FROM transfers WHERE stream = ?", (stream,))
    report = audited(url, stream_heads.read(file))
    assert [(finding.stream, finding.version) for finding in report.findings if finding.code == "head"] == [(stream, 1)]


def test_a_stream_taken_out_whole_is_found_by_the_heads(played: Path, tmp_path: Path) -> None:
    known = audited(f"sqlite:///{played}").heads
    stream = max(known)
    with attacked(played, tmp_path) as (connection, url):
        for table in ("events", "transfers", "rounds", "played", "snapshots", "refusals"):
            connection.execute(f"DELETE FROM {table} WHERE stream = ?", (stream,))
    report = audited(url, known)
    assert (stream, 0, "head") in [(finding.stream, finding.version, finding.code) for finding in report.findings]


def test_a_file_of_heads_can_be_read_again_and_not_changed(file: Path) -> None:
    assert stream_heads.read(file) == {}
    kept = {"table/a": (3, "00" * 32)}
    stream_heads.write(file, kept)
    assert stream_heads.read(file) == kept
    file.write_text(file.read_text().replace("table/a", "table/b"))
    with pytest.raises(stream_heads.BadHeads, match="was changed"):
        stream_heads.read(file)
    file.write_text("[]")
    with pytest.raises(stream_heads.BadHeads, match="not a heads file"):
        stream_heads.read(file)
