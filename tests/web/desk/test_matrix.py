"""What somebody may at the desk and by programs is what they may in the chat, for every role and action.

`tests/adapters/test_matrix.py` asks the chats and slash commands; both compare with the reference.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Role, Seat
from chatbot.ledger.people import Account
from chatbot.ledger.web_sessions import DESK, Login
from chatbot.web.api.endpoints import PREFIX
from chatbot.web.tokens import SCOPES
from tests.adapters.minutes import Minutes
from tests.adapters.test_matrix import CHANGED, MATRIX, expected, portions, prepare
from tests.documentation import page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.web.desk.site import Browser, Site

_CELLS = r"(?P<marks>(?: (?:yes|–) \|){6}) [^|]+ \| [^|]+ \| [^|]+ \| (?P<scope>[^|]+) \|$"
COMMAND = re.compile(r"^\| `!(?P<word>\w+)` \|" + _CELLS, re.MULTILINE)
ADDRESS = re.compile(r"^\| `(?P<method>[A-Z]+) (?P<path>/[^`]*)` \|" + _CELLS, re.MULTILINE)
RIGHTS = page("reference/rights")
SCOPE = {each["word"]: each["scope"].strip("` ") for each in COMMAND.finditer(RIGHTS)}


def least(marks: str) -> Role:
    cells = re.findall(r"yes|–", marks)
    return list(Role)[cells.index("yes")]


async def logged_in(site: Site, role: Role) -> Browser:
    """A browser at the desk of somebody who has this role in ada's channel."""
    account = Account("twitch", f"70{list(Role).index(role)}")
    community = site.platforms.community(site.twitch_room)
    assert community is not None
    shown = Role.VIEWER if role is Role.REGULAR else role
    await site.server.roles.note(account, community, shown)
    browser = site.elsewhere()
    login = Login(DESK, account, f"fan {role.value}")
    assert (await browser.enter(await site.server.sessions.invite(login)))[0] == 200
    return browser


@pytest.fixture
async def browsers(site: Site) -> Mapping[Role, Browser]:
    await site.both.chat("bob", "!credits")
    browsers = {role: await logged_in(site, role) for role in Role}
    await prepare(site.bot, site.bot.rooms[site.twitch_room], seat_of(Role.REGULAR))
    return browsers


def test_no_action_is_unlisted_and_each_is_listed_as_in_the_list_of_commands() -> None:
    listed = {each["word"]: least(each["marks"]) for each in COMMAND.finditer(RIGHTS)}
    words = {word for word in MATRIX if word in listed}
    assert listed == {word: MATRIX[word] for word in words}
    assert set(listed) >= {word for word, role in MATRIX.items() if role is not Role.VIEWER}
    assert len(listed) > 60


async def test_commands_at_the_desk(
    site: Site, browsers: Mapping[Role, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = Minutes(site.bot, monkeypatch)
    for words in portions():
        for browser in browsers.values():
            for word in words:
                assert (await browser.use(site.twitch_room, word))[0] == 200, word
        await site.both.discord.turn(60)
    for role in Role:
        assert minutes.allowed(seat_of(role)) == expected(role), role


async def test_commands_by_programs_with_every_scope_and_with_each_alone(
    site: Site, browsers: Mapping[Role, Browser]
) -> None:
    """A program may what its maker may and its scope names: no more with all, and nothing else with one."""
    everybody = (Role.VIEWER, Role.VIP, Role.MODERATOR, Role.BROADCASTER)
    cases = [(role, {*SCOPES}) for role in everybody] + [(Role.BROADCASTER, {each}) for each in SCOPES]
    for role, scopes in cases:
        program = await site.program(browsers[role], site.twitch_room, *scopes)
        for words in portions():
            for word in words:
                status, answer = await program.use(word)
                assert status == 200, (word, answer)
                ids = {each["id"] for each in answer["answers"]}
                assert refusals(ids) == refused(word, role, scopes), (role, scopes, word, ids)
            await site.both.discord.turn(10)  # for the flood limit; roles are not asked for again meanwhile


def refused(word: str, role: Role, scopes: set[str]) -> set[str]:
    """Return the ids of messages by which a command without arguments is refused to a program."""
    if word not in expected(role):
        return {"not-allowed"}
    scope = SCOPE.get(word, "play")
    if scope == "–":
        return {"token-person"}
    return set() if scope in scopes else {"token-lacks"}


def refusals(ids: set[str]) -> set[str]:
    return ids & {"not-allowed", "token-person", "token-lacks"}


async def test_addresses_at_the_desk_and_by_programs(site: Site, browsers: Mapping[Role, Browser]) -> None:
    rows = [*ADDRESS.finditer(RIGHTS)]
    status, document = await site.elsewhere().get(f"{PREFIX}/openapi.json")
    described = {
        (method.upper(), path.partition("{room}")[2])
        for path, operations in document["paths"].items()
        for method in operations
        if "{room}" in path
    }
    assert {(each["method"], each["path"]) for each in rows} == described
    owner = browsers[Role.BROADCASTER]
    programs = {scope: await site.program(owner, site.twitch_room, scope) for scope in SCOPES}
    for row in rows:
        if "{word}" in row["path"] or row["path"].endswith(("/news", "/events")):
            continue  # commands are above; these answer when something has happened
        needed = CHANGED.get(command_of(f"{row['method']} {operation_path(row)}"), least(row["marks"]))
        path = re.sub(r"{\w+}", "me", row["path"])
        for role, browser in browsers.items():
            status, _ = await asked(site, browser, row["method"], path)
            assert (status == 403) is not role.covers(needed), (role, row["path"], status)
        for scope, program in programs.items():
            status, _ = await program.ask(row["method"], f"{PREFIX}/rooms/{program.room}{path}", {})
            allowed = row["scope"].strip("` ") == scope
            assert (status == 403) is not allowed, (scope, row["path"], status)


def operation_path(row: re.Match[str]) -> str:
    return f"{PREFIX}/rooms/{{room}}{row['path']}"


def command_of(heading: str) -> str:
    """Return the command whose role an address takes, as the reference says; empty: none."""
    section = page("reference/api").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    word = re.search(r"`!(\w+)`", section)
    return word[1] if word else ""


async def asked(site: Site, browser: Browser, method: str, path: str) -> tuple[int, object]:
    headers = {"Origin": browser.origin, "X-Rabble-Csrf": browser.csrf}
    return await browser._ask(method, f"{PREFIX}/rooms/{site.twitch_room}{path}", {}, headers)


def seat_of(role: Role) -> Seat:
    return Seat(f"twitch:70{list(Role).index(role)}")


async def test_right_words_behind_a_harmless_one_open_nothing(site: Site) -> None:
    """`credits set` is a command of moderators, and a word of the room can stand for any command."""
    await site.both.chat("bob", "!credits")
    owner = await logged_in(site, Role.BROADCASTER)
    assert (await owner.use(site.twitch_room, "alias", "tip give"))[1]["done"]
    reader = await site.program(owner, site.twitch_room, "read", "play")
    for word, arguments in (("credits", "set @bob 5"), ("give", "@bob 5"), ("season", "end heist")):
        status, answer = await reader.use(word, arguments)
        assert (status, answer["done"], answer["answers"][0]["id"]) == (200, False, "token-lacks"), word
    giver = await site.program(owner, site.twitch_room, "give")
    status, answer = await giver.use("give", "@bob 5")
    assert answer["answers"][0]["id"] == "give-start"  # what everybody starts with is not theirs to give


async def test_a_program_is_told_of_the_commands_that_it_was_made_for(site: Site) -> None:
    owner = await logged_in(site, Role.BROADCASTER)
    program = await site.program(owner, site.twitch_room, "read")
    status, commands = await program.get("/commands")
    assert status == 200
    assert {each["scope"] for each in commands} == {"read"}
    assert "credits" in {each["word"] for each in commands}
