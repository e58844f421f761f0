"""What one line that nothing disturbed must have done, worked out in other ways than the bot does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel.say import Say
from tests.simulator.books import Books
from tests.simulator.keeping import KEEPERS
from tests.simulator.lines import Spoken, meant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.simulator.books import Move

DAY, HOUR = 86_400_000, 3_600_000  # milliseconds
GRANTED_AT_MOST = 1_000_000
USUAL = {
    "credits": {
        "start": "240", "give_start": "no", "give_most": "0", "give_daily": "1000", "taken_daily": "1000",
    },
    "earning": {"claim": "120", "claim_hours": "12", "moderator": "100"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scene:
    """A line and what came of it: `takers` bear the taker's name, `before` are moves that it found."""

    spoken: Spoken
    says: Sequence[tuple[str, Say]]
    books: Books
    takers: Sequence[str]
    before: int
    now: int  # by the calendar, in milliseconds since 1970

    @property
    def speaker(self) -> str:
        return self.books.home(self.spoken.line.account)

    @property
    def refused(self) -> bool:
        seats = self.books.everyone(self.speaker)
        return any(say.event == "Refusal" and say.to in seats for _, say in self.says)

    @property
    def moved(self) -> Move | None:
        """Find what the line has moved."""
        line, kind = self.spoken.line.id, self.spoken.kind
        postings = {
            "stake": f"line:{line}",
            "gift": f"give:{self.spoken.community}:{line}",
            "claim": self.claim,
        }
        wanted = postings.get(kind, f"{kind}:{line}")
        return next((each for each in self.books.moves[self.before :] if each.posting == wanted), None)

    @property
    def claim(self) -> str:
        hours = int(self.settings("earning")["claim_hours"])
        number = self.now // (hours * HOUR)
        return f"claim:{self.spoken.community}:{self.books.limited(self.speaker)}:{number}"

    def settings(self, group: str) -> Mapping[str, str]:
        chosen = self.books.settings.get((f"community {self.spoken.community}", group), {})
        return {**USUAL.get(group, {}), **chosen}

    def excluded(self, seat: str) -> bool:
        return any(self.settings("excluded").get(each) == "yes" for each in self.books.accounts_of(seat))

    def wallets(self, seat: str) -> set[str]:
        """Name all wallets of a person."""
        return {f"wallet:{self.spoken.community}:{each}" for each in self.books.everyone(seat)}

    def purse(self, seat: str) -> int:
        """Tell what somebody held when the line came to move something."""
        wallet, moved, held = f"wallet:{self.spoken.community}:{self.books.root(seat)}", self.moved, 0
        for each in self.books.moves:
            if moved is not None and each.posting == moved.posting:
                break
            held += each.credits * ((each.target == wallet) - (each.source == wallet))
        return held

    def plays(self, seat: str) -> bool:
        """Tell whether a table or a link has moved anything of somebody's on this day."""
        wallets = self.wallets(seat)
        return any(
            (each.table is not None or each.why == "link")
            and each.at // DAY == self.now // DAY
            and not wallets.isdisjoint((each.source, each.target))
            for each in self.books.moves
        )

    def today(self, seat: str, *, taken: bool) -> int:
        """Add up the gifts of this day by the calendar, before this one."""
        moved, wallets = self.moved, self.wallets(seat)
        return sum(
            each.credits
            for each in self.books.moves
            if each.why == "gift"
            and each is not moved
            and each.at // DAY == self.now // DAY
            and (each.target if taken else each.source) in wallets
        )


def expected(scene: Scene) -> Iterator[str]:
    """Hold a line against what it must have done."""
    spoken, moved = scene.spoken, scene.moved
    if (moved is None) != scene.refused:
        yield f"{spoken} was {'refused' if scene.refused else 'not refused'}, but moved {moved}"
    wanted = _wanted(scene)
    if moved is not None and wanted is not None and moved.credits != wanted:
        yield f"{spoken} moved {moved.credits} and not {wanted}"
    possible = {"gift": _gives, "grant": _grants, "take": _takes, "claim": _claims}.get(spoken.kind)
    if possible is not None and possible(scene, wanted) != (moved is not None):
        yield f"{spoken} of {wanted} to one of {scene.takers} {'was' if moved else 'was not'} done"


def _wanted(scene: Scene) -> int | None:
    """Tell how much is meant, of the purse that it is to come out of; None: it is not said."""
    spoken = scene.spoken
    if spoken.kind == "claim":
        earnings, moderator = scene.settings("earning"), spoken.line.role.value == "moderator"
        return int(earnings["claim"]) * (int(earnings["moderator"]) if moderator else 100) // 100
    if not spoken.amount:
        return None
    if spoken.kind == "grant":
        fixed = meant(spoken.amount, 0) == meant(spoken.amount, 10**15)
        return meant(spoken.amount, 0) if fixed else None
    if spoken.kind == "take":
        return meant(spoken.amount, scene.purse(scene.takers[0])) if len(scene.takers) == 1 else None
    return meant(spoken.amount, scene.purse(scene.speaker))


def _gives(scene: Scene, wanted: int | None) -> bool:
    giver, terms = scene.books.root(scene.speaker), scene.settings("credits")
    if wanted is None or len(scene.takers) != 1 or scene.books.root(scene.takers[0]) == giver:
        return False
    held, most = scene.purse(giver), int(terms["give_most"])
    spare = held if terms["give_start"] == "yes" else held - int(terms["start"])
    if wanted > min(held, spare) or 0 < most < wanted or scene.excluded(scene.takers[0]):
        return False
    if scene.moved is None and int(terms["taken_daily"]) and scene.plays(scene.takers[0]):
        return False  # what they won of others, or may win, counts as well
    return all(
        not int(terms[limit]) or scene.today(seat, taken=taken) + wanted <= int(terms[limit])
        for limit, seat, taken in (("give_daily", giver, False), ("taken_daily", scene.takers[0], True))
    )


def _grants(scene: Scene, wanted: int | None) -> bool:
    return _kept(scene) and wanted is not None and wanted <= GRANTED_AT_MOST


def _takes(scene: Scene, wanted: int | None) -> bool:
    if wanted is None or not _kept(scene):
        return False
    return wanted <= min(scene.purse(scene.takers[0]), GRANTED_AT_MOST)


def _kept(scene: Scene) -> bool:
    return scene.spoken.line.role in KEEPERS and len(scene.takers) == 1


def _claims(scene: Scene, wanted: int | None) -> bool:
    length = int(scene.settings("earning")["claim_hours"]) * HOUR
    wallets = scene.wallets(scene.speaker)
    claimed = any(
        each.why == "claim" and each.target in wallets and each.at // length == scene.now // length
        for each in scene.books.moves[: scene.before]
    )
    return bool(wanted) and not claimed and not scene.excluded(scene.speaker)
