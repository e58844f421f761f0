"""Check style and types of Python and JavaScript, and whether the generated pages are up to date."""

from __future__ import annotations

from scripts import steps

PYTHON = (
    "uv run ruff check",
    "uv run ruff format --check",
    "uv run mypy",
    "uv run python -m docs.generate --check",
)
JAVASCRIPT = ("npm run -s types", "npm run -s lint")


def main() -> None:
    """Run all checks, the quickest first."""
    commands = [*PYTHON]
    if (steps.ROOT / steps.JAVASCRIPT / "node_modules").exists():
        commands += [each.replace("npm", f"npm --prefix {steps.JAVASCRIPT}", 1) for each in JAVASCRIPT]
    else:
        print("The page's JavaScript is not checked: `uv run python -m scripts.setup` installs what does.")
    steps.run_all(commands)


if __name__ == "__main__":
    main()
