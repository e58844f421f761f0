"""Duels at Six Card Poker through the adapter: who answers a challenge, and that nobody reads too much."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from cogs.discord.tables import PACE
from tests.adapters.discord.sixcard import ACCEPTANCE, START, answered, held, labels, paid, setting, table
from tests.adapters.discord.stage import Stage
from tests.fakes.discord_world import APP, EPHEMERAL
from tests.generous import let_give

if TYPE_CHECKING:
    import pytest

    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer
    from tests.fakes.discord_world import Json, User


def public(stage: Stage) -> str:
    """Give all that everybody can read, boards and buttons included, but for ids, hashes and times."""
    shown = [
        {key: each[key] for key in ("content", "embeds", "components")}
        for each in stage.world.shown(stage.town)
    ]
    return re.sub(r"[0-9a-f]{32,}|\d{15,}|<t:\d+:R>", "", json.dumps(shown, ensure_ascii=False))


async def challenged(stage: Stage, stake: str = "50") -> tuple[User, User, Json]:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.slash(ann, stage.town, "sixcard", opponent=bob, stake=stake)
    await stage.shown("ann challenges bob to a duel at Six Card Poker")
    return ann, bob, await stage.board("Challenge")


async def dealt(stage: Stage) -> tuple[User, User, Json]:
    ann, bob, board = await challenged(stage)
    await stage.people.press(bob, board, "Accept")
    for user in (ann, bob):
        await stage.told(user, "Your cards: ")
    await stage.turn(PACE)
    return ann, bob, await stage.board("Set the cards")


async def moves(stage: Stage, user: User, board: Json) -> Json:
    """Ask for somebody's own moves."""
    known = len(stage.world.ephemeral(user))
    await stage.people.press(user, board, "My moves")
    await stage.world.until(lambda: len(stage.world.ephemeral(user)) > known)
    return stage.world.ephemeral(user)[-1]


async def test_a_duel_is_played_by_buttons_and_nothing_of_it_is_public_before_the_end(stage: Stage) -> None:
    ann, bob, board = await dealt(stage)
    assert labels(board) == ["My moves"]
    for user in (ann, bob):
        menu = await moves(stage, user, board)
        assert menu["flags"] & EPHEMERAL
        assert f"Your cards: {' '.join(map(str, held(stage, ann, user)))}." in menu["content"]
        assert labels(menu)[:2] == ["Set by hand…", "Auto (best play)"]
        best = labels(menu)[2]
        seen = public(stage)
        for hands in [best, *labels(menu)[2:]]:
            assert hands not in seen
        assert "Your cards" not in seen
        await answered(stage, await stage.people.press(user, menu, best))
        if user is ann:
            await stage.world.until(lambda: f"You have set {best}" in menu["content"])  # noqa: B023
            await stage.turn(PACE)
            assert best not in public(stage)
            assert labels(menu)[2] == best, "another can still be chosen"
    await stage.shown("ann against bob: High ")
    await stage.turn(PACE)
    await stage.board("Finished")
    await paid(stage, ann, ann, bob)


async def test_a_setting_by_slash_command_or_form_is_for_its_author_alone(stage: Stage) -> None:
    ann, bob, board = await dealt(stage)
    text = setting(stage, ann, bob)
    used = await stage.people.slash(bob, stage.town, "arrange", hands=text)
    await stage.told(bob, f"You have set {text}")
    assert used.private
    menu = await moves(stage, ann, board)
    mine = setting(stage, ann, ann)
    await stage.people.fill(ann, await stage.people.press(ann, menu, "Set by hand"), hands=mine)
    await stage.shown("ann against bob: High ")
    revealed = table(stage, ann).view(None).revealed
    assert [str(each.arrangement) for each in (revealed.first, revealed.second)] == [mine, text]


async def test_who_types_hands_is_offered_those_that_their_own_cards_make(stage: Stage) -> None:
    ann, bob, _ = await dealt(stage)
    for user in (ann, bob):
        offered = await stage.people.autocomplete(user, stage.town, "arrange", "hands", hands="")
        assert offered[0] == "auto"
        own = sorted("".join(map(str, held(stage, ann, user))))
        assert [sorted(each.replace(" ", "")) for each in offered[1:]] == [own] * (len(offered) - 1)
        text = offered[-1]
        assert await stage.people.autocomplete(user, stage.town, "arrange", "hands", hands=text) == [text]
    eve = stage.world.join("eve")
    assert await stage.people.autocomplete(eve, stage.town, "arrange", "hands", hands="") == ["auto"]


async def test_wrong_cards_typed_in_public_do_not_make_the_bot_name_the_right_ones(stage: Stage) -> None:
    ann, bob, _ = await dealt(stage)
    await stage.people.say(bob, stage.town, "!set 111 11 1")
    await stage.shown("Those are not your six cards")
    assert " ".join(map(str, held(stage, ann, bob))) not in public(stage)
    await stage.people.slash(bob, stage.town, "arrange", hands="111 11 1")
    await stage.told(bob, f"you hold {' '.join(map(str, held(stage, ann, bob)))}")


async def test_a_challenge_is_answered_by_its_rival_alone(stage: Stage) -> None:
    ann, bob, board = await challenged(stage)
    kim = stage.world.join("kim")
    assert labels(board) == ["Accept", "Decline"]
    for user in (kim, stage.world.owner):
        for label in ("Accept", "Decline"):
            await answered(stage, await stage.people.press(user, board, label))
            await stage.told(user, "There is no challenge for you to answer")
    await answered(stage, await stage.people.press(ann, board, "Accept"))
    await stage.told(ann, "bob has yet to answer your challenge")
    assert table(stage, ann).clock.phase == "challenge"  # type: ignore[union-attr]
    assert await stage.credits(bob) == 0, "who never spoke has no credits yet"
    await stage.people.press(bob, board, "Decline")
    await stage.shown("bob declines the duel with ann")
    assert await stage.credits(ann) == START


async def test_whoever_challenged_takes_it_back_and_one_that_nobody_answers_lapses(stage: Stage) -> None:
    ann, bob, board = await challenged(stage)
    await stage.people.press(ann, board, "Decline")
    await stage.shown("ann takes the challenge to bob back")
    await stage.people.say(ann, stage.town, "!sixcard @bob 50")
    await stage.world.until(lambda: stage.world.texts(stage.town).count("ann challenges bob") == 2)
    await stage.turn(ACCEPTANCE)
    await stage.shown("bob did not answer in time")
    assert await stage.credits(ann) == START
    await stage.people.slash(bob, stage.town, "sixcard", answer="accept")
    await stage.told(bob, "There is no challenge for you to answer")


async def test_a_duel_is_opened_and_answered_by_typing_and_cards_come_by_direct_message(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.say(ann, stage.town, f"!sixcard <@{bob.id}> 50", mentions=[bob])
    await stage.shown("ann challenges bob to a duel")
    await stage.people.say(bob, stage.town, "!sixcard accept")
    for user in (ann, bob):
        await stage.shown("Your cards: ", stage.world.dm(user.id))
    await stage.people.whisper(bob, f"!set {setting(stage, ann, bob)}")
    await stage.shown("You have set ", stage.world.dm(bob.id))
    await stage.people.say(ann, stage.town, f"!set {setting(stage, ann, ann)}")
    await stage.shown("ann against bob: High ")
    assert "Your cards: " not in stage.world.texts(stage.town)


async def test_whoever_was_challenged_and_never_spoke_answers_the_bot_alone(stage: Stage) -> None:
    _, bob, _ = await challenged(stage)
    await stage.people.whisper(bob, "!sixcard accept")
    await stage.shown("Your cards: ", stage.world.dm(bob.id))
    assert await stage.credits(bob) == START - 50


async def test_cards_for_whom_no_message_reaches_wait_behind_the_button(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    stage.server.closed_dms.add(bob.id)
    await stage.people.say(ann, stage.town, f"!sixcard <@{bob.id}> 50", mentions=[bob])
    await stage.shown("ann challenges bob to a duel")
    await stage.people.say(bob, stage.town, "!sixcard accept")
    await stage.shown("@bob: I have an answer for you alone")
    await stage.turn(PACE)
    menu = await moves(stage, bob, await stage.board("Set the cards"))
    assert f"Your cards: {' '.join(map(str, held(stage, ann, bob)))}." in menu["content"]


async def test_a_stake_above_what_newcomers_have_can_be_taken_up(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    for user in (ann, bob):
        await stage.people.say(user, stage.town, "!credits")
        await stage.shown(f"{user.name} has 240")
    let_give(stage.room)
    await stage.people.slash(bob, stage.town, "give", member=ann, amount="200")
    await stage.shown("bob gives ann 200")
    await stage.people.slash(ann, stage.town, "sixcard", opponent=bob, stake="300")
    board = await stage.board("Challenge")
    assert labels(board) == ["Accept", "Decline"]
    await answered(stage, await stage.people.press(bob, board, "Accept"))
    await stage.told(bob, "You have only 40 credits")
    assert table(stage, ann).clock.phase == "challenge"  # type: ignore[union-attr]


async def test_neither_bots_nor_oneself_can_be_challenged(stage: Stage) -> None:
    ann = stage.world.join("ann")
    other = stage.world.join("Helper", 0)
    other.bot = True
    for rival, reason in (
        (stage.world.bot, "“Rabble” is a bot and takes no part in this."),
        (other, "“Helper” is a bot and takes no part in this."),
        (ann, "You cannot challenge yourself"),
    ):
        await stage.people.slash(ann, stage.town, "sixcard", opponent=rival, stake="50")
        await stage.told(ann, reason)
    await stage.people.say(ann, stage.town, f"!sixcard <@{APP}> 50")
    await stage.shown("“Rabble” is a bot and takes no part in this.")
    assert stage.room.tables == {}
    assert await stage.credits(ann) == START


async def test_a_duel_goes_on_after_a_restart_behind_the_same_button(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    ann, bob, board = await dealt(stage)
    cards = held(stage, ann, bob)
    await stage.turn(20)
    await stage.close()
    async with Stage(server, store, "b") as after:
        await after.shown("Six Card Poker goes on after a break")
        for user in (ann, bob):
            await after.shown("Your cards: ", after.world.dm(user.id))
        assert "Your cards" not in public(after)
        menu = await moves(after, bob, board)
        assert f"Your cards: {' '.join(map(str, cards))}." in menu["content"]
        await answered(after, await after.people.press(bob, menu, "Auto"))
        await after.people.slash(ann, after.town, "arrange", hands="auto")
        await after.shown("ann against bob: High ")


async def test_a_setting_that_opens_its_room_anew_is_not_shown_to_all(
    stage: Stage, server: DiscordServer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, _ = await dealt(stage)
    text = setting(stage, ann, bob)
    await stage.close()

    async def later(_: object) -> None:
        return None

    monkeypatch.setattr("cogs.discord.adapter.DiscordAdapter.open_standing", later)
    async with Stage(server, store, "b") as after:
        used = await after.people.slash(bob, after.town, "arrange", hands=text)
        await after.told(bob, f"You have set {text}")
        assert used.private
        assert text not in public(after)
