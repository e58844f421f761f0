"""The overlay in a real browser: what is on screen at each moment, and what never happens."""

from __future__ import annotations

import asyncio
import copy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.web.overlay import REPLACED
from tests.web.chromium import CHROMIUM
from tests.web.crowded import rolling
from tests.web.overlay_server import BEFORE, over_at, plate, text, time_of, viewing
from tests.web.recording import kept, over, recording
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.overlay_server import Viewing

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


def moment_of(view: Viewing) -> str:
    """Return the present time of the page as events have it."""
    return datetime.fromtimestamp(view.now, UTC).isoformat()


async def test_a_heist_goes_from_a_bar_to_a_card_to_a_stage_and_away(browser: Browser) -> None:
    events = kept("heist")
    async with viewing(browser, events) as view:
        await view.reach(BEFORE + 0.1)
        assert await plate(view) == {"size": "bar", "moment": "gathering", "game": "heist"}
        assert await text(view, ".needed") == ["1", "1/2", "3", "5", "6"]
        await view.reach(10)
        assert await text(view, ".figure-value") == ["4,120"]
        assert len(await text(view, ".in-crowd .tag")) == 8
        assert await text(view, "[data-state=target] .needed") == ["6"]
        await view.reach(69)
        assert (await plate(view))["size"] == "card"
        assert await text(view, ".large-count") == ["2 of 8"]
        assert await view.page.locator(".in-crowd[data-state=ready]").count() == 2
        end = over_at(events)
        await view.reach(end - 2)
        assert await plate(view) == {"size": "stage", "moment": "beat", "game": "heist"}
        assert await text(view, ".storm-text .verdict") == ["7 of 8 go in"]
        await view.reach(end - 1.5)  # 2 of 6 seconds are left: of 12 bolts 12 × (1 − 2 / 6) are shut
        assert await view.page.locator(".vault-ring .bolt.shut").count() == 8
        await view.reach(end + 0.3)
        assert (await plate(view))["moment"] == "outcome"
        assert await view.page.locator(".cell[data-fate=hidden]").count() == 8
        await view.reach(end + 0.6 + 0.7 * 7 + 0.1)
        assert await view.page.locator(".cell[data-fate=hidden]").count() == 0
        outcomes = over(events)["table"]["view"]["outcomes"]
        away = [each for each in outcomes if each["fate"] in {"escaped", "ran"}]
        assert await text(view, ".outcome-head .verdict") == [f"{len(away)} of 7 got away"]
        await view.reach(end + 20)
        assert await plate(view) == {}
        assert view.complaints == []


async def test_what_is_shown_is_drawn_anew_when_the_room_is_told_in_other_words(browser: Browser) -> None:
    """All words and the theme of a drawing change, which goes on; the same picture again changes nothing."""
    events, in_space = kept("heist"), kept("heist", "space")[0]
    async with viewing(browser, events) as view:
        for seconds, selector, words in (
            (10, ".figure-caption", "aboard"),
            (69, ".getaway .small", "chosen"),
        ):
            latest = [
                each for each in events if "table" in each and time_of(each) <= time_of(events[0]) + seconds
            ]
            await view.reach(seconds)
            before = await plate(view)
            table = [each for each in latest if isinstance(each["table"], dict)][-1]["table"]
            labels = {each: "space" if each.endswith("-look") else words for each in in_space["labels"]}
            at = {"number": latest[-1]["number"], "at": latest[-1]["at"], "tables": [table]}
            await view.send({**in_space, **at, "labels": labels})
            assert await plate(view) == before
            assert await text(view, selector) == [words]
            assert await view.page.locator(".place[data-theme=space] .in-crowd").count() == len(
                table["seats"]
            )
            drawn = await view.page.locator(".plate").element_handle()
            await view.send({**in_space, **at, "labels": labels})
            assert await drawn.evaluate("each => each.isConnected")
    assert view.complaints == []


async def test_a_bank_that_needs_nobody_is_drawn_as_one_for_one_heister_as_the_chat_tells_it(
    browser: Browser,
) -> None:
    events = kept("heist")
    for event in events:
        if isinstance(event.get("table"), dict):
            event["table"]["view"]["banks"][0]["level"] = 0  # as by the rules of the contest
    async with viewing(browser, events) as view:
        await view.reach(BEFORE + 0.1)
        assert (await text(view, ".needed"))[0] == "1"


async def test_a_clock_is_urgent_in_its_last_seconds_and_not_if_it_is_given_more(browser: Browser) -> None:
    """A lobby may be longer after a restart, and the turns of High Show share one clock."""
    async with viewing(browser, kept("heist")) as view:
        urgent = await view.page.evaluate("""async () => {
            const { createClock } = await import("/static/overlay/things.js");
            const { node, tick } = createClock();
            return [60, 3, 60].map((left) => (tick(left, 60), node.classList.contains("urgent")));
        }""")
    assert urgent == [False, True, False]


async def test_a_clock_stands_still_while_no_game_is_played(browser: Browser) -> None:
    events = kept("heist")
    async with viewing(browser, events) as view:
        await view.reach(10)
        last = [each for each in events if time_of(each) <= time_of(events[0]) + 10][-1]
        view.events.clear()
        (before,) = await text(view, ".clock-seconds")
        reason = {"id": "games-stopped", "arguments": {}, "words": "Games are stopped."}
        other = {key: last[key] for key in ("format", "room")} | {"at": moment_of(view)}
        await view.send(other | {"kind": "halted", "number": last["number"] + 1, "reason": reason})
        await view.reach(30)
        assert await text(view, ".clock-seconds") == [before]


async def test_an_overlay_that_is_opened_while_they_storm_in_does_not_say_how_many(browser: Browser) -> None:
    """One of eight has backed out, which only those knew who heard it."""
    events = kept("heist")
    storming = next(
        each for each in events if each["kind"] == "changed" and each["table"]["phase"]["name"] == "storming"
    )
    opened = events[0] | {"tables": [storming["table"]]}
    async with viewing(browser, events) as view:
        await view.reach(92)
        assert await text(view, ".storm-text .verdict") == ["7 of 8 go in"]
    async with viewing(browser, [opened]) as view:
        assert await text(view, ".storm-text .verdict") == ["Storming in"]


async def test_a_double_cross_stops_everything_and_then_the_bag_changes_hands(browser: Browser) -> None:
    events = kept("heist")
    (crosser,) = [each for each in over(events)["table"]["view"]["outcomes"] if each["fate"] == "ran"]
    end = over_at(events)
    revealed = end + 0.6 + 0.7 * 7
    async with viewing(browser, events) as view:
        await view.reach(revealed + 0.75)
        assert await view.page.locator(".frozen").count() == 1
        assert await view.page.locator(".cross-banner, .bag").count() == 0
        before = await text(view, ".cell-amount")
        await view.reach(revealed + 1.3)
        assert await text(view, ".cross-banner") == ["Double cross!\n\nMina"]
        await view.reach(revealed + 2.8)
        assert await view.page.locator(".frozen").count() == 0
        assert await view.page.locator(".cell:has(.bag) .cell-name").inner_text() == "Mina"
        after = await text(view, ".cell-amount")
    assert before != after
    assert after[0] == f"+{crosser['received'] - crosser['cost']:,}"
    assert before[0] == f"+{crosser['received'] - crosser['cost'] - crosser['loot']:,}"


async def test_what_a_snitch_forfeits_is_left_out_at_once_where_nobody_runs_off(browser: Browser) -> None:
    """Nothing is counted down afterwards: that belongs to a double cross."""
    events = kept("heist")
    outcomes = over(events)["table"]["view"]["outcomes"]
    crosser = next(each for each in outcomes if each["fate"] == "ran")
    crosser |= {"act": "guncheck", "fate": "caught", "received": 0, "loot": 0}
    end = over_at(events)
    async with viewing(browser, events) as view:
        await view.reach(end + 0.6 + 0.7 * 7 + 0.5)
        shown = await text(view, ".cell[data-fate=escaped] .cell-amount")
    away = [each for each in outcomes if each["fate"] == "escaped"]
    assert all(each["lost"] for each in away)
    assert shown == [f"+{each['received'] - each['cost']:,}" for each in away]


async def test_the_winner_is_named_once_large_and_then_the_five_best(browser: Browser) -> None:
    events = kept("crowd")
    outcomes = over(events)["table"]["view"]["outcomes"]
    gains = sorted((each["received"] - each["cost"] for each in outcomes), reverse=True)
    end = over_at(events) + rolling(outcomes)[1]
    async with viewing(browser, events) as view:
        await view.reach(end + 0.5)
        assert (await plate(view))["moment"] == "winner"
        assert await text(view, ".winner-gain") == [f"+{gains[0]:,}"]
        assert await view.page.locator(".best").count() == 0
        await view.reach(end + 3.5)
        assert await text(view, ".best-gain") == [f"+{each:,}" for each in gains[:5] if each > 0]
        assert await text(view, "#announcement") == [f"Federal Reserve: {await winner(view)} +{gains[0]:,}"]
        # Eight seconds after the winner the screen is empty again.
        await view.reach(end + 7.9)
        assert await plate(view) != {}
        await view.reach(end + 8.4)
        assert await plate(view) == {}


async def winner(view: Viewing) -> str:
    return (await text(view, ".best-name"))[0]


async def test_of_many_heisters_nothing_is_claimed_before_it_is_shown(browser: Browser) -> None:
    events = kept("crowd")
    outcomes = over(events)["table"]["view"]["outcomes"]
    fates = [each["fate"] for each in outcomes]
    times, end = rolling(outcomes)
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 0.3)
        assert await text(view, ".outcome-head .verdict") == ["Who gets away?"]
        assert await text(view, ".tally:not([data-empty])") == []
        shown = 0
        for seconds in times:
            await view.reach(over_at(events) + seconds + 0.1)
            assert (await text(view, ".outcome-head .verdict"))[0].lower() in {
                "backed out",
                "caught",
                "got away",
            }
            shown += await view.page.locator(".roll-row").count()
            assert sum(map(int, filter(None, await text(view, ".tally-count")))) == shown
        assert await text(view, ".tally-count") == [
            str(fates.count(each)) for each in ("returned", "caught", "escaped")
        ]
        await view.reach(over_at(events) + end - 0.1)
        away, went = fates.count("escaped"), len(fates) - fates.count("returned")
        assert await text(view, ".outcome-head .verdict") == [f"{away} of {went} got away"]


async def test_of_many_who_cross_the_others_two_are_named_and_the_others_counted(browser: Browser) -> None:
    events = kept("crowd")
    outcomes = over(events)["table"]["view"]["outcomes"]
    crossers = [each for each in outcomes if each["fate"] == "escaped"][:4]
    for each in crossers:
        each["fate"] = "ran"
    names = {each["seat"]: each["name"] for each in over(events)["table"]["seats"]}
    first, second, *_ = [names[each["seat"]] for each in crossers]
    async with viewing(browser, events) as view:
        each = rolling([each for each in outcomes if each["fate"] != "ran"])[0]
        await view.reach(over_at(events) + each[-1] + 1.5 + 0.4)
        assert "frozen" in (await view.page.locator(".outcome-scene").get_attribute("class") or "")
        assert await text(view, ".cross-banner") == []
        await view.reach(over_at(events) + each[-1] + 1.5 + 0.5 + 0.1)
        assert await text(view, ".cross-who > *") == [first, "&", second, "+2"]
        await view.reach(over_at(events) + each[-1] + 1.5 + 0.5 + 0.7 + 0.1)
        assert await text(view, ".roll-name") == sorted(names[each["seat"]] for each in crossers)
        assert await view.page.locator(".roll-row .bag").count() == 4


@pytest.mark.parametrize("game", ["chickenpoker", "sixcardpoker", "highshow", "pokermarket"])
async def test_each_game_is_played_on_a_card_revealed_on_a_stage_and_gone(
    browser: Browser, game: str
) -> None:
    events = await recording(game)
    end = over_at(events)
    sizes, moments = set(), set()
    async with viewing(browser, events) as view:
        for seconds in [
            BEFORE,
            *[end * part / 8 for part in range(1, 8)],
            end + 0.4,
            end + 2,
            end + 6,
            end + 9,
        ]:
            await view.reach(seconds)
            shown = await plate(view)
            sizes.add(shown.get("size"))
            moments.add(shown.get("moment"))
        await view.reach(end + 40)
        assert await plate(view) == {}
        assert view.complaints == []
    assert {"card", "stage"} <= sizes
    assert {"play", "winner"} <= moments
    assert moments & {"outcome", "reveal"}


async def test_best_play_at_high_show_is_what_the_review_says_and_not_par(browser: Browser) -> None:
    events = await recording("highshow")
    end = over_at(events)
    (review,) = (each["message"] for each in events if each["kind"] == "told" and each["about"] == "Reviewed")
    best = review["arguments"]["ghost"]["arguments"]["profit"]
    assert f"Best play gets {best} out of this deck" in review["words"].replace(" only", "")
    async with viewing(browser, events) as view:
        await view.reach(end + 5.2)
        assert (await text(view, ".measure-value"))[1] == best.split(" (")[0]
    unreviewed = [each for each in events if each.get("about") != "Reviewed"]
    async with viewing(browser, unreviewed) as view:
        await view.reach(end + 5.2)
        assert await view.page.locator(".measure:visible").count() == 1  # and no other figure in its place


async def test_a_round_of_chicken_poker_is_won_by_whom_the_rules_say(browser: Browser) -> None:
    events = kept("chickenpoker")
    rounds = over(events)["table"]["view"]["history"]
    names = {each["seat"]: each["name"] for each in over(events)["table"]["seats"]}
    first = next(each for each in events if each.get("table", {}) and _rounds(each) == 1)
    async with viewing(browser, events[: events.index(first) + 1]) as view:
        await view.reach(time_of(first) - time_of(events[0]) + 2.9)
        assert await text(view, ".round-seat.takes .round-name") == [names[rounds[0]["winner"]]]
        assert await text(view, ".round-head .verdict") == [
            f"{names[rounds[0]['winner']]} takes {rounds[0]['points']}"
        ]
        shown = [int(each) for each in await text(view, ".card-face")]
        assert shown == [each["card"] for each in rounds[0]["shown"]]
        assert await text(view, ".round-points") == [f"{each} pts" for each in rounds[0]["totals"].values()]


async def test_rounds_that_end_while_another_is_revealed_are_revealed_after_it(browser: Browser) -> None:
    """So does the last one, and then the winner: whoever plays fast sees who takes each round."""
    events = kept("chickenpoker")
    shown = [each for each in events if isinstance(each.get("table"), dict)]
    first = next(each for each in shown if _rounds(each) == 1)
    latest = over(events)
    rounds = latest["table"]["view"]["history"]
    names = {each["seat"]: each["name"] for each in latest["table"]["seats"]}
    begun = events.index(first)
    taken: list[str] = []
    async with viewing(browser, events[: begun + 1]) as view:
        await view.reach(time_of(first) - time_of(events[0]) + 0.1)
        await view.send(latest | {"number": first["number"] + 1})
        while (await plate(view))["moment"] == "reveal":
            await view.page.clock.run_for(100)
            for now in await text(view, ".round-head"):
                if "takes" in now and now not in taken:
                    taken.append(now)
        assert (await plate(view))["moment"] == "winner"
        assert view.complaints == []
    told = [(each["number"], names[each["winner"]], each["points"]) for each in rounds]
    assert [each.split() for each in taken] == [
        ["Round", str(number), "of", str(len(rounds)), name, "takes", str(points)]
        for number, name, points in told
    ]


def _rounds(event: dict[str, Any]) -> int:
    return len(event["table"]["view"]["history"]) if isinstance(event.get("table"), dict) else 0


async def test_a_challenge_says_what_the_rival_types_and_a_duel_shows_no_card_before_its_end(
    browser: Browser,
) -> None:
    events = await recording("duel")
    async with viewing(browser, events) as view:
        await view.reach(2)
        assert (await plate(view))["moment"] == "gathering"
        assert await text(view, ".bar-text .small") == ["joon: !sixcard accept"]
        await view.reach(over_at(events) - 3)
        assert await view.page.locator(".duel-backs .card.back").count() == 12
        assert await view.page.locator(".card-face").count() == 0
        assert await view.page.locator(".duel-side[data-ready=true]").count() == 1
        await view.reach(over_at(events) + 0.6 + 2 * 1.2 + 0.3)
        assert await view.page.locator(".card-face").count() == 12


async def test_a_swap_that_is_proposed_lifts_the_two_cards_and_names_who_answers(browser: Browser) -> None:
    events = await recording("pokermarket")
    turn = next(each for each in events if each["kind"] == "changed" and each["table"]["view"]["market"])
    hands = turn["table"]["view"]["market"]["hands"]
    swap = {"seat": 0, "give": hands[0][2], "partner": 1, "take": hands[1][4]}
    turn["table"]["view"] |= {"phase": "answer", "proposed": swap}
    first, second, _ = [each["name"] for each in turn["table"]["seats"]]
    async with viewing(browser, events[: events.index(turn) + 1]) as view:
        await view.reach(time_of(turn) - time_of(events[0]) + 1)
        moved = await view.page.evaluate(
            "[...document.querySelectorAll('.market-cards')].map("
            "(each) => [...each.children].findIndex((card) => card.matches('.moved')))"
        )
        assert moved == [2, 4]
        assert await text(view, ".market-hand .small") == [f"{first} gives", f"{second}: !accept or !decline"]


async def test_another_game_is_drawn_from_its_seats_and_lines(browser: Browser) -> None:
    events = await recording("pokermarket")
    for each in events:
        if isinstance(each.get("table"), dict):
            each["table"] |= {"game": "fuse", "title": "The Fuse", "view": {"burning": True}}
    async with viewing(browser, events) as view:
        await view.reach(3)
        assert await text(view, ".title") == ["The Fuse"]
        await view.reach(70)
        assert (await plate(view))["size"] == "card"
        await view.reach(over_at(events) + 1)
        assert await view.page.locator(".winner-name").count() == 1
        assert view.complaints == []


async def test_a_table_that_is_called_off_says_so_and_goes(browser: Browser) -> None:
    events = kept("heist")
    opened = next(each for each in events if each["kind"] == "opened")
    over = copy.deepcopy(opened) | {"kind": "changed", "number": opened["number"] + 1}
    over["table"] |= {"over": True, "phase": None}
    voided = {key: opened[key] for key in ("format", "room", "at")} | {
        "kind": "voided", "number": opened["number"] + 2, "table": opened["table"]["id"], "game": "heist"
    }  # fmt: skip
    async with viewing(browser, [events[0], opened, over, voided]) as view:
        await view.reach(1)
        assert (await plate(view))["moment"] == "off"
        assert "Called off: stakes are back" in await text(view, ".verdict")
        await view.reach(6)
        assert await plate(view) == {}


async def test_a_result_is_shown_to_its_end_and_then_the_table_that_was_opened_meanwhile(
    browser: Browser,
) -> None:
    events = kept("heist")
    end = over_at(events)
    last = events[-1]
    opened = copy.deepcopy(next(each for each in events if each["kind"] == "opened"))
    opened |= {"number": last["number"] + 2, "at": last["at"]}
    opened["table"] |= {"id": "the-next"}
    opened["table"]["phase"] |= {"ends": None}
    cleared = {key: last[key] for key in ("format", "room", "at")} | {
        "kind": "cleared", "number": last["number"] + 1, "table": "a-table-1", "game": "heist"
    }  # fmt: skip
    assert opened["table"]["id"] != cleared["table"] == events[1]["table"]["id"]
    async with viewing(browser, [*events, cleared, opened]) as view:
        await view.reach(end + 6.2)
        assert (await plate(view))["moment"] == "outcome"
        assert await view.page.locator(".cell[data-fate=hidden]").count() == 0
        # A picture that comes in between, as after a gap, does not begin it anew.
        await view.send(events[0] | {"number": opened["number"] + 1, "tables": [opened["table"]]})
        assert await view.page.locator(".cell[data-fate=hidden]").count() == 0
        await view.reach(end + 12)
        assert (await plate(view))["moment"] == "winner"
        await view.reach(end + 21)
        assert (await plate(view))["moment"] == "gathering"
        assert await text(view, ".figure-value") == ["200"]
        assert view.complaints == []


@pytest.mark.parametrize("query", ["", "?theme=bank"])
async def test_the_look_is_that_of_the_theme_of_the_chat_unless_another_is_asked_for(
    browser: Browser, query: str
) -> None:
    async with viewing(browser, kept("heist", "space"), query) as view:
        await view.reach(5)
        assert await text(view, ".title") == ["Space Heist"]
        assert await view.page.locator(".glass").count() == (0 if query else 8)  # helmets


# The connection


async def test_a_gap_in_the_numbers_asks_for_a_picture_and_goes_on_from_it(browser: Browser) -> None:
    events = kept("heist")
    tables = [each for each in events if each["kind"] in {"opened", "changed"}]
    async with viewing(browser, events[:1]) as view:
        await view.send(events[1])
        view.server.picture = events[0] | {"number": tables[5]["number"], "tables": [tables[5]["table"]]}
        await view.server.send([tables[5]])
        await view.until(f"document.querySelector('.place').dataset.number === '{tables[5]['number']}'")
        assert view.server.asked == [{"picture": True}]
        assert len(await text(view, ".in-crowd")) == 6


async def test_the_picture_is_right_again_after_a_restart_of_the_server(browser: Browser) -> None:
    events = kept("heist")
    tables = [each for each in events if each["kind"] in {"opened", "changed"}]
    async with viewing(browser, events[:1]) as view:
        await view.send(events[1])
        assert await text(view, ".figure-value") == ["200"]
        view.server.picture = events[0] | {"number": 0, "tables": [tables[7]["table"]]}
        await view.server.cut()
        # At once and without any clock: the first try has no delay but a timer of 0.
        await view.page.clock.run_for(10)
        async with asyncio.timeout(2):
            while view.server.connected < 2:  # noqa: ASYNC110  (a browser has no event to wait for)
                await asyncio.sleep(0.01)
        await view.until("document.querySelectorAll('.in-crowd').length === 8")
        assert view.complaints == []


# What it never does


async def test_nothing_stays_on_screen_when_the_key_in_the_address_is_replaced(browser: Browser) -> None:
    async with viewing(browser, kept("heist")) as view:
        await view.reach(5)
        assert await view.page.locator(".plate").count() == 1
        view.events.clear()
        await view.server.cut(REPLACED)
        await view.until("!document.querySelector('.plate')")
        await view.page.clock.run_for(5_000)
        assert view.server.connected == 1
        assert view.complaints == []


async def test_nothing_stays_on_screen_when_the_key_is_replaced_while_the_connection_is_lost(
    browser: Browser,
) -> None:
    """The new connection is refused, as by a server that is starting; but the page is gone, too."""
    async with viewing(browser, kept("heist")) as view:
        await view.reach(5)
        view.server.replaced = True
        await view.server.cut()
        await view.page.clock.run_for(10)
        await view.until("!document.querySelector('.plate')")
        await view.page.clock.run_for(5_000)
        assert view.server.connected == 1


async def test_nothing_is_drawn_and_nothing_is_computed_while_nothing_happens(browser: Browser) -> None:
    events = kept("heist")
    count = """() => {
        window.asked = 0;
        for (const name of ["setTimeout", "setInterval", "requestAnimationFrame"]) {
          const real = window[name];
          window[name] = (...all) => { window.asked += 1; return real(...all); };
        }
    }"""
    async with viewing(browser, events) as view:
        await view.page.evaluate(count)
        await view.reach(over_at(events) + 30)
        assert await view.page.evaluate("window.asked") > 50
        assert await view.page.evaluate("document.getAnimations().length") == 0
        assert await view.page.evaluate("document.querySelector('.place').children.length") == 0
        await view.page.evaluate("window.asked = 0")
        await view.page.clock.run_for(60_000)
        assert await view.page.evaluate("window.asked") == 0


async def test_the_page_is_transparent_where_nothing_is_drawn(browser: Browser) -> None:
    events = kept("heist")
    async with viewing(browser, events) as view:
        await view.reach(5)
        backgrounds = await view.page.evaluate(
            "[...document.querySelectorAll('html, body, #screen, .place, .plate')]"
            ".map((each) => getComputedStyle(each).backgroundColor)"
        )
    assert set(backgrounds) == {"rgba(0, 0, 0, 0)"}


async def test_without_motion_nothing_moves_and_the_order_is_the_same(browser: Browser) -> None:
    events = kept("heist")
    end = over_at(events)
    moved = """() => {
        window.moved = 0;
        const real = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
          if (frames.some(({ transform }) => transform && transform !== "none")) window.moved += 1;
          return real.call(this, frames, options);
        };
    }"""
    orders = []
    for calm in (True, False):
        async with viewing(browser, events, calm=calm) as view:
            await view.page.evaluate(moved)
            order = []
            for step in range(14):
                await view.reach(end - 1 + step * 0.7)
                order.append(await text(view, ".cell:not([data-fate=hidden]) .cell-name"))
            orders.append(order)
            count = await view.page.evaluate("window.moved")
            assert (count == 0) == calm
    assert orders[0] == orders[1]


async def test_the_heart_beats_once_a_second_whatever_happens_in_the_room(browser: Browser) -> None:
    events = kept("heist")
    end = over_at(events)
    async with viewing(browser, events) as view:
        await view.reach(end - 2.6)
        last = [each for each in events if time_of(each) <= time_of(events[0]) + end - 2.6][-1]
        view.events.clear()
        await view.page.evaluate("""() => {
          window.beats = 0;
          const door = document.querySelector(".vault");
          const real = door.animate.bind(door);
          door.animate = (...all) => { window.beats += 1; return real(...all); };
        }""")
        for more in range(1, 6):
            other = {key: last[key] for key in ("format", "room")} | {"at": moment_of(view)}
            await view.send(other | {"kind": "rested", "number": last["number"] + more, "game": "highshow"})
        assert await view.page.evaluate("window.beats") == 0
        await view.reach(end - 0.7)
        assert await view.page.evaluate("window.beats") == 2


async def test_what_cannot_be_heard_yet_is_not_kept_to_sound_at_once(browser: Browser) -> None:
    async with viewing(browser, kept("heist"), "?sound=1") as view:
        await view.page.evaluate("""() => {
          window.tones = 0;
          const Real = OscillatorNode;
          window.OscillatorNode = class extends Real {
            constructor(...all) { super(...all); window.tones += 1; }
          };
          Object.defineProperty(AudioContext.prototype, "state", { get: () => window.state });
        }""")
        for state, heard in (("suspended", False), ("running", True)):
            await view.page.evaluate("(state) => { window.state = state; }", state)
            await view.reach(3 if state == "suspended" else 20)
            assert (await view.page.evaluate("window.tones") > 0) == heard


@pytest.mark.slow
async def test_sound_is_made_only_where_it_is_asked_for(browser: Browser) -> None:
    events = kept("heist")
    spy = """() => {
        window.tones = 0;
        const Real = OscillatorNode;
        window.OscillatorNode = class extends Real {
          constructor(...all) { super(...all); window.tones += 1; }
        };
    }"""
    for query, made in (("", False), ("?sound=1", True)):
        async with viewing(browser, events, query) as view:
            await view.page.evaluate(spy)
            await view.reach(over_at(events) + 2)
            assert (await view.page.evaluate("window.tones") > 0) == made
