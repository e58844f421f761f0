"""`chatbot rewards` makes, changes, lists and removes what viewers can buy, and says why it cannot."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from chatbot.ledger.changes import OPERATOR, Changes
from chatbot.ledger.store.store import Store
from chatbot.ledger.vouchers import Reward, Rewards, Voucher, Vouchers
from cogs.twitch.authority import BROADCASTER_SCOPES, POINTS_SCOPES
from cogs.twitch.lines import channel_of
from tests.fakes import twitch_rewards
from tests.fakes.twitch_server import Twitch
from tests.terminal import Terminal, terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from chatbot.keys.ring import Purpose
    from chatbot.ledger.changes import ChangeSet
    from tests.fakes.twitch_rewards import Counter
    from tests.typed import Typed

__all__ = ["terminal"]  # a fixture


@dataclass
class Office:
    """A terminal, the Twitch that it reaches, and the database of the bot."""

    terminal: Terminal
    twitch: Twitch
    url: str

    @property
    def counter(self) -> Counter:
        return self.twitch.helix.counter

    def connect(
        self,
        login: str,
        scopes: Iterable[str] = (*BROADCASTER_SCOPES, *POINTS_SCOPES),
        *purposes: Purpose,
    ) -> str:
        """Connect a streamer, who is an affiliate, and return their id."""
        user = self.twitch.world.user(login)
        token = self.twitch.authority.issue(user.id, scopes)
        ring = KeyRing(self.terminal.folder / "data" / "twitch-tokens.json", Discretion())
        uses = frozenset(purposes or ("broadcaster", "points"))
        ring.put(Key(user.id, login, token.access, token.refresh, token.scopes, token.ends, uses))
        self.counter.affiliates.add(user.id)
        return user.id

    async def rewards(self, *words: str) -> Typed:
        return await self.terminal.type("rewards", *words)

    async def change_sets(self, user: str) -> list[ChangeSet]:
        """List what was done in the room of a channel, the newest first."""
        store = await Store.look(self.url)
        try:
            return await Changes(store).newest(channel_of(user))
        finally:
            await store.close()

    async def stakes(self, user: str) -> list[tuple[str, int]]:
        """List what the rewards of a channel stake."""
        store = await Store.look(self.url)
        try:
            return [(each.game, each.credits) for each in await Rewards(store).of(channel_of(user))]
        finally:
            await store.close()


@pytest.fixture
async def office(terminal: Terminal) -> AsyncIterator[Office]:
    twitch = await Twitch().start()
    url = f"sqlite:///{(terminal.folder / 'rabble.db').as_posix()}"
    terminal.set(database=url, twitch_api_url=twitch.endpoints.api, twitch_id_url=twitch.endpoints.id)
    (terminal.folder / "data").mkdir()
    await (await Store.open(url)).close()
    yield Office(terminal, twitch, url)
    await twitch.stop()


async def test_a_reward_is_made_listed_changed_and_removed(office: Office) -> None:
    ada = office.connect("ada")
    made = await office.rewards("make", "heist", "--cost", "500", "--stake", "100", "--cooldown", "30")
    assert made.out == "!heist 100: 500 points stake 100 credits in heist, once in 30 seconds.\n"
    (sold,) = office.counter.rewards.values()
    assert (sold.title, sold.cost, sold.cooldown) == ("!heist 100", 500, 30)
    changed = await office.rewards(
        "change", "!heist 100", "--cost", "700", "--stake", "200", "--title", "Rob a bank", "--cooldown", "0"
    )
    assert changed.out == "Rob a bank: 700 points stake 200 credits in heist.\n"
    assert (sold.title, sold.cost, sold.cooldown) == ("Rob a bank", 700, 0)
    assert await office.stakes(ada) == [("heist", 200)]
    assert (await office.rewards("list")).out == changed.out
    assert (await office.rewards("remove", "rob A bank")).out == "Rob a bank: removed.\n"
    assert office.counter.rewards == {}
    assert await office.stakes(ada) == []
    assert (await office.rewards("list")).out.startswith("The bot sells nothing for channel points in ada")


@pytest.mark.parametrize("level", ["warning", "debug"])
async def test_no_command_prints_what_the_library_advises_programmers(office: Office, level: str) -> None:
    office.terminal.set(log_level=level)
    office.connect("ada")
    for words in (("rewards", "list"), ("doctor",)):
        err = (await office.terminal.type(*words)).err
        assert "Starlette" not in err
        assert err == "" or level == "debug"


async def test_one_point_stakes_one_credit_once_in_a_second(office: Office) -> None:
    office.connect("ada")
    made = await office.rewards("make", "heist", "--cost", "1", "--stake", "1", "--cooldown", "1")
    assert made.out == "!heist 1: 1 point stakes 1 credit in heist, once in 1 second.\n"


@pytest.mark.slow
async def test_each_change_is_a_change_set_of_the_operator_in_the_channel(office: Office) -> None:
    ada = office.connect("ada")
    await office.rewards("make", "heist", "--cost", "500", "--stake", "100")
    await office.rewards("remove", "!heist 100")
    removed, made = await office.change_sets(ada)
    for each in (removed, made):
        assert (each.room, each.community, each.actor) == (f"twitch:{ada}", f"twitch-{ada}", OPERATOR)
    assert removed.id != made.id
    (sold,), (gone,) = made.changes, removed.changes
    assert (sold.old, sold.new) == ("", "500/100/0")
    assert (gone.old, gone.new) == ("500/100/0", "")


async def test_the_stake_alone_can_be_changed(office: Office) -> None:
    ada = office.connect("ada")
    await office.rewards("make", "chicken", "--cost", "500", "--stake", "100")
    asked = len(office.twitch.world.requests)
    await office.rewards("change", "!chicken 100", "--stake", "50")
    assert await office.stakes(ada) == [("chickenpoker", 50)]
    assert not any(each.startswith("PATCH") for each in office.twitch.world.requests[asked:])


async def test_who_is_no_affiliate_is_told_so(office: Office) -> None:
    ada = office.connect("ada")
    office.counter.affiliates.clear()
    refused = await office.rewards("make", "heist", "--cost", "500", "--stake", "100")
    assert refused.code != 0
    assert "ada must be an affiliate or a partner" in refused.err
    assert await office.stakes(ada) == []


async def test_without_the_permission_the_command_that_grants_it_is_told(office: Office) -> None:
    office.connect("ada", BROADCASTER_SCOPES)
    refused = await office.rewards("list")
    assert "run `chatbot connect twitch --broadcaster --points`" in " ".join(refused.err.split())
    assert office.twitch.world.requests == []


async def test_a_reward_that_somebody_waits_for_is_not_removed(office: Office) -> None:
    ada = office.connect("ada")
    await office.rewards("make", "heist", "--cost", "500", "--stake", "100")
    (sold,) = office.counter.rewards.values()
    store = await Store.open(office.url)
    voucher = Voucher("twitch:1", "twitch", f"{ada}/{sold.id}/1", 100)
    await Vouchers(store).refuse(voucher, f"twitch-{ada}", datetime.now(UTC))
    await store.close()
    assert "not settled yet" in (await office.rewards("remove", "!heist 100")).err
    assert len(office.counter.rewards) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("make", "highshow", "--cost", "5", "--stake", "5"), "there are: chicken, heist, market."),
        (("make", "heist", "--cost", "5", "--stake", "5", "--title", "x" * 46), "1 to 45 characters"),
        (("make", "heist", "--cost", "0", "--stake", "5"), "--cost"),
        (("change", "Rob"), "Say what is to be changed"),
        (("change", "Rob", "--cost", "5"), "has made no reward 'Rob' in ada's channel; there are: none yet."),
        (("list", "--channel", "eve"), "connected are: ada."),
    ],
)
async def test_bad_input_gets_one_sentence_and_changes_nothing(
    office: Office, words: tuple[str, ...], sentence: str
) -> None:
    office.connect("ada")
    refused = await office.rewards(*words)
    assert refused.code != 0
    assert sentence in " ".join(refused.err.split())
    assert office.counter.rewards == {}


async def test_a_title_that_is_taken_is_told(office: Office) -> None:
    office.connect("ada")
    make = "make", "heist", "--cost", "500", "--stake", "100"
    await office.rewards(*make)
    assert "has a reward with that title already" in (await office.rewards(*make)).err
    assert len(office.counter.rewards) == 1


async def test_a_streamer_who_has_all_rewards_that_twitch_allows_is_told_so(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(twitch_rewards, "MOST", 1)
    office.connect("ada")
    make = "make", "heist", "--cost", "500", "--stake", "100", "--title"
    await office.rewards(*make, "One")
    assert "has as many rewards as Twitch allows" in (await office.rewards(*make, "Two")).err
    assert [each.title for each in office.counter.rewards.values()] == ["One"]


async def test_a_reward_whose_stake_is_not_known_is_shown_as_such(office: Office) -> None:
    ada = office.connect("ada")
    office.counter.put(office.twitch.world.user("ada"), "Old")
    office.counter.put(office.twitch.world.user("ada"), "Theirs", client_id="other")
    store = await Store.open(office.url)
    await Rewards(store).put(Reward("another", channel_of(ada), "heist", 5))
    await store.close()
    assert (await office.rewards("list")).out.startswith("Old: 100 points; what it stakes is not known")


async def doctor(office: Office) -> list[tuple[str, str]]:
    """Return what the doctor says of the points of ada."""
    report = json.loads((await office.terminal.type("doctor", "--json")).out)
    told = [each for each in report["findings"] if each["subject"] == "Twitch points of ada"]
    return [(each["verdict"], each["sentence"]) for each in told]


async def test_the_doctor_counts_what_is_sold(office: Office) -> None:
    office.connect("ada")
    (none,) = await doctor(office)
    assert none == (
        "ok",
        "rewards that are sold: none yet; `chatbot rewards make heist --cost 500 --stake 100` makes one.",
    )
    await office.rewards("make", "heist", "--cost", "500", "--stake", "100")
    assert await doctor(office) == [("ok", "rewards that are sold: 1.")]


async def test_the_doctor_says_nothing_of_points_where_they_are_not_taken(office: Office) -> None:
    office.connect("ada", BROADCASTER_SCOPES, "broadcaster")
    assert await doctor(office) == []


async def test_the_doctor_names_rewards_that_are_gone_and_those_of_others(
    office: Office,
) -> None:
    office.connect("ada")
    for stake in ("100", "200"):
        await office.rewards("make", "heist", "--cost", "500", "--stake", stake)
    first, second = office.counter.rewards.values()
    first.client_id = "another"
    del office.counter.rewards[second.id]
    (wrong, foreign), (look, gone) = await doctor(office)
    assert (wrong, look) == ("wrong", "look")
    assert foreign.startswith(
        "heist for 100 credits: made by another application than CHATBOT_TWITCH_CLIENT_ID"
    )
    assert gone.startswith("heist for 200 credits: removed at Twitch")


async def test_the_doctor_says_what_a_streamer_lacks(office: Office) -> None:
    ada = office.connect("ada")
    await office.rewards("make", "heist", "--cost", "500", "--stake", "100")
    office.counter.affiliates.clear()
    ((verdict, sentence),) = await doctor(office)
    assert verdict == "wrong"
    assert "ada must be an affiliate or a partner" in sentence
    office.counter.affiliates.add(ada)
    office.connect("ada", BROADCASTER_SCOPES, "broadcaster")
    ((verdict, sentence),) = await doctor(office)
    assert verdict == "wrong"
    assert "run `chatbot connect twitch --broadcaster --points`" in sentence
    office.connect("ada", BROADCASTER_SCOPES)
    report = json.loads((await office.terminal.type("doctor", "--json")).out)
    (account,) = [each for each in report["findings"] if each["subject"] == "Twitch account ada"]
    assert account["sentence"].startswith(
        "its key does not allow channel:manage:redemptions (for channel points); run `chatbot connect twitch"
    )
