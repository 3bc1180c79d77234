"""The pages by their addresses. They are made here, on the server, and work without a script but for what is live."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from e2.errors import E2Error, FormatError
from e2.formats import viewer_url
from e2.formats.convert import KEYS, convert_all, document
from e2.formats.detect import read
from e2.formats.format import Reading
from e2.formats.judge import Judged
from e2.store.index import Listed, RunIndex, board_files, quoted, unquoted
from e2.views.board_svg import STYLES, board_svg
from e2.views.filled import TEMPLATES, filled
from e2.views.png import png
from e2.views.shown_board import drawn_document
from e2.views.web.board_page import board_page, judged_of_link
from e2.views.web.guard import Access, BodyTooLong, Guard, too_long_a_body
from e2.views.web.run_page import board_stamp, judged_board, list_stamp, row, run_page

_EVERY = 1.0  # seconds between two looks at the runs
_MOST_ECHO = 100_000  # characters of a pasted text that come back in the form
_SVG = "image/svg+xml"
_PICTURES = 4
"""Boards at the head of the list of runs."""


def live_page(root: Path, access: Access) -> ASGIApp:
    """The application for the runs below `root`. It reads, and writes nothing."""
    pages = _Pages(RunIndex(root))
    routes = [
        Route("/", pages.runs),
        Route("/run/{name:path}", pages.run),
        Route("/picture/{name:path}", pages.picture),
        Route("/events", pages.events),
        Route("/viewer", pages.viewer),
        Route("/viewer.{kind:str}", pages.viewer_picture),
        Route("/convert", pages.converter),
        Route("/convert", pages.convert, methods=["POST"]),
        Route("/compare", pages.compare),
        *(Route(f"/{name}", _file(name)) for name in ("style.css", "live.js", "icon.svg")),
    ]
    handlers = {E2Error: _bad_input, HTTPException: _no_page, BodyTooLong: _body_too_long, Exception: _fault}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), access)


class _Pages:
    def __init__(self, index: RunIndex) -> None:
        self._index = index

    def runs(self, request: Request) -> Response:
        found = self._index.runs()
        best: dict[int, tuple[Listed, str]] = {}
        for listed in sorted(found.runs, key=_how_good, reverse=True):
            if listed.best is not None and len(best) < _PICTURES:
                best.setdefault(listed.best.board_hash, (listed, listed.best.name))
        return page(
            "runs.html",
            root=self._index.root.resolve().name,
            runs=[(listed, row(listed)) for listed in found.runs],
            best=list(best.values()),
            left_out=found.left_out,
            stamp=list_stamp(found.runs),
        )

    def run(self, request: Request) -> Response:
        listed = self._listed(request, "/run/")
        wanted = request.query_params.get("board")
        return page(
            "run.html",
            run=listed,
            row=row(listed),
            page=run_page(listed, wanted),
            wanted=wanted,
            stamp=board_stamp(listed),
        )

    def picture(self, request: Request) -> Response:
        listed = self._listed(request, "/picture/")
        wanted = request.query_params.get("board")
        board = listed.best if wanted is None else None
        if board is None:
            board = next((board for board in board_files(listed.folder) if board.name == wanted), None)
        if board is None:
            raise HTTPException(404)
        return Response(board_svg(drawn_document(*judged_board(listed, board)), cell=20), media_type=_SVG)

    async def events(self, request: Request) -> Response:
        return EventSourceResponse(self._changes(request.query_params.get("run")), ping=15)

    async def _changes(self, address: str | None) -> AsyncIterator[dict[str, str]]:
        """Rows that are not as they were when last sent, each second."""
        sent: dict[str, dict[str, str]] = {}
        stamps: dict[str, str] = {}
        while True:
            found = await anyio.to_thread.run_sync(self._index.runs)
            runs = found.runs if address is None else tuple(filter(None, (found.run(address),)))
            rows = {listed.address: row(listed) for listed in runs}
            now = {"runs": list_stamp(runs)} if address is None else {"board": "".join(map(board_stamp, runs))}
            changed = {name: words for name, words in rows.items() if sent.get(name) != words}
            if changed or now != stamps:
                yield {"event": "runs", "data": json.dumps({"rows": changed, "stamps": now})}
            sent, stamps = rows, now
            await anyio.sleep(_EVERY)

    def viewer(self, request: Request) -> Response:
        style = _style(request)
        if not _query(request):
            return page("viewer.html", board=None, style=style, styles=STYLES, query="")
        judged = judged_of_link(_linked(request))
        return page(
            "viewer.html",
            board=board_page(judged, style=style),
            style=style,
            styles=STYLES,
            query="&".join(part for part in _query(request).split("&") if not part.startswith("style=")),
        )

    def viewer_picture(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in ("svg", "png"):
            raise HTTPException(404)
        svg = board_svg(drawn_document(judged_of_link(_linked(request))), style=_style(request))
        return Response(svg, media_type=_SVG) if kind == "svg" else Response(png(svg), media_type="image/png")

    def converter(self, request: Request) -> Response:
        return page("convert.html", text="", reading=None, board=None, svg="", forms=(), error="")

    async def convert(self, request: Request) -> Response:
        async with request.form(max_files=0, max_fields=4, max_part_size=8_000_000) as form:
            text = form.get("text")
        text = text if isinstance(text, str) else ""
        return await anyio.to_thread.run_sync(_converted, text)

    def compare(self, request: Request) -> Response:
        from e2.views.web.compare_page import compare_page  # with it comes scipy, which takes a second to start

        found = self._index.runs()
        asked = [request.query_params.get(key, "") for key in ("a", "b")]
        runs = [found.run(address) for address in asked]
        values: dict[str, Any] = {"runs": found.runs, "page": None, "error": ""}
        first, second = runs
        if first is not None and second is not None:
            try:
                values["page"] = compare_page((first, second))
            except E2Error as error:
                values["error"] = str(error)
        elif any(asked):
            missing = next(name for name, listed in zip(asked, runs, strict=True) if listed is None)
            values["error"] = f"there is no run {missing[:60]!r} here" if missing else "expected two runs"
        chosen = [listed.address for listed in (*runs, *found.runs[:2]) if listed is not None][:2]
        chosen += [""] * (2 - len(chosen))
        status = 400 if values["error"] else 200
        return page("compare.html", status, chosen=chosen, **values)

    def _listed(self, request: Request, prefix: str) -> Listed:
        """The run that an address names, out of the list; the address itself never becomes a path."""
        raw = request.scope.get("raw_path") or request.url.path.encode()
        name = unquoted(raw.decode("latin-1").partition("?")[0].removeprefix(prefix))
        listed = self._index.runs().run(quoted(name))
        if listed is None:
            raise HTTPException(404, "There is no such run.")
        return listed


def page(template: str, status: int = 200, *, headers: Mapping[str, str] | None = None, **values: Any) -> HTMLResponse:
    """The page that a template makes of the values."""
    return HTMLResponse(filled(template, **values), status, headers)


def _converted(text: str) -> Response:
    shown: dict[str, Any] = {"reading": None, "board": None, "svg": "", "forms": ()}
    shown["text"] = text if len(text) <= _MOST_ECHO else ""
    try:
        reading = shown["reading"] = read(text)
        source = judged_of_link(reading) if reading.has_board else reading
        if isinstance(source, Judged):
            shown["board"] = board_page(source)
        elif (given := document(source)).width is not None:  # hints by themselves have no board around them
            shown["svg"] = board_svg(given)
        texts, cannot = convert_all(source)
    except E2Error as error:
        return page("convert.html", 400, error=str(error), **shown)
    forms = [(key, KEYS[key].title, written, cannot.get(key, "")) for key, written in texts.items()]
    shown["forms"] = sorted(forms, key=lambda form: not (form[2] or "").startswith("https://"))
    return page("convert.html", error="", **shown)


def _how_good(listed: Listed) -> tuple[float, float]:
    """How near the best board of a run is to all its seams; the latest of equals first."""
    if listed.best is None or not listed.max_score:
        return 0.0, listed.changed
    return listed.best.score / listed.max_score, listed.changed


def _query(request: Request) -> str:
    return str(request.scope["query_string"].decode("latin-1"))


def _linked(request: Request) -> Reading:
    return read(f"https://{viewer_url.HOST}/viewer?{_query(request)}", format=viewer_url.NAME)


def _style(request: Request) -> str:
    style = request.query_params.get("style", STYLES[0])
    if style not in STYLES:
        raise FormatError("style", f"{style[:40]!r} is none", expected=" or ".join(STYLES))
    return style


def _file(name: str) -> Callable[[Request], Response]:
    return lambda request: FileResponse(TEMPLATES / name)


async def _bad_input(request: Request, error: Exception) -> Response:
    return page("error.html", 400, title="That cannot be read", text=str(error))


async def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    titles = {404: "There is no such page", 405: "Not this way"}
    return page(
        "error.html",
        error.status_code,
        headers=error.headers,
        title=titles.get(error.status_code, "That cannot be answered"),
        text=error.detail,
    )


async def _body_too_long(request: Request, error: Exception) -> Response:
    return too_long_a_body()


async def _fault(request: Request, error: Exception) -> Response:
    traceback.print_exception(error, file=sys.stderr)
    return PlainTextResponse("This is a fault in e2 itself; its terminal says more.\n", 500)
