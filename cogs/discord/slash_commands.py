"""The slash commands: one for each word that the bot knows, made from the same list as what is typed.

They are not the library's hybrid commands. Those parse typed lines by rules of their own, and the bot
has its own for every platform (`!heist69`, aliases, `25%`): two parsers would sooner or later disagree.
A slash command becomes the line that somebody would have typed, and the bot decides.
"""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Optional, TypeAlias, TypeVar

import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Failure, Role
from chatbot.kernel.say import Message
from chatbot.rooms.line import LONGEST_LINE
from cogs.discord.answers import Origin
from cogs.discord.errors import PASSING, patience
from cogs.discord.forms import setting_form
from cogs.discord.lines import account_of, channel_of, home_of, interaction_line, member_of, shortened
from cogs.discord.translation import (
    LONGEST_DESCRIPTION,
    SlashTranslator,
    command_name,
    description_of,
    option_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from discord.http import HTTPClient

    from chatbot.bot.bot import Bot
    from chatbot.bot.command import BotCommand
    from chatbot.ledger.people import Account
    from cogs.discord.client import DiscordClient
    from cogs.discord.errors import Complaints
    from cogs.discord.interactions import Responder

MOST = 100  # slash commands of a bot, as many as Discord takes
MOST_CHOICES = 25
LONGEST_VALUE = 100  # characters of a choice
AGAIN = 60.0  # seconds until Discord is told the commands again: it takes 200 new ones a day
PATIENCE = 2.0  # seconds for which suggestions wait for a room: Discord takes them within three
LONGEST_TEXT = 400  # a line is one of at most 500
OPTIONAL = {
    *("choices", "autocomplete", "min_value", "max_value", "min_length", "max_length"),
    *("name_localizations", "description_localizations"),
}
"""What the library leaves out of a command or an option that has none, and Discord does not make up."""

T = TypeVar("T")
AnySlashCommand: TypeAlias = "app_commands.Command[commands.Cog, ..., None]"
AutocompleteChoices: TypeAlias = "list[app_commands.Choice[str | int | float]]"
Autocomplete: TypeAlias = "Callable[[discord.Interaction, str], Coroutine[object, None, AutocompleteChoices]]"
"""What offers values for an option while somebody types."""


class SlashCommandCog(commands.Cog):
    """Tells Discord the slash commands, and does what one says."""

    def __init__(
        self, *, client: DiscordClient, bot: Bot, responder: Responder, complaints: Complaints
    ) -> None:
        """Make every slash command.

        Raises:
            Failure: there are more than Discord takes, or one has a name that it does not take.
        """
        self._client, self._bot = client, bot
        self._responder, self._complaints = responder, complaints
        self._slash = slash_commands(bot, self)

    async def cog_load(self) -> None:
        """Tell Discord the commands where it knows others."""
        for each in self._slash:
            self._client.tree.add_command(each)
        await self._client.tree.set_translator(SlashTranslator())
        await self._tell_discord()

    async def _tell_discord(self) -> None:
        """Tell Discord the commands, and again later after trouble that may pass."""
        try:
            await sync(self._client.tree, self._client.http, self._client.application_id or 0)
        except PASSING as error:
            self._complaints.tell("discord:0", "the slash commands could not be brought up to date", error)
            wait = patience(error)
            if wait is not None and not self._client.is_closed():
                self._bot.watch.ring(max(wait, AGAIN), self._tell_discord)

    async def run(self, interaction: discord.Interaction, text: str, names: Mapping[Account, str]) -> None:
        """Do what a slash command asks for, and answer it; `names` are those of the members in it."""
        if len(text) > LONGEST_LINE:
            await self._responder.refuse(interaction, "discord-too-long")
            return
        secret = self._responder.secret(interaction, text)
        asker = self._responder.asker(interaction, Origin.SLASH, secret=secret)
        line = interaction_line(interaction, text, private=secret, names=names)
        await self._responder.respond(asker, interaction, line)

    async def offer(self, interaction: discord.Interaction, text: str) -> bool:
        """Bring a form for what a slash command left out; False: there is none for it."""
        room = self._responder.room(interaction) if await self.ready(interaction) else None
        line = interaction_line(interaction, text, private=True)
        form = setting_form(self._bot, room, line) if room is not None else None
        if form is not None:
            await self._responder.send_form(interaction, form)
        return form is not None

    async def ready(self, interaction: discord.Interaction) -> bool:
        """Open the room of an interaction; False: it cannot be opened now."""
        return await self._responder.ready(interaction)

    async def answer_failed(self, interaction: discord.Interaction, *, gone: bool) -> None:
        """Answer a command that failed, or that does not exist any more."""
        if interaction.type is discord.InteractionType.application_command:
            await self._responder.refuse(interaction, "discord-unknown-command" if gone else "try-again")


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command as the bot knows it."""

    word: str
    options: tuple[Option, ...]
    least: Role = Role.VIEWER
    form: bool = False  # whether its last option may be left out, to be asked for in a form

    def unfinished(self, values: Mapping[str, object]) -> bool:
        """Whether its last option alone was left out."""
        *others, last = (values.get(each.name) is not None for each in self.options)
        return self.form and all(others) and not last


def spoken_commands(bot: Bot) -> list[SlashCommand]:
    """List the commands of all games and of the bot."""
    games = [SlashCommand(each.word, each.options) for kit in bot.kits.values() for each in kit.chat.commands]
    return games + [_of_house(each) for each in bot.command_index.bot_commands]


def _of_house(bot_command: BotCommand) -> SlashCommand:
    options = bot_command.options
    if bot_command.form:
        options = *options[:-1], replace(options[-1], required=False)
    return SlashCommand(bot_command.word, options, bot_command.least, bot_command.form is not None)


def slash_commands(bot: Bot, cog: SlashCommandCog) -> list[AnySlashCommand]:
    """Make every slash command.

    Raises:
        Failure: there are more than Discord takes, or one has a name that it does not take.
    """
    commands = spoken_commands(bot)
    if len(commands) > MOST:
        raise Failure(f"the games have {len(commands)} commands together, and Discord takes {MOST}")
    try:
        words = tuple(each.word for each in commands)
        return [_slash(bot, cog, each, words) for each in commands]
    except (TypeError, ValueError) as error:
        raise Failure(f"Discord does not take a command: {error}") from None


async def sync(tree: app_commands.CommandTree[DiscordClient], http: HTTPClient, application: int) -> bool:
    """Tell Discord the commands where it knows others; it allows few such changes a day."""
    # Without this parameter, which the library does not pass, Discord leaves the translations out.
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    theirs = await http.request(route, params={"with_localizations": "true"})
    translator = tree.translator or SlashTranslator()
    ours = [await each.get_translated_payload(tree, translator) for each in tree.get_commands()]
    by_name = {each["name"]: each for each in theirs}
    if len(theirs) == len(ours) and all(_agrees(each, by_name.get(each["name"])) for each in ours):
        return False
    await tree.sync()
    return True


def _agrees(ours: object, theirs: object) -> bool:
    """Compare what is wanted with what Discord has, which fills in more, and leaves out what is empty."""
    if isinstance(ours, dict):
        fields = theirs if isinstance(theirs, dict) else {}
        leftover = any(fields.get(each) for each in OPTIONAL - ours.keys())
        return not leftover and all(_agrees(value, fields.get(key)) for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_agrees, ours, theirs))
    # Discord writes permissions as text, which the library sends as a number.
    return ours == theirs or str(ours) == theirs or (not ours and not theirs)


def _slash(bot: Bot, cog: SlashCommandCog, command: SlashCommand, words: tuple[str, ...]) -> AnySlashCommand:
    async def obey(interaction: discord.Interaction, **values: object) -> None:
        text, people = typed(command, values)
        if not (command.form and command.unfinished(values) and await cog.offer(interaction, text)):
            await cog.run(interaction, text, people)

    obey.__signature__ = _signature(command)  # type: ignore[attr-defined]  # the library reads it
    callback = app_commands.describe(**_descriptions(bot, command))(obey)
    names = [each.name for each in command.options]
    callback = app_commands.rename(**{each: option_name(each, names) for each in names})(callback)
    for option in command.options:
        callback = _choices_decorator(bot, cog, command, option)(callback)
    description = _description(bot, command.word, f"slash-{command.word}", f"help-{command.word}")
    app_command: AnySlashCommand = app_commands.Command(
        name=command_name(command.word, words), description=description, callback=callback
    )
    # The house decides; these keep commands out of the lists of those who may not use them.
    if command.least.covers(Role.BROADCASTER):
        app_command = app_commands.default_permissions(administrator=True)(app_command)
    elif command.least.covers(Role.MODERATOR):
        app_command = app_commands.default_permissions(manage_guild=True)(app_command)
    # Somebody who brought it along to a server that never asked for it would play there for its credits.
    return app_commands.guild_only(app_commands.allowed_installs(guilds=True, users=False)(app_command))


def _signature(command: SlashCommand) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("interaction", kind, annotation=discord.Interaction)]
    for option in sorted(command.options, key=lambda each: not each.required):
        default = inspect.Parameter.empty if option.required else None
        parameters.append(inspect.Parameter(option.name, kind, default=default, annotation=_type(option)))
    return inspect.Signature(parameters)


def _type(option: Option) -> object:
    plain = _plain_type(option)
    return plain if option.required else Optional[plain]  # noqa: UP045  (a Range is no type for `|`)


def _plain_type(option: Option) -> object:
    match option.kind:
        case Kind.WHOLE:
            return app_commands.Range[int, option.least, option.most] if _bounded(option) else int
        case Kind.MEMBER:
            return discord.User
        case Kind.AMOUNT | Kind.WORD | Kind.TEXT:
            return str if _is_listed(option) else app_commands.Range[str, 1, LONGEST_TEXT]


def _bounded(option: Option) -> bool:
    return option.least is not None or option.most is not None


def _is_listed(option: Option) -> bool:
    """Whether all there is fits into a list to choose from."""
    return 0 < len(option.choices) <= MOST_CHOICES


def _descriptions(bot: Bot, command: SlashCommand) -> dict[str, str | app_commands.locale_str]:
    names = [each.name for each in command.options]
    return {name: _description(bot, name, f"option-{command.word}-{name}") for name in names}


def _description(bot: Bot, otherwise: str, *messages: str) -> app_commands.locale_str:
    """Word a description by the first message that there is; Discord takes none that is empty or long."""
    ids = [each for each in messages if each in bot.outbox.words.ids]
    if not ids:
        return app_commands.locale_str(shortened(otherwise, LONGEST_DESCRIPTION))
    text = shortened(bot.outbox.text(Message(ids[0])), LONGEST_DESCRIPTION)
    return description_of(text, ids[0])


def _choices_decorator(
    bot: Bot, cog: SlashCommandCog, command: SlashCommand, option: Option
) -> Callable[[T], T]:
    """Decorate a callback with what an option has to choose from."""
    if _is_listed(option):
        choices = [app_commands.Choice(name=each, value=each) for each in option.choices]
        return app_commands.choices(**{option.name: choices})
    if option.part is not None or option.moves:
        return app_commands.autocomplete(**{option.name: _parts(bot, cog, command.word, option)})
    if not option.suggests and not option.choices:
        return lambda callback: callback

    async def offer(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        if not option.suggests:
            return _choices(option.choices, current)
        if not await _soon(cog.ready(interaction)):
            return []
        values = {key: str(value) for key, value in interaction.namespace if key != option.name and value}
        channel = channel_of(home_of(interaction))
        return _choices(bot.suggest(channel, command.word, option.name, values), current)

    return app_commands.autocomplete(**{option.name: offer})


def _parts(bot: Bot, cog: SlashCommandCog, word: str, option: Option) -> Autocomplete:
    """Offer what somebody can choose now for a move or a part of it, such as the cards of their hand.

    Discord shows it to whoever types alone. First comes what begins with the typed text.
    """
    value: Callable[[str], str | int] = int if option.kind is Kind.WHOLE else str

    async def offer(
        interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str | int | float]]:
        if not await _soon(cog.ready(interaction)):
            return []
        channel, account = channel_of(home_of(interaction)), account_of(interaction.user.id)
        choices = bot.choices(channel, account, word, option.part)
        if not choices and option.suggests:
            choices = {each: each for each in bot.suggest(channel, word, option.name, {})}
        query = current.casefold()
        fitting = [each for each, label in choices.items() if query in f"{each} {label}".casefold()]
        fitting.sort(key=lambda each: not each.casefold().startswith(query))
        return [
            app_commands.Choice(name=shortened(choices[each], LONGEST_VALUE), value=value(each))
            for each in fitting[:MOST_CHOICES]
        ]

    return offer


async def _soon(opening: Coroutine[object, None, bool]) -> bool:
    """Wait for a room to be opened, but not longer than somebody who types; it is opened all the same."""
    task = asyncio.ensure_future(opening)
    await asyncio.wait([task], timeout=PATIENCE)
    return task.done() and task.exception() is None and task.result()


def _choices(values: Sequence[str], current: str) -> list[app_commands.Choice[str]]:
    """Offer what has the typed text in it, first what begins with it."""
    query = current.casefold()
    fitting = [each for each in values if query in each.casefold() and 0 < len(each) <= LONGEST_VALUE]
    fitting.sort(key=lambda each: not each.casefold().startswith(query))
    return [app_commands.Choice(name=each, value=each) for each in fitting[:MOST_CHOICES]]


def typed(command: SlashCommand, values: Mapping[str, object]) -> tuple[str, dict[Account, str]]:
    """Write a slash command as somebody would type it, and name the members in it."""
    pairs = [(each, values[each.name]) for each in command.options if values.get(each.name) is not None]
    people = [value for _, value in pairs if isinstance(value, discord.User | discord.Member)]
    words = [_word(each, value) for each, value in pairs]
    return " ".join([f"!{command.word}", *words]), {member_of(each): each.display_name for each in people}


def _word(option: Option, value: object) -> str:
    if isinstance(value, discord.User | discord.Member):
        return f"{option.key}@{member_of(value)}"
    text = str(value)
    if option.key and option.kind is Kind.TEXT:
        return option.key + text.removeprefix(option.key)
    # What else stands behind a key is one word: another would be taken for something else.
    return option.key + "_".join(text.split()) if option.key else text
