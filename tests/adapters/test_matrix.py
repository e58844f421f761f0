"""Every command, every role, every adapter: who is let in is what the reference says, and nobody else."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.commands import Kind
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.changes import OPERATOR
from chatbot.rooms.settings.changes import Actor
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from cogs.discord.slash_commands import spoken_commands
from cogs.local.adapter import LocalChat
from docs import generate
from tests.adapters.discord.conftest import server
from tests.adapters.discord.conftest import stage as discord
from tests.adapters.discord.seats import seat_of as discord_seat
from tests.adapters.minutes import Minutes
from tests.adapters.twitch.conftest import fake, watch
from tests.adapters.twitch.conftest import stage as twitch
from tests.checked import store
from tests.documentation import page
from tests.ledger.samples import readable
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pytest

    from chatbot.kernel.commands import Option
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room
    from tests.adapters.discord.stage import Stage as Discord
    from tests.adapters.twitch.stage import Stage as Twitch
    from tests.fakes.discord_world import User

__all__ = ["discord", "fake", "server", "store", "twitch", "watch"]

ROW = re.compile(r"^\| `!(?P<word>\w+)[^`]*` \|[^|]*\| (?P<least>\w+) \|", re.MULTILINE)
LISTED = {each["word"]: Role(each["least"]) for each in ROW.finditer(page("reference/chat-commands"))}
"""The least role of every command there is, as the reference says.

`tests/test_docs.py` wants it to be written anew where a decorator names another role, so whoever reviews such
a change reads there whom it lets in.
"""

FOREIGN = [kit for name, kit in kits().items() if name not in generate.own_games()]
MATRIX = LISTED | {each.word: Role.VIEWER for kit in FOREIGN for each in kit.chat.commands}
"""Games from elsewhere, where some are installed, are for everybody."""
CHANGED = {"history": Role.REGULAR, "rank": Role.SUBSCRIBER, "career": Role.VIP}
"""What the rooms here have permitted otherwise, so that no role is like another."""

AT_ONCE = 15  # commands of one member, after which the flood gate needs a pause
NO_VIP = [each for each in Role if each is not Role.VIP]  # Discord knows none
BADGES = {
    Role.SUBSCRIBER: ["subscriber"],
    Role.VIP: ["vip", "subscriber"],
    Role.MODERATOR: ["moderator", "founder"],
    Role.BROADCASTER: ["broadcaster"],
}


def expected(role: Role) -> set[str]:
    return {word for word, least in (MATRIX | CHANGED).items() if role.covers(least)}


async def test_no_command_is_unlisted_and_none_is_listed_in_vain(store: Store) -> None:
    bot = Bot(kits(), store, Words("en"), HandWatch(), Sources(seat=readable))
    access = bot.parts.access
    assert sorted(MATRIX) == sorted(access.words())
    assert set(LISTED.values()) == {Role.VIEWER, Role.MODERATOR, Role.BROADCASTER}


async def test_on_twitch(twitch: Twitch, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, minutes = await twitch.open(), Minutes(twitch.bot, monkeypatch)
    people = {role: "ada" if role is Role.BROADCASTER else f"fan_{role.value}" for role in Role}
    await prepare(stage.bot, stage.chat("ada").room, stage.seat(people[Role.REGULAR]))
    for words in portions():
        for role, user in people.items():
            for word in words:
                await stage.fake.chat(user, "ada", f"!{word}", BADGES.get(role, []))
        await stage.until(partial(_all_heard, minutes, [stage.seat(each) for each in people.values()], words))
        await stage.watch.turn(60)
    for role, user in people.items():
        assert minutes.allowed(stage.seat(user)) == expected(role), role


async def test_on_discord_by_typing(discord: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    minutes, people = Minutes(discord.bot, monkeypatch), await inhabitants(discord)
    for words in portions():
        for user in people.values():
            for word in words:
                await discord.people.say(user, discord.town, f"!{word}")
        await settled(discord, minutes, people.values(), words)
    for role, user in people.items():
        assert minutes.allowed(discord_seat(user.id)) == expected(role), role


async def test_on_discord_by_slash_commands(discord: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    minutes, people = Minutes(discord.bot, monkeypatch), await inhabitants(discord)
    options = {each.word: each.options for each in spoken_commands(discord.bot)}
    assert set(options) == set(MATRIX)
    somebody = discord.world.join("somebody")
    for words in portions():
        for user in people.values():
            for word in words:
                given = {each.name: filled(each, somebody) for each in options[word]}
                await discord.people.slash(user, discord.town, word, **given)
        await settled(discord, minutes, people.values(), words)
    for role, user in people.items():
        assert minutes.allowed(discord_seat(user.id)) == expected(role), role


async def test_on_the_local_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Bot(kits(), store, Words("en"), HandWatch(), Sources(seat=readable))
    chat, minutes = LocalChat(bot, "run"), Minutes(bot, monkeypatch)
    await bot.open(chat.room)
    viewers = {role: viewer_of(f"fan-{role.value}", _shown(role).value) for role in Role}
    await prepare(bot, chat.room, viewers[Role.REGULAR].seat)
    for viewer in viewers.values():
        await chat.enter(viewer)
    for words in portions():
        for viewer in viewers.values():
            for word in words:
                await chat.say(viewer, f"!{word}", private=False)
        assert isinstance(bot.watch, HandWatch)
        await bot.watch.turn(60)
    for role, viewer in viewers.items():
        assert minutes.allowed(viewer.seat) - {""} == expected(role), role


# How they are asked


def portions() -> Iterator[Sequence[str]]:
    words = sorted(MATRIX)
    yield from (words[first : first + AT_ONCE] for first in range(0, len(words), AT_ONCE))


def _shown(role: Role) -> Role:
    """Tell the role that a platform shows: it knows no regulars."""
    return Role.VIEWER if role is Role.REGULAR else role


async def prepare(bot: Bot, room: Room, regular: Seat) -> None:
    """Make somebody a regular, and change what some commands take."""
    permitted = {word: least.value for word, least in CHANGED.items()}
    wanted = {"regulars": {str(regular): "somebody"}, "permissions": permitted}
    await bot.parts.settings_changes.change(Actor("change-set:prepared", room, OPERATOR, OPERATOR), wanted)


async def inhabitants(stage: Discord) -> dict[Role, User]:
    """Let people of every role that Discord knows into a room that is open."""
    people = {
        Role.VIEWER: stage.world.join("viewer"),
        Role.REGULAR: stage.world.join("regular"),
        Role.SUBSCRIBER: stage.world.join("subscriber", boosts=True),
        Role.MODERATOR: stage.world.join("moderator", manages=True, boosts=True),
        Role.BROADCASTER: stage.world.owner,
    }
    await stage.people.say(people[Role.VIEWER], stage.town, "!top")
    await stage.until(lambda: "discord" in str(stage.bot.rooms))
    await prepare(stage.bot, stage.room, discord_seat(people[Role.REGULAR].id))
    assert list(people) == NO_VIP
    return people


async def settled(stage: Discord, minutes: Minutes, people: Iterable[User], words: Sequence[str]) -> None:
    everybody = [discord_seat(user.id) for user in people]
    await stage.until(partial(_all_heard, minutes, everybody, words))
    await stage.turn(60)


def _all_heard(minutes: Minutes, seats: Sequence[Seat], words: Sequence[str]) -> bool:
    return all(minutes.heard(seat, words) for seat in seats)


def filled(option: Option, somebody: User) -> Any:
    """Give something for an option, so that no form asks for it."""
    match option.kind:
        case Kind.WHOLE:
            return option.most or 99
        case Kind.MEMBER:
            return somebody
        case _:
            return option.choices[0] if option.choices else "x"
