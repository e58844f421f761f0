"""List what one does daily, and how it is typed."""

from __future__ import annotations

DAILY = {
    "set up": "uv run python -m scripts.setup",
    "run, and restart after each change": "uv run chatbot run --reload",
    "test": "uv run pytest",
    "check style and types": "uv run python -m scripts.check",
    "write the generated files again": "uv run python -m scripts.generate",
    "build the documentation": "uv run python -m scripts.docs",
}


def main() -> None:
    """Print the table."""
    width = max(map(len, DAILY))
    for purpose, command in DAILY.items():
        print(f"{purpose:{width}}  {command}")


if __name__ == "__main__":
    main()
