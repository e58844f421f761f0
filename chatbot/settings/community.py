"""The settings of a community's credits: starting balance, gifts, grants and names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field

from chatbot.kernel.say import Message
from chatbot.kernel.settings import Flag, Unit, Whole
from chatbot.kernel.stakes import Cap
from chatbot.settings.fields import Fields, Scope
from chatbot.speech import currency, titles

if TYPE_CHECKING:
    from collections.abc import Mapping

EnglishName = Annotated[
    str,
    AfterValidator(partial(currency.checked, "en")),
    Message("expects-forms", {"example": "coin/coins"}),
]
KoreanName = Annotated[
    str,
    AfterValidator(partial(currency.checked, "ko")),
    Message("expects-forms", {"example": "코인"}),
]

Titles = Annotated[
    str,
    AfterValidator(titles.checked),
    Message(
        "expects-titles",
        {
            "most": titles.MOST_TITLES,
            "longest": titles.LONGEST_TITLE,
            "example": "100 Rookie, 1000 Regular, 10000 Boss",
        },
    ),
]

MOST_GRANTED = 1_000_000  # credits: the upper limit of the settings of grants
Grant = Annotated[Whole, Field(ge=1, le=MOST_GRANTED), Unit("credits")]

HouseDaily = Annotated[Whole, Field(ge=0, le=1_000_000), Unit("credits")]


@dataclass(frozen=True, slots=True)
class CreditSettings:
    """The settings of the group `credits`."""

    start: Annotated[Whole, Field(ge=0, le=1_000_000), Unit("credits")] = 240
    give_start: Flag = False
    give_most: Cap = 0
    give_daily: Cap = 1_000
    # Of gifts, links and what others lost, together: each of them alone was a way around the others.
    taken_daily: Cap = 1_000
    # Two who helped each other against a player of the house won 11,000 to 29,000 of it in four hours.
    house_daily: HouseDaily = 500
    give_age: Annotated[Whole, Field(ge=0, le=8_760), Unit("hours")] = 0
    grant_most: Grant = MOST_GRANTED
    grant_daily: Grant = MOST_GRANTED
    # By two from here on: one moderator had set a claim to a million, claimed, and set it back.
    grant_confirm: Grant = 10_000
    name_en: EnglishName = "credit/credits"
    name_ko: KoreanName = "크레딧"
    # By a code that somebody else may have talked them into typing; nothing unless the broadcaster says so.
    seat_stakes: HouseDaily = 0
    ranks: Titles = titles.NONE
    skip_gone: Flag = False

    @property
    def names(self) -> Mapping[str, str]:
        """The names of credits by language; plural forms are separated by `/`."""
        return {"en": self.name_en, "ko": self.name_ko}


TERMS = Fields(
    "credits",
    CreditSettings,
    Scope.COMMUNITY,
    reserved=frozenset({"grant_daily", "grant_confirm", "seat_stakes"}),
)
