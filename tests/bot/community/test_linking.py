"""Two seats are one person: the way there, what it moves, and what it never gives twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.community.linking import LENGTH, LETTERS
from chatbot.kernel.game import Seat
from chatbot.ledger.changes import LINK, Changes
from chatbot.ledger.people import Account
from tests.bot.platforms import DISCORD, LOCAL, START, TWITCH, Platforms, on_one_server

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ANN, ANNA = "discord:ann", "twitch:anna"


async def test_a_code_is_told_to_its_asker_alone(both: Platforms) -> None:
    (told,) = await both.say(ANN, "!link")
    assert told.startswith(f"{DISCORD} > {ANN}: Type !link ")
    code = await both.code(ANN)
    assert len(code) == LENGTH
    assert set(code) <= set(LETTERS)


async def test_a_code_alone_links_nobody(both: Platforms) -> None:
    (offer,) = await both.say(ANNA, f"!link {await both.code(ANN)}")
    assert "with that of ann-d on Discord" in offer
    assert both.bot.people.ties.root(Seat(ANNA)) == ANNA
    assert await both.credits(ANNA) == START


async def test_a_yes_moves_the_purse_and_says_so(both: Platforms) -> None:
    await both.endow(ANNA, 300)
    (told,) = await both.link(ANNA, ANN)
    # She is new on the server's side: what she had comes along, the starting credits too.
    assert told == (
        f"{TWITCH}: @anna-t: You now play with the wallet of ann-d on Discord. 300 credits went along. "
        "If you !unlink later, the wallet stays there, and you begin again with nothing."
    )
    assert await both.credits(ANN, "channel") == await both.credits(ANNA) == 300
    assert await both.sound()


async def test_without_a_code_twitch_sends_people_to_discord(both: Platforms) -> None:
    (told,) = await both.say(ANNA, "!link")
    assert "Type !link on Discord first" in told


async def test_where_nobody_is_vouched_for_nobody_is_linked(both: Platforms) -> None:
    await both.bot.open(both.own_room(LOCAL))
    for text in ("!link", f"!link {await both.code(ANN)}", "!link yes"):
        (told,) = await both.say("local:ann", text)
        assert "Nobody can prove here who they are" in told


@pytest.mark.parametrize("yes", ["!link yes", "!LINK YES"])
async def test_a_yes_after_a_minute_is_too_late(both: Platforms, yes: str) -> None:
    await both.say(ANNA, f"!link {await both.code(ANN)}")
    await both.turn(60)
    (told,) = await both.say(ANNA, yes)
    assert "nothing to agree to" in told


async def test_a_code_is_good_once(both: Platforms) -> None:
    code = await both.code(ANN)
    await both.say(ANNA, f"!link {code}")
    (told,) = await both.say("twitch:eve", f"!link {code}")
    assert "This code is wrong, was used already" in told


async def test_a_code_is_good_for_ten_minutes(both: Platforms) -> None:
    code = await both.code(ANN)
    await both.turn(600)
    (told,) = await both.say(ANNA, f"!link {code}")
    assert "older than ten minutes" in told


async def test_a_new_code_voids_the_former(both: Platforms) -> None:
    former = await both.code(ANN)
    await both.code(ANN)
    (told,) = await both.say(ANNA, f"!link {former}")
    assert "This code is wrong" in told


async def test_whoever_guesses_five_times_waits(both: Platforms) -> None:
    code = await both.code(ANN)
    for number in range(5):
        await both.turn(61)
        (told,) = await both.say(ANNA, f"!link WRONG{number}")
        assert "This code is wrong" in told
    await both.turn(61)
    (told,) = await both.say(ANNA, f"!link {code}")
    assert "Too many wrong codes" in told
    assert both.bot.people.ties.root(Seat(ANNA)) == ANNA


async def test_a_code_of_the_same_platform_links_nobody(both: Platforms) -> None:
    (told,) = await both.say("discord:eve", f"!link {await both.code(ANN)}")
    assert "This code is for another platform than Discord" in told


async def test_who_is_linked_is_not_linked_again(both: Platforms) -> None:
    await both.link(ANNA, ANN)
    code = await both.code("discord:eve")
    (told,) = await both.say(ANNA, f"!link {code}")
    assert "linked already" in told


async def test_five_are_linked_with_one_and_no_sixth(both: Platforms) -> None:
    for number in range(5):
        (told,) = await both.link(f"{ANNA}{number}", ANN)
        assert "You now play with the wallet of ann-d" in told
    assert await both.say(ANN, "!link") == [
        f"{DISCORD} > {ANN}: No more than 5 accounts can be linked with one."
    ]


async def test_two_offers_at_once_link_no_sixth_either(both: Platforms) -> None:
    for number in range(4):
        await both.link(f"{ANNA}{number}", ANN)
    for other in ("twitch:fifth", "twitch:sixth"):
        await both.say(other, f"!link {await both.code(ANN)}")
    assert "You now play with the wallet of ann-d" in (await both.say("twitch:fifth", "!link yes"))[0]
    assert "No more than 5 accounts" in (await both.say("twitch:sixth", "!link yes"))[0]


async def test_a_line_that_comes_again_links_once(both: Platforms) -> None:
    await both.say(ANNA, f"!link {await both.code(ANN)}")
    await both.say(ANNA, "!link yes", line="same")
    second = await Platforms(both.store, "b").open()
    assert await second.say(ANNA, "!link yes", line="same") == []
    assert await second.credits(ANNA) == START


async def test_lines_mentions_and_payments_of_the_linked_seat_are_the_roots(store: Store) -> None:
    both = await on_one_server(store)
    await both.endow(ANN, 1000)
    await both.endow("discord:bob", 1000)
    await both.link(ANNA, ANN)
    (told,) = await both.say(ANNA, "!credits")
    assert told.startswith(f"{TWITCH}: ann-d has 1,000 credits.")
    await both.say("discord:bob", "!give @anna-t 10")
    assert await both.credits(ANN, "guild") == 1010
    top = (await both.say("discord:bob", "!top"))[0]
    assert "anna" not in top
    assert "ann-d" in top


async def test_one_person_is_welcomed_once_whichever_way_they_link(store: Store) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.link(ANNA, ANN)
    assert await both.credits(ANN, "guild") == START  # of 480, the second welcome went back
    await both.say(ANNA, "!unlink")
    assert (await both.credits(ANN, "guild"), await both.credits(ANNA, "guild")) == (START, 0)
    await both.link(ANNA, ANN)
    assert await both.credits(ANN, "guild") == START
    assert await both.sound()


async def test_who_linked_before_being_welcomed_elsewhere_is_welcomed_there_once(both: Platforms) -> None:
    await both.say(ANNA, "hello")  # welcomed on Twitch only
    await both.link(ANNA, ANN)
    await both.say(ANN, "hello", TWITCH)  # the root comes where its other seat was welcomed
    assert await both.credits(ANN, "channel") == START
    await both.say(ANNA, "!unlink")
    await both.say(ANN, "hello", TWITCH)
    await both.say(ANNA, "hello")
    assert await both.credits(ANN, "channel") + await both.credits(ANNA) == START


async def test_a_second_welcome_that_is_spent_is_taken_as_far_as_it_is_there(store: Store) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "hello")
    await both.endow(ANNA, 100)  # of her 240
    await both.link(ANNA, ANN)
    assert await both.credits(ANN, "guild") == START
    await both.say(ANNA, "!unlink")
    await both.endow(ANNA, 500)
    await both.link(ANNA, ANN)
    assert await both.credits(ANN, "guild") == START + 500  # and never again


async def test_unlinking_leaves_the_purse_where_it_is_and_begins_another_with_nothing(store: Store) -> None:
    both = await on_one_server(store)
    await both.endow(ANN, 1000)
    await both.endow(ANNA, 500)  # 240 of them the second welcome: 260 come along
    await both.link(ANNA, ANN)
    assert await both.credits(ANN, "guild") == 1260
    (told,) = await both.say(ANNA, "!unlink")
    assert "anna-t on Twitch has a wallet of its own again, with nothing in it" in told
    assert (await both.credits(ANN, "guild"), await both.credits(ANNA, "guild")) == (1260, 0)
    await both.say(ANNA, "hello")
    assert await both.credits(ANNA, "guild") == 0, "nobody is welcomed twice"
    assert await both.sound()


async def test_the_root_can_part_them_too(both: Platforms) -> None:
    await both.link(ANNA, ANN)
    (told,) = await both.say(ANN, "!unlink")
    assert "anna-t on Twitch has a wallet of its own again" in told
    assert await both.credits(ANNA) == 0
    (told,) = await both.say(ANN, "!unlink")
    assert "Nobody is linked with you." in told


async def test_limits_count_for_the_person_even_after_unlinking(both: Platforms) -> None:
    await both.link(ANNA, ANN)
    await both.say(ANNA, "!unlink")
    second = await Platforms(both.store, "b").open()
    for bot in (both.bot, second.bot):
        await bot.people.meet([Account.read(ANNA)])
        parted = bot.people.home(Account.read(ANNA))
        assert bot.people.ties.root(parted) == parted != ANNA
        assert bot.people.ties.person(parted) == ANN
        assert bot.people.ties.everyone(parted) == sorted([ANN, ANNA, parted])


async def test_links_and_codes_outlive_a_restart(both: Platforms) -> None:
    await both.link(ANNA, ANN)
    code = await both.code("discord:bob")
    second = await Platforms(both.store, "b").open()
    assert second.bot.people.ties.root(Seat(ANNA)) == ANN
    (told,) = await second.say("twitch:bobby", f"!link {code}")
    assert "with that of bob-d on Discord" in told


async def test_links_are_in_the_audit_with_what_they_moved(both: Platforms) -> None:
    await both.endow(ANNA, 300)
    await both.link(ANNA, ANN)
    (change_set,) = await Changes(both.store).newest()
    told = [(each.kind, each.subject, each.key, each.new, each.posting) for each in change_set.changes]
    assert told == [
        (LINK, ANNA, "identity", ANN, None),
        (LINK, ANNA, "channel", "300", f"link:channel:{ANNA}"),
    ]
    assert (change_set.actor, change_set.name) == (ANNA, "anna-t")


@pytest.mark.parametrize(
    "text",
    ["!link a b", "!link 'A", "!link \N{ZERO WIDTH SPACE}", "!link %s%n", "!link -- x", "!link yes no"],
)
async def test_nonsense_gets_one_sentence_and_links_nobody(both: Platforms, text: str) -> None:
    assert len(await both.say(ANNA, text)) == 1
    assert both.bot.people.ties.root(Seat(ANNA)) == ANNA


async def test_a_link_is_its_members_own_and_keeps_no_keeper_from_undoing(both: Platforms) -> None:
    await both.say("twitch:mod(moderator)", "!set room talk quiet")
    await both.link(ANNA, ANN)
    await both.say("twitch:mod(moderator)", "!undo")
    assert both.room(TWITCH).habits.talk.value != "quiet"
    assert both.bot.people.ties.root(Seat(ANNA)) == ANN


async def test_no_word_of_a_moderator_lets_anybody_link_unknowingly(both: Platforms) -> None:
    await both.bridge()
    code, told = await both.code(ANN), list[str]()
    for alias in (f"gift link {code}", "thanks link yes"):
        told += await both.say("discord:mod(moderator)", f"!alias {alias}")
    for word in ("!gift", "!thanks"):
        await both.say(ANNA, word)
    assert both.bot.people.ties.root(Seat(ANNA)) == ANNA
    assert ["Nothing can stand for !link" in each for each in told] == [True, True]


async def test_no_word_of_a_moderator_lets_anybody_part_their_accounts_unknowingly(both: Platforms) -> None:
    await both.link(ANNA, ANN)
    told = await both.say("twitch:mod(moderator)", "!alias hug unlink")
    await both.say(ANNA, "!hug")
    assert both.bot.people.ties.root(both.seat(ANNA)) == ANN
    assert "Nothing can stand for !unlink" in told[0]
