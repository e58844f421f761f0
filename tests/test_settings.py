"""A wrong setting stops the start with one sentence: its name, its value, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.settings import LogLevel, SettingsError, load

if TYPE_CHECKING:
    from pathlib import Path


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
        ("CHATBOT_LANGUAGE", "xx", "CHATBOT_LANGUAGE is 'xx'; it takes the language of the words: en or ko."),
        ("CHATBOT_LOG_LEVEL", "loud", "CHATBOT_LOG_LEVEL is 'loud'; it takes debug, info, warning or error."),
        ("CHATBOT_HOST", "", "CHATBOT_HOST is ''; it takes the address"),
        ("CHATBOT_PROT", "1", "CHATBOT_PROT is no setting; did you mean CHATBOT_PORT?"),
        ("CHATBOT_XYZZY", "1", "CHATBOT_XYZZY is no setting; there are: CHATBOT_DATABASE"),
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


def test_levels_are_read_whatever_their_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATBOT_LOG_LEVEL", "DEBUG")
    assert load().log_level is LogLevel.DEBUG
