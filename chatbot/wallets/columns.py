"""The kinds of columns that our tables have, which are the same on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Integer, MetaData, Text
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Key = Text().with_variant(Text(collation="C"), "postgresql")
Credits = BigInteger().with_variant(Integer(), "sqlite")  # which holds 64 bits by this name only


class Instant(TypeDecorator[datetime]):
    """An aware time, as milliseconds since 1970."""

    impl = BigInteger().with_variant(Integer(), "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else (value - _EPOCH) // timedelta(milliseconds=1)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else _EPOCH + timedelta(milliseconds=value)


class Name(TypeDecorator[str]):
    """A name that people chose: what no database can store is replaced, and its length has an end."""

    impl = Key
    cache_ok = True
    longest = 100

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        if value is None:
            return None
        whole = value.encode("utf-8", "replace").decode()  # half a surrogate pair is not text
        return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")[: self.longest]


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)
