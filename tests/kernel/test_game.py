"""What the values of the kernel promise by themselves."""

from __future__ import annotations

import pytest

from chatbot.kernel.game import Role, Seat, SystemPurse, Transfer
from chatbot.kernel.say import Talk


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, "5", None])
def test_a_transfer_moves_whole_credits_only(amount: object) -> None:
    with pytest.raises(ValueError, match="at least 1 whole credit"):
        Transfer(SystemPurse.MINT, Seat("a:b"), amount, "test")  # type: ignore[arg-type]


def test_roles_cover_those_below_them() -> None:
    assert Role.MODERATOR.covers(Role.VIP)
    assert Role.VIEWER.covers(Role.VIEWER)
    assert not Role.SUBSCRIBER.covers(Role.VIP)


def test_talk_levels_include_those_below_them() -> None:
    assert Talk.FULL.includes(Talk.QUIET)
    assert Talk.QUIET.includes(Talk.QUIET)
    assert not Talk.NORMAL.includes(Talk.FULL)
