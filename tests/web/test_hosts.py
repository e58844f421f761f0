from __future__ import annotations

import pytest

from chatbot.web.hosts import divided, network_url


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


@pytest.mark.parametrize(
    ("host", "url"), [("192.168.1.5", "http://192.168.1.5:8765"), ("fe80::1", "http://[fe80::1]:8765")]
)
def test_others_find_a_server_at_the_address_at_which_it_listens(host: str, url: str) -> None:
    assert network_url(host, 8765) == url


def test_a_server_at_every_address_is_found_by_one_of_them() -> None:
    name, port = divided(network_url("0.0.0.0", 8765).removeprefix("http://"))
    assert (name != "0.0.0.0", port) == (True, "8765")
