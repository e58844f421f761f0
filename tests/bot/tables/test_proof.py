"""A proof file stands by itself, and a change of whatever is in it is found."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games import kits
from chatbot.ledger.books.journal import Journal, TableRecord
from chatbot.tables import proof
from chatbot.tables.proof import Hashes, ProofError
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.ledger.store.store import Store

Plain = dict[str, Any]
ANN, MALLORY = (["person", "town", f"test:{name}"] for name in ("ann", "mallory"))
WHOLE = 60 + 30 + 6


_played: list[str] = []  # one heist serves all who only read of it


@pytest.fixture
async def text(store: Store) -> str:
    if not _played:
        _played.append(await played(store))
    return _played[0]


async def played(store: Store) -> str:
    """Play a heist of three, with answers, whose outcome hangs on many draws."""
    stage = await Stage(store).open()
    for who in ("ann", "bob", "cat"):
        await stage.say(who, "!heist 69")
    await stage.turn(60)
    await stage.say("ann", "!guncheck")
    await stage.say("bob", "!guard")
    await stage.turn(WHOLE)
    return proof.write(await told(store, "a-table-1"))


async def told(store: Store, table: str) -> TableRecord:
    story = await Journal(store).of(table)
    assert story is not None
    return story


def failures(text: str) -> list[str]:
    """Check a proof file, and name what does not hold."""
    return [each.what for each in proof.check(*proof.read(text), kits()) if not each.holds]


@pytest.mark.slow
def test_a_proof_that_nobody_touched_holds(text: str) -> None:
    findings = proof.check(*proof.read(text), kits())
    assert [each.what for each in findings] == ["chain", "terms", "record", "draws", "transfers", "end"]
    assert all(each.holds for each in findings)


def swap_steps(plain: Plain) -> None:
    steps = plain["steps"]
    steps[1], steps[2] = steps[2], steps[1]


def step_with(plain: Plain, action: str, who: str) -> Plain:
    """Find the step in which somebody did something, which is its last turn."""
    found = [
        each for each in plain["steps"] if each["turns"][-1]["action"].get(action, {}).get("seat") == who
    ]
    step: Plain = found[0]
    return step


def swap_messages(plain: Plain) -> None:
    bob, cat = (step_with(plain, "Join", f"test:{who}") for who in ("bob", "cat"))
    bob["message"], cat["message"] = cat["message"], bob["message"]


def stake_more(plain: Plain) -> None:
    join = step_with(plain, "Join", "test:bob")
    join["turns"][-1]["action"]["Join"]["credits"] = 100
    join["transfers"][-1]["credits"] = 100


def pay_more(plain: Plain) -> None:
    plain["steps"][-1]["transfers"][-1]["credits"] += 1


def pay_another(plain: Plain) -> None:
    paid = next(each for each in plain["steps"][-1]["transfers"] if each["target"] == ANN)
    paid["target"] = MALLORY


def pay_as_the_ledger(plain: Plain) -> None:
    """Give ann credits for the reason for which the mint backs the house."""
    gift = {"source": ["mint", "town", ""], "target": ANN, "credits": 1000, "why": "bankroll"}
    plain["steps"][-1]["transfers"].append(gift)


def pay_less_often(plain: Plain) -> None:
    plain["steps"][-1]["transfers"].pop()


def answer_otherwise(plain: Plain) -> None:
    turn = step_with(plain, "Answer", "test:bob")["turns"][-1]
    turn["action"]["Answer"] = {**turn["action"]["Answer"], "move": "backout"}


def be_richer(plain: Plain) -> None:
    sit = next(turn for step in plain["steps"] for turn in step["turns"] if "Sit" in turn["action"])
    sit["action"]["Sit"]["seat"] = "test:mallory"


CHANGES: dict[str, tuple[Callable[[Plain], object], set[str]]] = {
    "seed": (lambda plain: plain.update(seed="00" * 32), {"chain", "record"}),
    "table": (lambda plain: plain.update(table="b"), {"terms", "record", "draws"}),
    "head": (lambda plain: plain.update(chain="00" * 32), {"chain", "terms", "record"}),
    "link": (lambda plain: plain.update(link=2), {"chain", "terms", "record"}),
    "version of the rules": (lambda plain: plain["settings"].update(cooldown=1), {"terms", "record"}),
    "settings": (lambda plain: plain["settings"].update(chances=["1"] * 5), {"terms", "record"}),
    "order of steps": (swap_steps, {"record", "draws"}),
    "order of messages": (swap_messages, {"record"}),
    "stake": (stake_more, {"record"}),
    "amount paid": (pay_more, {"record", "draws"}),
    "who is paid": (pay_another, {"record", "draws"}),
    "who is backed": (pay_as_the_ledger, {"record", "draws"}),
    "who is not paid": (pay_less_often, {"record", "draws"}),
    "answer": (answer_otherwise, {"record"}),
    "who sat": (be_richer, {"record"}),
    "end": (lambda plain: plain.update(state="void"), {"record", "draws"}),
    "time": (lambda plain: plain.update(closed_at="2020-01-01T00:00:00+00:00"), {"record"}),
    "room": (lambda plain: plain.update(room="den"), {"record"}),
    "journal": (lambda plain: plain["steps"].pop(), {"record", "draws"}),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_changed_proof_does_not_hold(text: str, kind: str) -> None:
    """At the least the record is another; the rules themselves find what moved otherwise."""
    change, expected = CHANGES[kind]
    plain = json.loads(text)
    change(plain)
    assert set(failures(json.dumps(plain))) >= expected


@pytest.mark.parametrize("kind", CHANGES)
def test_a_forger_who_makes_the_hashes_again_is_betrayed_by_what_the_chat_was_told(
    text: str, kind: str
) -> None:
    story, before = proof.read(text)
    plain = json.loads(text)
    CHANGES[kind][0](plain)
    forged, _ = proof.read(json.dumps(plain))
    assert proof.hashes(story) == before
    assert proof.hashes(forged).record != before.record


def test_a_rewritten_file_of_the_same_content_still_holds(text: str) -> None:
    plain = json.loads(text)
    assert failures(json.dumps(plain, sort_keys=True, indent=7)) == []


async def test_a_table_that_was_called_off_is_proven_too(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 69")
    await stage.say("mo(moderator)", "!cancel heist")
    text = proof.write(await told(store, "a-table-1"))
    assert failures(text) == []
    plain = json.loads(text)
    (refund,) = plain["refunds"]
    assert (refund["target"], refund["credits"]) == (ANN, 69)
    plain["refunds"] = []
    assert failures(json.dumps(plain)) == ["record", "end"]
    plain["refunds"] = [{**refund, "target": MALLORY}]
    assert failures(json.dumps(plain)) == ["record", "end"]


def test_a_forged_link_does_not_keep_who_checks_it_busy(text: str) -> None:
    for link in (0, -1, 10**7 + 1, 10**18):
        with pytest.raises(ProofError, match=f"its link is {link}"):
            proof.read(json.dumps({**json.loads(text), "link": link}))


def test_a_file_of_a_table_that_is_not_over_proves_nothing(text: str) -> None:
    for state in ("open", "Settled", ""):
        with pytest.raises(ProofError, match=f"its table is '{state}'"):
            proof.read(json.dumps({**json.loads(text), "state": state}))


async def test_an_open_table_has_no_proof_yet(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 69")
    with pytest.raises(ProofError, match=r"^Table a-table-1 is still being played; .*\.$"):
        proof.write(await told(store, "a-table-1"))


def test_a_table_of_other_rules_is_neither_called_sound_nor_forged(text: str) -> None:
    story, claimed = proof.read(text)
    heist = kits()["heist"]
    newer = replace(heist, rules=replace(heist.rules, version=heist.rules.version + 1))
    told = rf"version {heist.rules.version} of the rules; these are {newer.rules.version}\.$"
    with pytest.raises(ProofError, match=told):
        proof.check(story, claimed, {"heist": newer})
    with pytest.raises(ProofError, match="no game called 'heist' here"):
        proof.check(story, claimed, {})


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "null", '"rabble-proof-2"', '{"format": "rabble-proof-2"}', "rabble-proof-2" * 9,
        '{"format": "rabble-proof-2", "a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"format": "rabble-proof-2", "table": NaN}', "\N{BYTE ORDER MARK}x", "{" * 70,
    ],
)  # fmt: skip
def test_what_is_no_proof_file_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ProofError, match=r"^This is no proof file \(.*\)\.$"):
        proof.read(text)


@pytest.mark.parametrize(
    "key", ["table", "seed", "steps", "settings", "closed_at", "chain", "link", "terms", "state", "refunds"]
)
@pytest.mark.parametrize("value", [None, 7, "x", [], [None], {"a": 1}, -1, 1e400])
def test_a_field_of_another_kind_is_refused_or_does_not_hold(text: str, key: str, value: object) -> None:
    plain = json.loads(text)
    plain[key] = value
    try:
        found = failures(json.dumps(plain))
    except ProofError:
        return
    assert found or (key == "refunds" and value == [])


def test_claims_are_compared_and_not_believed(text: str) -> None:
    story, claimed = proof.read(text)
    findings = proof.check(story, Hashes("", "", claimed.record), kits())
    assert [each.what for each in findings if not each.holds] == ["chain", "terms"]
