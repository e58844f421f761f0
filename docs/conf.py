"""How Sphinx makes a site of these pages: `uv run --group docs sphinx-build -W docs site`."""

from __future__ import annotations

import re
from typing import Any

from chatbot import __version__

project = "Rabble"
version = release = __version__
html_title = "Rabble"
extensions = ["myst_parser"]
exclude_patterns = ["**/__pycache__"]
root_doc = "index"
html_theme = "furo"
html_copy_source = False
html_show_copyright = html_show_sphinx = False
highlight_language = "text"
html_logo = "../chatbot/web/static/logo.svg"
html_static_path = ["site.css", "../chatbot/web/static/fonts"]
html_css_files = ["site.css"]
html_theme_options = {
    "navigation_with_keys": True,
    # The colours of the local page, light and dark.
    "light_css_variables": {"color-brand-primary": "#6B4E00", "color-brand-content": "#6B4E00"},
    "dark_css_variables": {
        "color-brand-primary": "#FFD23F",
        "color-brand-content": "#FFD23F",
        "color-background-primary": "#14161F",
        "color-background-secondary": "#0D0E13",
    },
}
smartquotes = False
myst_heading_anchors = 4  # a link may name a heading, as the browsers of repositories have it
nitpicky = True


def add_contents(_: Any, document: str, source: list[str]) -> None:
    """Give the sidebar the pages that an index links to, in their order.

    A page that its index does not link to is in no table of contents, of which Sphinx warns.
    """
    folder, _, name = document.rpartition("/")
    if name != "index":
        return
    below = r"[\w.-]+" if folder else r"[\w-]+/index"
    pages = dict.fromkeys(re.findall(rf"\]\(({below})\.md\)", source[0]))
    listed = "\n".join(each for each in pages if each != "index")
    source[0] += f"\n```{{toctree}}\n:hidden:\n:titlesonly:\n\n{listed}\n```\n"


def setup(app: Any) -> dict[str, Any]:
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
