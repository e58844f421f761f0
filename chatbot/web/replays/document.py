"""The document of a replay: what a page or a file shows of a finished table, in one language, with its proof.

It is JSON in the format `rabble.replay/1`:

| field | is |
| --- | --- |
| `proof` | the text of the table's proof file, as `chatbot export` writes it |
| `draws` | what each turn has drawn, by which the draws can be made again without the rules |
| `choices` | what the house had fixed before others chose, with what was told of it before |
| `frames` | the table after each step: as everybody saw it, and as each of the `viewers` did |
| `language`, `labels`, `words`, `title`, `game` | texts |
| `digest` | SHA-256 over all else, as JSON with sorted keys and no blanks: it tells a file that was damaged |
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chatbot.delivery.outbox import Outbox
from chatbot.kernel.codec import canonical
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Message
from chatbot.rooms.room import Room
from chatbot.tables import proof
from chatbot.tables.events.writing import Writing
from chatbot.tables.narration import Narrator
from chatbot.tables.proof import Finding, ProofError
from chatbot.tables.replay import OtherRules, Unreplayable
from chatbot.web.replays.moments import PlayedTable, choice_json, drawn_json, frame_facts_of, play
from chatbot.web.showing import hand_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.say import Say
    from chatbot.ledger.books.journal import TableRecord
    from chatbot.web.replays.moments import TableMoment

FORMAT = "rabble.replay/1"
WORDS = ("replay-", "page-card", "page-suit", "page-rank", "page-hand")
"""What the ids of the words begin with that its page shows."""

_SHOWN = {"draws": "luck", "choices": "choices", "viewers": "viewers", "frames": "pictures"}
"""What follows from the proof, with the names of the findings about it."""


@dataclass(slots=True)
class DocumentWriter:
    """Writes the document of one table in the language of a room; `outbox` names whoever may be named."""

    outbox: Outbox
    room: Room
    title: str
    played: PlayedTable
    _writing: Writing = field(init=False)
    _narrator: Narrator = field(init=False)
    _tellings: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        record = self.played.record
        self._writing = Writing(self.outbox, self.room)
        self._narrator = Narrator(self.played.kit, record.id, record.link or 0)

    def steps(self) -> Iterator[dict[str, object]]:
        """Yield the frames, one at a time, so that others get their turn between them."""
        for each in self.played.moments:
            yield self._frame(each)

    def content(self, frames: list[dict[str, object]], proof_text: str) -> dict[str, object]:
        """Return the document with its frames and the text of its proof, to be `sealed`."""
        played, words = self.played, self.outbox.languages.of(self.room)
        return {
            "format": FORMAT,
            "proof": proof_text,
            "title": self.title,
            "game": self._text(Message(f"game-{played.kit.name}")),
            "language": self._writing.language,
            "labels": self._writing.labels(),
            "words": {
                each: self._text(Message(each))
                for each in sorted(words.ids)
                if each.startswith(WORDS) and not words.placeholders(each)
            },
            "viewers": [{"seat": each, "name": self.outbox.name(each, self.room)} for each in played.viewers],
            "draws": [drawn_json(each) for each in played.draws],
            "choices": [choice_json(each) for each in played.choices],
            "frames": frames,
        }

    def _frame(self, moment: TableMoment) -> dict[str, object]:
        narrated = self._narrator.tell(moment.events, self._tellings)
        self._tellings = narrated.tellings
        public = moment.board(None)
        says = [each for each in narrated.says if self._is_public(each)]
        rows = {"": [hand_row(self.outbox, each, self.room) for each in public.hands]}
        notes = {"": None if public.note is None else self._text(public.note)}
        for seat in self.played.viewers:
            self._add_own(moment, seat, rows, notes)
        return {
            "turn": moment.turn,
            "at": moment.at.isoformat(),
            "table": json.loads(self._writing.table(moment.picture).model_dump_json()),
            "facts": [[self._text(each.label), self._text(each.value)] for each in public.facts],
            "hands": rows,
            "notes": notes,
            "said": [
                [each.event, json.loads(self._writing.said(each.message).model_dump_json())] for each in says
            ],
        }

    def _is_public(self, say: Say) -> bool:
        """Whether the whole room was told a line."""
        is_for_all = say.to is None and not say.secret and not say.fine
        return is_for_all and self.room.habits.talk.includes(say.talk)

    def _add_own(
        self, moment: TableMoment, seat: Seat, rows: dict[str, Any], notes: dict[str, str | None]
    ) -> None:
        """Add what a seat sees where it is other than what everybody sees."""
        board = moment.board(seat)
        own_rows = [hand_row(self.outbox, each, self.room) for each in board.hands]
        if own_rows != rows[""]:
            rows[seat] = own_rows
        note = None if board.note is None else self._text(board.note)
        if note != notes[""]:
            notes[seat] = note

    def _text(self, message: Message) -> str:
        return self.outbox.text(message, room=self.room)


def names_for(
    name: Callable[[Seat], str], hidden: Callable[[Seat], bool], anonymous: str
) -> Callable[[Seat], str]:
    """Return the names by which people are shown; those who are hidden are numbered as they come."""
    numbers: dict[Seat, int] = {}

    def shown(seat: Seat) -> str:
        if of_house(seat) or not hidden(seat):
            return name(seat)
        return f"{anonymous} {numbers.setdefault(seat, len(numbers) + 1)}"

    return shown


def sealed(content: Mapping[str, object]) -> str:
    """Return a document with its digest, as JSON; of a crowd it takes a tenth of a second."""
    return json.dumps({**content, "digest": digest(content)}, ensure_ascii=False)


def digest(content: Mapping[str, object]) -> str:
    """Return the hash of a document without its digest, in hexadecimal digits."""
    return hashlib.sha256(canonical(content).encode("utf-8", "surrogatepass")).hexdigest()


def read(text: str) -> tuple[dict[str, Any], TableRecord, proof.Hashes]:
    """Read a document, and the table and hashes of its proof.

    Raises:
        ProofError: it is no document of a replay.
    """
    if len(text) > proof.MOST_CHARACTERS:
        raise ProofError("This is too long for a replay.")
    try:
        content = json.loads(text)
        canonical(content).encode()  # a lone surrogate is not valid text
        if content["format"] == FORMAT:
            return content, *proof.read(content["proof"])
        reason = f"it does not say that it is {FORMAT}"
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
    raise ProofError(f"This is no replay ({reason}).")


def check(text: str, kits: Mapping[str, AnyKit]) -> tuple[TableRecord, proof.Hashes, list[Finding]]:
    """Check a document against its proof and the rules; return what its proof claims, and the findings.

    Raises:
        ProofError: it is no document, or was played by other rules.
    """
    content, record, hashes = read(text)
    findings = [_digest(content), *proof.check(record, hashes, kits)]
    return record, hashes, [*findings, *_shown(content, record, kits)]


def _digest(content: Mapping[str, Any]) -> Finding:
    told, own = (
        content.get("digest"),
        digest({name: each for name, each in content.items() if name != "digest"}),
    )
    if told == own:
        return Finding("file", True, f"The digest is the hash of all that the file holds: {own}")
    return Finding("file", False, f"The digest of the file should be {own}, but is given as {told}.")


def _shown(content: Mapping[str, Any], record: TableRecord, kits: Mapping[str, AnyKit]) -> Iterator[Finding]:
    """Compare what a document shows with what follows from its proof by the rules."""
    try:
        facts = play(kits.get(record.game), record).facts()
    except OtherRules as error:
        raise ProofError(f"Table {record.id} cannot be checked: {error}.") from None
    except Unreplayable:  # of which the findings about the proof tell
        return
    try:
        given = {
            "draws": content["draws"],
            "choices": content["choices"],
            "viewers": [each["seat"] for each in content["viewers"]],
            "frames": [frame_facts_of(each) for each in content["frames"]],
        }
    except (KeyError, TypeError) as error:
        yield Finding("pictures", False, f"What it shows cannot be read: {error}.")
        return
    for name, what in _SHOWN.items():
        same = canonical(given[name]) == canonical(facts[name])
        how = "are those that follow" if same else "do not follow"
        yield Finding(what, same, f"Its {name} {how} from the proof by the rules.")
