"""Every colour in which the page and the overlay write can be read on all that it is written on.

Contrasts are those of https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, computed from the style sheets.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

import pytest

Colour: TypeAlias = tuple[float, float, float]
Sheet: TypeAlias = list[tuple[str, dict[str, str]]]

STATIC = Path(__file__).parents[1] / "chatbot" / "web" / "static"
LEAST = 4.5
"""The contrast of small text that success criterion 1.4.3 asks for."""

WASHES = ("--brand-wash", "--private-wash", "--good-wash", "--bad-wash")
PLAIN = ("--panel", "--raised", "--ground")
TINTS = [f"--tint-{number}" for number in range(8)]
PAGE = {
    "--ink": (*PLAIN, *WASHES),
    "--soft": (*PLAIN, *WASHES),
    "--tint": (*PLAIN, *WASHES),
    "--tint-6": PLAIN,
    "--tint-7": PLAIN,
    "--panel": ("--ink", "--private"),
    "--on-brand": ("--brand", "#ffdf70"),
    "--brand-text": (*PLAIN, "--brand-wash"),
    "--private": (*PLAIN, "--private-wash"),
    "--good": (*PLAIN, "--good-wash"),
    "--bad": (*PLAIN, "--bad-wash"),
    "--paper-ink": ("--paper",),
    "#c0213a": ("--paper",),
    "--brand": ("--ink",),
    "#6a4b00": ("--ink",),
}
"""On what each colour of text stands on the page, where a rule has no background of its own."""

ONE_SCHEME = {"--brand": "light", "#6a4b00": "dark", "#fff": "light", "#240a10": "dark"}
"""Colours that another rule replaces in the other scheme: the head in the chip of who speaks, and a toast."""

PLATE = ("--plate", "--solid")
OVERLAY = {
    "--ink": (*PLATE, "--steel", "--steel-dark", "#000000"),
    "#ffffff": PLATE,
    "--soft": PLATE,
    "--now": (*PLATE, "#000000"),
    "--loss": PLATE,
    "--solid": ("--loss",),
    "#14161f": ("#fdfaf1", "--now", "#85868d"),
    "#c3142d": ("#fdfaf1",),
}


LARGE = 3.0
"""The contrast of large text: 24 pixels, or 19 if it is bold."""

DIMMED = {
    '.card[data-mark="plain"]': ("light", "--paper-ink", "--paper", "--panel"),
    '.lying[data-mark="lost"] .card': ("light", "#c0213a", "--paper", "--raised"),
    ".aside.is-over": ("light", "--soft", "--panel", "--ground"),
    ".card.beaten": ("bank", "#c3142d", "#fdfaf1", "--solid"),
    '.street [data-state="far"]': ("space", "--soft", "--solid", "--solid"),
}
"""Rules that let text shine through: a look, the text, what it stands on, and what is behind that."""

PICTURES = (
    ".log:empty",
    "50%",
    "from",
    ".skin",
    ".head",
    ".bolt",
    ".duel-side",
    ".frozen",
    "choose",
    "group",
)
"""Parts of selectors of what is no text, or is shown again in full in half a second."""


def sheet(*names: str) -> Sheet:
    """Return the rules of style sheets; those within a media query stand with the others."""
    text = "".join((STATIC / name).read_text(encoding="utf-8") for name in names)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    rules = re.findall(r"([^{};]+)\{([^{}]*)\}", text)
    return [(selector.strip(), _declarations(body)) for selector, body in rules]


def _declarations(body: str) -> dict[str, str]:
    pairs = (each.partition(":") for each in body.split(";") if ":" in each)
    return {name.strip(): value.strip() for name, _, value in pairs}


def variables(rules: Sheet, *selectors: str) -> dict[str, str]:
    """Return the custom properties that these selectors set, the later ones over the former."""
    found: dict[str, str] = {}
    for selector in selectors:
        for each, body in rules:
            if each == selector:
                found |= {name: value for name, value in body.items() if name.startswith("--")}
    return found


def blend(over: str, under: Colour) -> Colour:
    """Put a colour, such as #fff, #14161f or #14161fe6, over another."""
    digits = over.removeprefix("#")
    if len(digits) < 6:
        digits = "".join(each * 2 for each in digits)
    red, green, blue, alpha = (int((digits + "ff")[at : at + 2], 16) for at in (0, 2, 4, 6))
    return _shining((red, green, blue), under, alpha / 255)


def _shining(colour: Colour, behind: Colour, opacity: float) -> Colour:
    mixed = [part * opacity + below * (1 - opacity) for part, below in zip(colour, behind, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return the ratio of the luminances of two colours, at least 1."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(each / 255) for each in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def named(value: str) -> str | None:
    """Return the variable or the number of a colour; None for one that is taken from elsewhere."""
    found = re.fullmatch(r"var\((--[\w-]+).*\)|(#[0-9a-f]+)", value)
    return None if found is None else found[1] or found[2]


def texts(rules: Sheet) -> dict[str, set[str]]:
    """Return the colours of text, with the backgrounds that stand beside them in the same rules."""
    found: dict[str, set[str]] = {}
    for _, body in rules:
        colour = named(body.get("color", ""))
        if colour is not None:
            own = named(body.get("background", body.get("background-color", "")))
            found.setdefault(colour, set()).update([own] if own else [])
    return found


PAGE_SHEETS = [each.name for each in sorted(STATIC.glob("*.css")) if each.name != "drawn.css"]
OVERLAY_SHEETS = [f"overlay/{each.name}" for each in sorted((STATIC / "overlay").glob("*.css"))]
ROOT, DARK = ":root", ':root[data-theme="dark"]'
SCHEMES = {
    "light": (PAGE_SHEETS, (ROOT,), PAGE),
    "dark": (PAGE_SHEETS, (ROOT, DARK), PAGE),
    "bank": (OVERLAY_SHEETS, (":root, :host",), OVERLAY),
    "space": (OVERLAY_SHEETS, (":root, :host", '[data-theme="space"]'), OVERLAY),
}
WHITE, BLACK = (255.0, 255.0, 255.0), (0.0, 0.0, 0.0)


def measured(scheme: str) -> dict[tuple[str, str], float]:
    """Return the contrasts of all texts of a look; what shines through is the worse of white and black."""
    names, selectors, on = SCHEMES[scheme]
    rules = sheet(*names)
    known = variables(rules, *selectors)
    found: dict[tuple[str, str], float] = {}
    for text, own in texts(rules).items():
        if ONE_SCHEME.get(text, scheme) != scheme:
            continue
        for ground in {*own, *on.get(text, ())}:
            for each in TINTS if text == "--tint" else [text]:
                found[each, ground] = _worst(known.get(each, each), known.get(ground, ground))
    return found


def _worst(text: str, ground: str) -> float:
    grounds = [blend(ground, behind) for behind in (WHITE, BLACK)]
    return min(contrast(blend(text, under), under) for under in grounds)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_that_is_written_can_be_read(scheme: str) -> None:
    found = measured(scheme)
    assert len(found) >= 14
    assert {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < LEAST} == {}


@pytest.mark.parametrize(("names", "on"), [(PAGE_SHEETS, PAGE), (OVERLAY_SHEETS, OVERLAY)])
def test_no_colour_of_text_is_left_out(names: list[str], on: dict[str, tuple[str, ...]]) -> None:
    left = {text for text, own in texts(sheet(*names)).items() if not own and text not in on}
    assert left == set()


@pytest.mark.parametrize("selector", DIMMED)
def test_what_has_lost_or_is_over_can_still_be_read(selector: str) -> None:
    scheme, *colours = DIMMED[selector]
    names, selectors, _ = SCHEMES[scheme]
    known = variables(sheet(*names), *selectors)
    (opacity,) = [float(body["opacity"]) for each, body in sheet(*names) if each == selector]
    text, ground, behind = (blend(known.get(each, each), BLACK) for each in colours)
    assert contrast(_shining(text, behind, opacity), _shining(ground, behind, opacity)) >= LARGE


@pytest.mark.parametrize("names", [PAGE_SHEETS, OVERLAY_SHEETS])
def test_no_rule_that_lets_text_shine_through_is_left_out(names: list[str]) -> None:
    found = {each for each, body in sheet(*names) if 0 < float(body.get("opacity", "1")) < 1}
    assert {each for each in found if not any(part in each for part in PICTURES)} <= set(DIMMED)


def test_contrasts_are_those_of_the_standard() -> None:
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast(blend("#767676", WHITE), WHITE) == pytest.approx(4.54, abs=0.01)  # the lightest grey
    assert blend("#0008", WHITE) == pytest.approx((119, 119, 119))


def test_a_colour_that_is_too_faint_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    faint = variables(sheet(*PAGE_SHEETS), ROOT) | {"--soft": "#8a90a0"}
    monkeypatch.setattr("tests.test_contrast.variables", lambda *_: faint)
    found = measured("light")
    assert found["--soft", "--panel"] < LEAST
    assert found["--ink", "--panel"] > LEAST
