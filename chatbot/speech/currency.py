"""What a community calls its credits: in each language one name for each plural form."""

from __future__ import annotations

import unicodedata
from functools import cache

from chatbot.speech.safe import safe_text
from chatbot.speech.words import Words

LONGEST = 20  # characters of one form
_MARKS = {"-", "'", "’", "\N{VARIATION SELECTOR-16}"}


def checked(language: str, text: str) -> str:
    """Bring the forms of a name, with / between them, into their plainest form.

    Raises:
        ValueError: there are too many or too few, one is too long, or has signs that names have not.
    """
    forms = [" ".join(each.split()) for each in text.split("/")]
    if len(forms) not in {1, _plurals(language)} or not all(_possible(each) for each in forms):
        raise ValueError("not the forms of a name")
    return "/".join(forms)


def forms(text: str) -> tuple[str, ...]:
    return tuple(text.split("/"))


def _possible(form: str) -> bool:
    """Whether it is made of letters, signs that are pictures, and what stands between them."""
    kept = safe_text(form, LONGEST) == form and 0 < len(form) <= LONGEST
    return kept and all(_fits(each) for each in form) and not form.isdigit()


def _fits(sign: str) -> bool:
    return sign.isalnum() or sign == " " or sign in _MARKS or unicodedata.category(sign) in {"So", "Mn", "Sk"}


@cache
def _plurals(language: str) -> int:
    return Words(language).plurals
