"""The script that Alembic runs: migrates on the connection and in the transaction of its configuration."""

from __future__ import annotations

from alembic import context

from chatbot.ledger.store import schema

context.configure(connection=context.config.attributes["connection"], target_metadata=schema.metadata)
context.run_migrations()
