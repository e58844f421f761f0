"""Compiles the loop of tournaments with Numba, where it is installed, and keeps what it has compiled.

Functions are compiled as they stand in their modules: no formula of the rules, and no strategy, is written
twice. What is compiled is kept in the user's cache folder, or in that of `NUMBA_CACHE_DIR`, in a folder of
its own for each state of the sources, so that an installed package may be read-only.
"""

from __future__ import annotations

import dis
import hashlib
import inspect
import shutil
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from chatbot.games.heist.contest import champion, contestants, situation
from chatbot.games.heist.contest.compiled import arrays, draws, loop, settlement
from chatbot.games.heist.rules import arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable

    Advance: TypeAlias = Callable[..., int]

MODULES = (arithmetic, situation, contestants, champion, arrays, draws, settlement, loop)
COMPILING = "Compiling the game for this computer, which takes half a minute and is done once ..."
INSTEAD = {situation.chance: draws.chance_of}  # whose streams are not those of compiled code


@cache
def compiler() -> Any:  # Any: Numba has no types
    """Return Numba, or None where it is not installed or does not work here."""
    try:
        import numba  # noqa: PLC0415  (an extra, and slow to load)
    except (ImportError, OSError):  # OSError: a library of its compiler cannot be loaded
        return None
    return numba


def compile_once(tell: Callable[[str], object]) -> None:
    """Compile the loop, unless it is kept from before; `tell` is told that it takes a while.

    What is kept and cannot be read, as after a full disk, is deleted and compiled again.
    """
    if not is_writable(folder()):
        tell(
            "Compiling the game for this computer, which takes half a minute in each process of each run:"
            f" {str(folder().parents[1])!r} cannot be written; NUMBA_CACHE_DIR names another folder ..."
        )
    elif not any(folder().rglob("*.nbi")):
        tell(COMPILING)
    try:
        _compile()
    except Exception:  # whatever a damaged file makes pickle or LLVM raise
        if not any(folder().rglob("*.nbi")):
            raise
        tell(f"What was kept in {str(folder())!r} is damaged. {COMPILING}")
        shutil.rmtree(folder())
        advance.cache_clear()
        _compile()


def _compile() -> None:
    advance()(arrays.make_memory(1, 0, 1), 0)  # no games: it compiles for these types


@cache
def advance() -> Advance:
    """Return the compiled `loop.advance`; it is compiled, or read from the cache, when it is called first."""
    numba = compiler()
    writable = is_writable(folder())
    previous_folder = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder())
    try:
        dispatcher: Advance = numba.njit(cache=writable, nogil=True)(_link(loop.advance, {}))
    finally:
        numba.config.CACHE_DIR = previous_folder
    return dispatcher


@cache
def folder() -> Path:
    """Return where compiled code is kept: one folder for these sources, this Python and this Numba."""
    numba = compiler()
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    for module in MODULES:
        digest.update(inspect.getsource(module).encode())
    root = Path(numba.config.CACHE_DIR) if numba.config.CACHE_DIR else _user_cache()
    return root / "heist" / digest.hexdigest()[:16]


def _user_cache() -> Path:
    home = Path.home()
    by_system = {"win32": home / "AppData" / "Local", "darwin": home / "Library" / "Caches"}
    return by_system.get(sys.platform, home / ".cache") / "rabble"


def is_writable(path: Path) -> bool:
    """Return whether something can be kept in this folder, which is made if need be; leave nothing in it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            return True
    except OSError:
        return False


def _link(function: Callable[..., Any], dispatchers: dict[Any, Any]) -> Callable[..., Any]:
    """Return a copy of a function that calls compiled copies of the functions of our modules."""
    code = function.__code__
    bound = dict(function.__globals__)
    for name in {each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"}:
        callee = bound.get(name)
        if isinstance(callee, FunctionType) and callee.__module__ in {each.__name__ for each in MODULES}:
            bound[name] = _dispatcher(INSTEAD.get(callee, callee), dispatchers)
    copy = FunctionType(code, bound, function.__name__, function.__defaults__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


def _dispatcher(function: Callable[..., Any], dispatchers: dict[Any, Any]) -> Callable[..., Any]:
    if function not in dispatchers:
        dispatchers[function] = compiler().njit(_link(function, dispatchers))
    dispatcher: Callable[..., Any] = dispatchers[function]
    return dispatcher
