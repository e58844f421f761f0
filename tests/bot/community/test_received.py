"""Nine accounts of one hand cannot feed a tenth past what it may get of others on a day, by any road."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.community.receipts import DAY, ReceiptLimits
from chatbot.games import kits
from chatbot.ledger.receipts import Receipts
from chatbot.speech.spans import midnight
from tests.bot.hosting import MO
from tests.bot.platforms import on_one_server
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ALTS = tuple(f"alt{number}" for number in range(9))
START, MOST = 240, 1000  # credits of a newcomer, and what one may get of others on a day
TABLES = 4  # as many as nine wallets of 240 feed one by


async def house(store: Store, each_has: int = START) -> Stage:
    """Open a room with the games as they are by default, where all accounts of a farm are known."""
    stage = await Stage(store, games=kits()).open()
    for game in ("chicken", "market"):
        await stage.say(MO, f"!set {game} house_fills 0")
    for who in ("main", *ALTS):
        await stage.endow(who, each_has)
    return stage


async def got(stage: Stage, who: str = "main") -> int:
    """Tell what somebody has got of others today, as the books have it."""
    limits = ReceiptLimits(kits(), stage.store, stage.bot.people, stage.bot.rooms, stage.watch)
    day = midnight(stage.watch.date())
    wallets = stage.bot.people.ties.wallets(stage.room.community, seat(who))
    (found,) = await Receipts(stage.store).between(day, day + DAY, [wallets], limits.reasons)
    return found


async def lose_at_chicken(stage: Stage, stake: int, alts: tuple[str, ...] = ALTS) -> None:
    """Let a farm play Chicken Poker so that its main account takes the pot.

    Against n others it has 3 + 2n points of the first round and 2 + n of the second; of the third, in which
    the others show their threes, one of them has 1 + 3n.
    """
    await stage.say("main", f"!chicken 3 {stake}")
    for each in alts:
        await stage.say(each, "!chicken")
    clock = stage.room.tables["chickenpoker"].clock
    if clock is not None and clock.phase == "lobby":  # a full table begins at once
        await stage.turn(60)
    for card in (2, 1):
        for each in alts:
            await stage.say(each, f"!play {card}", private=True)
        await stage.say("main", f"!play {card + 1}", private=True)


# Games


@pytest.mark.nightly
@pytest.mark.parametrize("each_has", [START, 5000])
async def test_by_chicken_poker_a_farm_brings_its_main_account_no_more(store: Store, each_has: int) -> None:
    stage = await house(store, each_has)
    for stake in (each_has, 240, 120, 100, 60, 20):
        for _ in range(TABLES):
            await lose_at_chicken(stage, stake)
    assert MOST // 2 < await got(stage) <= MOST  # and what is within the limit can be won


async def test_who_could_win_too_much_is_refused_with_what_is_left_and_until_when(store: Store) -> None:
    stage = await house(store, 5000)
    await stage.say("main", "!chicken 3 600")
    assert await stage.say("alt0", "!chicken") != []
    (told,) = await stage.say("alt1", "!chicken")
    # Two others would have staked 600 each, and a day has 1,000.
    assert told == (
        "> alt1: You could win 1,200 credits of others here, and may get only 1,000 credits more of others"
        " today: gifts and what is won of other players are at most 1,000 credits a day. Stake less, or come"
        " back in 24 h."
    )
    assert await stage.credits("alt1") == 5000


async def test_what_others_may_still_win_counts_for_who_joins_and_the_game_of_another_day_is_free(
    store: Store,
) -> None:
    stage = await house(store, 5000)
    await lose_at_chicken(stage, 500, ("alt0",))
    await lose_at_chicken(stage, 400, ("alt1",))
    assert await stage.credits("main") == 5900
    await stage.say("main", "!chicken 3 200")
    (told,) = await stage.say("alt2", "!chicken")
    assert told.startswith("> alt2: main could win 200 credits of others then, and may get only 100 credits")
    await stage.turn(24 * 3600)
    await lose_at_chicken(stage, 1000, ("alt3",))
    assert await stage.credits("main") == 6900


async def test_by_poker_market_a_farm_brings_its_main_account_no_more(store: Store) -> None:
    stage = await house(store, 5000)
    for stake in (1000, 500, 250, 100):
        for _ in range(TABLES):
            await stage.say("main", f"!market 1 {stake}")
            for each in ALTS:
                await stage.say(each, "!market")
            await stage.turn(60)
            while (table := stage.room.tables.get("pokermarket")) is not None and not table.over:
                await stage.turn(table.clock.seconds if table.clock else 1)
    assert 0 <= await got(stage) <= MOST


async def test_by_duels_a_farm_brings_its_main_account_no_more(store: Store) -> None:
    stage = await house(store, 5000)
    for stake in (1000, 600, 300, 100):
        for each in ALTS:
            await stage.say(each, f"!sixcard @main {stake}")
            await stage.say("main", "!sixcard accept")
            await stage.turn(61)
            await stage.turn(61)
    assert await got(stage) <= MOST
    (told, *_) = await stage.say("alt0", "!sixcard @main 1001")
    assert "of others" in told


@pytest.mark.sampled(3)
@pytest.mark.parametrize("answer", ["!doublecross", "!finger", "!guncheck"])
@pytest.mark.parametrize("others", ["!guncheck", "!doublecross", "!finger"])
async def test_by_heists_a_farm_brings_its_main_account_no_more(
    store: Store, answer: str, others: str
) -> None:
    stage = await house(store, 100_000)
    for _ in range(12):
        for who in ("main", *ALTS):
            await stage.say(who, "!heist 5000")
        await stage.turn(61)
        for number, who in enumerate(ALTS):
            await stage.say(who, others if number else "!guncheck", private=True)
        await stage.say("main", answer, private=True)
        before = await got(stage)
        await stage.turn(31)
        await stage.turn(7)
        assert await got(stage) <= before + 250  # of one heist
        await stage.turn(301)
    assert await got(stage) <= MOST


async def test_at_two_tables_at_once_nobody_plays_for_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In two rooms of one community, while the database takes its time."""
    stage = await house(store, 5000)
    garden = stage.new_room("garden")
    await stage.bot.open(garden)
    await stage.bot.converse(stage.line(MO, "!set chicken house_fills 0", room="garden"))
    for who, room in (("alt0", "room"), ("alt1", "garden")):
        await stage.bot.converse(stage.line(who, "!chicken 3 900", room=room))
    between = Receipts.between

    async def late(*given: Any) -> list[int]:
        found = await between(*given)
        await asyncio.sleep(0.05)
        return found

    monkeypatch.setattr(Receipts, "between", late)
    lines = [stage.line("main", "!chicken", room=room) for room in ("room", "garden")]
    await asyncio.gather(*map(stage.bot.converse, lines))
    assert stage.bot.parts.receipts.promised(stage.room, seat("main")) == 900


# Gifts and links


async def test_by_gifts_and_games_together_a_farm_brings_its_main_account_no_more(store: Store) -> None:
    stage = await house(store, 5000)
    await lose_at_chicken(stage, 700, ("alt0",))
    for each in ALTS:
        await stage.say(each, "!give @main 200")
    assert await stage.credits("main") == 5000 + 700 + 200
    (told,) = await stage.say("alt8", "!give @main 200")
    assert "100 credits" in told  # are left
    await stage.say("alt8", "!give @main 100")
    for stake in (100, 1):
        await lose_at_chicken(stage, stake, ("alt0",))
    assert await stage.credits("main") == 5000 + MOST


async def test_a_gift_does_not_pass_what_is_still_played_for(store: Store) -> None:
    stage = await house(store, 5000)
    await stage.say("main", "!chicken 3 900")
    await stage.say("alt0", "!chicken")
    await stage.say("alt1", "!give @main 101")
    assert await stage.credits("main") == 5000 - 900
    await stage.say("alt1", "!give @main 100")
    assert await stage.credits("main") == 5000 - 900 + 100


async def test_by_links_a_farm_brings_its_main_account_no_more(store: Store) -> None:
    both = await on_one_server(store)
    main = "discord:main"
    await both.endow(main, START)
    for each in ALTS:
        await both.endow(f"twitch:{each}", START + 350)  # what a day of watching, talk and claims brings
        await both.link(f"twitch:{each}", main)
        await both.say(f"twitch:{each}", "!unlink")
    held = await both.credits(main, "guild")
    assert held == START + 2 * 350  # a third would make it 1,050
    told = await both.link("twitch:last", main)
    assert any("You now play with the wallet" in each for each in told)  # of who has nothing more, it is free
    assert await both.sound()


async def test_by_two_links_at_once_a_main_account_gets_no_more(store: Store) -> None:
    both, main = await on_one_server(store), "discord:main"
    await both.bot.open(both.own_room("twitch:8", "guild"))
    await both.endow(main, START)
    alts = {"twitch:one": "twitch:7", "twitch:two": "twitch:8"}
    for each, channel in alts.items():
        await both.endow(each, START + 600)
        await both.say(each, f"!link {await both.code(main)}", channel)
    lines = [both.line(each, "!link yes", channel) for each, channel in alts.items()]
    await asyncio.gather(*map(both.bot.converse, lines))
    assert await both.credits(main) == START + 600
    assert await both.sound()


async def test_who_would_bring_too_much_by_a_link_is_told_what_helps(store: Store) -> None:
    both = await on_one_server(store)
    ann, anna = "discord:ann", "twitch:anna"
    await both.endow(ann, 300)
    await both.endow(anna, 9000)
    told = await both.link(anna, ann)
    assert any("A moderator can raise this limit by !set credits taken_daily." in each for each in told)
    assert await both.credits(anna, "guild") == 9000
    # Twitch tells no codes, so the other way round is no way out.
    assert any("Type !link on Discord first" in each for each in await both.say(anna, "!link"))
    await both.say("discord:mod(moderator)", "!set credits taken_daily 0")
    await both.link(anna, ann)
    assert await both.credits(ann, "guild") == 300 + 9000 - START


async def test_what_was_imported_for_nine_names_reaches_nobody_else(store: Store) -> None:
    stage = await house(store)
    for each in ALTS:
        await stage.say(MO, f"!grant @{each} 500")
    for _ in range(2):
        await stage.say("main", "hello")
    assert await stage.credits("main") == START


# What does not count


async def test_what_the_house_pays_counts_for_nothing(store: Store) -> None:
    stage = await house(store, 5000)
    for _ in range(6):
        await stage.say("main", "!sixcard 1000")
        await stage.turn(61)
    assert await got(stage) == 0


async def test_stakes_that_go_back_are_no_winnings(store: Store) -> None:
    stage = await house(store, 5000)
    await stage.say("main", "!chicken 3 900")
    await stage.turn(61)  # nobody came
    await stage.say("main", "!chicken 3 900")
    await stage.say("alt0", "!chicken")
    await stage.say(MO, "!cancel chicken -- a test")
    assert (await got(stage), await got(stage, "alt0")) == (0, 0)
    assert await stage.credits("main") == 5000


async def test_without_the_limit_anything_may_be_won(store: Store) -> None:
    stage = await house(store, 5000)
    await stage.say(MO, "!set credits taken_daily 0")
    await lose_at_chicken(stage, 2000, ("alt0", "alt1"))
    assert await stage.credits("main") == 5000 + 2 * 2000


async def test_however_many_join_at_once_nobody_could_win_more(store: Store) -> None:
    stage = await house(store, 5000)
    await stage.say("main", "!chicken 3 300")
    lines = [stage.line(each, "!chicken") for each in ALTS]
    await asyncio.gather(*(stage.bot.converse(each) for each in lines))
    players = stage.room.tables["chickenpoker"].state.players
    assert len(players) == 1 + 3  # 3 x 300 are 900, and a fourth would make it 1,200


async def test_what_many_have_got_who_join_at_once_is_read_together(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, read = await house(store, 5000), list[int]()
    between = Receipts.between

    async def counted(
        self: Receipts,
        start: datetime,
        end: datetime,
        people: Sequence[Collection[Purse]],
        reasons: Collection[str],
    ) -> list[int]:
        read.append(len(people))
        return await between(self, start, end, people, reasons)

    await stage.say("main", "!heist 69")
    monkeypatch.setattr(Receipts, "between", counted)
    lines = [stage.line(each, "!heist 69") for each in ALTS]
    await asyncio.gather(*(stage.bot.converse(each) for each in lines))
    # The first line may be answered before the others have come.
    assert read in ([9], [1, 8])
