"""`chatbot rewards`: what viewers of a Twitch channel can buy for channel points, which stakes for them."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from chatbot.cli.context import counted, load_settings, print_text
from chatbot.community.reward_limits import LONGEST_COOLDOWN, LONGEST_TITLE, MOST_POINTS
from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from chatbot.community.rewards import RewardCounter, SoldReward
    from chatbot.keys.ring import Key
    from chatbot.ledger.changes import Change, ChangeSet

rewards_commands = typer.Typer(
    help="Let viewers of a Twitch channel stake channel points, by rewards.", no_args_is_help=True
)

ChannelOption = Annotated[
    str | None, typer.Option(help="Which channel, by its name; needed if several are connected.")
]
GameArgument = Annotated[str, typer.Argument(help="A game with a lobby: heist, chicken or market.")]
RewardArgument = Annotated[str, typer.Argument(help="Which reward, by its title.")]
TITLE, COST, STAKE, COOLDOWN = (
    f"What viewers see, at most {LONGEST_TITLE} characters.",
    "Its price in channel points.",
    "The credits that it stakes.",
    "Seconds until it can be bought again, by anybody; 0 for none.",
)
Title = Annotated[str | None, typer.Option(help=TITLE)]
Cost = Annotated[int, typer.Option(help=COST, min=1, max=MOST_POINTS)]
Stake = Annotated[int, typer.Option(help=STAKE, min=1, max=MOST)]
Cooldown = Annotated[int, typer.Option(help=COOLDOWN, min=0, max=LONGEST_COOLDOWN)]
NewCost = Annotated[int | None, typer.Option(help=COST, min=1, max=MOST_POINTS)]
NewStake = Annotated[int | None, typer.Option(help=STAKE, min=1, max=MOST)]
NewCooldown = Annotated[int | None, typer.Option(help=COOLDOWN, min=0, max=LONGEST_COOLDOWN)]


@rewards_commands.command("list")
def list_rewards(channel: ChannelOption = None) -> None:
    """List the rewards of a channel that the bot has made."""
    print_text("\n".join(asyncio.run(_list(channel))))


@rewards_commands.command("make")
def make_reward(
    game: GameArgument,
    cost: Cost,
    stake: Stake,
    title: Title = None,
    cooldown: Cooldown = 0,
    channel: ChannelOption = None,
) -> None:
    """Make a reward: who buys it joins the game with a stake that their points pay."""
    from chatbot.games import kits  # noqa: PLC0415
    from chatbot.tables.voucher_stakes import accepts  # noqa: PLC0415

    names_by_word = {each.word: each.name for each in kits().values() if accepts(each)}
    name = names_by_word.get(game.removeprefix("!"), game)
    if name not in names_by_word.values():
        raise Failure(
            f"There is no game {game!r} with a lobby; there are: {', '.join(sorted(names_by_word))}."
        )
    word = next(word for word, each in names_by_word.items() if each == name)
    print_text(asyncio.run(_make(channel, name, stake, _title(title or f"!{word} {stake}"), cost, cooldown)))


@rewards_commands.command("change")
def change_reward(
    reward: RewardArgument,
    cost: NewCost = None,
    stake: NewStake = None,
    title: Title = None,
    cooldown: NewCooldown = None,
    channel: ChannelOption = None,
) -> None:
    """Change a reward; what is left out stays as it is. What was bought before keeps its stake."""
    if (cost, stake, title, cooldown) == (None, None, None, None):
        raise Failure("Say what is to be changed: --title, --cost, --stake or --cooldown.")
    new = None if title is None else _title(title)
    print_text(asyncio.run(_change(channel, reward, stake, new, cost, cooldown)))


@rewards_commands.command("remove")
def remove_reward(reward: RewardArgument, channel: ChannelOption = None) -> None:
    """Remove a reward."""
    print_text(asyncio.run(_remove(channel, reward)))


@asynccontextmanager
async def _counter(login: str | None) -> AsyncIterator[RewardCounter]:
    import aiohttp  # noqa: PLC0415  (other commands start sooner without it)

    from chatbot.community.rewards import RewardCounter  # noqa: PLC0415
    from chatbot.keys.ring import KeyRing  # noqa: PLC0415
    from chatbot.ledger.changes import Changes  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415
    from chatbot.ledger.vouchers import Rewards, Vouchers  # noqa: PLC0415
    from cogs.twitch.authority import TwitchAuthority  # noqa: PLC0415
    from cogs.twitch.endpoints import TwitchEndpoints  # noqa: PLC0415
    from cogs.twitch.lines import channel_of  # noqa: PLC0415
    from cogs.twitch.rewards import shop  # noqa: PLC0415

    settings, discretion = load_settings()
    application = settings.twitch_application
    if application is None:
        raise Failure("Twitch is not connected; `chatbot connect twitch` tells how.")
    ring = KeyRing(settings.twitch_tokens, discretion)
    key = _choose_key(ring.broadcasters, login)
    endpoints = TwitchEndpoints(api=settings.twitch_api_url, id=settings.twitch_id_url)
    async with aiohttp.ClientSession() as session:
        authority = TwitchAuthority(*application, session, ring, discretion, endpoints)
        async with shop(authority, key) as open_shop:
            store = await Store.look(settings.database)
            try:
                yield RewardCounter(
                    channel_of(key.user_id),
                    key.login,
                    open_shop,
                    Rewards(store),
                    Vouchers(store),
                    Changes(store),
                )
            finally:
                await store.close()


def _choose_key(keys: Sequence[Key], login: str | None) -> Key:
    """Return the key of a broadcaster: the one that is named, or the only one.

    Raises:
        Failure: there is none, or several.
    """
    if not keys:
        raise Failure("No streamer is connected; run `chatbot connect twitch --broadcaster --points`.")
    names = ", ".join(each.login for each in keys)
    if login is None and len(keys) > 1:
        raise Failure(f"Say which channel, as in --channel {keys[0].login}; connected are: {names}.")
    for each in keys:
        if login is None or each.login == login.lower().lstrip("@#"):
            return each
    raise Failure(f"The streamer {login!r} is not connected; connected are: {names}.")


async def _list(login: str | None) -> list[str]:
    async with _counter(login) as counter:
        lines = [_in_words(each) for each in await counter.all()]
    return lines or [f"The bot sells nothing for channel points in {counter.name}'s channel yet."]


async def _make(login: str | None, game: str, stake: int, title: str, cost: int, cooldown: int) -> str:
    from chatbot.community.rewards import Offer  # noqa: PLC0415

    async with _counter(login) as counter:
        return _in_words(await counter.make(game, stake, Offer(title, cost, cooldown), _change_set(counter)))


async def _change(
    login: str | None,
    title: str,
    stake: int | None,
    new_title: str | None,
    cost: int | None,
    cooldown: int | None,
) -> str:
    from chatbot.community.rewards import Offer  # noqa: PLC0415

    async with _counter(login) as counter:
        offer = Offer(new_title, cost, cooldown)
        return _in_words(await counter.change(title, stake, offer, _change_set(counter)))


async def _remove(login: str | None, title: str) -> str:
    async with _counter(login) as counter:
        return f"{(await counter.remove(title, _change_set(counter))).shown.title}: removed."


def _change_set(counter: RewardCounter) -> Callable[[Change], ChangeSet]:
    """Say that the operator makes a change now."""
    from chatbot.ledger.changes import OPERATOR, ChangeSet  # noqa: PLC0415
    from cogs.twitch.lines import PLATFORM, community_of  # noqa: PLC0415

    name, at, room = f"change-set:rewards:{secrets.token_hex(8)}", datetime.now(UTC), counter.channel
    community = community_of(room.removeprefix(f"{PLATFORM}:"))
    return lambda change: ChangeSet(name, room, community, at, OPERATOR, OPERATOR, (change,))


def _title(title: str) -> str:
    """Return a title that Twitch takes.

    Raises:
        Failure: it is empty or too long.
    """
    if not 1 <= len(title.strip()) <= LONGEST_TITLE:
        raise Failure(f"A title has 1 to {LONGEST_TITLE} characters.")
    return title.strip()


def _in_words(sold_reward: SoldReward) -> str:
    shown, reward = sold_reward.shown, sold_reward.stakes
    cooldown = f", once in {counted(shown.cooldown, 'second')}" if shown.cooldown else ""
    points, stake = counted(shown.cost, "point"), "stakes" if shown.cost == 1 else "stake"
    if reward is None:
        return f"{shown.title}: {points}{cooldown}; what it stakes is not known, so remove it."
    credits_ = counted(reward.credits, "credit")
    return f"{shown.title}: {points} {stake} {credits_} in {reward.game}{cooldown}."
