"""Names and addresses of this machine are read and written as they stand in headers and URLs."""

from __future__ import annotations

import pytest

from chatbot.web.hosts import divided, own_url


@pytest.mark.parametrize(
    ("authority", "parts"),
    [
        ("localhost:8080", ("localhost", "8080")),
        ("[::1]:8080", ("[::1]", "8080")),
        ("localhost", ("localhost", "80")),
        ("[::1]", ("[::1]", "80")),
        ("localhost:", ("localhost:", "80")),
        ("localhost:x", ("localhost:x", "80")),
        (":8080", (":8080", "80")),
        ("", ("", "80")),
    ],
)
def test_what_follows_the_last_colon_is_a_port_only_if_it_is_a_number(
    authority: str, parts: tuple[str, str]
) -> None:
    assert divided(authority) == parts


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::", "http://[::1]:80"),
        ("::1", "http://[::1]:80"),
        ("rabble.test", "http://rabble.test:80"),
    ],
)
def test_this_machine_finds_its_own_server_wherever_that_listens(host: str, url: str) -> None:
    assert own_url(host, 80) == url
