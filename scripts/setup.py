"""Set up a clone: everything that tests and documentation need, and the hooks of git."""

from __future__ import annotations

import subprocess

from scripts import steps

INSTALL = "uv sync --all-extras --all-groups"
HOOKS = "uv run pre-commit install"
PACKAGES = f"npm install --prefix {steps.JAVASCRIPT} --no-package-lock --silent"


def main() -> None:
    """Set up this clone; it can be repeated."""
    commands = [INSTALL]
    if (steps.ROOT / ".git").exists():  # an archive that was unpacked has none
        commands += _hooks()
    if steps.is_installed("npm"):
        commands.append(PACKAGES)
    else:
        print("Without npm the page's JavaScript is not checked, and tests with axe-core are skipped.")
    steps.run_all(commands)
    print("Ready: `uv run python -m scripts` lists what to do next.")


def _hooks() -> list[str]:
    """Return what installs the hooks; nothing where git looks for them elsewhere: pre-commit refuses."""
    command = ["git", "config", "core.hooksPath"]
    path = subprocess.run(command, cwd=steps.ROOT, capture_output=True, text=True, check=False).stdout.strip()
    if path:
        print(
            f"No hooks were installed: core.hooksPath is {path}; `git config --unset core.hooksPath` first."
        )
    return [] if path else [HOOKS]


if __name__ == "__main__":
    main()
