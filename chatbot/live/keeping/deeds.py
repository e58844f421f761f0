"""What keepers did, in words: what was changed, from what to what, how long ago and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote
from chatbot.ledger.changes import DUE, MONEY, REPAIR, SETTING, VOIDED
from chatbot.live.wording.spans import ago
from chatbot.settings.values import shown

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.kernel.say import Argument
    from chatbot.ledger.changes import Change, Deed

MOST = 3  # changes of one deed that are told one by one


def described(*changes: Change) -> Message:
    """Tell what was changed."""
    return Message("changes", {"changes": Listing(tuple(_described(each) for each in changes), most=MOST)})


def _described(change: Change) -> Message:
    if change.kind == SETTING:
        args: Arguments = {
            "group": shown(change.subject),
            "key": shown(change.key),
            "old": shown(change.old),
            "new": shown(change.new),
        }
        return Message("change-setting", args)
    if change.kind == MONEY:
        args = {"who": Name(Seat(change.subject)), "old": _amount(change.old), "new": _amount(change.new)}
        return Message("change-money", args)
    if change.kind == VOIDED:
        args = {"game": shown(change.key), "table": shown(change.subject), "pot": _amount(change.old)}
        return Message("change-void", args)
    if change.kind == DUE:
        return Message("change-due", {"who": Name(Seat(change.subject)), "amount": _amount(change.new)})
    if change.kind == REPAIR and change.key == "wallet":
        args = {"who": Name(Seat(change.subject)), "old": _amount(change.old), "new": _amount(change.new)}
        return Message("change-repaired", args)
    args = {
        "subject": shown(change.subject),
        "key": shown(change.key or None),
        "old": shown(change.old),
        "new": shown(change.new),
    }
    return Message(f"change-{change.kind}", args)


def told(deed: Deed, now: datetime) -> Message:
    """Tell a deed as one row of many."""
    args: Arguments = {
        "number": deed.number,
        "who": Quote(deed.name),
        "ago": ago((now - deed.at).total_seconds()),
        "changes": described(*deed.changes),
        "why": Message("deed-why", {"why": Quote(deed.why)}) if deed.why else Message("nothing"),
    }
    return Message("deed-undo" if deed.undoes is not None else "deed", args)


def _amount(text: str | None) -> Argument:
    return Credits(int(text)) if text is not None and text.isdecimal() else shown(text)
