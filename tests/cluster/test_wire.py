"""What processes tell each other arrives as it was; nothing else is made of what arrives."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from chatbot.cluster.wire import pack, unpack
from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote, Say, Talk
from chatbot.ledger.people import Account
from chatbot.ledger.vouchers import Voucher
from chatbot.rooms.channel import Delivery, Manner, Privacy
from chatbot.rooms.line import Happening, Line, Occasion
from chatbot.speech.safe import twitch

ANN = Account("twitch", "1")
AT = datetime(2026, 3, 1, 12, 0, 0, 5000, UTC)
MESSAGE = Message(
    "won", {"who": Name(Seat("p1")), "all": Listing((Message("x", {"n": 1.5}),)), "c": Credits(5)}
)
LINE = Line(
    "twitch:7",
    "twitch:chat",
    ANN,
    "Ann",
    Role.MODERATOR,
    "!heist 69 @2",
    named={Account("twitch", "2"): "Bob"},
    badges=frozenset({Role.SUBSCRIBER, Role.VIEWER}),
    barred=Message("muted", {"text": Quote("hm")}),
    voucher=Voucher("v", "twitch", "r", 100),
    sent=AT,
    manner=Manner(private=Privacy.SECRETS, budget=19, dress=twitch),
    scopes=frozenset({"play"}),
    most=100,
)


@pytest.mark.parametrize(
    "value",
    [
        LINE,
        Occasion("o", "twitch:chat", Happening.RAID, ANN, "Ann", 12, AT),
        Delivery("twitch:chat", "hi", ANN, (Say(MESSAGE, Seat("p1"), Talk.NORMAL, table="t"),), "bare"),
        {"present": {ANN: "Ann"}, "none": None, "rooms": ("a", ("b", 1, True))},
    ],
    ids=["line", "occasion", "delivery", "mapping"],
)
def test_a_value_arrives_as_it_was(value: object) -> None:
    assert unpack(pack(value)) == value


def test_what_is_as_by_default_does_not_travel() -> None:
    line = Line("twitch:7", "twitch:chat", ANN, "Ann", Role.VIEWER, "!heist 69")
    assert json.loads(pack(line)) == [
        "of",
        "Line",
        {
            "id": "twitch:7",
            "channel": "twitch:chat",
            "account": ["account", "twitch", "1"],
            "name": "Ann",
            "role": ["enum", "Role", Role.VIEWER.value],
            "text": "!heist 69",
        },
    ]


def test_a_field_of_the_next_version_is_left_out() -> None:
    data = json.loads(pack(Voucher("v", "twitch", "r", 100)))
    data[2]["colour"] = "red"
    assert unpack(json.dumps(data).encode()) == Voucher("v", "twitch", "r", 100)


@pytest.mark.parametrize("value", [object(), print, Exception("x"), {"a": range(3)}])
def test_other_types_do_not_travel(value: object) -> None:
    with pytest.raises((TypeError, KeyError)):
        pack(value)


@pytest.mark.parametrize(
    "data",
    [
        b"no json",
        b'["of", "Path", {}]',
        b'["of", "Line", {"id": "x"}]',
        b'["function", "print"]',
        b'["enum", "Role", "emperor"]',
        b'["strange"]',
        b"[]",
        b'["at", 5]',
        b'["bytes", "no base64!"]',
        b"[" * 100_000,
        b'["row",' * 500 + b"1" + b"]" * 500,
    ],
)
def test_nothing_is_made_of_what_is_not_known(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        unpack(data)
