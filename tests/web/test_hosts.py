from __future__ import annotations

import pytest

from chatbot.web.hosts import divided


@pytest.mark.parametrize(
    ("authority", "parts"),
    [
        ("localhost:8765", ("localhost", "8765")),
        ("localhost", ("localhost", "80")),
        ("[::1]:8765", ("[::1]", "8765")),
        ("localhost:http", ("localhost:http", "80")),
        ("localhost:-1", ("localhost:-1", "80")),
        (":8765", (":8765", "80")),
        ("", ("", "80")),
    ],
)
def test_an_authority_has_a_name_and_a_port_of_digits_or_that_of_the_web(
    authority: str, parts: tuple[str, str]
) -> None:
    assert divided(authority) == parts
