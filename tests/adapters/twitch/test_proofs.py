"""What proves the draws is told in a Twitch chat that wants it, and costs little: it rides along."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.adapters.twitch.stage import Stage

MERGED = 480  # characters of lines that go out as one message
HASH = re.compile(r"[0-9a-f]{16}")


async def test_a_chat_is_told_no_hash_unless_somebody_asks(stage: Stage) -> None:
    await stage.open()
    for line in ("!heist 69", "!sixcard 50", "!set auto", "!chicken 3"):
        await stage.say("ann", "ada", line)
    await stage.watch.turn(600)
    assert any("Results: " in each for each in stage.fake.sent("ada"))
    assert not [each for each in stage.fake.sent("ada") if HASH.search(each)]
    for line in ("!fair heist", "!verify a-table-1"):
        assert HASH.search(" ".join(await stage.say("ann", "ada", line)))


async def test_what_binds_a_table_is_told_in_the_message_that_announces_the_table(stage: Stage) -> None:
    await stage.open()
    await stage.say("ada", "ada", "!set room proofs yes", ["broadcaster"])
    for line, word in (("!heist 69", "!heist and an amount"), ("!sixcard 50", "your cards:")):
        announced = [each for each in await stage.say("ann", "ada", line) if word in each]
        assert "; terms " in announced[0]
        await stage.watch.turn(5)


async def test_seed_and_record_are_told_in_one_message(stage: Stage) -> None:
    await stage.open()
    await stage.say("ada", "ada", "!set room proofs yes", ["broadcaster"])
    await stage.say("ann", "ada", "!sixcard 50")
    await stage.say("ann", "ada", "!set auto")
    await stage.watch.turn(5)
    proofs = [each for each in stage.fake.sent("ada") if "is over: seed" in each]
    (told,) = proofs
    line = re.search(r"Table \S+ is over: seed \w{64}, link 1 of chain \w{8}, record \w{64};.*", told)
    assert line is not None
    assert len(line[0]) <= MERGED
