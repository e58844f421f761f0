"""Sums of credits that are exact at any size.

SQLite gives a sum up that passes 64 bits anywhere on its way, as turnover does long before any balance. So
credits are added up in two parts, whole billions and what is left of each, which are put together where
there is no limit. Either part has room for nine billion rows of any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, func, or_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import RowMapping
    from sqlalchemy.sql.elements import Label

UNIT = 10**9
_HIGH, _LOW = "_high", "_low"


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum as SQL: `high` times `UNIT`, and `low`, each of which may be below 0."""

    high: ColumnElement[int]
    low: ColumnElement[int]

    @classmethod
    def of(cls, credits_: ColumnElement[int]) -> Sum:
        """Add up whole numbers of 64 bits; of no rows it is 0."""
        # Both databases divide whole numbers towards 0 and give the remainder its sign.
        parts = credits_ // UNIT, credits_ % UNIT
        return cls(*(func.coalesce(func.sum(each), 0) for each in parts))

    def __sub__(self, other: Sum) -> Sum:
        return Sum(self.high - other.high, self.low - other.low)

    @property
    def nonzero(self) -> ColumnElement[bool]:
        """Compare it with 0, without putting it together: that could take more than 64 bits."""
        return or_(self.low % UNIT != 0, self.high + self.low // UNIT != 0)

    def named(self, name: str) -> Iterator[Label[int]]:
        """Give its two columns, which `whole` knows by this name."""
        yield self.high.label(name + _HIGH)
        yield self.low.label(name + _LOW)


def whole(row: RowMapping) -> dict[str, Any]:
    """Put sums together in a row that has their parts; they stand where their high parts stood."""
    found: dict[str, Any] = {}
    for column, value in ((str(key), value) for key, value in row.items()):
        if column.endswith(_HIGH):
            name = column.removesuffix(_HIGH)
            found[name] = int(value) * UNIT + int(row[name + _LOW])  # PostgreSQL sums to a Decimal
        elif not column.endswith(_LOW):
            found[column] = value
    return found
