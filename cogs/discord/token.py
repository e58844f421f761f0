"""Asks Discord whose token it is, what its bot may read, and where it is invited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Declined, HttpAnswer, ask, expecting
from cogs.discord.endpoints import OWN, DiscordEndpoints

if TYPE_CHECKING:
    import aiohttp

# https://discord.com/developers/docs/topics/permissions
PERMISSIONS = {
    "View Channels": 1 << 10,
    "Send Messages": 1 << 11,
    "Embed Links": 1 << 14,
    "Attach Files": 1 << 15,
    "Read Message History": 1 << 16,
    "Send Messages in Threads": 1 << 38,
}
# https://discord.com/developers/docs/resources/application#application-object-application-flags:
# granted to a bot in many servers, or switched on for one in few
_MESSAGE_CONTENT = 1 << 18 | 1 << 19


class TokenRefused(Failure):
    """Discord does not know the token."""

    def __init__(self) -> None:
        super().__init__(
            "Discord refuses CHATBOT_DISCORD_TOKEN; open https://discord.com/developers/applications, choose "
            "your application, Bot, Reset Token, and copy the new one."
        )


@dataclass(frozen=True, slots=True)
class DiscordBot:
    """A bot as Discord knows it."""

    name: str
    application_id: str
    reads: bool  # whether it is given the text of messages
    date: str  # by Discord's clock, as HTTP writes it

    @property
    def invitation(self) -> str:
        """The link by which somebody adds it to their server."""
        permissions = sum(PERMISSIONS.values())
        return (
            f"https://discord.com/oauth2/authorize?client_id={self.application_id}"
            f"&scope=bot+applications.commands&permissions={permissions}"
        )


async def look_up(
    token: str, session: aiohttp.ClientSession, endpoints: DiscordEndpoints = OWN
) -> DiscordBot:
    """Ask Discord whose token this is.

    Raises:
        TokenRefused: it is nobody's.
        Unreachable: nobody can say.
    """
    user = await require_answer(token, session, f"{endpoints.api}/users/@me")
    application = await require_answer(token, session, f"{endpoints.api}/oauth2/applications/@me")
    with expecting(endpoints.api):
        return DiscordBot(
            name=str(user.content["username"]),
            application_id=str(int(application.content["id"])),
            reads=bool(int(application.content.get("flags") or 0) & _MESSAGE_CONTENT),
            date=user.date,
        )


async def require_answer(token: str, session: aiohttp.ClientSession, address: str) -> HttpAnswer:
    """Ask Discord something by a bot's token, and return what it answers.

    Raises:
        TokenRefused: the token is nobody's.
        Unreachable: Discord does not answer, or not as anybody expects.
    """
    answer = await ask(session, "GET", address, headers={"Authorization": f"Bot {token}"})
    if answer.status == 401:
        raise TokenRefused
    if answer.status != 200:
        raise Declined(f"{address} answers {answer.status}, which nobody expects")
    return answer
