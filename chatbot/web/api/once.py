"""Answer a change once: whoever repeats its key gets the same answer, and nothing is done again.

Between what is done and the storing of its answer the program may be killed. Then the key is known and its
answer is not: the request is taken again, and what it does is known to the books by an id that derives from
caller and key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.ledger.api_answers import ApiAnswers, KeyedRequest
    from chatbot.runtime.clock import Watch

KEY_FORM = re.compile(r"[\x21-\x7e]{1,100}")
"""What a key looks like."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """An answer to a request. It is final where the same key is always answered so.

    `is_nothing_done` says that nothing was done, so that the same request may be tried again.
    """

    status: int
    body: bytes
    is_final: bool = True
    is_nothing_done: bool = False
    retry_after: int = 0  # seconds; 0: not told


class KeyInUse(Exception):  # noqa: N818  (the name says what happened)
    """A request of this key is being worked on."""


class KeyGivenTwice(Exception):  # noqa: N818
    """The key was given to another request."""


class AnswerLost(Exception):  # noqa: N818
    """The request was taken before, and what it was answered is not known."""


class OnceByKey:
    """Lets each key of a caller do one thing, once."""

    def __init__(self, answers: ApiAnswers, watch: Watch) -> None:
        self._answers, self._watch = answers, watch
        self._under_way: set[tuple[str, str]] = set()

    async def answer(
        self, request: KeyedRequest, work: Callable[[], Awaitable[ApiAnswer]], *, resumes: bool
    ) -> ApiAnswer:
        """Do what is asked for, or return what it was answered before.

        Where that is not known it is done only if it `resumes`: if it knows itself what was done.

        Raises:
            KeyInUse, KeyGivenTwice, AnswerLost: as they say.
        """
        caller_and_key = request.caller, request.key
        if caller_and_key in self._under_way:
            raise KeyInUse
        self._under_way.add(caller_and_key)
        try:
            known = await self._answers.begin(request, self._watch.date())
            if known is not None and known.is_other:
                raise KeyGivenTwice
            if known is not None and known.status is not None:
                if known.body is None:
                    raise AnswerLost
                return ApiAnswer(known.status, known.body)
            if known is not None and not resumes:
                raise AnswerLost
            answer = await work()
            await self._keep(request, answer)
        finally:
            self._under_way.discard(caller_and_key)
        return answer

    async def _keep(self, request: KeyedRequest, answer: ApiAnswer) -> None:
        """Store an answer; where that fails the key remains known without one, and does nothing again."""
        try:
            if answer.is_final:
                await self._answers.put(request, answer.status, answer.body)
            elif answer.is_nothing_done:
                await self._answers.release(request)
        except (SQLAlchemyError, OSError):
            log.exception("an answer could not be kept", status=answer.status)


def id_of(caller: str, key: str) -> str:
    """Return an id for what one key of a caller does, which tells neither."""
    return sha256(f"{caller}\0{key}".encode()).hexdigest()
