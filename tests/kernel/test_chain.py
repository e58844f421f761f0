"""Whoever is told a link hashes it back to the head; nobody goes forward."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import pytest

from chatbot.kernel.fair import CHAIN_SPACING, MOST_LINKS, Chain, walked

SECRET = bytes(range(32))


@pytest.mark.parametrize(
    "length",
    [1, 2, CHAIN_SPACING - 1, CHAIN_SPACING, CHAIN_SPACING + 1, 3 * CHAIN_SPACING, 3 * CHAIN_SPACING + 7],
)
def test_each_link_is_the_hash_of_the_next_one_and_the_head_that_of_the_first(length: int) -> None:
    chain = Chain.make(SECRET, length)
    links = [chain.head, *(chain.link(number) for number in range(1, length + 1))]
    for link, following in pairwise(links):
        assert link == hashlib.sha256(b"rabble-chain-v1" + following).digest()
    assert len(set(links)) == length + 1
    assert walked(links[-1], length) == chain.head


@pytest.mark.parametrize("length", [1, CHAIN_SPACING, 2 * CHAIN_SPACING + 3])
def test_a_chain_that_was_written_down_is_the_same_again(length: int) -> None:
    chain = Chain.make(SECRET, length)
    again = Chain.load(chain.head, length, chain.dump())
    assert again == chain
    assert again.link(length) == chain.link(length)


def test_the_secrets_of_another_chain_are_refused() -> None:
    chain, other = Chain.make(SECRET, 1200), Chain.make(b"another", 1200)
    for secrets in (other.dump(), chain.dump()[:-32], chain.dump() + bytes(32), b""):
        with pytest.raises(ValueError, match="another chain"):
            Chain.load(chain.head, 1200, secrets)


@pytest.mark.parametrize("number", [-1, 0, 1201])
def test_there_is_no_link_beyond_its_ends(number: int) -> None:
    with pytest.raises(ValueError, match="links 1 to 1200"):
        Chain.make(SECRET, 1200).link(number)


@pytest.mark.parametrize("length", [-1, 0, MOST_LINKS + 1])
def test_a_chain_has_links_and_not_too_many(length: int) -> None:
    with pytest.raises(ValueError, match=f"1 to {MOST_LINKS} links"):
        Chain.make(SECRET, length)


def test_a_chain_shows_no_secret() -> None:
    assert SECRET.hex() not in repr(chain := Chain.make(SECRET, 3))
    assert repr(chain.link(3))[2:-1] not in repr(chain)
    assert "kept" not in repr(chain)
