"""What the journal writes it reads back, and it refuses what it does not know."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from chatbot.kernel.codec import Codec
from chatbot.kernel.game import Clock, Seat, Sit, Timeout


@dataclass(frozen=True, slots=True)
class Join:
    seat: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class Career:
    accounts: tuple[int, ...] = (1, 2)


CODEC = Codec(Join, Career)


@pytest.mark.parametrize(
    "value",
    [
        Join(Seat("twitch:1"), 69),
        Sit(Seat("twitch:1")),
        Sit(Seat("twitch:1"), Career((5, 6))),
        Timeout(Clock("lobby", 60)),
    ],
)
def test_values_come_back_equal(value: object) -> None:
    assert CODEC.load(CODEC.dump(value)) == value


def test_the_form_is_one_name_with_its_fields() -> None:
    assert CODEC.dump(Join(Seat("a:b"), 5)) == '{"Join":{"seat":"a:b","credits":5}}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"Leave":{}}',
        '{"Join":{"seat":"a"}}',
        '{"Join":{},"Career":{}}',
        '{"Join":{"seat":"a","credits":"x"}}',
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        CODEC.load(text)


def test_a_type_that_is_not_known_is_not_written() -> None:
    with pytest.raises(TypeError, match="expected one of"):
        Codec(Join).dump(Career())


def test_two_types_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two types of one name"):
        Codec(Join, type("Join", (), {}))
