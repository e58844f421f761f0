"""Two processes: on one server they share a purse without overdrawing it; of one file there is one owner."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books.ledger import Ledger
from tests.ledger.conftest import postgresql
from tests.ledger.samples import ALICE, POT, wallet
from tests.slow.books import read, taken_aside
from tests.slow.dying import STAKE, prepare_purse, together
from tests.slow.program import Program, log_of
from tests.slow.trouble import opened

if TYPE_CHECKING:
    from pathlib import Path

PURSE = 100


@pytest.mark.postgres
async def test_of_200_stakes_of_10_from_two_processes_a_wallet_of_100_pays_10() -> None:
    async with postgresql() as url:
        await prepare_purse(url, PURSE)
        accepted = await asyncio.to_thread(together, url, 2)
        assert sum(accepted) == PURSE // STAKE
        async with opened(url) as stage:
            balances = await Ledger(stage.store).balances([wallet(ALICE), POT])
        assert balances == {wallet(ALICE): 0, POT: PURSE + 1}  # and the 1 of who opened the table


async def test_a_second_program_on_a_file_refuses_in_one_sentence_until_the_first_is_gone(
    tmp_path: Path,
) -> None:
    database = tmp_path / "rabble.db"
    first = await Program.spawn(database)
    try:
        await first.listening()
        before = read(taken_aside(database, tmp_path / "aside")).rows
        second = await Program.spawn(database)
        said, _ = await second.process.communicate()
        assert (second.process.returncode, said) == (2, b"")
        (sentence,) = log_of(database).read_text().splitlines()
        assert "is in use by another process" in sentence
        assert read(taken_aside(database, tmp_path / "aside")).rows == before
    finally:
        await first.kill()
    third = await Program.spawn(database)
    try:
        assert (await third.listening()).startswith("http://")
    finally:
        await third.kill()


@pytest.mark.postgres
async def test_a_second_program_on_a_server_ends_with_a_sentence_and_takes_nothing_over(
    tmp_path: Path,
) -> None:
    async with postgresql() as url:
        first = await Program.spawn(tmp_path / "first.db", server=url)
        try:
            await first.listening()
            second = await Program.spawn(tmp_path / "second.db", server=url)
            said, _ = await second.process.communicate()
            assert (second.process.returncode, said) == (2, b"")
            (sentence,) = log_of(second.database).read_text().splitlines()
            assert sentence.startswith("The rooms of local are run by another process on the same database (")
            assert sentence.endswith(
                f"process {first.process.pid} on {socket.gethostname()}); stop that one."
            )
            assert first.process.returncode is None
        finally:
            await first.kill()
        third = await Program.spawn(tmp_path / "first.db", server=url)
        try:
            assert (await third.listening()).startswith("http://")
        finally:
            await third.kill()
