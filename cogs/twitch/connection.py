"""The states of the connection to Twitch, and the one table of what each event makes of them.

Nothing here waits, logs or asks anything, so that the table can be tried whole. The adapter does what is said
here of its state (`ACTIVITIES`), and to lines (`SEND_POLICIES`). It keeps no flag beside it: of one flag each
for "stopped", "leaving" and "failed" two could contradict each other, as when an adapter that left for a
refused key was stopped meanwhile, and then waited for another key for ever.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class ConnectionState(Enum):
    """Where the adapter is between being run and having left."""

    IDLE = "it does not run, but may be run again"
    ARRIVING = "it signs in and opens rooms"
    CONNECTED = "it can speak, and asks Twitch for events"
    READY = "it has asked for every event"
    LEAVING = "it leaves, and its run ends then"
    LEAVING_FOR_KEY = "it leaves, as a key is missing or refused"
    LEAVING_FOR_BOT = "it leaves, as another account is the bot from now on"
    LEAVING_FOR_OPERATOR = "it leaves, and only the operator can put right why"
    AWAITING_KEY = "it waits until another key is on the disk"
    FAILED = "it does not run, and will not before the operator has done something"


class ConnectionEvent(Enum):
    """What happens to the connection."""

    RUN = "the adapter is run"
    CONNECTED = "there is a connection to speak by"
    SUBSCRIBED = "everything was asked for"
    KEY_NEEDED = "a key that nothing goes on without is missing or refused"
    KEY_FOUND = "such a key is on the disk"
    BOT_REPLACED = "another account was connected as the bot"
    OPERATOR_NEEDED = "only the operator can put something right"
    LOST = "Twitch cannot be reached, or refuses for the moment, or something unforeseen failed"
    STOPPED = "the adapter is stopped, or its run cancelled"
    LEFT = "the connection is closed"


class Activity(Enum):
    """What the adapter does in a state."""

    NOTHING = "wait to be run"
    STAY = "arrive, and then be there"
    LEAVE = "close the connection in order, which nothing interrupts"
    AWAIT_KEY = "look for another key"


class SendPolicy(Enum):
    """What becomes of a line that is to be said."""

    WAIT = "it waits a while for a connection"
    SEND = "it goes out"
    DROP = "it is given up at once: no connection is about to come"


class ImpossibleEvent(Exception):  # noqa: N818  (what happened, not what it is)
    """An event came in a state in which it cannot happen: a mistake in the program."""

    def __init__(self, state: ConnectionState, event: ConnectionEvent) -> None:
        super().__init__(f"{event.name} in the state {state.name}: {IMPOSSIBLE[event]}")


_State, _Event = ConnectionState, ConnectionEvent

TRANSITIONS: Mapping[ConnectionState, Mapping[ConnectionEvent, ConnectionState]] = {
    _State.IDLE: {
        _Event.RUN: _State.ARRIVING,
        _Event.STOPPED: _State.IDLE,
    },
    _State.ARRIVING: {
        _Event.CONNECTED: _State.CONNECTED,
        _Event.KEY_NEEDED: _State.LEAVING_FOR_KEY,
        _Event.OPERATOR_NEEDED: _State.LEAVING_FOR_OPERATOR,
        _Event.LOST: _State.LEAVING,
        _Event.STOPPED: _State.LEAVING,
    },
    _State.CONNECTED: {
        _Event.SUBSCRIBED: _State.READY,
        _Event.KEY_NEEDED: _State.LEAVING_FOR_KEY,
        _Event.OPERATOR_NEEDED: _State.LEAVING_FOR_OPERATOR,
        _Event.LOST: _State.LEAVING,
        _Event.STOPPED: _State.LEAVING,
    },
    _State.READY: {
        _Event.KEY_NEEDED: _State.LEAVING_FOR_KEY,
        _Event.BOT_REPLACED: _State.LEAVING_FOR_BOT,
        _Event.OPERATOR_NEEDED: _State.LEAVING_FOR_OPERATOR,
        _Event.LOST: _State.LEAVING,
        _Event.STOPPED: _State.LEAVING,
    },
    # A request that is under way may still find out something while the adapter leaves. What it finds changes
    # where the adapter goes only if that outweighs why it leaves: an operator who is needed outweighs a key,
    # and an end of the run outweighs both, for whoever runs the adapter again learns of them soon enough.
    _State.LEAVING: {
        _Event.KEY_NEEDED: _State.LEAVING,
        _Event.BOT_REPLACED: _State.LEAVING,
        _Event.OPERATOR_NEEDED: _State.LEAVING,
        _Event.LOST: _State.LEAVING,
        _Event.STOPPED: _State.LEAVING,
        _Event.LEFT: _State.IDLE,
    },
    _State.LEAVING_FOR_KEY: {
        _Event.KEY_NEEDED: _State.LEAVING_FOR_KEY,
        _Event.BOT_REPLACED: _State.LEAVING_FOR_KEY,  # the look for a key finds the other bot's at once
        _Event.OPERATOR_NEEDED: _State.LEAVING_FOR_OPERATOR,
        _Event.LOST: _State.LEAVING,
        _Event.STOPPED: _State.LEAVING,
        _Event.LEFT: _State.AWAITING_KEY,
    },
    _State.LEAVING_FOR_BOT: {
        _Event.KEY_NEEDED: _State.LEAVING_FOR_BOT,  # it is the former bot's, which is needed no more
        _Event.BOT_REPLACED: _State.LEAVING_FOR_BOT,
        _Event.OPERATOR_NEEDED: _State.LEAVING_FOR_OPERATOR,
        _Event.LOST: _State.LEAVING,
        _Event.STOPPED: _State.LEAVING,
        _Event.LEFT: _State.ARRIVING,
    },
    _State.LEAVING_FOR_OPERATOR: {
        _Event.KEY_NEEDED: _State.LEAVING_FOR_OPERATOR,
        _Event.BOT_REPLACED: _State.LEAVING_FOR_OPERATOR,
        _Event.OPERATOR_NEEDED: _State.LEAVING_FOR_OPERATOR,
        _Event.LOST: _State.LEAVING,
        _Event.STOPPED: _State.LEAVING,
        _Event.LEFT: _State.FAILED,
    },
    _State.AWAITING_KEY: {
        _Event.KEY_FOUND: _State.ARRIVING,
        _Event.STOPPED: _State.FAILED,  # not IDLE: lines that were given up at once are no more hopeful now
    },
    _State.FAILED: {
        _Event.RUN: _State.ARRIVING,
        _Event.STOPPED: _State.FAILED,
    },
}
"""What each event makes of each state; a pair that is missing is impossible, and `IMPOSSIBLE` says why."""

IMPOSSIBLE: Mapping[ConnectionEvent, str] = {
    _Event.RUN: "a run begins only after the former one has ended",
    _Event.CONNECTED: "only an arrival connects, once, and it is cancelled before the adapter leaves",
    _Event.SUBSCRIBED: "only an arrival that can speak ends, and it is cancelled before the adapter leaves",
    _Event.KEY_NEEDED: "only a connection uses keys, and a closed one is not listened to",
    _Event.KEY_FOUND: "nobody looks for a key but who waits for it",
    _Event.BOT_REPLACED: "accounts that are connected are looked for only when everything else is there",
    _Event.OPERATOR_NEEDED: "only a connection fails, and a closed one is not listened to",
    _Event.LOST: "only what runs fails; who waits for a key meets a damaged file, and looks again",
    _Event.STOPPED: "anything may be stopped at any time",
    _Event.LEFT: "only who is leaving has left",
}
"""Why each event cannot come in the states for which the table has none."""

ACTIVITIES: Mapping[ConnectionState, Activity] = {
    _State.IDLE: Activity.NOTHING,
    _State.ARRIVING: Activity.STAY,
    _State.CONNECTED: Activity.STAY,
    _State.READY: Activity.STAY,
    _State.LEAVING: Activity.LEAVE,
    _State.LEAVING_FOR_KEY: Activity.LEAVE,
    _State.LEAVING_FOR_BOT: Activity.LEAVE,
    _State.LEAVING_FOR_OPERATOR: Activity.LEAVE,
    _State.AWAITING_KEY: Activity.AWAIT_KEY,
    _State.FAILED: Activity.NOTHING,
}

SEND_POLICIES: Mapping[ConnectionState, SendPolicy] = {
    _State.IDLE: SendPolicy.WAIT,  # who ran it does so again within seconds, but for a program that ends
    _State.ARRIVING: SendPolicy.WAIT,
    _State.CONNECTED: SendPolicy.SEND,
    _State.READY: SendPolicy.SEND,
    _State.LEAVING: SendPolicy.WAIT,
    _State.LEAVING_FOR_KEY: SendPolicy.WAIT,
    _State.LEAVING_FOR_BOT: SendPolicy.WAIT,
    _State.LEAVING_FOR_OPERATOR: SendPolicy.WAIT,
    _State.AWAITING_KEY: SendPolicy.DROP,  # somebody must run a command first, which may take days
    _State.FAILED: SendPolicy.DROP,
}


def after(state: ConnectionState, event: ConnectionEvent) -> ConnectionState:
    """Return the state that follows.

    Raises:
        ImpossibleEvent: the event cannot happen in this state.
    """
    try:
        return TRANSITIONS[state][event]
    except KeyError:
        raise ImpossibleEvent(state, event) from None
