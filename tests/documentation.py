"""The pages of the documentation, as tests read them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

PAGES = {
    each.relative_to(FOLDER).with_suffix("").as_posix(): each.read_text(encoding="utf-8")
    for each in sorted(FOLDER.rglob("*.md"))
}
"""Every page of `docs`, by its name, such as `play/heist`."""

GENERATED = {name for name, text in PAGES.items() if "<!-- Written by `python -m docs." in text}

WRITTEN = {"README": README, **{name: text for name, text in PAGES.items() if name not in GENERATED}}
"""What people have written, by its name; the README is one of these pages."""

EVERYTHING = "\n".join([README, *PAGES.values()])


def page(name: str) -> str:
    return PAGES[name]


def section(name: str, heading: str) -> str:
    """Give what a page says below a heading, up to the next one of its level."""
    level, _, _ = heading.partition(" ")
    behind = page(name).partition(f"\n{heading}\n")[2]
    assert behind, f"{name}.md has no heading {heading!r}"
    return behind.partition(f"\n{level} ")[0]
