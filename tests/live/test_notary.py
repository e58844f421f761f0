"""Anybody can check the draws: what was sealed before, told at the end, and comes out the same again."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist import KIT
from chatbot.kernel.fair import commitment
from chatbot.live.room import Channel, Manner, Room
from chatbot.wallets.pledges import Pledges
from tests.live.hosting import restarted
from tests.live.stage import Notebook, Stage, seat
from tests.wallets.samples import doctor

if TYPE_CHECKING:
    from chatbot.wallets.store import Store

pytestmark = pytest.mark.slow

MO = "mo(moderator)"
WHOLE = 60 + 30 + 6


def digest(*parts: bytes) -> str:
    """Hash as the README says: SHA-256 over the parts, each behind its length in four bytes."""
    return hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()


async def test_a_table_is_sealed_as_it_opens_and_its_seed_told_at_its_end(stage: Stage) -> None:
    await stage.want_proofs()
    (pledged,) = await stage.say("ann", "!fair heist")
    pledge = re.search(r"pledge ([0-9a-f]{64})$", pledged)
    await stage.say("ann", "!heist 69")
    (sealed,) = stage.proven()
    seal = re.fullmatch(r"Table a-table-1 is sealed: ([0-9a-f]{64})", sealed)
    settings = stage.table.settings.encode()
    await stage.turn(WHOLE)
    told = re.search(
        r"Table a-table-1 is unsealed: seed ([0-9a-f]+), record ([0-9a-f]{64})", stage.proven()[1]
    )
    assert told
    assert seal
    assert pledge
    seed = bytes.fromhex(told[1])
    version = str(KIT.version).encode()
    assert digest(b"rabble-pledge-v1", b"a-table-1", seed) == pledge[1]
    assert digest(b"rabble-seal-v1", b"a-table-1", b"heist", version, settings, seed) == seal[1]
    checked, hashed = await stage.say("bob", "!verify A-TABLE-1")
    assert checked.startswith("Table a-table-1 checks out: ")
    assert hashed == (
        f"Table a-table-1: pledge {pledge[1]}, seal {seal[1]}, seed {told[1]}, record {told[2]}"
    )


async def test_a_table_that_is_called_off_tells_its_seed_too_and_is_counted(stage: Stage) -> None:
    await stage.want_proofs()
    await stage.say("ann", "!heist 69")
    await stage.say(MO, "!cancel heist")
    assert "is unsealed: seed" in stage.proven()[-1]
    assert "it was called off, and every stake went back" in (await stage.say("bob", "!verify a-table-1"))[0]
    (overview,) = await stage.say("bob", "!fair")
    assert "0 tables were played to the end and one was called off" in overview


async def test_what_opens_a_table_is_told_though_the_next_cannot_be_pledged(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object) -> None:
        raise OSError("no database")

    await stage.want_proofs()
    monkeypatch.setattr(Pledges, "renew", failing)
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    assert re.fullmatch(
        r"Table a-table-1 is unsealed: seed [0-9a-f]+, record [0-9a-f]{64}; !verify a-table-1 checks it\.",
        stage.proven()[-1],
    )


async def test_no_secret_is_told_while_a_table_stands(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    secret = stage.table.seed.hex()
    (answer,) = await stage.say("bob", "!verify a-table-1")
    assert answer == ("> bob: Table a-table-1 is still being played; its secret is told when it is over.")
    await stage.say("bob", "!fair heist")
    assert not any(secret in each.text for each in stage.door.deliveries)


async def test_a_table_that_nobody_has_played_here_is_unknown(stage: Stage, store: Store) -> None:
    for text in ("nonsense", "a-table-2", "%00", "a" * 400):  # a-table-2 is pledged, and not open yet
        (answer,) = await stage.say("bob", f"!verify {text}")
        assert answer.startswith("> bob: No table")
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    await doctor(store, "UPDATE game_table SET room = 'another'")
    assert (await stage.say("bob", "!verify a-table-1"))[0].startswith("> bob: No table")


async def test_a_table_whose_books_were_changed_does_not_check_out(stage: Stage, store: Store) -> None:
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    await doctor(store, "UPDATE journal SET action = replace(action, '69', '68')")
    assert (await stage.say("bob", "!verify a-table-1"))[0].startswith("Table a-table-1 does NOT check out!")


async def test_a_room_hears_no_hashes_unasked(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!sixcard")
    await stage.say("bob", "!set auto")
    await stage.say("bob", "!chicken 3")
    await stage.turn(WHOLE + 300)
    assert not [each.text for each in stage.door.deliveries if re.search(r"[0-9a-f]{16}", each.text)]


async def test_the_chat_of_a_room_that_folds_fine_print_is_told_it_and_the_others_not(store: Store) -> None:
    stage = Stage(store)
    page = Notebook()
    folding = Channel("room:page", page, Manner(fine=True))
    stage.room = Room("room", "town", (*stage.room.channels, folding))
    await stage.open()
    await stage.say("ann", "!sixcard")
    await stage.say("ann", "!set auto")
    hashes = [each.text for each in page.deliveries if re.search(r"[0-9a-f]{16}", each.text)]
    begins = ["Against ann, the house has", "Table ", "To check the house", "Table "]
    assert all(each.startswith(begin) for each, begin in zip(hashes, begins, strict=True))
    assert not [each.text for each in stage.door.deliveries if re.search(r"[0-9a-f]{16}", each.text)]


async def test_a_quiet_room_hears_no_hashes_but_may_ask(stage: Stage) -> None:
    await stage.want_proofs()
    await stage.say(MO, "!set room talk quiet")
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    assert stage.proven() == []
    assert "checks out" in (await stage.say("bob", "!verify a-table-1"))[0]


async def test_fair_tells_at_any_time_what_binds_the_present_table_the_next_and_the_last(
    stage: Stage,
) -> None:
    """Whoever asked before it opened can follow a table to its end by what they are told when they ask."""
    (before,) = await stage.say("bob", "!fair heist")
    await stage.say("ann", "!heist 69")
    standing, following = await stage.say("bob", "!fair heist")
    await stage.turn(WHOLE)
    following_still, last = await stage.say("bob", "!fair heist")
    pledge = before.split("pledge ")[1]
    now = re.fullmatch(r"Bank Heist now: table (\S+), pledge ([0-9a-f]{64}), seal ([0-9a-f]{64})", standing)
    assert now
    assert (now[1], now[2]) == ("a-table-1", pledge)
    assert following_still == following != before
    begins = f"The last table of Bank Heist was a-table-1: pledge {pledge}, seal {now[3]}, record "
    assert last.startswith(begins)
    checked = (await stage.say("bob", "!verify a-table-1"))[1]
    assert last.removeprefix(begins)[:64] in checked
    seed = re.search(r"seed ([0-9a-f]+),", checked)
    assert seed
    assert digest(b"rabble-pledge-v1", b"a-table-1", bytes.fromhex(seed[1])) == pledge


@pytest.mark.parametrize("end", ["played", "called off"])
async def test_the_last_table_is_known_after_a_restart(stage: Stage, end: str) -> None:
    for _ in range(2):
        await stage.say("ann", "!heist 69")
        await (stage.turn(WHOLE + 300) if end == "played" else stage.say(MO, "!cancel heist"))
        await stage.turn(1)
    told = await stage.say("bob", "!fair heist")
    assert told[1].startswith("The last table of Bank Heist was a-table-")
    assert (await (await restarted(stage, "b")).say("bob", "!fair heist"))[1] == told[1]


async def test_what_the_house_fixes_is_told_to_whoever_asks_and_opened_when_it_is_over(stage: Stage) -> None:
    """Against the house alone, over three cards: two choices, and a last card that is nobody's."""
    await stage.say("ann", "!chicken 3")
    await stage.turn(60)
    asked: list[str] = []
    for card in (1, 2):
        _, fixed, _ = await stage.say("bob", "!fair chicken")
        found = re.fullmatch(
            r"Table \S+, fixed by the house already \(SHA-256\): Nash \(house\) ([0-9a-f]{64})", fixed
        )
        assert found
        asked.append(found[1])
        await stage.say("ann", f"!play {card}")
    table = stage.room.tables["chickenpoker"]
    assert table.over
    opened = (await stage.say("bob", f"!verify {table.id}"))[2]
    rows = re.findall(r"(\d+) Nash \(house\) ([0-9a-f]{32}) (\d+)", opened)
    assert [number for number, _, _ in rows] == ["1", "2"]
    assert [commitment(nonce, card) for _, nonce, card in rows] == asked
    (second,) = await stage.say("bob", f"!verify {table.id} 2")
    assert re.findall(r"[0-9a-f]{32}", second) == [rows[1][1]]
    assert await stage.say("bob", f"!verify {table.id} 3") == [
        f"In round 3 of table {table.id} the house fixed nothing."
    ]


async def test_what_the_house_has_set_at_six_card_poker_is_told_and_opened_likewise(stage: Stage) -> None:
    await stage.say("ann", "!sixcard")
    _, fixed, _ = await stage.say("bob", "!fair sixcard")
    await stage.say("ann", "!set auto")
    (table,) = (each for each in stage.room.tables.values() if each.kit.name == "sixcardpoker")
    opened = (await stage.say("bob", f"!verify {table.id}"))[2]
    found = re.search(r": 1 Nash \(house\) ([0-9a-f]{32}) (\d{3} \d\d \d)$", opened)
    assert found
    assert fixed.endswith(f"Nash (house) {commitment(found[1], found[2])}")


async def test_what_the_house_had_fixed_is_opened_though_the_table_is_called_off(stage: Stage) -> None:
    await stage.say("ann", "!sixcard")
    _, fixed, _ = await stage.say("bob", "!fair sixcard")
    await stage.say(MO, "!cancel sixcard")
    (table,) = (each for each in stage.room.tables.values() if each.kit.name == "sixcardpoker")
    opened = (await stage.say("bob", f"!verify {table.id}"))[2]
    found = re.search(r": 1 Nash \(house\) ([0-9a-f]{32}) (\d{3} \d\d \d)$", opened)
    assert found
    assert fixed.endswith(f"Nash (house) {commitment(found[1], found[2])}")


async def test_more_choices_than_an_answer_holds_are_opened_round_by_round(stage: Stage) -> None:
    """Two of the house over eight cards fix two choices in each of seven rounds."""
    await stage.say(MO, "!set chickenpoker house_players 2")
    await stage.say("ann", "!chicken 8")
    await stage.turn(60)
    table = stage.room.tables["chickenpoker"]
    await stage.turn(30 * 7)
    assert table.over
    assert (await stage.say("bob", f"!verify {table.id}"))[2] == (
        f"In table {table.id} the house fixed 14 choices; !verify {table.id} 1 opens those of round 1, "
        "and so on to 7."
    )
    (seventh,) = await stage.say("bob", f"!verify {table.id} 7")
    assert len(re.findall(r"\b7 Nash(?: 2)? \(house\) [0-9a-f]{32} \d", seventh)) == 2


async def test_ones_own_table_comes_first(stage: Stage) -> None:
    for who in ("ann", "bob"):
        await stage.say(who, "!highshow 6 2")
    own = stage.room.tables[f"highshow {seat('bob')}"].id
    assert f"table {own}," in (await stage.say("bob", "!fair highshow"))[0]
    assert f"table {own}," in (await stage.say("ann", "!fair highshow"))[1]
