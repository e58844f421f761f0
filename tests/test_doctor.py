"""`chatbot doctor` says of everything whether it is right or what to do, and shows no secret."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from chatbot.cli import doctor
from chatbot.keys import sealing_key
from chatbot.keys.barred_chats import BarredChats
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing, Purpose
from chatbot.ledger.chains import Chains, Sealer
from chatbot.ledger.changes import ChangeSet
from chatbot.ledger.rooms import KnownRoom, KnownRooms, Preferences
from chatbot.ledger.store.store import Store
from chatbot.ledger.unions import Bridge, Unions
from cogs.twitch.authority import scopes_for
from cogs.twitch.muted import ANNOUNCEMENTS, PREDICTIONS, MutedChats, RefusedChats, UnheardChats
from tests.fakes.twitch_authority import Trouble
from tests.keys.portal import TOKEN
from tests.terminal import Terminal, terminal

__all__ = ["terminal"]  # a fixture

TOKENS = Path("data/twitch-tokens.json")


@pytest.fixture
def connected(terminal: Terminal) -> KeyRing:
    """Connect everything, as it should be."""
    terminal.set(discord_token=TOKEN, port="0")
    ring = KeyRing(terminal.folder / TOKENS, Discretion())
    ring.put(key(terminal, "1", "bot"))
    ring.put(key(terminal, "2", "broadcaster"))
    return ring


def key(terminal: Terminal, user_id: str, *purposes: Purpose) -> Key:
    token = terminal.twitch.issue(user_id, scopes_for(purposes))
    return Key(
        user_id, token.login, token.access, token.refresh, token.scopes, token.ends, frozenset(purposes)
    )


async def verdicts(terminal: Terminal) -> dict[str, tuple[str, str]]:
    done = await terminal.type("doctor", "--json")
    report = json.loads(done.out)
    assert done.code == (0 if report["well"] else 1)
    assert "Traceback" not in done.err
    return {each["subject"]: (each["verdict"], each["sentence"]) for each in report["findings"]}


async def test_everything_that_is_right_is_said_to_be(terminal: Terminal, connected: KeyRing) -> None:
    done = await terminal.type("doctor")
    assert done.code == 0
    lines = done.out.splitlines()
    told = [line for line in lines[:-1] if " endpoints: " not in line]
    assert all(line.startswith("ok ") for line in told), done.out
    assert lines[-1] == "Nothing to fix; 2 are worth a look."  # the fakes
    assert "ok     Twitch account rabblebot: its key as bot is right, and renewed in 240 minutes." in lines
    assert "ok     Discord: the token is right; the bot is Rabble." in lines
    assert "ok     clock: it agrees with the platform's." in lines
    assert f"ok     keys: {TOKENS} is yours alone." in lines


async def test_every_endpoint_that_is_not_the_platforms_own_is_named(
    terminal: Terminal, connected: KeyRing
) -> None:
    api, gateway = os.environ["CHATBOT_DISCORD_API_URL"].rstrip("/"), "wss://proxy.example/gateway"
    terminal.set(discord_gateway_url=f"{gateway}/", twitch_id_url=f"{os.environ['CHATBOT_TWITCH_ID_URL']}/")
    told = [line for line in (await terminal.type("doctor")).out.splitlines() if " endpoints: " in line]
    assert [line.partition(":")[0] for line in told] == ["look   endpoints"] * 3
    assert f"CHATBOT_DISCORD_API_URL is {api}, not https://discord.com/api/v10: whoever" in told[0]
    assert f"CHATBOT_DISCORD_GATEWAY_URL is {gateway}, not wss://gateway.discord.gg: whoever" in told[1]
    assert "CHATBOT_TWITCH_ID_URL is http://127.0.0.1:" in told[2]


async def test_platforms_are_optional(terminal: Terminal) -> None:
    terminal.set(twitch_client_id="", twitch_client_secret="")
    found = await verdicts(terminal)
    assert found["Twitch"] == ("ok", "not connected (optional); `chatbot connect twitch` tells how.")
    assert found["Discord"][0] == "ok"
    assert terminal.twitch.addresses == []
    assert list(terminal.folder.iterdir()) == []  # nothing is made by looking


@pytest.mark.slow
async def test_it_tells_whether_the_key_of_fairness_is_there_and_fits_the_database(
    terminal: Terminal,
) -> None:
    terminal.set(port="0", twitch_client_id="", twitch_client_secret="")
    file = terminal.folder / "data" / "fairness.key"
    name = "the key data/fairness.key"
    assert (await verdicts(terminal))["fairness"] == (
        "ok", f"{name} is not there yet; the first start makes it.",
    )  # fmt: skip
    file.parent.mkdir()
    store = await Store.open(f"sqlite:///{(terminal.folder / 'data' / 'rabble.db').as_posix()}")
    key = sealing_key.provide(None, file, Discretion())
    chains = Chains(store, Sealer(key), lambda: b"secret", 3)
    await chains.provide("room")
    await store.close()
    assert (await verdicts(terminal))["fairness"] == ("ok", f"{name} is yours alone, and fits the database.")
    unknown = f"whether {name} fits the database can be told once that can be opened."
    for database in ("sqlite:///data/fairness.key", "nonsense"):
        terminal.set(database=database)
        assert (await verdicts(terminal))["fairness"] == ("look", unknown)
    terminal.set(database="sqlite:///data/rabble.db")
    file.unlink()
    verdict, sentence = (await verdicts(terminal))["fairness"]
    assert verdict == "wrong"
    assert sentence.startswith(f"{name} is not there, though 1 of 1 chains in the database were sealed;")
    sealing_key.provide(None, file, Discretion())
    verdict, sentence = (await verdicts(terminal))["fairness"]
    assert (verdict, sentence.startswith(f"{name} is another one, though 1 of 1 ")) == ("wrong", True)
    terminal.set(fairness_key=key.hex())
    found = (await verdicts(terminal))["fairness"]
    assert found == ("ok", "the key CHATBOT_FAIRNESS_KEY is given and fits the database.")
    terminal.set(fairness_key="short")
    verdict, sentence = (await verdicts(terminal))["settings"]
    assert verdict == "wrong"
    assert sentence == (
        "CHATBOT_FAIRNESS_KEY is not as it must be; "
        "it takes 64 hexadecimal digits, with which secrets of tables are sealed."
    )


async def test_half_an_application_is_wrong(terminal: Terminal) -> None:
    terminal.set(twitch_client_id="")
    verdict, sentence = (await verdicts(terminal))["Twitch"]
    assert (verdict, sentence[:36]) == ("wrong", "CHATBOT_TWITCH_CLIENT_ID is missing;")


async def test_an_application_without_a_secret_is_right(terminal: Terminal) -> None:
    terminal.twitch.client_secret = None
    terminal.set(twitch_client_secret="")
    sentence = "the application has no secret: the bot speaks without the badge of bots."
    assert (await verdicts(terminal))["Twitch"] == ("ok", sentence)
    assert terminal.twitch.asked["client_credentials"] == 0


async def test_wrong_settings_are_told_first(terminal: Terminal) -> None:
    terminal.set(port="abc")
    found = await verdicts(terminal)
    assert list(found) == ["settings"]
    assert found["settings"] == (
        "wrong",
        "CHATBOT_PORT is 'abc'; it takes a port from 0 to 65535; 0 takes any free one.",
    )


async def test_a_wrong_secret_and_a_wrong_token_are_wrong(terminal: Terminal, connected: KeyRing) -> None:
    terminal.set(twitch_client_secret="canary-wrong", discord_token="canary-wrong")  # noqa: S106
    found = await verdicts(terminal)
    assert found["Twitch"][0] == found["Discord"][0] == "wrong"


async def test_without_a_bot_or_a_channel_there_is_something_to_do(terminal: Terminal) -> None:
    found = await verdicts(terminal)
    assert found["Twitch bot"] == ("wrong", "no account is connected; run `chatbot connect twitch --bot`.")
    assert found["Twitch channels"][0] == "wrong"
    terminal.set(twitch_channels="streamer")
    assert "Twitch channels" not in await verdicts(terminal)


async def test_a_key_that_has_run_out_is_renewed_and_kept(terminal: Terminal, connected: KeyRing) -> None:
    terminal.twitch.expire()
    assert (await verdicts(terminal))["Twitch account rabblebot"][0] == "ok"
    assert connected.bot is not None
    assert terminal.twitch.whose(connected.bot.access) is not None


async def test_a_key_that_cannot_be_renewed_is_wrong_and_the_others_are_still_looked_at(
    terminal: Terminal, connected: KeyRing
) -> None:
    terminal.twitch.disconnect("2")
    found = await verdicts(terminal)
    assert found["Twitch account rabblebot"][0] == "ok"
    assert found["Twitch account streamer"][0] == "wrong"
    assert "run `chatbot connect twitch --broadcaster` again" in found["Twitch account streamer"][1]


async def test_a_chat_in_which_the_bot_may_not_speak_gets_a_look(
    terminal: Terminal, connected: KeyRing
) -> None:
    MutedChats(connected.path).note("2", "streamer", "the bot is banned in this chat")
    assert (await verdicts(terminal))["Twitch chat of streamer"] == (
        "look", "the bot could not speak there, and takes no stakes: the bot is banned in this chat.",
    )  # fmt: skip


async def test_a_chat_that_is_not_heard_gets_a_look(terminal: Terminal, connected: KeyRing) -> None:
    UnheardChats(connected.path).note("2", "streamer", "the bot is banned there")
    told = "look", "it is not heard: the bot is banned there."
    assert (await verdicts(terminal))["Twitch chat of streamer"] == told


@pytest.mark.parametrize("what", [PREDICTIONS, ANNOUNCEMENTS])
async def test_what_twitch_has_refused_in_a_chat_gets_a_look(
    terminal: Terminal, connected: KeyRing, what: str
) -> None:
    RefusedChats(connected.path, what).note("2", "streamer", "it must be an affiliate")
    assert (await verdicts(terminal))[f"Twitch {what}"] == (
        "look", "refused in the chat of streamer: it must be an affiliate.",
    )  # fmt: skip


async def test_a_feature_that_is_switched_on_without_its_right_gets_a_look(
    terminal: Terminal, connected: KeyRing
) -> None:
    (terminal.folder / "data").mkdir(exist_ok=True)
    store = await Store.open(f"sqlite:///{(terminal.folder / 'data/rabble.db').as_posix()}")
    for room in ("twitch:2", "discord:9"):
        await KnownRooms(store).note(KnownRoom(room, "town"), datetime.now(UTC))
        await Preferences(store).save(room, "heist", {"prediction": "yes"})
        await Preferences(store).save(room, "room", {"announcements": "blue"})
    await store.close()
    found = await verdicts(terminal)
    assert found["Twitch predictions"] == ("look", (
        "switched on in twitch:2, and the key of streamer does not allow channel:manage:predictions; "
        "run `chatbot connect twitch --broadcaster --predictions`."
    ))  # fmt: skip
    assert found["Twitch announcements"] == ("look", (
        "switched on in twitch:2, and the key of rabblebot does not allow moderator:manage:announcements; "
        "run `chatbot connect twitch --bot --announcements`."
    ))  # fmt: skip
    connected.put(key(terminal, "1", "bot", "announcements"))
    connected.put(key(terminal, "2", "broadcaster", "predictions"))
    assert not {"Twitch predictions", "Twitch announcements"} & (await verdicts(terminal)).keys()


async def test_of_a_room_on_two_platforms_its_own_settings_count(
    terminal: Terminal, connected: KeyRing
) -> None:
    (terminal.folder / "data").mkdir(exist_ok=True)
    store = await Store.open(f"sqlite:///{(terminal.folder / 'data/rabble.db').as_posix()}")
    for room in ("twitch:2", "discord:9"):
        await KnownRooms(store).note(KnownRoom(room, "town"), datetime.now(UTC))
    await Preferences(store).save("twitch:2", "room", {"announcements": "blue"})  # kept until they separate
    await Preferences(store).save("discord:9", "heist", {"prediction": "yes"})
    change_set = ChangeSet("change-set:1", "discord:9", "discord-1", datetime.now(UTC), "owner", "owner", ())
    bridge = Bridge("twitch:2", "discord:9", "discord-1", home="twitch:2", origin="twitch-2")
    assert await Unions(store).unite(change_set, bridge)
    await store.close()
    found = await verdicts(terminal)
    verdict, sentence = found["Twitch predictions"]
    assert verdict == "look"
    assert sentence.startswith("switched on in twitch:2, and the key of streamer does not allow")
    assert "Twitch announcements" not in found
    assert connected.broadcasters


async def test_more_channels_than_one_account_hears_need_a_conduit(
    terminal: Terminal, connected: KeyRing
) -> None:
    terminal.set(twitch_channels=",".join(f"channel{number}" for number in range(901)))
    verdict, sentence = (await verdicts(terminal))["Twitch channels"]
    assert verdict == "wrong"
    assert "901 channels are set up, and one account hears 900; set CHATBOT_TWITCH_CONDUIT" in sentence
    terminal.set(twitch_conduit="true")
    assert "Twitch channels" not in await verdicts(terminal)


async def test_a_scope_that_is_missing_is_named(terminal: Terminal, connected: KeyRing) -> None:
    granted = "user:bot", "user:manage:whispers", "user:read:chat", "user:write:chat"
    token = terminal.twitch.issue("1", granted)
    bot = connected.bot
    assert bot is not None
    connected.put(replace(bot, access=token.access, refresh=token.refresh))
    assert (await verdicts(terminal))["Twitch account rabblebot"] == (
        "wrong", "its key does not allow moderator:read:chatters; run `chatbot connect twitch --bot`.",
    )  # fmt: skip


async def test_a_damaged_file_of_keys_is_wrong(terminal: Terminal, connected: KeyRing) -> None:
    connected.path.write_text("canary", encoding="utf-8")
    assert "is damaged" in (await verdicts(terminal))["keys"][1]


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps that elsewhere")
async def test_a_file_of_keys_that_others_may_read_is_wrong(terminal: Terminal, connected: KeyRing) -> None:
    connected.path.chmod(0o640)
    verdict, sentence = (await verdicts(terminal))["keys"]
    assert verdict == "wrong"
    assert sentence.endswith(f"`chmod 600 {TOKENS}`.")


async def test_a_bot_that_may_not_read_messages_gets_a_look(terminal: Terminal, connected: KeyRing) -> None:
    terminal.discord.flags = 0
    verdict, sentence = (await verdicts(terminal))["Discord messages"]
    assert verdict == "look"
    assert "/heist works, !heist does not" in sentence


async def test_a_clock_that_is_off_is_told(terminal: Terminal, connected: KeyRing) -> None:
    terminal.monkeypatch.setattr("chatbot.cli.doctor.time", SimpleNamespace(time=lambda: time.time() + 90))
    verdict, sentence = (await verdicts(terminal))["clock"]
    assert verdict == "look"
    assert re.match(r"this machine's is 9[01] seconds ahead;", sentence)


async def test_a_port_that_is_taken_gets_a_look(terminal: Terminal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        terminal.set(port=str(taken.getsockname()[1]))
        assert (await verdicts(terminal))["page"][0] == "look"
    for name in ("no.such.host.invalid", "a" * 64):
        terminal.set(host=name)
        assert (await verdicts(terminal))["page"][0] == "look"
    terminal.set(host="127.0.0.1")
    assert (await verdicts(terminal))["page"][0] == "ok"


@pytest.mark.slow
async def test_a_disk_that_is_nearly_full_is_told(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left(megabytes: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=megabytes * 10**6))

    database = terminal.folder / "data" / "rabble.db"
    database.parent.mkdir(exist_ok=True)
    with database.open("wb") as file:
        file.truncate(500 * 10**6)  # no database, but as large as one
    left(521)  # a backup of 500 MB, and 20 MB for an evening
    assert (await verdicts(terminal))["disk"] == ("ok", "521 MB are left on the disk of data.")
    left(519)
    verdict, sentence = (await verdicts(terminal))["disk"]
    assert verdict == "look"
    assert "the next backup takes 500 MB" in sentence
    left(19)
    verdict, sentence = (await verdicts(terminal))["disk"]
    assert verdict == "wrong"
    assert "19 MB are left" in sentence


async def test_the_database_is_looked_at_and_not_touched(terminal: Terminal) -> None:
    assert "will be made at the first start" in (await verdicts(terminal))["database"][1]
    file = terminal.folder / "data" / "rabble.db"
    file.parent.mkdir()
    await (await Store.open(f"sqlite:///{file.as_posix()}")).close()
    before = file.read_bytes()
    assert (await verdicts(terminal))["database"][0] == "ok"
    assert file.read_bytes() == before
    file.write_bytes(b"no database at all, but a letter to a friend. " * 100)
    assert (await verdicts(terminal))["database"][0] == "wrong"
    terminal.set(database="mysql://root:canary-password@localhost/x")
    assert "of an unknown kind" in (await verdicts(terminal))["database"][1]


async def test_what_fails_while_it_is_read_becomes_a_sentence(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(_: Path, **__: bool) -> str | None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(doctor, "obstacle", unreadable)
    found = await verdicts(terminal)
    assert found["database"] == ("look", "it could not be checked: [Errno 5] Input/output error.")
    assert found["disk"][0] == "ok"


async def test_an_address_of_a_database_that_cannot_be_read_is_one_fault(terminal: Terminal) -> None:
    terminal.set(database="rabble.db")
    found = await verdicts(terminal)
    assert found["database"][1].startswith("The database's URL cannot be read")
    assert not {"disk", "home"} & found.keys()


@pytest.mark.postgres
async def test_a_server_that_does_not_answer_is_wrong(terminal: Terminal) -> None:
    terminal.set(database="postgresql://postgres@127.0.0.1:1/rabble")
    verdict, sentence = (await verdicts(terminal))["database"]
    assert verdict == "wrong"
    assert sentence.startswith(
        "The database postgresql://postgres@127.0.0.1:1/rabble cannot be opened (Connect call failed"
    )
    assert sentence.endswith(
        "the server must run, and have the user and a database that no other program uses."
    )


async def test_without_a_network_all_that_needs_it_gets_a_sentence(
    terminal: Terminal, connected: KeyRing
) -> None:
    terminal.reach("http://127.0.0.1:1/", "http://127.0.0.1:1/")
    found = await verdicts(terminal)
    assert found["Twitch"][0] == found["Discord"][0] == "look"
    assert "does not answer" in found["Twitch"][1]
    assert found["Twitch account streamer"][0] == "look"
    assert found["database"][0] == "ok"
    assert "clock" not in found


@pytest.mark.parametrize("path", ["token", "validate"])
@pytest.mark.parametrize("trouble", [t for t in Trouble if t is not Trouble.SILENT], ids=lambda t: t.name)
async def test_whatever_twitch_answers_becomes_a_sentence(
    terminal: Terminal, connected: KeyRing, trouble: Trouble, path: str
) -> None:
    terminal.twitch.disturb(trouble, times=6, path=path)
    found = await verdicts(terminal)
    subject = "Twitch" if path == "token" else "Twitch account rabblebot"
    assert found[subject][0] == ("ok" if trouble is Trouble.TYPE else "look")
    assert found["Discord"][0] == "ok"


@pytest.mark.slow
async def test_a_platform_that_is_silent_is_not_waited_for(terminal: Terminal, connected: KeyRing) -> None:
    terminal.monkeypatch.setattr("chatbot.cli.doctor.CHECK_TIMEOUT_SECONDS", 1.0)
    terminal.twitch.disturb(Trouble.SILENT, path="token")
    found = await verdicts(terminal)
    assert found["Twitch"] == ("look", "it could not be checked: it takes too long; look at the connection.")
    assert found["Discord"][0] == "ok"


async def test_a_channel_of_discord_where_the_bot_may_not_speak_gets_a_look(terminal: Terminal) -> None:
    terminal.set(discord_token=TOKEN, port="0")
    barred = BarredChats(terminal.folder / "data" / "discord-barred.json")
    barred.note("discord:7", "#town of guild", "it lacks the permission “Send Messages”")
    assert (await verdicts(terminal))["Discord channel #town of guild"] == (
        "look",
        "the bot may not speak there, and takes no stakes: it lacks the permission “Send Messages”.",
    )


async def test_a_channel_of_discord_that_wants_threads_and_lets_the_bot_begin_none_gets_a_look(
    terminal: Terminal,
) -> None:
    terminal.set(discord_token=TOKEN, port="0")
    known = BarredChats(terminal.folder / "data" / "discord-threadless.json")
    known.note("discord:7", "#town of Town", "the bot lacks “Create Public Threads”")
    assert (await verdicts(terminal))["Discord threads in #town of Town"] == (
        "look",
        "`!set room threads yes` has no effect there: the bot lacks “Create Public Threads”.",
    )
