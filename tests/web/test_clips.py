"""The moments that somebody would cut out of a stream and send, and what the last plate says of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.chromium import CHROMIUM
from tests.web.crowded import swapped
from tests.web.overlay_server import over_at, plate, text, viewing
from tests.web.recording import kept, over
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.overlay_server import Viewing

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

CARDS = """() => [...document.querySelectorAll(".swap-hand .market-cards")]
  .map((hand) => [...hand.children].map(({ dataset }) => dataset.face + dataset.suit))"""


async def test_the_last_swap_of_a_market_is_seen_before_the_hands_are_ranked(browser: Browser) -> None:
    events = swapped(kept("pokermarket"))
    end = over_at(events)
    async with viewing(browser, events) as view:
        await view.reach(end + 0.3)
        assert (await plate(view))["moment"] == "reveal"
        assert await text(view, ".title") == ["The last swap"]
        before = await view.page.evaluate(CARDS)
        await view.reach(end + 0.9)
        given, taken = await view.page.eval_on_selector_all(
            ".card.moved", "(cards) => cards.map(({ dataset }) => dataset.face + dataset.suit)"
        )
        await view.reach(end + 1.6)
        after = await view.page.evaluate(CARDS)
        await view.reach(end + 4.5)
        assert (await plate(view))["moment"] == "outcome"
        await view.reach(end + 30)
        assert await plate(view) == {}
    assert given in before[0]
    assert taken in before[1]
    ends = {given: taken, taken: given}
    assert after == [[ends.get(card, card) for card in hand] for hand in before]


async def test_a_market_in_which_nothing_was_swapped_ends_with_its_hands(browser: Browser) -> None:
    events = kept("pokermarket")
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 0.3)
        assert (await plate(view))["moment"] == "outcome"


async def _from(view: Viewing, seconds: float) -> float:
    """Return how far the outermost of the highest cards are apart while they move, in pixels."""
    await view.reach(seconds - 0.05)
    await view.page.clock.run_for(100)
    await view.page.evaluate("for (const each of document.getAnimations()) each.pause()")
    gaps: float = await view.page.evaluate("""() => {
      for (const each of document.getAnimations()) each.currentTime = 180;
      const boxes = [...document.querySelectorAll(".card.best")].map((card) => card.getBoundingClientRect());
      return Math.max(...boxes.map(({ left }) => left)) - Math.min(...boxes.map(({ right }) => right));
    }""")
    return gaps


@pytest.mark.parametrize("calm", [False, True])
async def test_equal_highest_cards_collide_and_smoke(browser: Browser, calm: bool) -> None:
    events = kept("chickenpoker")
    async with viewing(browser, events, calm=calm) as view:
        await view.reach(over_at(events) + 1.5)
        apart = await view.page.evaluate(
            """() => { const boxes = [...document.querySelectorAll(".round-seat .card")]
              .map((card) => card.getBoundingClientRect()); return boxes.at(-1).left - boxes[0].right; }"""
        )
        between = await _from(view, over_at(events) + 1.6)
        smoke = await view.page.locator(".smoke").count()
    assert smoke == (0 if calm else 4)
    assert between < (apart + 1 if calm else 2)


@pytest.mark.parametrize("calm", [False, True])
async def test_the_lowest_card_of_a_high_show_comes_out_of_the_dark(browser: Browser, calm: bool) -> None:
    events = kept("highshow")
    lowest = str(over(events)["table"]["view"]["result"]["lowest"])
    async with viewing(browser, events, calm=calm) as view:
        end = over_at(events)
        await view.reach(end + 0.5)
        assert await text(view, ".night") == []
        assert not await view.page.locator(".lowest-value").is_visible()
        await view.reach(end + 1.2)
        assert await text(view, ".night .card") == []
        assert await view.page.locator(".night").is_visible()
        await view.reach(end + 1.9)
        assert await text(view, ".night .card") == [lowest]
        await view.reach(end + 3.2)
        assert await text(view, ".night") == []
        assert await text(view, ".lowest-value") == [lowest]
        assert await view.page.locator(".lowest-value").is_visible()


async def test_best_play_is_what_the_review_says_and_nothing_where_there_is_none(browser: Browser) -> None:
    """Par, what best play makes of a deck on average, is another number, and can be out of reach."""
    events = kept("highshow")
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 5.2)
        assert (await text(view, ".measure .best-name"))[1] == "Best play"
        assert (await text(view, ".measure-value"))[1] == "25"
    silent = [each for each in events if each.get("about") != "Reviewed"]
    assert len(silent) == len(events) - 1
    for number, each in enumerate(silent):
        each["number"] = silent[0]["number"] + number
    async with viewing(browser, silent) as view:
        await view.reach(over_at(silent) + 5.2)
        assert await text(view, ".measure .best-name") == ["Mina"]


def _duel(results: tuple[int, int, int], staked: int, payouts: dict[str, int]) -> list[dict[str, Any]]:
    events = kept("sixcardpoker")
    for view in [each["table"]["view"] for each in events if isinstance(each.get("table"), dict)]:
        view["credits"] = staked
        if view["revealed"] is not None:
            named = dict(zip(("high", "middle", "low"), results, strict=True))
            view["revealed"] |= {"outcome": named, "credits": staked, "payouts": payouts}
    return events


@pytest.mark.parametrize(
    ("results", "staked", "payouts", "winner", "how", "gain"),
    [
        ((1, -1, -1), 50, {}, "Nash (house)", "beats Mina 2–1", "+50"),
        ((1, 1, -1), 50, {"test:Mina": 100}, "Mina", "beats Nash (house) 2–1", "+50"),
        ((-1, 0, -1), 0, {}, "Nash (house)", "beats Mina", "2½–½"),
        ((1, 1, 1), 0, {}, "Mina", "beats Nash (house)", "3–0"),
    ],
)
async def test_the_plate_of_a_duel_says_who_has_won_how_and_what(
    browser: Browser,
    results: tuple[int, int, int],
    staked: int,
    payouts: dict[str, int],
    winner: str,
    how: str,
    gain: str,
) -> None:
    events = _duel(results, staked, payouts)
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 6)
        assert (await plate(view))["moment"] == "winner"
        assert await text(view, ".winner-name") == [winner]
        assert await text(view, ".winner-how") == [how]
        assert await text(view, ".winner-gain") == [gain]
        assert how in (await text(view, "#announcement"))[0]


async def test_the_plate_of_chicken_poker_says_with_how_many_points(browser: Browser) -> None:
    events = kept("chickenpoker")
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 10)
        assert await text(view, ".winner-name") == ["joon"]
        assert await text(view, ".winner-how") == ["17 pts"]
        assert await text(view, ".winner-gain") == ["+150"]


async def test_the_plate_of_a_market_shows_the_hand_that_has_won(browser: Browser) -> None:
    events = kept("pokermarket")
    best = over(events)["table"]["view"]["ranked"]["places"][0]
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 6)
        assert (await plate(view))["moment"] == "winner"
        shown = await view.page.eval_on_selector_all(
            ".winner-hand .card", "(cards) => cards.map(({ dataset }) => dataset.face + dataset.suit)"
        )
    assert shown == best["hand"]


async def test_the_plate_of_a_high_show_says_with_what_profit(browser: Browser) -> None:
    events = kept("highshow")
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 8)
        assert await text(view, ".winner-how") == ["A profit of 26"]  # 15 + 12, less 1
        assert await text(view, ".winner-gain") == ["+2"]


@pytest.mark.parametrize(("staked", "said"), [(0, "A draw: 1½–1½"), (50, "A draw: stakes go back")])
async def test_of_a_draw_only_stakes_go_back_that_there_were(
    browser: Browser, staked: int, said: str
) -> None:
    events = _duel((1, 0, -1), staked, {"test:Mina": staked} if staked else {})
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 6)
        assert await text(view, ".verdict") == [said]


HANDS = """() => [...document.querySelectorAll(".market-place")].map((row) => {
  const cards = [...row.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
  return [Math.min(...cards.map(({ top }) => top)) - 6, Math.max(...cards.map(({ bottom }) => bottom)) + 6];
}).sort((one, other) => one[0] - other[0])"""


@pytest.mark.parametrize("count", [3, 5])
async def test_raised_cards_cover_neither_the_title_nor_the_row_above(browser: Browser, count: int) -> None:
    events = kept("pokermarket")
    for view in [each["table"]["view"] for each in events if isinstance(each.get("table"), dict)]:
        if view["ranked"] is not None:
            places = view["ranked"]["places"]
            for each in places:
                each["hand"] = ["AC", "AS", "QS", "QC", "3H"]
            view["ranked"]["places"] = [places[number % 3] | {"rank": number + 1} for number in range(count)]
    async with viewing(browser, events) as view:
        await view.reach(over_at(events) + 0.6 + count + 0.5)
        rows = await view.page.evaluate(HANDS)
        title = await view.page.locator(".outcome .title, .scene .title").first.bounding_box()
    assert title is not None
    assert len(rows) == count
    assert rows[0][0] >= title["y"] + title["height"]
    assert all(above[1] <= below[0] for above, below in pairwise(rows))


COMMANDS = """() => [...document.querySelectorAll(".plate p")]
  .filter((each) => /!/.test(each.textContent)).map((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  const [text, plate] = [range, each.closest(".body")].map((one) => one.getBoundingClientRect());
  const { overflow, textOverflow } = getComputedStyle(each);
  const inside = text.left >= plate.left && text.right <= plate.right
    && text.top >= plate.top && text.bottom <= plate.bottom;
  return [each.textContent, inside && overflow === "visible" && textOverflow !== "ellipsis"];
})"""


async def test_a_command_on_a_plate_is_never_cut(browser: Browser) -> None:
    """Poker Market asks who is offered a swap, whose name may have 25 wide letters."""
    events = kept("pokermarket")
    for each in events:
        if isinstance(each.get("table"), dict):
            for seat in each["table"]["seats"]:
                seat["name"] = "W" * 24 + seat["name"][0]
            view = each["table"]["view"]
            if view["market"] is not None:
                hands, seat = view["market"]["hands"], view["market"]["turn"] % 3
                partner = (seat + 1) % 3
                view["proposed"] = {
                    "seat": seat,
                    "give": hands[seat][0],
                    "partner": partner,
                    "take": hands[partner][0],
                }
    async with viewing(browser, events) as view:
        await view.reach(66)
        found = await view.page.evaluate(COMMANDS)
    assert [whole for said, whole in found if "!accept or !decline" in said] == [True]


FINISH = """async (table) => (await import("/static/finish.js")).finishOf(table, table.view.outcomes[0].seat,
  (id, values) => [id, ...Object.values(values ?? {})].join(" "), "300 credits")"""


@pytest.mark.parametrize(
    ("became", "said", "kind"),
    [
        (("intel", "escaped", 660), "overlay-you-spent 660", "drawn"),
        (("guncheck", "escaped", 0), "overlay-you-away", "drawn"),
        (("deposit", "escaped", 660), "overlay-you-won 420", "won"),
        (("doublecross", "trapped", 0), "overlay-you-caught 240", "lost"),
    ],
)
async def test_who_got_away_and_spent_it_all_has_not_lost_it(
    browser: Browser, became: tuple[str, str, int], said: str, kind: str
) -> None:
    act, fate, put_by = became
    events = kept("heist")
    table = over(events)["table"]
    ended = {"act": act, "fate": fate, "put_by": put_by, "cost": 240, "received": 0, "loot": 0, "lost": 0}
    table["view"]["outcomes"][0] |= ended
    for each in table["view"]["outcomes"][1:]:
        each |= {"fate": "caught", "received": 0, "cost": 90, "act": "guncheck"}
    away = fate == "escaped"
    async with viewing(browser, events) as view:
        found = await view.page.evaluate(FINISH, table)
        assert found == {"kind": kind, "text": f"{said} 300 credits" if kind != "won" else said}
        await view.reach(over_at(events) + 0.6 + 0.7 * 8)
        assert await text(view, ".outcome-head .verdict") == [f"{int(away)} of 8 got away"]
        spent = act == "intel"
        assert ("660 spent" in await text(view, ".cell-amount")) == spent
        assert ("\u2212240" in await text(view, ".cell-amount")) == (not spent and kind != "won")
