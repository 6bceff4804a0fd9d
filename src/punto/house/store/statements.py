"""SQLAlchemy statements as text and values, for the store's own connections: no second pool, no second writer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy.engine import Dialect

if TYPE_CHECKING:
    from sqlalchemy.sql import Executable

Written = tuple[str, tuple[Any, ...]]


def written(statement: Executable, dialect: Dialect) -> Written:
    """The statement in the dialect's SQL, and its values in order."""
    made = statement.compile(  # type: ignore[attr-defined]
        dialect=dialect, compile_kwargs={"render_postcompile": True}
    )
    values = made.construct_params()
    return str(made), tuple(values[name] for name in made.positiontup or ())


def readers(statement: Executable, dialect: Dialect) -> dict[str, Callable[[Any], Any]]:
    """What turns a column's stored value into Python's, by column, where the two differ."""
    columns = getattr(statement, "exported_columns", ())
    found = {one.key: one.type.dialect_impl(dialect).result_processor(dialect, None) for one in columns}
    return {name: read for name, read in found.items() if read is not None}
