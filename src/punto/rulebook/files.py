"""The files of an edition: find, size-check, parse and hash them. `load` turns them into a rulebook."""

from __future__ import annotations

import hashlib
import re
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from punto.rulebook.check import RuleError

FILES: Final = (
    "source",
    "paragraphs",
    "tableau",
    "bets",
    "insurance",
    "layouts",
    "procedure",
    "irregularities",
)
WORDS: Final = {
    "source": ("title", "document", "sha256", "version", "authority", "operator", "note", "name", "erratum"),
    "paragraphs": ("gist",),
    "bets": ("name",),
}
"""By file, keys without effect on play. Correcting them in place keeps the hash."""
_LARGEST_FILE_BYTES: Final = 1 << 20

Shape = TypeVar("Shape")


class Revision(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """An edition's files as they stood before its `number`-th correction; the highest number is the newest data."""

    folder: Path
    number: int
    newest: int
    parsed: dict[str, dict[str, Any]] = {}
    """A cache of the parsed files, by name."""

    def path(self, name: str) -> Path:
        """The copy in the first revision from this one on that has one, else the newest file."""
        copies = (self.folder / f"revision-{number}" / f"{name}.toml" for number in range(self.number, self.newest))
        return next((copy for copy in copies if copy.is_file()), self.folder / f"{name}.toml")


def revisions(folder: Path) -> list[Revision]:
    """Every revision of an edition, oldest first. `revision-1`, `revision-2`, … hold what a correction replaced."""
    newest = 1
    while (folder / f"revision-{newest}").is_dir():
        newest += 1
    return [Revision(folder=folder, number=number, newest=newest) for number in range(1, newest + 1)]


def place(at: Revision, name: str) -> str:
    return at.path(name).relative_to(at.folder.parent.parent).as_posix()


def digest(at: Revision) -> str:
    """A hash over all data with an effect on play. `WORDS`, comments, order of keys and line ends do not change it."""
    deciding = {name: _without(data(at, name), WORDS.get(name, ())) for name in FILES}
    return hashlib.sha256(msgspec.json.encode(deciding, order="deterministic")).hexdigest()


def _without(value: Any, words: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {key: _without(part, words) for key, part in value.items() if key not in words}
    return [_without(part, words) for part in value] if isinstance(value, list) else value


def data(at: Revision, name: str) -> dict[str, Any]:
    """The tables of a file, limited in size and parsed once."""
    if name in at.parsed:
        return at.parsed[name]
    path, where = at.path(name), place(at, name)
    if not path.is_file():
        raise RuleError(f"{where}: the file is missing; an edition has {', '.join(FILES)}")
    if path.stat().st_size > _LARGEST_FILE_BYTES:
        raise RuleError(f"{where}: the file is larger than {_LARGEST_FILE_BYTES} bytes")
    try:
        # No value may be a float. One is parsed as Decimal, which no key accepts.
        at.parsed[name] = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise RuleError(f"{where}: {error}") from None
    return at.parsed[name]


def read(at: Revision, name: str, shape: type[Shape]) -> Shape:
    tables = data(at, name)
    try:
        return msgspec.convert(tables, shape)
    except msgspec.ValidationError as error:
        raise RuleError(f"{place(at, name)}{_culprit(tables, shape, error)}: {error}") from None


def _culprit(data: dict[str, Any], shape: type[Shape], error: msgspec.ValidationError) -> str:
    """The name of the invalid row in a file, with its paragraph if it has one."""
    at = re.search(r"\$\.?(\w*)\[(\d+|\.\.\.)\]", str(error))
    if at is None:
        return ""
    key, number = at.groups()
    rows: Any = data[key] if key else data
    if number.isdigit():
        row = rows[int(number)]
        name = next((row[word] for word in ("id", "of", "bet") if word in row), int(number) + 1)
    else:
        name, row = next(
            item for item in rows.items() if not _fits({**data, key: dict([item])} if key else dict([item]), shape)
        )
    cite = row.get("cite") if isinstance(row, dict) else None
    return ", ".join(["", f"{key} {name}".strip(), *([str(cite)] if cite else [])])


def _fits(data: dict[str, Any], shape: type[Shape]) -> bool:
    try:
        msgspec.convert(data, shape)
    except msgspec.ValidationError:
        return False
    return True
