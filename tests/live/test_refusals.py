"""Where all read along, one kind of refusal is said once a minute; that of another game is another kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.live.room import Manner, Privacy
from chatbot.live.sender import REPEAT
from tests.live.stage import Stage

if TYPE_CHECKING:
    from chatbot.wallets.store import Store

PUBLIC = Manner(private=Privacy.NONE)


async def test_who_looks_for_another_game_is_answered_though_one_was_just_refused(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    assert "no game of Poker Market" in (await stage.say("ann", "!pass"))[0]
    assert "no game of High Show" in (await stage.say("ann", "!cashout"))[0]
    assert await stage.say("bob", "!decline") == [], "it is of Poker Market again"
    await stage.turn(REPEAT)
    assert "no game of Poker Market" in (await stage.say("bob", "!decline"))[0]


async def test_what_somebody_typed_makes_no_new_kind(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    assert "“one” is no amount" in (await stage.say("ann", "!heist one"))[0]
    assert await stage.say("bob", "!heist two") == []
