"""A site for each test: see `tests.web.desk.conftest`."""

from tests.web.desk.conftest import site, store

__all__ = ["site", "store"]
