"""The baseline: the tables as `schema` declares them, and the triggers that guard transfers.

No version was released yet, and so none of revisions 0001 to 0006. Until one is, a change of the schema
changes `schema` and the number of this revision. The first revision after a release freezes this one: it then
executes, as text, what `create_schema` executed in that release.
"""

from __future__ import annotations

from alembic import op

from chatbot.ledger.store import migrations

revision = "0007"
down_revision = None


def upgrade() -> None:
    migrations.create_schema(op.get_bind())
