"""Replays as JavaScript and as Python check them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chatbot.kernel.codec import canonical
from chatbot.tables import proof
from chatbot.tables.proof import ProofError
from chatbot.web.replays import document
from chatbot.web.replays.moments import drawn_json, play
from tests.simulator.world import known_kits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.ledger.books.journal import TableRecord

NODE = shutil.which("node")
_SCRIPT = Path(__file__).with_name("check.mjs")


@dataclass(frozen=True)
class Asked:
    """A document to be checked, and the hashes that the chat was told."""

    text: str
    told: Mapping[str, str]


def in_javascript(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """Check documents as a page does; of one that cannot be read there is a `failure`."""
    assert NODE is not None
    lines = "".join(json.dumps(asdict(each)) + "\n" for each in asked)
    ran = subprocess.run(
        [NODE, "--no-warnings", str(_SCRIPT)], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(each) for each in ran.stdout.splitlines()]


def is_caught_in_javascript(result: Mapping[str, Any]) -> bool:
    return "failure" in result or not all(each["holds"] for each in result["findings"])


def is_caught_in_python(asked: Asked) -> bool:
    """Whether `chatbot verify` says that a document does not check out."""
    try:
        record, _, findings = document.check(asked.text, known_kits())
        actual = asdict(proof.hashes(record))
    except ProofError:
        return True
    is_other = any(actual[name] != value for name, value in asked.told.items())
    return is_other or not all(each.holds for each in findings)


def report(record: TableRecord) -> str:
    """Return what JavaScript reports of a table, made by the code of the bot."""
    balances: Counter[str] = Counter()
    for entry in (*(entry for step in record.steps for entry in step.entries), *record.others):
        balances[canonical(list(entry.source))] -= entry.credits
        balances[canonical(list(entry.target))] += entry.credits
    played = play(known_kits()[record.game], record)
    made = {
        **asdict(proof.hashes(record)),
        "table": record.id,
        "draws": [drawn_json(each) for each in played.draws],
        "balances": {purse: str(credits_) for purse, credits_ in balances.items()},
    }
    return canonical(made)


def told_of(record: TableRecord) -> dict[str, str]:
    """Return the hashes that a chat was told of a table."""
    return asdict(proof.hashes(record))
