"""A database that writes what it was asked for, and answers with an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import OperationalError

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import partial
    from typing import Any

    from chatbot.ledger.store.store import Store


def losing(store: Store, *works: object) -> Callable[..., Any]:
    """Stand in for `Store.write`: the answers to these works are lost."""
    write = store.write

    async def lose(work: partial[Any], *given: Any, **homes: Any) -> Any:
        answer = await write(work, *given, **homes)
        inner = work.keywords.get("work", work) if hasattr(work, "keywords") else work
        if getattr(inner, "func", None) in works:
            raise OperationalError("COMMIT", {}, Exception("disk I/O error"))
        return answer

    return lose
