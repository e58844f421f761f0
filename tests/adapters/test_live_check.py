"""`chatbot doctor --live` plays a heist on the platforms, and says at which step something is wrong."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.cli.launch import INTERRUPTED
from chatbot.cli.live_check import END, LiveCheck, StepLimits
from chatbot.environment import Settings
from chatbot.kernel.game import Failure
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import LoopWatch
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES
from cogs.twitch.muted import MutedChats
from tests.fakes.discord_server import TOKEN, DiscordServer
from tests.fakes.discord_world import SEND
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

    from chatbot.cli.diagnosis import Diagnosis
    from chatbot.runtime.clock import Alarm, Callback

ROOT = Path(__file__).parent.parent.parent
SPEED = 10.0  # of the clock of games


class HurriedWatch(LoopWatch):
    """The clock of the event loop, faster; its date is that of the platforms."""

    def now(self) -> float:
        return super().now() * SPEED

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        return super().ring(seconds / SPEED, callback)


PATIENT = StepLimits(connected=30.0, refused=1.0, typed=30.0, answered=30.0, ended=60.0, leaving=0.0)
HASTY = StepLimits(connected=30.0, refused=1.0, typed=1.0, answered=20.0, ended=20.0, leaving=0.0)


@dataclass(eq=False)
class Operator:
    """Somebody who runs the check in a folder, reads what it prints, and types what it asks for."""

    folder: Path
    discord: DiscordServer
    twitch: Twitch
    token: str | None = None  # of Discord
    client_id: str | None = None  # of Twitch
    read: list[str] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        folder = self.folder
        return Settings(
            _env_file=None,  # type: ignore[call-arg]  # of pydantic, which declares it nowhere
            database=f"sqlite:///{folder / 'rabble.db'}",
            discord_token=self.token,  # type: ignore[arg-type]  # it is made a secret
            twitch_client_id=self.client_id,
            twitch_client_secret=CLIENT_SECRET if self.client_id else None,  # type: ignore[arg-type]
            discord_api_url=self.discord.endpoints.api,
            discord_gateway_url=self.discord.endpoints.gateway,
            twitch_api_url=self.twitch.endpoints.api,
            twitch_id_url=self.twitch.endpoints.id,
            twitch_eventsub_url=self.twitch.endpoints.eventsub,
            twitch_tokens=folder / "keys.json",
            fairness_key_file=folder / "fairness.key",
        )

    def connect_discord(self, token: str = TOKEN) -> None:
        self.token = token

    def connect_twitch(self) -> None:
        self.client_id = CLIENT_ID
        ring = KeyRing(self.folder / "keys.json", Discretion())
        for login, scopes, purpose in (
            ("rabblebot", BOT_SCOPES, "bot"),
            ("ada", BROADCASTER_SCOPES, "broadcaster"),
        ):
            user = self.twitch.world.user(login)
            token = self.twitch.authority.issue(user.id, scopes)
            purposes = frozenset({purpose})
            ring.put(
                Key(user.id, login, token.access, token.refresh, token.scopes, token.ends, purposes)  # type: ignore[arg-type]
            )

    async def run(
        self, limits: StepLimits, types: Iterable[tuple[str, Callable[[], Awaitable[object]]]] = ()
    ) -> list[Diagnosis]:
        """Run the check; once a line that contains a text is printed, do what belongs to it."""
        waiting, tasks = list(types), list[asyncio.Future[object]]()

        def show(line: str) -> None:
            self.read.append(line)
            if waiting and waiting[0][0] in line:
                tasks.append(asyncio.ensure_future(waiting.pop(0)[1]()))

        found = await LiveCheck(self.settings, Discretion(), show, limits, HurriedWatch()).run()
        await asyncio.gather(*tasks)
        assert waiting == [], self.read
        return found


@pytest.fixture
async def operator(tmp_path: Path) -> AsyncIterator[Operator]:
    discord, twitch = DiscordServer(), Twitch()
    await discord.start()
    await twitch.start()
    try:
        yield Operator(tmp_path, discord, twitch)
    finally:
        await discord.stop()
        await twitch.stop()


def verdicts(found: list[Diagnosis]) -> list[tuple[str, str]]:
    return [(each.subject, each.verdict) for each in found]


async def test_a_heist_on_both_platforms_goes_from_the_connection_to_the_result(operator: Operator) -> None:
    operator.connect_twitch()
    operator.connect_discord()
    twitch, ann, town = operator.twitch, operator.discord.world.join("Ann"), operator.discord.world.town
    people = operator.discord.people
    found = await operator.run(
        PATIENT,
        [
            ("Type `/heist 20`", lambda: people.slash(ann, town, "heist", stake="20")),
            ("Type `/start`", lambda: people.slash(ann, town, "start")),
            ("Type `!heist 20` in the chat of ada", lambda: twitch.chat("ada", "ada", "!heist 20")),
            ("Type `!start`", lambda: twitch.chat("ada", "ada", "!start")),
        ],
    )
    steps = ("connected", "heard", "answered", "played")
    assert verdicts(found) == [
        (f"{name}, {step}", "ok") for name in ("Discord", "Twitch") for step in steps
    ], operator.read
    assert operator.read[-1] == END
    kept = {each.name for each in operator.folder.iterdir()}
    assert kept == {"keys.json", "keys.json-lock"}, (
        "a database, a key or a note was made beside the real ones"
    )


async def test_the_real_database_is_left_as_it_is_and_kept_from_other_bots(operator: Operator) -> None:
    operator.connect_discord()
    await (await Store.open(operator.settings.database)).close()
    before = (operator.folder / "rabble.db").read_bytes()

    async def start_another() -> None:
        with pytest.raises(Failure, match="is in use by another process"):
            await Store.open(operator.settings.database, alone=True)

    await operator.run(HASTY, [("Type", start_another)])
    assert (operator.folder / "rabble.db").read_bytes() == before
    await (await Store.open(operator.settings.database, alone=True)).close()


async def test_a_refused_token_of_one_platform_is_told_and_the_other_is_tried(operator: Operator) -> None:
    operator.connect_discord("refused-canary")
    operator.connect_twitch()
    found = await operator.run(HASTY)
    refused, connected, *_ = found
    assert (refused.subject, refused.verdict) == ("Discord, connected", "wrong")
    assert "CHATBOT_DISCORD_TOKEN is refused by Discord; reset and copy it" in refused.sentence
    assert (connected.subject, connected.verdict) == ("Twitch, connected", "ok")
    assert connected.sentence == "rabblebot plays in ada."
    assert "canary" not in "".join(operator.read)


async def test_a_platform_that_cannot_be_reached_is_told_after_a_while(operator: Operator) -> None:
    operator.connect_discord()
    await operator.discord.stop()
    (found,) = await operator.run(replace(HASTY, connected=2.0))
    assert (found.subject, found.verdict) == ("Discord, connected", "wrong")
    assert found.sentence.startswith("Discord is not connected (Discord cannot be reached: ")
    assert "look at the connection of this machine" in found.sentence


async def test_a_key_of_twitch_that_is_revoked_is_told_with_the_command_that_makes_another(
    operator: Operator,
) -> None:
    operator.connect_twitch()
    operator.twitch.authority.tokens.clear()
    (found,) = await operator.run(HASTY)
    assert (found.subject, found.verdict) == ("Twitch, connected", "wrong")
    assert "`chatbot connect twitch --bot" in found.sentence


async def test_where_nobody_types_it_says_what_to_look_at(operator: Operator) -> None:
    operator.connect_twitch()
    operator.connect_discord()
    found = await operator.run(HASTY)
    assert verdicts(found) == [
        ("Discord, connected", "ok"),
        ("Discord, heard", "wrong"),
        ("Twitch, connected", "ok"),
        ("Twitch, heard", "wrong"),
    ]
    assert "nothing at all came" in found[1].sentence
    assert "`chatbot connect discord`" in found[1].sentence
    assert "in the chat that is named above" in found[3].sentence


async def test_talk_that_is_no_command_shows_that_the_chat_is_heard(operator: Operator) -> None:
    operator.connect_twitch()
    found = await operator.run(HASTY, [("Type", lambda: operator.twitch.chat("bob", "ada", "heist 20"))])
    assert found[-1].subject == "Twitch, heard"
    assert "1 other line came, so the chat is heard" in found[-1].sentence


async def test_what_strangers_type_is_shown_without_control_characters(operator: Operator) -> None:
    operator.connect_twitch()
    named = "B\x1b[31mob"
    found = await operator.run(
        HASTY, [("Type", lambda: operator.twitch.chat("bob", "ada", f"!heist {'2' * 200}", name=named))]
    )
    assert any(each.subject == "Twitch, heard" and each.verdict == "ok" for each in found)
    assert all(line.isprintable() for line in operator.read)
    assert max(map(len, operator.read)) < 300


async def test_without_message_content_it_asks_for_the_slash_command_and_says_why(operator: Operator) -> None:
    operator.connect_discord()
    operator.discord.gateway.refuses_content = True
    found = await operator.run(HASTY)
    assert any("Type `/heist 20` in a channel of Town" in each for each in operator.read)
    assert "Message Content Intent is off" in found[-1].sentence


async def test_a_bot_in_no_server_is_told_how_it_is_invited(operator: Operator) -> None:
    operator.connect_discord()
    operator.discord.world.guilds.clear()
    (found,) = await operator.run(HASTY)
    assert (found.subject, found.verdict) == ("Discord, connected", "wrong")
    assert "in no server; `chatbot connect discord` prints the link" in found.sentence


@pytest.mark.parametrize("text", ["!heist 20", "/heist"])
async def test_a_channel_of_discord_in_which_it_may_not_write_is_named_with_what_is_missing(
    operator: Operator, text: str
) -> None:
    operator.connect_discord()
    world, people = operator.discord.world, operator.discord.people
    ann, town = world.join("Ann"), world.town
    world.forbid(town, SEND)

    async def type_it() -> None:
        if text.startswith("/"):
            await people.slash(ann, town, "heist", stake="20")
        else:
            await people.say(ann, town, text)

    found = await operator.run(HASTY, [("Type", type_it)])
    assert verdicts(found)[1:] == [("Discord, heard", "ok"), ("Discord, answered", "wrong")]
    assert "does not reach #town: it lacks the permission “Send Messages”" in found[-1].sentence


async def test_a_chat_of_twitch_in_which_it_is_timed_out_is_named_with_the_reason(operator: Operator) -> None:
    operator.connect_twitch()
    await operator.twitch.ban("rabblebot", "ada", seconds=600)
    found = await operator.run(
        HASTY, [("Type", lambda: operator.twitch.chat("ada", "ada", "!heist 20", badges=["broadcaster"]))]
    )
    assert verdicts(found)[1:] == [("Twitch, heard", "ok"), ("Twitch, answered", "wrong")]
    assert "does not reach the chat of ada: the bot is timed out in this chat" in found[-1].sentence


async def test_a_chat_of_twitch_in_which_it_is_banned_is_not_heard(operator: Operator) -> None:
    operator.connect_twitch()
    world = operator.twitch.world
    world.banned.add((world.user("ada").id, world.user("rabblebot").id))
    found = await operator.run(HASTY)
    assert verdicts(found) == [("Twitch, connected", "wrong")] * 2
    assert "the chat of ada is not heard" in found[0].sentence


async def test_a_result_that_the_platform_does_not_take_is_no_success(operator: Operator) -> None:
    operator.connect_twitch()
    twitch = operator.twitch

    async def start_and_be_timed_out() -> None:
        await twitch.chat("ada", "ada", "!start")
        await twitch.ban("rabblebot", "ada", seconds=600)

    found = await operator.run(
        PATIENT,
        [("Type", lambda: twitch.chat("ada", "ada", "!heist 20")), ("Type `!start`", start_and_be_timed_out)],
    )
    assert verdicts(found)[-1] == ("Twitch, played", "wrong")
    assert "Twitch did not take the result: the bot is timed out in this chat" in found[-1].sentence


async def test_another_command_is_heard_and_answered_and_the_heist_is_asked_for_again(
    operator: Operator,
) -> None:
    operator.connect_twitch()
    twitch = operator.twitch
    found = await operator.run(
        PATIENT,
        [
            ("Type", lambda: twitch.chat("ada", "ada", "!credits")),
            ("No table was opened", lambda: twitch.chat("ada", "ada", "!heist 20")),
            ("Type `!start`", lambda: twitch.chat("ada", "ada", "!start")),
        ],
    )
    assert {each.verdict for each in found} == {"ok"}, operator.read


async def test_a_chat_in_which_it_could_not_speak_before_is_tried_again(operator: Operator) -> None:
    operator.connect_twitch()
    twitch, ada = operator.twitch, operator.twitch.world.user("ada")
    muted = MutedChats(operator.folder / "keys.json")
    muted.note(ada.id, "ada", "the bot is timed out in this chat")
    found = await operator.run(
        PATIENT,
        [
            ("Type", lambda: twitch.chat("ada", "ada", "!heist 20")),
            ("No table was opened", lambda: twitch.chat("ada", "ada", "!heist 20")),
            ("Type `!start`", lambda: twitch.chat("ada", "ada", "!start")),
        ],
    )
    assert {each.verdict for each in found} == {"ok"}, operator.read
    assert muted.load() == {}


async def test_ctrl_c_ends_the_command_in_order(operator: Operator) -> None:
    operator.connect_discord()
    settings = {
        f"CHATBOT_{name.upper()}": str(getattr(operator.settings, name))
        for name in (
            "database",
            "discord_api_url",
            "discord_gateway_url",
            "twitch_tokens",
            "fairness_key_file",
        )
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "chatbot", "doctor", "--live"),
        cwd=operator.folder,
        env={**os.environ, **settings, "CHATBOT_DISCORD_TOKEN": TOKEN, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            while b"Type `/heist 20`" not in (line := await process.stdout.readline()):
                assert line, "it ended before"
        process.send_signal(signal.SIGINT)
        out, err = await asyncio.wait_for(process.communicate(), 10)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == INTERRUPTED
    assert err.decode() == "Stopped; wallets, settings and database are as they were.\n"
    assert out == b""


async def test_it_can_be_cancelled_and_leaves_in_order(operator: Operator) -> None:
    operator.connect_discord()
    asked = asyncio.Event()

    async def note() -> None:
        asked.set()

    running = asyncio.ensure_future(operator.run(PATIENT, [("Type", note)]))
    await asyncio.wait_for(asked.wait(), 30)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 5)
    assert not operator.discord.gateway.sockets
