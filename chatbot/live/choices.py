"""What a room has chosen for a game: a preset, and settings changed on top of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

from chatbot.kernel import settings
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Quote
from chatbot.live.room import Habits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import Kit
    from chatbot.live.room import Room

PRESET = "preset"  # the key that names the preset among a room's choices
ROOM = "room"  # the name under which a room's own habits are set

log = structlog.get_logger(__name__)


def game_of(kit: Kit, choices: Mapping[str, object]) -> Any:
    """Make the rules that the choices stand for.

    Raises:
        Refusal: one of them is unknown or out of its range.
    """
    changed = {key: value for key, value in choices.items() if key != PRESET}
    preset = preset_of(kit, choices)
    if kit.presets and preset not in kit.presets:
        known = ", ".join(kit.presets)
        raise Refusal(Message("preset-unknown", {"preset": Quote(preset), "known": known}))
    return settings.make(kit.game, {**kit.presets.get(preset, {}), **changed})


def preset_of(kit: Kit, choices: Mapping[str, object]) -> str:
    """Name the preset that is chosen; a kit's first one unless said otherwise."""
    return str(choices.get(PRESET, next(iter(kit.presets), "")))


def habits_of(choices: Mapping[str, object]) -> Habits:
    habits: Habits = settings.make(Habits, choices)
    return habits


def adopt(room: Room, kits: Mapping[str, Kit], stored: Mapping[str, Mapping[str, object]]) -> None:
    """Take over what was stored; a choice that today's rules refuse is left out, and logged."""
    for name, choices in stored.items():
        kept = {key: value for key, value in choices.items() if _valid(name, {key: value}, kits)}
        for key in choices.keys() - kept.keys():
            log.error("a stored setting is not valid any more", room=room.id, game=name, setting=key)
        room.preferences[name] = kept
    room.habits = habits_of(room.settings(ROOM))


def _valid(name: str, choice: Mapping[str, object], kits: Mapping[str, Kit]) -> bool:
    try:
        if name == ROOM:
            habits_of(choice)
        elif name in kits:
            game_of(kits[name], choice)
    except Refusal:
        return False
    return True
