"""Who was known by name only gets what waits with their first line, and nobody else does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.community.imports.claims import ImportClaims
from chatbot.community.imports.service import BalanceImports, ImportRequest
from chatbot.games import kits
from chatbot.kernel.game import Seat
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.erasure import Erasure
from chatbot.ledger.imports.placeholders import Placeholders
from chatbot.ledger.member_export import MemberExport, Persons
from chatbot.ledger.people import Account
from chatbot.tables.replay import replay
from tests.bot.stage import Stage
from tests.ledger import importing

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.ledger.store.store import Store


class CountedPlaceholders(Placeholders):
    """Keeps the logins that were looked up."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage.store, stage.bot.people)
        self.looked_up: list[Account] = []

    async def inherit(self, login: Account, seat: Seat, at: datetime) -> int:
        self.looked_up.append(login)
        return await super().inherit(login, seat, at)


async def bring(stage: Stage, name: str, amount: int) -> None:
    at = stage.watch.date()
    await importing.bring(stage.store, {name: amount}, "town", name=f"import:{name}:{amount}", at=at)


async def hear(stage: Stage, who: str, login: str, platform: str = "twitch") -> int:
    account = Account(platform, who)
    line = replace(stage.line(who, "hello"), account=account, login=login)
    await stage.bot.converse(line)
    await stage.watch.turn()
    return await stage.bot.balances.purse(stage.room, stage.bot.people.home(account))


async def test_a_login_gets_what_waits_for_it_with_its_first_line(stage: Stage) -> None:
    await bring(stage, "zoe", 500)
    start = await hear(stage, "ann", "ann")
    assert await hear(stage, "zoe", "ZOE") == start + 500
    assert await hear(stage, "zoe", "zoe") == start + 500


async def test_a_shown_name_gets_nothing_nor_does_the_same_login_elsewhere(stage: Stage) -> None:
    await bring(stage, "zoe", 500)
    start = await hear(stage, "mallory", "mallory")
    assert await hear(stage, "Zoe", "zoe", "discord") == start
    assert await hear(stage, "zoe", "") == start


async def test_what_comes_while_the_bot_runs_is_handed_on_within_a_minute(stage: Stage) -> None:
    start = await hear(stage, "zoe", "zoe")
    await bring(stage, "zoe", 500)
    await stage.turn(61)
    assert await hear(stage, "zoe", "zoe") == start + 500


async def test_a_login_is_looked_up_once_while_balances_wait_and_a_line_without_one_never(
    stage: Stage,
) -> None:
    await bring(stage, "zoe", 500)
    placeholders = CountedPlaceholders(stage)
    claims = ImportClaims(placeholders, stage.watch)
    for login in ("ann", "ANN", "", "bob", "ann"):
        await claims.pay(replace(stage.line("ann", "hello"), login=login))
    assert placeholders.looked_up == [Account("test", "ann"), Account("test", "bob")]


@pytest.mark.slow
async def test_nobody_is_found_by_the_name_of_a_wallet_that_waits(stage: Stage) -> None:
    await bring(stage, "zoe", 500)
    await stage.endow("ann", 100)
    (answer,) = await stage.say("ann", "!give @zoe 5")
    assert "zoe" in answer
    assert await stage.credits("ann") == 100


@pytest.mark.slow
async def test_a_table_of_somebody_forgotten_can_still_be_played_again(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob"):
        await stage.endow(who, 200)
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!heist 50")
    await stage.turn(60 + 30 + 6 + 300)
    before = await stage.credits("ann")
    person = await Persons(store).find("bob")
    kept = await MemberExport(store).of(person)
    assert [list(each["action"]) for each in kept["actions"]] == [["Sit"], ["Join"]]
    assert "test:ann" not in repr(kept["actions"])
    written = await Journal(store).of("a-table-1")
    await Erasure(store).forget(person, stage.watch.date())
    story = await Journal(store).of("a-table-1")
    assert story is not None
    assert story == written  # it knows them as a seat alone, to which nobody leads any more
    replay(kits()["heist"], story)  # which raises where a draw or a transfer is another
    again = await Stage(store, run="b").open()
    assert await again.credits("ann") == before
    assert await Persons(store).find("ann") == await Persons(store).find(str(Seat("test:ann")))


async def test_who_moderates_reaches_what_waits_for_a_name_and_takes_it_back(stage: Stage) -> None:
    await bring(stage, "zoe", 500)
    await stage.say("ann", "hello")
    assert await stage.say("ann", "!credits @zoe") == ["zoe has 500 credits."]
    assert "takes 50 credits from zoe" in " ".join(await stage.say("mo(moderator)", "!take @Zoe 50 -- why"))
    assert "10 credits" in " ".join(await stage.say("mo(moderator)", "!grant zoe 10"))
    await stage.say("mo(moderator)", "!undo")
    await stage.turn(10)
    assert await stage.say("ann", "!credits zoe") == ["zoe has 450 credits."]
    (history,) = await stage.say("mo(moderator)", "!history @zoe")
    assert "450" in history
    assert "Nobody called" in " ".join(await stage.say("ann", "!give @zoe 5"))
    start = await hear(stage, "bob", "bob")
    assert await hear(stage, "zoe", "zoe") == start + 450


async def test_a_name_that_waits_on_two_platforms_is_asked_about(stage: Stage) -> None:
    await bring(stage, "zoe", 500)
    request = ImportRequest("points.csv", b"name,points\nzoe,70\n", "town", "discord")
    await BalanceImports(stage.store, stage.bot.people).bring(request, stage.watch.date())
    assert "several" in " ".join(await stage.say("ann", "!credits @zoe")).lower()
