"""Each floor imports only from floors below it; games touch no clock, no network, no chance of their own."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.documentation import section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parent.parent
FLOORS = {
    "chatbot.kernel": 0,
    "chatbot.games": 1,
    "chatbot.build_info": 2,
    "chatbot.invocation": 2,
    "chatbot.runtime": 2,
    "chatbot.pictures": 2,
    "chatbot.ledger": 3,
    "chatbot.home": 4,
    "chatbot.keys": 4,
    "chatbot.speech": 4,
    "chatbot.settings": 5,
    "chatbot.log": 5,
    "chatbot.environment": 5,
    "chatbot.rooms": 6,
    "chatbot.delivery": 7,
    "chatbot.tracing": 7,
    "chatbot.tables": 8,
    "chatbot.community": 9,
    "chatbot.bot": 10,
    "cogs": 11,
    "chatbot.upkeep": 11,
    "chatbot.cluster": 11,
    "chatbot.ownership": 11,
    "chatbot.supervisor": 12,
    "chatbot.metrics": 12,
    "chatbot.web": 12,
    "chatbot.collector": 12,
    "chatbot.connecting": 12,
    "chatbot.setting_up": 13,
    "chatbot.sharing": 13,
    "chatbot.app": 14,
    "chatbot.cli": 15,
    "chatbot.__main__": 16,
    "arena": 16,
}
CONNECTING = {
    "chatbot.app",
    "chatbot.sharing",
    "chatbot.setting_up",
    "chatbot.connecting",
    "chatbot.cli.doctor",
    "chatbot.cli.live_chats",
    "chatbot.cli.rewards",
    "chatbot.cli.entry",
    "chatbot.cli.shell",
}
"""What may name a platform: the wiring, the commands that connect accounts and look whether they work, and
the prompt at which a developer speaks on the local page."""
INTERFACE = "cogs.platform"
"""What every platform is to the program, which names none of them."""
PURE = 1  # the highest floor that touches nothing
IMPURE = {"asyncio", "time", "datetime", "random", "secrets", "os", "socket", "threading", "subprocess"} | {
    "sqlalchemy", "discord", "twitchio", "aiohttp", "aiosqlite", "structlog", "logging",
}  # fmt: skip
POSIX_ONLY = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "uvloop"}
CONTAINMENT = "arena.programs.containment"  # binds programs as far as the system can, and asks before it does
OPEN_FILES = "chatbot.runtime.open_files"
POSIX_CALLS = {"add_signal_handler", "fork", "setsid", "killpg", "geteuid", "getuid", "chown", "mkfifo"}
# The standard library of a POSIX system may use them; it is another one on Windows.
WITHOUT_POSIX = f"""
import builtins, sys
genuine = builtins.__import__
def windows(name, globals=None, *rest):
    importer = (globals or {{}}).get("__name__", "").partition(".")[0]
    if name.partition(".")[0] in {sorted(POSIX_ONLY)} and importer not in sys.stdlib_module_names:
        raise ModuleNotFoundError(name + " is not on Windows, but wanted by " + importer)
    return genuine(name, globals, *rest)
builtins.__import__ = windows
"""

ROOMFUL = "settings", "speech", "rooms", "delivery", "tables", "community", "bot"
KEYLESS = "chatbot.ledger", *(f"chatbot.{each}" for each in ROOMFUL)
"""Folders in which no id is taken apart: what it is of stands in a column of its own."""
IDS = {
    "account", "channel", "community", "home", "owner", "person", "posting", "purse", "room", "root", "seat",
    "source", "table", "table_id", "target",
}  # fmt: skip
APART = {
    "split", "rsplit", "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix",
}  # fmt: skip
TAKEN_APART = {("chatbot.ledger.audit.checks", "owner")}
"""The audit compares the kinds of wallets with how tables call players of the house."""
TYPED = {"chatbot.ledger.member_export", "chatbot.rooms.settings.lists"}
"""Where accounts are read as people type them: on the command line, and in settings that name them."""

MODULES = sorted(
    path
    for folder in ("arena", "chatbot", "cogs")
    for path in (ROOT / folder).rglob("*.py")
    if "versions" not in path.parts
)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor_of(module: str) -> int | None:
    names = [each for each in FLOORS if module == each or module.startswith(f"{each}.")]
    return FLOORS[names[0]] if names else None


@dataclass(frozen=True)
class Facts:
    """What the rules below ask of a module, read at once: to parse all modules takes a second."""

    imports: tuple[str, ...]
    attributes: frozenset[str]
    classes: frozenset[str]  # without private ones
    taken_apart: frozenset[str]
    reads_accounts: bool


@cache
def facts(path: Path) -> Facts:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    attributes = [each for each in nodes if isinstance(each, ast.Attribute)]
    return Facts(
        tuple(_imported(path, nodes)),
        frozenset(each.attr for each in attributes),
        frozenset(each for each in _types(nodes) if each[0] != "_"),
        frozenset(taken_apart(nodes)),
        any(each.attr == "read" and named(each.value) == "Account" for each in attributes),
    )


def _types(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Name all classes, and aliases of types."""
    for node in nodes:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                yield name


def imports(path: Path) -> tuple[str, ...]:
    return facts(path).imports


def _imported(path: Path, nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def named(node: ast.expr) -> str:
    """Give the last name of an expression, such as `seat` of `line.seat`."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Subscript(value=value) | ast.Call(func=ast.Name(id="Seat" | "str"), args=[value]):
            return named(value)
        case _:
            return ""


def taken_apart(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Name the ids that are cut, matched or asked for what they begin or end with."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in APART:
                yield named(value)
            case ast.Call(func=ast.Attribute(attr="match" | "fullmatch" | "search"), args=[*_, value]):
                yield named(value)
            case ast.Subscript(value=value, slice=ast.Slice()):
                yield named(value)


def may_import(module: str, name: str) -> bool:
    own, below = floor_of(module), floor_of(name)
    assert own is not None, f"{module} stands on no floor; give it one in this test"
    if below is None:
        return True
    folder, other = (
        next(each for each in FLOORS if m == each or m.startswith(f"{each}.")) for m in (module, name)
    )
    return below < own or folder == other


def test_every_module_stands_on_a_floor_and_imports_only_from_below() -> None:
    assert imports(ROOT / "chatbot" / "__init__.py") == ()
    for path in MODULES:
        module = module_name(path)
        wrong = [name for name in imports(path) if not may_import(module, name)]
        assert not wrong, f"{module} (floor {floor_of(module)}) imports {wrong}"


def test_the_lowest_floors_are_pure() -> None:
    lowest = [path for path in MODULES if (floor_of(module_name(path)) or 0) <= PURE]
    assert len(lowest) > 100  # as many as the games have modules
    for path in lowest:
        used = {name.partition(".")[0] for name in imports(path)}
        assert not used & IMPURE, f"{module_name(path)} imports {sorted(used & IMPURE)}"


@pytest.mark.slow
def test_nobody_imports_a_platform_but_the_wiring_and_what_connects_it() -> None:
    for path in MODULES:
        module = module_name(path)
        if module.startswith("cogs") or module in CONNECTING:
            continue
        platforms = {name for name in imports(path) if name.startswith("cogs")}
        platforms = {name for name in platforms if not f"{name}.".startswith(f"{INTERFACE}.")}
        assert module.startswith("chatbot.web") or not platforms, module
        assert all(name.startswith("cogs.local") for name in platforms), module


@pytest.mark.slow
def test_no_platform_knows_another() -> None:
    for path in MODULES:
        parts = module_name(path).split(".")
        if parts[0] == "cogs" and len(parts) > 2:
            known = {name.split(".")[1] for name in imports(path) if name.startswith("cogs.")}
            assert known <= {parts[1], "platform"}, path


@pytest.mark.slow
def test_what_every_platform_is_names_none_of_them() -> None:
    for module in (INTERFACE, "chatbot.supervisor"):
        path = ROOT / f"{module.replace('.', '/')}.py"
        assert not re.search("discord|twitch|local", path.read_text(encoding="utf-8"), re.IGNORECASE), path
        named = {name for name in imports(path) if name.startswith("cogs.")}
        assert all(f"{name}.".startswith(f"{INTERFACE}.") for name in named), path


@pytest.mark.slow
def test_chance_comes_from_the_stream_that_can_be_checked_and_nowhere_else() -> None:
    for path in MODULES:
        assert "random" not in {name.partition(".")[0] for name in imports(path)}, path


@pytest.mark.slow
def test_no_game_knows_another_game() -> None:
    for path in MODULES:
        parts = module_name(path).split(".")
        if parts[:2] == ["chatbot", "games"] and len(parts) > 2:
            others = [
                n for n in imports(path) if n.startswith("chatbot.games.") and n.split(".")[2] != parts[2]
            ]
            assert others == [], path


@pytest.mark.slow
def test_nothing_of_a_game_knows_how_it_is_played_in_chat_but_what_puts_it_together() -> None:
    for path in MODULES:
        parts = module_name(path).split(".")
        if parts[:2] == ["chatbot", "games"] and len(parts) > 3 and parts[3] != "chat":
            spoken = [name for name in imports(path) if name.startswith(f"chatbot.games.{parts[2]}.chat")]
            assert not spoken, f"{module_name(path)} imports {spoken}"


OWN_WORDS = {"moves", "states", "views", "lobby"}
"""Modules in which games have words of their own: what can be done, what happens, and what it is like."""


def test_the_name_of_a_type_means_one_thing() -> None:
    """Whoever searches for one finds one; games are apart, but none takes a name of what is common."""
    found: dict[str, set[str]] = {}
    for path in MODULES:
        parts = module_name(path).split(".")
        game = parts[2] if parts[:2] == ["chatbot", "games"] and len(parts) > 2 else ""
        if path.stem in OWN_WORDS:
            continue
        for name in facts(path).classes:
            found.setdefault(name, set()).add(f"{game or 'common'}: {module_name(path)}")
    for name, places in found.items():
        owners = [each.partition(":")[0] for each in places]
        assert len(set(owners)) == len(owners), f"{name} is several things: {sorted(places)}"
        assert len(owners) == 1 or "common" not in owners, f"{name} is several things: {sorted(places)}"


def test_something_stands_on_every_floor() -> None:
    assert {floor_of(module_name(path)) for path in MODULES} - {None} == {*range(max(FLOORS.values()) + 1)}
    for folder in FLOORS:
        assert any(f"{module_name(path)}.".startswith(f"{folder}.") for path in MODULES), folder


def test_the_documentation_draws_every_floor_with_all_that_stands_on_it() -> None:
    layers = section("internals/architecture", "## Layers")
    picture = re.search(r"^```\n(.*?)^```", layers, re.MULTILINE | re.DOTALL)
    assert picture is not None
    drawn: dict[str, int] = {}
    floor = -1
    for line in picture[1].splitlines():
        number, names = line[:2].strip(), line[4:].partition("   ")[0]
        floor = int(number or floor)
        drawn |= dict.fromkeys(names.split(), floor)
    assert drawn == {name.removeprefix("chatbot."): number for name, number in FLOORS.items()}


@pytest.mark.slow
def test_the_road_of_run_needs_nothing_that_windows_lacks() -> None:
    """Import all that `chatbot run` uses while whoever asks for a module of POSIX is told there is none."""
    code = WITHOUT_POSIX + "import chatbot.cli.entry, chatbot.app, chatbot.cli.rehearsal"
    code += ", chatbot.ledger.store.migrations, chatbot.ledger.store.backup"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_programs_are_kept_in_bounds_with_less_where_there_is_no_posix() -> None:
    """Bind, on a Python that knows neither limits nor groups of processes."""
    code = WITHOUT_POSIX + "import os; del os.killpg\n"
    code += "from arena.programs import program, threads, warden\n"
    code += "from arena.programs import containment\nsys.platform = 'win32'\n"
    code += "assert containment.resource is None\n"
    code += "containment.apply_limits(containment.Limits())\n"
    code += "containment.allow_cpu_time(os.getpid(), 1.0)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_module_calls_what_windows_lacks() -> None:
    for path in MODULES:
        module = module_name(path)
        if module in {CONTAINMENT, OPEN_FILES}:  # they do without it where it is not
            continue
        used = facts(path).attributes & POSIX_CALLS
        assert not used, f"{module} calls {set(used)}"
        needed = {name.partition(".")[0] for name in imports(path)} & POSIX_ONLY
        assert not needed, f"{module} imports {needed}"


def test_no_module_takes_an_id_apart() -> None:
    keyless = {name: facts(path) for path in MODULES if (name := module_name(path)).startswith(KEYLESS)}
    assert len(keyless) > 100
    for module, found in keyless.items():
        cut = {each for each in found.taken_apart & IDS if (module, each) not in TAKEN_APART}
        assert not cut, f"{module} takes {cut} apart"
        assert module in TYPED or not found.reads_accounts, f"{module} reads accounts"


def test_an_id_that_is_taken_apart_is_found() -> None:
    tree = ast.parse("line.seat.split(':'); Seat(room).partition('.'); pattern.match(purse); community[:3]")
    assert set(taken_apart(ast.walk(tree))) == {"seat", "room", "purse", "community"}
