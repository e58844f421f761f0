"""What people do in Discord as lines for the bot, its ids as Discord's, and texts cut to what it takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord

from chatbot.kernel.game import Role, below, highest
from chatbot.kernel.house_seats import HOUSE
from chatbot.ledger.people import Account
from chatbot.rooms.line import Line, as_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PLATFORM, INTERACTION = "discord", "dc:i:"
PREFIX = f"{PLATFORM}:"
LONGEST = 1990  # units of a message: Discord takes 2000
_MENTION = re.compile(r"<@!?([0-9]+)>")


def account_of(user: int) -> Account:
    """Give the account of a user, by Discord's id."""
    return Account(PLATFORM, str(user))


def member_of(user: discord.User | discord.Member) -> Account:
    """Give the account of somebody who is named; that of a bot is no member's."""
    return Account(HOUSE, str(user.id)) if user.bot else account_of(user.id)


def channel_of(channel: int) -> str:
    """Name a channel as the bot does, and the room that stands in it."""
    return f"{PREFIX}{channel}"


def community_of(guild: int) -> str:
    """Name the wallets of a server; names of accounts are put together with colons, so it has none."""
    return f"discord-{guild}"


def guild_of(community: str) -> int | None:
    """Give the id of the server whose wallets these are; None: they are of no server of Discord."""
    number = community.removeprefix("discord-")
    return int(number) if is_community(community) and number.isascii() and number.isdecimal() else None


def shard_of(guild: int, shards: int) -> int:
    """Give the shard of a server, 0 for messages to the bot alone, which are of none.

    See https://discord.com/developers/docs/events/gateway#sharding.
    """
    return (guild >> 22) % shards


def is_community(community: str) -> bool:
    """Whether these are the wallets of a server."""
    return community.startswith("discord-")


def home(client: discord.Client, channel: object, number: int) -> int:
    """Give the id of the channel in whose room something happened.

    That of a thread that the bot has begun is the channel of its table; any other thread has a room itself.
    """
    own = (
        client.user is not None and isinstance(channel, discord.Thread) and channel.owner_id == client.user.id
    )
    return channel.parent_id if own and isinstance(channel, discord.Thread) else number


def home_of(interaction: discord.Interaction) -> int:
    """Give the id of the channel in whose room an interaction happened."""
    return home(interaction.client, interaction.channel, interaction.channel_id or 0)


def number_of(name: str) -> int:
    """Give Discord's id of a channel.

    Raises:
        ValueError: it is none of Discord's.
    """
    return int(name.removeprefix(PREFIX))


def message_line(message: discord.Message, channel: str, me: int) -> Line:
    """Read a message; a channel of another id is where a message to the bot alone belongs."""
    author = message.author
    people = {str(each.id): member_of(each) for each in message.mentions}
    text = _MENTION.sub(lambda match: _mention(match, people), _as_command(as_read(message.content), me))
    private, roles = message.guild is None, roles_of_author(message)
    return Line(
        f"dc:{message.id}",
        channel,
        account_of(author.id),
        author.display_name,
        highest(roles),
        text,
        private,
        named={member_of(each): each.display_name for each in message.mentions},
        login=author.name,
        badges=below(roles),
        sent=message.created_at,
    )


def line_id(interaction: discord.Interaction) -> str:
    """Give the id of the line that an interaction becomes."""
    return f"{INTERACTION}{interaction.id}"


def interaction_line(
    interaction: discord.Interaction,
    text: str,
    *,
    private: bool,
    table: str | None = None,
    names: Mapping[Account, str] | None = None,
) -> Line:
    """Read a slash command or a button as the line that somebody would have typed."""
    roles = roles_of_user(interaction)
    return Line(
        line_id(interaction),
        channel_of(home_of(interaction)),
        account_of(interaction.user.id),
        interaction.user.display_name,
        highest(roles),
        text,
        private,
        table,
        names or {},
        login=interaction.user.name,
        badges=below(roles),
        sent=interaction.created_at,
    )


def roles_of_author(message: discord.Message) -> frozenset[Role]:
    """Read the roles from this very message: what was true of its author before may not be any more."""
    author = message.author
    if not isinstance(author, discord.Member) or message.guild is None:
        return frozenset({Role.VIEWER})
    return _roles(author, author.guild_permissions)


def roles_of_user(interaction: discord.Interaction) -> frozenset[Role]:
    """Read the roles from this very interaction, as Discord has worked it out."""
    if not isinstance(interaction.user, discord.Member):
        return frozenset({Role.VIEWER})
    return _roles(interaction.user, interaction.permissions)


def roles_of_member(member: discord.Member) -> frozenset[Role]:
    """Read the roles from what Discord tells of a member of a server."""
    return _roles(member, member.guild_permissions)


def units(text: str) -> int:
    """Count a text in UTF-16: Discord does not say how it counts, and this is the stricter way."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shortened(text: str, most: int) -> str:
    """Cut at a word; a longer word is cut too. Nothing becomes a mark that shows nothing."""
    if units(text) <= most:
        return text or "\N{ZERO WIDTH SPACE}"
    while units(text) > most - 1:
        head, _, _ = text.rpartition(" ")
        text = head if units(head) > most // 2 else text[:-1]
    return text.rstrip(" ,;:.\\") + "…"


def pieces(text: str) -> list[str]:
    """Cut a text at words so that each piece fits into one message."""
    if units(text) <= LONGEST:
        return [text]
    half = text.rfind(" ", 1, len(text) // 2 + 1)
    end = half if half > 0 else len(text) // 2
    return [*pieces(text[:end].rstrip()), *pieces(text[end:].lstrip())]


def fitted(rows: Sequence[str], most: int) -> tuple[str, int]:
    """Join the rows that fit, each on a line; gives also how many do not."""
    text, count = fitting(rows, most)
    return text, len(rows) - count


def fitting(rows: Iterable[str], most: int) -> tuple[str, int]:
    """Join the first rows that fit, each on a line; gives also how many they are."""
    lines: list[str] = []
    size = 0
    for row in rows:
        size += units(row) + 1
        if size > most:
            break
        lines.append(row)
    return "\n".join(lines), len(lines)


def _roles(member: discord.Member, permissions: discord.Permissions) -> frozenset[Role]:
    """Take a booster of the server for a subscriber; Discord knows no VIP."""
    own = {
        Role.BROADCASTER: member.id == member.guild.owner_id,
        Role.MODERATOR: permissions.manage_guild or permissions.administrator,
        Role.SUBSCRIBER: member.premium_since is not None,
    }
    return frozenset({Role.VIEWER, *(each for each, applies in own.items() if applies)})


def _as_command(text: str, me: int) -> str:
    """Take `@Rabble heist 69` for `!heist 69`: a bot without the message content reads nothing else."""
    if not text.startswith("<@"):
        return text  # nearly all are such
    rest = re.sub(rf"^<@!?{me}>\s*", "", text)
    return rest if rest == text or not rest or rest.startswith("!") else f"!{rest}"


def _mention(match: re.Match[str], people: Mapping[str, Account]) -> str:
    return f"@{people[match[1]]}" if match[1] in people else match[0]
