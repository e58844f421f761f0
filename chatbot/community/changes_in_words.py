"""Describes changes by moderators in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name
from chatbot.ledger.changes import (
    CONFIRMED,
    CROWD,
    DUE,
    IMPORTED,
    IMPORTED_ROWS,
    MONEY,
    RAISED,
    REPAIR,
    SETTING,
    VOIDED,
)
from chatbot.settings.fields import shown

if TYPE_CHECKING:
    from chatbot.kernel.say import Argument
    from chatbot.ledger.changes import Change

WALLET = REPAIR, "wallet"  # kind and key of a change that corrected a balance
MOST_LISTED = 3  # changes of one action that are listed; the others are counted


def described(*changes: Change) -> Message:
    """Return the description of changes."""
    return Message(
        "changes", {"changes": Listing(tuple(_described(each) for each in changes), most=MOST_LISTED)}
    )


def _described(change: Change) -> Message:
    values: Arguments = {"old": shown(change.old), "new": shown(change.new)}
    amounts: Arguments = {"old": _amount(change.old), "new": _amount(change.new)}
    who: Arguments = {"who": Name(Seat(change.subject))}
    name, args = change.kind, values
    if change.subject.startswith(CROWD):
        name = change.subject.replace(":", "-")
        args = {"count": int(change.key or 0), "amount": _amount((change.new or "").removeprefix("+"))}
    elif change.subject in {IMPORTED, IMPORTED_ROWS}:
        name, args = change.subject, {"file": shown(change.key or None), "amount": _brought(change)}
    elif change.kind == SETTING:
        args = {"group": shown(change.subject), "key": shown(change.key), **values}
    elif change.kind == MONEY:
        args = {**who, **amounts}
    elif change.kind == VOIDED:
        args = {"game": shown(change.key), "table": shown(change.subject), "pot": _amount(change.old)}
    elif change.kind == RAISED:
        args = amounts
    elif change.kind == DUE:
        args = {**who, "amount": _amount(change.new)}
    elif change.kind == CONFIRMED:
        args = who
    elif (change.kind, change.key) == WALLET:
        name, args = "repaired", {**who, **amounts}
    else:
        args = {"subject": shown(change.subject), "key": shown(change.key or None), **values}
    return Message(f"change-{name}", args)


def _brought(change: Change) -> Argument:
    """Return what an import or its undoing has moved, without its sign."""
    return _amount((change.new or "").lstrip("+-"))


def _amount(text: str | None) -> Argument:
    return Credits(int(text)) if text is not None and text.isdecimal() else shown(text)
