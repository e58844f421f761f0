"""Five tasks of a moderator at the desk, by mouse and by keyboard, beside what the chat takes for them.

`python -m tests.web.desk.tasks` does them in a browser and prints the table of `docs/moderate/desk.md`; with
`--write` it puts the table there. The seconds are those of the keystroke-level model (see `persons.py`), so
that they do not depend on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from playwright.async_api import expect

from tests.web.desk.pages import as_operator, opened
from tests.web.desk.persons import KEY, Person
from tests.web.desk.staging import staged

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Browser as Operator
    from tests.web.desk.site import Site

PAGE = Path(__file__).parents[3] / "docs" / "moderate" / "desk.md"
BEGIN, END = "<!-- Printed by `python -m tests.web.desk.tasks`. -->", "<!-- So much for the tasks. -->"
TEXT = "{who} drops in with {stake}."
WHY = "the stream ends"
PATIENCE = 60_000  # milliseconds, on a machine that is busy with other things
CANCELLED = "a table cancelled with a reason"

Doing: TypeAlias = Callable[[Person], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Task:
    """A task: what one types in the chat for it, and how it is done at the desk."""

    title: str
    chat: tuple[str, ...]
    by_mouse: Doing
    by_keyboard: Doing
    told: str  # what the desk says, or shows, once it is done


async def find(person: Person, sought: str, option: str) -> None:
    """Go to something by the field that finds it."""
    await person.press("/")
    await person.type(sought)
    await expect(person.page.locator("#found li").first).to_contain_text(option)
    await person.press("Enter")


async def open_section(person: Person, name: str) -> None:
    await person.click(person.page.locator(".desk-list").get_by_role("button", name=name, exact=True))


async def setting_by_mouse(person: Person) -> None:
    await open_section(person, "Bank Heist")
    await person.click(person.page.locator("#set-heist-lobby"))
    await person.press("Control+a")
    await person.type("90")
    await person.click(person.page.locator("#apply"))
    await person.click(person.page.get_by_test_id("go"))


async def setting_by_keyboard(person: Person) -> None:
    await find(person, "lobby", "lobby")
    await person.type("90")
    await person.press("Control+Enter")
    await expect(person.page.locator("#why")).to_be_focused()
    await person.press("Enter")


async def preset_by_mouse(person: Person) -> None:
    await open_section(person, "High Show")
    await person.click(person.page.locator("[data-preset='short']"))
    await person.click(person.page.get_by_test_id("go"))


async def preset_by_keyboard(person: Person) -> None:
    await find(person, "high s", "High Show")
    await person.tab_to("[data-preset='short']")
    await person.press("Enter")
    await expect(person.page.locator("#why")).to_be_focused()
    await person.press("Enter")


async def text_by_mouse(person: Person) -> None:
    page = person.page
    await open_section(person, "Texts")
    await person.click(page.locator("[data-text='entry'] button").first)
    await expect(page.locator("textarea")).to_be_focused()
    await person.press("Control+a")
    await person.type(TEXT)
    await expect(page.locator(".desk-editor [role=status] .desk-bubble")).to_contain_text("drops in")
    await person.click(page.get_by_role("button", name="Tell this", exact=True))


async def text_by_keyboard(person: Person) -> None:
    page = person.page
    await find(person, "texts", "Texts")
    await expect(page.locator("[data-text='entry']")).to_be_visible()
    await person.tab_to("[data-text='entry'] button")
    await person.press("Enter")
    await expect(page.locator("textarea")).to_be_focused()
    await person.press("Control+a")
    await person.type(TEXT)
    await expect(page.locator(".desk-editor [role=status] .desk-bubble")).to_contain_text("drops in")
    await person.press("Enter")


async def undo_by_mouse(person: Person) -> None:
    await open_section(person, "What was done")
    await person.click(person.page.locator("[data-act='undo']").first)
    await person.click(person.page.get_by_test_id("go"))


async def undo_by_keyboard(person: Person) -> None:
    await find(person, "what w", "What was done")
    await expect(person.page.locator("[data-act='undo']").first).to_be_visible()
    await person.tab_to("[data-act='undo']")
    await person.press("Enter")
    await expect(person.page.locator("#why")).to_be_focused()
    await person.press("Enter")


async def cancel_by_mouse(person: Person) -> None:
    await open_section(person, "Running tables")
    await person.click(person.page.locator("[data-act='cancel']").first)
    await expect(person.page.locator("#why")).to_be_focused()
    await person.type(WHY)
    await person.click(person.page.get_by_test_id("go"))


async def cancel_by_keyboard(person: Person) -> None:
    await find(person, "runn", "Running tables")
    await expect(person.page.locator("[data-act='cancel']").first).to_be_visible()
    await person.tab_to("[data-act='cancel']")
    await person.press("Enter")
    await expect(person.page.locator("#why")).to_be_focused()
    await person.type(WHY)
    await person.press("Enter")


TASKS = (
    Task("a setting", ("!set heist lobby 90",), setting_by_mouse, setting_by_keyboard, "90"),
    Task(
        "a preset with its difference",
        ("!preset highshow short", "!settings highshow"),
        preset_by_mouse,
        preset_by_keyboard,
        "short",
    ),
    Task(
        "a text with preview",
        ("!text entry", f'!text entry "{TEXT}"'),
        text_by_mouse,
        text_by_keyboard,
        "drops in with 69 credits",
    ),
    Task("a wrong grant undone", ("!audit 1", "!undo"), undo_by_mouse, undo_by_keyboard, "Bob"),
    Task(
        CANCELLED,
        (f"!cancel heist -- {WHY}",),
        cancel_by_mouse,
        cancel_by_keyboard,
        "was called off",
    ),
)


async def prepare(site: Site, operator: Operator) -> None:
    """Let somebody have been granted credits by mistake, and a heist be open."""
    await site.both.discord.turn(600)  # the games of before are over, and so many may log in again
    for line in ("heist lobby default", "highshow preset default", "texts entry default"):
        await operator.use(site.twitch_room, "set", line)
    await site.both.chat("bob", "!heist 50")
    await operator.use(site.twitch_room, "grant", "bob 500 typed one nought too many")


async def done(task: Task, site: Site, person: Person) -> None:
    """Wait until a task is done."""
    await expect(person.page.locator("#told")).to_contain_text(task.told)
    if task.title == CANCELLED:
        assert all(each.over for each in site.bot.rooms[site.twitch_room].tables.values())


async def measured(site: Site, browser: Browser) -> list[tuple[Task, Person, Person]]:
    """Do all tasks in both ways, and return who has done them."""
    rows: list[tuple[Task, Person, Person]] = []
    operator = await site.operator()
    for task in TASKS:
        persons = []
        for do in (task.by_mouse, task.by_keyboard):
            await prepare(site, operator)
            async with opened(browser) as page:
                await as_operator(page, site, "room")
                person = Person(page)
                await do(person)
                await done(task, site, person)
                persons.append(person)
        rows.append((task, persons[0], persons[1]))
    return rows


def table(rows: list[tuple[Task, Person, Person]]) -> list[str]:
    """Write the table."""
    lines = [
        "| task | at the desk by mouse | at the desk by keyboard | in the chat |",
        "| --- | --- | --- | --- |",
    ]
    for task, mouse, keyboard in rows:
        typed = sum(len(each) + 1 for each in task.chat)
        lines.append(
            f"| {task.title} | {mouse.clicks} clicks, {mouse.keys} keys: {mouse.seconds:.0f} s "
            f"| {keyboard.keys} keys: {keyboard.seconds:.0f} s "
            f"| {typed} keys: {typed * KEY:.0f} s |"
        )
    return lines


async def printed() -> list[str]:
    """Do the tasks on a stage of their own, and return the table."""
    expect.set_options(timeout=PATIENCE)
    async with staged() as (site, browser):
        return table(await measured(site, browser))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.desk.tasks", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/moderate/desk.md")
    asked = parser.parse_args()
    text = "\n".join(asyncio.run(printed()))
    sys.stdout.write(f"{text}\n")
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        PAGE.write_text(
            f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8", newline="\n"
        )


if __name__ == "__main__":
    main()
