"""The table of the connection's states, walked without any connection."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest

from cogs.twitch.connection import (
    ACTIVITIES,
    IMPOSSIBLE,
    SEND_POLICIES,
    TRANSITIONS,
    Activity,
    ImpossibleEvent,
    SendPolicy,
    after,
)
from cogs.twitch.connection import ConnectionEvent as Event
from cogs.twitch.connection import ConnectionState as State

STAYING = {State.ARRIVING, State.CONNECTED, State.READY}
LEAVING = {
    State.LEAVING, State.LEAVING_FOR_KEY, State.LEAVING_FOR_BOT, State.LEAVING_FOR_OPERATOR,
}  # fmt: skip
ENDED = {State.IDLE, State.FAILED}
MAY_COME = {
    Event.RUN: ENDED,
    Event.CONNECTED: {State.ARRIVING},
    Event.SUBSCRIBED: {State.CONNECTED},
    Event.KEY_NEEDED: STAYING | LEAVING,
    Event.KEY_FOUND: {State.AWAITING_KEY},
    Event.BOT_REPLACED: {State.READY} | LEAVING,
    Event.OPERATOR_NEEDED: STAYING | LEAVING,
    Event.LOST: STAYING | LEAVING,
    Event.STOPPED: set(State),
    Event.LEFT: LEAVING,
}
"""In which states the code that tells of each event can run."""
SEQUENCES, LENGTH = 2000, 40


def follow(*events: Event) -> State:
    """Give the state after a sequence of events, from the beginning."""
    state = State.IDLE
    for event in events:
        state = after(state, event)
    return state


def reached(state: State, without: Event | None = None) -> set[State]:
    """Give the state, and all that may follow it by any events but one."""
    seen, fresh = {state}, [state]
    while fresh:
        following = {to for event, to in TRANSITIONS[fresh.pop()].items() if event is not without} - seen
        seen |= following
        fresh += following
    return seen


def draw(rng: random.Random, state: State, length: int) -> list[State]:
    """Draw a sequence of possible events, and give the states that it comes through."""
    states = [state]
    for _ in range(length):
        states.append(after(states[-1], rng.choice(list(TRANSITIONS[states[-1]]))))
    return states


def finish(rng: random.Random, state: State) -> State:
    """Stop, and go on with anything but another run until nothing more comes but stops."""
    state = after(state, Event.STOPPED)
    while events := set(TRANSITIONS[state]) - {Event.RUN, Event.STOPPED}:
        state = after(state, rng.choice(sorted(events, key=lambda event: event.name)))
    return state


@pytest.mark.parametrize(("state", "event"), list(product(State, Event)), ids=lambda each: each.name)
def test_each_event_leads_from_each_state_to_another_or_is_impossible_and_says_why(
    state: State, event: Event
) -> None:
    if state in MAY_COME[event]:
        assert after(state, event) in State
        return
    with pytest.raises(ImpossibleEvent) as impossible:
        after(state, event)
    assert str(impossible.value) == f"{event.name} in the state {state.name}: {IMPOSSIBLE[event]}"


def test_each_state_is_reached_from_the_first_and_from_each_it_can_be_ready_again() -> None:
    assert reached(State.IDLE) == set(State)
    for state in State:
        assert State.READY in reached(state), state


def test_whatever_happened_before_and_happens_after_it_a_stop_ends_in_a_state_in_which_nothing_runs() -> None:
    rng = random.Random(1)
    for _ in range(SEQUENCES):
        state = draw(rng, State.IDLE, rng.randrange(LENGTH))[-1]
        assert ACTIVITIES[finish(rng, state)] is Activity.NOTHING


def test_after_a_stop_nothing_connects_and_no_key_is_waited_for_before_the_next_run() -> None:
    """An adapter that was stopped while it left for a refused key once waited for another one."""
    for state in State:
        assert reached(after(state, Event.STOPPED), without=Event.RUN) <= {State.LEAVING, *ENDED}, state


def test_lines_are_sent_only_while_there_is_a_connection_that_nobody_leaves() -> None:
    assert {each for each in State if SEND_POLICIES[each] is SendPolicy.SEND} == {
        State.CONNECTED,
        State.READY,
    }


def test_lines_are_given_up_at_once_only_where_no_connection_is_about_to_come() -> None:
    lost = {each for each in State if SEND_POLICIES[each] is SendPolicy.DROP}
    assert lost == {State.AWAITING_KEY, State.FAILED}


def test_nothing_is_sent_between_a_connection_and_the_next_in_any_sequence() -> None:
    rng = random.Random(2)
    for _ in range(SEQUENCES):
        states = draw(rng, State.IDLE, LENGTH)
        for former, state in pairwise(states):
            if SEND_POLICIES[former] is not SendPolicy.SEND and SEND_POLICIES[state] is SendPolicy.SEND:
                assert (former, state) == (State.ARRIVING, State.CONNECTED)


def test_a_connection_is_always_left_before_anything_else_is_begun() -> None:
    for state, following in product(STAYING, State):
        if following in TRANSITIONS[state].values():
            assert ACTIVITIES[following] in {Activity.STAY, Activity.LEAVE}
    for state in LEAVING:
        interrupted = {to for event, to in TRANSITIONS[state].items() if event is not Event.LEFT}
        assert interrupted <= LEAVING


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ((Event.RUN, Event.CONNECTED, Event.SUBSCRIBED), State.READY),
        ((Event.RUN, Event.KEY_NEEDED, Event.LEFT), State.AWAITING_KEY),
        ((Event.RUN, Event.KEY_NEEDED, Event.LEFT, Event.KEY_FOUND), State.ARRIVING),
        ((Event.RUN, Event.KEY_NEEDED, Event.STOPPED, Event.LEFT), State.IDLE),
        ((Event.RUN, Event.KEY_NEEDED, Event.LEFT, Event.STOPPED), State.FAILED),
        ((Event.RUN, Event.CONNECTED, Event.SUBSCRIBED, Event.BOT_REPLACED, Event.LEFT), State.ARRIVING),
        ((Event.RUN, Event.LOST, Event.LEFT), State.IDLE),
        ((Event.RUN, Event.OPERATOR_NEEDED, Event.LEFT), State.FAILED),
        ((Event.RUN, Event.OPERATOR_NEEDED, Event.LEFT, Event.STOPPED), State.FAILED),
        ((Event.RUN, Event.KEY_NEEDED, Event.OPERATOR_NEEDED, Event.LEFT), State.FAILED),
        ((Event.RUN, Event.LOST, Event.KEY_NEEDED, Event.LEFT), State.IDLE),
    ],
)
def test_where_it_goes_is_decided_by_why_it_leaves(events: tuple[Event, ...], state: State) -> None:
    assert follow(*events) is state


def test_what_was_given_up_is_not_waited_for_by_lines_again_before_another_run() -> None:
    failed = follow(Event.RUN, Event.OPERATOR_NEEDED, Event.LEFT)
    assert SEND_POLICIES[after(failed, Event.STOPPED)] is SendPolicy.DROP
    assert SEND_POLICIES[after(failed, Event.RUN)] is SendPolicy.WAIT
