"""Requests that are drawn from the OpenAPI document: valid ones, and others that only look so."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from chatbot.web.api.endpoints import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.web.desk.site import Program, Site

PEOPLE = ("bob", "carol", "dora")
PAUSE_AFTER = 15  # requests, after which the flood limit needs a while


@dataclass(frozen=True)
class DrawnRequest:
    """A request as it was drawn."""

    method: str
    address: str  # with the names of its parts in braces
    parts: dict[str, Any]
    query: dict[str, Any]
    headers: dict[str, str]
    body: Any


@dataclass
class Findings:
    """What became of the requests: how often each status came, and which of them were faults."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def drawn(document: Any, count: int, number: int) -> list[DrawnRequest]:
    """Draw requests, of each operation as many, in an order that their number decides."""
    schema = schemathesis.openapi.from_dict(document)
    every: Iterable[Any] = (each.ok() for each in schema.get_all_operations())  # type: ignore[union-attr]
    operations = [each for each in every if not each.path.endswith(("/events", "/openapi.json"))]
    requests: list[DrawnRequest] = []
    for operation in operations:
        modes = [operation.as_strategy(generation_mode=each) for each in GenerationMode]
        requests += _drawn(st.one_of(modes), -(-count // len(operations)), number)
    random.Random(number).shuffle(requests)
    return requests[:count]


def _drawn(strategy: st.SearchStrategy[Any], count: int, number: int) -> list[DrawnRequest]:
    requests: list[DrawnRequest] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(case: Any) -> None:
        headers = {str(name): str(each) for name, each in (case.headers or {}).items()}
        body = case.body if isinstance(case.body, (dict, list, str, int, float, bool, type(None))) else None
        parts, query = dict(case.path_parameters or {}), dict(case.query or {})
        requests.append(DrawnRequest(case.method, case.path, parts, query, headers, body))

    draw()
    return requests


async def send(site: Site, requests: Sequence[DrawnRequest], number: int) -> Findings:
    """Send requests by programs with all scopes, and say what came of them."""
    rng, findings = random.Random(number), Findings()
    owner = await site.operator()
    programs = [await site.program(owner, site.twitch_room) for _ in range(3)]
    words = [each["word"] for each in (await programs[0].get("/commands"))[1]]
    for place, each in enumerate(requests):
        if place % PAUSE_AFTER == 0:
            await site.both.discord.turn(10)
        if place % 400 == 0:
            await site.both.chat(rng.choice(PEOPLE), "!heist 5")
        status, answer = await _ask(rng.choice(programs), each, rng, words)
        findings.statuses[status] += 1
        if status >= 500 and status != 503:
            findings.faults.append(f"{status} {each} {answer}")
    return findings


async def _ask(program: Program, drawn: DrawnRequest, rng: random.Random, words: Sequence[str]) -> Any:
    """Send one request; of each second one the room, the command and the member are such as there are."""
    known = {"word": rng.choice(words), "group": "heist", "seat": "twitch:7", "preset": "small"}
    parts = {
        name: each if rng.random() < 0.5 else known.get(name, each) for name, each in drawn.parts.items()
    }
    parts["room"] = program.room if rng.random() < 0.9 else parts.get("room", "")
    path = drawn.address
    for name, each in parts.items():
        path = path.replace(f"{{{name}}}", _quoted(str(each)))
    body = drawn.body
    if isinstance(body, dict) and "arguments" in body and rng.random() < 0.5:
        body = {"arguments": rng.choice(ARGUMENTS)}
    key = drawn.headers.get("Idempotency-Key", "") if rng.random() < 0.3 else f"fuzz-{rng.random()}"
    if not key.isascii() or not key.isprintable():
        key = "x y"  # which no client can send as a header otherwise
    assert path.startswith(PREFIX)
    return await program.ask(drawn.method.upper(), path, body, key=key, query=drawn.query)


ARGUMENTS = (
    "@bob 5", "@bob 5 why not", "@bob 999999999999999", "heist lobby 45", "heist min_stake 1e9", "5", "all",
    "-1", "\u0663", "heist", "heist small", "yes", "off", "x" * 400, "set @carol 100", "end", "@nobody 5",
    "\u202e5", "1 2 3",
)  # fmt: skip


def _quoted(text: str) -> str:
    return quote(text, safe="") or "-"
