"""A finished table as a file that anybody can check without us: what bound it, what was drawn and moved.

The file is JSON. `chain` is the head that was told before the table was opened, and `link` how many times
its seed must be hashed to give that; `terms` is the hash that was told as it opened, and `record` at its end:
it is over everything else in the file, as JSON with sorted keys and no blanks.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from chatbot.kernel.chain import MOST, walked
from chatbot.kernel.codec import canonical
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import terms
from chatbot.ledger.books import purses as values
from chatbot.ledger.books import refunds
from chatbot.ledger.books.journal import OPEN, VOID, JournalStep, TableRecord
from chatbot.ledger.books.posting import Entry, Turn
from chatbot.ledger.books.purses import Purse
from chatbot.tables.replay import OtherRules, Unreplayable, of_ledger, replay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import AnyKit

FORMAT = "rabble-proof-2"
LARGEST = 64 * 2**20  # characters of a file: a thousand turns of a thousand players are far fewer


class ProofError(Failure):
    """There is nothing to check, or it cannot be read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    what: str  # chain, terms, record, draws, transfers or end
    holds: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Hashes:
    """What the chat is told of a table, in hexadecimal digits."""

    head: str
    terms: str
    record: str


def hashes(story: TableRecord) -> Hashes:
    """Make the hashes of a finished table; its seed is hashed as often as the number of its link says.

    Raises:
        ProofError: its seed was lost with the key that it was sealed with.
    """
    seed, link = _secret(story)
    return Hashes(walked(seed, link).hex(), *told(story))


def told(story: TableRecord) -> tuple[str, str]:
    """Make the hashes of what a finished table was opened with, and of its record."""
    bound = terms(story.id, story.game, story.version, story.settings, str(story.chain), story.link or 0)
    return bound, _record(_body(story))


def _secret(story: TableRecord) -> tuple[bytes, int]:
    if story.seed is None or story.link is None:
        raise ProofError(f"The seed of table {story.id} is lost with its key, so there is no proof of it.")
    return story.seed, story.link


def write(story: TableRecord) -> str:
    """Make the proof file of a finished table.

    Raises:
        ProofError: the table is still open, and its seed a secret, or that was lost.
    """
    if story.state == OPEN:
        raise ProofError(f"Table {story.id} is still being played; its proof can be had when it is over.")
    _secret(story)
    bound, record = told(story)
    return json.dumps({**_body(story), "terms": bound, "record": record}, indent=1) + "\n"


def read(text: str) -> tuple[TableRecord, Hashes]:
    """Read a proof file, with the hashes that it claims.

    Raises:
        ProofError: it is none.
    """
    if len(text) > LARGEST or FORMAT not in text:
        raise ProofError(f"This is no proof file (it does not say that it is {FORMAT}).")
    try:
        plain = json.loads(text)
        canonical(plain).encode()  # half a surrogate pair is no text
        return _story(plain), Hashes(str(plain["chain"]), str(plain["terms"]), str(plain["record"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ProofError(f"This is no proof file ({reason}).") from None


def check(story: TableRecord, claimed: Hashes, kits: Mapping[str, AnyKit]) -> list[Finding]:
    """Check a finished table against the rules and against what was claimed of it.

    Raises:
        ProofError: it was played by other rules than these, or its seed is lost: there is no telling.
    """
    made = hashes(story)
    findings = [
        _linked(story, made.head, claimed.head),
        _compared("terms", "the table, its rules, its settings and its link", made.terms, claimed.terms),
        _compared("record", "every action, message id and transfer", made.record, claimed.record),
    ]
    try:
        played = replay(kits.get(story.game), story)
    except OtherRules as error:
        raise ProofError(f"Table {story.id} cannot be checked: {error}.") from None
    except Unreplayable as error:
        return [*findings, Finding("draws", False, f"The story does not come out as it is told: {error}.")]
    moved = sum(len(step.entries) for step in story.steps)
    findings.append(
        Finding("draws", True, f"All {played.turn} turns come out the same when they are played again.")
    )
    findings.append(Finding("transfers", True, f"All {moved} transfers are those that the rules make."))
    return [*findings, _ending(story)]


def _linked(story: TableRecord, made: str, claimed: str) -> Finding:
    way = f"the seed, hashed {story.link} times"
    if made == claimed == story.chain:
        return Finding("chain", True, f"The head of the chain is {way}: {made}")
    wrong = claimed if made == story.chain else story.chain
    return Finding("chain", False, f"The head of the chain should be {made}, {way}, but is given as {wrong}.")


def _compared(what: str, of: str, made: str, claimed: str) -> Finding:
    if made == claimed:
        return Finding(what, True, f"The {what} is the hash of {of}: {made}")
    return Finding(what, False, f"The {what} should be {made}, the hash of {of}, but is given as {claimed}.")


def _ending(story: TableRecord) -> Finding:
    """Check that the pot is empty, and that a table that was called off gave back what each had paid."""
    balances: Counter[Purse] = Counter()
    for entry in (*(entry for step in story.steps for entry in step.entries), *story.others):
        balances[entry.source] -= entry.credits
        balances[entry.target] += entry.credits
    if left := balances[values.pot(story.community, story.id)]:
        return Finding("end", False, f"The pot still holds {left} credits.")
    if story.state != VOID:
        return Finding("end", True, "The table is settled, and its pot is empty.")
    # How often each is there is all that counts: in which order they were written proves nothing.
    refunded = Counter(each for each in story.others if not of_ledger(each, story.community))
    if refunded != Counter(_refunds_due(story)):
        return Finding("end", False, "The refunds are not what each had paid, and nothing else.")
    return Finding("end", True, "The table was called off, and every stake was given back.")


def _refunds_due(story: TableRecord) -> list[Entry]:
    """Work out what a table that is called off gives back to whom."""
    pot, house = values.pot(story.community, story.id), values.house(story.community)
    paid: Counter[Purse] = Counter()
    for entry in (entry for step in story.steps for entry in step.entries):
        if pot in {entry.source, entry.target}:
            paid[entry.source] += entry.credits
            paid[entry.target] -= entry.credits
    del paid[pot]
    return list(refunds.due(pot, house, paid))


# The file


def _record(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(body).encode("utf-8", "surrogatepass")).hexdigest()


def _body(story: TableRecord) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "table": story.id,
        "room": story.room,
        "community": story.community,
        "game": story.game,
        "version": story.version,
        "settings": json.loads(story.settings),
        "chain": story.chain,
        "link": story.link,
        "seed": None if story.seed is None else story.seed.hex(),
        "state": story.state,
        "opened_at": story.opened_at.isoformat(),
        "closed_at": None if story.closed_at is None else story.closed_at.isoformat(),
        "steps": [_written_step(each) for each in story.steps],
        "refunds": [asdict(each) for each in story.others],
    }


def _written_step(step: JournalStep) -> dict[str, Any]:
    return {
        "posting": step.posting,
        "message": step.line,
        "turns": [_written_turn(each) for each in step.turns],
        "transfers": [asdict(each) for each in step.entries],
    }


def _written_turn(turn: Turn) -> dict[str, Any]:
    at = None if turn.at is None else turn.at.isoformat()
    action, purses = json.loads(turn.action), json.loads(turn.purses)
    return {"turn": turn.turn, "at": at, "action": action, "purses": purses}


def _story(plain: Mapping[str, Any]) -> TableRecord:
    table = str(plain["table"])
    if plain["state"] not in {"settled", "void"}:
        raise ValueError(f"its table is {plain['state']!r}")
    link = int(plain["link"])
    if not 1 <= link <= MOST:  # who is given a forged file must come to an end
        raise ValueError(f"its link is {link}")
    return TableRecord(
        id=table,
        room=str(plain["room"]),
        community=str(plain["community"]),
        game=str(plain["game"]),
        version=int(plain["version"]),
        settings=canonical(plain["settings"]),
        chain=str(plain["chain"]),
        link=link,
        seed=bytes.fromhex(plain["seed"]),
        state=plain["state"],
        opened_at=datetime.fromisoformat(plain["opened_at"]),
        closed_at=datetime.fromisoformat(plain["closed_at"]),
        steps=tuple(_read_step(table, each) for each in plain["steps"]),
        others=tuple(_read_entry(each) for each in plain["refunds"]),
    )


def _read_step(table: str, plain: Mapping[str, Any]) -> JournalStep:
    turns = tuple(
        Turn(
            table=table,
            turn=each["turn"],
            action=canonical(each["action"]),
            purses=canonical(each["purses"]),
            line=str(plain["message"]),
            at=datetime.fromisoformat(each["at"]),
        )
        for each in plain["turns"]
    )
    return JournalStep(str(plain["posting"]), turns, tuple(_read_entry(each) for each in plain["transfers"]))


def _read_entry(plain: Mapping[str, Any]) -> Entry:
    source, target = (Purse(*map(str, plain[side])) for side in ("source", "target"))
    return Entry(source, target, plain["credits"], str(plain["why"]))
