"""Tests whose libraries are not installed are skipped, and say what adds them.

`uv run pytest` runs with the group `test` alone; the README's command installs all extras and groups, and
skips only what the system lacks.
"""

from __future__ import annotations

import re

OPTIONAL = {
    "asyncpg": "the extra postgres",
    "distributed": "the extra dask",
    "matplotlib": "the extra arena",
    "mypy": "the group lint",
    "numba": "the extra arena",
    "openapi_spec_validator": "the group api",
    "playwright": "the group browser",
    "schemathesis": "the group api",
    "scipy": "the extra arena",
    "sphinx": "the group docs",
    "yaml": "the group lint",
}
"""Libraries that a clone may do without, and what adds them."""
_MISSING = re.compile(r"No module named '(\w+)")


def reason(told: str) -> str | None:
    """Return why a test is skipped if what is told of a failure is that an optional library is missing."""
    found = _MISSING.search(told)
    if found is None or found[1] not in OPTIONAL:
        return None
    return f"needs {found[1]}, which {OPTIONAL[found[1]]} adds"
