"""What comes from a channel: lines that members say, and other events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Message
from chatbot.ledger.people import Account
from chatbot.ledger.vouchers import Voucher
from chatbot.rooms.channel import Manner
from chatbot.speech.visible import as_seen

LONGEST_LINE = 500  # characters; a longer line is no command
SIGN = "!"  # with which every command begins
_SIGNS = SIGN, "\uff01"  # the second one is the "!" of keyboards for Chinese and Japanese
NOBODY = Seat("")  # the seat of a line whose speaker was not looked up yet
OPERATOR_ACCOUNT = Account("operator", "operator")
"""The account of the operator's lines, which are said on pages: no platform has it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A message from a member.

    `text` is what people see of it, whatever an adapter was told, so that all read alike; see `as_read`.
    `id` is the platform's id, unique across platforms and starts: what was heard before is not heard again. A
    `private` line was sent to the bot alone. A button belongs to a `table`, and acts at no other. A mention
    stands in the text as `@<account>`, and in `named` with its display name. `role` is the highest role
    that the platform reports; `badges` are the others. `login` is the account's unique name on its platform.
    `barred` says why the bot cannot write where the line was said: nobody can stake anything there.
    `voucher` pays for the stake of a line that a platform sold. `sent` is when the platform says that it was
    sent; None: it does not say. `manner` is that of a page on which the line was said; None: the channel's.
    `scopes` is what a program may that says it; None: no program does.
    `most` are the credits that it may take out of the speaker's wallet; None: as many as there are. Where it
    has a bound, it cannot promise more than it takes, either.

    The bot adds the speaker: `seat` is the seat as which they act, `home` the person to whom their account
    belongs, `linked_accounts` all persons who are linked with that one, and `accounts` all of their
    accounts.
    """

    id: str
    channel: str
    account: Account
    name: str
    role: Role
    text: str
    private: bool = False
    table: str | None = None
    named: Mapping[Account, str] = field(default_factory=dict)
    badges: frozenset[Role] = frozenset()
    login: str = ""
    barred: Message | None = None
    voucher: Voucher | None = None
    sent: datetime | None = None
    manner: Manner | None = None
    scopes: frozenset[str] | None = None
    most: int | None = None
    seat: Seat = NOBODY
    home: Seat = NOBODY
    linked_accounts: frozenset[Seat] = frozenset()
    accounts: tuple[Account, ...] = ()

    def __post_init__(self) -> None:
        text = self.text
        # Nearly all lines are as they are read; whoever replaces another field makes the line anew.
        if not (text.isascii() and text.isprintable() and " ".join(text.split()) == text):
            object.__setattr__(self, "text", as_read(text))

    @property
    def is_by_operator(self) -> bool:
        """Whether whoever runs the program has said it."""
        return self.account == OPERATOR_ACCOUNT

    @property
    def roles(self) -> frozenset[Role]:
        """All roles that the platform reports."""
        return self.badges | {self.role}


def as_read(text: str) -> str:
    """Return what people see of what somebody wrote, a command with the sign that the bot knows."""
    visible = as_seen(text)
    if not visible.startswith(_SIGNS):
        return visible
    rest = visible[1:]
    return SIGN + (rest if rest.startswith(" ") else as_seen(rest))  # "! heist" is no command


def is_command(line: Line) -> bool:
    """Whether a line is read as a command."""
    return line.text.startswith(SIGN) and len(line.text) <= LONGEST_LINE


class Happening(Enum):
    """The kinds of events of a channel other than lines."""

    ONLINE = "online"
    OFFLINE = "offline"
    FOLLOW = "follow"
    SUBSCRIBE = "subscribe"
    CHEER = "cheer"
    RAID = "raid"


@dataclass(frozen=True, slots=True)
class Occasion:
    """An event of a channel other than a line; `amount` counts months, bits or raiders.

    `sent` is when the platform says that it told of it; None: it does not say.
    The bot adds the member: `seat`, whose purse they use, and `home`, the person to whom the account belongs.
    """

    id: str
    channel: str
    kind: Happening
    account: Account | None = None
    name: str = ""
    amount: int = 0
    sent: datetime | None = None
    seat: Seat | None = None
    home: Seat | None = None
