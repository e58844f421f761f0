"""Anybody can check the draws: what was settled before, told at the end, and comes out the same again."""

from __future__ import annotations

import asyncio
import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from chatbot.kernel.fair import Chain, commitment, walked
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.chains import Sealer
from chatbot.ledger.store import backup, schema
from chatbot.ledger.store.store import Store
from chatbot.ledger.store.writes import Contradiction
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.room import Room
from tests.bot.hosting import restarted
from tests.bot.sources import KEY, LINKS
from tests.bot.stage import Notebook, Stage, seat
from tests.ledger.samples import AT, doctor

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

MO = "mo(moderator)"
WHOLE = 60 + 30 + 6
HASH = r"([0-9a-f]{64})"


def digest(*parts: bytes) -> str:
    """Hash as the documentation says: SHA-256 over the parts, each behind its length in four bytes."""
    return hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()


def head_of(seed: str, link: str) -> str:
    """Hash a seed as often as its link says, as the documentation says."""
    value = bytes.fromhex(seed)
    for _ in range(int(link)):
        value = hashlib.sha256(b"rabble-chain-v1" + value).digest()
    return value.hex()


async def test_the_head_is_known_before_the_terms_as_it_opens_and_the_seed_at_its_end(stage: Stage) -> None:
    await stage.want_proofs()
    (promised,) = await stage.say("ann", "!fair heist")
    head = re.search(rf"link 1 of chain {HASH}\. Hashed once", promised)
    await stage.say("ann", "!heist 69")
    bound = re.fullmatch(
        rf"Table a-table-1 takes link 1 of chain ([0-9a-f]{{8}}); terms {HASH}", stage.proven()[0]
    )
    settings = stage.table.settings.encode()
    await stage.turn(WHOLE)
    told = re.search(
        rf"Table a-table-1 is over: seed {HASH}, link (1) of chain ([0-9a-f]{{8}}), record {HASH};",
        stage.proven()[-1],
    )
    assert head
    assert bound
    assert told
    assert head_of(told[1], told[2]) == head[1]
    assert bound[1] == told[3] == head[1][:8]
    version = str(stage.table.kit.rules.version).encode()
    terms = digest(b"rabble-terms-v1", b"a-table-1", b"heist", version, settings, head[1].encode(), b"1")
    assert terms == bound[2]
    checked, hashed = await stage.say("bob", "!verify A-TABLE-1")
    assert checked.startswith("Table a-table-1 checks out: ")
    assert hashed == (
        f"Table a-table-1: seed {told[1]}, link 1 of chain {head[1]}; terms {terms}, record {told[4]}"
    )


async def test_all_games_of_a_room_take_their_secrets_from_one_chain_in_the_order_of_their_opening(
    stage: Stage,
) -> None:
    """While one stands at a time: what was told of the chain once binds all that comes."""
    await stage.want_proofs()
    (_, promised) = await stage.say("bob", "!fair")
    head = re.search(rf"chain {HASH}", promised)
    duel = "!sixcard", "!set auto"
    for line in (*duel, "!heist 69", "!chicken 3", "!highshow 6 2", *duel):
        await stage.say("ann", line)
        if line not in duel:
            await stage.say(MO, f"!cancel {line.split()[0][1:]}")
    await stage.turn(1000)
    told = [re.search(rf"seed {HASH}, link (\d+) of", each) for each in stage.proven()]
    found = [each.groups() for each in told if each]
    assert head
    assert [link for _, link in found] == ["1", "2", "3", "4", "5"]
    assert {head_of(*each) for each in found} == {head[1]}


async def test_who_sits_at_a_table_learns_nothing_of_its_draws_from_the_ends_of_others(stage: Stage) -> None:
    """The attack: hash all that is told of tables that opened later, and look for the seed of one's own.

    It finds the seed wherever a later link of the same chain is told.
    """
    await stage.want_proofs()
    await stage.say("ann", "!chicken 8")
    own = stage.room.tables["chickenpoker"]
    for _ in range(3):
        for who in ("bob", "cat", "dan"):
            await stage.say(who, "!sixcard")
        for who in ("cat", "bob", "dan"):
            await stage.say(who, "!set auto")
    stage = await _again(stage)
    assert not stage.room.tables["chickenpoker"].over
    await stage.say("bob", "!sixcard")
    await stage.say("bob", "!set auto")
    told = [bytes.fromhex(each) for text in stage.proven() for each in re.findall(HASH, text)]
    async with stage.store.reading() as connection:
        seeds = (await connection.execute(select(schema.game_table.c.seed))).scalars().all()
    assert seeds.count(None) == 1, "its own alone"
    told += [each for each in seeds if each is not None]
    assert len(told) > 10
    known = {walked(each, steps) for each in told for steps in range(12)}
    assert own.seed not in known
    later = Chain.load(bytes.fromhex(own.secret.chain), LINKS, await _secrets(stage, own.secret.chain))
    assert walked(later.link(own.secret.link + 3), 3) == own.seed, "else the attack would prove nothing"


async def _again(stage: Stage) -> Stage:
    """Start the house again in the middle; what was told before was told."""
    after = await restarted(stage, "b")
    after.adapter.deliveries[:0] = stage.adapter.deliveries
    return after


async def _secrets(stage: Stage, head: str) -> bytes:
    row = schema.chain.c
    async with stage.store.reading() as connection:
        found = (await connection.execute(select(row.sealed).where(row.head == head))).scalar_one()
    return Sealer(KEY).unseal(found, f"chain {head} of room")


async def test_a_table_that_is_called_off_tells_its_seed_too_and_is_counted(stage: Stage) -> None:
    await stage.want_proofs()
    await stage.say("ann", "!heist 69")
    await stage.say(MO, "!cancel heist")
    assert "is over: seed" in stage.proven()[-1]
    assert "it was called off, and every stake went back" in (await stage.say("bob", "!verify a-table-1"))[0]
    overview, _ = await stage.say("bob", "!fair")
    assert "0 tables were played to the end and one was called off" in overview


async def test_a_chain_that_comes_to_its_end_is_followed_by_another_whose_head_is_told(store: Store) -> None:
    stage = Stage(store)
    stage.bot = stage.bot_of(replace(stage.sources, links=2))
    await stage.open()
    await stage.want_proofs()
    for _ in range(5):
        await stage.say("ann", "!sixcard")
        await stage.say("ann", "!set auto")
    told = [re.search(rf"seed {HASH}, link (\d+) of", each) for each in stage.proven()]
    found = [each.groups() for each in told if each]
    assert [link for _, link in found] == ["1", "2", "1", "2", "1"]
    heads = [head_of(*each) for each in found]
    assert len(set(heads)) == 3
    made = [
        re.search(rf"of 2 tables to come here are settled: chain {HASH}", each) for each in stage.proven()
    ]
    assert [each[1] for each in made if each][:2] == [heads[2], heads[4]], "and one waits already"


async def lose_the_key(stage: Stage) -> Stage:
    """Start the house again with another key."""
    after = Stage(stage.store, run="b")
    after.bot = after.bot_of(replace(after.sources, key=b"another" + KEY[7:]))
    after.watch.set_calendar(stage.watch.now())
    return await after.open()


async def test_what_is_lost_with_its_key_is_called_off_in_public_and_a_new_chain_begins(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!heist 5")
    await stage.say("cat", "!sixcard 50")
    after = await lose_the_key(stage)
    (told,) = after.said()
    found = re.fullmatch(
        r"The secrets of (.*) cannot be read any more, so what was being played is called off and every "
        rf"stake has been returned. New ones are settled: chain {HASH}",
        told,
    )
    assert found
    assert sorted(found[1].split(", ")) == ["Bank Heist", "Six Card Poker"]
    assert all(table.over for table in after.room.tables.values())
    assert [await after.credits(who) for who in ("ann", "bob", "cat")] == [240, 240, 240]
    assert found[2] in (await after.say("ann", "!fair"))[1]
    assert "!heist and an amount" in (await after.say("ann", "!heist 69"))[0]
    (verdict,) = await after.say("bob", "!verify a-table-1")
    assert verdict == (
        "The secret of table a-table-1 was lost while it stood, so it was called off and cannot be played "
        "again."
    )
    again = await lose_the_key(after)
    assert again.said()[0].startswith("Bank Heist goes on after a break")


async def test_a_lost_key_is_told_though_nothing_was_being_played_and_what_is_over_still_checks_out(
    stage: Stage,
) -> None:
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE + 300)
    after = await lose_the_key(stage)
    (told,) = after.said()
    assert told.startswith("The secrets that were settled for the tables of this room cannot be read any")
    assert (await after.say("bob", "!verify a-table-1"))[0].startswith("Table a-table-1 checks out: ")
    assert (await lose_the_key(after)).said() == [], "once is enough"


async def test_a_room_hears_nothing_of_a_key_that_is_new_with_it(store: Store) -> None:
    assert (await lose_the_key(Stage(store))).said() == []


async def test_links_that_were_told_since_a_backup_are_not_dealt_again_when_it_is_put_back(
    tmp_path: Path,
) -> None:
    """Else whoever had noted the seeds would know the draws of all tables up to where it was."""
    file, url = tmp_path / "rabble.db", f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}"
    store = await Store.open(url)
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 69")
    copy = await asyncio.to_thread(backup.back_up, file, tmp_path / "backups", AT)
    known = {stage.table.seed}
    await stage.turn(WHOLE + 300)
    for _ in range(2):
        await stage.say("ann", "!sixcard")
        known |= {each.seed for each in stage.room.tables.values()}
        await stage.say("ann", "!set auto")
    await store.close()
    await asyncio.to_thread(backup.restore, copy, file, AT)
    store = await Store.open(url)
    after = await Stage(store, run="b").open()
    assert after.said()[0].startswith("The secrets of Bank Heist cannot be read any more, so what was being")
    assert await after.credits("ann") == 240
    for _ in range(3):
        await after.say("ann", "!sixcard")
        assert known.isdisjoint({each.seed for each in after.room.tables.values()})
        await after.say("ann", "!set auto")
    assert (await restarted(after, "c")).said() == []
    await store.close()


async def test_no_chain_is_made_while_one_is_free(stage: Stage) -> None:
    for _ in range(3):
        await stage.say("ann", "!sixcard")
        await stage.say("bob", "!sixcard")
        for who in ("ann", "bob"):
            await stage.say(who, "!set auto")
    assert await used(stage.store) == [3, 3, 0], "the last one waits for a third table at once"


async def used(store: Store) -> list[int]:
    """Tell how many links each chain has dealt."""
    async with store.reading() as connection:
        found = await connection.execute(select(schema.chain.c.used).order_by(schema.chain.c.number))
        return list(found.scalars())


async def _open_a_duel_at_once_with_talk(stage: Stage) -> list[str]:
    """Say the line that opens a table while another is being answered, so that both wait together."""
    heard = len(stage.adapter.deliveries)
    lines = ("ann", "hello"), ("ann", "hello again"), ("ann", "!sixcard")
    await asyncio.gather(*(stage.bot.converse(stage.line(*each)) for each in lines))
    await stage.watch.turn()
    return stage.said(heard)


async def test_a_link_whose_opening_could_not_be_committed_is_dealt_to_the_next_table(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, failed = UnitOfWork.commit, list[bool]()

    async def fail(unit: UnitOfWork) -> None:
        if not failed:
            failed.append(True)
            raise Contradiction("somebody was quicker")
        await commit(unit)

    await stage.say("ann", "hello")
    with monkeypatch.context() as patch:
        patch.setattr(UnitOfWork, "commit", fail)
        await _open_a_duel_at_once_with_talk(stage)  # by itself, after it was taken back
    (first,) = stage.room.tables.values()
    assert (first.id, first.secret.link) == ("a-table-2", 1)  # the id may be in the database after all
    await stage.say("ann", "!set auto")
    assert await used(stage.store) == [1, 0]


async def test_a_link_is_spent_though_the_answer_to_its_opening_was_lost(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = UnitOfWork.commit

    async def lose(unit: UnitOfWork) -> None:
        opens = any(each.posting.opening for each in unit._books.accepted)
        await commit(unit)
        if opens:
            raise LostAnswer("a unit")

    await stage.say("ann", "hello")
    with monkeypatch.context() as patch:
        patch.setattr(UnitOfWork, "commit", lose)
        await _open_a_duel_at_once_with_talk(stage)
    assert (await used(stage.store))[0] == 1
    await stage.say("bob", "!sixcard")
    links = [(each.id, each.secret.chain, each.secret.link) for each in stage.room.tables.values()]
    assert len({(chain, link) for _, chain, link in links}) == len({table for table, *_ in links}) == 2


async def test_a_room_that_is_taken_back_reads_its_chains_again(stage: Stage) -> None:
    """Another process has run it meanwhile, and links that it dealt are known."""
    await stage.say("ann", "!sixcard")
    await stage.say("ann", "!set auto")
    assert "link 2 of chain" in (await stage.say("ann", "!fair"))[1]
    await stage.bot.control.stop([stage.room], "games-held")
    other = await restarted(stage, "b")
    for _ in range(2):
        await other.turn(1)
        await other.say("bob", "!sixcard")
        await other.say("bob", "!set auto")
    await stage.bot.control.resume(stage.room)
    assert "link 4 of chain" in " ".join(await stage.say("ann", "!fair"))
    assert "!verify b-table-2" in " ".join(await stage.say("ann", "!fair sixcard"))
    await stage.say("ann", "!sixcard")
    assert [each.secret.link for each in stage.room.tables.values() if not each.over] == [4]


async def test_seeds_do_not_repeat_after_a_restart(stage: Stage) -> None:
    seeds = set()
    for run in ("a", "b", "c"):
        stage = stage if run == "a" else await restarted(stage, run)
        await stage.say("ann", "!sixcard")
        (table,) = (each for each in stage.room.tables.values() if each.kit.name == "sixcardpoker")
        seeds.add(table.seed)
        await stage.say("ann", "!set auto")
    assert len(seeds) == 3


async def test_no_secret_is_told_while_a_table_stands(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    secret = stage.table.seed.hex()
    (answer,) = await stage.say("bob", "!verify a-table-1")
    assert answer == ("> bob: Table a-table-1 is still being played; its secret is told when it is over.")
    await stage.say("bob", "!fair heist")
    assert not any(secret in each.text for each in stage.adapter.deliveries)


async def test_a_table_that_nobody_has_played_here_is_unknown(stage: Stage, store: Store) -> None:
    for text in ("nonsense", "a-table-2", "%00", "a" * 400):
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
    assert not [each.text for each in stage.adapter.deliveries if re.search(r"[0-9a-f]{16}", each.text)]


async def test_the_chat_of_a_room_that_folds_fine_print_is_told_it_and_the_others_not(store: Store) -> None:
    stage = Stage(store)
    page = Notebook()
    folding = Channel("room:page", "test", page, Manner(fine=True))
    stage.room = Room("room", "town", (*stage.room.channels, folding))
    await stage.open()
    await stage.say("ann", "!sixcard")
    await stage.say("ann", "!set auto")
    hashes = [each.text for each in page.deliveries if re.search(r"[0-9a-f]{16}", each.text)]
    begins = [
        "The secrets of",
        "Against ann, the house has",
        "Table ",
        "The secrets",
        "To check the house",
        "Table ",
    ]
    assert all(each.startswith(begin) for each, begin in zip(hashes, begins, strict=True))
    assert not [each.text for each in stage.adapter.deliveries if re.search(r"[0-9a-f]{16}", each.text)]


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
    after, last = await stage.say("bob", "!fair heist")
    head = before.split("link 1 of chain ")[1][:64]
    now = re.fullmatch(rf"Bank Heist now: table (\S+), link 1 of chain {HASH}; terms {HASH}", standing)
    assert now
    assert (now[1], now[2]) == ("a-table-1", head)
    assert head not in following, "whose table stands deals nothing"
    assert f"link 2 of chain {head}" in after
    begins = f"The last table of Bank Heist was a-table-1: link 1 of chain {head}; terms {now[3]}, record "
    assert last.startswith(begins)
    checked = (await stage.say("bob", "!verify a-table-1"))[1]
    assert last.removeprefix(begins)[:64] in checked
    seed = re.search(rf"seed {HASH},", checked)
    assert seed
    assert head_of(seed[1], "1") == head


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


async def test_however_many_tables_are_checked_only_the_latest_verdicts_are_kept(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.tables.fairness.CACHED_VERDICTS", 2)
    tables = []
    for number in (1, 2, 3):
        await stage.say("ann", "!heist 20")
        tables.append(f"a-table-{number}")
        await stage.say(MO, "!cancel heist")
        await stage.say("bob", f"!verify {tables[-1]}")
    assert [*stage.bot.parts.fairness._verdicts] == tables[1:]


async def test_ones_own_table_comes_first(stage: Stage) -> None:
    for who in ("ann", "bob"):
        await stage.say(who, "!highshow 6 2")
    own = stage.room.tables[f"highshow {seat('bob')}"].id
    assert f"table {own}," in (await stage.say("bob", "!fair highshow"))[0]
    assert f"table {own}," in (await stage.say("ann", "!fair highshow"))[1]


async def test_while_the_books_are_checked_no_chain_is_promised_that_the_next_table_does_not_take(
    stage: Stage,
) -> None:
    (promised,) = await stage.say("ann", "!fair heist")
    checking = Stage(stage.store, run="b")
    checking.bot.control.hold()
    await checking.open()
    assert (await checking.say("ann", "!fair"))[1:] == [
        "The books are being checked before anything is played; try again in a moment."
    ]
    await checking.bot.control.release()
    assert await checking.say("ann", "!fair heist") == [promised]
