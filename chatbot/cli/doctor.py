"""`chatbot doctor`: checks all that the bot needs, and says what is wrong and what to do; shows no secret."""

from __future__ import annotations

import asyncio
import json
import shlex
import shutil
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
from sqlalchemy.exc import SQLAlchemyError

from chatbot import environment, home
from chatbot.bot.hosted_games import hosted
from chatbot.cli import doctor_public
from chatbot.cli.diagnosis import Diagnosis
from chatbot.environment import Settings
from chatbot.games import kits, refused
from chatbot.kernel.game import Failure
from chatbot.keys import sealing_key
from chatbot.keys.asking import Unreachable, ask
from chatbot.keys.barred_chats import BarredChats
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import KeyRing
from chatbot.ledger.store import backup, engines, file_modes
from chatbot.ledger.store.engines import StoreError, address, obstacle, shown
from chatbot.ledger.store.store import Store
from chatbot.settings.fields import NO, PREDICTION, YES
from chatbot.settings.room import HABITS, OFF
from chatbot.web.hosts import why_it_cannot_listen
from chatbot.web.server import is_open, warning
from cogs.discord import endpoints as discord
from cogs.discord.token import look_up
from cogs.twitch import endpoints as twitch
from cogs.twitch.authority import SCOPES, TwitchAuthority, lacking
from cogs.twitch.limits import MOST, too_many
from cogs.twitch.lines import PLATFORM, channel_of
from cogs.twitch.muted import ANNOUNCEMENTS, PREDICTIONS, MutedChats, RefusedChats, UnheardChats

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import URL

    from chatbot.cli.diagnosis import Verdict
    from chatbot.keys.ring import Key, Purpose
    from chatbot.ledger.vouchers import Reward

CHECK_TIMEOUT_SECONDS = 10.0  # of each check
LEAST_BYTES = 20 * 10**6  # left on the disk: what the database and its log can take in an evening
MAX_DRIFT_SECONDS = 10.0  # of the clock of this machine


def in_words(findings: Sequence[Diagnosis]) -> Iterator[str]:
    """Yield a line for each finding, and a summary."""
    for each in findings:
        yield each.line
    yield summary(findings)


def summary(findings: Sequence[Diagnosis]) -> str:
    """Say how much is to be fixed."""
    wrong = sum(each.verdict == "wrong" for each in findings)
    worth = sum(each.verdict == "look" for each in findings)
    looks = f"; {worth} {'is' if worth == 1 else 'are'} worth a look" if worth else ""
    return (f"{wrong} of {len(findings)} to fix" if wrong else "Nothing to fix") + f"{looks}."


def as_json(findings: Sequence[Diagnosis]) -> str:
    """Return the findings as one JSON object."""
    return json.dumps({"well": is_healthy(findings), "findings": [asdict(each) for each in findings]})


def is_healthy(findings: Sequence[Diagnosis]) -> bool:
    """Whether nothing is wrong."""
    return all(each.verdict != "wrong" for each in findings)


def settings_failure(failure: Failure) -> list[Diagnosis]:
    """Return the findings if the settings cannot be read: then nothing else can be checked."""
    return [Diagnosis("settings", "wrong", str(failure))]


@dataclass(frozen=True, slots=True)
class Doctor:
    """One run of all checks."""

    settings: Settings
    discretion: Discretion
    drifts: list[float] = field(default_factory=list)  # seconds by which this clock is ahead of a platform's

    async def examine(self) -> list[Diagnosis]:
        """Run all checks concurrently, each within `CHECK_TIMEOUT_SECONDS`."""
        async with aiohttp.ClientSession() as session:
            finding_lists = await asyncio.gather(
                _within_timeout("home", self._home()),
                _within_timeout("database", self._database()),
                _within_timeout("disk", self._disk()),
                _within_timeout("page", self._page()),
                _within_timeout("network", self._network()),
                _within_timeout("files", self._files()),
                _within_timeout("fairness", self._fairness()),
                _within_timeout("games", self._games()),
                _within_timeout(doctor_public.SUBJECT, doctor_public.examine(self.settings, session)),
                self._twitch(session),
                _within_timeout("Twitch features", self._features()),
                _within_timeout("Discord", self._discord(session)),
            )
        settings = Diagnosis("settings", "ok", "all can be read.")
        return [
            settings,
            *self._endpoints(),
            *(each for several in finding_lists for each in several),
            *self._clock(),
        ]

    def _endpoints(self) -> Iterator[Diagnosis]:
        for name, url, usual in self.settings.custom_endpoints:
            sentence = f"{name} is {url}, not {usual}: whoever answers there is given the bot's keys."
            yield Diagnosis("endpoints", "look", sentence)

    async def _home(self) -> list[Diagnosis]:
        """Say where everything is kept, and name databases in the working folder that are not in use."""
        try:
            location, *unused = home.in_words(self.settings.home, self.settings.database)
        except StoreError:  # reported by the check of the database
            return []
        return [Diagnosis("home", "ok", location), *(Diagnosis("home", "look", each) for each in unused)]

    async def _database(self) -> list[Diagnosis]:
        where = address(self.settings.database)
        name = shown(where)
        is_file = where.drivername.startswith("sqlite")
        problem = await asyncio.to_thread(self._obstacle, where) if is_file else None
        if is_file and not await asyncio.to_thread(_exists, where):
            if problem is not None:
                return [Diagnosis("database", "wrong", f"{name} cannot be made: {problem}.")]
            return [
                Diagnosis("database", "ok", f"{name} is not there yet, and will be made at the first start.")
            ]
        await (await Store.look(self.settings.database)).close()
        if problem is not None:
            return [Diagnosis("database", "wrong", f"{name} can be read, but not written: {problem}.")]
        return [Diagnosis("database", "ok", f"{name} can be read; `chatbot audit` checks its books.")]

    def _obstacle(self, where: URL) -> str | None:
        """Return why the database's file cannot be used; the home is made for it at the first start."""
        file = Path(str(where.database))
        return obstacle(file, makes_folder=home.has(self.settings.home, file))

    async def _disk(self) -> list[Diagnosis]:
        """Check that the disk has room for the database and the next backup of it; a server minds its own."""
        file = None
        with suppress(StoreError):  # reported by the check of the database
            file = engines.file_of(self.settings.database)
        return [] if file is None else [await asyncio.to_thread(_room_for, file)]

    async def _page(self) -> list[Diagnosis]:
        where = f"{self.settings.host}:{self.settings.port}"
        try:
            listening = await asyncio.get_running_loop().create_server(
                asyncio.Protocol, self.settings.host, self.settings.port
            )
        except (OSError, ValueError) as error:  # a malformed host name is a ValueError
            return [Diagnosis("page", "look", (
                f"{where} cannot be listened at ({why_it_cannot_listen(error)}): either the bot is running, "
                "or CHATBOT_PORT or CHATBOT_HOST must be another one."
            ))]  # fmt: skip
        listening.close()
        await listening.wait_closed()
        return [Diagnosis("page", "ok", f"{where} is free.")]

    async def _network(self) -> list[Diagnosis]:
        if not await is_open(self.settings.host):
            return [Diagnosis("network", "ok", "no other machine can open the page.")]
        return [Diagnosis("network", "look", f"the page is not yours alone: {warning(self.settings.host)}")]

    async def _files(self) -> list[Diagnosis]:
        return await asyncio.to_thread(lambda: list(_permissions(self.settings)))

    async def _games(self) -> list[Diagnosis]:
        hosted_kits, unhosted = hosted(await asyncio.to_thread(kits))
        left_out = [Diagnosis("games", "wrong", each.sentence) for each in (*refused(), *unhosted)]
        return left_out or [Diagnosis("games", "ok", f"{', '.join(hosted_kits)}.")]

    async def _fairness(self) -> list[Diagnosis]:
        """Check that the key of fairness exists, and is the one with which the chains were sealed."""
        given_key, file = self.settings.given_key, self.settings.fairness_key_file
        key = await asyncio.to_thread(sealing_key.find, given_key, file, self.discretion)
        name = f"the key {file}" if given_key is None else "the key CHATBOT_FAIRNESS_KEY"
        try:
            fit, unfit = await self._sealed(key)
        except StoreError:  # reported by the check of the database
            sentence = f"whether {name} fits the database can be told once that can be opened."
            return [Diagnosis("fairness", "look", sentence)]
        if unfit:
            problem = "is not there" if key is None else "is another one"
            return [Diagnosis("fairness", "wrong", (
                f"{name} {problem}, though {unfit} of {fit + unfit} chains in the database were sealed; put "
                "that key back, or the next start calls off what is being played and returns the stakes."
            ))]  # fmt: skip
        if key is None:
            return [Diagnosis("fairness", "ok", f"{name} is not there yet; the first start makes it.")]
        state = "is open to others, which is told below," if file_modes.exposed(file) else "is yours alone,"
        state = state if given_key is None else "is given"
        return [Diagnosis("fairness", "ok", f"{name} {state} and fits the database.")]

    async def _sealed(self, key: bytes | None) -> tuple[int, int]:
        """Count the chains that this key can unseal, and those that it cannot; a missing database has none.

        Raises:
            StoreError: the database cannot be opened.
        """
        from chatbot.ledger.chains import (  # noqa: PLC0415
            KEY,
            Sealer,
            count_sealed,
        )

        where = address(self.settings.database)
        if where.drivername.startswith("sqlite") and not await asyncio.to_thread(_exists, where):
            return 0, 0
        store = await Store.look(self.settings.database)
        try:
            return await count_sealed(store, Sealer(key or bytes(KEY)))
        finally:
            await store.close()

    async def _discord(self, session: aiohttp.ClientSession) -> list[Diagnosis]:
        if self.settings.discord_token is None:
            sentence = "not connected (optional); `chatbot connect discord` tells how."
            return [Diagnosis("Discord", "ok", sentence)]
        endpoints = discord.DiscordEndpoints(api=self.settings.discord_api_url)
        bot = await look_up(self.settings.discord_token.get_secret_value(), session, endpoints)
        self._compare(bot.date)
        reading = Diagnosis("Discord messages", "ok", "the bot may read them, so !heist works.")
        if not bot.reads:
            reading = Diagnosis("Discord messages", "look", (
                "the bot may not read them: /heist works, !heist does not; for that, switch Message Content "
                "Intent on at https://discord.com/developers/applications, Bot."
            ))  # fmt: skip
        right = Diagnosis("Discord", "ok", f"the token is right; the bot is {bot.name}.")
        return [right, reading, *await asyncio.to_thread(lambda: list(self._barred()))]

    def _barred(self) -> Iterator[Diagnosis]:
        """Tell of channels of Discord where the bot may not speak, or begin no threads that are wanted."""
        for name, reason in BarredChats(self.settings.discord_barred).load().values():
            sentence = f"the bot may not speak there, and takes no stakes: {reason}."
            yield Diagnosis(f"Discord channel {name}", "look", sentence)
        for name, reason in BarredChats(self.settings.discord_threadless).load().values():
            sentence = f"`!set room threads yes` has no effect there: {reason}."
            yield Diagnosis(f"Discord threads in {name}", "look", sentence)

    async def _twitch(self, session: aiohttp.ClientSession) -> list[Diagnosis]:
        try:
            application = self.settings.twitch_application
        except Failure as failure:
            return [Diagnosis("Twitch", "wrong", str(failure))]
        if application is None:
            sentence = "not connected (optional); `chatbot connect twitch` tells how."
            return [Diagnosis("Twitch", "ok", sentence)]
        ring = KeyRing(self.settings.twitch_tokens, self.discretion)
        authority = TwitchAuthority(
            *application,
            session,
            ring,
            self.discretion,
            twitch.TwitchEndpoints(api=self.settings.twitch_api_url, id=self.settings.twitch_id_url),
        )
        try:
            return [*_file(ring), *(await self._accounts(authority, ring, session))]
        except Failure as failure:
            return [Diagnosis("keys", "wrong", str(failure))]

    async def _accounts(
        self, authority: TwitchAuthority, ring: KeyRing, session: aiohttp.ClientSession
    ) -> list[Diagnosis]:
        keys = ring.load()
        checks = [_within_timeout("Twitch", self._application(authority, session))]
        checks += [_within_timeout(f"Twitch account {key.login}", _account(authority, key)) for key in keys]
        checks += [
            _within_timeout(f"Twitch points of {key.login}", self._points(authority, key))
            for key in keys
            if "broadcaster" in key.purposes
        ]
        findings = [each for several in await asyncio.gather(*checks) for each in several]
        return [*findings, *self._missing_accounts(ring), *self._chats(ring)]

    async def _application(
        self, authority: TwitchAuthority, session: aiohttp.ClientSession
    ) -> list[Diagnosis]:
        if not authority.is_public:
            await authority.app_token()
        with suppress(Unreachable):  # the clock cannot be compared then, which is no failure
            self._compare((await ask(session, "GET", f"{authority.endpoints.id}/validate")).date)
        if authority.is_public:
            sentence = "the application has no secret: the bot speaks without the badge of bots."
            return [Diagnosis("Twitch", "ok", sentence)]
        return [Diagnosis("Twitch", "ok", "the client id and its secret are right.")]

    async def _points(self, authority: TwitchAuthority, key: Key) -> list[Diagnosis]:
        """Check that what a channel sells for points can be settled; nothing where it sells nothing."""
        from cogs.twitch.rewards import shop  # noqa: PLC0415  (slow, and needed only for points)

        rewards = await self._stored_rewards(channel_of(key.user_id))
        if not rewards and "points" not in key.purposes:
            return []
        async with shop(authority, key) as open_shop:
            own = {each.id for each in await open_shop.all()}
            others = {each.id for each in await open_shop.everybodys()} - own
        return list(_rewards(f"Twitch points of {key.login}", rewards, own, others))

    async def _stored_rewards(self, channel: str) -> dict[str, Reward]:
        """Return what the rewards of a channel stake, by id."""
        from chatbot.ledger.vouchers import Rewards  # noqa: PLC0415

        try:
            store = await Store.look(self.settings.database)
        except StoreError:  # reported by the check of the database
            return {}
        try:
            return {each.id: each for each in await Rewards(store).of(channel)}
        finally:
            await store.close()

    async def _features(self) -> list[Diagnosis]:
        """Tell which features of Twitch a room has switched on for which a key lacks a right."""
        if self.settings.twitch_client_id is None:
            return []
        try:
            features = await self._switched_on()
        except StoreError:  # reported by the check of the database
            return []
        return list(_unable(KeyRing(self.settings.twitch_tokens, self.discretion), features))

    async def _switched_on(self) -> list[tuple[str, Purpose]]:
        """List the channels whose rooms have features switched on, with these."""
        from chatbot.ledger.rooms import KnownRooms, Preferences  # noqa: PLC0415
        from chatbot.ledger.unions import Unions  # noqa: PLC0415

        store = await Store.look(self.settings.database)
        try:
            rooms = [each.room for each in await KnownRooms(store).known()]
            choices_by_room = await Preferences(store).load_all(rooms)
            bridges = (await Unions(store).bridges()).values()
        finally:
            await store.close()
        empty = {each.home for each in bridges}
        channels = [(room, room) for room in rooms if room not in empty]
        channels += [(each.channel, each.room) for each in bridges if each.room in choices_by_room]
        return [
            (channel, feature)
            for channel, room in channels
            for feature in _features_of(choices_by_room[room])
        ]

    def _missing_accounts(self, ring: KeyRing) -> Iterator[Diagnosis]:
        if ring.bot is None:
            sentence = "no account is connected; run `chatbot connect twitch --bot`."
            yield Diagnosis("Twitch bot", "wrong", sentence)
        if not ring.broadcasters and not self.settings.channels:
            sentence = "none; run `chatbot connect twitch --broadcaster`, signed in as the streamer."
            yield Diagnosis("Twitch channels", "wrong", sentence)

    def _chats(self, ring: KeyRing) -> Iterator[Diagnosis]:
        """Tell of chats that the bot cannot hear, or cannot speak in."""
        channels = len(self.settings.channels or ring.broadcasters)
        if channels > MOST and not self.settings.twitch_conduit:
            yield Diagnosis("Twitch channels", "wrong", too_many(channels))
        for login, reason in MutedChats(ring.path).load().values():
            sentence = f"the bot could not speak there, and takes no stakes: {reason}."
            yield Diagnosis(f"Twitch chat of {login}", "look", sentence)
        for login, reason in UnheardChats(ring.path).load().values():
            yield Diagnosis(f"Twitch chat of {login}", "look", f"it is not heard: {reason}.")
        yield from _refused(ring)

    def _compare(self, date: str) -> None:
        """Note the drift of the clock from the date in a platform's response (the HTTP header `Date`)."""
        with suppress(ValueError):
            self.drifts.append(time.time() - parsedate_to_datetime(date).timestamp())

    def _clock(self) -> Iterator[Diagnosis]:
        for drift in self.drifts[:1]:
            seconds, direction = abs(round(drift)), "ahead" if drift > 0 else "behind"
            if seconds > MAX_DRIFT_SECONDS:
                sentence = (
                    f"this machine's is {seconds} seconds {direction}; have the system set it by the network."
                )
                yield Diagnosis("clock", "look", sentence)
            else:
                yield Diagnosis("clock", "ok", "it agrees with the platform's.")


def _room_for(file: Path) -> Diagnosis:
    """Tell how much the disk of a database has left, beside what its next backup takes."""
    folder = next(each for each in file.absolute().parents if each.is_dir())
    left, size = shutil.disk_usage(folder).free, file.stat().st_size if file.is_file() else 0
    space = f"{_megabytes(left)} MB are left on the disk of {file.parent}"
    if left < LEAST_BYTES:
        return Diagnosis("disk", "wrong", (
            f"{space}: nothing can be played once it is full; free some, or name a database on another disk."
        ))  # fmt: skip
    if left < size + LEAST_BYTES:
        return Diagnosis("disk", "look", (
            f"{space}, and the next backup takes {_megabytes(size)} MB: free some or lower CHATBOT_BACKUP_MB."
        ))  # fmt: skip
    return Diagnosis("disk", "ok", f"{space}.")


def _megabytes(size: int) -> str:
    return f"{size // 10**6:,}"


def _exists(where: URL) -> bool:
    return Path(str(where.database)).exists()


async def _within_timeout(subject: str, check: Coroutine[object, None, list[Diagnosis]]) -> list[Diagnosis]:
    """Run a check within the timeout, and return its failure as a finding."""
    try:
        return await asyncio.wait_for(check, CHECK_TIMEOUT_SECONDS)
    except Failure as failure:
        return [Diagnosis(subject, "wrong", str(failure))]
    except (Unreachable, TimeoutError) as trouble:
        reason = str(trouble) or "it takes too long"
        return [Diagnosis(subject, "look", f"it could not be checked: {reason}; look at the connection.")]
    except (OSError, SQLAlchemyError) as trouble:
        return [Diagnosis(subject, "look", f"it could not be checked: {engines.reason(trouble)}.")]


async def _account(authority: TwitchAuthority, key: Key) -> list[Diagnosis]:
    subject = f"Twitch account {key.login}"
    valid = await authority.validate(key.access)
    if valid is None:  # normal if the bot has not run for some hours; it would refresh the key as well
        key = await authority.refresh(key)
        valid = await authority.validate(key.access)
    roles = [f"--{each}" for each in sorted(key.purposes)]
    again = f"run `chatbot connect twitch {' '.join(roles)}`."
    if valid is None or valid.client_id != authority.client_id:
        return [Diagnosis(subject, "wrong", f"its key belongs to another application; {again}")]
    missing_scopes = lacking(key.purposes, valid.scopes)
    if missing_scopes:
        return [Diagnosis(subject, "wrong", f"its key does not allow {missing_scopes}; {again}")]
    minutes = round(valid.seconds / 60)
    purposes = " and ".join(sorted(key.purposes))
    return [Diagnosis(subject, "ok", f"its key as {purposes} is right, and renewed in {minutes} minutes.")]


def _rewards(
    subject: str, rewards: Mapping[str, Reward], own: Collection[str], others: Collection[str]
) -> Iterator[Diagnosis]:
    """Compare the rewards of the database with those at Twitch: its own, and those of other applications."""
    foreign = [each for each in rewards if each in others]
    deleted = [each for each in rewards if each not in own and each not in others]
    if foreign:
        yield Diagnosis(subject, "wrong", (
            f"{_stakes(rewards, foreign)}: made by another application than CHATBOT_TWITCH_CLIENT_ID, so the "
            "points cannot be given back; remove them at Twitch, and make them by `chatbot rewards make`."
        ))  # fmt: skip
    if deleted:
        yield Diagnosis(subject, "look", (
            f"{_stakes(rewards, deleted)}: removed at Twitch; `chatbot rewards make` sells such a stake "
            "again."
        ))  # fmt: skip
    if unknown := len(set(own) - rewards.keys()):
        yield Diagnosis(subject, "look", (
            f"what {unknown} of its rewards stake is not known; `chatbot rewards list` shows which to remove."
        ))  # fmt: skip
    if not (foreign or deleted or unknown):
        none = "none yet; `chatbot rewards make heist --cost 500 --stake 100` makes one."
        yield Diagnosis(subject, "ok", f"rewards that are sold: {len(rewards) or none}".rstrip(".") + ".")


def _stakes(rewards: Mapping[str, Reward], ids: Iterable[str]) -> str:
    return ", ".join(f"{rewards[each].game} for {rewards[each].credits} credits" for each in ids)


def _features_of(choices: Mapping[str, Mapping[str, object]]) -> Iterator[Purpose]:
    """Yield the features of Twitch that are switched on by the settings of a room, by group."""
    if any(each.get(PREDICTION, NO) == YES for each in choices.values()):
        yield "predictions"
    if choices.get(HABITS.name, {}).get("announcements", OFF) != OFF:
        yield "announcements"


def _unable(ring: KeyRing, features: Iterable[tuple[str, Purpose]]) -> Iterator[Diagnosis]:
    """Tell of each feature that is switched on in a chat, though the key that it takes does not allow it."""
    broadcasters = {channel_of(key.user_id): key for key in ring.broadcasters}
    for channel, feature in features:
        by_bot = feature == "announcements"
        key = ring.bot if by_bot else broadcasters.get(channel)
        (scope,) = SCOPES[feature]
        if channel.startswith(f"{PLATFORM}:") and (key is None or scope not in key.scopes):
            whose = ("the bot" if by_bot else "the streamer") if key is None else key.login
            run = f"run `chatbot connect twitch {'--bot' if by_bot else '--broadcaster'} --{feature}`"
            sentence = f"switched on in {channel}, and the key of {whose} does not allow {scope}; {run}."
            yield Diagnosis(f"Twitch {feature}", "look", sentence)


def _refused(ring: KeyRing) -> Iterator[Diagnosis]:
    """Tell of what Twitch has refused, as the bot remembers it."""
    for what in (PREDICTIONS, ANNOUNCEMENTS):
        for login, reason in RefusedChats(ring.path, what).load().values():
            yield Diagnosis(f"Twitch {what}", "look", f"refused in the chat of {login}: {reason}.")


def _file(ring: KeyRing) -> Iterator[Diagnosis]:
    if ring.load() and not ring.exposed:
        yield Diagnosis("keys", "ok", f"{ring.path} is yours alone.")


def _permissions(settings: Settings) -> Iterator[Diagnosis]:
    """Check which files other accounts of this machine can read."""
    if file_modes.has_modes():
        findings = list(_exposed_files(settings))
        yield from findings or [Diagnosis("files", "ok", "no other account of this machine can read them.")]
    else:
        yield Diagnosis("files", "look", (
            "here they have the rights of their folder, which are not looked at: see to it that nobody else "
            "can open the folder of the database, nor that of .env."
        ))  # fmt: skip


def _exposed_files(settings: Settings) -> Iterator[Diagnosis]:
    files_by_subject: dict[str, list[Path]] = {
        "database files": [],
        "backups": [],
        "keys": [settings.twitch_tokens, settings.fairness_key_file],
    }
    folders = {Path()}
    with suppress(StoreError):  # reported by the check of the database
        file = engines.file_of(settings.database)
        if file is not None:
            folders.add(file.parent)
            backups = [each for each in backup.files_of(file) if each.parent == backup.beside(file)]
            files_by_subject["database files"] = [
                each for each in backup.files_of(file) if each not in backups
            ]
            files_by_subject["backups"] = backups
    for subject, files in files_by_subject.items():
        yield from _exposed(subject, "wrong", files)
    yield from _exposed(".env", "wrong" if environment.has_secrets(Path(".env")) else "look", [Path(".env")])
    yield from _exposed("log", "look", [each for folder in folders for each in folder.glob("*.log")])


def _exposed(subject: str, verdict: Verdict, files: Iterable[Path]) -> Iterator[Diagnosis]:
    exposed = [each for each in files if file_modes.exposed(each)]
    if exposed:
        these = "it" if len(exposed) == 1 else "these"
        command = shlex.join(["chmod", "600", *map(str, exposed)])
        yield Diagnosis(subject, verdict, f"others on this machine can read {these}; `{command}`.")
