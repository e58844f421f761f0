"""Write a replay as one file that needs no server and no network: the page, with all that it loads inside.

The modules of the page are put into one script, each in a function of its own, which gives what the module
exports. The policy of the file names that script and its styles by their hashes, and permits nothing else: no
connection, no other script. What the file shows is its document, which `chatbot verify` finds in it again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from chatbot.kernel.game import Failure
from chatbot.web.replays.document import FORMAT

_STATIC = Path(str(files("chatbot.web") / "static"))
_ENTRY = "replay/main.js"
_SHEETS = ("overlay/overlay.css", "overlay/things.css", "overlay/heist.css", "overlay/cards.css", "drawn.css")
"""What `replay/stage.js` dresses its stage in."""

_IMPORT = re.compile(r'^import \{ (?P<names>[^}]+) \} from "(?P<path>\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|const|class) (?P<name>\w+))", re.MULTILINE)
_LINKED_STYLE = re.compile(r'  <link rel="stylesheet" href="/static/([^"]+)">\n')
_LINKED_SCRIPT = re.compile(r'  <script (?:type="module" )?src="/static/([^"]+)"></script>\n')
_FACE = re.compile(r"@font-face \{[^}]*\}\n*")
_FONT = re.compile(r'url\("/static/(fonts/[^"]+)"\)')
_KOREAN = re.compile(r"[\u3131-\u318e\uac00-\ud7a3]")
_DOCUMENT = re.compile(r'<script type="application/json" id="document">(.*?)</script>', re.DOTALL)
_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def page(document: str) -> str:
    """Return the file that shows a document, which is given as JSON."""
    html = (_STATIC / "replay.html").read_text(encoding="utf-8")
    styles = "\n".join(_style(name, document) for name in _LINKED_STYLE.findall(html))
    scripts = [_text("theme.js"), _bundled()]
    policy = _POLICY.format(scripts=" ".join(map(_hash, scripts)), styles=_hash(styles))
    html = _LINKED_STYLE.sub("", _LINKED_SCRIPT.sub("", html))
    icon = "data:image/svg+xml;base64," + base64.b64encode((_STATIC / "logo.svg").read_bytes()).decode()
    html = html.replace("/static/logo.svg", icon)
    first = '  <meta charset="utf-8">\n'
    sheets = json.dumps({name: _text(name) for name in _SHEETS})
    head = f'{first}  <meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    end = (
        f"  <style>{styles}</style>\n"
        f'  <script type="application/json" id="sheets">{_inert(sheets)}</script>\n'
        f"  <script>{scripts[0]}</script>\n"
        "</head>\n"
    )
    html = html.replace(first, head, 1).replace("</head>\n", end, 1)
    content = f'<script type="application/json" id="document">{_inert(document)}</script>\n'
    return html.replace("</body>\n", f"  {content}  <script>{scripts[1]}</script>\n</body>\n", 1)


def document_in(text: str) -> str | None:
    """Return the document that a file of this kind holds, or that a text is; None: it is neither."""
    match = _DOCUMENT.search(text)
    if match is not None:
        return match[1]
    return text if text.lstrip().startswith("{") and f'"{FORMAT}"' in text else None


def is_own(text: str, document: str) -> bool:
    """Whether a file around a document is the one that this version of the program writes."""
    return text.strip() == document.strip() or text == page(document)


def _inert(text: str) -> str:
    r"""Write JSON so that nothing in it ends the element around it: `<` as `\u003c`."""
    return text.replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _text(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


# Styles


def _style(name: str, document: str) -> str:
    """Return a style sheet with the fonts that it names inside; Korean ones only where it is written."""
    is_korean = bool(_KOREAN.search(document))
    faces = _FACE.sub(lambda face: face[0] if is_korean or "korean" not in face[0] else "", _text(name))
    return _FONT.sub(lambda font: f'url("{_font(font[1])}")', faces)


@cache
def _font(name: str) -> str:
    return f"data:font/woff2;base64,{base64.b64encode((_STATIC / name).read_bytes()).decode()}"


# Scripts


@cache
def _bundled() -> str:
    """Return the modules of the page as one script, each after those that it imports.

    Raises:
        Failure: two modules import each other, or the script would end its own element.
    """
    order: list[str] = []
    _collect(_ENTRY, order, ())
    numbers = {name: number for number, name in enumerate(order)}
    script = '"use strict";\n(async () => {\n' + "".join(_module(name, numbers) for name in order) + "})();\n"
    if "</script" in script.lower():
        raise Failure("A module of the page contains the end of a script.")
    return script


def _collect(name: str, order: list[str], above: tuple[str, ...]) -> None:
    if name in above:
        raise Failure(f"Modules of the page import each other: {', '.join((*above, name))}.")
    for match in _IMPORT.finditer(_text(name)):
        imported = _resolved(name, match["path"])
        if imported not in order:
            _collect(imported, order, (*above, name))
    if name not in order:
        order.append(name)


def _resolved(importer: str, path: str) -> str:
    """Return the name of a module that another one imports by a relative path."""
    return (_STATIC / importer).parent.joinpath(path).resolve().relative_to(_STATIC.resolve()).as_posix()


def _module(name: str, numbers: dict[str, int]) -> str:
    """Return a module as a function that is called at once, and gives what the module exports."""
    text = _text(name)
    exported = [match["name"] for match in _EXPORT.finditer(text)]

    def bound(match: re.Match[str]) -> str:
        number = numbers[_resolved(name, match["path"])]
        return f"const {{ {match['names'].replace(' as ', ': ')} }} = module{number};\n"

    body = _EXPORT.sub("", _IMPORT.sub(bound, text))
    if name == _ENTRY:  # which waits at its end
        return body
    return f"const module{numbers[name]} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();\n"
