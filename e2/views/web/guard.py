"""What stands before every page: who may ask, how much, and what a browser may do with the answer."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_LINE = 48 * 1024
"""Bytes of a path with its query. The largest board that a link may hold, 64x64 with its pieces, takes 28,900."""
MOST_BODY = 4 * 1024 * 1024
"""Bytes of a pasted text, as the browser sends it."""

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Of every answer."""


@dataclass(frozen=True)
class Access:
    """Who is let in: requests for one of the `names` (any, if there are none), and with the `token`, if there is one.

    A page of another site can make a browser ask an address of this machine; it cannot make it say one of our names.
    """

    names: tuple[str, ...] = LOOPBACK_NAMES
    token: str = ""

    @property
    def pass_word(self) -> str:
        """What the cookie says in place of the token itself."""
        return hashlib.sha256(f"e2 serve {self.token}".encode()).hexdigest()


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].decode("latin-1").lower() not in HEADERS]
                message["headers"] = kept + [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            await send(message)

        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await refused(scope, receive, send_guarded)
            return
        await self._app(scope, _Bounded(receive), send_guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_LINE:
            return PlainTextResponse(f"The address is too long: expected at most {MOST_LINE} bytes.\n", 414)
        if self._access.names and _without_port(headers.get("host", "")) not in self._access.names:
            return PlainTextResponse("This server answers only to the names of this machine.\n", 421)
        length = headers.get("content-length", "0")
        if len(length) > 15 or not length.isdecimal() or int(length) > MOST_BODY:
            return too_long_a_body()
        return self._stranger(scope, headers) if self._access.token else None

    def _stranger(self, scope: Scope, headers: Headers) -> Response | None:
        """What to say to who does not show the token; None for who does."""
        token = self._access.token
        cookie = f"e2_{scope['server'][1]}" if scope.get("server") else "e2"
        if _same(cookie_parser(headers.get("cookie", "")).get(cookie, ""), self._access.pass_word):
            return None
        if _same(headers.get("authorization", "").removeprefix("Bearer "), token):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] == "GET" and any(name == "token" and _same(value, token) for name, value in query):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            path = (scope.get("raw_path") or b"/").decode("latin-1").partition("?")[0]
            # A path that begins with two slashes would name another host.
            response = RedirectResponse("/" + path.lstrip("/") + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(cookie, self._access.pass_word, httponly=True, samesite="strict")
            return response
        return PlainTextResponse(
            "This server wants its token: open it once with ?token=..., or send Authorization: Bearer ...\n",
            401,
            {"www-authenticate": "Bearer"},
        )


class BodyTooLong(Exception):
    """A body that turned out to be too long while it was read."""


class _Bounded:
    """Hands on a request's body, up to the limit: a body may come without saying its length."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._seen = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > MOST_BODY:
            raise BodyTooLong
        return message


def too_long_a_body() -> Response:
    return PlainTextResponse(
        f"The text is too long: expected at most {MOST_BODY} bytes.\n", 413, {"connection": "close"}
    )


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _same(shown: str, secret: str) -> bool:
    """Compared in a time that tells nothing of where they differ."""
    return hmac.compare_digest(shown.encode("utf-8", "surrogatepass"), secret.encode("utf-8", "surrogatepass"))
