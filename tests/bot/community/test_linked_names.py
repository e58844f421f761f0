"""Whom moderators have named stays named, by whichever of their seats a member speaks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.people import Account
from chatbot.rooms.line import Happening, Occasion
from tests.bot.platforms import COMMUNITIES, LOCAL, TWITCH, Platforms, on_one_server

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ANN, ANNA = "discord:ann", "twitch:anna"
OTHER = "twitch:8"  # the chat of another channel


async def test_who_is_a_regular_stays_one_whichever_way_they_link_and_speak(store: Store) -> None:
    both = await on_one_server(store)
    await both.say("discord:mod(moderator)", "!set earning regular 200")
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.say("discord:mod(moderator)", "!regular @anna-t")
    await both.link(ANNA, ANN)  # she speaks as discord:ann from now on, on either platform
    await both.say("discord:owner(broadcaster)", "!permit give regular")
    for who in (ANN, ANNA):
        assert "That is for regulars" not in (await both.say(who, "!give @owner-d 1"))[0]
        assert "A regular here." in (await both.say(who, "!rank"))[0]
    assert "ann-d claims 240" in (await both.say(ANNA, "!claim"))[0]
    (told,) = await both.say("discord:mod(moderator)", "!regular @ann-d")
    assert "is that already" in told
    (told,) = await both.say("discord:mod(moderator)", "!regular @ann-d off")
    assert "is no regular any more" in told
    await both.turn(12 * 3600)
    assert "ann-d claims 120" in (await both.say(ANNA, "!claim"))[0]


async def test_who_was_excluded_by_another_of_their_seats_is_let_in_again(store: Store) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.say("discord:mod(moderator)", "!exclude @anna-t")
    await both.link(ANNA, ANN)
    assert "who earn nothing here" in (await both.say(ANN, "!claim"))[0]
    (told,) = await both.say("discord:mod(moderator)", "!exclude @ann-d off")
    assert "like everybody else" in told
    assert "claims 120" in (await both.say(ANN, "!claim"))[0]


async def test_a_member_keeps_their_name_where_they_speak_by_another_account_after_a_restart(
    store: Store,
) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.link(ANNA, ANN)
    again = await on_one_server(store, "b")
    await again.say(ANNA, "hello")
    assert await again.say("discord:bob", "!credits @ann-d") == ["discord:1: ann-d has 240 credits."]


async def test_where_only_a_linked_account_has_been_a_member_is_found_by_their_own_name(store: Store) -> None:
    both = await Platforms(store).open(*COMMUNITIES)
    await both.say(ANN, "hello")
    await both.link(ANNA, ANN)
    await both.say(ANNA, "hello", LOCAL)
    assert "ann-d has " in (await both.say("local:bob", "!credits @ann-d"))[0]


async def test_a_root_is_found_and_ranked_by_its_name_where_only_the_linked_account_was_before(
    store: Store,
) -> None:
    both = await Platforms(store).open(*COMMUNITIES)
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello", LOCAL)
    await both.link(ANNA, ANN)
    assert "ann-d has " in (await both.say("local:bob", "!credits @ann-d"))[0]
    again = await Platforms(store, "b").open(*COMMUNITIES)
    assert "1. ann-d " in (await again.say("local:bob", "!top"))[0]
    assert "ann-d has " in (await again.say("local:bob", "!credits @ann-d"))[0]


async def test_a_linked_account_brings_the_name_of_its_root_to_a_new_chat_after_a_restart(
    store: Store,
) -> None:
    both = await Platforms(store).open(*COMMUNITIES)
    await both.say(ANN, "hello")
    await both.link(ANNA, ANN)
    again = await Platforms(store, "b").open(*COMMUNITIES)
    await again.say(ANNA, "hello", LOCAL)
    assert "ann-d has " in (await again.say("local:bob", "!credits @ann-d"))[0]


async def test_whoever_only_watches_by_a_linked_account_is_known_by_the_name_of_its_root(
    store: Store,
) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.link(ANNA, ANN)
    again = await on_one_server(store, "b")
    await again.bot.open(again.own_room(OTHER, "other"))
    await again.say("twitch:owner(broadcaster)", "!set earning watch 10 watch_offline 10", OTHER)
    for _ in range(3):
        await again.bot.watching(OTHER, {Account.read(ANNA): "anna-t"})
        await again.turn(300)
    assert "ann-d 10 credits" in (await again.say("twitch:bob", "!top", OTHER))[0]
    assert "ann-d has 10 credits" in (await again.say("twitch:bob", "!credits @ann-d", OTHER))[0]


async def test_whoever_is_parted_by_their_root_after_a_restart_keeps_their_own_name(store: Store) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.link(ANNA, ANN)
    again = await on_one_server(store, "b")
    (told,) = await again.say(ANN, "!unlink")
    assert "anna-t on Twitch has a wallet of its own again" in told
    assert await again.say("discord:bob", "!credits @anna-t") == ["discord:1: anna-t has 0 credits."]


async def test_what_a_linked_account_does_for_a_channel_renames_nobody(store: Store) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.link(ANNA, ANN)
    again = await on_one_server(store, "b")
    for bot in (both, again):
        cheer = Occasion(f"cheer:{bot is again}", TWITCH, Happening.CHEER, Account.read(ANNA), "anna-t", 100)
        await bot.bot.notice(cheer)
        await bot.watch.turn()
        assert "ann-d" in bot.said()[-1]
        assert "1. ann-d" in (await bot.say("discord:bob", "!top"))[0]


async def test_a_mention_of_a_linked_account_after_a_restart_tells_a_name_and_no_id(store: Store) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.link(ANNA, ANN)
    again = await on_one_server(store, "b")
    line = again.line("twitch:mod(moderator)", f"!grant @{ANNA} 5", TWITCH)
    await again.bot.converse(replace(line, named={Account.read(ANNA): "anna-t"}))
    await again.watch.turn()
    assert again.said() == [f"{TWITCH}: mod-t grants ann-d 5 credits."]
