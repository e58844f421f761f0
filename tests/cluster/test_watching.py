"""Who watches the program finds figures, its health, and who runs what; files with figures name real ones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.bot.bot import Bot
from chatbot.cli.status import as_json, in_words, read_status
from chatbot.games import kits
from chatbot.ledger.store.duties import Condition
from chatbot.ledger.store.store import Store
from chatbot.metrics import CLUSTER, make_figures, troubles, watched
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.room import Room
from chatbot.runtime.clock import LoopWatch
from chatbot.sharing import Shared
from chatbot.tables.fairness import Sources
from tests.bot.stage import Notebook, english
from tests.cluster.processes import Process, home_of, processes
from tests.ledger.conftest import postgresql
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence


WATCHING = Path(__file__).parents[2] / "packages" / "watching"
MOST_SERIES = 200


class Calm:
    """A process of a cluster with trouble, if a test says so."""

    trouble: tuple[str, ...] = ()

    def figures(self) -> Mapping[str, float]:
        return dict.fromkeys(CLUSTER, 1.0)

    def troubles(self) -> Sequence[str]:
        return self.trouble


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await store_at(tmp_path / "rabble.db")
    yield store
    await store.close()


@pytest.fixture
def bot(store: Store) -> Bot:
    return Bot(kits(), store, english(), LoopWatch(), Sources(bytes(32)))


async def read(port: int, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


@pytest.mark.parametrize("name", ["rabble.rules.yml", "rabble-dashboard.json"])
async def test_alerts_and_the_dashboard_use_figures_that_there_are(bot: Bot, store: Store, name: str) -> None:
    named = set(re.findall(r"\brabble_[a-z_]+", (WATCHING / name).read_text()))
    figures = {*make_figures(bot, store, Calm()), "rabble_answer_seconds_bucket"}
    assert named - figures == set()
    assert len(named) > 5


async def test_figures_are_served_and_are_few_however_many_rooms_there_are(bot: Bot, store: Store) -> None:
    pytest.importorskip("prometheus_client")
    for number in range(60):
        name = f"room-{number}"
        await bot.open(Room(name, name, (Channel(name, "chat", Notebook(), Manner()),)))
    async with watched("127.0.0.1", 0, bot, store, Calm()) as port:
        status, text = await read(port, "/metrics")
    series = [line for line in text.splitlines() if not line.startswith("#")]
    assert status == 200
    assert "rabble_rooms 60.0" in series
    assert "rabble_cluster_processes 1.0" in series
    assert len(series) <= MOST_SERIES


async def test_a_process_that_cannot_do_its_part_is_healthy_and_not_ready(bot: Bot, store: Store) -> None:
    pytest.importorskip("prometheus_client")
    calm = Calm()
    async with watched("127.0.0.1", 0, bot, store, calm) as port:
        assert await read(port, "/readyz") == (200, json.dumps({"ok": True, "why": []}))
        calm.trouble = ("NATS is not connected",)
        status, text = await read(port, "/readyz")
        assert (status, json.loads(text)["why"]) == (503, ["NATS is not connected"])
        assert (await read(port, "/healthz"))[0] == 200


@pytest.mark.postgres
async def test_the_status_names_processes_and_what_nobody_does(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        await second.open(home_of(first))
        await first.open(home_of(first))
        status = await read_status(own_url)
        assert [each.homes for each in status.processes if each.homes] == [1]
        assert sum(each.partitions for each in status.processes) == 64
        assert status.is_sound
        assert json.loads(as_json(status))["free"] == []
        assert all("sign of life" in line for line in in_words(status))
        figures: Process = first
        assert figures.cluster.figures()["rabble_cluster_processes"] == 2
    status = await read_status(own_url)
    assert status.processes == ()
    assert len(status.free) == 65
    assert not status.is_sound


@pytest.mark.postgres
async def test_the_status_tells_what_a_process_says_of_itself(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        first.cluster.duties.condition = lambda: Condition(("NATS is not connected",), 7)
        await first.cluster.duties.look()
        await second.cluster.duties.look()
        status = await read_status(own_url)
        said = sorted((each.troubles, each.waiting) for each in status.processes)
        assert said == [((), 0), (("NATS is not connected",), 7)]
        assert not status.is_sound
        lines = "\n".join(in_words(status))
        assert f"{first.store.leases.label} cannot do its part: NATS is not connected." in lines
        assert "lines that wait: 7" in lines
        first.cluster.duties.condition = Condition
        await first.cluster.duties.look()
        assert (await read_status(own_url)).is_sound


@pytest.mark.postgres
async def test_a_process_says_of_itself_what_its_readiness_says() -> None:
    pytest.importorskip("nats")
    async with postgresql() as url:
        store = await Store.open(url)
        bot = Bot(kits(), store, english(), LoopWatch(), Sources(bytes(32)))
        shared = await Shared.make("nats://127.0.0.1:1", store, bot, LoopWatch())
        condition = shared.cluster.duties.condition()
        assert condition.troubles == tuple(troubles(bot, store, shared.cluster))
        assert "NATS is not connected" in condition.troubles
        assert Condition.of(condition.text()) == condition
        await store.close()


async def test_of_a_file_the_status_names_who_has_its_lock(tmp_path: Path) -> None:
    url = f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}"
    store = await Store.open(url, alone=True)
    await store.leases.take("a-room")
    status = await read_status(url)
    assert [each.homes for each in status.processes] == [1]
    assert status.is_sound
    await store.close()
    status = await read_status(url)
    assert list(in_words(status)) == ["No process runs the bot on this database."]
    assert not status.is_sound
    store = await Store.open(url, alone=True)  # looking has left it to whoever comes next
    await store.close()
