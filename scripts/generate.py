"""Write again all files that the program writes of itself; the tests compare them."""

from __future__ import annotations

from chatbot.tables.events.models import schema
from scripts import steps

PAGES = (
    "uv run python -m docs.generate",
    "uv run python -m docs.evening",
    "uv run python -m docs.both_platforms",
)
SCHEMA = steps.ROOT / "data" / "schemas" / "rabble.events-1.json"


def main() -> None:
    """Write them."""
    SCHEMA.write_text(schema(), encoding="utf-8", newline="\n")
    steps.run_all(PAGES)


if __name__ == "__main__":
    main()
