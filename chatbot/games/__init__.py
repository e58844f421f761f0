"""The games: one folder each, found by looking. A folder that offers a `KIT` is a game.

Other distributions bring games too: each names its kit by an entry point of the group `rabble.games`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.resources
import pkgutil
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat, Sit
from chatbot.kernel.kit import AnyKit, Kit, find_kit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

GROUP = "rabble.games"
"""Of the entry points by which other distributions name the kits of their games."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry point that gives no game, and why."""

    entry: str
    why: str

    @property
    def sentence(self) -> str:
        return f"The game of the entry point {self.entry} is left out: {self.why}."


@dataclass(frozen=True, slots=True)
class _Installed:
    """What the entry points have given."""

    kits: dict[str, AnyKit] = field(default_factory=dict)
    entries: dict[str, str] = field(default_factory=dict)  # by the names of the games
    packages: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)


@cache
def kits() -> Mapping[str, AnyKit]:
    """Find every game, by name: featured ones first, the others in the order of their names.

    Raises:
        ValueError: two games of this folder answer to one command.
    """
    kits_by_name = {**own(), **_installed().kits}
    return dict(sorted(kits_by_name.items(), key=lambda each: (not each[1].featured, each[0])))


@cache
def own() -> Mapping[str, AnyKit]:
    """Find the games of this folder; raises as `kits`."""
    modules = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    kits_by_name = {module.KIT.name: module.KIT for module in modules}
    _refuse_shared_words(kits_by_name)
    return kits_by_name


def refused() -> Iterable[Refused]:
    """List the entry points that give no game."""
    return tuple(_installed().refused)


def entry_of(kit: AnyKit) -> str | None:
    """Return the entry point that has brought a game; None: it is of this folder, or was not installed."""
    installed = _installed()
    return installed.entries[kit.name] if installed.kits.get(kit.name) is kit else None


def locales() -> Iterator[Traversable]:
    """List the folders with the words of games that other distributions have brought."""
    for package in _installed().packages:
        yield importlib.resources.files(package) / "locales"


@cache
def title_of(name: str) -> str:
    """Return what a game is called in English, such as `Bank Heist`; its name if no words of games say it."""
    pattern = re.compile(rf"^game-{re.escape(name)} *= *(.*\S)", re.MULTILINE)
    own_folders = [importlib.resources.files(__name__) / each / "locales" for each in own()]
    for folder in (*own_folders, *locales()):
        file = folder / "en.ftl"
        match = pattern.search(file.read_text(encoding="utf-8-sig")) if file.is_file() else None
        if match:
            return match[1]
    return name


def named(word: str) -> AnyKit | None:
    """Find a game by its name, or else by the word that people type to play it."""
    return find_kit(kits(), word)


@cache
def _installed() -> _Installed:
    """Load the games of other distributions, in the order of their entry points' names."""
    installed = _Installed()
    for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda each: each.name):
        try:
            kit = _load(entry, {**own(), **installed.kits})
        except (Exception, SystemExit) as error:  # noqa: BLE001  (what a foreign module can raise has no end)
            reason = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
            installed.refused.append(Refused(entry.name, " ".join(reason.split())))
        else:
            installed.kits[kit.name] = kit
            installed.entries[kit.name] = entry.name
            installed.packages.append(_package(entry))
    return installed


def _load(entry: EntryPoint, kits_by_name: Mapping[str, AnyKit]) -> AnyKit:
    """Load a kit and try it.

    Raises:
        ValueError: it is no kit, or its name or a word of its commands is taken.
    """
    kit = entry.load()
    if not isinstance(kit, Kit):
        raise ValueError(f"{entry.value} is no Kit, but {type(kit).__name__}")  # noqa: TRY004  (so it is told)
    if _NAME.fullmatch(kit.name) is None:
        raise ValueError(f"its name {kit.name!r} is not made of small letters and digits")
    if kit.name in kits_by_name:
        raise ValueError(f"its name {kit.name} is taken")
    words = [word for command in kit.chat.commands for word in (command.word, *command.aliases)]
    commands = [command for each in kits_by_name.values() for command in each.chat.commands]
    used_words = {word for command in commands for word in (command.word, *command.aliases)}
    if not words:
        raise ValueError("it has no command")
    for number, word in enumerate(words):
        if word in used_words or word in words[:number]:
            raise ValueError(f"its command !{word} is taken")
    # Tried once here, so that a game which cannot even be shown is left out with a reason, and does not fail
    # in a chat.
    game = kit.rules.game()
    kit.display.board(game.view(state=game.start(), seat=None))
    kit.codec.dump(Sit(Seat("")))
    return kit


def _package(entry: EntryPoint) -> str:
    """Name the package beside whose modules the words lie."""
    module = importlib.import_module(entry.module)
    return module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]


def _refuse_shared_words(packed: Mapping[str, AnyKit]) -> None:
    owners: dict[str, str] = {}
    for kit in packed.values():
        for command in kit.chat.commands:
            for word in (command.word, *command.aliases):
                if owners.setdefault(word, kit.name) != kit.name:
                    raise ValueError(f"!{word} belongs to {owners[word]} and to {kit.name}")
