"""Alembic's way in: it only ever writes SQL, in the transaction that `upgrade` holds open."""

from __future__ import annotations

from alembic import context

context.configure(
    dialect_name=context.config.attributes["dialect"],
    as_sql=True,
    transactional_ddl=False,  # no BEGIN of its own: the caller holds one
    output_buffer=context.config.attributes["buffer"],
)
context.run_migrations()
