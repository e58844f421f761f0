"""Every privileged command that does something leaves a row with who did what to what; a refused one none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Role
from chatbot.ledger.changes import LINK, MONEY, SEASON, SETTING, VOIDED, Changes
from tests.bot.platforms import DISCORD, Platforms
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.store.store import Store

MO, SAM = "mo(moderator)", "sam(broadcaster)"


@dataclass(frozen=True)
class Case:
    """How a command is used: after `before`, `act` does something, and `refused` nothing.

    `kind`, `subject` and `key` are those of the change that the row names.
    """

    act: str
    refused: str
    kind: str
    subject: str
    key: str = ""
    before: tuple[tuple[str, str], ...] = ()
    after: str = ""  # what else is needed


ANN = str(seat("ann"))
CASES = {
    "set": Case("!set heist lobby 45", "!set heist lobby 1", SETTING, "heist", "lobby"),
    "preset": Case("!preset highshow short", "!preset highshow huge", SETTING, "highshow", "preset"),
    "enable": Case("!enable heist", "!enable chess", SETTING, "games", "heist", ((MO, "!disable heist"),)),
    "disable": Case("!disable heist", "!disable chess", SETTING, "games", "heist"),
    "pause": Case("!pause", "!pause heist", SETTING, "room", "paused"),
    "unpause": Case("!unpause", "!unpause heist", SETTING, "room", "paused", ((MO, "!pause"),)),
    "talk": Case("!talk quiet", "!talk loud", SETTING, "room", "talk"),
    "alias": Case("!alias rob heist", "!alias rob chess", SETTING, "aliases", "rob"),
    "text": Case('!text entry "{who} is in."', '!text entry "{nobody}"', SETTING, "texts", "entry"),
    "cooldown": Case("!cooldown give 30", "!cooldown give often", SETTING, "cooldowns", "give"),
    "permit": Case("!permit give regular", "!permit give anybody", SETTING, "permissions", "give"),
    "regular": Case("!regular @ann", "!regular @nobody", SETTING, "regulars", "test:ann"),
    "granthere": Case("!grant here 5", "!grant here half", MONEY, "crowd:here", "2"),
    "grantregulars": Case(
        "!grant regulars 5", "!grant regulars half", MONEY, "crowd:regulars", "1", ((MO, "!regular @ann"),)
    ),
    "exclude": Case("!exclude @ann", "!exclude @nobody", SETTING, "excluded", "test:ann"),
    "grant": Case("!grant @ann 5", "!grant @ann -5", MONEY, ANN),
    "take": Case("!take @ann 5", "!take @ann 5000", MONEY, ANN),
    "creditsset": Case("!credits set @ann 500", "!credits set @ann half", MONEY, ANN),
    "creditssetall": Case(
        "!credits set all 5", "!credits set all half", MONEY, "crowd:all", "3", after="!confirm"
    ),
    "undo": Case("!undo", "!undo 99", MONEY, ANN, before=((MO, "!grant @ann 5"),)),
    "cancel": Case(
        "!cancel heist", "!cancel chess", VOIDED, "a-table-1", "heist", (("ann", "!heist 50"),)
    ),
    "seasonend": Case(
        "!season end heist", "!season end chess", SEASON, "heist", "season", after="!confirm"
    ),
}  # fmt: skip
READING = {"settings", "audit"}  # they change nothing
# They need two platforms, below; an address (test_overlay.py); Twitch (adapters/twitch/test_selling.py).
ELSEWHERE = {"bridge", "rewards", "desk", "overlay"}


async def rows(store: Store, room: str = "room") -> list[ChangeSet]:
    return await Changes(store).newest(room)


def privileged(stage: Stage) -> dict[str, Role]:
    services = stage.bot.command_index.bot_commands
    return {each.word: each.least for each in services if each.least.covers(Role.MODERATOR)}


def one_who_may(stage: Stage, word: str) -> tuple[str, str]:
    """Return somebody of the least role that a command takes, and of the role below."""
    return (SAM, MO) if privileged(stage)[word] is Role.BROADCASTER else (MO, "vic(vip)")


async def test_no_privileged_command_is_unlisted(stage: Stage) -> None:
    assert privileged(stage).keys() == CASES.keys() | READING | ELSEWHERE
    assert all(each.reads for each in stage.bot.command_index.bot_commands if each.word in READING)
    of_games = [each for kit in stage.bot.kits.values() for each in kit.chat.commands]
    assert {stage.bot.parts.access.least(stage.room, each.word) for each in of_games} == {Role.VIEWER}


async def prepared(stage: Stage, case: Case) -> None:
    for who in ("ann", MO, SAM):
        await stage.say(who, "hello")
    for who, text in case.before:
        await stage.say(who, text)


@pytest.mark.parametrize("word", CASES)
async def test_who_does_it_is_on_record_with_what_it_was_applied_to(
    stage: Stage, store: Store, word: str
) -> None:
    case, (who, _) = CASES[word], one_who_may(stage, word)
    await prepared(stage, case)
    before = await rows(store)
    await stage.say(who, case.act)
    if case.after:
        await stage.say(who, case.after)
    made, *others = await rows(store)
    assert others == before
    name = who.partition("(")[0]
    assert (made.actor, made.name) == (seat(name), name)
    assert (case.kind, case.subject, case.key) in {
        (each.kind, each.subject, each.key) for each in made.changes
    }
    assert all(each.old != each.new for each in made.changes)


@pytest.mark.parametrize("word", CASES)
async def test_what_is_refused_leaves_no_row(stage: Stage, store: Store, word: str) -> None:
    case, (who, lower) = CASES[word], one_who_may(stage, word)
    await prepared(stage, case)
    before = await rows(store)
    await stage.say(who, case.refused)
    for text in (case.act, case.after):
        if text:
            await stage.say(lower, text)
    assert await rows(store) == before


@pytest.mark.parametrize("text", ["!settings heist", "!settings", "!audit", "!audit 3", "!season end heist"])
async def test_what_only_looks_leaves_no_row(stage: Stage, store: Store, text: str) -> None:
    await stage.say(SAM, text)
    assert await rows(store) == []


async def test_bridging_and_its_end_are_on_record(store: Store) -> None:
    both = await Platforms(store).open()
    await both.say("twitch:owner(broadcaster)", "!bridge WRONGCODE2")
    await both.say("twitch:mod(moderator)", "!bridge end")
    assert [*await rows(store, DISCORD), *await rows(store, "twitch:7")] == []
    await both.bridge()
    await both.say("discord:owner(broadcaster)", "!bridge end")
    ended, made = await rows(store, DISCORD)
    for change_set, owner in ((made, "twitch:owner"), (ended, "discord:owner")):
        assert change_set.actor == both.seat(owner)
        assert {each.kind for each in change_set.changes} == {LINK}
        assert any("channel" in (each.subject, each.key, each.old, each.new) for each in change_set.changes)
