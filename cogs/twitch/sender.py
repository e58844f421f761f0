"""What Twitch does with a message instead of showing it, and what is to be done then.

Twitch publishes no list of these codes. They are those that its chat has always given, and those by which
others have seen the API drop messages: `user_timed_out` (https://github.com/twitchdev/issues/issues/1002),
`followers_only_mode` (https://discuss.dev.twitch.com/t/59079), and what the bots Supibot and Dotabod know. An
unknown one ends the message, and is logged.

Whispers are paced by the process that whispers. Where several do, Twitch may refuse some, which wait then.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Literal, TypeAlias

import structlog
from twitchio.exceptions import HTTPException, MessageRejectedError

from chatbot.runtime.limits import PROBE, remember
from cogs.twitch.api import Trouble
from cogs.twitch.channels import LENGTH, letters_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from twitchio.client import Client

    from chatbot.runtime.clock import Watch
    from cogs.platform import Reported
    from cogs.twitch.channels import Chat

    Pause = Callable[[float], Awaitable[None]]
    AnnouncementColour: TypeAlias = Literal["blue", "green", "orange", "purple", "primary"]


class Remedy(Enum):
    """What is to be done about a message."""

    SENT = "it is in the chat"
    VARY = "say it a little differently"
    WAIT = "wait, and say less from now on"
    RETRY = "try again soon"
    OTHERWISE = "try the other key, here from now on"
    SPARE = "try the other key, this once"
    TELL = "tell the operator"


REMEDIES = {
    "msg_duplicate": Remedy.VARY,
    "msg_r9k": Remedy.VARY,
    "duplicate_message": Remedy.VARY,
    "msg_ratelimit": Remedy.WAIT,
    "rate_limited": Remedy.WAIT,
    "msg_slowmode": Remedy.WAIT,
}

ADVICE = {
    "msg_banned": "the bot is banned in this chat",
    "msg_timedout": "the bot is timed out in this chat",
    "user_timed_out": "the bot is timed out in this chat",
    "user_warned": "the bot was warned: sign in as its account, and acknowledge that in the chat",
    "banned_phone_alias": "an account with the phone number of the bot's is banned in this chat",
    "msg_channel_suspended": "the channel is suspended",
    "msg_ratelimit": "Twitch finds that the bot says too much",
    "rate_limited": "Twitch finds that the bot says too much",
    "msg_slowmode": "the chat is in slow mode: make the bot moderator",
    "msg_followersonly": "the chat is for followers: let the bot follow, or make it moderator",
    "msg_followersonly_followed": "the chat is for followers of some time: make the bot moderator",
    "msg_followersonly_zero": "the chat is for followers: let the bot follow, or make it moderator",
    "followers_only_mode": "the chat is for followers: let the bot follow, or make it moderator",
    "msg_subsonly": "the chat is for subscribers: make the bot moderator",
    "msg_emoteonly": "the chat is for emotes: make the bot moderator",
    "msg_rejected": "AutoMod holds the bot's messages: make it moderator",
    "msg_rejected_mandatory": "the channel's rules forbid what the bot says",
    "channel_settings": "the channel's rules forbid what the bot says",
    "automod_held": "AutoMod holds the bot's messages: make it moderator",
    "msg_verified_email": "the bot account needs a verified e-mail address",
    "msg_requires_verified_phone_number": "the bot account needs a verified phone number",
}

PASSING = {
    "msg_ratelimit",
    "rate_limited",
    "msg_slowmode",
    "msg_rejected",
    "msg_rejected_mandatory",
    "channel_settings",
    "automod_held",
}
LASTING = ADVICE.keys() - PASSING
"""The codes that keep every message out of a chat, until somebody changes something."""

REFUSED = {
    400: "Twitch finds the message wrong",
    401: "the bot's key is refused, or lacks a right: run `chatbot connect twitch --bot` again",
    403: "the bot may not speak here: is it banned, or has nobody let it in?",
    404: "there is no such chat",
    422: "Twitch finds the message too long",
}


def remedy_of(code: str) -> Remedy:
    """Say what is to be done where Twitch has dropped a message with this code."""
    return REMEDIES.get(code, Remedy.TELL)


def advice_of(code: str) -> str:
    """Tell the operator what such a code means."""
    return ADVICE.get(code, f"Twitch dropped a message ({code or 'no reason given'})")


def varied(text: str, most: int) -> str:
    """Make a text another one without changing what is seen."""
    unseen = " \N{COMBINING GRAPHEME JOINER}"
    if len(text) + len(unseen) <= most:
        return text + unseen
    return text.replace(" ", "\N{THIN SPACE}", 1)


CLOSED = {401, 403, 404}  # of `REFUSED`, those that keep every message out

# https://dev.twitch.tv/docs/api/reference/#send-chat-announcement: one every 2 seconds, of 500 characters.
ANNOUNCEMENT_GAP = 2.0  # seconds
UNANNOUNCED = 600.0  # seconds in which Twitch is not asked again for what it has refused
SHOWN_WITHIN = 2.0  # seconds in which an announcement is heard whose answer was lost: else it is said, too
UNANNOUNCEABLE = {
    401: "the bot's key does not allow announcements; run `chatbot connect twitch --bot --announcements`",
    403: "the bot must be a moderator to make announcements; type /mod and its name in the chat",
}
"""The answers that stay the same until somebody changes something."""

# https://dev.twitch.tv/docs/api/reference/#send-whisper: at most so many whispers in so many seconds.
WHISPERS_IN = (3, 1.0), (100, 60.0)

TRIES = 4  # once, and three times more
PATIENT_TRIES = 123  # of what holds later too, while Twitch is in trouble: ten minutes
HOUR = 3600.0
STUBBORN = "a line could not be said, however often it was tried"
TROUBLED = "Twitch is in trouble; how a game came out is tried again for ten minutes"
RATE_LIMITED = 1.0, 3.0, 26.0
"""Seconds before each further try of what was too much: the pace of a chat is a second, its window thirty.

Twitch does not say which limit it was (https://dev.twitch.tv/docs/chat/#rate-limits).
"""
WHISPERERS = 5000  # people whose whispers are remembered
SILENT = 600.0  # seconds after which somebody's whisper is the first of a talk

log = structlog.get_logger(__name__)


@dataclass(eq=False, slots=True)
class _Utterance:
    """What is being said; it is `shown` once the chat tells of it, also where Twitch's answer is lost."""

    channel: str
    letters: str
    shown: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class SendOutcome:
    """What came of a try; `waits` are the seconds before each further one, where Twitch asks for some.

    A `lasting` refusal would keep every other message out of the chat too.
    """

    remedy: Remedy
    waits: tuple[float, ...] = ()
    advice: str = ""
    lasting: bool = False


class ChatSender:
    """Speaks as the bot account, with the program's own key where that may, or else with the bot's.

    Each key has points of its own (https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits). Where those of
    the program are used up, as by subscriptions to many chats, a message is said with the bot's key, if that
    has the right to.

    It outlives connections, as do those who have whispered to the bot: `connect` gives it each new one.
    `muted` is told why it cannot speak in a chat, and `refused` why it cannot make announcements there; or ""
    where it can again. `reported` is told of each message by its channel, as `Reported` says.
    """

    def __init__(
        self,
        *,
        watch: Watch,
        pause: Pause,
        record_mute: Callable[[Chat, str], Awaitable[None]],
        record_refusal: Callable[[Chat, str], Awaitable[None]],
        reported: Reported = lambda *_: None,
    ) -> None:
        self._watch, self._pause = watch, pause
        self._record_mute, self._record_refusal = record_mute, record_refusal
        self._reported = reported
        self._client: Client  # of the last connection; one that is closed answers as a Twitch in trouble
        self._spare: Callable[[], bool]
        self._bot = ""
        self._utterances: list[_Utterance] = []
        self._whisperers: OrderedDict[str, float] = OrderedDict()  # who -> when they whispered last
        self._turns: deque[float] = deque(maxlen=max(count for count, _ in WHISPERS_IN))  # of whispers
        self._mute_told = False

    def connect(self, client: Client, bot: str, spare: Callable[[], bool]) -> None:
        """Speak by this connection from now on, as the account with the id `bot`.

        `spare` tells whether its key has the right to speak now. Nobody has whispered to another account yet.
        """
        if bot != self._bot:
            self._whisperers.clear()
            self._turns.clear()
            self._mute_told = False
        self._client, self._bot, self._spare = client, bot, spare

    async def speak(self, chat: Chat, text: str, *, patient: bool = False) -> bool:
        """Say a line in a chat; false where it is lost, of which the operator then knows.

        What is `patient` is tried for ten minutes while Twitch is in trouble.
        """
        for _ in range(chat.speak(text, self._watch.now())):
            text = varied(text, LENGTH)
        with self._uttering(chat, text) as utterance:
            return await self._insist(chat, text, utterance, PATIENT_TRIES if patient else TRIES)

    async def _insist(self, chat: Chat, text: str, utterance: _Utterance, most: int) -> bool:
        failures, unsure, changed, spare, by_app = 0, False, False, False, chat.by_app
        while not (unsure and utterance.shown.is_set()):
            came = await self._try(chat, text, by_app=chat.by_app and not spare)
            spare = came.remedy is Remedy.SPARE
            match came.remedy:
                case Remedy.SENT:
                    break
                case Remedy.VARY if unsure:
                    break  # it is refused as a repetition because the first try has arrived
                case Remedy.VARY if not changed:
                    text, changed = varied(text, LENGTH), True
                case Remedy.WAIT | Remedy.RETRY:
                    unsure, failures = unsure or came.remedy is Remedy.RETRY, failures + 1
                    if not await self._persist(chat, came, failures, most):
                        return False
                case Remedy.OTHERWISE:
                    chat.by_app = False
                case Remedy.TELL | Remedy.VARY:
                    self._advise(chat, came.advice)
                    self._reported(chat.channel.id, came.advice)
                    if came.lasting:
                        chat.by_app = by_app  # the other key may not either: it was not for want of leave
                        await self._record_mute(chat, came.advice)
                    return False
        await self._record_mute(chat, "")
        self._reported(chat.channel.id, "")
        return True

    async def _persist(self, chat: Chat, came: SendOutcome, failures: int, most: int) -> bool:
        """Wait before the next try; false after `most` while Twitch is in trouble, or after `TRIES`."""
        if failures >= (most if came.remedy is Remedy.RETRY else TRIES):
            self._advise(chat, came.advice or STUBBORN)
            self._reported(chat.channel.id, came.advice or STUBBORN)
            return False
        if failures == TRIES:
            self._advise(chat, TROUBLED)
        await self._rest(failures, came.waits)
        return True

    async def announce(self, chat: Chat, text: str, colour: AnnouncementColour) -> bool:
        """Say a line as an announcement; false where it is not shown, so that it can be said as it is."""
        now = self._watch.now()
        if now < max(chat.announced_at + ANNOUNCEMENT_GAP, chat.unannounced):
            return False
        chat.announced_at = now  # before it waits: a second one within the gap would be refused
        with self._uttering(chat, text) as announcement:
            return await self._announce(chat, text, colour, announcement)

    async def _announce(
        self, chat: Chat, text: str, colour: AnnouncementColour, announcement: _Utterance
    ) -> bool:
        """Announce something with the program's own key, or the bot's where that may not.

        By the bot's key all chats would show it that are shared with this one.
        """
        by_app = chat.by_app and chat.announces_by_app
        try:
            await self._client.create_partialuser(chat.broadcaster).send_announcement(
                moderator=self._bot, message=text, color=colour, token_for=None if by_app else self._bot
            )
        except HTTPException as error:
            if by_app and error.status in {401, 403}:
                chat.announces_by_app = False
                return await self._announce(chat, text, colour, announcement)
            return await self._unannounced(chat, error, announcement.shown)
        await self._record_refusal(chat, "")
        return True

    @contextmanager
    def _uttering(self, chat: Chat, text: str) -> Iterator[_Utterance]:
        """Notice whether a text is shown while it is being said."""
        utterance = _Utterance(chat.channel.id, letters_of(text))
        self._utterances.append(utterance)
        try:
            yield utterance
        finally:
            self._utterances.remove(utterance)

    def note_shown(self, channel: str, text: str) -> None:
        """Take note that a message or an announcement of the bot is in a chat."""
        letters = letters_of(text)
        for each in self._utterances:
            if (each.channel, each.letters) == (channel, letters) and not each.shown.is_set():
                each.shown.set()
                return

    async def whisper(self, user: str, text: str, *, first: bool = False) -> bool:
        """Answer somebody who has whispered before.

        By `first` it whispers to others too, which Twitch allows to few a day, and may drop in silence
        (https://dev.twitch.tv/docs/api/reference/#send-whisper).
        """
        if user not in self._whisperers and not first:
            return False
        for failures in range(1, TRIES + 1):
            await self._await_turn()
            try:
                await self._client.create_partialuser(self._bot).send_whisper(to_user=user, message=text)
            except HTTPException as error:
                if error.status != 429 and error.status < 500:
                    self._tell_mute(error.status)
                    return False
                if failures < TRIES:
                    await self._rest(failures, _wait(error))
            else:
                return True
        return False

    async def _await_turn(self) -> None:
        """Wait until Twitch allows another whisper; whoever came before has an earlier turn."""
        now, turns = self._watch.now(), self._turns
        at = max([now, *(turns[-count] + each for count, each in WHISPERS_IN if len(turns) >= count)])
        turns.append(at)  # before it waits: who comes meanwhile reckons from this turn
        if at > now:
            await self._pause(at - now)

    def knows(self, user: str) -> bool:
        """Whether somebody has whispered to us."""
        return user in self._whisperers

    def note_whisper(self, user: str) -> bool:
        """Remember that somebody has whispered, and tell whether that is the first time for a while."""
        now = self._watch.now()
        last = self._whisperers.get(user)
        remember(self._whisperers, user, now, WHISPERERS)
        return last is None or now > last + SILENT

    async def _try(self, chat: Chat, text: str, *, by_app: bool) -> SendOutcome:
        spoken_to = self._client.create_partialuser(chat.broadcaster)
        key = None if by_app else self._bot
        try:
            answer = await spoken_to.send_message(text, self._bot, token_for=key)
        except MessageRejectedError as error:
            return self._dropped(chat, error.code or "")
        except HTTPException as error:
            if error.status == 429 and by_app and self._spare():
                return SendOutcome(Remedy.SPARE)
            if error.status in REFUSED and chat.by_app and not by_app:
                return SendOutcome(Remedy.WAIT)  # the program's key may speak here, if not at once
            return _failed(error, by_app=by_app)
        except (LookupError, TypeError):  # an answer of another shape than the library knows
            return SendOutcome(Remedy.RETRY)
        return SendOutcome(Remedy.SENT) if answer.sent else self._dropped(chat, "")

    async def _unannounced(self, chat: Chat, error: HTTPException, shown: asyncio.Event) -> bool:
        """Return whether an announcement is shown nevertheless; what lasts is remembered for a while."""
        if error.status >= 500:  # it may have arrived: then the chat tells of it
            with suppress(TimeoutError):
                await asyncio.wait_for(shown.wait(), SHOWN_WITHIN)
        elif error.status in UNANNOUNCEABLE:
            reason = UNANNOUNCEABLE[error.status]
            chat.unannounced = self._watch.now() + UNANNOUNCED
            self._advise(chat, reason, "a result was said without being announced")
            await self._record_refusal(chat, reason)
        return error.status >= 500 and shown.is_set()

    def _dropped(self, chat: Chat, code: str) -> SendOutcome:
        if code in {"msg_ratelimit", "rate_limited"}:
            chat.strike(self._watch.now())
        remedy = remedy_of(code)
        waits = RATE_LIMITED if remedy is Remedy.WAIT else ()
        return SendOutcome(remedy, waits, advice_of(code), code in LASTING)

    async def _rest(self, failures: int, waits: tuple[float, ...]) -> None:
        usual = min(2.0 ** (failures - 1), PROBE)
        await self._pause(waits[min(failures, len(waits)) - 1] if waits else usual)

    def _advise(self, chat: Chat, advice: str, event: str = "the bot could not speak") -> None:
        if chat.news(advice, self._watch.now(), HOUR):
            log.warning(event, channel=chat.login, reason=advice)

    def _tell_mute(self, status: int) -> None:
        if not self._mute_told:
            log.warning("Twitch does not let the bot whisper: its account needs a verified phone number, "
                        "and the right to; people are told so in the chat", status=status)  # fmt: skip
        self._mute_told = True


def _failed(error: HTTPException, *, by_app: bool) -> SendOutcome:
    if error.status == 429:
        return SendOutcome(Remedy.WAIT, _wait(error))
    if error.status >= 500:
        return SendOutcome(Remedy.RETRY)
    if by_app and error.status in {401, 403}:
        return SendOutcome(Remedy.OTHERWISE)
    advice = REFUSED.get(error.status, f"Twitch answered {error.status}")
    return SendOutcome(Remedy.TELL, advice=advice, lasting=error.status in CLOSED)


def _wait(error: HTTPException) -> tuple[float, ...]:
    return (error.wait,) if isinstance(error, Trouble) and error.wait else ()
