"""What was entered in Set up is for its owner alone, and never overrules what the operator has written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from pydantic import SecretStr

from chatbot import environment
from chatbot.kernel.game import Failure
from chatbot.keys.entered_settings import EnteredSettings
from chatbot.ledger.store import file_modes

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION = {"twitch_client_id": "an-id", "twitch_client_secret": "a-secret"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in [each for each in os.environ if each.startswith("CHATBOT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CHATBOT_FAIRNESS_KEY_FILE", str(tmp_path / "keys" / "fairness.key"))
    return tmp_path


@pytest.fixture
def entered(folder: Path) -> EnteredSettings:
    return EnteredSettings(folder / "keys" / "entered.json")


def test_what_is_entered_is_a_setting_from_then_on(entered: EnteredSettings) -> None:
    assert environment.load().twitch_application is None
    entered.put({"discord_token": "a-token", **APPLICATION})
    settings = environment.load()
    assert settings.discord_token == SecretStr("a-token")
    assert settings.twitch_application == ("an-id", "a-secret")
    assert {"a-token", "a-secret"} <= {*settings.secrets}
    assert not file_modes.exposed(entered.path)


def test_what_the_environment_says_counts_more(
    entered: EnteredSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered.put({"discord_token": "entered", **APPLICATION})
    monkeypatch.setenv("CHATBOT_DISCORD_TOKEN", "written")
    monkeypatch.setenv("CHATBOT_TWITCH_CLIENT_ID", "public-id")
    settings = environment.load()
    assert settings.discord_token == SecretStr("written")
    assert settings.twitch_application == ("public-id", None), "the secret belongs to the other id"


def test_an_entry_is_replaced_and_removed_by_itself(entered: EnteredSettings) -> None:
    entered.put({"discord_token": "one", **APPLICATION})
    entered.put({"discord_token": "two", "twitch_client_secret": None})
    assert entered.load() == {"discord_token": "two", "twitch_client_id": "an-id"}


@pytest.mark.parametrize("content", ["", "[]", "{", '{"host": "0.0.0.0"}', '{"discord_token": 1}'])
def test_a_damaged_file_is_told_in_a_sentence_and_kept(entered: EnteredSettings, content: str) -> None:
    entered.path.parent.mkdir()
    entered.path.write_text(content)
    with pytest.raises(Failure, match="is damaged; remove it, and connect the platforms again"):
        environment.load()
    with pytest.raises(Failure):
        entered.put({"discord_token": "x"})
    assert entered.path.read_text() == content
