"""Anybody can check the draws: what was sealed before, told at the end, and comes out the same again."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from chatbot.wallets.pledges import Pledges
from tests.wallets.samples import doctor

if TYPE_CHECKING:
    from chatbot.wallets.store import Store
    from tests.live.stage import Stage

pytestmark = pytest.mark.slow

MO = "mo(moderator)"
WHOLE = 60 + 30 + 6


def digest(*parts: bytes) -> str:
    """Hash as the README says: SHA-256 over the parts, each behind its length in four bytes."""
    return hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()


async def test_a_table_is_sealed_as_it_opens_and_its_seed_told_at_its_end(stage: Stage) -> None:
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
    assert digest(b"rabble-pledge-v1", b"a-table-1", seed) == pledge[1]
    assert digest(b"rabble-seal-v1", b"a-table-1", b"heist", b"1", settings, seed) == seal[1]
    (checked,) = await stage.say("bob", "!verify A-TABLE-1")
    assert checked.startswith("Table a-table-1 checks out: ")
    assert seal[1] in checked
    assert told[2] in checked


async def test_a_table_that_is_called_off_tells_its_seed_too_and_is_counted(stage: Stage) -> None:
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


async def test_a_quiet_room_hears_no_hashes_but_may_ask(stage: Stage) -> None:
    await stage.say(MO, "!set room talk quiet")
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    assert stage.proven() == []
    assert "checks out" in (await stage.say("bob", "!verify a-table-1"))[0]
