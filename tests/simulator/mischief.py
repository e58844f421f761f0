"""Chooses what happens next, and what goes wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chatbot.rooms.line import Occasion
from tests.simulator.disk import Fault
from tests.simulator.lines import Spoken
from tests.simulator.linking import masked
from tests.simulator.paying import Audience

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from chatbot.rooms.table_protocol import Table
    from tests.simulator.disk import Kind, Role
    from tests.simulator.lines import Chatter
    from tests.simulator.world import World

HOUR, TEN_YEARS = 3600.0, 10 * 365 * 86_400.0
JUMPS = (-HOUR, HOUR, TEN_YEARS, -TEN_YEARS, 90_000.0)
NAPS = (0.0, 0.0, 1.0, 20.0, HOUR, -HOUR, TEN_YEARS)  # seconds by the calendar between a death and a start
WAITS = (0.5, 1.0, 3.0, 6.0, 10.0, 15.0, 30.0, 61.0)
LONG = (300.0, 400.0, 2 * HOUR)
KINDS: tuple[tuple[Kind, int], ...] = (
    ("fail", 6), ("odd", 2), ("vanish", 2), ("uncommitted", 3), ("lost", 5), ("kill", 3), ("kill after", 3),
)  # fmt: skip


@dataclass(slots=True)
class Plan:
    """One step: what is done at once, in this order, and what goes wrong meanwhile."""

    lines: list[Spoken] = field(default_factory=list)
    cuts: dict[int, int] = field(default_factory=dict)  # lines whose caller gives up after so many turns
    wait: float | None = None  # seconds that pass meanwhile
    wait_first: bool = False
    hurry: tuple[str, str] | None = None  # a room and a table whose phase is made to run out
    jump: float = 0.0  # of the calendar, in seconds
    faults: list[Fault] = field(default_factory=list)
    outage: bool | None = None  # whether everything fails from now on, or no longer
    mute: tuple[str, int] | None = None  # a channel whose adapter refuses so many lines
    crash: bool = False
    occasion: Occasion | None = None
    audience: Audience | None = None  # who stays in a channel for a while
    crowd: bool = False  # whether the lines are those of a crowd

    @property
    def undisturbed(self) -> bool:
        return self.wait is None and self.hurry is None and not (self.faults or self.cuts or self.crash)

    @property
    def calm(self) -> bool:
        """Whether it is one line that nothing disturbs."""
        return len(self.lines) == 1 and self.undisturbed

    def __str__(self) -> str:
        parts = [f"{_shown(each)}{self._cut(n)}" for n, each in enumerate(self.lines)]
        if self.wait is not None:
            parts.insert(0 if self.wait_first else len(parts), f"+{self.wait:g} s")
        parts += [f"hurry {self.hurry[1]}"] if self.hurry else []
        parts += [f"calendar {self.jump:+g} s"] if self.jump else []
        parts += [f"outage {'begins' if self.outage else 'ends'}"] if self.outage is not None else []
        parts += [f"adapter {self.mute[0]} refuses {self.mute[1]}"] if self.mute else []
        parts += [str(self.occasion)] if self.occasion else []
        parts += [f"{len(self.audience.people)} stay in {self.audience.channel}"] if self.audience else []
        parts += [f"FAULT {each}" for each in self.faults]
        parts += ["CRASH"] if self.crash else []
        return " & ".join(parts)

    def _cut(self, number: int) -> str:
        return f" (cut off after {self.cuts[number]})" if number in self.cuts else ""


class Mischief:
    def __init__(self, rng: Random, chatter: Chatter) -> None:
        self._rng, self._chatter = rng, chatter
        self._past: list[Spoken] = []  # lines that were delivered
        self._late: list[Spoken] = []  # lines that are still on their way

    def plan(self, world: World) -> Plan:
        """Choose the next step."""
        kinds: tuple[tuple[Callable[[Plan, World], None], int], ...] = (
            (self._one, 36), (self._several, 14), (self._again, 8), (self._wait, 12), (self._deadline, 12),
            (self._long, 3), (self._hurry, 3), (self._jump, 3), (self._meanwhile, 8), (self._outage, 2),
            (self._mute, 2), (self._overdue, 4),
        )  # fmt: skip
        if self._chatter.paying is not None:
            kinds = *kinds, (self._happen, 6), (self._stay, 3), (self._upset, 9), (self._flood, 1)
        choose = self._rng.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
        plan = Plan()
        choose(plan, world)
        self._spoil(plan)
        self._past += plan.lines
        return plan

    def recovery(self, attempt: int) -> list[Fault]:
        """Choose what goes wrong while the program starts; nothing does at the third attempt."""
        if attempt > 2 or self._rng.random() < 0.6:
            return []
        return [self._fault(self._rng.choice(("kill", "kill after", "fail", "lost")), most=25)]

    def nap(self) -> float:
        return self._rng.choice(NAPS)

    # What happens

    def _one(self, plan: Plan, world: World) -> None:
        plan.lines = [self._chatter.line()]
        if self._rng.random() < 0.04:
            self._late += plan.lines
            plan.lines = []

    def _several(self, plan: Plan, world: World) -> None:
        plan.lines = [self._chatter.line() for _ in range(self._rng.randint(2, 6))]
        if self._rng.random() < 0.4:
            plan.lines.append(self._chatter.again(self._rng.choice(plan.lines)))
        self._rng.shuffle(plan.lines)
        if self._rng.random() < 0.3:
            self._late.append(plan.lines.pop())

    def _again(self, plan: Plan, world: World) -> None:
        if self._past:
            plan.lines = [
                self._chatter.again(self._rng.choice(self._past[-20:]))
                for _ in range(self._rng.randint(1, 2))
            ]

    def _overdue(self, plan: Plan, world: World) -> None:
        """Deliver what was held up, in another order; some of it is lost for ever."""
        self._rng.shuffle(self._late)
        if self._late and self._rng.random() < 0.3:
            self._late.pop()
        plan.lines, self._late = self._late, []

    def _happen(self, plan: Plan, world: World) -> None:
        plan.occasion = self._chatter.paying.occasion() if self._chatter.paying else None

    def _stay(self, plan: Plan, world: World) -> None:
        plan.audience = self._chatter.paying.audience() if self._chatter.paying else None

    def _upset(self, plan: Plan, world: World) -> None:
        """Call a table off, link or part who is at it, in any of its phases; often just as that runs out."""
        standing: dict[tuple[str, str], list[Table]] = {}
        for each in world.tables:
            if not each.over and each.clock is not None:
                standing.setdefault((each.kit.name, each.clock.phase), []).append(each)
        if not standing:
            return self._several(plan, world)
        table = self._rng.choice(standing[self._rng.choice(list(standing))])
        plan.lines = (self._rng.random() < 0.4 and self._chatter.twins()) or [self._chatter.upset(table)]
        if self._rng.random() < 0.4 and table.deadline is not None:
            plan.wait = max(table.deadline - world.watch.now(), 0.0)
            plan.wait_first = self._rng.random() < 0.5
        return None

    def _flood(self, plan: Plan, world: World) -> None:
        plan.lines, plan.crowd = self._chatter.crowd(), True

    def _wait(self, plan: Plan, world: World) -> None:
        plan.wait = self._rng.choice(WAITS)

    def _long(self, plan: Plan, world: World) -> None:
        plan.wait = self._rng.choice(LONG[:2] if world.disk.outage else LONG)

    def _deadline(self, plan: Plan, world: World) -> None:
        left = [each.deadline - world.watch.now() for each in world.tables if each.deadline is not None]
        plan.wait = max(self._rng.choice(left), 0.0) if left else self._rng.choice(WAITS)

    def _hurry(self, plan: Plan, world: World) -> None:
        standing = [(each.room.id, each.id) for each in world.tables if not each.over]
        plan.hurry = self._rng.choice(standing) if standing else None

    def _jump(self, plan: Plan, world: World) -> None:
        plan.jump = self._rng.choice(JUMPS)

    def _meanwhile(self, plan: Plan, world: World) -> None:
        """Let lines come while a phase runs out."""
        self._several(plan, world)
        self._deadline(plan, world)
        plan.wait_first = self._rng.random() < 0.5
        if self._rng.random() < 0.2:
            self._hurry(plan, world)

    def _outage(self, plan: Plan, world: World) -> None:
        plan.outage = not world.disk.outage

    def _mute(self, plan: Plan, world: World) -> None:
        plan.mute = "den:stream", self._rng.randint(1, 5)

    # What goes wrong

    def _spoil(self, plan: Plan) -> None:
        dice = self._rng.random()
        if dice < 0.14:
            plan.faults = [self._fault(self._kind()) for _ in range(1 + (self._rng.random() < 0.3))]
        elif dice < 0.18:
            plan.faults = [self._fault("lost", most=2), self._fault("fail", "reader", most=3)]
        elif dice < 0.21:
            plan.crash = True
        elif dice < 0.28 and plan.lines:
            plan.cuts = {self._rng.randrange(len(plan.lines)): self._rng.randint(0, 60)}
            if self._rng.random() < 0.2:
                plan.faults = [self._fault(self._kind())]

    def _kind(self) -> Kind:
        return self._rng.choices([kind for kind, _ in KINDS], [weight for _, weight in KINDS])[0]

    def _fault(self, kind: Kind, role: Role | None = None, most: int = 30) -> Fault:
        at_commit = kind in {"uncommitted", "lost"}
        roles: tuple[Role, ...] = ("writer",) if at_commit else ("writer", "reader", "either")
        roles = roles if role is None else (role,)
        after = self._rng.randint(0, min(most, 4) if at_commit else most)
        return Fault(kind, self._rng.choice(roles), after, self._rng.choice((1, 1, 1, 2, 5)))


def _shown(spoken: Spoken) -> str:
    line = spoken.line
    text = masked(line.text) if len(line.text) < 60 else f"{line.text[:40]}…"
    return f"{line.id} {line.name}@{line.channel}{' (whispers)' if line.private else ''}: {text!r}"
