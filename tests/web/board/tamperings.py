"""A hundred kinds of tampering with a replay, by forgers who make all hashes in the file again.

Each changes the document of a table of one game, or its proof. `made_again`: what the forger makes again
after that, besides the hashes: the draws, as the changed proof has them. `damage`: the file is changed by
somebody who makes no hash again.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from chatbot.kernel.codec import canonical
from chatbot.kernel.fair import terms, turn_key
from chatbot.tables.draw_log import LoggedRng
from chatbot.tables.proof import _record_hash
from chatbot.web.replays.document import digest

Json: TypeAlias = Any
Change: TypeAlias = Callable[[Json, Json, "Others"], None]
"""Changes a document and its proof in place; what it may take from is the tables of other games."""

Others: TypeAlias = "dict[str, tuple[Json, Json]]"

GAMES = ("heist", "chickenpoker", "highshow", "pokermarket", "sixcardpoker")
VOID = "void"
_REFUND = {"source": ["pot", "town", "x"], "target": ["person", "town", "p999"], "credits": 1, "why": "gift"}


@dataclass(frozen=True)
class Tampering:
    """One kind; `game` is that of the table which is changed, or `void` for one that was called off."""

    name: str
    game: str
    change: Change
    redraws: bool = False
    damages: bool = False

    def apply(self, text: str, others: Others) -> str:
        """Return a document that is changed so."""
        content = json.loads(text)
        proof = json.loads(content["proof"])
        before = copy.deepcopy((content, proof))
        self.change(content, proof, others)
        assert (content, proof) != before, f"{self.name} changes nothing"
        if self.damages:
            return json.dumps({**content, "proof": json.dumps(proof, indent=1) + "\n"})
        if self.redraws:
            _redraw(content, proof)
        return _sealed(content, proof)


def _sealed(content: Json, proof: Json) -> str:
    """Make all hashes again that are in a document."""
    try:
        parts = proof["table"], proof["game"], proof["version"], canonical(proof["settings"])
        proof["terms"] = terms(*parts, proof["chain"], proof["link"])
    except (KeyError, AttributeError):
        pass  # without it no terms can be made
    proof["record"] = _record_hash(
        {name: each for name, each in proof.items() if name not in {"terms", "record"}}
    )
    content["proof"] = json.dumps(proof, indent=1) + "\n"
    content["digest"] = digest({name: each for name, each in content.items() if name != "digest"})
    return json.dumps(content)


def _redraw(content: Json, proof: Json) -> None:
    """Make the draws again by the seed and the ids that a proof has now."""
    wanted, ids = {each["turn"]: each for each in content["draws"]}, []
    for step in proof["steps"]:
        ids += [step["message"]] if step["message"] else []
        for turn in step["turns"]:
            if turn["turn"] in wanted:
                drawn = wanted[turn["turn"]]
                key = turn_key(bytes.fromhex(proof["seed"]), turn["turn"], ids)
                drawn["key"], rng = key.hex(), LoggedRng(key)
                for draw in drawn["draws"]:
                    _draw(rng, draw)
                drawn["draws"] = rng.log


def _draw(rng: LoggedRng, draw: Json) -> None:
    match draw:
        case ["bits", count, _]:
            rng.bits(count)
        case ["below", limit, _]:
            rng.below(limit)
        case ["uniform", _]:
            rng.uniform()
        case ["sample", size, count, _]:
            rng.sample(range(size), count)


# Changes


def _flipped(hexadecimal: str) -> str:
    """Change the first digit."""
    return ("0" if hexadecimal[0] != "0" else "1") + hexadecimal[1:]


def _set(name: str, make: Callable[[Json], Json]) -> Change:
    def change(content: Json, proof: Json, others: Others) -> None:
        proof[name] = make(proof[name])

    return change


def _setting(make: Callable[[Json], None]) -> Change:
    return lambda content, proof, others: make(proof["settings"])


def _steps(make: Callable[[list[Json]], None]) -> Change:
    return lambda content, proof, others: make(proof["steps"])


def _refunds(make: Callable[[list[Json]], None]) -> Change:
    return lambda content, proof, others: make(proof["refunds"])


def _said(steps: list[Json]) -> Json:
    """Return the first step that somebody's message caused."""
    return next(each for each in steps if each["message"])


def _timer(steps: list[Json]) -> Json:
    """Return the first step that no message caused."""
    return next(each for each in steps if not each["message"])


def _turn(make: Callable[[Json], None], place: int = 0) -> Change:
    return _steps(lambda steps: make(steps[place]["turns"][0]))


def _acted(make: Callable[[dict[str, Json]], None]) -> Change:
    """Change the fields of the first action that has some."""

    def change(steps: list[Json]) -> None:
        actions = (action for step in steps for turn in step["turns"] for action in turn["action"].values())
        make(next(each for each in actions if len(each) > 1 and "seat" in each and "record" not in each))

    return _steps(change)


def _paid(make: Callable[[list[Json]], None]) -> Change:
    """Change the transfers of the first step that has some."""
    return _steps(lambda steps: make(next(each["transfers"] for each in steps if each["transfers"])))


def _last_paid(make: Callable[[list[Json]], None]) -> Change:
    return _steps(
        lambda steps: make(next(each["transfers"] for each in reversed(steps) if each["transfers"]))
    )


def _field(name: str, make: Callable[[Json], Json]) -> Callable[[list[Json]], None]:
    def change(entries: list[Json]) -> None:
        entries[0][name] = make(entries[0][name])

    return change


def _drawn(make: Callable[[list[Json]], None]) -> Change:
    return lambda content, proof, others: make(content["draws"])


def _first_draw(kind: str, make: Callable[[list[Json]], None]) -> Change:
    def change(draws: list[Json]) -> None:
        make(
            next(draw for each in draws for draw in each["draws"] if draw[0] == kind and len(draw[-1:]) == 1)
        )

    return _drawn(change)


def _add_to_last(amount: int) -> Callable[[list[Json]], None]:
    def change(draw: list[Json]) -> None:
        draw[-1] += amount

    return change


def _swap_places(draw: list[Json]) -> None:
    draw[3][0], draw[3][1] = draw[3][1], draw[3][0]


def _choice(make: Callable[[Json], None]) -> Change:
    return lambda content, proof, others: make(content["choices"][0])


def _frames(make: Callable[[list[Json]], None]) -> Change:
    return lambda content, proof, others: make(content["frames"])


def _face(frames: list[Json], to: Callable[[Json], Json]) -> None:
    """Change the face of the first card that is shown to anybody."""
    rows = (row for frame in frames for rows in frame["hands"].values() for row in rows if row["cards"])
    card = next(rows)["cards"][0]
    card["face"] = to(card["face"])


def _any_pot(frames: list[Json]) -> None:
    frame = next(each for each in frames if each["table"]["pot"] is not None)
    frame["table"]["pot"] += 1


def _deep(frames: list[Json], *path: str | int) -> tuple[Json, str | int]:
    """Find the first frame that has something at a path in its view; return what holds it, and its key."""
    for frame in frames:
        place = frame["table"]["view"]
        try:
            for each in path[:-1]:
                place = place[each]
            place[path[-1]]
        except (KeyError, IndexError, TypeError):
            continue
        return place, path[-1]
    raise AssertionError(f"no frame has {path}")


def _view(make: Callable[[Json], Json], *path: str | int) -> Change:
    def change(frames: list[Json]) -> None:
        place, key = _deep(frames, *path)
        place[key] = make(place[key])

    return _frames(change)


def _change_held(frames: list[Json]) -> None:
    """Give somebody a card that they did not have."""
    held = next(each["table"]["view"]["held"] for each in frames if each["table"]["view"]["held"])
    cards = next(iter(held.values()))
    cards[0] = cards[0] % 4 + 1


def _of_other(name: str, game: str) -> Change:
    def change(content: Json, proof: Json, others: Others) -> None:
        content[name] = copy.deepcopy(others[game][0][name])

    return change


def _whole_other_proof(content: Json, proof: Json, others: Others) -> None:
    proof.clear()
    proof.update(copy.deepcopy(others["highshow"][1]))


def _update(**values: Json) -> Callable[[Json], None]:
    return lambda row: row.update(values)


def _rename_seat(steps: list[Json]) -> None:
    """Let somebody else have done the first thing that was done."""
    (action,) = steps[0]["turns"][0]["action"].values()
    action["seat"] = "p999"


def _later(at: str) -> str:
    return at.replace("T", "T", 1)[:-6] + ("+00:01" if at.endswith("+00:00") else "+00:00")


def _list_of(*kinds: tuple[str, str, Change]) -> list[Tampering]:
    return [Tampering(name, game, change) for name, game, change in kinds]


def _everywhere(name: str, change: Change, games: tuple[str, ...] = GAMES) -> list[Tampering]:
    return [Tampering(f"{name} of {game}", game, change) for game in games]


TAMPERINGS: list[Tampering] = [
    # What a table was opened with
    *_list_of(
        ("another table id", "heist", _set("table", lambda value: value[::-1] + "0")),
        ("another room", "heist", _set("room", lambda value: value + "x")),
        ("another community", "heist", _set("community", lambda value: value + "x")),
        ("another game", "heist", _set("game", lambda _: "highshow")),
        ("a later version", "heist", _set("version", lambda value: value + 1)),
        ("a version in words", "heist", _set("version", str)),
        ("another chain", "heist", _set("chain", _flipped)),
        ("a later link", "heist", _set("link", lambda value: value + 1)),
        ("link 0", "heist", _set("link", lambda _: 0)),
        ("a negative link", "heist", _set("link", lambda value: -value)),
        ("another seed", "heist", _set("seed", _flipped)),
        ("a seed of nothing", "heist", _set("seed", lambda _: "")),
        ("a seed in capitals", "heist", _set("seed", str.upper)),
        ("no seed", "heist", _set("seed", lambda _: None)),
        ("an end at another time", "heist", _set("closed_at", _later)),
        ("an opening at another time", "heist", _set("opened_at", _later)),
        ("called off instead of settled", "heist", _set("state", lambda _: "void")),
        ("settled instead of called off", VOID, _set("state", lambda _: "settled")),
        ("still open", "heist", _set("state", lambda _: "open")),
        ("another format", "heist", _set("format", lambda _: "rabble-proof-1")),
        ("one more value", "heist", lambda content, proof, others: proof.update(note="fair")),
        ("the proof of another table", "heist", _whole_other_proof),
    ),
    Tampering("another seed, drawn again", "sixcardpoker", _set("seed", _flipped), redraws=True),
    *_everywhere("a setting more", _setting(_update(unheard_of=1))),
    *_everywhere("one setting less", _setting(lambda settings: settings.pop(next(iter(settings))))),
    # What was done
    *_everywhere("the first step left out", _steps(lambda steps: steps.pop(0))),
    *_everywhere("the last step left out", _steps(lambda steps: steps.pop())),
    *_everywhere("the last step twice", _steps(lambda steps: steps.append(copy.deepcopy(steps[-1])))),
    *_everywhere("two steps in another order", _steps(lambda steps: steps.insert(0, steps.pop(1)))),
    *_everywhere("another message id", _steps(lambda steps: _said(steps).update(message="chosen"))),
    *[
        Tampering(
            f"another message id of {game}, drawn again",
            game,
            _steps(lambda steps: _said(steps).update(message="chosen")),
            redraws=True,
        )
        for game in ("highshow", "pokermarket", "sixcardpoker")
    ],
    *_list_of(
        ("a message made a timer", "heist", _steps(lambda steps: _said(steps).update(message=""))),
        ("a timer made a message", "heist", _steps(lambda steps: _timer(steps).update(message="late"))),
        ("another posting", "heist", _steps(lambda steps: steps[0].update(posting="posting"))),
        ("a posting twice", "heist", _steps(lambda steps: steps[1].update(posting=steps[0]["posting"]))),
        ("a turn number skipped", "heist", _turn(lambda turn: turn.update(turn=turn["turn"] + 1))),
        ("a turn without an action", "heist", _turn(lambda turn: turn.update(action={}))),
        ("an action of no game", "heist", _turn(lambda turn: turn.update(action={"Win": {}}))),
        ("a turn at another time", "heist", _turn(lambda turn: turn.update(at=_later(turn["at"])), -1)),
        ("a step without turns", "heist", _steps(lambda steps: steps[0].update(turns=[]))),
        ("an empty story", "heist", _steps(lambda steps: steps.clear())),
    ),
    *_everywhere("another one who acted", _steps(_rename_seat)),
    *_everywhere("an action with a field more", _acted(_update(lucky=True))),
    # Who was paid
    *_everywhere("a credit more", _paid(_field("credits", lambda value: value + 1))),
    *_everywhere("a payment less", _last_paid(lambda entries: entries.pop())),
    *_everywhere("a payment twice", _last_paid(lambda entries: entries.append(copy.deepcopy(entries[-1])))),
    *_list_of(
        ("a payment of nothing", "heist", _paid(_field("credits", lambda _: 0))),
        ("a payment of less than nothing", "heist", _paid(_field("credits", lambda value: -value))),
        ("half a credit", "heist", _paid(_field("credits", lambda value: value + 0.5))),
        (
            "a payment to somebody else",
            "heist",
            _last_paid(_field("target", lambda value: [*value[:2], "p999"])),
        ),
        ("a payment by somebody else", "heist", _paid(_field("source", lambda value: [*value[:2], "p999"]))),
        ("a payment for another reason", "heist", _paid(_field("why", lambda _: "gift"))),
        ("a refund at a settled table", "heist", _refunds(lambda rows: rows.append(_REFUND))),
        ("no refunds", VOID, _refunds(lambda rows: rows.clear())),
        ("a refund more", VOID, _refunds(lambda rows: rows.append(copy.deepcopy(rows[0])))),
        ("a larger refund", VOID, _refunds(_field("credits", lambda value: value + 1))),
    ),
    # What was drawn
    *_everywhere(
        "no draws", _drawn(lambda draws: draws.clear()), ("highshow", "pokermarket", "sixcardpoker")
    ),
    *_everywhere("another key", _drawn(lambda draws: draws[0].update(key=_flipped(draws[0]["key"])))),
    *_everywhere("a draw twice", _drawn(lambda draws: draws[0]["draws"].insert(0, draws[0]["draws"][-1]))),
    *_everywhere("draws of another turn", _drawn(lambda draws: draws[0].update(turn=draws[0]["turn"] - 1))),
    *_everywhere("another shuffle", _first_draw("sample", _swap_places), GAMES[1:]),
    *_list_of(
        ("better luck", "heist", _first_draw("uniform", _add_to_last(1))),
        ("another lowest card", "highshow", _first_draw("below", _add_to_last(1))),
        ("a draw of no kind", "heist", _first_draw("uniform", lambda draw: draw.__setitem__(0, "luck"))),
        ("draws of another table", "highshow", _of_other("draws", "pokermarket")),
    ),
    # What the house had fixed
    *_list_of(
        ("another choice", "sixcardpoker", _choice(_update(choice="4 4 4 3 3 2"))),
        ("another nonce", "sixcardpoker", _choice(lambda row: row.update(nonce=_flipped(row["nonce"])))),
        ("another hash", "sixcardpoker", _choice(lambda row: row.update(digest=_flipped(row["digest"])))),
        ("the choice of another", "sixcardpoker", _choice(_update(seat="p999"))),
        ("no choice", "sixcardpoker", lambda content, proof, others: content["choices"].clear()),
    ),
    # What is shown
    *_everywhere(
        "another card",
        _frames(lambda rows: _face(rows, lambda face: "1" if face != "1" else "2")),
        ("highshow", "sixcardpoker"),
    ),
    *_everywhere("a picture left out", _frames(lambda rows: rows.pop())),
    *_everywhere("another pot", _frames(_any_pot), ("heist", "chickenpoker", "pokermarket")),
    *_list_of(
        ("a picture twice", "heist", _frames(lambda rows: rows.append(copy.deepcopy(rows[-1])))),
        ("no picture", "heist", _frames(lambda rows: rows.clear())),
        ("pictures in another order", "heist", _frames(lambda rows: rows.reverse())),
        ("pictures of another table", "heist", _of_other("frames", "highshow")),
        (
            "a picture at another time",
            "heist",
            _frames(lambda rows: rows[0].update(at=_later(rows[0]["at"]))),
        ),
        ("an early end", "heist", _frames(lambda rows: rows[0]["table"].update(over=True))),
        ("no end", "heist", _frames(lambda rows: rows[-1]["table"].update(over=False))),
        (
            "a market of other cards",
            "pokermarket",
            _view(lambda card: (card + 1) % 52, "market", "hands", 0, 0),
        ),
        ("another hand", "sixcardpoker", _frames(_change_held)),
    ),
    # What is no part of the proof
    *[
        Tampering(name, "heist", change, damages=True)
        for name, change in (
            ("other words", lambda content, proof, others: content["words"].update(page="x")),
            ("another title", lambda content, proof, others: content.update(title="x")),
            ("another name", lambda content, proof, others: content["viewers"][0].update(name="x")),
            (
                "another digest",
                lambda content, proof, others: content.update(digest=_flipped(content["digest"])),
            ),
        )
    ],
]
