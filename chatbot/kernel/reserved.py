"""What games of other distributions cannot be called, for the house is called so."""

from __future__ import annotations

WORDS = frozenset({
    "alias", "audit", "auditgrants", "auditmint", "bridge", "cancel", "career", "claim", "confirm",
    "cooldown", "credits", "creditsset", "daily", "disable", "enable", "exclude", "fair", "give", "grant",
    "help", "history", "link", "odds", "overlay", "pause", "permit", "preset", "rank", "regular", "rewards",
    "season", "seasonend", "set", "settings", "take", "talk", "text", "top", "undo", "unlink", "unpause",
    "verify",
})  # fmt: skip
"""The words of the house's commands; a game's command may share one, see `Command.shares`."""

GROUPS = frozenset({
    "aliases", "cooldowns", "credits", "earning", "excluded", "games", "permissions", "regulars", "room",
    "texts",
})  # fmt: skip
"""The groups of settings beside those of games."""
