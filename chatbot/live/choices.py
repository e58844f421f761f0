"""What a room has chosen for a game: a preset, and settings changed on top of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chatbot.kernel import settings
from chatbot.kernel.say import Message, Quote
from chatbot.live.wording.suggestions import unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import Kit

PRESET = "preset"  # the key that names the preset among a room's choices


def game_of(kit: Kit, choices: Mapping[str, object]) -> Any:
    """Make the rules that the choices stand for.

    Raises:
        Refusal: one of them is unknown or out of its range.
    """
    changed = {key: value for key, value in choices.items() if key != PRESET}
    preset = preset_of(kit, choices)
    if kit.presets and preset not in kit.presets:
        known = ", ".join(kit.presets)
        told = Message("preset-unknown", {"preset": Quote(preset), "known": known})
        raise unknown(told, preset, kit.presets)
    return settings.make(kit.game, {**kit.presets.get(preset, {}), **changed})


def preset_of(kit: Kit, choices: Mapping[str, object]) -> str:
    """Name the preset that is chosen; a kit's first one unless said otherwise."""
    return str(choices.get(PRESET, next(iter(kit.presets), "")))
