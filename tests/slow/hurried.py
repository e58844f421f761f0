"""The program with a faster clock, so that lobbies close between two kills, and with planted faults.

`python -m tests.slow.hurried BEGAN [FAULT]` imports the program, and for each line that it reads it forks a
process that runs it: it prints the number of that process, and a line when that has ended. So a kill costs no
imports. `BEGAN` is the moment, in unix seconds, from which on the clock is `SPEED` times as fast. A fault is
one of `FAULTS`: it shows whether whoever looks at the books finds it.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NoReturn

import aiosqlite  # noqa: F401  (it and the next but one are imported for the runs)
from sqlalchemy import select

import chatbot.app
import cogs.twitch.adapter  # noqa: F401
from chatbot.cli.entry import main
from chatbot.games import kits
from chatbot.ledger.store import schema
from chatbot.ledger.vouchers import Voucher, Vouchers, VoucherState
from chatbot.runtime.clock import LoopWatch
from chatbot.tables.voucher_stakes import VoucherStakes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from chatbot.kernel.game import Clock, Seat, Transfer
    from chatbot.ledger.books.posting import Entry
    from chatbot.runtime.clock import Alarm, Callback

SPEED = 10.0


def hurried(began: float, now: float) -> float:
    """Return what a clock that is `SPEED` times as fast since `began` shows at `now`, in unix seconds."""
    return began + (now - began) * SPEED


_note = VoucherStakes.note


class HurriedWatch(LoopWatch):
    """The clock of the loop, faster; its date goes on where it was after a restart."""

    began = 0.0

    def now(self) -> float:
        return super().now() * SPEED

    def date(self) -> datetime:
        return datetime.fromtimestamp(hurried(self.began, super().date().timestamp()), UTC)

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        return super().ring(seconds / SPEED, callback)


async def _due_early(self: Vouchers, platform: str) -> list[tuple[Voucher, VoucherState]]:
    """List the vouchers that are not confirmed, those that are still open as if they were kept."""
    row = schema.voucher.c
    wanted = select(schema.voucher).where(row.platform == platform, row.settled == 0)
    async with self._store.reading() as connection:
        rows = (await connection.execute(wanted)).all()
    states = {
        "open": VoucherState.KEPT,
        **{each.value: each for each in VoucherState if each.value != "open"},
    }
    return [(Voucher(row.id, row.platform, row.source, row.credits), states[row.state]) for row in rows]


async def _refuse_nothing(self: Vouchers, voucher: Voucher, community: str, at: datetime) -> bool:
    return False


def _burn_nothing(self: VoucherStakes) -> tuple[Entry, ...]:
    return ()


def _note_lobbies_alone(
    self: VoucherStakes,
    before: Clock | None,
    _backs_out: Callable[[Seat], bool],
    transfers: Iterable[Transfer],
) -> None:
    _note(self, before, lambda _: False, transfers)


def _settle_early() -> None:
    Vouchers.due = _due_early  # type: ignore[method-assign]


def _forget_refusals() -> None:
    Vouchers.refuse = _refuse_nothing  # type: ignore[method-assign]


def _keep_credits() -> None:
    VoucherStakes.burnt = _burn_nothing  # type: ignore[method-assign]


def _pay_out() -> None:
    VoucherStakes.note = _note_lobbies_alone  # type: ignore[method-assign,assignment]


FAULTS: Mapping[str, Callable[[], None]] = {
    "early": _settle_early,  # Twitch is told before it is written that the lobby has closed
    "forgotten": _forget_refusals,  # it is not written that a stake was refused
    "unburnt": _keep_credits,  # credits stay when the points go back
    "paid out": _pay_out,  # whoever backs out of a heist has turned points into credits
}


def serve() -> None:
    """Run the program for each line of standard input, one run after the other."""
    kits()
    while sys.stdin.readline():
        process = os.fork()
        if not process:
            _run()
        _tell(str(process))
        os.waitpid(process, 0)
        _tell("ended")


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _run() -> NoReturn:
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.argv = ["chatbot"]
    try:
        main()
    finally:
        sys.stderr.flush()
        os._exit(1)


if __name__ == "__main__":
    HurriedWatch.began = float(sys.argv[1])
    for fault in sys.argv[2:]:
        FAULTS[fault]()
    chatbot.app.LoopWatch = HurriedWatch  # type: ignore[attr-defined]
    serve()
