"""Build the documentation as a site in the folder `site`; a broken link is an error."""

from __future__ import annotations

from scripts import steps

BUILD = "uv run --group docs sphinx-build -W docs site"


def main() -> None:
    """Build it, and say where to look."""
    steps.run_all([BUILD])
    print(f"Open {(steps.ROOT / 'site' / 'index.html').as_uri()} in a browser.")


if __name__ == "__main__":
    main()
