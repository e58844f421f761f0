"""Says what the house says in chats and whispers, and gives up a line only when Twitch will not have it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException, MessageRejectedError

from chatbot.live.newest import remember
from cogs.twitch_chat import LENGTH
from cogs.twitch_drops import REFUSED, Remedy, advice_of, remedy_of, varied
from cogs.twitch_wire import Trouble

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from twitchio.client import Client

    from chatbot.live.watch import Watch
    from cogs.twitch_chat import Chat

    Pause = Callable[[float], Awaitable[None]]

TRIES = 4  # once, and three times more
HOUR = 3600.0
STUBBORN = "a line could not be said, however often it was tried"
PENANCE = 10.0  # seconds, when Twitch says that it was too much
WHISPERERS = 5000  # people whose whispers are remembered
SILENT = 600.0  # seconds after which somebody's whisper is the first of a talk

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a try; `wait` is in seconds, and 0 where Twitch asks for none."""

    remedy: Remedy
    wait: float = 0.0
    advice: str = ""


class Mouth:
    """Speaks as the bot account."""

    def __init__(self, client: Client, bot: str, watch: Watch, pause: Pause) -> None:
        self._client, self._bot, self._watch, self._pause = client, bot, watch, pause
        self._whisperers: OrderedDict[str, float] = OrderedDict()  # who -> when they whispered last
        self._mute_told = False

    async def speak(self, chat: Chat, text: str) -> bool:
        """Say a line in a chat; false where it is lost, of which the operator then knows."""
        for _ in range(chat.speak(text, self._watch.now())):
            text = varied(text, LENGTH)
        failures, unsure, changed, advice = 0, False, False, STUBBORN
        while failures < TRIES:
            came = await self._try(chat, text)
            match came.remedy:
                case Remedy.SENT:
                    return True
                case Remedy.VARY if unsure:
                    return True  # it is refused as a repetition because the first try has arrived
                case Remedy.VARY if not changed:
                    text, changed = varied(text, LENGTH), True
                case Remedy.WAIT | Remedy.RETRY:
                    unsure, failures = unsure or came.remedy is Remedy.RETRY, failures + 1
                    advice = came.advice or STUBBORN
                    await self._rest(failures, came.wait)
                case Remedy.OTHERWISE:
                    chat.by_app = False
                case Remedy.TELL | Remedy.VARY:
                    self._advise(chat, came.advice)
                    return False
        self._advise(chat, advice)
        return False

    async def whisper(self, user: str, text: str) -> bool:
        """Answer somebody who has whispered before; whom we have never heard, we may not disturb."""
        if user not in self._whisperers:
            return False
        for failures in range(1, TRIES + 1):
            try:
                await self._client.create_partialuser(self._bot).send_whisper(to_user=user, message=text)
            except HTTPException as error:
                if error.status != 429 and error.status < 500:
                    self._tell_mute(error.status)
                    return False
                await self._rest(failures, _wait(error))
            else:
                return True
        return False

    def knows(self, user: str) -> bool:
        """Whether somebody has whispered to us."""
        return user in self._whisperers

    def heard(self, user: str) -> bool:
        """Remember that somebody has whispered, and tell whether that is the first time for a while."""
        now = self._watch.now()
        last = self._whisperers.get(user)
        remember(self._whisperers, user, now, WHISPERERS)
        return last is None or now > last + SILENT

    async def _try(self, chat: Chat, text: str) -> Outcome:
        spoken_to = self._client.create_partialuser(chat.broadcaster)
        key = None if chat.by_app else self._bot
        try:
            sent = await spoken_to.send_message(text, self._bot, token_for=key)
        except MessageRejectedError as error:
            return self._dropped(chat, error.code or "")
        except HTTPException as error:
            return _failed(chat, error)
        except (LookupError, TypeError):  # an answer of another shape than the library knows
            return Outcome(Remedy.RETRY)
        return Outcome(Remedy.SENT) if sent.sent else self._dropped(chat, "")

    def _dropped(self, chat: Chat, code: str) -> Outcome:
        if code == "msg_ratelimit":
            chat.strike(self._watch.now())
        remedy = remedy_of(code)
        return Outcome(remedy, PENANCE if remedy is Remedy.WAIT else 0.0, advice_of(code))

    async def _rest(self, failures: int, wait: float) -> None:
        if failures < TRIES:
            await self._pause(wait or 2.0 ** (failures - 1))

    def _advise(self, chat: Chat, advice: str) -> None:
        if chat.news(advice, self._watch.now(), HOUR):
            log.warning("the bot could not speak", channel=chat.login, reason=advice)

    def _tell_mute(self, status: int) -> None:
        if not self._mute_told:
            log.warning("Twitch does not let the bot whisper: its account needs a verified phone number, "
                        "and the right to; people are told so in the chat", status=status)  # fmt: skip
        self._mute_told = True


def _failed(chat: Chat, error: HTTPException) -> Outcome:
    if error.status == 429:
        return Outcome(Remedy.WAIT, _wait(error))
    if error.status >= 500:
        return Outcome(Remedy.RETRY)
    if chat.by_app and error.status in {401, 403}:
        return Outcome(Remedy.OTHERWISE)
    return Outcome(Remedy.TELL, advice=REFUSED.get(error.status, f"Twitch answered {error.status}"))


def _wait(error: HTTPException) -> float:
    return error.wait if isinstance(error, Trouble) else 0.0
