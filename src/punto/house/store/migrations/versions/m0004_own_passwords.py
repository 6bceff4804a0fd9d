"""Who gave a person the password: it is the person's own once they have set it themselves. What the stream says of it
already is put beside the password's hash, where a login looks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

GIVEN = (
    "UPDATE people SET password_by = (SELECT actor FROM events WHERE stream = 'person/' || people.name "
    'AND {text} LIKE \'{{"event":"password-%\' ORDER BY version DESC LIMIT 1) WHERE password IS NOT NULL'
)


def upgrade() -> None:
    op.add_column("people", sa.Column("password_by", sa.Text, nullable=True))
    sqlite = op.get_context().dialect.name == "sqlite"
    text = "CAST(event AS TEXT)" if sqlite else "convert_from(event, 'UTF8')"
    op.execute(sa.text(GIVEN.format(text=text).replace(":", "\\:")))
