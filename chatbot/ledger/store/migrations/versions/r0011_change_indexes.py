"""Find what moderators did by who did it, what it was and whom it concerned, without reading all of it."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"

_INDEXES = {
    "ix_change_actor": ["room", "actor", "number"],
    "ix_change_kind": ["room", "kind", "number"],
    "ix_change_subject": ["room", "subject", "number"],
    "ix_change_minting": ["community", "kind", "number"],
}


def upgrade() -> None:
    for name, columns in _INDEXES.items():
        op.create_index(name, "change", columns)


def downgrade() -> None:
    for name in _INDEXES:
        op.drop_index(name, "change")
