"""How far the watch has come with each table, so that it goes on there after a restart."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    name = sa.Text(collation="C") if op.get_context().dialect.name == "postgresql" else sa.Text()
    op.create_table(
        "watched",
        sa.Column("table", name, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
