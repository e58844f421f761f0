"""The machine code of tournaments: where it is kept, and how it is loaded.

It is kept in the user's cache folder, in a file of its own for each state of the sources and each processor,
so that an installed package may be read-only. To compile takes as long as some hundred thousand games, and so
is done by a process beside those that play, which change over between two games once it is there. To load it
takes LLVM only: to import Numba takes as long as to play some thousand games.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.metadata
import importlib.util
import sys
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from platformdirs import user_cache_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.games.heist.contest.compiled.arrays import Numbers

_HEIST = "chatbot.games.heist"
SOURCES = (
    f"{_HEIST}.rules.arithmetic",
    f"{_HEIST}.rules.rabble",
    f"{_HEIST}.rules.banks",
    *(f"{_HEIST}.contest.{each}" for each in ("situation", "contestants", "champion")),
    *(
        f"{_HEIST}.contest.compiled.{each}"
        for each in ("arrays", "draws", "settlement", "loop", "compilation", "machine_code")
    ),
)
"""Modules of which the code is made: other sources need other code."""

_SYMBOLS = {
    "memcpy": "memcpy",
    "memset": "memset",
    "fmod": "fmod",
    "numba_frexp": "frexp",
    "NRT_MemInfo_call_dtor": "abort",  # which frees an array: this code allocates none
}
"""What compiled code calls, and the function of the C library that it is."""


class Loop(NamedTuple):
    """The loop of a tournament: `call(memory, answer)` returns who is to be asked, as `loop.advance` does."""

    call: Callable[[ctypes.c_void_p, ctypes.c_int64], int]
    memory: ctypes.c_void_p
    answer: ctypes.c_int64  # whose value is the last answer
    owned: object  # what must live as long as it is called


class Code(NamedTuple):
    """Machine code that can be linked, and the name of its function."""

    symbol: str
    linkable: bytes


def is_supported() -> bool:
    """Whether code can be compiled and loaded here, as far as can be said without doing it."""
    return all(importlib.util.find_spec(each) is not None for each in ("numba", "llvmlite"))


@cache
def file() -> Path | None:
    """Return where code is kept for these sources, this Python, Numba and processor; None without LLVM."""
    try:
        import llvmlite.binding as llvm  # type: ignore[import-untyped]  # noqa: PLC0415  (an extra)
    except (ImportError, OSError):  # OSError: a library of its compiler cannot be loaded
        return None
    versions = [importlib.metadata.version(each) for each in ("numba", "llvmlite", "numpy")]
    processor = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    digest = hashlib.sha256(repr((sys.version, versions, processor)).encode())
    for each in SOURCES:
        spec = importlib.util.find_spec(each)
        if spec is not None and spec.origin is not None:
            digest.update(Path(spec.origin).read_bytes())
    return user_cache_path("rabble", appauthor=False) / "heist" / f"{digest.hexdigest()[:16]}.code"


def is_kept() -> bool:
    """Whether there is code that can be tried."""
    path = file()
    return path is not None and path.exists()


def keep(code: Code) -> None:
    """Write code at once, so that nobody finds a part of it; its digest tells when a disk has damaged it."""
    path = _kept_at()
    body = code.symbol.encode() + b"\n" + code.linkable
    with NamedTemporaryFile(dir=path.parent, delete=False) as beside:
        beside.write(hashlib.sha256(body).digest() + body)
    Path(beside.name).replace(path)


def discard() -> None:
    """Delete the code that is kept."""
    _kept_at().unlink(missing_ok=True)
    _entries.clear()


def give_up(reason: str) -> None:
    """Note why there is no code, so that not each run tries it again."""
    _kept_at().with_suffix(".failed").write_text(f"{reason}\n", encoding="utf-8")


def failure() -> tuple[str, Path] | None:
    """Return why there is no code, and the file that says so, if it was given up."""
    note = _kept_at().with_suffix(".failed")
    try:
        return note.read_text(encoding="utf-8").strip(), note
    except OSError:
        return None


def loaded() -> Callable[[Numbers], Loop] | None:
    """Load the code, once a process; return what binds a memory to it, or None while there is none.

    Code that is damaged is deleted.
    """
    if not _entries:
        if not is_kept():
            return None
        try:
            _entries.append(_link(_read(_kept_at().read_bytes())))
        except (OSError, ValueError, RuntimeError):
            with contextlib.suppress(OSError):
                _kept_at().unlink(missing_ok=True)
            return None
    return _binder(_entries[0])


def claim() -> Path:
    """Return the file that is there while a process compiles."""
    return _kept_at().with_suffix(".claim")


def unwritable_folder() -> Path | None:
    """Return the folder in which code would be kept if it can be neither made nor written."""
    folder = _kept_at().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return None
    except OSError:
        return folder


def target_machine() -> Any:  # Any: LLVM has no types
    """Return the processor of this machine, for LLVM."""
    import llvmlite.binding as llvm  # noqa: PLC0415

    with contextlib.suppress(RuntimeError):  # as it does where it initializes itself
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # LLVM loads on Windows only what has the format of other systems.
    triple = llvm.get_process_triple() + ("-elf" if sys.platform == "win32" else "")
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )


_entries: list[tuple[int, object]] = []  # the address of the code that is loaded, and what owns it


def _kept_at() -> Path:
    path = file()
    if path is None:
        raise FileNotFoundError("LLVM cannot be loaded")
    return path


def _read(kept: bytes) -> Code:
    digest, body = kept[:32], kept[32:]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError("the file is damaged")
    symbol, _, linkable = body.partition(b"\n")
    return Code(symbol.decode(), linkable)


def _link(code: Code) -> tuple[int, object]:
    """Make code callable; return its address, and what must live as long as it is called."""
    import llvmlite.binding as llvm  # noqa: PLC0415

    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)  # None: what this process has
    for symbol, name in _SYMBOLS.items():
        llvm.add_symbol(symbol, ctypes.cast(library[name], ctypes.c_void_p).value)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.linkable))
    engine.finalize_object()
    address = engine.get_function_address(code.symbol)
    if not address:
        raise ValueError("the code has no such function")
    return address, engine


def _binder(entry: tuple[int, object]) -> Callable[[Numbers], Loop]:
    """Return what binds the code to a memory.

    A contestant's strategy is asked some fifteen times a game, each time by such a call, and a tenth of the
    games depends on how it is made: arguments that are objects of ctypes are taken as they are, where
    `argtypes` would convert them each time; each argument takes as long as the rest of the call; and a
    function of `PYFUNCTYPE` keeps the interpreter, which a game has for some microseconds only.
    """
    address, engine = entry
    call = ctypes.PYFUNCTYPE(ctypes.c_int64)(address)

    def bind(memory: Numbers) -> Loop:
        return Loop(call, ctypes.c_void_p(memory.ctypes.data), ctypes.c_int64(), (engine, memory))

    return bind
