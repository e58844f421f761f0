"""The baseline: the tables as `schema` declares them without what later revisions add, and the triggers.

No version was released yet, and so none of revisions 0001 to 0006. The first release freezes this revision:
it then executes, as text, what `create_schema` executed in that release.
"""

from __future__ import annotations

from alembic import op

from chatbot.ledger.store import migrations

revision = "0007"
down_revision = None

LATER = (
    "web_session",
    "one_time_link",
    "web_role",
    "web_key",
    "api_token",
    "api_answer",
    "webhook",
    "webhook_delivery",
    "balance_import",
    "balance_import_row",
    "people_version",
    "hidden_member",
    "duty",
    "cluster_member",
    "gateway",
    "one_time_code",
    "code_try",
)
LATER_INDEXES = {
    "ix_change_actor": "change",
    "ix_change_kind": "change",
    "ix_change_subject": "change",
    "ix_change_minting": "change",
}


def upgrade() -> None:
    migrations.create_schema(op.get_bind(), without=LATER)
    for index, table in LATER_INDEXES.items():
        op.drop_index(index, table)
