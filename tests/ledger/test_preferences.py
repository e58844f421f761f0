from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.rooms import Preferences

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store


@pytest.mark.slow
async def test_preferences_come_back_as_they_were_saved(store: Store) -> None:
    preferences = Preferences(store)
    heist: dict[str, object] = {"lobby": 60, "open": True, "talk": "quiet", "banks": ["ä", 2], "none": None}
    await preferences.save("den", "heist", heist)
    await preferences.save("den", "highshow", {})
    await preferences.save("bar", "heist", {"lobby": 5})
    assert await preferences.load("den") == {"heist": heist, "highshow": {}}
    assert await preferences.load("nowhere") == {}


async def test_the_preferences_of_several_rooms_are_read_together(store: Store) -> None:
    preferences = Preferences(store)
    await preferences.save("den", "heist", {"lobby": 60})
    await preferences.save("bar", "heist", {"lobby": 5})
    found = await preferences.load_all({"den", "bar", "nowhere"})
    assert found == {"den": {"heist": {"lobby": 60}}, "bar": {"heist": {"lobby": 5}}, "nowhere": {}}


async def test_what_is_saved_replaces_what_was(store: Store) -> None:
    preferences = Preferences(store)
    await preferences.save("den", "heist", {"lobby": 60, "rake": 5})
    await preferences.save("den", "heist", {"lobby": 30})
    assert await preferences.load("den") == {"heist": {"lobby": 30}}


async def test_what_is_not_fit_for_json_is_refused_and_changes_nothing(store: Store) -> None:
    preferences = Preferences(store)
    await preferences.save("den", "heist", {"lobby": 60})
    with pytest.raises(TypeError):
        await preferences.save("den", "heist", {"lobby": object()})
    assert await preferences.load("den") == {"heist": {"lobby": 60}}
