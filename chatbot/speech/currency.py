"""Validate the name of a community's credits: in each language one form for each plural category."""

from __future__ import annotations

import unicodedata
from functools import cache

from chatbot.speech.safe import safe_text
from chatbot.speech.words import Words

MAX_FORM_LENGTH = 20  # characters of one form: it stands several times in a line
_PUNCTUATION = {"-", "'", "’", "\N{VARIATION SELECTOR-16}"}


def checked(language: str, text: str) -> str:
    """Normalize the spaces in the forms of a name, which are separated by /.

    Raises:
        ValueError: there is neither one form nor one for each plural category of the language, or a form is
            longer than `MAX_FORM_LENGTH` or contains characters that are not allowed.
    """
    forms = [" ".join(each.split()) for each in text.split("/")]
    if len(forms) not in {1, _plurals(language)} or not all(_is_valid(each) for each in forms):
        raise ValueError("not the forms of a name")
    return "/".join(forms)


def forms(text: str) -> tuple[str, ...]:
    """Split a name into its plural forms."""
    return tuple(text.split("/"))


def _is_valid(form: str) -> bool:
    """Whether a form consists of letters, digits, emoji and punctuation within words, and is no number."""
    unchanged = safe_text(form, MAX_FORM_LENGTH) == form and 0 < len(form) <= MAX_FORM_LENGTH
    return unchanged and all(_is_allowed(each) for each in form) and not form.isdigit()


def _is_allowed(char: str) -> bool:
    if char.isalnum() or char == " " or char in _PUNCTUATION:
        return True
    return unicodedata.category(char) in {"So", "Mn", "Sk"}


@cache
def _plurals(language: str) -> int:
    return Words(language).plurals
