"""The watch counts the same cards as the table itself has seen, whatever went wrong there."""

from __future__ import annotations

import pytest

from punto.cards import DECK
from punto.game.events import TableOpened
from punto.game.refusals import Refusal
from punto.game.table import Phase, Settings, Table
from punto.house.store.codec import RecordedEvent
from punto.house.store.watch_events import Thresholds
from punto.house.table.replay_script import played
from punto.house.watch.cards_and_stakes import RELEVANT, Checkpoint, TableFold
from punto.rulebook.model import Rank
from punto.watch.live import Kept, LiveShoe
from tests.house.table.playing import LIMITS, TIGER
from tests.transcripts.reading import FOLDER

SCRIPTS = sorted(FOLDER.rglob("*.jsonl"))


def lines(script: str) -> list[bytes]:
    return [line.encode() for line in script.splitlines() if line.strip() and not line.startswith("#")]


def seen(table: Table) -> dict[str, int]:
    assert table.shoe is not None
    return {face: count for face, count in table.shoe.seen.items() if count}


def heard(shoe: LiveShoe) -> dict[str, int]:
    return {str(DECK[at]): count for at, count in enumerate(shoe.comparator.seen) if count}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_transcript_is_heard_as_the_table_counts_it(script) -> None:  # type: ignore[no-untyped-def]  # a path
    ended: list[LiveShoe] = []

    def over(edition: str, shoe: LiveShoe, kept: Kept) -> None:
        ended.append(shoe)

    fold, version = TableFold("T", lambda at, decks: Thresholds().settings(decks), over), 0
    for step in played(lines(script.read_text())):
        for event in () if isinstance(step.answer, Refusal) else step.answer:
            version += 1
            if type(event) in RELEVANT:
                fold.add(RecordedEvent(version, version, event, b""))
        table = step.table
        if table.shoe is None:
            assert fold.shoe is None
        elif table.phase in (Phase.SETTLED, Phase.READY) and fold.shoe is not None:
            assert heard(fold.shoe) == seen(table), f"after version {version}"


def opened(decks: int) -> TableOpened:
    settings = Settings(
        table="T",
        edition=TIGER,
        pinned=False,
        layout="H",
        positions=6,
        decks=decks,
        currency="MOP",
        limits=LIMITS,
    )
    return TableOpened(settings=settings, by="sue", rank=Rank.PIT_MANAGER, paragraph="")


def test_other_decks_at_a_table_are_another_set() -> None:
    kept = Kept(shoe="3", shoes=3)
    fold = TableFold("T", lambda at, decks: Thresholds().settings(decks), lambda *facts: None, Checkpoint(kept=kept))
    for version, decks in enumerate((8, 8), 1):
        fold.add(RecordedEvent(version, version, opened(decks), b""))
        assert fold.state.kept.shoes == 3
    fold.add(RecordedEvent(3, 3, opened(6), b""))
    assert (fold.state.kept.shoe, fold.state.kept.shoes) == ("", 0)
