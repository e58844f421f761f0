"""The triggers that keep transfers immutable, register them for audits, and count changes of who is who."""

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


_COUNT = "UPDATE people_version SET number = number + 1"
_COUNTED_ON_SQLITE = {
    "person_is_changed": "UPDATE ON person",
    "person_is_deleted": "DELETE ON person",
    "person_is_linked": "INSERT ON person WHEN NEW.same_as IS NOT NULL OR NEW.parted_from IS NOT NULL",
    "account_is_changed": "UPDATE ON platform_account",
    "account_is_deleted": "DELETE ON platform_account",
    "union_is_made": "INSERT ON community_union",
    "union_is_changed": "UPDATE ON community_union",
    "union_is_ended": "DELETE ON community_union",
}
_COUNTED_ON_POSTGRESQL = {
    "person_is_changed": "UPDATE OR DELETE OR TRUNCATE ON person FOR EACH STATEMENT",
    "person_is_linked": (
        "INSERT ON person FOR EACH ROW WHEN (NEW.same_as IS NOT NULL OR NEW.parted_from IS NOT NULL)"
    ),
    "account_is_changed": "UPDATE OR DELETE OR TRUNCATE ON platform_account FOR EACH STATEMENT",
    "union_is_changed": "INSERT OR UPDATE OR DELETE OR TRUNCATE ON community_union FOR EACH STATEMENT",
}
"""When each trigger raises the version of who is who; a newcomer changes nothing for anybody else."""


def statements(dialect: str) -> list[str]:
    """Return what creates the triggers of transfers, with the functions that they call."""
    return [*_FUNCTIONS, *ON_POSTGRESQL.values()] if dialect == "postgresql" else [*ON_SQLITE.values()]


def counting(dialect: str) -> list[str]:
    """Return what creates the triggers that raise the version of who is who."""
    if dialect != "postgresql":
        return [
            f"CREATE TRIGGER {name} AFTER {when} BEGIN {_COUNT}; END"
            for name, when in _COUNTED_ON_SQLITE.items()
        ]
    return [
        (
            "CREATE FUNCTION count_people() RETURNS trigger LANGUAGE plpgsql "
            f"AS $$ BEGIN {_COUNT}; RETURN NULL; END $$"
        ),
        *(
            f"CREATE TRIGGER {name} AFTER {when} EXECUTE FUNCTION count_people()"
            for name, when in _COUNTED_ON_POSTGRESQL.items()
        ),
    ]


def counting_dropped(dialect: str) -> list[str]:
    """Return what drops them."""
    if dialect != "postgresql":
        return [f"DROP TRIGGER {name}" for name in _COUNTED_ON_SQLITE]
    return ["DROP FUNCTION count_people() CASCADE"]
