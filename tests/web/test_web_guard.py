"""Who may ask, how much, and what every answer carries."""

from __future__ import annotations

from pathlib import Path

import pytest
from live_pages import client_of
from starlette.testclient import TestClient

from e2.views.web.guard import HEADERS, MOST_BODY, MOST_LINE, Access

TOKEN = "a-word-of-16-letters"


@pytest.fixture
def guarded(runs: Path) -> TestClient:
    """Open to every name, with a token."""
    return client_of(runs, Access((), TOKEN), follow_redirects=False)


@pytest.mark.parametrize("host", ["localhost", "localhost:8265", "127.0.0.1:1", "[::1]:8265", "LOCALHOST:8265"])
def test_the_names_of_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8265", "localhost.evil.example", "127.0.0.2", "", ":1"])
def test_other_names_are_turned_away(client: TestClient, host: str) -> None:
    for page in ("/", "/run/good", "/style.css", "/events"):
        answer = client.get(page, headers={"host": host})
        assert answer.status_code == 421
        assert "good" not in answer.text


@pytest.mark.parametrize("page", ["/", "/style.css", "/picture/good", "/nowhere", "/viewer?x=1"])
def test_every_answer_carries_the_headers(client: TestClient, page: str) -> None:
    headers = client.get(page).headers
    assert {name: headers[name] for name in HEADERS} == HEADERS
    assert headers["content-security-policy"].startswith("default-src 'self';")


def test_refusals_carry_the_headers_too(client: TestClient, guarded: TestClient) -> None:
    for refused in (
        client.get("/", headers={"host": "evil.example"}),
        client.get("/viewer?" + "a" * MOST_LINE),
        client.post("/convert", content=b"a" * (MOST_BODY + 1)),
        guarded.get("/"),
    ):
        assert refused.status_code in (421, 414, 413, 401)
        assert {name: refused.headers[name] for name in HEADERS} == HEADERS


def test_a_long_address_has_its_status_and_the_longest_board_none(client: TestClient) -> None:
    assert client.get("/viewer?board_edges=" + "a" * MOST_LINE).status_code == 414
    assert client.get("/" + "a" * MOST_LINE).status_code == 414
    largest = f"/viewer?puzzle_size=64&board_edges={'a' * 4 * 64 * 64}&board_pieces={'000' * 64 * 64}"
    assert client.get(largest).status_code == 200


def test_a_long_text_is_refused_before_it_is_read(client: TestClient) -> None:
    assert client.post("/convert", content=b"text=" + b"a" * MOST_BODY).status_code == 413
    head = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/convert", content=b"text=a", headers={"content-length": "9" * 30} | head).status_code == 413
    assert client.post("/convert", content=b"text=ab!", headers=head).status_code == 400


def test_a_token_opens_once_by_the_address_and_then_by_its_cookie(guarded: TestClient) -> None:
    assert guarded.get("/").status_code == 401
    opened = guarded.get(f"/run/good?board=x&token={TOKEN}")
    assert opened.status_code == 303
    assert opened.headers["location"] == "/run/good?board=x"
    cookie = opened.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert guarded.get("/run/good").status_code == 200
    guarded.cookies.clear()
    assert guarded.get("/run/good").status_code == 401


def test_a_token_opens_by_a_header(guarded: TestClient) -> None:
    assert guarded.get("/", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert guarded.get("/", headers={"authorization": f"Bearer {TOKEN[:-1]}"}).status_code == 401


@pytest.mark.parametrize(
    "query", ["", "?token=", f"?token={TOKEN}x", "?token=caf%C3%A9", "?token=%FF", "?Token=" + TOKEN]
)
def test_another_token_opens_nothing(guarded: TestClient, query: str) -> None:
    for page in ("/", "/run/good", "/style.css", "/events", "/convert"):
        answer = guarded.get(page + query)
        assert answer.status_code == 401
        assert "good" not in answer.text
    assert guarded.post("/convert" + query, data={"text": "aaaa"}).status_code == 401


def test_a_cookie_of_another_token_opens_nothing(runs: Path, guarded: TestClient) -> None:
    other = client_of(runs, Access((), "another-word-of-16"), follow_redirects=False)
    other.get("/?token=another-word-of-16")
    for name, value in other.cookies.items():
        guarded.cookies.set(name, value)
    assert len(guarded.cookies) == 1
    assert guarded.get("/").status_code == 401


def test_the_way_back_after_a_token_stays_on_this_server(guarded: TestClient) -> None:
    opened = guarded.get(f"http://localhost:8265//evil.example/?token={TOKEN}")
    assert opened.status_code == 303
    assert opened.headers["location"] == "/evil.example/"
