"""Which strategies play for the house is a setting that every game reads alike."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from chatbot.games import kits
from chatbot.kernel.game import Refusal
from chatbot.kernel.lineup import drawn_from
from chatbot.kernel.settings import make


def _lets_choose(game: type[Any]) -> bool:
    return "house_strategies" in {each.name for each in fields(game)}


GAMES = sorted(name for name, kit in kits().items() if _lets_choose(kit.rules.game))


def test_any_means_every_strategy_and_names_mean_themselves() -> None:
    assert drawn_from(("any",), ("bold", "meek")) == ("bold", "meek")
    assert drawn_from(("meek", "meek"), ("bold", "meek")) == ("meek", "meek")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", ["", "nobody", "any/nobody", "any,any", "/".join(["any"] * 51)])
def test_what_is_no_strategy_of_the_game_is_refused(name: str, text: str) -> None:
    with pytest.raises(Refusal) as refused:
        make(kits()[name].rules.game, {"house_strategies": text})
    assert refused.value.message.id == ("setting-wrong" if text else "setting-empty")
