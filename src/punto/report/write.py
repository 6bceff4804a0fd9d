"""Write a report to a file. The file name's ending selects the format, and the file is replaced atomically."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from punto.report.compare import Comparison
from punto.report.records import Report, ReportError

NEEDS: Final = {
    ".xlsx": "xlsxwriter",
    ".pdf": "typst",
    ".html": None,
    ".csv": None,
    ".parquet": "pyarrow",
    ".json": None,
}
"""Ending of each format → the package that it needs."""
Writer = Callable[[Report | Comparison], bytes]


class UnknownEnding(ReportError):
    """A file name whose ending is no known format."""


def ending(path: Path) -> str:
    """The format of a file by its name."""
    suffix = path.suffix.lower()
    if suffix not in NEEDS:
        raise UnknownEnding(f"{path.name!r} names no format: expected a file that ends in {', '.join(NEEDS)}")
    return suffix


def check(path: Path) -> None:
    """Raise ReportError if the file can't be written, before minutes are spent on computing it."""
    needed = NEEDS[ending(path)]
    if needed is not None and find_spec(needed) is None:
        raise ReportError(f"{ending(path)} needs {needed}, which is not installed: pip install 'punto[reports]'")
    try:
        if path.is_dir():
            raise ReportError(f"{path} is a folder: expected a file")
        if not path.parent.is_dir():
            raise ReportError(f"there is no folder {path.parent}")
    except OSError as error:
        raise _unwritable(path, error) from None


def write(content: Report | Comparison, path: Path) -> int:
    """Write the file and return its size in bytes. An existing file is replaced only by a complete one."""
    check(path)
    made = _writer(ending(path))(content)
    part = path.with_name(f".punto-{os.getpid()}.part")
    try:
        part.write_bytes(made)
        part.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return len(made)


def _unwritable(path: Path, error: OSError) -> ReportError:
    return ReportError(f"{path} can't be written: {error.strerror or error}")


def _writer(suffix: str) -> Writer:
    """The writer of a format. It is imported here, so that one format does not need the packages of the others."""
    match suffix:
        case ".xlsx":
            from punto.report.xlsx.workbook import workbook

            return workbook
        case ".pdf":
            from punto.report.pages.document import document
            from punto.report.pdf import pdf

            return lambda content: pdf(document(content))
        case ".html":
            from punto.report.html import page
            from punto.report.pages.document import document

            return lambda content: page(document(content))
        case ".json":
            from punto.report.as_json import document as json_document

            return json_document
        case _:
            from punto.report.table import csv_table, parquet_table

            return csv_table if suffix == ".csv" else parquet_table
