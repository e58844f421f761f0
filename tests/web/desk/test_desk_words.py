"""Texts, themes, access and what a stream has, as the desk reads them: what chat would tell, and no more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.web.desk.test_reads import moderating

if TYPE_CHECKING:
    from tests.web.desk.site import Browser, Site


async def look(site: Site, browser: Browser, path: str) -> Any:
    status, answer = await browser.get(f"/api/1/rooms/{site.twitch_room}/desk/{path}")
    assert status == 200
    return answer


async def attempt(site: Site, browser: Browser, key: str, text: str = "") -> tuple[int, Any]:
    path = f"/api/1/rooms/{site.twitch_room}/desk/texts/preview"
    return await browser.post(path, {"key": key, "text": text})


async def test_a_text_is_previewed_as_the_chat_would_tell_it_and_nothing_is_changed(site: Site) -> None:
    mona = await moderating(site, "mona")
    status, (row,) = await attempt(site, mona, "entry", "{who} drops in with {stake}.")
    assert (status, row["told"], row["missing"]) == (200, "Mona drops in with 69 credits.", ["crew"])
    assert (await attempt(site, mona, "entry"))[1][0][
        "told"
    ] == "Mona joins with 69 credits; the crew is 7 now."
    assert site.bot.rooms[site.twitch_room].settings("texts") == {}
    await mona.use(site.twitch_room, "text", 'entry "{who} drops in with {stake}."')
    (present,) = (await attempt(site, mona, "entry"))[1]
    assert present["told"] == "Mona drops in with 69 credits."


async def test_several_texts_are_previewed_each_with_what_it_leaves_out(site: Site) -> None:
    mona = await moderating(site, "mona")
    _, rows = await attempt(site, mona, "entry", "{who}: {stake}, {crew} || {who} sneaks in")
    assert [(each["told"], each["missing"]) for each in rows] == [
        ("Mona: 69 credits, 7", []),
        ("Mona sneaks in", ["stake", "crew"]),
    ]


async def test_what_chat_refuses_the_preview_refuses_by_the_same_sentence(site: Site) -> None:
    mona = await moderating(site, "mona")
    for key, text in (
        ("entry", "{whom} joins"),
        ("entry", "x" * 451),
        ("entri", "x"),
        ("desk-link", "open this: evil.example"),
        ("confirm-ask", "x"),
        ("entry", " || ".join(f"text {each}" for each in range(11))),
    ):
        status, refused = await attempt(site, mona, key, text)
        assert status == 422
        _, told = await mona.use(site.twitch_room, "text", f'{key} "{text}"')
        assert told["answers"][0]["text"] == refused["error"], key
    assert (await attempt(site, mona, "entry", "x" * 901))[0] == 400


async def test_a_text_as_long_as_chat_takes_can_be_set_here_too(site: Site) -> None:
    mona = await moderating(site, "mona")
    text = "x" * 450
    assert (await mona.use(site.twitch_room, "text", f'late-entry "{text}"'))[1]["done"]
    assert site.bot.rooms[site.twitch_room].settings("texts") == {"late-entry": text}


async def test_texts_are_found_by_key_or_wording_and_only_those_that_may_be_changed(site: Site) -> None:
    mona = await moderating(site, "mona")
    usual = await look(site, mona, "texts")
    assert [each["key"] for each in usual["rows"]][:2] == ["opening", "entry"]
    assert (usual["most"], usual["longest"]) == (10, 450)
    assert next(each["key"] for each in (await look(site, mona, "texts?q=joins%20WITH"))["rows"]) == "entry"
    assert {each["key"] for each in (await look(site, mona, "texts?q=desk-"))["rows"]} == set()
    await mona.use(site.twitch_room, "text", "heist-hired Hired!")
    rows = (await look(site, mona, "texts"))["rows"]
    assert [(each["text"], each["own"]) for each in rows if each["key"] == "heist-hired"] == [
        ("Hired!", ["Hired!"])
    ]


async def test_a_preview_makes_no_room_forget_its_words(site: Site) -> None:
    mona = await moderating(site, "mona")
    room = site.bot.rooms[site.twitch_room]
    before = site.bot.outbox.languages.of(room)
    await asyncio.gather(*(attempt(site, mona, "entry", f"{{who}} {each}") for each in range(20)))
    assert site.bot.outbox.languages.of(room) is before


async def test_themes_are_told_by_lines_of_their_own(site: Site) -> None:
    mona = await moderating(site, "mona")
    (heist,) = await look(site, mona, "themes")
    bank, space = heist["themes"]
    assert (heist["game"], bank["name"], bank["chosen"], space["name"]) == ("heist", "bank", True, "space")
    assert len(bank["lines"]) == len(space["lines"]) == 6
    assert all(one != other for one, other in zip(bank["lines"], space["lines"], strict=True))
    await mona.use(site.twitch_room, "set", "heist theme space")
    assert [each["chosen"] for each in (await look(site, mona, "themes"))[0]["themes"]] == [False, True]


async def test_access_names_every_command_once_and_who_may_change_it(site: Site) -> None:
    mona = await moderating(site, "mona")
    rows = await look(site, mona, "access")
    assert [each["word"] for each in rows] == list(site.bot.parts.access.words())
    give = next(each for each in rows if each["word"] == "give")
    assert give["permission"] == {"value": "viewer", "default": "viewer", "role": "broadcaster"}
    assert give["cooldown"]["role"] == "moderator"
    assert next(each for each in rows if each["word"] == "heist")["game"] == "Bank Heist"


async def test_the_address_of_the_overlay_is_for_broadcasters_at_the_desk(site: Site) -> None:
    mona, operator = await moderating(site, "mona"), await site.operator()
    path = f"/api/1/rooms/{site.twitch_room}/desk/overlay"
    assert (await mona.get(path))[0] == 403
    program = await site.program(operator, site.twitch_room)
    assert (await program.get("/desk/overlay"))[0] == 403
    _, told = await operator.get(path)
    assert told["address"] == f"https://games.example{told['path']}"
    assert (await operator.get(told["path"]))[0] == 200
    assert (await site.elsewhere().get(told["path"]))[0] == 200
    assert (await operator.use(site.twitch_room, "overlay", "new"))[1]["done"]
    assert (await operator.get(told["path"]))[0] == 404
    assert (await operator.get((await operator.get(path))[1]["path"]))[0] == 200


async def test_where_nothing_can_be_sold_for_points_one_sentence_says_so(site: Site) -> None:
    mona = await moderating(site, "mona")
    told = await look(site, mona, "rewards")
    assert told["closed"].startswith("I may not sell anything for this channel")
    assert told["rewards"] == told["games"] == []
