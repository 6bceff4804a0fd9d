"""When each patron was last at a table, so that any node can free a seat whose patron has gone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    name = sa.Text(collation="C") if op.get_context().dialect.name == "postgresql" else sa.Text()
    op.create_table(
        "presence",
        sa.Column("table", name, primary_key=True),
        sa.Column("person", name, primary_key=True),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
