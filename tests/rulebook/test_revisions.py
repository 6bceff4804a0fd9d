"""A correction is a revision beside the old data: what was played yesterday is judged by what held yesterday."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from punto.rulebook import files, load
from punto.rulebook.check import RuleError
from punto.rulebook.library import OVER_BYTES, library
from punto.rulebook.model import Bet
from tests.rulebook.library import DATES, LIVE, TIGER, Copy

SHIPPED = {
    f"{LIVE[0]}/undated": (
        "220d39c5c780b320c51bc9d9fc6761909d93f11886220882a5d75e6159aecedb",
        "313ce33d1748ec0d823d17a1ce651712f433984fbee08688e7fba608370014df",
    ),
    f"{LIVE[1]}/undated": (
        "70befb418d631fff31932c5c36a02a83ca03129d73c623256eb02ceff3f9d05f",
        "952dff86a1a9d11d79c9bfd19c239371e79613cbf2a97e14dd2c2269fe71d9f7",
    ),
    f"{TIGER[0]}/{DATES[0]}": (
        "c9cccb1b60129e2833974be5b7f414c8b93a7134191fee6fc415dd465016c255",
        "7d12b036bdcc7ec410d4ea67984c2610f00eb88fab40042b6d5f1ed96a32c10d",
    ),
    f"{TIGER[0]}/{DATES[1]}": (
        "fe21b5c05a63ac74e9664c6aaf350bf07767c1a473d81fe42469df33e2ce39ae",
        "1a19f89a660e468addd2c6bbaeac544b5432e1042b7139d250e01a6b75e53120",
    ),
    f"{TIGER[1]}/{DATES[0]}": (
        "e1f2ddb82d6995bd0191206d3bd0f802c5a839cfe941fa5722fba18e162fe348",
        "cf07082c4829aabc8df2d2b13ccd488d8237860bbbf421da2ac9ebc6eaeb9dd0",
    ),
    f"{TIGER[1]}/{DATES[1]}": (
        "0d5bc22ef3d6a74a99d15e34be8121ace54c2a4b1edcbf47d7222faa24d84ddb",
        "54aa5256560e3139c508d955220a75fd950e7717137ace6b6a418246b3f56c32",
    ),
}
"""The hash of every revision that ever shipped, oldest first. Add to it; take nothing out."""


def test_every_hash_that_shipped_is_readable() -> None:
    """This fails after an edit of an edition: its old files belong into a folder revision-N first (CONTRIBUTING,
    Correct an edition), and then the new hash is added above."""
    held = library()
    by_edition: dict[str, list[str]] = {}
    for name, rules in held.items():
        if name not in OVER_BYTES:
            assert rules.data_sha256 == name
            by_edition.setdefault(rules.id, []).append(name)
    assert {edition: tuple(hashes) for edition, hashes in by_edition.items()} == SHIPPED
    for old, new in OVER_BYTES.items():
        assert held[old] is held[new]
        assert held[old].revision == 1


def corrected(copy: Copy, name: str, old: str, new: str) -> None:
    """As CONTRIBUTING says: the file is kept in the folder of its revision, then changed."""
    kept = copy.folder / f"revision-{len(files.revisions(copy.folder))}"
    kept.mkdir()
    shutil.copy(copy.file(name), kept)
    copy.change(name, old, new)


def uncorrected(root: Path) -> Copy:
    """An edition as if its data of today were the first."""
    copy = Copy(root)
    for kept in copy.folder.glob("revision-*"):
        shutil.rmtree(kept)
    return copy


@pytest.mark.parametrize("name", files.FILES)
def test_comments_count_for_nothing(name: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    with copy.file(name).open("ab") as file:
        file.write(b"# changed\n")
    assert copy.load().data_sha256 == load.edition(TIGER[0], DATES[1]).data_sha256


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("source", "Tiger Buffalo", "Tiger and Buffalo"),
        ("source", "equal rank is meant", "the same rank is meant"),
        ("source", 'text = "閒"', 'text = "闲"'),
        ("paragraphs", 'gist = "', 'gist = "In other words: '),
        ("bets", 'name = "Tie"', 'name = "A tie"'),
    ],
)
def test_a_corrected_word_keeps_the_hash(name: str, old: str, new: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.change(name, old, new)
    assert copy.load().data_sha256 == load.edition(TIGER[0], DATES[1]).data_sha256


CORRECTIONS = [
    ("source", "in_force_from = 2025-11-21T08", "in_force_from = 2025-11-21T09"),
    ("paragraphs", 'topic = "', 'topic = "old.'),
    ("tableau", "player_cite = ", 'player_cite = "3.16" #'),
    ("bets", "Tie | 8 to 1", "Tie | 9 to 1"),
    ("insurance", 'offered = "each"', 'offered = "none"'),
    ("layouts", '"M"', '"M L"'),
    ("procedure", "default = 8", "default = 6"),
    ("irregularities", 'decided_by = "dealer"', 'decided_by = "pit-manager"'),
]


@pytest.mark.parametrize(("name", "old", "new"), CORRECTIONS, ids=[row[0] for row in CORRECTIONS])
def test_what_decides_counts_in_the_hash(name: str, old: str, new: str, tmp_path: Path) -> None:
    """This holds for every file. Files are compared as they are parsed, whether or not they make a valid edition."""
    copy = Copy(tmp_path)
    before = files.digest(files.revisions(copy.folder)[-1])
    copy.change(name, old, new)
    assert files.digest(files.revisions(copy.folder)[-1]) != before


def test_a_file_of_a_revision_is_the_first_kept_from_it_on(tmp_path: Path) -> None:
    """Revision 1 has the old bet; revision 2 the corrected bet and the old default; revision 3 is the newest."""
    copy = uncorrected(tmp_path)
    corrected(copy, "bets", "Tie | 8 to 1", "Tie | 9 to 1")
    corrected(copy, "procedure", "default = 8", "default = 6")
    revisions = load.revisions(load.catalogue(tmp_path)[0], tmp_path)
    assert [(rules.revision, str(rules.bets[Bet.TIE].pays[0].odds)) for rules in revisions] == [
        (1, "8"),
        (2, "9"),
        (3, "9"),
    ]
    assert [rules.procedure.decks_default for rules in revisions] == [8, 8, 6]
    assert revisions[0].data_sha256 == load.edition(TIGER[0], DATES[1]).data_sha256
    assert revisions[-1] is copy.load()
    assert library(tmp_path) == {rules.data_sha256: rules for rules in revisions}


def test_a_fault_of_an_older_revision_is_named_with_its_folder(tmp_path: Path) -> None:
    copy = uncorrected(tmp_path)
    corrected(copy, "bets", "Tie | 8 to 1", "Tie | 9 to 1")
    kept = copy.folder / "revision-1" / "bets.toml"
    kept.write_text(kept.read_text("utf-8").replace("Tie | 8 to 1", "Tie | 8 for 1"), "utf-8")
    with pytest.raises(RuleError, match=rf"^{TIGER[0]}/{DATES[1]}/revision-1/bets\.toml, bet tie"):
        library(tmp_path)


def test_a_changed_value_is_not_taken_for_what_was_played(tmp_path: Path) -> None:
    Copy(tmp_path / "as it is")
    changed = Copy(tmp_path / "changed")
    changed.change("bets", "Tie | 8 to 1", "Tie | 9 to 1")
    assert library(tmp_path / "as it is").keys() & {*OVER_BYTES}
    assert not library(changed.root).keys() & {*OVER_BYTES, *OVER_BYTES.values()}
