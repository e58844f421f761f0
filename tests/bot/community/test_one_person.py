"""One person has one seat and one wage, whichever account speaks, and however often they link and part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger import links
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.changes import Changes
from chatbot.ledger.links import Links
from chatbot.ledger.people import Account
from chatbot.tables.table import GameTable
from tests.bot.losing import losing
from tests.bot.platforms import DISCORD, LOCAL, START, TWITCH, Platforms, on_one_server

if TYPE_CHECKING:
    from typing import Any

    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.slow

ANN, ANNA, BOB = "discord:ann", "twitch:anna", "discord:bob"
SALARY = 240  # of whoever sits at a heist when it ends


async def bridged(store: Store) -> Platforms:
    """Let both chats be of one room, in which ann speaks by two accounts that are linked."""
    both = await Platforms(store).open()
    await both.bridge()
    for who in (ANN, ANNA, BOB):
        await both.say(who, "hello")
    await both.link(ANNA, ANN)
    return both


def heist(both: Platforms) -> Table:
    return both.room(DISCORD).tables["heist"]


async def to_the_end(both: Platforms) -> None:
    table = heist(both)
    while not table.over:
        await both.turn(table.clock.seconds if table.clock else 0)


async def test_what_a_linked_account_has_watched_and_since_when_it_is_known_count_for_the_person(
    store: Store,
) -> None:
    both = await on_one_server(store)
    both.room(TWITCH).live = True
    for who in (ANNA, BOB):
        await both.say(who, "hello")
    for _ in range(31):
        await both.bot.watching(TWITCH, {Account.read(ANNA): "anna-t"})
        await both.turn(120)
    await both.say("discord:mod(moderator)", "!set credits give_age 1")
    await both.say(ANN, "hello")
    assert "one hour after you came" in (await both.say(ANN, "!give @bob-d 1"))[0]
    await both.link(ANNA, ANN)
    assert "1. ann-d 1 h 0 min" in (await both.say(BOB, "!top watched"))[0]
    assert "Watched 1 h 0 min, one message" in (await both.say(ANN, "!rank"))[0]
    assert (await both.say(ANN, "!give @bob-d 1"))[0].endswith("ann-d gives bob-d 1 credit.")


@pytest.mark.parametrize("channel", [DISCORD, LOCAL])
async def test_nobody_is_linked_while_it_is_unknown_what_stands_in_any_room(
    store: Store, channel: str
) -> None:
    both = await Platforms(store).open(DISCORD, TWITCH, LOCAL)
    await both.say(ANNA, f"!link {await both.code(ANN)}")
    both.room(channel).lost = True
    (told,) = await both.say(ANNA, "!link yes")
    assert told.endswith("That did not work just now and nothing has changed; please try again.")
    assert both.bot.people.ties.root(Seat(ANNA)) == ANNA


async def test_a_payday_pays_a_person_of_two_accounts_once(store: Store) -> None:
    both = await bridged(store)
    before = await both.credits(ANN, "guild")
    await both.say(BOB, "!heist 5")
    await to_the_end(both)
    assert await both.credits(ANN, "guild") == before + SALARY
    assert await both.sound()


@pytest.mark.parametrize("speaker", [ANN, ANNA])
async def test_whoever_parts_while_they_sit_is_paid_by_that_table_once(store: Store, speaker: str) -> None:
    both = await bridged(store)
    before = await both.credits(ANN, "guild")
    await both.say(speaker, "!heist 5")
    await both.say(ANNA, "!unlink")
    for who in (ANN, ANNA):
        await both.say(who, "hello again")
    await to_the_end(both)
    (mine,) = [each for each in heist(both).view(None).outcomes if each.seat == both.seat(ANN)]
    gained = SALARY + mine.received - mine.cost
    assert await both.credits(ANN, "guild") == before + gained
    assert await both.credits(ANNA, "guild") == 0
    assert await both.sound()


async def test_two_who_sit_at_one_table_become_one_person_when_it_is_over(store: Store) -> None:
    both = await Platforms(store).open()
    await both.bridge()
    for who in (ANN, ANNA):
        await both.say(who, "!heist 5")
    code = await both.code(ANN)
    (told,) = [each for each in await both.say(ANNA, f"!link {code}") if "Both accounts sit" in each]
    assert told == f"{TWITCH}: @anna-t: Both accounts sit at one table; link them when it is over."
    assert both.seat(ANNA) != both.seat(ANN)
    await to_the_end(both)
    await both.link(ANNA, ANN)
    assert both.bot.people.ties.root(both.seat(ANNA)) == both.seat(ANN)


async def test_an_offer_that_was_made_before_both_sat_down_is_not_agreed_to_while_they_sit(
    store: Store,
) -> None:
    both = await Platforms(store).open()
    await both.bridge()
    await both.say(ANNA, f"!link {await both.code(ANN)}")
    for who in (ANN, ANNA):
        await both.say(who, "!heist 5")
    told = await both.say(ANNA, "!link yes")
    assert any("Both accounts sit at one table" in each for each in told)
    assert both.bot.people.ties.root(both.seat(ANNA)) == both.seat(ANNA)


@pytest.mark.parametrize("phase", range(4))
async def test_linking_and_parting_with_a_stake_in_flight_makes_and_loses_nothing(
    store: Store, phase: int
) -> None:
    """In each phase: link, part, link again; what the table pays reaches the purse that has the stake."""
    both = await on_one_server(store)
    await both.endow(ANN, 1000)
    await both.endow(ANNA, 1000)
    await both.say(ANNA, "!heist 100", TWITCH)
    table = both.room(TWITCH).tables["heist"]
    for _ in range(phase):
        await both.turn(table.clock.seconds if table.clock else 0)
    if table.over:
        pytest.skip("this heist had fewer phases")
    for _ in range(2):
        await both.link(ANNA, ANN)
        await both.say(ANNA, "!unlink")
    assert await both.credits(ANNA, "guild") == 0
    assert await both.credits(ANN, "guild") == 1000 + 1000 - 100 - START, "the second welcome went back"
    while not table.over:
        await both.turn(table.clock.seconds if table.clock else 0)
    mine = [each for each in table.view(None).outcomes if each.seat == ANNA]
    gained = sum(100 + each.received - each.cost for each in mine)
    paid = await both.credits(ANN, "guild") - (1000 + 1000 - 100 - START)
    assert paid - gained in {0, SALARY}
    assert await both.credits(ANNA, "guild") == 0
    assert await both.sound()


@pytest.mark.parametrize("said", ["hello", "!heist 5"])
async def test_who_is_being_linked_sits_down_at_no_table_of_the_other(
    store: Store, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "!heist 5")
    await both.say(ANNA, f"!link {await both.code(ANN)}")
    link = Links.link

    async def meanwhile(*asked: Any) -> Any:
        await both.bot.converse(both.line(ANNA, said, DISCORD))
        return await link(*asked)

    monkeypatch.setattr(Links, "link", meanwhile)
    await both.say(ANNA, "!link yes", TWITCH)
    assert both.bot.people.ties.root(both.seat(ANNA)) == both.seat(ANN)
    assert both.seat(ANNA) not in heist(both).seated
    await to_the_end(both)
    assert await both.sound()


async def test_who_is_sitting_down_beside_the_other_is_not_linked_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = await on_one_server(store)
    await both.say(ANN, "!heist 5")
    await both.say(ANNA, f"!link {await both.code(ANN)}")
    sit, told = GameTable.sit, list[str]()

    async def meanwhile(*asked: Any) -> Any:
        if not told:
            told.append("")
            told.extend(await both.say(ANNA, "!link yes", TWITCH))
        return await sit(*asked)

    monkeypatch.setattr(GameTable, "sit", meanwhile)
    await both.say(ANNA, "!heist 5", DISCORD)
    assert any("Both accounts sit at one table" in each for each in told)
    assert heist(both).seated >= {both.seat(ANN), both.seat(ANNA)}
    assert both.bot.people.ties.root(both.seat(ANNA)) == both.seat(ANNA)


async def test_a_link_whose_answer_is_lost_is_looked_up_and_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = await on_one_server(store)
    await both.endow(ANNA, 300)
    await both.say(ANNA, f"!link {await both.code(ANN)}")
    monkeypatch.setattr(store, "write", losing(store, links._link))
    (told,) = await both.say(ANNA, "!link yes")
    assert "You now play with the wallet of ann-d on Discord. 60 credits went along." in told, (
        "her second 240 went back"
    )
    assert both.bot.people.ties.root(both.seat(ANNA)) == both.seat(ANN)


async def test_a_link_whose_answer_is_lost_for_good_counts_with_the_next_line(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = await on_one_server(store)
    for who in (ANN, ANNA):
        await both.say(who, "hello", DISCORD)
    await both.say(ANNA, f"!link {await both.code(ANN)}")

    async def unreadable(_: object, change_set: str, error: Exception) -> None:
        raise LostAnswer(change_set) from error

    with monkeypatch.context() as patch:
        patch.setattr(store, "write", losing(store, links._link))
        patch.setattr(Changes, "_done", unreadable)
        (told,) = await both.say(ANNA, "!link yes")
    assert "may have done that or not" in told
    await both.say(BOB, "!heist 5")
    assert heist(both).seated >= {both.seat(BOB), both.seat(ANN)}
    assert both.seat(ANNA) not in heist(both).seated
