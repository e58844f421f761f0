"""What a room cannot be is refused when it is made, and not to its members."""

from __future__ import annotations

import pytest

from chatbot.rooms.room import Room


def test_a_community_that_could_pay_nobody_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="without a colon, not 'twitch:42'"):
        Room("twitch:42", "twitch:42", ())
    assert Room("twitch:42", "twitch-42", ()).community == "twitch-42"
