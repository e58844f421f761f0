"""Creates all parts of the bot and connects them: the one module that knows who needs whom.

Where two parts need each other, the first gets a function that is called later.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog

from chatbot.bot.access import Access
from chatbot.bot.channel_events import ChannelEvents
from chatbot.bot.command_index import Aliases, CommandIndex
from chatbot.bot.commands.access import AccessCommands
from chatbot.bot.commands.audit import Audits
from chatbot.bot.commands.board import BoardCommands
from chatbot.bot.commands.cancel import CallingOff
from chatbot.bot.commands.claim import DailyClaims
from chatbot.bot.commands.confirm import ConfirmCommand
from chatbot.bot.commands.credits import CreditsCommand
from chatbot.bot.commands.crowd import CrowdPayments
from chatbot.bot.commands.desk import DeskCommand, Entrance
from chatbot.bot.commands.fairness import FairnessCommands
from chatbot.bot.commands.give import GiveCommand
from chatbot.bot.commands.grants import Grants
from chatbot.bot.commands.help import Help
from chatbot.bot.commands.history import History
from chatbot.bot.commands.linking import BridgeCommand, LinkCommands
from chatbot.bot.commands.lists import ListCommands
from chatbot.bot.commands.minted import MintList
from chatbot.bot.commands.moves import MovesCommand
from chatbot.bot.commands.odds import OddsCommand
from chatbot.bot.commands.overlay import OverlayCommand
from chatbot.bot.commands.ranks import Ranks
from chatbot.bot.commands.rewards import RewardsCommand
from chatbot.bot.commands.seasons import SEASON_END, SeasonCloser, SeasonCommand
from chatbot.bot.commands.seat import SeatCommand
from chatbot.bot.commands.settings import SettingsCommands
from chatbot.bot.commands.shortcuts import Shortcuts
from chatbot.bot.commands.start import StartCommand
from chatbot.bot.commands.texts import Texts
from chatbot.bot.commands.undo import Undoing
from chatbot.bot.deduplication import Deduplication
from chatbot.bot.dispatcher import Dispatcher
from chatbot.bot.flood_limit import FloodLimit
from chatbot.bot.hints import NewcomerHints
from chatbot.bot.hosted_games import hosted
from chatbot.bot.lifecycle import Lifecycle
from chatbot.bot.line_decision import LineDecision
from chatbot.bot.line_listeners import LineListeners
from chatbot.bot.pauses import Pauses
from chatbot.bot.room_control import RoomControl
from chatbot.bot.routing import Routing
from chatbot.bot.setting_groups import setting_groups
from chatbot.bot.shutdown import Shutdown
from chatbot.bot.table_reports import TableReports
from chatbot.bot.usable_commands import UsableCommands
from chatbot.community.balances import Balances
from chatbot.community.bridges import Bridges
from chatbot.community.confirmations import Confirmations
from chatbot.community.crowds import Crowds
from chatbot.community.departures import Departures
from chatbot.community.desk_codes import DeskCodes
from chatbot.community.earning.earning import Earning
from chatbot.community.earning.payments import TALK, WATCH
from chatbot.community.giving import Giving
from chatbot.community.imports.claims import ImportClaims
from chatbot.community.members import CommunityMembers
from chatbot.community.minting.policy import MintPolicy
from chatbot.community.open_seats import OpenSeats
from chatbot.community.receipts import ReceiptLimits
from chatbot.community.seasons import Calendar, Deadlines
from chatbot.community.seat_codes import SeatCodes
from chatbot.delivery.outbox import ChannelSelector, Outbox
from chatbot.delivery.payback import PaybackWarning
from chatbot.games import refused
from chatbot.keys.overlay_keys import OverlayKeys
from chatbot.keys.replay_ids import ReplayIds
from chatbot.ledger.books.history import Histories
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.chains import Chains, Sealer
from chatbot.ledger.changes import SEASON, Changes
from chatbot.ledger.deduplication import HeardLines
from chatbot.ledger.finished_tables import FinishedTables
from chatbot.ledger.greetings import Greetings
from chatbot.ledger.hidden_members import HiddenMembers
from chatbot.ledger.imports.placeholders import Placeholders
from chatbot.ledger.imports.runs import ImportRuns
from chatbot.ledger.links import Links
from chatbot.ledger.members import Members, Presence
from chatbot.ledger.minted import Minted
from chatbot.ledger.people import People
from chatbot.ledger.predictions import Predictions
from chatbot.ledger.rankings import Rankings
from chatbot.ledger.rooms import KnownRooms, Preferences
from chatbot.ledger.seasons import Seasons
from chatbot.ledger.takings import Takings
from chatbot.ledger.unions import Unions
from chatbot.ledger.vouchers import Rewards
from chatbot.rooms.availability import game_switches
from chatbot.rooms.registry import Rooms
from chatbot.rooms.settings.changes import SettingsChanges
from chatbot.settings.fields import THEME
from chatbot.settings.room import LANGUAGE
from chatbot.tables.background import Background
from chatbot.tables.events.publisher import Publisher
from chatbot.tables.fairness import Fairness, Sources
from chatbot.tables.forecasts import Forecasts
from chatbot.tables.house_fill import HouseFill
from chatbot.tables.house_players import HousePlayers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.changes import Change
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch
    from chatbot.speech.words import Words

log = structlog.get_logger(__name__)


class BotParts:
    """All parts of the bot; `Bot` has the methods that platforms call."""

    def __init__(
        self, kits: Mapping[str, AnyKit], store: Store, words: Words, watch: Watch, sources: Sources
    ) -> None:
        """Create everything in the order of dependencies."""
        self.kits, left_out = hosted(kits)
        for each in (*refused(), *left_out):
            log.error(each.sentence)
        self.store, self.watch = store, watch
        self._create_books(sources)
        self._create_delivery(words)
        self._create_community(sources)
        self._create_commands()
        self._create_tables()
        self._create_road()

    def _create_books(self, sources: Sources) -> None:
        """Create what is read and written in the database."""
        store = self.store
        self.chains = Chains(store, Sealer(sources.key), sources.seed, sources.links)
        self.ledger, self.journal = Ledger(store), Journal(store, self.chains.seed)
        self.people = store.people = People(store, sources.seat)
        self.greetings, self.presence, self.minted = Greetings(store), Presence(store), Minted(store)
        self.known_rooms, self.seasons = KnownRooms(store), Seasons(store)
        self.rewards, self.predictions = Rewards(store), Predictions(store)
        self.overlay_keys, self.replay_ids = OverlayKeys(store, sources.key), ReplayIds(sources.key)
        self.finished_tables, self.hidden = FinishedTables(store), HiddenMembers(store, self.people)

    def _create_delivery(self, words: Words) -> None:
        """Create who is known, in which rooms, and what is said and drawn there."""
        self.placeholders = Placeholders(self.store, self.people)
        self.members = CommunityMembers(
            self.ledger, Members(self.store), self.placeholders, self.watch, self.people
        )
        self.outbox = Outbox(words, self.watch, self.members.name, ChannelSelector(self.people))
        self.rooms = Rooms()
        self.publisher = Publisher(self.outbox, self.rooms, self.watch)
        self.background = Background(self.outbox, self.watch)

    def _create_community(self, sources: Sources) -> None:
        """Create what belongs to a community: its settings, seasons, earnings and limits."""
        kits, store, watch, rooms = self.kits, self.store, self.watch, self.rooms
        people, outbox = self.people, self.outbox
        self.departures = Departures(people, rooms, watch)
        self.calendar = Calendar(self.ledger, self.seasons, self.members, self.departures, watch)
        self.deadlines = Deadlines(kits, self.calendar, rooms, outbox, watch)
        self.fairness = Fairness(kits, self.journal, outbox, self.chains, sources.table_id)
        self.receipts = ReceiptLimits(kits=kits, store=store, people=people, rooms=rooms, watch=watch)
        self.groups = setting_groups(kits)
        self.settings_changes = SettingsChanges(
            self.groups, Changes(store), Preferences(store), rooms, watch, people.ties.community
        )
        payback = PaybackWarning(self.groups, outbox, watch)
        self.settings_changes.listeners += [payback.schedule, self._heed_changes]
        self.policy = MintPolicy(self.groups, self.minted, people, rooms, watch, outbox.say)
        self.settings_changes.guard = self.policy
        self.calendar.ends.raisers = self.policy.raisers
        self.bridges = Bridges(Unions(store), people, rooms, outbox, watch, self.settings_changes, store)
        self.balances = Balances(self.ledger)
        self.import_claims = ImportClaims(self.placeholders, watch)
        self.earning = Earning(
            store, self.ledger, self.members, rooms, outbox, watch, self.bridges.holder, self.policy
        )
        self.line_listeners = LineListeners(self.settings_changes, self.import_claims, self.earning)

    def _create_commands(self) -> None:
        """Create the commands of the bot itself, and what finds and permits them."""
        members, watch = self.members, self.watch
        self.entrance = Entrance()
        self.desk_codes, self.seat_codes = DeskCodes(self.store, watch), SeatCodes(self.store, watch)
        self.open_seats = OpenSeats()
        self.access = Access(lambda: self.command_index, watch)
        self.confirmations = Confirmations(watch, self.access.check, members)
        self.undoing = Undoing(self.settings_changes, members, self.access.check)
        self.texts = Texts(self.settings_changes, self.outbox)
        self.rewards_command = RewardsCommand(self.kits, self.store, self.settings_changes, self.policy)
        self.command_index = CommandIndex(self.kits, self._declare(), self.groups, members.find)
        self.aliases = Aliases(self.command_index)
        self.groups.add(self.texts.group, game_switches(self.kits), self.aliases.group)
        self.groups.add(self.access.permissions, self.access.cooldowns)
        self.usable = UsableCommands(self.command_index, self.access, self.aliases)
        self.hints = NewcomerHints(self.ledger, self.outbox, watch, self.usable.words)

    def _declare(self) -> Iterator[object]:
        """Yield everything that declares commands, in the order in which help lists them."""
        kits, store, ledger, members = self.kits, self.store, self.ledger, self.members
        watch, changes, receipts = self.watch, self.settings_changes, self.receipts
        links = Links(store, members.people)
        yield LinkCommands(
            links=links, members=members, rooms=self.rooms, receipts=receipts, store=store, watch=watch
        )
        yield BridgeCommand(self.bridges)
        yield CreditsCommand(members)
        yield SeasonCommand(kits, self.calendar)
        yield MintList(changes.changes, self.minted, ImportRuns(store), members, watch)
        rankings = Rankings(store)
        self.ranks = Ranks(
            kits, ledger, members, self.departures, self.presence, rankings, self.seasons, watch
        )
        yield self.ranks
        giving = Giving(members, self.presence, receipts, watch)
        yield GiveCommand(giving, members)
        self.histories = Histories(store, (WATCH, TALK))
        self.history = History(self.histories, kits, members, self.outbox, watch)
        yield self.history
        yield Grants(changes, members, watch, self.access.check, self.confirmations)
        self.crowds = Crowds(self.earning.audience, members)
        yield CrowdPayments(
            changes, members, self.crowds, giving, ledger, watch, self.access.check, self.confirmations
        )
        yield FairnessCommands(self.fairness)
        yield SettingsCommands(kits, changes, self.confirmations, self.outbox)
        yield StartCommand()
        yield MovesCommand(self.balances)
        yield CallingOff(kits, changes, ledger, members)
        yield Shortcuts(kits, changes)
        self.audits = Audits(changes.changes, members, watch)
        yield self.audits
        yield self.undoing
        yield AccessCommands(self.access, changes)
        yield self.texts
        yield ConfirmCommand(self.confirmations)
        yield self._season_closer()
        yield DailyClaims(self.earning.payments, self.earning.attendance, watch, self.earning.live)
        yield ListCommands(changes, members)
        yield OverlayCommand(self.overlay_keys, changes)
        yield DeskCommand(self.entrance, self.desk_codes)
        yield SeatCommand(self.entrance, self.seat_codes, self.outbox, watch)
        yield self.rewards_command
        yield BoardCommands(
            kits=kits,
            entrance=self.entrance,
            journal=self.journal,
            finished=self.finished_tables,
            replay_ids=self.replay_ids,
            hidden=self.hidden,
        )
        self.odds = OddsCommand(kits, self.calendar, Takings(store), watch, self.background)
        yield self.odds
        ids = self.outbox.words.ids
        yield Help(lambda: self.command_index, self.groups, ids, self.access.least, self._stands_for)

    def _season_closer(self) -> SeasonCloser:
        least = partial(self.access.least, word=SEASON_END)
        closer = SeasonCloser(self.kits, self.calendar, self.confirmations, least)
        self.undoing.reversals[SEASON] = closer.take_back
        return closer

    def _stands_for(self, room: Room, word: str) -> str | None:
        return self.aliases.group.of(room).get(word)

    def _create_tables(self) -> None:
        """Create what opens, plays and ends tables."""
        kits, outbox, watch, rooms = self.kits, self.outbox, self.watch, self.rooms
        self.players = HousePlayers(self.ledger, watch)
        self.forecasts = Forecasts(kits, self.journal, self.predictions, rooms, outbox, watch)
        self.pauses = Pauses(kits, outbox, watch, self.publisher)
        house_fill = HouseFill(self.store, self.people, rooms, watch)
        reports = TableReports(
            kits=kits,
            ledger=self.ledger,
            journal=self.journal,
            fairness=self.fairness,
            calendar=self.calendar,
            pauses=self.pauses,
            outbox=outbox,
            watch=watch,
            background=self.background,
            events=self.publisher,
            house_fill=house_fill,
            look=self.players.look,
            open_seats=self.open_seats,
        )
        self.lifecycle = Lifecycle(
            kits=kits,
            ledger=self.ledger,
            journal=self.journal,
            fairness=self.fairness,
            pauses=self.pauses,
            outbox=outbox,
            watch=watch,
            members=self.members,
            events=self.publisher,
            reports=reports,
            admit=self._admit_step,
            house_fill=house_fill,
            keeps_open=self.forecasts.keeps_open,
        )
        self.routing = Routing(
            lifecycle=self.lifecycle,
            fairness=self.fairness,
            balances=self.balances,
            ledger=self.ledger,
            members=self.members,
            players=self.players,
            background=self.background,
            open_seats=self.open_seats,
            watch=watch,
        )

    def _create_road(self) -> None:
        """Create what lines and events of channels pass."""
        store, watch, rooms, outbox = self.store, self.watch, self.rooms, self.outbox
        self.shutdown = Shutdown(rooms, outbox, watch)
        self.deduplication, self.flood_limit = Deduplication(HeardLines(store), watch), FloodLimit(watch)
        decision = LineDecision(
            store=store,
            ledger=self.ledger,
            members=self.members,
            line_listeners=self.line_listeners,
            command_index=self.command_index,
            aliases=self.aliases,
            access=self.access,
            confirmations=self.confirmations,
            hints=self.hints,
            routing=self.routing,
            deduplication=self.deduplication,
            outbox=outbox,
            watch=watch,
        )
        self.dispatcher = Dispatcher(
            decision=decision,
            store=store,
            ledger=self.ledger,
            members=self.members,
            rooms=rooms,
            settings_changes=self.settings_changes,
            hints=self.hints,
            routing=self.routing,
            receipts=self.receipts,
            closing=self.shutdown,
        )
        self.channel_events = ChannelEvents(
            self.ledger, self.deduplication, self.members, outbox, watch, self.earning.reward
        )
        self.control = RoomControl(
            store=store,
            journal=self.journal,
            people=self.people,
            rooms=rooms,
            known_rooms=self.known_rooms,
            settings_changes=self.settings_changes,
            bridges=self.bridges,
            deadlines=self.deadlines,
            lifecycle=self.lifecycle,
            routing=self.routing,
            fairness=self.fairness,
            players=self.players,
            events=self.publisher,
            outbox=outbox,
            watch=watch,
            serve=self.dispatcher.serve,
        )

    async def _admit_step(self, table: Table, actor: Seat, after: object) -> None:
        """Check a step of a table before it is written.

        Raises:
            Refusal: the actor may not sit down at this table today, or somebody could win too much of others.
        """
        await self.policy.admit(table, actor)
        await self.receipts.require(table, actor, after)

    def _heed_changes(self, room: Room, changes: Sequence[Change]) -> None:
        """Have a room drawn anew in other words."""
        if any(each.key in {LANGUAGE, THEME} for each in changes):
            self.publisher.reworded(room)
