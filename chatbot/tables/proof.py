"""Proof files: a finished table as a file that anybody can verify without the bot.

The file is JSON. `chain` is the head that was published before the table was opened, and `link` how many
times its seed must be hashed to give that; `terms` is the hash that was published when it opened, and
`record` the one at its end, over everything else in the file as JSON with sorted keys and no blanks.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from chatbot.kernel.codec import canonical
from chatbot.kernel.fair import MOST_LINKS, terms, walked
from chatbot.kernel.game import Failure
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
MOST_CHARACTERS = 64 * 2**20  # of a file; a thousand turns of a thousand players have far fewer


class ProofError(Failure):
    """A proof cannot be made, read or checked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str  # chain, terms, record, draws, transfers or end
    holds: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Hashes:
    """The published hashes of a table, in hexadecimal digits."""

    head: str
    terms: str
    record: str


def hashes(table_record: TableRecord) -> Hashes:
    """Return the hashes of a finished table.

    The seed is hashed `link` times, so the cost is proportional to that.

    Raises:
        ProofError: the seed was lost with the key that it was sealed with.
    """
    seed, link = _secret(table_record)
    return Hashes(walked(seed, link).hex(), *terms_and_record(table_record))


def terms_and_record(table_record: TableRecord) -> tuple[str, str]:
    """Return the hash of the terms that a finished table was opened with, and that of its record."""
    opened_with = terms(
        table_record.id,
        table_record.game,
        table_record.version,
        table_record.settings,
        str(table_record.chain),
        table_record.link or 0,
    )
    return opened_with, _record_hash(_body(table_record))


def _secret(table_record: TableRecord) -> tuple[bytes, int]:
    if table_record.seed is None or table_record.link is None:
        message = f"The seed of table {table_record.id} is lost with its key, so there is no proof of it."
        raise ProofError(message)
    return table_record.seed, table_record.link


def write(table_record: TableRecord) -> str:
    """Return the proof file of a finished table.

    Raises:
        ProofError: the table is open, so that its seed is secret, or the seed was lost.
    """
    if table_record.state == OPEN:
        raise ProofError(
            f"Table {table_record.id} is still being played; its proof can be had when it is over."
        )
    _secret(table_record)
    bound, record = terms_and_record(table_record)
    content = _content(table_record, Hashes(str(table_record.chain), bound, record))
    return json.dumps(content, indent=1) + "\n"


def read(text: str) -> tuple[TableRecord, Hashes]:
    """Read a proof file, and return its table and the hashes that it claims.

    Raises:
        ProofError: the text is no proof file.
    """
    if len(text) > MOST_CHARACTERS or FORMAT not in text:
        raise ProofError(f"This is no proof file (it does not say that it is {FORMAT}).")
    try:
        plain = json.loads(text)
        canonical(plain).encode()  # a lone surrogate is not valid text
        table_record = _read_table(plain)
        hashes = Hashes(str(plain["chain"]), str(plain["terms"]), str(plain["record"]))
        # Whoever has no rules hashes the file as it is: it must say nothing else, and nothing differently.
        if canonical(plain) == canonical(_content(table_record, hashes)):
            return table_record, hashes
        reason = "a value in it is not written as in a proof"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
    raise ProofError(f"This is no proof file ({reason}).")


def check(table_record: TableRecord, claimed_hashes: Hashes, kits: Mapping[str, AnyKit]) -> list[Finding]:
    """Check a finished table against the rules and against the claimed hashes, and return all findings.

    Raises:
        ProofError: it cannot be checked, as it was played by other rules or its seed was lost.
    """
    own_hashes = hashes(table_record)
    findings = [
        _linked(table_record, own_hashes.head, claimed_hashes.head),
        _compared(
            "terms", "the table, its rules, its settings and its link", own_hashes.terms, claimed_hashes.terms
        ),
        _compared(
            "record", "every action, message id and transfer", own_hashes.record, claimed_hashes.record
        ),
    ]
    try:
        replayed = replay(kits.get(table_record.game), table_record)
    except OtherRules as error:
        raise ProofError(f"Table {table_record.id} cannot be checked: {error}.") from None
    except Unreplayable as error:
        return [*findings, Finding("draws", False, f"The story does not come out as it is told: {error}.")]
    transfers = sum(len(step.entries) for step in table_record.steps)
    findings.append(
        Finding("draws", True, f"All {replayed.turn} turns come out the same when they are played again.")
    )
    findings.append(Finding("transfers", True, f"All {transfers} transfers are those that the rules make."))
    return [*findings, _ending(table_record)]


def _linked(table_record: TableRecord, own_head: str, claimed_head: str) -> Finding:
    way = f"the seed, hashed {table_record.link} times"
    if own_head == claimed_head == table_record.chain:
        return Finding("chain", True, f"The head of the chain is {way}: {own_head}")
    wrong = claimed_head if own_head == table_record.chain else table_record.chain
    return Finding(
        "chain", False, f"The head of the chain should be {own_head}, {way}, but is given as {wrong}."
    )


def _compared(what: str, of: str, own_hash: str, claimed_hash: str) -> Finding:
    if own_hash == claimed_hash:
        return Finding(what, True, f"The {what} is the hash of {of}: {own_hash}")
    return Finding(
        what, False, f"The {what} should be {own_hash}, the hash of {of}, but is given as {claimed_hash}."
    )


def _ending(table_record: TableRecord) -> Finding:
    """Check that the pot is empty, and that a voided table returned what each had paid."""
    balances: Counter[Purse] = Counter()
    for entry in (*(entry for step in table_record.steps for entry in step.entries), *table_record.others):
        balances[entry.source] -= entry.credits
        balances[entry.target] += entry.credits
    if left := balances[values.pot(table_record.community, table_record.id)]:
        return Finding("end", False, f"The pot still holds {left} credits.")
    if table_record.state != VOID:
        return Finding("end", True, "The table is settled, and its pot is empty.")
    # Only the number of each entry matters: the order in which they were written proves nothing.
    refunded = Counter(each for each in table_record.others if not of_ledger(each, table_record.community))
    if refunded != Counter(_refunds_due(table_record)):
        return Finding("end", False, "The refunds are not what each had paid, and nothing else.")
    return Finding("end", True, "The table was called off, and every stake was given back.")


def _refunds_due(table_record: TableRecord) -> list[Entry]:
    """Compute the refunds of a voided table."""
    pot, house = values.pot(table_record.community, table_record.id), values.house(table_record.community)
    payments: Counter[Purse] = Counter()
    for entry in (entry for step in table_record.steps for entry in step.entries):
        if pot in {entry.source, entry.target}:
            payments[entry.source] += entry.credits
            payments[entry.target] -= entry.credits
    del payments[pot]
    return list(refunds.due(pot, house, payments))


# The file. `Any`: values of JSON that are not checked yet; a wrong one raises when it is used.


def _record_hash(body: Mapping[str, object]) -> str:
    return hashlib.sha256(canonical(body).encode("utf-8", "surrogatepass")).hexdigest()


def _content(table_record: TableRecord, hashes: Hashes) -> dict[str, object]:
    """Return all that a proof file says."""
    return {**_body(table_record), "chain": hashes.head, "terms": hashes.terms, "record": hashes.record}


def _body(table_record: TableRecord) -> dict[str, object]:
    return {
        "format": FORMAT,
        "table": table_record.id,
        "room": table_record.room,
        "community": table_record.community,
        "game": table_record.game,
        "version": table_record.version,
        "settings": json.loads(table_record.settings),
        "chain": table_record.chain,
        "link": table_record.link,
        "seed": None if table_record.seed is None else table_record.seed.hex(),
        "state": table_record.state,
        "opened_at": table_record.opened_at.isoformat(),
        "closed_at": None if table_record.closed_at is None else table_record.closed_at.isoformat(),
        "steps": [_written_step(each) for each in table_record.steps],
        "refunds": [asdict(each) for each in table_record.others],
    }


def _written_step(step: JournalStep) -> dict[str, object]:
    return {
        "posting": step.posting,
        "message": step.line,
        "turns": [_written_turn(each) for each in step.turns],
        "transfers": [asdict(each) for each in step.entries],
    }


def _written_turn(turn: Turn) -> dict[str, object]:
    at = None if turn.at is None else turn.at.isoformat()
    action, purses = json.loads(turn.action), json.loads(turn.purses)
    return {"turn": turn.turn, "at": at, "action": action, "purses": purses}


def _read_table(plain: Mapping[str, Any]) -> TableRecord:
    table = str(plain["table"])
    if plain["state"] not in {"settled", "void"}:
        raise ValueError(f"its table is {plain['state']!r}")
    link = int(plain["link"])
    if not 1 <= link <= MOST_LINKS:  # so that checking a forged file takes bounded time
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
