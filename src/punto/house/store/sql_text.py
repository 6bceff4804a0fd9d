"""SQLAlchemy statements as text and values for the store's own connections: no second pool or writer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.engine import Dialect

TextAndValues = tuple[str, tuple[Any, ...]]


def text_and_values(statement: Executable, dialect: Dialect) -> TextAndValues:
    """The statement in the dialect's SQL, and its values in order."""
    compiled = statement.compile(  # type: ignore[attr-defined]
        dialect=dialect, compile_kwargs={"render_postcompile": True}
    )
    values = compiled.construct_params()
    return str(compiled), tuple(values[name] for name in compiled.positiontup or ())


def readers(statement: Executable, dialect: Dialect) -> dict[str, Callable[[Any], Any]]:
    """Functions that turn a stored value into Python's, by column, where the two differ."""
    columns = getattr(statement, "exported_columns", ())
    reads = {column.key: column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns}
    return {name: read for name, read in reads.items() if read is not None}
