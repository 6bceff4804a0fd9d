"""A house goes on under a later version of the package and passes the audit: with a corrected word, a corrected value,
a new edition."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import punto
from punto.game import events as e
from punto.house.audit.run import audit
from punto.house.audit.stream_rows import EVENTS
from punto.house.store import codec
from punto.house.store.reader import opened
from punto.house.store.records import Row
from punto.rulebook import load
from tests.house.audit.upgrade_process import rounds, stream_of
from tests.rulebook.library import DATES, TIGER, Copy
from tests.rulebook.test_revisions import corrected

ROOT = Path(__file__).parents[3]
WORD, VALUE = (f"{TIGER[0]}/{date}" for date in DATES)
NEW = f"{TIGER[0]}/2099-01-01"


class Package:
    """A copy of the package whose editions a test may correct."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        skipped = shutil.ignore_patterns("editions")
        shutil.copytree(Path(punto.__file__).parent, folder / "punto", ignore=skipped)
        root = folder / "punto" / "rulebook" / "editions"
        self.editions = {source.id: Copy(root, source.game, source.edition) for source in load.catalogue()}

    def add(self, edition: str, like: str) -> None:
        """A new edition of the same game, with the same rules from its first day on."""
        copy = self.editions[like]
        folder = shutil.copytree(copy.folder, copy.folder.parent / edition)
        source = (folder / "source.toml").read_text("utf-8")
        (folder / "source.toml").write_text(source.replace(copy.edition, edition), "utf-8")

    def goes_on(self, url: str, *editions: str) -> list[str]:
        """Play a round of each edition and audit the house. Returns the findings."""
        command = [sys.executable, "-m", "tests.house.audit.upgrade_process", url, *editions]
        path = {"PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}"}
        done = subprocess.run(command, cwd=self.folder, env={**os.environ, **path}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


def paid(url: str, edition: str) -> list[str]:
    """The odds that each settled tie at the edition's table was paid at, oldest first."""
    with opened(url) as reader:
        rows = [Row(*values) for values in reader.rows(EVENTS, stream_of(edition))]
    settled = [event for event in map(codec.event, rows) if isinstance(event, e.RoundSettled)]
    return [str(line.odds) for event in settled for line in event.lines]


def test_an_upgraded_house_is_sound(database_url: str, tmp_path: Path) -> None:
    asyncio.run(rounds(database_url, [WORD, VALUE]))
    assert audit(database_url).findings == []
    later = Package(tmp_path)
    later.editions[WORD].change("paragraphs", 'gist = "', 'gist = "In other words: ')
    corrected(later.editions[VALUE], "bets", "Tie | 8 to 1", "Tie | 9 to 1")
    later.add("2099-01-01", like=VALUE)
    assert later.goes_on(database_url, WORD, VALUE, NEW) == []
    assert [paid(database_url, edition) for edition in (WORD, VALUE, NEW)] == [["8", "8"], ["8", "9"], ["9"]]


def test_a_value_edited_in_place_is_seen(sqlite_url: str, tmp_path: Path) -> None:
    """Older rows name rules that no longer exist, so the audit can't follow the table any further."""
    asyncio.run(rounds(sqlite_url, [VALUE]))
    later = Package(tmp_path)
    later.editions[VALUE].change("bets", "Tie | 8 to 1", "Tie | 9 to 1")
    findings = later.goes_on(sqlite_url, VALUE)
    assert findings[0] == f"unknown-rules {stream_of(VALUE)} 1"


def test_a_stream_does_not_go_back_to_an_older_revision(sqlite_url: str, tmp_path: Path) -> None:
    """A node of the older version played on beside the newer one."""
    later = Package(tmp_path)
    corrected(later.editions[VALUE], "bets", "Tie | 8 to 1", "Tie | 9 to 1")
    assert later.goes_on(sqlite_url, VALUE) == []
    asyncio.run(rounds(sqlite_url, [VALUE]))
    findings = later.goes_on(sqlite_url, VALUE)
    assert {line.split()[0] for line in findings} == {"older-rules"}
