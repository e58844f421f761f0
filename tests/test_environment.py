"""A wrong setting stops the start with one sentence: its name, its value, and what would be right."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from chatbot.bot.deduplication import RETENTION
from chatbot.environment import ENDPOINTS, MIN_ARCHIVE_DAYS, PREFIX, LogLevel, Settings, SettingsError, load
from cogs.discord import endpoints as discord
from cogs.twitch import endpoints as twitch


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_needs_to_be_set() -> None:
    settings = load()
    assert settings.database == "sqlite:///data/rabble.db"
    assert settings.host == "127.0.0.1"
    assert settings.language == "en"


def test_the_environment_wins_over_the_file(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (elsewhere / ".env").write_text("CHATBOT_PORT=9000\nCHATBOT_LANGUAGE=ko\n", encoding="utf-8")
    monkeypatch.setenv("CHATBOT_PORT", "9001")
    settings = load()
    assert (settings.port, settings.language) == (9001, "ko")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("CHATBOT_PORT", "abc", "CHATBOT_PORT is 'abc'; it takes a port from 0 to 65535"),
        ("CHATBOT_PORT", "65536", "CHATBOT_PORT is '65536'"),
        (
            "CHATBOT_LANGUAGE",
            "xx",
            "CHATBOT_LANGUAGE is 'xx'; it takes the language of the words: one of en, ko.",
        ),
        ("CHATBOT_LOG_LEVEL", "loud", "CHATBOT_LOG_LEVEL is 'loud'; it takes debug, info, warning or error."),
        (
            "CHATBOT_ARCHIVE_DAYS",
            "29",
            "CHATBOT_ARCHIVE_DAYS is '29'; it takes days after which finished tables",
        ),
        (
            "CHATBOT_ARCHIVE_DAYS",
            "-1",
            "CHATBOT_ARCHIVE_DAYS is '-1'; it takes days after which finished tables",
        ),
        ("CHATBOT_BACKUP_MB", "0", "CHATBOT_BACKUP_MB is '0'; it takes megabytes that all backups may take"),
        ("CHATBOT_HOST", "", "CHATBOT_HOST is ''; it takes the address"),
        (
            "CHATBOT_TWITCH_CHANNELS",
            "ann bob",
            "CHATBOT_TWITCH_CHANNELS is 'ann bob'; it takes names of channels with commas between",
        ),
        ("CHATBOT_TWITCH_CONDUIT", "maybe", "CHATBOT_TWITCH_CONDUIT is 'maybe'; it takes yes or no"),
        ("CHATBOT_TWITCH_CLIENT_ID", "a b", "CHATBOT_TWITCH_CLIENT_ID is 'a b'; it takes the id of"),
        ("CHATBOT_PROT", "1", "CHATBOT_PROT is no setting; did you mean CHATBOT_PORT?"),
        ("CHATBOT_XYZZY", "1", "CHATBOT_XYZZY is no setting; there are: CHATBOT_HOME"),
    ],
)
def test_a_wrong_value_or_name_is_answered(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as wrong:
        load()
    assert str(wrong.value).startswith(said)


def test_a_wrong_name_in_the_file_is_answered_too(elsewhere: Path) -> None:
    (elsewhere / ".env").write_text("CHATBOT_LANGAUGE=ko\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="did you mean CHATBOT_LANGUAGE"):
        load()


@pytest.mark.parametrize(
    "line", ["hello there", "CHATBOT_PORT 9000", "CHATBOT_PORT", 'CHATBOT_TWITCH_CLIENT_SECRET="unclosed']
)
def test_a_line_of_the_file_that_is_no_setting_is_answered_without_it(elsewhere: Path, line: str) -> None:
    (elsewhere / ".env").write_text(f"# mine\n\nCHATBOT_LANGUAGE=ko\n\n{line}\n", encoding="utf-8")
    with pytest.raises(
        SettingsError, match=r"^Line 5 of the file \.env cannot be read; write NAME=value"
    ) as refused:
        load()
    assert line not in str(refused.value)


def test_the_mark_that_windows_writes_before_the_file_hides_no_setting(elsewhere: Path) -> None:
    (elsewhere / ".env").write_text("CHATBOT_PORT=9000\n", encoding="utf-8-sig")
    assert load().port == 9000


@pytest.mark.parametrize("days", [0, 30, 365])
def test_no_table_is_archived_before_ids_of_messages_may_be_forgotten(
    monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    monkeypatch.setenv("CHATBOT_ARCHIVE_DAYS", str(days))
    assert load().archive_days == days
    assert timedelta(days=MIN_ARCHIVE_DAYS) >= RETENTION


def test_levels_are_read_whatever_their_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATBOT_LOG_LEVEL", "DEBUG")
    assert load().log_level is LogLevel.DEBUG


@pytest.mark.parametrize("name", ["CHATBOT_DISCORD_TOKEN", "CHATBOT_TWITCH_CLIENT_SECRET"])
@pytest.mark.parametrize("value", ["canary in two", "canary\u00e9", "canary\nX-Header: 1", "canary\t1"])
def test_a_wrong_secret_is_answered_without_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as wrong:
        load()
    assert str(wrong.value).startswith(f"{name} is not as it must be; it takes ")
    assert "canary" not in repr(wrong.value)
    assert wrong.value.__suppress_context__


@pytest.mark.parametrize(
    "url",
    [
        "nats://rabble:can#ary@host:4222",
        "nats://rabble:can?ary@host",
        "nats://rabble:canary",
        "nats://canary-1:4222,canary-2:4222",
        "nats://rabble:canary@",
        "nats://rabble:canary@host:0",
        "http://canary",
    ],
)
def test_an_address_of_nats_that_cannot_be_understood_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("CHATBOT_NATS_URL", url)
    with pytest.raises(SettingsError, match=r"^CHATBOT_NATS_URL is not as it must be") as wrong:
        load()
    assert not {"canary", "ary"} & {*re.findall(r"[a-z]+", repr(wrong.value))}


@pytest.mark.parametrize(
    "url", ["nats://host", "tls://rabble:secret@host:4222/", "nats://token@[2001:db8::1]:4222"]
)
def test_an_address_of_nats_has_a_user_or_a_token_or_encryption(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("CHATBOT_NATS_URL", url)
    settings = load()
    assert settings.secrets == (url,)
    assert url not in repr(settings)


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATBOT_DISCORD_TOKEN", "canary-token")
    monkeypatch.setenv("CHATBOT_TWITCH_CLIENT_SECRET", "canary-secret")
    settings = load()
    assert settings.secrets == ("canary-token", "canary-secret")
    assert "canary" not in f"{settings!r} {settings}"
    monkeypatch.setenv("CHATBOT_PORT", "abc")  # nor are right ones when another one is wrong
    with pytest.raises(SettingsError) as wrong:
        load()
    assert "canary" not in str(wrong.value)


def test_blanks_around_a_value_do_not_count(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (elsewhere / ".env").write_text("CHATBOT_DISCORD_TOKEN='  token-of-a-bot '\n", encoding="utf-8")
    monkeypatch.setenv("CHATBOT_LOG_LEVEL", " info ")
    settings = load()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "token-of-a-bot"
    assert settings.log_level is LogLevel.INFO


@pytest.mark.parametrize("nothing", ["", "  "])
def test_nothing_counts_as_not_set(monkeypatch: pytest.MonkeyPatch, nothing: str) -> None:
    for name in ("DISCORD_TOKEN", "TWITCH_CLIENT_ID", "TWITCH_CLIENT_SECRET", "TWITCH_CHANNELS",
                 "TWITCH_TOKENS", "TWITCH_CONDUIT", "FAIRNESS_KEY", "FAIRNESS_KEY_FILE"):  # fmt: skip
        monkeypatch.setenv(f"CHATBOT_{name}", nothing)
    settings = load()
    assert (settings.discord_token, settings.twitch_client_id, settings.twitch_client_secret) == (None,) * 3
    assert (settings.channels, settings.twitch_conduit) == ((), False)
    assert settings.twitch_tokens == Path("data/twitch-tokens.json")
    assert (settings.given_key, settings.fairness_key_file) == (None, Path("data/fairness.key"))
    assert settings.secrets == ()


@pytest.mark.parametrize(("value", "names"), [("Ann, #bob,,ann ", ("ann", "bob")), ("x", ("x",)), (",", ())])
def test_channels_are_read_as_twitch_writes_logins(
    monkeypatch: pytest.MonkeyPatch, value: str, names: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CHATBOT_TWITCH_CHANNELS", value)
    assert load().channels == names


@pytest.mark.parametrize(("value", "read"), [("yes", True), ("TRUE", True), ("1", True), ("no", False)])
def test_a_conduit_is_yes_or_no(monkeypatch: pytest.MonkeyPatch, value: str, read: bool) -> None:
    monkeypatch.setenv("CHATBOT_TWITCH_CONDUIT", value)
    assert load().twitch_conduit is read


HTTP = [name for name, socket in ENDPOINTS.items() if not socket]
SOCKETS = [name for name, socket in ENDPOINTS.items() if socket]


def test_endpoints_are_the_platforms_own_unless_set() -> None:
    given = load()
    assert discord.DiscordEndpoints(given.discord_api_url, given.discord_gateway_url) == discord.OWN
    wanted = twitch.TwitchEndpoints(given.twitch_api_url, given.twitch_id_url, given.twitch_eventsub_url)
    assert wanted == twitch.OWN
    assert given.custom_endpoints == ()
    urls = {each for each in Settings.model_fields if each.endswith("_url")}
    assert set(ENDPOINTS) == urls - {"public_url", "nats_url"}


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("s://proxy.example/api/v10/", "s://proxy.example/api/v10"),
        ("s://proxy.example:8443", "s://proxy.example:8443"),
        ("s://[2001:db8::1]/x", "s://[2001:db8::1]/x"),
        ("://localhost:8080/mock", "://localhost:8080/mock"),
        ("://127.0.0.9:1/", "://127.0.0.9:1"),
        ("://[::1]:8080/mock", "://[::1]:8080/mock"),
    ],
)
@pytest.mark.parametrize(
    ("name", "scheme"), [*((each, "http") for each in HTTP), *((each, "ws") for each in SOCKETS)]
)
def test_an_endpoint_is_encrypted_or_on_this_machine(
    monkeypatch: pytest.MonkeyPatch, name: str, scheme: str, url: str, kept: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}{name.upper()}", scheme + url)
    settings = load()
    assert getattr(settings, name) == scheme + kept
    usual = Settings.model_fields[name].default
    assert settings.custom_endpoints == ((f"{PREFIX}{name.upper()}", scheme + kept, usual),)


@pytest.mark.parametrize(
    "url",
    [
        "http://proxy.example/api",
        "ws://proxy.example/api",
        "http://127.0.0.1.example/api",
        "http://localhost.example",
        "http://2130706433",
        "http://0.0.0.0:8080",
        "http://10.0.0.1",
        "http://[::2]",
        "http://[::1",
        "https://",
        "https:///api",
        "https://ann:canary@proxy.example",
        "http://localhost@proxy.example",
        "http://localhost\\@proxy.example",
        "https://proxy.example?a=b",
        "https://proxy.example/#a",
        "https://proxy.example:99999",
        "https://proxy.example:0",
        "https://pröxy.example",
        "https://proxy.example/a b",
        "ftp://localhost",
        "proxy.example",
        "localhost:8080",
    ],
)
@pytest.mark.parametrize("name", list(ENDPOINTS))
def test_any_other_endpoint_is_answered_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, url: str
) -> None:
    if name in SOCKETS:
        url = url.replace("http", "ws", 1)
    monkeypatch.setenv(f"{PREFIX}{name.upper()}", url)
    with pytest.raises(SettingsError) as wrong:
        load()
    said = str(wrong.value)
    assert said.startswith(f"{PREFIX}{name.upper()} is {url!r}; it takes where ")
    secure, plain = ("wss", "ws") if name in SOCKETS else ("https", "http")
    assert said.endswith(f", as {secure}://host/path, or {plain}:// on this machine.")


@pytest.mark.parametrize("name", list(ENDPOINTS))
def test_a_web_socket_is_no_page(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(f"{PREFIX}{name.upper()}", f"{'https' if name in SOCKETS else 'wss'}://proxy.example")
    with pytest.raises(SettingsError):
        load()
