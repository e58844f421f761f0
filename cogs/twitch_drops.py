"""What Twitch does with a message instead of showing it, and what is to be done then.

Twitch publishes no list of these codes; they are those that its chat has always given. An unknown one ends
the message, and is logged.
"""

from __future__ import annotations

from enum import Enum


class Remedy(Enum):
    SENT = "it is in the chat"
    VARY = "say it a little differently"
    WAIT = "wait, and say less from now on"
    RETRY = "try again soon"
    OTHERWISE = "try the other key"
    TELL = "tell the operator"


REMEDIES = {
    "msg_duplicate": Remedy.VARY,
    "msg_r9k": Remedy.VARY,
    "msg_ratelimit": Remedy.WAIT,
    "msg_slowmode": Remedy.WAIT,
}

ADVICE = {
    "msg_banned": "the bot is banned in this chat",
    "msg_timedout": "the bot is timed out in this chat",
    "msg_channel_suspended": "the channel is suspended",
    "msg_ratelimit": "Twitch finds that the bot says too much",
    "msg_slowmode": "the chat is in slow mode: make the bot moderator",
    "msg_followersonly": "the chat is for followers: let the bot follow, or make it moderator",
    "msg_followersonly_followed": "the chat is for followers of some time: make the bot moderator",
    "msg_followersonly_zero": "the chat is for followers: let the bot follow, or make it moderator",
    "msg_subsonly": "the chat is for subscribers: make the bot moderator",
    "msg_emoteonly": "the chat is for emotes: make the bot moderator",
    "msg_rejected": "AutoMod holds the bot's messages: make it moderator",
    "msg_rejected_mandatory": "the channel's rules forbid what the bot says",
    "automod_held": "AutoMod holds the bot's messages: make it moderator",
    "msg_verified_email": "the bot account needs a verified e-mail address",
    "msg_requires_verified_phone_number": "the bot account needs a verified phone number",
}

REFUSED = {
    400: "Twitch finds the message wrong",
    401: "the bot's key is refused, or lacks a right: run `chatbot connect twitch --bot` again",
    403: "the bot may not speak here: is it banned, or has nobody let it in?",
    404: "there is no such chat",
    422: "Twitch finds the message too long",
}


def remedy_of(code: str) -> Remedy:
    return REMEDIES.get(code, Remedy.TELL)


def advice_of(code: str) -> str:
    return ADVICE.get(code, f"Twitch dropped a message ({code or 'no reason given'})")


def varied(text: str, most: int) -> str:
    """Make a text another one without changing what is seen."""
    unseen = " \N{COMBINING GRAPHEME JOINER}"
    if len(text) + len(unseen) <= most:
        return text + unseen
    return text.replace(" ", "\N{THIN SPACE}", 1)
