"""What people type, with what it may do to the books at most: written down before the bot has read it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from chatbot.rooms.line import Line
from tests.simulator.cards import ANSWERS as ANSWERS_TO_CARDS
from tests.simulator.cards import CHOICES as CARDS_CHOICES
from tests.simulator.cards import JUNK as CARDS_JUNK
from tests.simulator.cards import SETTINGS, Cards
from tests.simulator.chicken import CHOICES as CHICKEN_CHOICES
from tests.simulator.chicken import Chicken
from tests.simulator.crowd import Crowd
from tests.simulator.heists import ANSWERS, CHOICES
from tests.simulator.keeping import Keeping
from tests.simulator.linking import STAKES, Links
from tests.simulator.market import CHOICES as MARKET_CHOICES
from tests.simulator.market import Market
from tests.simulator.paying import Paying
from tests.simulator.shows import SHOW_ANSWERS, SHOW_CHOICES, SHOW_JUNK, SHOWS, TERMS
from tests.simulator.town import CHANNELS, COMMUNITIES, NAMES, OTHERS, ROOM_OF, Person, account_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from chatbot.rooms.table_protocol import Table
    from tests.simulator.books import Books
    from tests.simulator.town import Town

AMOUNTS = (
    "1", "5", "10", "69", "100", "239", "240", "241", "500", "1k", "all", "\uff15", "half", "25%", "100%",
    "3%",
)  # fmt: skip
NONSENSE = (
    "0", "-5", "1.5", "1e3", "nan", "٣", "1_000", "101%", "0%", "9" * 16, "9" * 40, "1000000000000001",
    "allin", "'; DROP TABLE account;--", "{x}", "+7", "k", "\u0665",
)  # fmt: skip
TALK = (
    "good evening", "lol", "", "!", "! heist 5", "!unknown", "!heistt", "x" * 600, "!credits " + "x" * 500,
)  # fmt: skip
QUESTIONS = (
    "!credits", "!credits @ann", "!top", "!top 3", "!top 99", "!fair", "!fair heist", "!fair chess",
    "!season", "!help", "!heist odds", "!heist career", "!verify nonsense", "!verify",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line and what it asks for: that credits of `amount`, as typed, be moved, or nothing of the kind.

    A pledge takes up a stake that somebody else has named, if there is one.
    """

    line: Line
    kind: Literal["stake", "pledge", "gift", "grant", "take", "claim", "talk"] = "talk"
    amount: str = ""
    taker: Person | None = None

    @property
    def room(self) -> str:
        return ROOM_OF[self.line.channel]

    @property
    def community(self) -> str:
        return COMMUNITIES[self.room]


def meant(amount: str, purse: int) -> int | None:
    """Read an amount as the manual has it, in other ways than the bot does; None: it is none."""
    if all("\uff10" <= each <= "\uff19" for each in amount):  # as a Korean keyboard may type digits
        amount = unicodedata.normalize("NFKC", amount)
    plain = amount.isascii() and amount.lower()
    if not plain:
        return None
    shares = {"all": 100, "half": 50} | {f"{percent}%": percent for percent in range(1, 101)}
    if plain in shares:
        return max(1, purse * shares[plain] // 100)
    factor = {"k": 1000, "m": 1_000_000}.get(plain[-1], 1)
    digits = plain if factor == 1 else plain[:-1]
    if not digits.isdigit() or len(digits) > 16:
        return None
    return value if 1 <= (value := int(digits) * factor) <= 10**15 else None


class Chatter:
    """Makes up lines, each with an id of its own; where it `shows`, of games that are played apart too."""

    def __init__(self, rng: Random, town: Town, *, shows: bool) -> None:
        self._rng, self._town, self._shows = rng, town, shows
        self._ids = 0
        self.tables: list[str] = []  # that have been heard of, for `!verify`
        self._players: list[tuple[Person, str]] = []  # who wanted to play High Show, and where
        self._cards = Cards(rng, town.people)
        self.market = Market(rng, town.people)
        self.paying = Paying(rng, town.people) if shows else None
        self._keeping = Keeping(rng, town.people, self._amount)
        self.linking = Links(rng, town.people)
        self._chicken = Chicken(rng, town.people)
        self._crowd = Crowd(rng, town.people, self._amount)

    def line(self) -> Spoken:
        """Make up a line of somebody."""
        room = self._rng.choices(("den", "attic", "cellar"), (6, 3, 2))[0]
        person = self._rng.choice(self._town.people)
        rare = self._rare(person, room) if self._shows else None
        if rare is not None:
            return rare
        if self._rng.random() < 0.12:
            return self._keep(person, room)
        apart = self._apart(person, room) if self._shows else None
        if apart is not None:
            return apart
        kinds = (self._stake, self._answer, self._gift, self._question, self._talk, self._order)
        return self._rng.choices(kinds, (32, 22, 18, 10, 8, 10))[0](person, room)

    def _apart(self, person: Person, room: str) -> Spoken | None:
        """Let somebody play a game that is played apart, if they do."""
        if self._rng.random() < (0.4 if self.market.asked else 0.05):
            return self._trade(person, room)
        if self._rng.random() < self._chicken.eager:
            return self._choose_cards(person, room)
        if self._cards.open and self._rng.random() < 0.75:
            return self._card(person, room)
        if self._rng.random() < 0.45:
            shows = (self._show, self._honour, self._turn, self._button, self._junk, self._show_order)
            return self._rng.choices(shows, (20, 10, 40, 30, 10, 8))[0](person, room)
        return self._card(person, room) if self._rng.random() < 0.35 else None

    def _rare(self, person: Person, room: str) -> Spoken | None:
        """Let somebody say what goes on in several lines, if they do."""
        if self._rng.random() < self.linking.eager:
            said, room = self.linking.line(person), self._rng.choice(("attic", "attic", room))
        elif self._rng.random() < self._keeping.eager:
            said, room = self._keeping.end(person, room)
        else:
            return None
        return Spoken(self._typed(said.person, room, said.text), said.kind, said.amount)

    def crowd(self) -> list[Spoken]:
        """Let many people speak in one room at the same moment, in its chat."""
        room = self._rng.choices(("den", "attic", "cellar"), (6, 3, 2))[0]
        lines = [(each, self._typed(each.person, room, each.text)) for each in self._crowd.gather()]
        return [Spoken(replace(line, channel=f"{room}:chat"), each.kind, each.amount) for each, line in lines]

    def upset(self, table: Table) -> Spoken:
        """Call a table off, or have somebody at it linked, or parted from whom they were linked with."""
        if self._rng.random() < 0.4:
            named = ""
            if not table.kit.seating.shared:
                there = [each for each in self._town.people if any(map(each.sits_as, table.seated))]
                named = f" @{self._rng.choice(there).name}" if there else ""
            return Spoken(self._typed(self._keeper(), table.room.id, f"!cancel {table.kit.word}{named}"))
        said = self.linking.amid(table.seated)
        return Spoken(
            self._typed(said.person, self._rng.choice(("attic", table.room.id)), said.text),
            said.kind,
            said.amount,
        )

    def twins(self) -> list[Spoken]:
        """Let both accounts of one person stake at the same table at the same moment, if somebody has two."""
        room, game = self._rng.choice(list(CHANNELS)), self._rng.choice(STAKES)
        return [
            Spoken(self._typed(each, room, game), "stake", game.split()[-1]) for each in self.linking.twins()
        ]

    def again(self, spoken: Spoken) -> Spoken:
        """Deliver a line once more, perhaps over another channel, and rarely in another room of theirs."""
        rooms = [room for room in CHANNELS if COMMUNITIES[room] == spoken.community]
        rooms = [spoken.room] if self._rng.random() < 0.9 else rooms
        channels = [channel for room in rooms for channel in CHANNELS[room]]
        line = spoken.line
        copy = replace(line, channel=self._rng.choice(channels))
        return Spoken(copy, spoken.kind, spoken.amount, spoken.taker)

    # Kinds of lines

    def _stake(self, person: Person, room: str) -> Spoken:
        amount = self._amount()
        word = self._rng.choice(("!heist", "!heist", "!HEIST", "!bankheist"))
        return Spoken(self._typed(person, room, f"{word} {amount}".rstrip()), "stake", amount)

    def _answer(self, person: Person, room: str) -> Spoken:
        text = f"!{self._rng.choice(ANSWERS)}"
        return Spoken(self._typed(person, room, text, private=self._rng.random() < 0.5))

    def _gift(self, person: Person, room: str) -> Spoken:
        taker, amount = self._rng.choice(self._town.people), self._amount()
        name = taker.name if self._rng.random() < 0.9 else "nobody"
        line = self._typed(person, room, f"!give @{name} {amount}".rstrip(), private=self._rng.random() < 0.2)
        return Spoken(line, "gift", amount, taker if name != "nobody" else None)

    def _question(self, person: Person, room: str) -> Spoken:
        questions = [*QUESTIONS, *(f"!verify {table}" for table in self.tables[-3:])]
        return Spoken(
            self._typed(person, room, self._rng.choice(questions), private=self._rng.random() < 0.2)
        )

    def _talk(self, person: Person, room: str) -> Spoken:
        return Spoken(self._typed(person, room, self._rng.choice(TALK)))

    def _order(self, person: Person, room: str) -> Spoken:
        moderators = [each for each in self._town.people if each.role.value in {"moderator", "broadcaster"}]
        who = self._rng.choice(moderators) if self._rng.random() < 0.9 else person
        presets = ("!preset heist small", "!preset heist deepbot", "!preset heist contest", "!preset heist x")
        kind = self._rng.random()
        if kind < 0.25:
            return Spoken(self._typed(who, room, "!cancel heist"))
        if kind < 0.4:
            return Spoken(self._typed(who, room, self._rng.choice(presets)))
        return Spoken(self._typed(who, room, f"!set {self._rng.choice(CHOICES)}"))

    def _keep(self, person: Person, room: str) -> Spoken:
        said = self._keeping.line(person, room)
        line = self._typed(said.person, room, said.text, private=self._rng.random() < 0.2)
        return Spoken(line, said.kind, said.amount, said.taker)

    # High Show

    def _show(self, person: Person, room: str) -> Spoken:
        """Play for credits: 0 of them would be for honour."""
        amount = self._amount() or "5"
        amount = "-0" if amount == "0" else amount
        text = f"!highshow {self._rng.choice(TERMS)} {amount}"
        self._players.append((person, room))
        return Spoken(self._typed(person, room, text), "stake", amount)

    def _honour(self, person: Person, room: str) -> Spoken:
        self._players.append((person, room))
        return Spoken(self._typed(person, room, f"{self._rng.choice(SHOWS)} cards={self._rng.randint(3, 6)}"))

    def _turn(self, person: Person, room: str) -> Spoken:
        """Answer, more often than not for somebody who plays."""
        if self._players and self._rng.random() < 0.8:
            person, room = self._rng.choice(self._players[-3:])
        return Spoken(self._typed(person, room, self._rng.choice(SHOW_ANSWERS)))

    def _button(self, person: Person, room: str) -> Spoken:
        """Press a button of any table: of one's own, of somebody else's, or of one that is over."""
        table = self._rng.choice(self.tables[-6:] or ["gone"])
        line = self._typed(person, room, self._rng.choice(SHOW_ANSWERS))
        return Spoken(replace(line, table=table))

    def _junk(self, person: Person, room: str) -> Spoken:
        return Spoken(self._typed(person, room, self._rng.choice(SHOW_JUNK)))

    def _show_order(self, person: Person, room: str) -> Spoken:
        return self._order_of("highshow", SHOW_CHOICES, person, room)

    def _order_of(self, game: str, choices: Sequence[str], person: Person, room: str) -> Spoken:
        moderators = [each for each in self._town.people if each.role.value in {"moderator", "broadcaster"}]
        who = self._rng.choice(moderators) if self._rng.random() < 0.9 else person
        if self._rng.random() < 0.3:
            named = self._rng.choice(("", f" @{self._rng.choice(self._town.people).name}"))
            return Spoken(self._typed(who, room, f"!cancel {game}{named}"))
        return Spoken(self._typed(who, room, f"!set {self._rng.choice(choices)}"))

    # Six Card Poker

    def _card(self, person: Person, room: str) -> Spoken:
        cards = self._open_cards, self._answer_cards, self._set_cards, self._cards_junk, self._cards_order
        weights = (5, 60, 20, 4, 4) if self._cards.open else (50, 8, 40, 6, 6)
        return self._rng.choices(cards, weights)[0](person, room)

    def _open_cards(self, person: Person, room: str) -> Spoken:
        """Play for credits: 0 of them would be for honour."""
        amount = self._amount() or "5"
        amount = "-0" if amount == "0" else amount
        if self._rng.random() < 0.3:
            text = self._cards.opening(person, room)
        else:
            room = room if self._rng.random() < 0.2 else "attic"  # whoever is in the den is known there
            text = self._cards.challenge(person, room)
        return Spoken(self._typed(person, room, f"{text} {amount}"), "stake", amount)

    def _answer_cards(self, person: Person, room: str) -> Spoken:
        person, room = self._cards.asked(person, room)
        line = self._typed(person, room, f"!sixcard {self._rng.choice(ANSWERS_TO_CARDS)}")
        return Spoken(self._pressed(line), "pledge")

    def _set_cards(self, person: Person, room: str) -> Spoken:
        person, room = self._cards.playing(person, room)
        line = self._typed(person, room, self._rng.choice(SETTINGS), private=self._rng.random() < 0.5)
        return Spoken(self._pressed(line))

    def _cards_junk(self, person: Person, room: str) -> Spoken:
        return Spoken(self._typed(person, room, self._rng.choice(CARDS_JUNK)))

    def _cards_order(self, person: Person, room: str) -> Spoken:
        return self._order_of("sixcard", CARDS_CHOICES, person, room)

    # Chicken Poker

    def _choose_cards(self, person: Person, room: str) -> Spoken:
        """Play for credits: 0 of them would be for honour."""
        amount = self._amount() or "5"
        amount = "-0" if amount == "0" else amount
        person, room, text, kind = self._chicken.line(person, room, amount)
        if not text:
            return self._order_of("chickenpoker", CHICKEN_CHOICES, person, room)
        private = text.startswith("!play") and self._rng.random() < 0.7
        line = self._typed(person, room, text, private=private)
        return Spoken(line, kind, amount) if kind == "stake" else Spoken(self._pressed(line), kind)

    # Poker Market

    def _trade(self, person: Person, room: str) -> Spoken:
        """Play for credits: 0 of them would be for honour."""
        amount = self._amount() or "5"
        amount = "-0" if amount == "0" else amount
        person, room, text, kind = self.market.line(person, room, amount)
        if not text:
            return self._order_of("pokermarket", MARKET_CHOICES, person, room)
        line = self._typed(person, room, text)
        return Spoken(line, kind, amount) if kind == "stake" else Spoken(self._pressed(line), kind)

    def _pressed(self, line: Line) -> Line:
        """Now and then it is a button of some table that says it."""
        return replace(
            line, table=self._rng.choice(self.tables[-6:] or ["gone"]) if self._rng.random() < 0.2 else None
        )

    def _keeper(self) -> Person:
        return self._rng.choice(
            [each for each in self._town.people if each.role.value in {"moderator", "broadcaster"}]
        )

    def _amount(self) -> str:
        if self._rng.random() < 0.08:
            return ""
        return self._rng.choice(NONSENSE if self._rng.random() < 0.15 else AMOUNTS)

    def _typed(self, person: Person, room: str, text: str, *, private: bool = False) -> Line:
        self._ids += 1
        self._cards.heard.append(person)
        channel = self._rng.choice(CHANNELS[room])
        return Line(f"tw:{self._ids}", channel, person.account, person.name, person.role, text, private)


def takers(spoken: Spoken, books: Books) -> list[str]:
    """List whose name is meant, whatever its case."""
    if spoken.taker is None:
        return []
    return [
        books.home(account_of(name))
        for name in (*NAMES, *OTHERS, "mo", "boss")
        if name.casefold() == spoken.taker.name.casefold()
    ]
