"""An index by which the few tables that stand, and the last of each game, are found among all that were."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.drop_index("ix_game_table_state", "game_table")
    op.create_index("ix_game_table_standing", "game_table", ["state", "room", "game", "closed_at"])
