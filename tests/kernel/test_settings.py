"""Settings say what they take, and take nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest
from pydantic import Field

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.settings import Flag, Schema, Unit, Whole, Window, as_text, dump


@dataclass(frozen=True, slots=True)
class Toy:
    window: Window = 60
    people: Annotated[Whole, Field(ge=2, le=8), Unit("people")] = 4
    loud: Flag = False
    who: Role = Role.VIEWER


TOYS = Schema(Toy)


@pytest.mark.parametrize(
    ("values", "toy"),
    [
        ({}, Toy()),
        ({"window": "5"}, Toy(window=5)),
        ({"window": 600}, Toy(window=600)),
        ({"loud": "yes"}, Toy(loud=True)),
        ({"loud": "OFF"}, Toy(loud=False)),
        ({"who": "moderator", "people": "8"}, Toy(who=Role.MODERATOR, people=8)),
    ],
)
def test_text_and_values_become_settings(values: dict[str, object], toy: Toy) -> None:
    assert TOYS.make(values) == toy


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("window", "4"), ("window", "601"), ("window", "sixty"), ("window", "1_0"), ("window", "٣٠"),
        ("window", "60.0"), ("window", " 60"), ("window", True), ("people", "1"), ("people", "9"),
        ("loud", "maybe"), ("loud", ""), ("who", "king"), ("nothing", "1"), ("people", None),
    ],
)  # fmt: skip
def test_what_is_not_possible_is_refused_by_name(key: str, value: object) -> None:
    with pytest.raises(Refusal) as refused:
        TOYS.make({key: value})
    message = refused.value.message
    ids = {"setting-empty"} if value == "" else {"setting-wrong", "setting-unknown"}
    assert message.id in ids


def test_a_refusal_says_the_range_and_the_unit() -> None:
    expected = {key: each.expected for key, each in TOYS.descriptors.items()}
    assert expected["people"].args["least"] == 2
    assert expected["people"].args["most"] == 8
    assert expected["people"].args["unit"].id == "unit-people"  # type: ignore[union-attr]
    assert expected["loud"].id == "expects-yes-no"
    assert "moderator" in str(expected["who"].args["choices"])


def test_settings_are_dumped_and_made_again() -> None:
    toy = Toy(window=30, loud=True, who=Role.VIP)
    assert dump(toy) == {"window": 30, "people": 4, "loud": True, "who": "vip"}
    assert TOYS.make(dump(toy)) == toy


@pytest.mark.parametrize(
    ("value", "text"), [(True, "yes"), (60, "60"), (Role.VIP, "vip"), ((1, 2, 3), "1/2/3")]
)
def test_values_are_shown_as_they_are_typed(value: object, text: str) -> None:
    assert as_text(value) == text
