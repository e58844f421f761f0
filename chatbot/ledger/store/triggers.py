"""The triggers that keep transfers immutable, and register them for audits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

UNCHECKED = "transfer_is_unchecked"
REFUSING = "transfer_refuses_change"  # on PostgreSQL

_REFUSAL = "transfers are never changed; a correction is another transfer"

ON_SQLITE: Mapping[str, str] = {
    "transfer_refuses_update": (
        "CREATE TRIGGER transfer_refuses_update BEFORE UPDATE ON transfer "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    ),
    "transfer_refuses_delete": (
        "CREATE TRIGGER transfer_refuses_delete BEFORE DELETE ON transfer "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    ),
    UNCHECKED: (
        "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer "
        "BEGIN INSERT INTO unchecked (transfer) VALUES (NEW.id); END"
    ),
}
ON_POSTGRESQL: Mapping[str, str] = {
    REFUSING: (
        f"CREATE TRIGGER {REFUSING} BEFORE UPDATE OR DELETE OR TRUNCATE ON transfer "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    ),
    UNCHECKED: (
        f"CREATE TRIGGER {UNCHECKED} AFTER INSERT ON transfer "
        "REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_unchecked()"
    ),
}
"""The statements that create each trigger, by its name."""

_FUNCTIONS = (
    (
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
    ),
    (
        "CREATE FUNCTION note_unchecked() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN INSERT INTO unchecked (transfer) SELECT id FROM added; RETURN NULL; END $$"
    ),
)


def statements(dialect: str) -> list[str]:
    """Return what creates all triggers, with the functions that they call."""
    return [*_FUNCTIONS, *ON_POSTGRESQL.values()] if dialect == "postgresql" else [*ON_SQLITE.values()]
