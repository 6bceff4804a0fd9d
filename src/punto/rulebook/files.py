"""The files of an edition: how each is found, bounded, read into its shape and hashed. `load` says what they mean."""

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
_LARGEST_FILE_BYTES: Final = 1 << 20

Shape = TypeVar("Shape")


def digest(folder: Path) -> str:
    """One hash over all files of an edition, whatever the line ends of the checkout."""
    total = hashlib.sha256()
    for name in FILES:
        total.update(name.encode() + b"\0" + (folder / f"{name}.toml").read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return total.hexdigest()


def place(folder: Path, name: str) -> str:
    return f"{folder.parent.name}/{folder.name}/{name}.toml"


def read(folder: Path, name: str, shape: type[Shape]) -> Shape:
    path = folder / f"{name}.toml"
    where = place(folder, name)
    if not path.is_file():
        raise RuleError(f"{where}: the file is missing; an edition has {', '.join(FILES)}")
    if path.stat().st_size > _LARGEST_FILE_BYTES:
        raise RuleError(f"{where}: the file is larger than {_LARGEST_FILE_BYTES} bytes")
    try:
        # No value is a float: Decimal keeps one as it was written, and no key takes it.
        data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise RuleError(f"{where}: {error}") from None
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        raise RuleError(f"{where}{_culprit(data, shape, error)}: {error}") from None


def _culprit(data: dict[str, Any], shape: type[Shape], error: msgspec.ValidationError) -> str:
    """The row of a file that does not fit, by its name and, where it has one, its paragraph."""
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
            one for one in rows.items() if not _fits({**data, key: dict([one])} if key else dict([one]), shape)
        )
    cite = row.get("cite") if isinstance(row, dict) else None
    return ", ".join(["", f"{key} {name}".strip(), *([str(cite)] if cite else [])])


def _fits(data: dict[str, Any], shape: type[Shape]) -> bool:
    try:
        msgspec.convert(data, shape)
    except msgspec.ValidationError:
        return False
    return True
