"""What programs are told of the interface is what it does."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from chatbot.web.api.endpoints import PREFIX
from chatbot.web.tokens import SCOPES

if TYPE_CHECKING:
    from tests.web.desk.site import Program, Site


@pytest.fixture
async def document(site: Site) -> Any:
    status, document = await site.elsewhere().get(f"{PREFIX}/openapi.json")  # without a token
    assert status == 200
    return document


async def test_it_is_a_document_of_openapi_3_1(document: Any) -> None:
    assert document["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


async def test_every_address_that_is_served_is_described_and_no_other(site: Site, document: Any) -> None:
    application = web.Application()
    for each in site.server.pages:
        each.add_to(application.router)
    served = {
        (route.method.lower(), route.resource.canonical)
        for route in application.router.routes()
        if route.resource is not None and route.resource.canonical.startswith(f"{PREFIX}/")
        if route.method != "HEAD"  # which goes with each GET
    }
    described = {(method, path) for path, operations in document["paths"].items() for method in operations}
    assert described == served


async def test_operations_have_names_of_their_own_and_scopes_that_exist(document: Any) -> None:
    operations = [each for path in document["paths"].values() for each in path.values()]
    names = [each["operationId"] for each in operations]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"\w+", each) for each in names)
    scopes = {scope for each in operations for rule in each["security"] for scope in rule.get("token", [])}
    assert scopes <= {*SCOPES}


async def test_what_is_answered_is_what_is_described(site: Site, document: Any) -> None:
    """Every read that needs no name of anything answers by its schema, with something in it."""
    for each in ("bob", "carol"):
        await site.both.chat(each, "!credits")
    program = await site.program(await site.operator(), site.twitch_room)
    assert (await program.use("grant", "bob 50 for a race"))[1]["done"]
    await site.both.chat("bob", "!heist 50")
    answered = 0
    for path, operations in document["paths"].items():
        operation = operations.get("get", {"security": [], "responses": {}})
        if "101" in operation["responses"]:  # a WebSocket, which has tests of its own
            continue
        if path.count("{") == 1 and {"token"} <= {name for rule in operation["security"] for name in rule}:
            status, answer = await program.get(path.removeprefix(f"{PREFIX}/rooms/{{room}}"))
            assert status == 200, path
            assert_valid(answer, operation, document)
            answered += 1
    assert answered > 8
    assert_valid(await me(program), document["paths"][f"{PREFIX}/me"]["get"], document)


async def test_a_refusal_is_what_is_described(site: Site, document: Any) -> None:
    program = await site.program(await site.operator(), site.twitch_room)
    operation = document["paths"][f"{PREFIX}/rooms/{{room}}/commands/{{word}}"]["post"]
    for word, body, wanted in (("nonsense", {"arguments": ""}, "422"), ("grant", {"no": 1}, "400")):
        status, answer = await program.post(f"/commands/{word}", body)
        assert (str(status), "error" in answer) == (wanted, True)
        assert wanted in operation["responses"]
        schema = document["components"]["responses"][wanted]["content"]["application/json"]["schema"]
        Draft202012Validator({**schema, "components": document["components"]}).validate(answer)


def assert_valid(answer: Any, operation: Any, document: Any) -> None:
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": document["components"]}).validate(answer)
    may_be_empty = any(each in operation["operationId"] for each in ("season", "webhook", "waiting"))
    assert json.dumps(answer) not in {"[]", "{}", "null"} or may_be_empty, operation["operationId"]


async def me(program: Program) -> Any:
    status, answer = await program.ask("GET", f"{PREFIX}/me")
    assert status == 200
    return answer
