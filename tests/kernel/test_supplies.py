"""The data that ships is found wherever the program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel import supplies

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_an_installed_package_has_its_data_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chatbot" / "_data" / "policies").mkdir(parents=True)
    monkeypatch.setattr(supplies, "_PACKAGE", tmp_path / "chatbot")
    assert supplies.folder("policies") == tmp_path / "chatbot" / "_data" / "policies"


def test_a_clone_has_its_data_beside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supplies, "_PACKAGE", tmp_path / "chatbot")
    assert supplies.folder("policies") == tmp_path / "data" / "policies"
