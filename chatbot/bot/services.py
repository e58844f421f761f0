"""Creates and connects everything that answers commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.bot.access import COOLDOWNS, PERMISSIONS, Access
from chatbot.bot.command import first_word, other_words
from chatbot.bot.command_index import ALIASES, Aliases, CommandIndex
from chatbot.bot.commands.access import AccessCommands
from chatbot.bot.commands.audit import Audits
from chatbot.bot.commands.cancel import CallingOff
from chatbot.bot.commands.claim import DailyClaims
from chatbot.bot.commands.confirm import ConfirmCommand
from chatbot.bot.commands.credits import CreditsCommand
from chatbot.bot.commands.fairness import FairnessCommands
from chatbot.bot.commands.give import GiveCommand
from chatbot.bot.commands.grants import Grants
from chatbot.bot.commands.help import Help
from chatbot.bot.commands.history import History
from chatbot.bot.commands.linking import BridgeCommand, LinkCommands
from chatbot.bot.commands.lists import ListCommands
from chatbot.bot.commands.minted import MintList
from chatbot.bot.commands.odds import OddsCommand
from chatbot.bot.commands.overlay import OverlayCommand
from chatbot.bot.commands.ranks import Ranks
from chatbot.bot.commands.rewards import RewardsCommand
from chatbot.bot.commands.seasons import SEASON_END, SeasonCloser, SeasonCommand
from chatbot.bot.commands.settings import SettingsCommands
from chatbot.bot.commands.shortcuts import Shortcuts
from chatbot.bot.commands.texts import Texts
from chatbot.bot.commands.undo import Undoing
from chatbot.bot.hints import NewcomerHints
from chatbot.community.balances import Balances
from chatbot.community.bridges import Bridges
from chatbot.community.confirmations import Confirmations
from chatbot.community.departures import Departures
from chatbot.community.earning.earning import Earning
from chatbot.community.earning.payments import TALK, WATCH
from chatbot.community.earning.settings import EARNINGS
from chatbot.community.giving import Giving
from chatbot.community.imports import ImportClaims
from chatbot.community.members import CommunityMembers
from chatbot.community.minting.policy import MintPolicy
from chatbot.community.receipts import ReceiptLimits
from chatbot.community.seasons import Calendar, Deadlines
from chatbot.delivery.outbox import Outbox
from chatbot.delivery.payback import PaybackWarning
from chatbot.kernel.game import Role
from chatbot.kernel.kit import AnyKit
from chatbot.keys.overlay_keys import OverlayKeys
from chatbot.ledger.books.history import Histories
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.changes import SEASON, Changes
from chatbot.ledger.imports import Placeholders
from chatbot.ledger.links import Links
from chatbot.ledger.members import Presence
from chatbot.ledger.minted import Minted
from chatbot.ledger.rankings import Rankings
from chatbot.ledger.rooms import KnownRoom, KnownRooms, Preferences
from chatbot.ledger.seasons import Seasons
from chatbot.ledger.store.store import Store
from chatbot.ledger.takings import Takings
from chatbot.ledger.unions import Unions
from chatbot.rooms.availability import GAMES, game_switches, offered
from chatbot.rooms.languages import TEXTS
from chatbot.rooms.registry import Rooms
from chatbot.rooms.settings.changes import SettingsChanges
from chatbot.rooms.settings.lists import EXCLUDED, REGULARS, standing
from chatbot.runtime.clock import Watch
from chatbot.settings.community import TERMS
from chatbot.settings.fields import Groups, of_game
from chatbot.settings.room import HABITS
from chatbot.tables.background import Background
from chatbot.tables.fairness import Fairness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.bot.command import Found
    from chatbot.rooms.line import Line
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room


GROUPS = HABITS, TERMS, EARNINGS, REGULARS, EXCLUDED
GROUP_NAMES = frozenset({*(each.name for each in GROUPS), GAMES, ALIASES, PERMISSIONS, COOLDOWNS, TEXTS})
"""The groups of settings beside those of games, of which some are made with the parts that they configure."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The parts of the bot that commands use."""

    kits: Mapping[str, AnyKit]
    store: Store
    ledger: Ledger
    members: CommunityMembers
    departures: Departures
    calendar: Calendar
    fairness: Fairness
    rooms: Rooms
    outbox: Outbox
    watch: Watch
    background: Background
    receipts: ReceiptLimits
    overlay_keys: OverlayKeys


class Services:
    """All commands of the bot itself, and what they need."""

    def __init__(self, shared: Shared) -> None:
        """Create everything in the order of dependencies; cyclic ones are functions that are called later."""
        kits, store, ledger, members = shared.kits, shared.store, shared.ledger, shared.members
        rooms, outbox, watch = shared.rooms, shared.outbox, shared.watch
        self._known, self._watch = KnownRooms(store), watch
        self.groups = _groups(kits)
        self.settings_changes = self._settings_changes(shared)
        self.minted = Minted(store)
        self.policy = MintPolicy(self.groups, self.minted, members.people, rooms, watch, outbox.say)
        self.settings_changes.guard = self.policy
        shared.calendar.ends.raisers = self.policy.raisers
        self.access = Access(lambda: self.command_index, watch)
        self.confirmations = Confirmations(watch, self._check, members)
        self.undoing = Undoing(self.settings_changes, members, self._check)
        texts = Texts(self.settings_changes, outbox)
        self.groups.add(texts.group)
        self.bridges = Bridges(Unions(store), members.people, rooms, outbox, watch, self.settings_changes)
        self.balances = Balances(ledger)
        self.import_claims = ImportClaims(Placeholders(store, members.people), watch)
        self.earning = Earning(store, ledger, members, rooms, outbox, watch, self._holder, self.policy)
        self.rewards = RewardsCommand(kits, store, self.settings_changes, self.policy)
        self.deadlines = Deadlines(kits, shared.calendar, rooms, outbox, watch)
        self.command_index = CommandIndex(kits, self._parts(shared, texts), self.groups, members.find)
        self.aliases = Aliases(self.command_index)
        switches = game_switches(kits)
        self.groups.add(switches, self.aliases.group, self.access.permissions, self.access.cooldowns)
        self.hints = NewcomerHints(ledger, outbox, watch, self._offered)

    def _settings_changes(self, shared: Shared) -> SettingsChanges:
        store, held_by = shared.store, shared.members.people.ties.community
        settings_changes = SettingsChanges(
            self.groups, Changes(store), Preferences(store), shared.rooms, shared.watch, held_by
        )
        settings_changes.listeners.append(PaybackWarning(self.groups, shared.outbox, shared.watch).schedule)
        return settings_changes

    def _parts(self, shared: Shared, texts: Texts) -> Iterator[object]:
        """Yield everything that declares commands, in the order in which help lists them."""
        kits, store, ledger, members = shared.kits, shared.store, shared.ledger, shared.members
        watch, changes, presence = shared.watch, self.settings_changes, Presence(shared.store)
        confirmations, receipts, earning = self.confirmations, shared.receipts, self.earning
        yield LinkCommands(
            links=Links(store, members.people),
            members=members,
            rooms=shared.rooms,
            receipts=receipts,
            watch=watch,
        )
        yield BridgeCommand(self.bridges)
        yield CreditsCommand(self.balances)
        yield SeasonCommand(kits, shared.calendar)
        yield MintList(changes.changes, self.minted, members, watch)
        yield Ranks(
            kits, ledger, members, shared.departures, presence, Rankings(store), Seasons(store), watch
        )
        yield GiveCommand(Giving(members, presence, receipts, watch), members)
        yield History(Histories(store, (WATCH, TALK)), kits, members, shared.outbox, watch)
        yield Grants(changes, members, watch, self._check, confirmations)
        yield FairnessCommands(shared.fairness)
        yield SettingsCommands(kits, changes, confirmations, shared.outbox)
        yield CallingOff(kits, changes, ledger, members)
        yield Shortcuts(kits, changes)
        yield Audits(changes.changes, members, watch)
        yield self.undoing
        yield AccessCommands(self.access, changes)
        yield texts
        yield ConfirmCommand(confirmations)
        yield self._season_closer(shared)
        yield DailyClaims(earning.payments, earning.attendance, watch, earning.live)
        yield ListCommands(changes, members)
        yield OverlayCommand(shared.overlay_keys)
        yield self.rewards
        yield OddsCommand(kits, shared.calendar, Takings(store), watch, shared.background)
        words = shared.outbox.words.ids
        yield Help(lambda: self.command_index, self.groups, words, self._least, self._stands_for)

    def _season_closer(self, shared: Shared) -> SeasonCloser:
        closer = SeasonCloser(shared.kits, shared.calendar, self.confirmations, self._least_to_end)
        self.undoing.reversals[SEASON] = closer.take_back
        return closer

    def _check(self, request: Request, word: str) -> None:
        """Check that the sender may use the command of a word.

        Raises:
            Refusal: the role is too low.
        """
        self.access.require(request.room, word, standing(request.room, request.line))

    def _least_to_end(self, room: Room) -> Role:
        return self.access.least(room, SEASON_END)

    def _least(self, room: Room, word: str) -> Role:
        return self.access.least(room, word)

    def _stands_for(self, room: Room, word: str) -> str | None:
        return self.aliases.group.of(room).get(word)

    def _offered(self, room: Room, line: Line) -> dict[str, str]:
        """Map the words that a sender may use now, most common first, to the first words of commands."""
        usable = list(self.usable(room, standing(room, line)))
        first = {first_word(each): first_word(each) for each in usable}
        aliases = {word: word for word in self.aliases.group.of(room)}
        others = {word: first_word(each) for each in usable for word in other_words(each)}
        return first | aliases | {word: known for word, known in others.items() if word not in first}

    def usable(self, room: Room, role: Role) -> Iterator[Found]:
        """Yield the commands that a role may use: those of games, then others by their default role."""
        played = [
            kit for kit in self.command_index.kits.values() if offered(room, kit) or room.playing(kit.name)
        ]
        own = sorted(self.command_index.bot_commands, key=lambda each: list(Role).index(each.least))
        commands: list[Found] = [*((kit, each) for kit in played for each in kit.chat.commands), *own]
        return (each for each in commands if role.covers(self._least(room, first_word(each))))

    async def open(self, room: Room) -> None:
        """Load the settings of a room, and note in the database that the room exists."""
        await self._known.note(KnownRoom(room.id, room.community), self._watch.date())
        await self.settings_changes.load(room)

    async def known(self) -> list[KnownRoom]:
        """List the rooms that were ever opened."""
        return await self._known.known()

    def _holder(self, community: str) -> str:
        return self.bridges.holder(community)

    def must_write(self, room: Room, line: Line) -> bool:
        """Whether a line may require other reads or writes before it is answered."""
        return self.settings_changes.is_stale(room) or self.import_claims.may_wait(line)

    async def heard(self, room: Room, line: Line) -> None:
        """Notify everything that follows all lines, commands or not."""
        await self.settings_changes.reload_if_stale(room)
        await self.import_claims.pay(line)
        await self.earning.heard(room, line)

    async def close(self) -> None:
        """Write what is in memory only to the database."""
        await self.earning.close()


def _groups(kits: Mapping[str, AnyKit]) -> Groups:
    return Groups([*GROUPS, *(of_game(kit) for kit in kits.values())])
