"""The overlay in a real browser: everything stays on its plate and in the margins, at each size and place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.chromium import CHROMIUM
from tests.web.overlay_server import over_at, plate, text, viewing
from tests.web.recording import kept, recording
from tests.web.test_page import HOSTILE, browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


async def test_a_name_that_is_written_from_right_to_left_moves_no_number_of_a_label(browser: Browser) -> None:
    """In Korean the points follow a name at once: 획득 means that somebody takes them."""
    events = await recording("chickenpoker", "ko")
    for event in events:
        if isinstance(event.get("table"), dict):
            for seat in event["table"]["seats"]:
                seat["name"] = "\u05e9\u05e8\u05d4"
    places = """() => {
        const text = document.querySelector(".round-head .verdict").firstChild;
        return [/\\p{Script=Hebrew}/u, /[0-9]/, /획/].map((letter) => {
            const range = document.createRange();
            const at = text.data.search(letter);
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            return range.getBoundingClientRect().left;
        });
    }"""
    async with viewing(browser, events) as view:
        await view.reach(over_at(events))
        while not any("획득" in each for each in await text(view, ".round-head .verdict")):
            await view.page.clock.run_for(100)
        await view.settle()
        found = await view.page.evaluate(places)
    assert found == sorted(found)


INSIDE = """() => {
  const ratio = Math.min(innerWidth / 1920, innerHeight / 1080);
  const shown = [...document.querySelectorAll(".plate *")]
    .filter((each) => each.getClientRects().length && each.textContent.trim());
  const boxes = shown.map((each) => each.getBoundingClientRect());
  const small = shown.filter((each) => !each.children.length && !each.closest("svg, .card")
    && parseFloat(getComputedStyle(each).fontSize) < 32);
  const cut = shown.filter((each) => !each.children.length && each.scrollWidth > each.clientWidth + 1
    && getComputedStyle(each).textOverflow !== "ellipsis" && getComputedStyle(each).display !== "inline"
    && !each.closest("svg"));
  return {
    left: Math.min(...boxes.map(({ left }) => left)) / ratio,
    top: Math.min(...boxes.map(({ top }) => top)) / ratio,
    right: innerWidth / ratio - Math.max(...boxes.map(({ right }) => right)) / ratio,
    bottom: innerHeight / ratio - Math.max(...boxes.map(({ bottom }) => bottom)) / ratio,
    small: small.map((each) => each.className + " " + each.textContent),
    cut: cut.map((each) => each.className + " " + each.textContent),
  };
}"""


GAMES = ["heist", "crowd", "alone", "chickenpoker", "sixcardpoker", "highshow", "pokermarket"]


SHORT = {("heist", "en"), ("crowd", "ko"), ("highshow", "ko")}


LAYOUTS = [
    pytest.param(game, language, marks=() if (game, language) in SHORT else pytest.mark.nightly)
    for game in GAMES
    for language in ("en", "ko")
]


@pytest.mark.parametrize(("game", "language"), LAYOUTS)
async def test_everything_stays_in_the_safe_margins_and_can_be_read_on_a_phone(
    browser: Browser, game: str, language: str
) -> None:
    events = await recording(game, language)
    end = over_at(events)
    async with viewing(browser, events, "?at=bottom-right") as view:
        for seconds in (2, end / 2, end * 0.7, end - 2, end + 1, end + 4, end + 7, end + 11):
            await view.reach(seconds)
            if not await plate(view):
                continue
            found = await view.page.evaluate(INSIDE)
            assert found["small"] == []
            assert found["cut"] == [], (seconds, found["cut"])
            assert min(found["left"], found["right"]) >= 95.9, seconds
            assert found["top"] >= 53.9, seconds
            assert found["bottom"] >= 80, seconds


BESIDE = """(selector) => {
  const plate = document.querySelector(".plate").getBoundingClientRect();
  const boxes = [...document.querySelectorAll(selector)].filter((each) => each.textContent).map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  const within = boxes.every(({ left, right }) => left >= plate.left && right <= plate.right);
  const apart = boxes.every((one, place) => boxes.slice(place + 1).every((other) => one.right <= other.left
    || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top));
  return [boxes.length, within, apart];
}"""


@pytest.mark.parametrize("most", [8_750, 10**15])
async def test_amounts_stand_beside_each_other_and_whole_however_long_they_are(
    browser: Browser, most: int
) -> None:
    events = kept("heist")
    for event in events:
        if isinstance(event.get("table"), dict):
            view = event["table"]["view"]
            event["table"]["seats"], view["crew"] = event["table"]["seats"][:4], view["crew"][:4]
            event["table"]["pot"] = view["staked"] = 4 * most if view["staked"] else 0
            away = {"act": "guncheck", "fate": "escaped", "cost": 0, "received": most, "lost": 0, "loot": 0}
            view["outcomes"] = [each | away for each in view["outcomes"][:4]]
    end = over_at(events)
    async with viewing(browser, events) as view:
        await view.reach(8)
        assert await view.page.evaluate(BESIDE, ".bar-body :is(.title, .figure-value, .clock-seconds)") == [
            3,
            True,
            True,
        ]
        await view.reach(end + 0.6 + 0.7 * 3 + 0.5)
        assert await view.page.evaluate(BESIDE, ".cell-amount") == [4, True, True]
        await view.reach(end + 0.6 + 0.7 * 3 + 1.6 + 0.5)
        assert await view.page.evaluate(BESIDE, ".winner-gain") == [1, True, True]
        await view.reach(end + 0.6 + 0.7 * 3 + 1.6 + 3.5)
        assert await view.page.evaluate(BESIDE, ".best :is(.best-name, .best-gain)") == [8, True, True]


@pytest.mark.parametrize(
    ("game", "seconds", "selector"),
    [
        ("alone", -2, ".storm-text .verdict"),
        ("chickenpoker", -2, ".stake-line"),
        ("highshow", 0.5, ".title"),
    ],
)
async def test_a_sentence_with_the_longest_name_stays_on_its_plate(
    browser: Browser, game: str, seconds: float, selector: str
) -> None:
    events = kept(game)
    for event in events:
        if isinstance(event.get("table"), dict):
            for number, seat in enumerate(event["table"]["seats"]):
                seat["name"] = "W" * 24 + str(number)
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + seconds)
        assert "W0" in (await text(view, selector))[0] or "W1" in (await text(view, selector))[0]
        assert await view.page.evaluate(BESIDE, selector) == [1, True, True]


@pytest.mark.parametrize("name", ["W" * 24, "ann"])
async def test_the_name_of_the_newest_of_a_crowd_ends_where_the_plate_does(
    browser: Browser, name: str
) -> None:
    events = kept("crowd")
    for event in events:
        if isinstance(event.get("table"), dict):
            for seat in event["table"]["seats"]:
                seat["name"] = name
    async with viewing(browser, events, "?at=bottom-right") as view:
        await view.reach(10)
        tag, head, plate = [
            await view.page.locator(each).bounding_box() for each in (".named .tag", ".named .head", ".plate")
        ]
        assert tag is not None
        assert head is not None
        assert plate is not None
    end = tag["x"] + tag["width"]
    assert end <= plate["x"] + plate["width"] + 0.5
    middle = tag["x"] + tag["width"] / 2, head["x"] + head["width"] / 2
    assert (abs(middle[0] - middle[1]) < 1) == (name == "ann")


async def test_the_best_are_seen_whole_where_a_drawing_grows_to_a_card_only(browser: Browser) -> None:
    events = kept("heist")
    async with viewing(browser, events, "?size=card") as view:
        await view.reach(over_at(events) + 3.5)
        assert len(await text(view, ".best-name")) > 1
        found = await view.page.evaluate(BESIDE, ".best :is(.best-name, .best-gain)")
    assert found[1:] == [True, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    "corner",
    [
        "top-left",
        "right",
        *(
            pytest.param(each, marks=pytest.mark.nightly)
            for each in ("top", "top-right", "left", "center", "bottom")
        ),
    ],
)
async def test_it_stands_in_the_corner_that_is_asked_for(browser: Browser, corner: str) -> None:
    events = kept("heist")
    async with viewing(browser, events, f"?at={corner}", (960, 540)) as view:
        await view.reach(69)
        box = await view.page.locator(".plate").bounding_box()
        assert box is not None
        middle = ((box["x"] + box["width"] / 2) / 960, (box["y"] + box["height"] / 2) / 540)
    across = 0 if "left" in corner else 1 if "right" in corner else 0.5
    down = 0 if "top" in corner else 1 if "bottom" in corner else 0.5
    assert abs(middle[0] - across) <= (0.01 if across == 0.5 else 0.35)
    assert abs(middle[1] - down) <= (0.05 if down == 0.5 else 0.45)


async def test_names_above_heads_stay_in_the_safe_margin_at_the_upper_edge(browser: Browser) -> None:
    async with viewing(browser, kept("heist"), "?at=top-right") as view:
        for seconds in (8, 69):
            await view.reach(seconds)
            found = await view.page.evaluate(INSIDE)
            assert found["top"] >= 53.9
            assert found["right"] >= 95.9


@pytest.mark.slow
@pytest.mark.parametrize("size", ["bar", "card", "stage"])
async def test_it_takes_the_size_that_is_asked_for(browser: Browser, size: str) -> None:
    events = kept("heist")
    end = over_at(events)
    sizes = []
    async with viewing(browser, events, f"?size={size}") as view:
        for seconds in (5, 69, end - 2, end + 1, end + 12):
            await view.reach(seconds)
            sizes.append((await plate(view)).get("size"))
        assert view.complaints == []
    wanted = {
        "bar": ["bar"] * 4,
        "card": ["bar", "card", "card", "card"],
        "stage": ["bar", "large", "stage", "stage"],
    }
    assert sizes[:4] == wanted[size]


async def test_a_bar_names_the_winner_alone_and_stays_a_bar(browser: Browser) -> None:
    """The five best would make it as high as a card."""
    events = kept("crowd")
    height = "document.querySelector('.plate').offsetHeight"
    async with viewing(browser, events, "?size=bar") as view:
        await view.reach(10)
        bar = await view.page.evaluate(height)
        await view.reach(over_at(events) + 5)
        assert await text(view, ".best") == []
        assert len(await text(view, ".winner-name")) == 1
        assert await view.page.evaluate(height) <= bar


async def test_a_heist_that_is_no_stage_says_on_its_card_that_they_storm_in(browser: Browser) -> None:
    events = kept("heist")
    async with viewing(browser, events, "?size=card") as view:
        await view.reach(69)
        assert await text(view, ".card-row .small") == ["have decided"]
        await view.reach(over_at(events) - 2)
        assert await text(view, ".card-row .small") == ["Storming in"]


async def test_a_size_that_there_is_not_is_as_none(browser: Browser) -> None:
    async with viewing(browser, kept("heist"), "?size=large") as view:
        await view.reach(69)
        assert (await plate(view))["size"] == "card"


async def test_two_hundred_hostile_names_run_nothing_and_break_no_layout(browser: Browser) -> None:
    events = kept("crowd")
    for event in events:
        if not isinstance(event.get("table"), dict):
            continue
        table = event["table"]
        table["seats"] = [_named(table["seats"][0], number) for number in range(200)]
        crew = table["view"]["crew"]
        table["view"]["crew"] = [crew[0] | {"seat": f"test:h{number}"} for number in range(200)]
        table["view"]["heisters"] = 200
        outcomes = table["view"]["outcomes"]
        if outcomes:
            table["view"]["outcomes"] = [
                outcomes[number % len(outcomes)] | {"seat": f"test:h{number}"} for number in range(200)
            ]
    end = over_at(events)
    async with viewing(browser, events) as view:
        for seconds in (4, 70, end - 2, end + 3, end + 6, end + 10):
            await view.reach(seconds)
            assert await plate(view) != {}
            found = await view.page.evaluate(INSIDE)
            assert min(found["left"], found["right"]) >= 95, seconds
            assert found["top"] >= 53, seconds
        foreign = await view.page.evaluate(
            "document.querySelectorAll('[onerror], [onload], img, script:not([src])').length"
        )
        assert foreign == 0
        assert view.complaints == []


def _named(seat: dict[str, Any], number: int) -> dict[str, Any]:
    return seat | {"seat": f"test:h{number}", "name": HOSTILE[number % len(HOSTILE)] + str(number)}


OVERLAPPING = """() => {
  const shown = [...document.querySelectorAll(".cell-amount")].map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  const beside = shown.flatMap((one, index) => shown.slice(index + 1).map((other) => [one, other]));
  return beside.filter(([one, other]) => Math.abs(one.top - other.top) < 4
    && one.left < other.right && other.left < one.right).length;
}"""


@pytest.mark.parametrize(("count", "times"), [(4, 1), (4, 5), (4, 100), (3, 50), (8, 1), (8, 300)])
async def test_what_heisters_win_stands_apart_however_few_and_rich_they_are(
    browser: Browser, count: int, times: int
) -> None:
    events = kept("heist")
    for outcomes in [
        each["table"]["view"]["outcomes"] for each in events if isinstance(each.get("table"), dict)
    ]:
        del outcomes[count:]
        for outcome in outcomes:
            outcome |= {key: outcome[key] * times for key in ("received", "cost", "loot", "lost")}
    end = over_at(events)
    async with viewing(browser, events) as view:
        for seconds in (end + 0.6 + 0.7 * (count - 0.5), end + 2.9 + 0.7 * count):
            await view.reach(seconds)
            assert await view.page.locator(".cell:not([data-fate=hidden])").count() == count
            assert await view.page.evaluate(OVERLAPPING) == 0


@pytest.mark.parametrize(
    ("times", "staked", "won"),
    [(10**12, "4120T", "1040T"), (10**4, "41.2M", "10.4M"), (1999, "8.23M", "2.07M")],
)
async def test_a_sum_of_many_figures_is_written_briefly_and_nothing_of_it_is_cut_off(
    browser: Browser, times: int, staked: str, won: str
) -> None:
    events = kept("heist")
    for table in [each["table"] for each in events if isinstance(each.get("table"), dict)]:
        table["view"]["staked"] *= times
        for outcome in table["view"]["outcomes"]:
            outcome |= {key: outcome[key] * times for key in ("received", "cost", "loot", "lost")}
    end = over_at(events)
    async with viewing(browser, events) as view:
        await view.reach(10)
        assert await text(view, ".figure-value") == [staked]
        assert (await view.page.evaluate(INSIDE))["cut"] == []
        await view.reach(end + 8.5)
        assert await view.page.evaluate(OVERLAPPING) == 0
        await view.reach(end + 11)
        assert await text(view, ".winner-gain") == [f"+{won}"]
        assert (await view.page.evaluate(INSIDE))["cut"] == []
        await view.reach(end + 15)
        assert (await text(view, ".best-gain"))[0] == f"+{won}"
        written = """async () => {
          const { brief } = await import("/static/overlay/motion.js");
          return [[0, "en"], [999999, "en"], [1999999, "en"], [1040000, "ko"]].map((each) => brief(...each));
        }"""
        assert await view.page.evaluate(written) == ["0", "999,999", "1.99M", "104만"]


@pytest.mark.parametrize("game", ["alone", "chickenpoker", "highshow"])
async def test_a_name_of_wide_letters_stays_on_its_plate_and_whole_when_it_wins(
    browser: Browser, game: str
) -> None:
    events = kept(game)
    for table in [each["table"] for each in events if isinstance(each.get("table"), dict)]:
        table["seats"] = [each | {"name": "W" * 25} for each in table["seats"]]
    end = over_at(events)
    inside = """() => {
      const plate = document.querySelector(".plate").getBoundingClientRect();
      return [...document.querySelectorAll(".title, .verdict, .stake-line, .winner-name")].filter((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const { right, bottom } = range.getBoundingClientRect();
        return right > plate.right - 30 || each.scrollHeight > each.clientHeight + 8;
      }).map((each) => each.className);
    }"""
    async with viewing(browser, events) as view:
        for seconds in (end - 1, end + 1.2, end + 2.5, end + 5.5, end + 9.5):
            await view.reach(seconds)
            if await plate(view):
                assert await view.page.evaluate(inside) == [], seconds


# How far the last of each row is from the right edge of its plate, in pixels of 1920.
EDGE = """(selector) => Math.min(...[...document.querySelectorAll(selector)].map((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return each.closest(".plate").getBoundingClientRect().right - range.getBoundingClientRect().right;
}))"""


@pytest.mark.parametrize("game", ["pokermarket", "highshow"])
async def test_what_many_cards_or_credits_come_to_stays_on_the_plate(browser: Browser, game: str) -> None:
    events = kept(game)
    for view in [each["table"]["view"] for each in events if isinstance(each.get("table"), dict)]:
        if game == "highshow" and view["result"] is not None:
            view["result"] |= {"gain": 15_000}
            view["par"] |= {"value": "15500/1"}
        if game == "pokermarket" and view["ranked"] is not None:
            view["credits"] *= 99_000
            for place in view["ranked"]["places"]:
                place["credits"] *= 10_000
    async with viewing(browser, events) as shown:
        await shown.reach(over_at(events) + 4.5)
        assert (await plate(shown))["moment"] == "outcome"
        assert await shown.page.evaluate(EDGE, ".measure-value, .market-place .best-gain") >= 40
        tracks = "[...document.querySelectorAll('.measure-track')].map((each) => each.clientWidth)"
        assert len(set(await shown.page.evaluate(tracks))) <= 1
