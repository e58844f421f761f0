"""The command `!start`, by which whoever is alone in a lobby waits for nobody else."""

from __future__ import annotations

from collections.abc import Sequence

from chatbot.bot.command import command
from chatbot.kernel.game import Refusal
from chatbot.kernel.lobby import START
from chatbot.kernel.say import Message, Say
from chatbot.rooms.request import Request


class StartCommand:
    """The command `!start`. It is that of a game where there is a lobby that its sender can start."""

    @command(START)
    async def start(self, request: Request) -> Sequence[Say]:  # noqa: ARG002
        raise Refusal(Message("start-nothing"))
