"""Describe the league, a ladder that is played beside the bot, for overlays and boards of all rooms.

Names of programs are their authors' words: they are data, never parts of a text of ours. Nothing is staked on
a league: an author can lose a duel on purpose, and whoever runs a ladder knows its seed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.say import Message
from chatbot.web.league_file import LeagueFile

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.delivery.outbox import Outbox
    from chatbot.rooms.room import Room
    from chatbot.web.league_file import LeagueContent, LeaguePlayer, LeagueRating, LeagueResult

SHOWN = 20  # rows of the table; an overlay has room for ten of them
_LABELS = ("title", "live", "final", "next", "won", "draw", "house", "champion", "results", "honour")
_BUILTIN = "builtin:"  # begins the names of strategies of the house
_UNSEEN = "\N{REPLACEMENT CHARACTER}"  # in place of a character that moves others or cannot be seen


class LeaguePlayerRow(TypedDict):
    """Somebody who plays; `rank` and `rating` are None for one who is not in the table."""

    key: str
    name: str
    author: str
    house: bool
    rank: int | None
    rating: int | None


class LeagueResultRow(TypedDict):
    """A duel that is over; `winner` is a place in `players`, None for a draw."""

    duel: int
    players: list[LeaguePlayerRow]
    scores: list[str]
    winner: int | None


class LeagueRatingRow(LeaguePlayerRow):
    """A row of the table; `error` is in points, like the rating."""

    error: int
    won: int
    drawn: int
    lost: int


class LeagueRow(TypedDict):
    """All that is shown of a league; `labels` are texts in the language."""

    language: str
    title: str
    round: str
    over: bool
    duels: int
    playing: list[LeaguePlayerRow] | None
    following: list[LeaguePlayerRow] | None
    results: list[LeagueResultRow]
    ratings: list[LeagueRatingRow]
    programs: int
    labels: dict[str, str]


@dataclass(frozen=True, slots=True)
class DescribedLeague:
    """A description as JSON, null where there is nothing to show, and a tag that differs for another one."""

    text: str
    tag: str


class League:
    """The league of this program; without a folder there is none."""

    def __init__(self, outbox: Outbox, folder: Path | None) -> None:
        self._outbox = outbox
        self._file = None if folder is None else LeagueFile(folder)
        # By room, for what content: overlays ask every second, and most of the time nothing has changed.
        self._described: tuple[LeagueContent, str, DescribedLeague] | None = None

    async def look(self) -> None:
        """Read what there is, so that the log says at the start what is wrong with it."""
        if self._file is not None:
            await self._file.content()

    async def describe(self, room: Room | None) -> LeagueRow | None:
        """Describe it in the language of a room, or that of the program; None: there is nothing to show."""
        content = None if self._file is None else await self._file.content()
        return None if content is None else self._row(content, room)

    async def describe_text(self, room: Room | None) -> DescribedLeague:
        """Return the same as JSON; it is made again when something has changed."""
        content = None if self._file is None else await self._file.content()
        if content is None:
            return _described(None)
        language = self._language(room)
        known = self._described
        if known is None or known[0] is not content or known[1] != language:
            self._described = known = content, language, _described(self._row(content, room))
        return known[2]

    def _language(self, room: Room | None) -> str:
        return self._outbox.words.language if room is None else self._outbox.languages.language(room)

    def _row(self, content: LeagueContent, room: Room | None) -> LeagueRow:
        words = self._outbox.languages.named(self._language(room))

        def text(name: str, **values: str | int) -> str:
            return words.text(Message(f"league-{name}", values), str)

        ratings = {each.key: each for each in content.ratings}
        game = f"game-{content.game}"
        pairs = [pair for pair in (content.playing, *content.following[:1]) if pair is not None]
        rows = [[_player(each, ratings) for each in pair] for pair in pairs]
        playing = rows.pop(0) if content.playing is not None else None
        return {
            "language": words.language,
            "title": words.text(Message(game), str) if game in words.ids else visible(content.title),
            "round": text("round", round=content.round, duels=content.duels),
            "over": content.over,
            "duels": content.duels,
            "playing": playing,
            "following": rows[0] if rows else None,
            "results": [_result(each, ratings) for each in content.results[:5]],
            "ratings": [_rating(each, ratings) for each in content.ratings[:SHOWN]],
            "programs": len(content.ratings),
            "labels": {name: text(name) for name in _LABELS},
        }


def visible(text: str) -> str:
    """Return a text of others on one line, without characters that cannot be seen or turn its direction."""
    return "".join(each if each.isprintable() else _UNSEEN for each in text)


def _described(row: LeagueRow | None) -> DescribedLeague:
    text = json.dumps(row, ensure_ascii=False)
    return DescribedLeague(text, sha256(text.encode()).hexdigest()[:16])


def _player(player: LeaguePlayer, ratings: dict[str, LeagueRating]) -> LeaguePlayerRow:
    place = ratings.get(player.key)
    house = not player.author
    return {
        "key": player.key,
        "name": visible(player.name.removeprefix(_BUILTIN) if house else player.name),
        "author": visible(player.author),
        "house": house,
        "rank": None if place is None else place.rank,
        "rating": None if place is None else place.rating,
    }


def _result(result: LeagueResult, ratings: dict[str, LeagueRating]) -> LeagueResultRow:
    return {
        "duel": result.duel,
        "players": [_player(each, ratings) for each in result.players],
        "scores": [_short(visible(each)) for each in result.scores],
        "winner": result.winner,
    }


def _short(score: str) -> str:
    """Return a number without zeros at the end of its decimals: there is room for few large digits."""
    return score.rstrip("0").rstrip(".") if "." in score else score


def _rating(place: LeagueRating, ratings: dict[str, LeagueRating]) -> LeagueRatingRow:
    return {
        **_player(place, ratings),
        "error": place.error,
        "won": place.won,
        "drawn": place.drawn,
        "lost": place.lost,
    }
