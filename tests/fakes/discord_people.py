"""The people of a fake Discord: they write, use slash commands, click buttons and choose from menus."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.fakes.discord_commands import names
from tests.fakes.discord_faults import MENU
from tests.fakes.discord_gateway import GUILD_MEMBERS, GUILD_MODERATION
from tests.fakes.discord_world import APP, GUILD, Interaction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tests.fakes.discord_gateway import Gateway
    from tests.fakes.discord_world import Json, User, World

COMMAND, BUTTON, AUTOCOMPLETE, FORM = 2, 3, 4, 5
USER_OPTION, WHOLE_OPTION = 6, 4
MOST_CHOICES = 25


class People:
    def __init__(self, world: World, gateway: Gateway) -> None:
        self._world, self._gateway = world, gateway

    async def say(
        self, user: User, channel: int, text: str, *, mentions: Sequence[User] = (), webhook: bool = False
    ) -> Json:
        """Write a message; gives its event, which `redeliver` may send again.

        Nothing is sent of whoever may not write there.
        """
        if not self._world.reaches(user, channel):
            return {}
        event = self._event(user, channel, text, mentions)
        if webhook:
            event["webhook_id"] = str(self._world.next_id())
        await self.redeliver(event)
        return event

    async def redeliver(self, event: Json) -> None:
        await self._gateway.dispatch("MESSAGE_CREATE", event)

    async def whisper(self, user: User, text: str) -> Json:
        """Write to the bot alone."""
        return await self.say(user, self._world.dm(user.id), text)

    async def time_out(self, user: User, until: datetime) -> None:
        """Time a member out: they can neither write nor use commands and buttons."""
        user.silenced = until
        told = {**user.member, "user": user.payload, "guild_id": str(GUILD)}
        await self._gateway.dispatch("GUILD_MEMBER_UPDATE", told, needs=GUILD_MEMBERS)

    async def throw_out(self, user: User, *, ban: bool = False) -> None:
        """Kick or ban a member, whom the bot then shares no server with, and so cannot write to."""
        user.gone = True
        told = {"guild_id": str(GUILD), "user": user.payload}
        if ban:
            await self._gateway.dispatch("GUILD_BAN_ADD", told, needs=GUILD_MODERATION)
        await self._gateway.dispatch("GUILD_MEMBER_REMOVE", told, needs=GUILD_MEMBERS)

    async def slash(self, user: User, channel: int, name: str, /, **options: Any) -> Interaction:
        """Use a slash command, as the client offers it: what it does not offer cannot be used."""
        return await self._interact(COMMAND, user, channel, self._command(name, options))

    async def autocomplete(
        self, user: User, channel: int, name: str, focused: str, /, **options: str
    ) -> list[Any]:
        """Type into an option; gives what is offered. What is typed is a text, also for a whole number."""
        data = self._command(name, options, typing=focused)
        for each in data["options"]:
            each["focused"] = each["name"] == focused
        kinds = [each["type"] for each in data["options"] if each["focused"]]
        asked = await self._interact(AUTOCOMPLETE, user, channel, data)
        await self._world.until(lambda: asked.response)
        assert len(asked.choices) <= MOST_CHOICES
        assert all(isinstance(each, int) == (kinds == [WHOLE_OPTION]) for each in asked.choices)
        return asked.choices

    async def click(self, user: User, message: Json, custom_id: str) -> Interaction:
        """Press a button of a message; any name of a button can be forged."""
        data = {"custom_id": custom_id, "component_type": 2, "id": 2}
        return await self._interact(BUTTON, user, int(message["channel_id"]), data, message)

    async def press(self, user: User, message: Json, label: str) -> Interaction:
        """Press the button whose label has this in it."""
        buttons = [each for row in message["components"] for each in row["components"]]
        found = [each for each in buttons if label in each["label"]]
        assert found, f"no {label!r} among {[each['label'] for each in buttons]}"
        return await self.click(user, message, found[0]["custom_id"])

    async def choose(self, user: User, message: Json, value: str) -> Interaction:
        """Choose from the menu that has this value."""
        menus = [each for row in message["components"] for each in row["components"] if "options" in each]
        found = [each for each in menus if value in [option["value"] for option in each["options"]]]
        assert found, f"no {value!r} in {len(menus)} menus"
        data = {"custom_id": found[0]["custom_id"], "component_type": MENU, "id": 2, "values": [value]}
        return await self._interact(BUTTON, user, int(message["channel_id"]), data, message)

    async def fill(self, user: User, shown: Interaction, **values: str) -> Interaction:
        """Send the form that was shown for a button; what is not required may be left out."""
        await self._world.until(lambda: shown.form)
        assert shown.form is not None
        fields = [each for row in shown.form["components"] for each in row["components"]]
        names = [each["custom_id"] for each in fields if each.get("required")]
        assert values.keys() >= set(names), f"left out {set(names) - values.keys()}"
        rows = [
            {"type": 1, "components": [{"type": 4, "custom_id": name, "value": values.get(name, "")}]}
            for name in (each["custom_id"] for each in fields)
        ]
        data = {"custom_id": shown.form["custom_id"], "components": rows}
        message = self._world.messages[shown.message] if shown.message else None
        return await self._interact(FORM, user, shown.channel, data, message)

    def _event(self, user: User, channel: int, text: str, mentions: Sequence[User]) -> Json:
        here = self._world.channels[channel]
        public = here["type"] != 1
        readable = not public or self._gateway.session.reads or f"<@{APP}>" in text
        written = self._world.write(channel, user, {"content": text})
        named = [*mentions, *([self._world.bot] if f"<@{APP}>" in text else [])]
        event = {
            **written,
            "content": text if readable else "",
            "mentions": [{**each.payload, "member": each.member} for each in named],
        }
        if public:
            event |= {"guild_id": here["guild_id"], "member": user.member}
        return event

    def _command(self, name: str, given: dict[str, Any], typing: str = "") -> Json:
        command = next((each for each in self._world.commands if name in names(each)), None)
        assert command, f"there is no /{name}"
        name = command["name"]  # whatever it is called in the language of the client
        rows = command.get("options") or []
        unknown = [key for key in given if not any(key in names(row) for row in rows)]
        assert not unknown, f"/{name} has no {unknown}"
        given = {next(row["name"] for row in rows if key in names(row)): given[key] for key in given}
        known = {each["name"]: each for each in command.get("options") or []}
        assert all(key in given for key, option in known.items() if option.get("required")), (
            "an option is missing"
        )
        people = {str(each.id): each for each in given.values() if hasattr(each, "payload")}
        options = [
            {
                "name": key,
                "type": known[key]["type"],
                "value": value if typing in names(known[key]) else _value(known[key], value),
            }
            for key, value in given.items()
        ]
        resolved = {
            "users": {key: each.payload for key, each in people.items()},
            "members": {key: {**each.member, "permissions": "0"} for key, each in people.items()},
        }
        return {"id": command["id"], "name": name, "type": 1, "options": options, "resolved": resolved}

    async def _interact(
        self, kind: int, user: User, channel: int, data: Json, message: Json | None = None
    ) -> Interaction:
        now = asyncio.get_running_loop().time()
        at = int(message["id"]) if message else None
        made = Interaction(self._world.next_id(), kind, user, channel, now, message=at)
        self._world.interactions[made.id] = made
        if not self._world.reaches(user, channel):  # the client says so, and sends nothing
            return made
        await self._gateway.dispatch("INTERACTION_CREATE", self.interaction_event(made, data, message))
        return made

    def interaction_event(self, made: Interaction, data: Json, message: Json | None = None) -> Json:
        """Show an interaction as its event does.

        See https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object:
        `app_permissions` and `attachment_size_limit` (bytes) are always there.
        """
        event = {
            "id": str(made.id),
            "application_id": str(APP),
            "type": made.kind,
            "token": made.token,
            "version": 1,
            "data": data,
            "guild_id": str(self._world.guild_of(made.channel)),
            "channel_id": str(made.channel),
            "channel": self._world.channels[made.channel],
            "member": {
                **made.user.member,
                "user": made.user.payload,
                "permissions": str(made.user.permissions),
            },
            "app_permissions": str(self._world.allowed(made.channel)),
            "attachment_size_limit": 10_485_760,
            "locale": "en-US",
            "guild_locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(self._world.guild_of(made.channel))},
            "context": 0,
        }
        return event | ({"message": message} if message else {})


def _value(option: Json, value: Any) -> Any:
    """Send a value as the client would: it lets nothing else be typed."""
    if option["type"] == USER_OPTION:
        return str(value.id)
    choices = [each["value"] for each in option.get("choices") or []]
    assert not choices or value in choices, f"{value!r} is not among {choices}"
    assert option["type"] != WHOLE_OPTION or isinstance(value, int)
    return value
