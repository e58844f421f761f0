"""Pauses between tries become longer, each by its own key."""

from __future__ import annotations

from chatbot.runtime.limits import Backoff


def test_each_key_waits_twice_as_long_each_time_up_to_a_limit_until_it_is_forgotten() -> None:
    backoff = Backoff[str](1.5, 10.0)
    assert [backoff.wait("ann") for _ in range(5)] == [1.5, 3.0, 6.0, 10.0, 10.0]
    assert backoff.wait("bob") == 1.5
    backoff.forget("ann")
    assert backoff.wait("ann") == 1.5
    assert backoff.wait("bob") == 3.0


def test_no_pause_is_longer_than_the_limit_not_even_the_first() -> None:
    assert Backoff[str](20.0, 10.0).wait("ann") == 10.0
