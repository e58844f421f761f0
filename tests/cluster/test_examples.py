"""The files that run several processes set what there is to set, and what several processes need."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from chatbot.environment import PREFIX, Settings

FOLDER = Path(__file__).parents[2] / "packages" / "cluster"
NAMES = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}


def compose() -> Any:
    return pytest.importorskip("yaml").safe_load((FOLDER / "compose.yaml").read_text())


@pytest.mark.parametrize("name", ["compose.yaml", "rabble@.service"])
def test_every_setting_of_an_example_is_one(name: str) -> None:
    named = set(re.findall(rf"\b{PREFIX}[A-Z_]+", (FOLDER / name).read_text()))
    assert named - NAMES == set()
    assert {"CHATBOT_DATABASE", "CHATBOT_NATS_URL", "CHATBOT_METRICS_PORT"} <= named


def test_three_processes_share_a_database_and_nats_and_one_serves_the_page() -> None:
    services = compose()["services"]
    processes = [each for name, each in services.items() if name.startswith("rabble-")]
    environments = [each["environment"] for each in processes]
    assert len(processes) == 3
    assert {each["CHATBOT_DATABASE"].rpartition("@")[2] for each in environments} == {"database/rabble"}
    (nats_url,) = {each["CHATBOT_NATS_URL"] for each in environments}
    user, _, password = nats_url.removeprefix("nats://").removesuffix("@nats:4222").partition(":")
    assert services["nats"]["command"][-4:] == ["--user", user, "--pass", password]
    pages = [each.get("CHATBOT_PAGE", "yes") for each in environments]
    assert sorted(pages) == ["no", "no", "yes"]
    assert [bool(each.get("ports")) for each in processes] == [each == "yes" for each in pages]
    assert {"nats", "database"} <= services.keys()
    assert "--jetstream" in services["nats"]["command"]
    volumes = compose()["volumes"]
    for each in services.values():
        assert all(str(volume).partition(":")[0] in volumes for volume in each["volumes"])


def test_the_template_of_systemd_gives_each_process_a_port_of_its_own() -> None:
    text = (FOLDER / "rabble@.service").read_text()
    assert "Environment=CHATBOT_METRICS_PORT=910%i" in text
    assert "Restart=always" in text
    own = (FOLDER.parent / "debian" / "rabble.service").read_text()
    confined = {
        line for line in own.splitlines() if line.startswith(("Protect", "Restrict", "Private", "NoNew"))
    }
    assert confined <= {*text.splitlines()}
