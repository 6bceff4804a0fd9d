"""A report: the result of every vector, with totals by level and by paragraph. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from punto.conformance.judge import Result
from punto.conformance.pack import PackError
from punto.conformance.vectors import Level, Vector

FORMAT: Final = 1


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one vector. It repeats the vector's edition, level and paragraphs, so that a report can be read
    without the pack."""

    id: str
    edition: str
    level: Level
    paragraphs: tuple[str, ...]
    result: Result
    note: str = ""
    ruling: str | None = None
    milliseconds: float = 0.0


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The engine, pack and selection of a run."""

    engine: str
    version: str
    command: str
    editions: tuple[str, ...]
    levels: tuple[str, ...]
    pack: str
    pack_sha256: str
    protocol: int
    selection: dict[str, tuple[str, ...]] = {}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    format: int = FORMAT
    about: About
    trouble: str = ""
    """Why the run ended early, if it did."""
    seconds: float
    results: dict[str, int]
    outcomes: tuple[Outcome, ...]

    @property
    def good(self) -> bool:
        """Whether nothing failed and the run was not ended early."""
        return not self.trouble and not self.results.get(Result.FAILED.value, 0)


def outcome(vector: Vector, result: Result, note: str = "", ruling: str | None = None, ms: float = 0.0) -> Outcome:
    return Outcome(
        id=vector.id,
        edition=vector.edition,
        level=vector.level,
        paragraphs=vector.paragraphs,
        result=result,
        note=note,
        ruling=ruling,
        milliseconds=round(ms, 1),
    )


def report(about: About, outcomes: Iterable[Outcome], seconds: float, trouble: str = "") -> Report:
    results = tuple(outcomes)
    return Report(about=about, trouble=trouble, seconds=round(seconds, 1), results=tally(results), outcomes=results)


def tally(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Result → number of vectors, for every result."""
    counted = Counter(outcome.result for outcome in outcomes)
    return {result.value: counted[result] for result in Result}


def by_level(outcomes: Iterable[Outcome]) -> dict[Level, dict[str, int]]:
    results = tuple(outcomes)
    return {
        level: tally(outcome for outcome in results if outcome.level is level)
        for level in Level
        if any(outcome.level is level for outcome in results)
    }


def by_paragraph(outcomes: Iterable[Outcome]) -> dict[str, dict[str, dict[str, int]]]:
    """Paragraph → edition → result → number of vectors, sorted by paragraph."""
    cells: dict[str, dict[str, list[Outcome]]] = {}
    for outcome in outcomes:
        for number in outcome.paragraphs:
            cells.setdefault(number, {}).setdefault(outcome.edition, []).append(outcome)
    return {
        number: {edition: tally(cell) for edition, cell in cells[number].items()}
        for number in sorted(cells, key=order_of)
    }


def order_of(number: str) -> tuple[tuple[int, str], ...]:
    """A sort key: 3.9 before 3.10, numbers before names."""
    return tuple((int(part), "") if part.isdigit() else (10**6, part) for part in number.split("."))


def worst(counts: dict[str, int]) -> Result:
    """The result that a cell of a matrix shows: failed before cannot tell before passed."""
    for result in (Result.FAILED, Result.CANNOT_TELL, Result.PASSED, Result.INAPPLICABLE):
        if counts.get(result.value):
            return result
    return Result.UNTESTED


def read(text: bytes, name: str) -> Report:
    """Read a report. Raises PackError with a sentence."""
    try:
        kept = msgspec.json.decode(text, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PackError(f"{name} is no report of a run: {error}") from None
    if kept.format != FORMAT:
        raise PackError(f"{name} has format {kept.format}: this Punto reads format {FORMAT}")
    return kept


# Two versions of one engine


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A vector whose result differs. None: the report does not have the vector."""

    id: str
    before: Result | None
    after: Result | None
    note: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    before: About
    after: About
    same_pack: bool
    same: int
    mended: tuple[Change, ...]
    broken: tuple[Change, ...]
    other: tuple[Change, ...]


def compare(before: Report, after: Report) -> Comparison:
    """What a newer version fixes and breaks. A vector that only one report has counts as other."""
    olds = {outcome.id: outcome for outcome in before.outcomes}
    news = {outcome.id: outcome for outcome in after.outcomes}
    changes = [_change(olds.get(name), news.get(name), name) for name in dict.fromkeys((*olds, *news))]
    differing = [change for change in changes if change.before is not change.after]
    broken = [pair for pair in differing if pair.after is Result.FAILED and pair.before is not None]
    mended = [pair for pair in differing if pair.after is Result.PASSED and pair.before is not None]
    return Comparison(
        before=before.about,
        after=after.about,
        same_pack=before.about.pack_sha256 == after.about.pack_sha256,
        same=len(changes) - len(differing),
        mended=tuple(mended),
        broken=tuple(broken),
        other=tuple(pair for pair in differing if pair not in broken and pair not in mended),
    )


def _change(old: Outcome | None, new: Outcome | None, name: str) -> Change:
    note = new.note if new is not None else old.note if old is not None else ""
    return Change(id=name, before=old.result if old else None, after=new.result if new else None, note=note)
