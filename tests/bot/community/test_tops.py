"""Rankings by something else than credits: the time watched, what was won at a game, the last season."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from chatbot.bot.commands.ranks import RECENT_DAYS
from chatbot.ledger import rankings
from chatbot.ledger.erasure import Erasure
from chatbot.ledger.member_export import Persons
from chatbot.ledger.members import Presence, Sighting
from chatbot.ledger.rankings import Rankings
from chatbot.ledger.store import schema
from tests.bot.hosting import MO, WHOLE
from tests.bot.stage import Stage, account, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

SURE = "!set heist chances 100/100/100/100/100 rabble 0 payday no getaway 0 cooldown 0"
DAY = 24 * 3600


async def rob(stage: Stage, *crew: tuple[str, int]) -> None:
    """Play a heist that everybody succeeds at: of a stake of 100 comes back 180."""
    for who, stake in crew:
        await stage.say(who, f"!heist {stake}")
    await stage.turn(WHOLE)


async def sure(stage: Stage) -> Stage:
    await stage.agree(SURE)
    return stage


async def test_a_game_ranks_by_what_was_won_less_what_was_staked(stage: Stage) -> None:
    await sure(stage)
    await rob(stage, ("ann", 100))  # floor(0.8 · 100) = 80 more
    await rob(stage, ("bob", 50))  # 40 more
    await rob(stage, ("bob", 200))  # 160 more
    assert await stage.say("cat", "!top heists") == [
        "Won most at Bank Heist in 30 days: 1. bob 200 credits, 2. ann 80 credits."
    ]
    assert await stage.say("cat", "!top heist 1") == [
        "Won most at Bank Heist in 30 days: 1. bob 200 credits."
    ]
    assert await stage.say("cat", "!top bankheist 1") == await stage.say("dan", "!TOP Heists 1")


async def test_who_has_lost_on_the_whole_stands_in_no_ranking_of_winnings(stage: Stage) -> None:
    await sure(stage)
    await rob(stage, ("ann", 100))
    await stage.say(MO, "!set heist chances 0/0/0/0/0")
    await rob(stage, ("ann", 100), ("bob", 100))
    assert await stage.say("cat", "!top heists") == ["Nobody is in that ranking yet."]  # 80 − 100, −100


async def test_a_ranking_of_winnings_forgets_what_is_old_and_reads_so_many_tables_at_most(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sure(stage)
    await rob(stage, ("ann", 100))
    await rob(stage, ("bob", 100))
    monkeypatch.setattr(rankings, "MOST_TABLES", 1)
    (told,) = await stage.say("cat", "!top heists")
    assert told.endswith(" 1. bob 80 credits.")
    await stage.turn(RECENT_DAYS * DAY + 1)
    assert await stage.say("cat", "!top heists") == ["Nobody is in that ranking yet."]


async def test_the_time_watched_is_ranked_in_hours_and_minutes(stage: Stage, store: Store) -> None:
    for who, minutes in (("ann", 135), ("bob", 59), ("cat", 135), ("dan", 0)):
        await stage.say(who, "hello")
        seen = Sighting("town", seat(who), stage.watch.date(), minutes=minutes, messages=1)
        await Presence(store).add([seen])
    assert await stage.say("dan", "!top watched") == [
        "Watched longest: 1. ann 2 h 15 min, 1. cat 2 h 15 min, 3. bob 0 h 59 min."
    ]
    assert await stage.say("dan", "!top watched 1") == ["Watched longest: 1. ann 2 h 15 min."]


async def test_whoever_is_excluded_is_in_none_of_them(stage: Stage, store: Store) -> None:
    await sure(stage)
    await stage.say(MO, "!set heist season_heists 1")
    await rob(stage, ("ann", 100), ("bob", 100))
    for who in ("ann", "bob"):
        seen = Sighting("town", seat(who), stage.watch.date(), minutes=10)
        await Presence(store).add([seen])
    await stage.say(MO, "!exclude @ann")
    for ranking in ("heists", "watched", "season"):
        (told,) = await stage.say("cat", f"!top {ranking}")
        assert "bob" in told, ranking
        assert "ann" not in told, ranking


async def test_whoever_was_forgotten_is_in_no_ranking_of_winnings(stage: Stage, store: Store) -> None:
    await sure(stage)
    await rob(stage, ("ann", 100), ("bob", 100))
    await Erasure(store).forget(await Persons(store).find(str(account("ann"))), stage.watch.date())
    since = stage.watch.date() - timedelta(days=1)
    assert await Rankings(store).winners("room", "heist", since, 5) == [(seat("bob"), 80)]


async def test_the_last_season_is_told_with_its_number_and_only_once_one_has_ended(stage: Stage) -> None:
    assert await stage.say("cat", "!top season") == ["Nobody is in that ranking yet."]
    await sure(stage)
    await stage.say(MO, "!set heist season_heists 1")
    await rob(stage, ("ann", 100))
    (told,) = await stage.say("cat", "!top season 1")
    assert told == "Bank Heist, season 1: 1. ann 320 credits."  # 240 + 80


@pytest.mark.parametrize("words", ["poker", "heists 0", "heists 21", "heists 5 5", "5 heists", "watched x"])
async def test_what_is_no_ranking_is_refused_in_one_sentence(stage: Stage, words: str) -> None:
    assert len(await stage.say("ann", f"!top {words}")) == 1
    assert not any("Won most" in each or "Richest" in each for each in stage.said())


async def test_accounts_of_one_person_count_together(stage: Stage, store: Store) -> None:
    await sure(stage)
    await rob(stage, ("ann", 100))
    await rob(stage, ("bob", 100))
    one = update(schema.person).where(schema.person.c.seat == seat("bob")).values(same_as=seat("ann"))
    await store.write(lambda connection: connection.execute(one))
    since = stage.watch.date() - timedelta(days=1)
    assert await Rankings(store).winners("room", "heist", since, 5) == [(seat("ann"), 160)]  # 80 + 80
    await store.write(lambda connection: connection.execute(one.values(same_as=None)))
