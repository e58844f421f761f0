"""The values that a setting takes, and refusals of a value, in the words of the command line."""

from __future__ import annotations

from chatbot.kernel.say import Message, Quote


def expected(message: Message) -> str:
    """Return what a field takes, in words; what only a game knows is in the field's description."""
    arguments = message.args
    match message.id:
        case "expects-whole":
            return f"a whole number from {arguments['least']} to {arguments['most']}"
        case "expects-yes-no":
            return "yes or no"
        case "expects-one-of":
            return f"one of {arguments['choices']}"
        case _:
            return "something else"


def refusal_text(game: str, message: Message) -> str:
    """Return the sentence of why a game does not take its settings."""
    arguments = message.args
    match arguments:
        case {"key": str(key), "value": Quote(text=text), "expected": Message() as takes}:
            return f"In {game}, {key} takes {expected(takes)}, not {text[:80]!r}."
        case {"key": Quote(text=text), "known": known}:
            return f"{game} has no setting {text[:80]!r}; there are: {known}."
        case _:
            return f"{game} does not take these settings: {message.id}."
