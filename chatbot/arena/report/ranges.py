"""Says in words what a setting takes, for sentences of the command line."""

from __future__ import annotations

from chatbot.kernel.say import Message, Quote


def expected(message: Message) -> str:
    """Say what a field takes; a game's own words for it stand in its description."""
    told = message.args
    match message.id:
        case "expects-whole":
            return f"a whole number from {told['least']} to {told['most']}"
        case "expects-yes-no":
            return "yes or no"
        case "expects-one-of":
            return f"one of {told['choices']}"
        case _:
            return "something else"


def refused(game: str, message: Message) -> str:
    """Say why a game does not take its settings."""
    told = message.args
    match told:
        case {"key": str(key), "value": Quote(text=text), "expected": Message() as takes}:
            return f"In {game}, {key} takes {expected(takes)}, not {text[:80]!r}."
        case {"key": Quote(text=text), "known": known}:
            return f"{game} has no setting {text[:80]!r}; there are: {known}."
        case _:
            return f"{game} does not take these settings: {message.id}."
