"""A Twitch chat as the bot stands in it: how much it may say there, and with which key."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from chatbot.live.room import Channel, Manner, Privacy, Room
from chatbot.live.wording.safe import twitch
from cogs.twitch_reading import seen

# https://dev.twitch.tv/docs/chat/#rate-limits: 20 in 30 s, 100 as moderator; one less, for clocks differ.
LENGTH = 500
VIEWER_BUDGET, MODERATOR_BUDGET = 19, 99
FORGIVEN = 600.0  # seconds after which a broken limit is forgotten
RECALLED = 100  # lines by which the bot knows its own voice

MANNER = Manner(
    private=Privacy.SECRETS,
    length=LENGTH,
    quiet=1.0,
    merged=480,
    budget=VIEWER_BUDGET,
    window=30.0,
    dress=twitch,
    streams=True,
)


@dataclass(eq=False)
class Chat:
    broadcaster: str
    login: str
    room: Room  # that it has by itself; it may have joined another
    channel: Channel
    moderator: bool = False
    by_app: bool = True  # whether the program's own key may speak here
    strikes: int = 0
    struck: float = 0.0  # when, by the house's watch
    told: dict[str, float] = field(default_factory=dict)  # advice -> when the operator got it
    spoken: deque[str] = field(default_factory=lambda: deque(maxlen=RECALLED))  # without blanks

    def stand(self, moderator: bool, now: float) -> None:
        """Keep the budget to what the bot's badges say."""
        if moderator and not self.moderator:
            self.by_app = True  # a moderator needs nobody's leave for it
        self.moderator = moderator
        self.settle(now)

    def speak(self, text: str) -> None:
        """Remember what the bot says here."""
        self.spoken.append(_letters(text))

    def spoke(self, text: str) -> bool:
        """Whether what was heard is what the bot has said."""
        return _letters(text) in self.spoken

    def strike(self, now: float) -> None:
        """Say less for a while: Twitch counts otherwise than we do."""
        self.strikes, self.struck = self.strikes + 1, now
        self.settle(now)

    def settle(self, now: float) -> None:
        if now > self.struck + FORGIVEN:
            self.strikes = 0
        full = MODERATOR_BUDGET if self.moderator else VIEWER_BUDGET
        budget = max(1, full // 2**self.strikes)
        if self.channel.manner.budget != budget:
            self.channel.manner = replace(self.channel.manner, budget=budget)

    def news(self, advice: str, now: float, every: float) -> bool:
        """Whether the operator has not been told this for so long."""
        if now < self.told.get(advice, -every) + every:
            return False
        self.told[advice] = now
        return True


def _letters(text: str) -> str:
    """Leave out the blanks and what is unseen at the ends: a repeated line is said with others."""
    return "".join(seen(text).split())
