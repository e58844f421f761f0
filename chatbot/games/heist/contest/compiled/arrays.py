"""The memory in which compiled games keep everything: the game, the contestants, and a workspace.

It is one array of plain numbers, of which compiled code is passed the address: it is called for each
contestant who is asked, and each argument takes time. The parts of the memory share its bytes: the game is
its first row, the workspace the rows below, and the contestants are behind the last row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles: TypeAlias = NDArray[np.float64]
    Numbers: TypeAlias = NDArray[np.int64]
# Any: the fields of a structured array have types of their own, which NumPy does not tell.
Records: TypeAlias = Any
Stream: TypeAlias = Any

GAME = np.dtype(
    [
        ("number", np.int64),  # the first sixteen: as in a situation
        ("round", np.int64),
        ("players", np.int64),
        ("acted", np.int64),
        ("heisters", np.int64),
        ("staked", np.int64),
        ("committed", np.int64),
        ("bank", np.int64),
        ("credits", np.int64),  # the next five: of the contestant who is asked
        ("stake", np.int64),
        ("salary", np.int64),
        ("employed", np.bool_),
        ("rank", np.int64),
        ("mean", np.float64),  # of all contestants' credits before the game; the two below too
        ("deviation", np.float64),
        ("most", np.int64),
        ("total", np.int64),  # their sum
        ("contestants", np.int64),
        ("width", np.int64),  # of a row
        ("rows", np.int64),  # that of the game, of the workspace and of the records
        ("rabble", np.int64),
        ("asks", np.int64),  # whether there are strategies that are not compiled
        ("until", np.int64),  # the number of the game before which to return
        ("phase", np.int64),  # what is to be done next
        ("next", np.int64),  # contestants of this round who have had their turn
        ("turn", np.int64),  # turns of the rabble that are over in this round
        ("size", np.int64),  # of the rabble in this game; in round 2 of those who staked
        ("came", np.int64),  # of the rabble in this game
        ("crew", np.int64),  # contestants who have staked
        ("fled", np.int64),  # heisters who have backed out
        ("answers", np.int64),  # that have been recorded in this game
        ("record", np.int64),  # the row of this game in the records
        ("stream", np.uint64, 4),  # state and increment of a PCG64, high before low
        ("before", np.uint64, 2),  # the state before this game; the increment stays
    ],
    align=True,
)
CONTESTANT = np.dtype(
    [
        ("credits", np.int64),
        ("stake", np.int64),
        ("salary", np.int64),
        ("employed", np.bool_),
        ("rank", np.int64),
        ("changed", np.int64),  # whether accounts, chances or odds have, since it was asked
        ("accounts", np.int64, 5),
        ("chances", np.float64, 5),
        ("odds", np.int64, 5),
        ("guards", np.int64, 5),
        ("bribes", np.int64),
        ("strategy", np.int64),  # its number among the built-in ones, or `ASKED`
        ("act", np.int64),  # in this game, or `NONE`
        ("winnings", np.int64),
        ("exposed", np.int64),
        ("stream", np.uint64, 4),
        ("before", np.uint64, 2),  # the state before this game; the increment stays
    ],
    align=True,
)
_GAME_WORDS, _CONTESTANT_WORDS = GAME.itemsize // 8, CONTESTANT.itemsize // 8
ASKED = -1
NONE = -1
NEWS = 1 << 32
"""Added to the number of a contestant who is to be told more than the game has: a career that has changed, or
means that doubles do not tell."""

DONE, UNBOUNDED = -1, -2  # what `advance` returns where nobody is to be asked
RAISED = -3  # where it has raised an exception, which it never does
BEGIN, STAKE, TAKE_STAKE, ACT, TAKE_ACT = range(5)  # phases

# Rows of the workspace, below that of the game
(
    PLACES,  # of the rabble, in the order of their turns
    STAKED,  # credits, by turn
    FATES,  # by turn: 0 who did not stake, or `STAYS`, or `FLED`
    WON,  # credits, by turn
    HEISTERS,  # turns of round 1
    ORDER,  # numbers of heisters, in the order of their turns in round 2
    SLOT_PLACES,  # where contestants stand in the row
    SLOT_NUMBERS,
    CREW,  # numbers of contestants, as they joined
    KEYS,
    SORTED,
    COUNTS,  # of a bucket
    PURSES,  # credits of the rabble, by place
    DRAWS,  # doubles of this round, by turn
    RECORDS,  # of the games, one in each row from here on
) = range(1, 16)
STAYS, FLED = 1, 2
BUCKETS = 512  # of a sort
MOST_GUARDS = BUCKETS
"""Guards of one contestant for whom a row has room; who has more is for the plain tournament."""


def record_width(contestants: int) -> int:
    """Return the numbers of a game's record: three counts, stakes, answers, results and credits."""
    return 3 + 8 * contestants


def make_memory(contestants: int, rabble: int, games: int) -> Numbers:
    """Make room for so many games at a time."""
    width = max(rabble + 1, record_width(contestants), BUCKETS + 1, _GAME_WORDS)
    rows = RECORDS + games
    memory = np.zeros(memory_size(rows, width, contestants), np.int64)
    game = game_in(memory)
    game["contestants"], game["width"], game["rows"], game["rabble"] = contestants, width, rows, rabble
    return memory


def memory_size(rows: int, width: int, contestants: int) -> int:
    """Return the numbers in a memory."""
    return rows * width + contestants * _CONTESTANT_WORDS


def place_in_game(field: str) -> int:
    """Return where a field of the game lies in a memory."""
    names = GAME.names or ()  # the fields are words, but for the streams at the end
    return names.index(field)


def game_in(memory: Numbers) -> Records:
    """Return the game of a memory, as an array of one."""
    return memory[:_GAME_WORDS].view(GAME)


def contestants_in(memory: Numbers, count: int) -> Records:
    return memory[len(memory) - count * _CONTESTANT_WORDS :].view(CONTESTANT)


def rows_in(memory: Numbers) -> Numbers:
    """Return the rows of a memory, from that of the game on."""
    game = game_in(memory)[0]
    rows, width = game["rows"].item(), game["width"].item()
    return memory[: rows * width].reshape((rows, width))
