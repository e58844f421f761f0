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
# Who is no moderator may say one message a second in a chat. A moderator may say more, but is also read.
VIEWER_GAP, MODERATOR_GAP, LONGEST_GAP = 1.0, 0.5, 2.0  # seconds
FORGIVEN = 600.0  # seconds after which a broken limit is forgotten
RECALLED = 100  # lines by which the bot knows its own voice
SAME = 31.0  # seconds in which Twitch shows a text once, and one more, for clocks differ

MANNER = Manner(
    private=Privacy.SECRETS,
    length=LENGTH,
    gap=VIEWER_GAP,
    longest_gap=LONGEST_GAP,
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
    spoken: deque[tuple[str, float]] = field(default_factory=lambda: deque(maxlen=RECALLED))  # and when

    def stand(self, moderator: bool, now: float) -> None:
        """Keep to what the bot's badges let it say."""
        if moderator and not self.moderator:
            self.by_app = True  # a moderator needs nobody's leave for it
        self.moderator = moderator
        self.settle(now)

    def speak(self, text: str, now: float) -> int:
        """Remember what the bot says here, and tell how often Twitch would find it a repetition now."""
        letters = _letters(text)
        before = 0 if self.moderator else sum(each == letters and at > now - SAME for each, at in self.spoken)
        self.spoken.append((letters, now))
        return before

    def spoke(self, text: str) -> bool:
        """Whether what was heard is what the bot has said."""
        letters = _letters(text)
        return any(each == letters for each, _ in self.spoken)

    def strike(self, now: float) -> None:
        """Say less for a while: Twitch counts otherwise than we do."""
        self.strikes, self.struck = self.strikes + 1, now
        self.settle(now)

    def settle(self, now: float) -> None:
        if now > self.struck + FORGIVEN:
            self.strikes = 0
        full = MODERATOR_BUDGET if self.moderator else VIEWER_BUDGET
        budget = max(1, full // 2**self.strikes)
        gap = MODERATOR_GAP if self.moderator else VIEWER_GAP
        if (self.channel.manner.budget, self.channel.manner.gap) != (budget, gap):
            self.channel.manner = replace(self.channel.manner, budget=budget, gap=gap)

    def news(self, advice: str, now: float, every: float) -> bool:
        """Whether the operator has not been told this for so long."""
        if now < self.told.get(advice, -every) + every:
            return False
        self.told[advice] = now
        return True


def _letters(text: str) -> str:
    """Leave out the blanks and what is unseen at the ends: a repeated line is said with others."""
    return "".join(seen(text).split())
