"""The paragraph of each event and each refusal, over all transcripts: a table that a person has read line by line.

The question for each row is whether an inspector would open that paragraph. A row that changes is read again before it
is kept: run this file as a module (`python -m tests.transcripts.test_citations`), and compare.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final

from tests.transcripts.reading import every_transcript, rulebook

TABLE: Final = Path(__file__).with_name("citations.md")
TWO_EDITIONS: Final = ("irregularities/late-round-of-an-older-edition",)
"""Answers in this transcript may be under either of two editions."""
HEAD: Final = """\
# Citations

What happens or is refused (its code and the command) → the topic of the paragraph under Tiger Buffalo, the number under
Live Baccarat Insurance.

| what | Tiger Buffalo | Live |
|---|---|---|
"""


def collect_citations() -> str:
    cited: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for transcript in (candidate for candidate in every_transcript() if candidate.name not in TWO_EDITIONS):
        for step in transcript.steps:
            edition = step.edition or ""
            answers = [(_event(event), event["paragraph"]) for event in step.events if edition]
            if edition and step.refused is not None and step.refused["paragraph"] is not None:
                answers.append((f"{step.refused['code']}: {step.command['do']}", step.refused["paragraph"]))
            for what, paragraph in answers:
                live = edition.startswith("live")
                cited[what][live].add(paragraph if live else _topic(edition, paragraph))
    rows = (
        f"| {what} | {' '.join(sorted(tiger))} | {' '.join(sorted(live))} |" for what, (tiger, live) in cited.items()
    )
    return HEAD + "\n".join(sorted(rows)) + "\n"


def _event(event: dict[str, object]) -> str:
    """The tag of an event, and the kind of a report or a ruling."""
    about = event.get("irregularity")
    kind = about["kind"] if isinstance(about, dict) else event.get("kind")
    return f"{event['event']} {kind}" if kind is not None else str(event["event"])


def _topic(edition: str, paragraph: str) -> str:
    rules = rulebook(edition)
    known = rules.paragraphs.get(paragraph)
    return known.topics[0] if known is not None else paragraph


def test_what_happens_and_what_is_refused_is_under_the_paragraph_that_was_read() -> None:
    assert collect_citations().splitlines() == TABLE.read_text("utf-8").splitlines()


if __name__ == "__main__":
    TABLE.write_text(collect_citations(), "utf-8")
