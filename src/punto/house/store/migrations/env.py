"""Alembic's entry point: it only writes SQL, which the store runs in a transaction of its own."""

from __future__ import annotations

from alembic import context

context.configure(
    dialect_name=context.config.attributes["dialect"],
    as_sql=True,
    transactional_ddl=False,  # no BEGIN in the SQL: the store has its own
    output_buffer=context.config.attributes["buffer"],
)
context.run_migrations()
