from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog
from structlog.testing import capture_logs

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping


@pytest.fixture
def told(stage: object) -> Iterator[list[MutableMapping[str, Any]]]:
    """Collect what the operator is told once there is the stage of a platform."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    with capture_logs() as entries:
        yield entries
