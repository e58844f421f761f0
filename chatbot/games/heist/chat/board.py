"""The heist as people see it: what stands on buttons, what can be asked about, and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.chat.odds import odds as published
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT, SALARY
from chatbot.games.heist.rules.career import Career, within
from chatbot.games.heist.rules.moves import Act, Answer, Fate, Join, Leave
from chatbot.kernel import stakes
from chatbot.kernel.board import Board, Fact, Place, RaidEnding, RaidResult
from chatbot.kernel.gestures import BUTTON, Gesture, Risk
from chatbot.kernel.lobby import Start
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.heist.rules.banks import Bank
    from chatbot.games.heist.rules.crew import Mate
    from chatbot.games.heist.rules.moves import Action, Outcome
    from chatbot.games.heist.rules.rules import Heist
    from chatbot.games.heist.rules.states import View
    from chatbot.kernel.commands import TopicRequest


MINUS = "\N{MINUS SIGN}"
FATES = "escaped", "caught", "returned"  # that have a caption in pictures


def label(action: Action) -> Message:
    """Return what stands on the button of an action."""
    if isinstance(action, Join):
        return Message("heist-button-join", {"stake": Credits(action.credits)})
    if isinstance(action, Leave):
        return Message("heist-button-leave")
    if isinstance(action, Start):
        return Message("lobby-button-start")
    return Message(f"heist-button-{action.act.value}")


_RISKS = {
    Act.GUNCHECK: Risk.STAY,
    Act.BACK_OUT: Risk.STAY,
    Act.CHANGE_JOBS: Risk.SAFE,
    Act.INTEL: Risk.SAFE,
    Act.GUARD: Risk.SAFE,
    Act.DEPOSIT: Risk.SAFE,
    Act.WITHDRAW: Risk.BOLD,  # what is on the account can be stolen with the rest
    Act.ALL_IN: Risk.BOLD,
    Act.DOUBLE_CROSS: Risk.BOLD,
    Act.FINGER: Risk.BOLD,
}


def gesture(action: Action) -> Gesture:
    """Say what an answer of the getaway risks."""
    return Gesture(_RISKS[action.act]) if isinstance(action, Answer) else BUTTON


def bank_name(number: int) -> Message:
    """Return the name of a bank, by its number from 0."""
    return Message(f"heist-bank-{number}")


# Topics that people ask about


def rules(game: Heist, request: TopicRequest) -> Sequence[Message]:  # noqa: ARG001
    """Answer `!heist rules`."""
    messages = [
        Message("heist-rules-short"),
        Message("heist-rules", {"seconds": game.lobby, "credits": game.level_credits}),
    ]
    if game.getaway:
        messages.append(
            Message("heist-rules-getaway", {"seconds": game.getaway, "daunting": int(game.daunting)})
        )
    return messages


def odds(game: Heist, request: TopicRequest) -> Sequence[Message]:
    """Answer `!heist odds`: those of the present table, or of one that would be opened now."""
    banks = game.banks_for(request.active) if request.active else None
    figures = published(game, banks if request.view is None else request.view.banks)
    return (*([figures.short] if figures.short else []), *figures.rows, *figures.more)


def career(game: Heist, request: TopicRequest) -> Sequence[Message]:
    """Answer `!heist career`: what the heist remembers of a member, within the bounds of this room."""
    record = request.record if isinstance(request.record, Career) else Career()
    own = within(record, game.banks, game.bounds)
    if game.bounds.staked_wages:
        job = "heist-career-employed-share" if own.employed else "heist-career-unemployed-share"
    else:
        job = "heist-career-employed" if own.employed else "heist-career-unemployed"
    args: Arguments = {
        "who": Name(request.seat),
        "salary": Credits(own.salary),
        "share": min(100 * own.salary // SALARY, 100),
        "percent": game.wage_percent,
    }
    first = Message(job, args)
    personal = [number for number in range(len(game.banks)) if _personal(own, number)]
    if not personal:
        return [Message("heist-career-plain", {"job": first})]
    rows = tuple(_career_row(own, number, game.banks) for number in personal)
    return [Message("heist-career", {"job": first, "banks": Listing(rows, separator="; ")})]


def _personal(own: Career, number: int) -> bool:
    """Whether a member has anything at a bank that others have not."""
    numbers = (own.accounts[number], own.guards[number])
    return any(numbers) or own.chances[number] is not None or own.odds[number] is not None


def _career_row(own: Career, number: int, banks: tuple[Bank, ...]) -> Message:
    return Message(
        "heist-career-row",
        {
            "bank": bank_name(number),
            "chance": round(100 * own.chance_at(number, banks), 2),
            "payout": round(1 + own.odds_at(number, banks) / ODDS_UNIT, 5),
            "account": Credits(own.accounts[number]),
            "guards": own.guards[number],
        },
    )


# The board


def board(view: View) -> Board:
    """Return what everybody may see of a table."""
    outcomes = {each.seat: each for each in view.outcomes}
    return Board(
        title=Message("heist-title"),
        facts=tuple(_facts(view)),
        places=tuple(_place(view, each, outcomes.get(each.seat)) for each in view.crew),
        note=note(view),
        pot=0 if view.phase == "over" else sum(each.stake for each in view.crew),
        raid=_raid(view),
    )


def _raid(view: View) -> RaidResult | None:
    if view.bank is None or not view.outcomes:
        return None
    endings = tuple(RaidEnding(each.seat, _fate(each), gain(each)) for each in view.outcomes)
    return RaidResult(
        target=bank_name(view.bank),
        number=view.bank,
        look=Message("heist-look"),
        verdict=_verdict(view.outcomes),
        crossed=Message("heist-picture-cross"),
        captions=tuple((each, Message(f"heist-picture-{each}")) for each in FATES),
        endings=endings,
    )


def _fate(outcome: Outcome) -> str:
    return outcome.fate.value if outcome.away or not outcome.went else Fate.CAUGHT.value


def _verdict(outcomes: Sequence[Outcome]) -> Message:
    """Count those who got away, of those who went in."""
    went = [each for each in outcomes if each.went]
    away = sum(each.away for each in went)
    if len(went) > 1:
        return Message("heist-picture-away", {"away": away, "all": len(went)})
    if not went:
        return Message("heist-picture-nobody")
    return Message("heist-picture-alone-away" if away else "heist-picture-alone-caught")


def _facts(view: View) -> list[Fact]:
    crowd = view.heisters - len(view.crew)
    bank = Message("heist-no-bank") if view.bank is None else bank_name(view.bank)
    if view.to_come:
        bank = Message("heist-bank-at-least", {"bank": bank})
    facts = [
        Fact(Message("heist-fact-bank"), bank),
        Fact(Message("heist-fact-crew"), Message("heist-crew-size", {"crew": len(view.crew)})),
        Fact(Message("heist-fact-stakes"), Message("amount", {"credits": Credits(view.staked)})),
    ]
    if crowd:
        facts.append(Fact(Message("heist-fact-rabble"), Message("heist-crew-size", {"crew": crowd})))
    if view.bank is not None and not view.to_come:
        bank_now = view.banks[view.bank]
        values: Arguments = {
            "chance": round(100 * bank_now.chance, 3),
            "payout": round(1 + bank_now.odds / ODDS_UNIT, 5),
        }
        facts.append(Fact(Message("heist-fact-odds"), Message("heist-chance-payout", values)))
    return facts


def note(view: View) -> Message | None:
    """Return what stands below a table."""
    if view.phase == "over":
        return Message("heist-note-over" if view.bank is not None else "heist-note-abandoned")
    if view.own is not None and view.own.act is not None:
        answer = Message(f"heist-act-{view.own.act.value}")
        return Message("heist-note-answered", {"answer": answer}) if view.phase == "getaway" else answer
    if view.own is not None and view.phase == "lobby" and view.own.stake:
        return Message("heist-you-joined", {"stake": Credits(view.own.stake)})
    if view.own is not None and view.phase == "getaway" and not view.own.stake:
        return Message("heist-note-next-time")
    return Message(f"heist-note-{view.phase}")


def _place(view: View, mate: Mate, outcome: Outcome | None) -> Place:
    if outcome:
        return Place(mate.seat, result(outcome), _mark(outcome))
    ready = mate.answered or view.phase in {"storming", "over"}
    stake = Message("amount", {"credits": Credits(mate.stake)}) if mate.stake else stakes.terms(0)
    return Place(mate.seat, stake, "ready" if ready else "waiting")


def _mark(outcome: Outcome) -> str:
    """Mark what became of somebody: those who won and those who got away are as many as the verdict counts.

    Whoever got away richer than before, the own account included, has won. Those who spent it all on intel,
    or lost it to others, still got away; a share of what crossers had to leave frees nobody.
    """
    if outcome.fate is Fate.RETURNED:
        return "left"
    profit = gain(outcome)
    if outcome.away:
        return "won" if profit > 0 else "away"
    return "lost" if profit < 0 else "caught"


def gain(outcome: Outcome) -> int:
    """Return by how many credits somebody is richer, what lies on the own account included."""
    return outcome.net + (outcome.put_by if outcome.act is Act.DEPOSIT else 0)


def signed(net: int) -> str:
    """Write by how much credits changed, with a sign."""
    return f"{net:+,d}".replace("-", MINUS)


def result(outcome: Outcome) -> Message:
    """Say in a few words what a heister brings home: the net change of the purse, and where it went."""
    amounts: Arguments = {
        "net": signed(outcome.net),
        "won": Credits(outcome.winnings),
        "spent": Credits(outcome.put_by),
        "lost": Credits(outcome.lost),
        "loot": Credits(outcome.loot),
    }
    return Message(f"heist-result-{_ending(outcome)}", amounts)


def _ending(outcome: Outcome) -> str:
    """Name how it ended for somebody, as the messages do."""
    fate, act = outcome.fate, outcome.act
    if act is Act.ALL_IN:
        return f"allin-{fate.value}"
    if fate is not Fate.ESCAPED:
        return f"{fate.value}"
    if outcome.put_by:
        return f"{act.value}"  # intel, or a deposit
    if outcome.lost:
        return "robbed" if outcome.received else "robbed-blind"
    return "cross-in-vain" if act is Act.DOUBLE_CROSS else "escaped"
