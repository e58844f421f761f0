"""Plays one evening from a seed, and stops at the first breach."""

from __future__ import annotations

import asyncio
import hashlib
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.simulator import change_sets, crowd, ending, living
from tests.simulator.books import Reader, breaches
from tests.simulator.breach import Breach
from tests.simulator.change_sets import ChangeSets
from tests.simulator.expectations import Scene, expected
from tests.simulator.lines import Chatter
from tests.simulator.linking import masked
from tests.simulator.living import Orphanage
from tests.simulator.memory import Memory
from tests.simulator.mischief import HOUR, Mischief
from tests.simulator.paying import Payments, unpaid
from tests.simulator.town import COMMUNITIES, ROOM_OF, Town, witnessed
from tests.simulator.world import World, on_purpose

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping, Sequence

    from chatbot.kernel.say import Say
    from chatbot.rooms.line import Line
    from tests.simulator.books import Books
    from tests.simulator.disk import Disk
    from tests.simulator.lines import Spoken
    from tests.simulator.mischief import Plan
    from tests.simulator.paying import Audience

Work: TypeAlias = "Coroutine[Any, Any, None]"

STAYS, LOOK = 5, 150.0  # looks at who is in a channel, and the seconds between two
HANG = 60.0  # seconds of the wall clock after which an evening is given up


class Evening:
    """`trace` tells what has happened so far; `number` is the present step."""

    def __init__(self, seed: int, path: str, disks: dict[str, Disk], *, shows: bool) -> None:
        rng = Random(seed)
        self.trace: list[str] = []
        self.number = 0
        self.town, self.memory = Town(rng, linking=shows), Memory()
        self.chatter = Chatter(rng, self.town, shows=shows)
        self.mischief = Mischief(rng, self.chatter)
        self.world = World(path, disks, self.town, Random(rng.random()))
        self.reader, self.orphanage = Reader(path), Orphanage()
        self.change_sets = ChangeSets(self.reader.read()[0].settings)
        self.payments = Payments()
        self.excused: set[str] = set()  # rooms where a table may be void: it was cancelled, or long given up

    async def play(self, steps: int) -> None:
        """Play so many steps, and then everything to its end.

        Raises:
            Breach: something that must hold does not.
        """
        async with asyncio.timeout(HANG):
            await self.recover()
            for self.number in range(1, steps + 1):
                await self._step(self.mischief.plan(self.world))
            await ending.finish(self)
            self.trace.append(f"books {hashlib.sha256(self.reader.everything().encode()).hexdigest()}")

    # A step

    async def _step(self, plan: Plan) -> None:
        self.trace.append(f"{self.number}. {plan}")
        self._prepare(plan)
        calm = plan.calm and not self.world.disk.outage
        fresh = self.memory.hear(plan.lines)
        before = len(self.reader.read()[0].moves)
        await self.do(*self._works(plan))
        self.world.disk.faults = []
        if plan.crash and not self.world.dead:
            await self.world.kill()
        says = self.check(plan.lines, fresh)
        if calm and fresh and not self.world.dead:
            self._hold_to_it(fresh[0], says, before)
        if plan.crowd and plan.undisturbed and not self.world.disk.outage and not self.world.dead:
            self._hold_to_answers(fresh, says, before)
        self._hold_to_payment(plan)
        if self.world.dead:
            self.world.boot(self.mischief.nap())
            await self.recover()
        elif self.number % 6 == 0 and not self.world.disk.outage:
            self.demand(await living.misremembered(self.world))

    def _prepare(self, plan: Plan) -> None:
        world = self.world
        world.disk.faults = plan.faults
        if plan.jump:
            world.watch.set_calendar(plan.jump)
            self.memory.forget_refusals(all_of_them=abs(plan.jump) > 20 * HOUR)
        if plan.outage is not None:
            world.disk.outage = plan.outage
        if plan.mute:
            self.town.pipes[plan.mute[0]].broken = plan.mute[1]
        if world.disk.outage and ((plan.wait or 0) > 200 or plan.audience):
            self.excused |= world.rooms.keys()
        self.excused |= {each.room for each in plan.lines if each.line.text.startswith("!cancel")}

    def _works(self, plan: Plan) -> list[Work]:
        works = [self._hear(each.line, plan.cuts.get(n)) for n, each in enumerate(plan.lines)]
        if plan.wait is not None:
            works.insert(0 if plan.wait_first else len(works), self.world.watch.turn(plan.wait))
        if plan.occasion is not None:
            works.append(self.world.bot.notice(plan.occasion))
        if plan.audience is not None:
            works.append(self._stay(plan.audience))
        if plan.hurry is not None:
            room, table = plan.hurry
            works.append(self.world.bot.hurry(self.world.rooms[room], table))
        return works

    async def _hear(self, line: Line, patience: int | None) -> None:
        self.memory.arrive(line.id, self.world.watch.now())
        hearing = asyncio.ensure_future(self.world.bot.converse(line))
        if patience is not None:
            for _ in range(patience):
                await asyncio.sleep(0)
            hearing.cancel()
        await asyncio.wait([hearing])
        if not hearing.cancelled():
            hearing.result()

    async def _stay(self, there: Audience) -> None:
        """Let people stay in a channel, as its platform tells every few minutes."""
        for _ in range(STAYS):
            await self.world.bot.watching(there.channel, there.people)
            await self.world.watch.turn(LOOK)
        await self.world.bot.watching(there.channel, there.people)

    async def do(self, *works: Work) -> None:
        """Do these at once, and wait for all that hangs on them."""
        for error in await self.world.together(*works):
            if not on_purpose(error):
                raise Breach(f"raised: {error!r}") from error

    # What must hold

    def check(self, lines: Sequence[Spoken] = (), fresh: Sequence[Spoken] = ()) -> list[tuple[str, Say]]:
        """Look at everything, after these lines; give what was said in each room."""
        said = self.town.said()
        self.trace += [f"    ! {each}" for each in self.world.disk.hit]
        self.world.disk.hit.clear()
        self.trace += [
            f"    {each.channel}{f' > {each.to}' if each.to else ''}: {masked(each.text)}" for _, each in said
        ]
        says = witnessed(said) + self.town.heard()
        self.demand(self.world.unexpected)
        books, changed = self.reader.read()
        if changed:
            self.demand(breaches(books))
        self.demand(self.memory.listen(says, lines, fresh, books))
        self.demand(self.memory.breaches(books))
        self.demand(self.change_sets.breaches(books, self.memory.spoken))
        self.demand(
            self.payments.breaches(books, self.chatter.paying.happened if self.chatter.paying else {})
        )
        self.demand(self._voids(books))
        if not self.world.dead:
            self.demand(living.breaches(self.world, books))
            self.demand(living.guessable(self.world, self.memory.told.seeds.values()))
            self.demand(change_sets.misremembered(self.world, books))
            self.demand(self.orphanage.breaches(self.world, books))
        self.chatter.tables = list(books.tables)
        self.chatter.market.hear(says)
        self.chatter.linking.hear(says)
        return says

    def demand(self, found: Iterable[str]) -> None:
        """Raise the first breach, if there is one."""
        for sentence in found:
            raise Breach(sentence)

    def _voids(self, books: Books) -> list[str]:
        return [
            f"table {each.id} of {each.room} was called off, and nobody had asked for it"
            for each in books.tables.values()
            if each.state == "void" and each.room not in self.excused
        ]

    def _hold_to_it(self, spoken: Spoken, says: list[tuple[str, Say]], before: int) -> None:
        if spoken.kind not in {"pledge", "talk"}:
            books, _ = self.reader.read()
            takers = self.reader.members(spoken.community, spoken.taker.name if spoken.taker else "")
            takers = sorted({books.root(each) for each in takers})
            now = int(self.world.watch.date().timestamp() * 1000)
            self.demand(expected(Scene(spoken, says, books, takers, before, now)))

    def _hold_to_answers(self, lines: Sequence[Spoken], says: list[tuple[str, Say]], before: int) -> None:
        books, _ = self.reader.read()
        standing = {each.id: each for each in self.world.tables if not each.over}
        self.demand(crowd.unlike(crowd.Scene(lines, says, books, books.moves[before:], standing)))

    def _hold_to_payment(self, plan: Plan) -> None:
        if plan.occasion is None or not plan.undisturbed or self.world.disk.outage or self.world.dead:
            return
        community = COMMUNITIES[ROOM_OF[plan.occasion.channel]]
        self.demand(unpaid(self.reader.read()[0], plan.occasion, community))

    # Starting again

    async def recover(self) -> None:
        """Start the program, however often it dies of it, and hold it to what stood before."""
        before, _ = self.reader.read()
        attempt = 1
        while not await self._started(attempt):
            attempt += 1
            self.world.boot(self.mischief.nap())
        self.memory.forget_refusals(all_of_them=True)
        self.check()
        after, _ = self.reader.read()
        self.demand(living.lost(self.world, before, after))
        await self.world.probe()  # which may finish what a fault kept from being told and counted
        self.demand(living.lost(self.world, after, self.reader.read()[0]))
        rows = self.reader.everything()
        await self.world.probe()
        if self.reader.everything() != rows:
            raise Breach("to open the rooms once more has changed a row")

    async def _started(self, attempt: int) -> bool:
        world = self.world
        world.disk.faults = self.mischief.recovery(attempt)
        self.trace.append(f"    start {world.starts}: {', '.join(map(str, world.disk.faults)) or 'well'}")
        error = await world.begin()
        world.disk.faults = []
        if error is not None and not on_purpose(error):
            raise Breach(f"could not start: {error!r}") from error
        if error is not None and not world.dead:
            await world.kill()
        if world.dead:
            self.check()
        return not world.dead

    def note(self, logger: object, method: str, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """Hand on what the program logs."""
        return self.world.note(logger, method, entry)
