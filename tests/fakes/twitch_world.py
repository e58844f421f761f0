"""What a fake Twitch knows: who there is, what was said where, and how much may be said."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.fakes.twitch_authority import Authority

if TYPE_CHECKING:
    from collections.abc import Iterable

# https://dev.twitch.tv/docs/chat/#rate-limits
WINDOW = 30.0  # seconds
LIMIT, MODERATOR_LIMIT = 20, 100  # messages of one account in one channel and window
PACE = 1.0  # seconds between two messages of one account in one channel where it is no moderator
ROUNDING = 1e-9  # seconds
# https://dev.twitch.tv/docs/api/reference/#send-chat-message
LONGEST = 500  # characters
# https://dev.twitch.tv/docs/api/reference/#send-chat-announcement
ANNOUNCEMENT_GAP = 2.0  # seconds between two announcements in a channel
# https://dev.twitch.tv/docs/api/reference/#send-whisper
RECIPIENTS = 40  # people on a day, who are not forgotten here
WHISPERS_IN = (3, 1.0), (100, 60.0)  # whispers and seconds
# https://github.com/twitchdev/issues/issues/1002: what a message is dropped by whose sender is timed out
TIMED_OUT = "user_timed_out"
COLOURS = {"blue", "green", "orange", "purple", "primary"}


@dataclass(frozen=True, slots=True)
class User:
    id: str
    login: str
    name: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What the bot has said, and whether with the program's own key."""

    channel: str
    sender: str
    text: str
    at: float
    by_app: bool


@dataclass(frozen=True, slots=True)
class Announced:
    """What the bot has announced in a channel, by the id of its broadcaster.

    What is announced `by_app`, with the program's own key, is shown in that channel's chat alone; else in all
    chats that are shared with it, too.
    """

    channel: str
    text: str
    colour: str
    at: float
    by_app: bool = False


@dataclass(frozen=True, slots=True)
class Whispered:
    to: str
    text: str
    at: float = 0.0


@dataclass(eq=False)
class Fault:
    """What is answered to some requests instead; by status 0 the connection is closed."""

    path: str
    method: str
    status: int
    message: str
    headers: dict[str, str]
    times: int
    until: asyncio.Event | None  # when it is answered


@dataclass(eq=False)
class Budget:
    """The points of one key, which come back evenly.

    See https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits. `least` is the fewest that were ever left.
    """

    limit: int
    left: float
    at: float  # of the real clock
    refused: int = 0
    least: float = float("inf")
    clock: Callable[[], float] = time.monotonic

    def take(self) -> bool:
        """Pay for a request, if there is a point left."""
        now = self.clock()
        self.left = min(self.limit, self.left + (now - self.at) * self.limit / 60)
        self.at = now
        paid = self.left >= 1
        self.left, self.refused = self.left - paid, self.refused + (not paid)
        self.least = min(self.least, self.left)
        return paid

    @property
    def headers(self) -> dict[str, str]:
        full = time.time() + (self.limit - self.left) * 60 / self.limit
        return {"Ratelimit-Limit": str(self.limit), "Ratelimit-Remaining": str(int(self.left)),
                "Ratelimit-Reset": str(int(full))}  # fmt: skip


@dataclass(eq=False)
class World:
    """Everything that is no connection. `clock` is what limits are measured by."""

    authority: Authority = field(default_factory=Authority)
    clock: Callable[[], float] = time.monotonic
    pace: float = PACE
    users: dict[str, User] = field(default_factory=dict)  # by login
    streaming: set[str] = field(default_factory=set)  # logins
    moderators: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    chatters: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # logins
    banned: set[tuple[str, str]] = field(default_factory=set)  # channel and user, by id
    timeouts: dict[tuple[str, str], float] = field(default_factory=dict)  # the same -> when each ends
    said: list[Sent] = field(default_factory=list)
    whispers: list[Whispered] = field(default_factory=list)
    drops: defaultdict[str, deque[str]] = field(default_factory=lambda: defaultdict(deque))  # login -> codes
    violations: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)  # "POST chat/messages"
    points: int = 800  # of each key in a minute
    budgets: dict[str, Budget] = field(default_factory=dict)  # by the id of the account; "" is the program's
    announced: list[Announced] = field(default_factory=list)
    lost_announcements: int = 0  # announcements that are shown, while whoever made them gets an error
    lost_answers: int = 0  # messages that are shown, while whoever sent them gets an error
    mute: int | None = None  # the status of every whisper
    whispers_are_paced: bool = True
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1000))

    def user(self, login: str, name: str = "") -> User:
        """Give an account; there is one as soon as somebody asks."""
        if login not in self.users:
            user = User(str(next(self.numbers)), login, name or login.capitalize())
            self.users[login] = user
            self.authority.accounts[user.id] = login
        return self.users[login]

    def by_id(self, user_id: str) -> User:
        return next(each for each in self.users.values() if each.id == user_id)

    def budget(self, user_id: str) -> Budget:
        """Give the points of the key of an account."""
        fresh = Budget(self.points, self.points, time.monotonic())
        return self.budgets.setdefault(user_id, fresh)

    def may_whisper(self, to: str) -> bool:
        """Whether the limits of whispers allow one more, and write down which it would break."""
        people, now = {each.to for each in self.whispers}, self.clock()
        if to not in people and len(people) >= RECIPIENTS:
            self.violations.append(f"whispers to more than {RECIPIENTS} people")
            return False
        for count, seconds in WHISPERS_IN if self.whispers_are_paced else ():
            if sum(each.at > now - seconds for each in self.whispers) >= count:
                self.violations.append(f"more than {count} whispers in {seconds} s")
                return False
        return True

    def granted(self, user_id: str, scope: str) -> bool:
        """Whether an account has ever granted this, and not taken it back."""
        tokens = self.authority.tokens.values()
        return any(each.user_id == user_id and scope in each.scopes for each in tokens)

    def disturb(
        self,
        path: str,
        status: int,
        *,
        message: str = "",
        times: int = 1,
        method: str = "",
        reset: float = 0.0,
        until: asyncio.Event | None = None,
    ) -> None:
        """Answer the next requests to a path by an error; `reset` is in how many seconds a bucket is full."""
        headers = {"Ratelimit-Reset": str(int(time.time() + reset))} if reset else {}
        self.faults.append(Fault(path, method, status, message, headers, times, until))

    def fault(self, method: str, path: str) -> Fault | None:
        for each in self.faults:
            if path.startswith(each.path) and each.method in {"", method} and each.times:
                each.times -= 1
                return each
        return None

    def sent(self, login: str) -> list[str]:
        """Give what the bot said in a channel."""
        return [each.text for each in self.said if each.channel == self.users[login].id]

    def moderate(self, channel: str, user: str, *, on: bool = True) -> None:
        moderators = self.moderators[self.users[channel].id]
        (moderators.add if on else moderators.discard)(self.users[user].id)

    def timed_out(self, channel: str, user: str) -> bool:
        return self.clock() < self.timeouts.get((channel, user), 0.0)

    def silenced(self, channel: str, user: str) -> bool:
        """Whether an account can write nothing in a channel; all are named by their ids."""
        return (channel, user) in self.banned or self.timed_out(channel, user)

    def badges(self, channel: str, user: str) -> Iterable[str]:
        if channel == user:
            yield "broadcaster"
        if user in self.moderators[channel]:
            yield "moderator"

    def judge(self, channel: User, sender: str, text: str) -> str | None:
        """Give the code by which a message is dropped, and write down what broke a limit."""
        privileged = channel.id == sender or sender in self.moderators[channel.id]
        recent = [each for each in self.said if (each.channel, each.sender) == (channel.id, sender)
                  and each.at > self.clock() - WINDOW]  # fmt: skip
        if len(recent) >= (MODERATOR_LIMIT if privileged else LIMIT):
            self.violations.append(f"{len(recent) + 1} messages in {channel.login} within {WINDOW} s")
            return "msg_ratelimit"
        if self.drops[channel.login]:
            return self.drops[channel.login].popleft()
        if self.timed_out(channel.id, sender):
            return TIMED_OUT
        if not privileged and any(each.text == text for each in recent):
            return "msg_duplicate"
        if not privileged and recent and recent[-1].at + self.pace - self.clock() > ROUNDING:
            self.violations.append(f"two messages in {channel.login} within {self.pace} s")
            return "msg_ratelimit"
        return None
