"""What is told of a heist: how it begins, the moment inside, and the outcome, with the winner first.

A whole heist is at most six lines in public: who opens it, the first bank in reach, the target, the storming,
the outcome and the results. Who joins, paydays, jobs and guards are told where a room wants all of it.
What players of the house are paid, whether they find a job or lose a guard, is nobody's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.chat.board import bank_name, result, signed
from chatbot.games.heist.rules import moves
from chatbot.games.heist.rules.moves import Act, Fate
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.lobby import Started, tell_started
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say, Talk, Tellers, names, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


MOST_RESULTS = 20  # in the one line for all, if it has room for them; the others hear their own
MOST_FINGERS = 2  # that are told of one by one; the results say what came of the others
_TOLD = {Fate.ESCAPED, Fate.CAUGHT}
"""What became of somebody alone, where the outcome has told it already: then the sum is all that is new."""
_PLAIN = set(Act) - {Act.ALL_IN, Act.INTEL, Act.DEPOSIT}
FEW = 34  # percent: DeepBot's border between few and most, without its gaps


def narrate(event: moves.Event) -> Iterable[Say]:
    """Say what happened, in the words of the game."""
    return told(event, _TELLERS, "heist")


def _opened(event: moves.Opened) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.seat), "stake": Credits(event.credits), "seconds": event.seconds}
    yield Say(Message("heist-opened", args))


def _joined(event: moves.Joined) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.seat), "stake": Credits(event.credits), "crew": event.crew}
    yield Say(Message("heist-joined" if event.credits else "heist-joined-honour", args), talk=Talk.FULL)
    yield Say(Message("heist-you-joined", args), to=event.seat, talk=Talk.FULL)


def _left(event: moves.Left) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.seat), "stake": Credits(event.credits), "crew": event.crew}
    yield Say(Message("heist-left", args), talk=Talk.FULL)
    yield Say(Message("heist-you-left", args), to=event.seat, talk=Talk.FULL)


def _reached(event: moves.Reached) -> Iterator[Say]:
    message = Message("heist-reached", {"bank": bank_name(event.bank), "crew": event.crew})
    yield Say(message, talk=Talk.FULL if event.further else Talk.NORMAL)


def _abandoned(event: moves.Abandoned) -> Iterator[Say]:
    yield Say(Message("heist-abandoned", {"crew": event.crew, "wanted": event.wanted}))


def _targeted(event: moves.Targeted) -> Iterator[Say]:
    args: Arguments = {
        "bank": bank_name(event.bank),
        "crew": event.crew,
        "rabble": event.rabble,
        "staked": Credits(event.staked),
        "seconds": event.seconds,
    }
    yield Say(Message("heist-targeted", args))
    if event.seconds:
        yield Say(Message("heist-getaway", args), follows=True)


def _answered(event: moves.Answered) -> Iterator[Say]:
    yield Say(Message("heist-answer-in", {"who": Name(event.seat)}), talk=Talk.FULL)
    answer = Message("heist-you-answered", {"answer": Message(f"heist-act-{event.act.value}")})
    yield Say(answer, to=event.seat, secret=True)


def _stormed(event: moves.Stormed) -> Iterator[Say]:
    args: Arguments = {
        "bank": bank_name(event.bank),
        "committed": event.committed,
        "heisters": event.heisters,
    }
    everybody = event.committed == event.heisters
    yield Say(Message("heist-storming" if everybody else "heist-storming-fewer", args))


def _settled(event: moves.Settled) -> Iterator[Say]:
    yield Say(_verdict(event))
    if event.rabble_in:
        rabble = Message("heist-rabble", {"won": event.rabble_won, "went": event.rabble_in})
        yield Say(rabble, talk=Talk.NORMAL, follows=True)


def _brought_home(event: moves.BroughtHome) -> Iterator[Say]:
    best_first = sorted(event.outcomes, key=lambda each: -each.net)
    rows = tuple(
        Message("heist-result", {"who": Name(each.seat), "result": result(each)}) for each in best_first
    )
    args: Arguments = {
        "results": Listing(rows, MOST_RESULTS, fits=True),
        "crew": len(rows),
        "together": signed(sum(each.net for each in best_first)),
        "who": Name(best_first[0].seat) if best_first else "",
        "told": int(len(rows) == 1 and best_first[0].fate in _TOLD and best_first[0].act in _PLAIN),
    }
    yield Say(Message("heist-results", args))
    for each in best_first[MOST_RESULTS:]:
        own = Message("heist-your-result", {"result": result(each)})
        yield Say(own, to=each.seat, talk=Talk.FULL)


def _verdict(event: moves.Settled) -> Message:
    """Half-open ranges without gaps: nobody, up to 34%, below all, all."""
    went = [each for each in event.outcomes if each.went]
    winners = sum(each.away for each in went)
    args: Arguments = {"won": winners, "went": len(went), "bank": bank_name(event.bank)}
    if not went:
        return Message("heist-nobody-went", args)
    if len(went) == 1:
        who: Arguments = {**args, "who": Name(went[0].seat)}
        return Message("heist-solo-success" if winners else "heist-solo-failure", who)
    if winners == 0:
        return Message("heist-none-escape", args)
    if winners == len(went):
        return Message("heist-all-escape", args)
    return Message("heist-few-escape" if 100 * winners < FEW * len(went) else "heist-most-escape", args)


def _identified(event: moves.Identified) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.snitch), "crosser": Name(event.crosser), "fine": Credits(event.fine)}
    message = Message("heist-identified" if event.fine else "heist-identified-broke", args)
    yield Say(message, talk=_finger_talk(event.before), follows=True)


def _stitched(event: moves.Stitched) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.snitch), "forfeit": Credits(event.forfeit)}
    message = Message("heist-stitched" if event.forfeit else "heist-stitched-empty", args)
    yield Say(message, talk=_finger_talk(event.before), follows=True)


def _finger_talk(before: int) -> Talk:
    """Return from which level of talk on a finger is told of, after so many others."""
    return Talk.QUIET if before < MOST_FINGERS else Talk.FULL


def _crossed(event: moves.Crossed) -> Iterator[Say]:
    if event.ran:
        args: Arguments = {"crossers": names(event.ran), "loot": Credits(event.loot)}
        yield Say(Message("heist-crossed", args), follows=True)
    if event.back:
        undone: Arguments = {"crossers": names(event.undone), "back": Credits(event.back)}
        yield Say(Message("heist-cross-undone", undone), follows=True)


def _sprung(event: moves.Sprung) -> Iterator[Say]:
    args: Arguments = {"crossers": names(event.crossers), "extra": Credits(event.extra)}
    if not event.extra:
        yield Say(Message("heist-cross-sprung-empty", args), follows=True)
        return
    yield Say(Message("heist-cross-sprung", args), follows=True)


def _paid(event: moves.Paid) -> Iterator[Say]:
    wages = tuple(_wage(each) for each in event.wages if not of_house(each.seat))
    if wages:
        yield Say(Message("heist-payday", {"wages": Listing(wages)}), talk=Talk.FULL)


def _wage(wage: moves.Wage) -> Message:
    args: Arguments = {"who": Name(wage.seat), "salary": wage.salary, "bribes": wage.bribes}
    if not wage.salary:
        return Message("heist-wage-only-bribes", args)
    return Message("heist-wage-bribes" if wage.bribes else "heist-wage", args)


def _hired(event: moves.Hired) -> Iterator[Say]:
    if of_house(event.seat):
        return
    args: Arguments = {"who": Name(event.seat), "salary": Credits(event.salary)}
    message = Message("heist-hired", args)
    if event.percent is not None:
        message = Message("heist-hired-share", {**args, "percent": event.percent})
    yield Say(message, talk=Talk.FULL)


def _guards_left(event: moves.GuardsLeft) -> Iterator[Say]:
    if of_house(event.seat):
        return
    args: Arguments = {"who": Name(event.seat), "guards": event.guards}
    yield Say(Message("heist-guards-left", args), talk=Talk.FULL)


_TELLERS: Tellers = {
    moves.Opened: _opened,
    moves.Joined: _joined,
    moves.Left: _left,
    Started: tell_started,
    moves.Reached: _reached,
    moves.Abandoned: _abandoned,
    moves.Targeted: _targeted,
    moves.Answered: _answered,
    moves.Stormed: _stormed,
    moves.Settled: _settled,
    moves.BroughtHome: _brought_home,
    moves.Identified: _identified,
    moves.Stitched: _stitched,
    moves.Crossed: _crossed,
    moves.Sprung: _sprung,
    moves.Paid: _paid,
    moves.Hired: _hired,
    moves.GuardsLeft: _guards_left,
}
