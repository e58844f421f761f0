"""Compiles the loop of tournaments with Numba to machine code, in a process of its own.

Functions are compiled as they stand in their modules: no formula of the rules, and no strategy, is written
twice. What comes out is written only if it plays the games of the plain tournament.
"""

from __future__ import annotations

import dis
from types import FunctionType
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numba
from llvmlite import ir
from numba import extending

from chatbot.games.heist.contest import situation
from chatbot.games.heist.contest.compiled import arrays, draws, loop, machine_code
from chatbot.games.heist.contest.compiled.tournament import CompiledTournament
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Callable

compiler: Any = numba  # which has types for what it exports, and not for what is needed here
ENTRY = "rabble_advance"  # the name of the function in the code that is kept
TRIAL_GAMES, TRIAL_RABBLES = 40, (60, 1100)  # of the games by which the code is tried


@extending.intrinsic
def _high_product(context: Any, one: Any, other: Any) -> Any:  # noqa: ARG001
    """Return the upper 64 bits of a product in one instruction, which Python has no operator for."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        wide = ir.IntType(128)
        factors = [builder.zext(each, wide) for each in arguments]
        high = builder.lshr(builder.mul(*factors), ir.Constant(wide, 64))
        return builder.trunc(high, ir.IntType(64))

    word = compiler.types.uint64
    return word(word, word), build


INSTEAD: dict[object, Any] = {  # of what is slower, or another thing, where it is compiled
    situation.chance: draws.chance_of,
    draws.high_product: _high_product,
}


def prepare() -> None:
    """Compile, unless that was done meanwhile; if it fails, note why."""
    if machine_code.loaded() is not None:
        return
    try:
        compile_and_try()
    except Exception as error:  # noqa: BLE001  (whatever Numba and LLVM raise)
        machine_code.discard()
        machine_code.give_up(f"{type(error).__name__}: {error}".splitlines()[0])


def compile_and_try() -> None:
    """Compile, and keep the code.

    Raises:
        RuntimeError: it does not play what the plain tournament plays.
    """
    machine_code.keep(compiled())
    if not plays_the_same():
        raise RuntimeError("the compiled games are not those of the plain tournament")


def compiled() -> machine_code.Code:
    """Compile `loop.advance` and all that it calls; some 20 s of processor time."""
    number = compiler.types.int64
    signature = number(compiler.types.CPointer(number), number)
    # Wrappers for Python would need Numba to be loaded; NumPy's divisions need no exceptions.
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    dispatcher = compiler.njit(signature, **options)(_entry(_linked(loop.advance, {})))
    of_function = dispatcher.overloads[signature.args]
    module = llvm.parse_assembly(dispatcher.inspect_llvm(signature.args))
    entry = _with_two_arguments(of_function.fndesc.llvm_func_name)
    entry.triple, entry.data_layout = module.triple, module.data_layout
    module.link_in(llvm.parse_assembly(str(entry)))
    return machine_code.Code(ENTRY, machine_code.target_machine().emit_object(module))


def _with_two_arguments(symbol: str) -> Any:  # Any: LLVM has no types
    """Return a module whose function takes the address of a memory and an answer, and returns who is asked.

    Numba's functions, as the one of this symbol, take a place for the result and one for an exception before
    their arguments, and return 0 unless they have raised something.
    """
    module, number = ir.Module(), ir.IntType(64)
    place = number.as_pointer()
    function = ir.Function(module, ir.FunctionType(ir.IntType(32), [place, place, place, number]), symbol)
    entry = ir.Function(module, ir.FunctionType(number, [place, number]), ENTRY)
    builder = ir.IRBuilder(entry.append_basic_block())
    result, exception = builder.alloca(number), builder.alloca(number)
    raised = builder.call(function, [result, exception, *entry.args])
    is_fine = builder.icmp_signed("==", raised, ir.Constant(ir.IntType(32), 0))
    builder.ret(builder.select(is_fine, builder.load(result), ir.Constant(number, arrays.RAISED)))
    return module


def plays_the_same() -> bool:
    """Whether the code that is kept here is loaded, and plays what the plain tournament plays."""
    if machine_code.loaded() is None:
        return False
    entrants = [Entrant(name, strategy) for name, strategy in CONTESTANTS.items()]
    return all(
        list(Tournament(entrants, rabble, "trial").play(TRIAL_GAMES))
        == list(CompiledTournament(entrants, rabble, "trial").play(TRIAL_GAMES))
        for rabble in TRIAL_RABBLES
    )


def _entry(advance: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of two numbers: the address of a memory, and an answer."""
    play = compiler.njit(error_model="numpy")(advance)
    carray, words = compiler.carray, arrays.GAME.itemsize // 8
    width_at, rows_at = arrays.place_in_game("width"), arrays.place_in_game("rows")
    count_at, contestant_words = arrays.place_in_game("contestants"), arrays.CONTESTANT.itemsize // 8

    def entry(cells: Any, answer: int) -> int:
        game = carray(cells, (words,))
        rows, width = game[rows_at], game[width_at]
        memory = carray(cells, (rows * width + game[count_at] * contestant_words,))
        return play(memory, carray(cells, (rows, width)), answer)  # type: ignore[no-any-return]

    return entry


def _linked(function: Callable[..., Any], dispatchers: dict[Any, Any]) -> Callable[..., Any]:
    """Return a copy of a function that calls compiled copies of the functions of our modules."""
    code = function.__code__
    bound = dict(function.__globals__)
    for name in {each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"}:
        callee = bound.get(name)
        if isinstance(callee, FunctionType) and callee.__module__ in machine_code.SOURCES:
            bound[name] = _dispatcher(INSTEAD.get(callee, callee), dispatchers)
    copy = FunctionType(code, bound, function.__name__, function.__defaults__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


def _dispatcher(function: Any, dispatchers: dict[Any, Any]) -> Any:
    if not isinstance(function, FunctionType):
        return function  # an intrinsic
    if function not in dispatchers:
        dispatchers[function] = compiler.njit(error_model="numpy")(_linked(function, dispatchers))
    return dispatchers[function]
