from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.members import Members

from .samples import ALICE, AT, BOB, CAROL, HOME

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture
def members(store: Store) -> Members:
    return Members(store)


async def test_a_member_is_found_by_name_in_any_case(members: Members) -> None:
    await members.note(HOME, ALICE, "Alice", AT)
    for name in ("Alice", "alice", "ALICE", "aLiCe"):
        assert await members.find(HOME, name) == [ALICE]
    assert await members.names(HOME, [ALICE, BOB]) == {ALICE: "Alice"}


DISGUISES = [
    *("\uff21\uff4c\uff49\uff43\uff45", "Al\u200bice", "\ufeffAlice", "Al\u00adice", "alice\u202e"),
    *("Al\u0131ce", "Al\u0130ce", "Al\u00edce", "Al\u0456ce", "Ali\u0441e", "Alice\u0301", "Alice\0"),
    *("Alice ", " Alice", "@Alice", "Alic", "%", "_____", ""),
]


async def test_a_disguised_name_is_nobody_elses(members: Members) -> None:
    await members.note(HOME, ALICE, "Alice", AT)
    for disguise in DISGUISES:
        assert await members.find(HOME, disguise) == [], ascii(disguise)
    for disguise in DISGUISES:
        await members.note(HOME, BOB, disguise, AT)
        assert await members.find(HOME, "Alice") == [ALICE], ascii(disguise)
        assert await members.find(HOME, disguise) == [BOB], ascii(disguise)


async def test_the_turkish_letters_are_different_ones(members: Members) -> None:
    capital_dotted, small_dotless = "\u0130", "\u0131"
    await members.note(HOME, ALICE, "I", AT)  # folds to i
    await members.note(HOME, BOB, small_dotless, AT)
    await members.note(HOME, CAROL, capital_dotted, AT)
    assert await members.find(HOME, "i") == [ALICE]
    assert await members.find(HOME, small_dotless) == [BOB]
    assert await members.find(HOME, capital_dotted) == [CAROL]


async def test_a_former_name_leads_only_to_its_new_bearer(members: Members) -> None:
    await members.note(HOME, ALICE, "Alice", AT)
    await members.note(HOME, ALICE, "Queen", AT)
    assert await members.find(HOME, "alice") == []
    await members.note(HOME, BOB, "Alice", AT)
    assert await members.find(HOME, "alice") == [BOB]
    assert await members.names(HOME, [ALICE, BOB]) == {ALICE: "Queen", BOB: "Alice"}


async def test_a_name_of_two_finds_both(members: Members) -> None:
    await members.note(HOME, BOB, "Sam", AT)
    await members.note(HOME, ALICE, "SAM", AT)
    assert await members.find(HOME, "sam") == [ALICE, BOB]


async def test_communities_do_not_know_each_others_members(members: Members) -> None:
    await members.note("far", ALICE, "Alice", AT)
    assert await members.find(HOME, "Alice") == []
    assert await members.names(HOME, [ALICE]) == {}


async def test_a_hostile_name_is_kept_in_a_form_that_can_be_stored(members: Members) -> None:
    for name in ("a\0b", "half \ud800 a pair", "x" * 5000, "ß" * 5000, "'; DROP TABLE member"):
        await members.note(HOME, ALICE, name, AT)
        kept = (await members.names(HOME, [ALICE]))[ALICE]
        assert 0 < len(kept) <= 100
        assert "\0" not in kept
        assert kept.encode()
        assert await members.find(HOME, name) == [ALICE]


async def test_many_may_be_asked_about_at_once(members: Members) -> None:
    await members.note(HOME, ALICE, "Alice", AT)
    crowd = [Seat(f"discord:{number}") for number in range(40_000)]
    assert await members.names(HOME, [*crowd, ALICE]) == {ALICE: "Alice"}
