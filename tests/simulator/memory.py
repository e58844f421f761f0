"""What was typed and what was answered, held against the books: what each line may have moved."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chatbot.bot.deduplication import REMEMBERED_FOR
from chatbot.kernel.say import Credits, Message, Name
from chatbot.rooms.request import NOTICE
from tests.simulator.lines import meant, takers
from tests.simulator.town import COMMUNITIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.kernel.say import Say
    from tests.simulator.books import Books, Move
    from tests.simulator.lines import Spoken

_BY_CLOCK = {"all in": "!allin", "finger": "!doublecross", "bribes": "!guard"}
"""Why the clock takes credits out of a wallet, and what its owner must have typed for it."""
UPKEEP, UPKEEP_ABOVE = 3, 1000  # percent a day, and credits that cost nothing
_ASKED = {"line": "stake", "give": "gift", "grant": "grant", "take": "take"}
"""The postings that answer a line, by the first word of their ids, and what the line asked for."""
_STAKED = {
    "highshow-opened": ("who", "stake"),
    "chicken-opened": ("who", "terms"),
    "chicken-joined": ("who", "terms"),
    "market-opened": ("who", "terms"),
    "market-joined": ("who", "terms"),
    "sixcard-opened": ("who", "terms"),
    "sixcard-challenge": ("who", "terms"),
    "sixcard-accepted": ("rival", "terms"),
}
"""What tells of a stake at a table apart: whose it is, and where it stands."""


@dataclass(slots=True)
class Told:
    """The hashes that the chat was told of tables."""

    heads: dict[str, str] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)
    seeds: dict[str, str] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)


class Memory:
    def __init__(self) -> None:
        self.told = Told()
        self.spoken: dict[str, Spoken] = {}
        self.refused: dict[str, str] = {}  # lines that were told that nothing has happened, and how
        self._arrived: dict[str, float] = {}  # when lines came that the program knows to have come
        self._typed: set[tuple[str, str]] = set()
        self._gifts: Counter[tuple[str, str, str, int]] = Counter()  # told, by community, giver and taker
        self._stakes: Counter[tuple[str, str, int]] = Counter()  # told, by community and seat
        self._orders: Counter[tuple[str, str, str, int]] = (
            Counter()
        )  # told, by why, moderator and whose purse
        self._moves = 0  # that have been looked at

    def hear(self, lines: Sequence[Spoken]) -> list[Spoken]:
        """Remember lines before they are delivered; give those that come for the first time."""
        fresh = []
        for each in lines:
            self._typed.add((str(each.line.account), each.line.text))
            if self.spoken.setdefault(each.line.id, each) is each:
                fresh.append(each)
        return fresh

    def arrive(self, line: str, now: float) -> None:
        """Note that a line comes; one that the program has forgotten meanwhile may be acted on now."""
        if self._arrived.get(line, now) < now - REMEMBERED_FOR:
            self.refused.pop(line, None)
            del self._arrived[line]
        self._arrived.setdefault(line, now)

    def listen(
        self,
        says: Sequence[tuple[str, Say]],
        lines: Sequence[Spoken],
        fresh: Sequence[Spoken],
        books: Books,
    ) -> Iterator[str]:
        """Remember what was answered to these lines; tell what contradicts what was told before."""
        for room, say in says:
            self._gift(COMMUNITIES[room], say)
            self._stake(COMMUNITIES[room], say)
            self._order(say)
            yield from self._hashes(say)
        people = Counter(books.person(books.home(each.line.account)) for each in lines)
        refusals = {
            books.person(say.to): say.message.id
            for _, say in says
            if say.to is not None and say.event == "Refusal" and say.message.id != "look-again"
        }
        for each in fresh:
            who = books.person(books.home(each.line.account))
            if people[who] == 1 and who in refusals:
                self.refused[each.line.id] = refusals[who]

    def forget_refusals(self, *, all_of_them: bool) -> None:
        """After a restart a line that was never taken in may come again; after a day any may."""
        if all_of_them:
            self._arrived.clear()
        self.refused = {
            line: why for line, why in self.refused.items() if why != "try-again" and not all_of_them
        }

    def breaches(self, books: Books) -> Iterator[str]:
        """Tell what the books have that nobody asked for, and what was told that they have not."""
        for each in books.moves[self._moves :]:
            if each.source.startswith("wallet:") or each.why in {"stake", "gift", "grant"}:
                yield from self._unexplained(each, books)
        self._moves = len(books.moves)
        yield from self._untrue(books)
        yield from self._repeated(books)

    # What was told

    def _gift(self, community: str, say: Say) -> None:
        args = say.message.args
        if say.message.id != "given":
            return
        giver, taker, amount = args["who"], args["taker"], args["amount"]
        assert isinstance(giver, Name)
        assert isinstance(taker, Name)
        assert isinstance(amount, Credits)
        if say.to in {None, giver.seat}:
            self._gifts[community, giver.seat, taker.seat, amount.amount] += 1

    def _stake(self, community: str, say: Say) -> None:
        if say.message.id in {"heist-opened", "heist-joined"}:
            who, stake = say.message.args["who"], say.message.args["stake"]
            assert isinstance(who, Name)
            assert isinstance(stake, Credits)
            self._stakes[community, who.seat, stake.amount] += 1
        name, where = _STAKED.get(say.message.id, ("who", ""))
        stakes = say.message.args.get(where)
        if isinstance(stakes, Message) and "stake" in stakes.args:
            who, stake = say.message.args[name], stakes.args["stake"]
            assert isinstance(who, Name)
            assert isinstance(stake, Credits)
            self._stakes[community, who.seat, stake.amount] += 1

    def _order(self, say: Say) -> None:
        """Note what a moderator was told; whose purse it is may hear of it too, in answer to nothing."""
        way = {"granted": "grant", "taken": "take"}.get(say.message.id)
        if way is None or say.event == NOTICE:
            return
        args = say.message.args
        moderator, who, amount = args["moderator"], args["who"], args["amount"]
        assert isinstance(moderator, Name)
        assert isinstance(who, Name)
        assert isinstance(amount, Credits)
        self._orders[way, moderator.seat, who.seat, amount.amount] += 1

    def _hashes(self, say: Say) -> Iterator[str]:
        told = self.told
        kept = {"head": told.heads, "terms": told.terms, "seed": told.seeds, "record": told.records}
        within = (each for each in say.message.args.values() if isinstance(each, Message))
        for message in (say.message, *within):
            for what in kept.keys() & message.args.keys() if "table" in message.args else ():
                known, table, made = kept[what], str(message.args["table"]), str(message.args[what])
                if known.setdefault(table, made) != made:
                    yield f"the {what} of {table} was told as {known[table]}, and then as {made}"

    # What the books have

    def _unexplained(self, move: Move, books: Books) -> Iterator[str]:
        kind = move.posting.partition(":")[0]
        if move.why == "link":
            if books.one(move.source) != books.one(move.target):
                yield f"transfer {move.id} leaves {move.source} for {move.target}, which is another person's"
        elif kind == "unwelcome":
            yield from _unreturned(move, books)
        elif kind == "upkeep":
            yield from _unlike_upkeep(move, books)
        elif move.source.startswith(f"wallet:{move.community}:house:"):
            yield from self._unhosted(move, kind, books)
        elif kind in _ASKED:
            yield from self._unasked(move, _line(move.posting), _ASKED[kind], books)
        elif kind == "clock":
            seat, word = move.source.split(":", 2)[-1], _BY_CLOCK.get(move.why)
            typed = ((each, word) in self._typed for each in books.accounts_of(seat))
            if move.source.startswith("wallet:") and not any(typed):
                yield f"transfer {move.id} takes {move.credits} ({move.why}) from {move.source}, unasked"
        elif kind not in {"season", "undo"}:  # what is undone is held against the change set that it undoes
            yield f"transfer {move.id} takes {move.credits} ({move.why}) from {move.source} by {move.posting}"

    def _unhosted(self, move: Move, kind: str, books: Books) -> Iterator[str]:
        """Tell what a player of the house pays besides stakes, what the clock takes, and what was lent.

        A stake that the clock puts is lent in the same step.
        """
        if kind == "clock" and move.why == "stake":
            lent = {each.target: each.credits for each in books.moves if _is_lent(each, move.posting)}
            if move.target != f"pot:{move.table}" or lent.get(move.source) != move.credits:
                yield f"transfer {move.id} stakes {move.credits}, of which {lent} was lent"
            return
        house, seat = f"house:{move.community}", move.source.split(":", 2)[-1]
        ways = {
            "seat": ("stake", f"pot:{move.table}", seat, f"seat:{move.table}:{seat}:join"),
            "allowance": ("allowance", house, seat, move.posting),
        }
        if kind in ways and (move.why, move.target, move.actor, move.posting) != ways[kind]:
            yield f"transfer {move.id} ({move.why}) of the house goes to {move.target} by {move.posting}"
        if kind not in {*ways, "season", "take", "undo"} and not (kind == "clock" and move.why in _BY_CLOCK):
            yield f"transfer {move.id} takes {move.credits} ({move.why}) from {move.source} by {move.posting}"

    def _unasked(self, move: Move, line: str, kind: str, books: Books) -> Iterator[str]:
        spoken = self.spoken.get(line)
        asked = {"stake", "pledge"} if kind == "stake" else {kind}
        if spoken is None or spoken.kind not in asked or move.why != kind:
            yield f"transfer {move.id} ({move.why}) answers a line that is no {kind}: {spoken}"
            return
        wallet, mint, speaker = (
            f"wallet:{move.community}:",
            f"mint:{move.community}",
            books.home(spoken.line.account),
        )
        theirs = {wallet + seat for seat in takers(spoken, books)}
        sources, targets = {
            "stake": ({wallet + speaker}, {f"pot:{move.table}"}),
            "gift": ({wallet + speaker}, theirs),
            "grant": ({mint}, theirs),
            "take": (theirs, {mint}),
        }[kind]
        ends = ({books.one(each) for each in ways} for ways in (sources, targets))
        moved = books.person(move.actor), books.one(move.source), books.one(move.target)
        if not all(each in ways for each, ways in zip(moved, ({books.person(speaker)}, *ends), strict=True)):
            yield f"transfer {move.id} goes from {move.source} to {move.target} for {spoken}"
        least, most = (meant(spoken.amount, purse) for purse in (0, 10**15)) if spoken.amount else (1, 10**15)
        if least is None or most is None or not least <= move.credits <= most:
            yield f"transfer {move.id} moves {move.credits} for {spoken}"

    def _untrue(self, books: Books) -> Iterator[str]:
        gifts, stakes = Counter[tuple[str, str, str, int]](), Counter[tuple[str, str, int]]()
        orders = Counter[tuple[str, str, str, int]]()
        for each in books.moves:
            seat = each.source.split(":", 2)[-1]
            if each.why == "gift":
                gifts[each.community, seat, each.target.split(":", 2)[-1], each.credits] += 1
            elif each.why == "stake" and each.target.startswith("pot:"):
                stakes[each.community, seat, each.credits] += 1
            elif each.why in {"grant", "take"}:
                wallet = each.target if each.why == "grant" else each.source
                orders[each.why, each.actor, wallet.split(":", 2)[-1], each.credits] += 1
        yield from (f"the gift {each} was told but not given" for each in self._gifts - gifts)
        yield from (f"the stake {each} was told but not taken" for each in self._stakes - stakes)
        yield from (f"the order {each} was told but not done" for each in self._orders - orders)

    def _repeated(self, books: Books) -> Iterator[str]:
        lines = Counter(_line(name) for name in books.postings if name.partition(":")[0] in _ASKED)
        for line, times in lines.items():
            if times > 1:
                yield f"line {line} was acted on {times} times"
            if line in self.refused:
                yield f"line {line} was refused ({self.refused[line]}), but written: {self.spoken[line]}"


def _is_lent(move: Move, posting: str) -> bool:
    return move.posting == posting and move.why == "allowance" and move.source.startswith("house:")


def _line(posting: str) -> str:
    """Name the line that a posting answers; in that of a gift its community stands before it."""
    kind, _, rest = posting.partition(":")
    return rest.partition(":")[2] if kind == "give" else rest


def _unreturned(move: Move, books: Books) -> Iterator[str]:
    """Tell where the second welcome of one person did not go back to where it came from."""
    seat = move.source.split(":", 2)[-1]
    if seat not in books.ties or move.why != "welcome-returned" or not move.target.startswith("mint:"):
        yield f"transfer {move.id} takes {move.credits} ({move.why}) from {move.source} by {move.posting}"


def _unlike_upkeep(move: Move, books: Books) -> Iterator[str]:
    """Tell where upkeep is not the part of a wallet that the defaults say, or does not go to the house."""
    before = (each for each in books.moves if each.number < move.number)
    held = sum(
        each.credits * ((each.target == move.source) - (each.source == move.source)) for each in before
    )
    due = (held - UPKEEP_ABOVE) * UPKEEP // 100
    if (move.why, move.target, move.credits) != ("upkeep", f"house:{move.community}", due):
        yield f"transfer {move.id} takes {move.credits} ({move.why}) of {held} from {move.source}"
