"""The grammar of pencil-puzzle links: which form a text has, and its parts as they are written.

    [anything]?[k=v&...]pid[_edit|_play]/[v:variant/][pflag/]cols/rows/body       v3, on any host
    http://indi.s58.xrea.com/pid/sa/q.html?[pflag]/cols/rows/body                 the applet; its pflag begins with `?`
    http://www.kanpen.net/pid.html?problem=rows/cols/tokens                       kanpen; rows come first
    http://www.kanpen.net/pid.html?pzpr=[pflag/]cols/rows/body                    kanpen with a v3 body
    http://www.geocities.jp/heyawake/?problem=COLSxROWS/rooms                     the heyawake applet
    pzprv3[.n]/pid/rows/cols/lines                                                a file, also after the `?` of a link

Nothing is percent-decoded but a file, and `#...` and `&...` stay in the body, as in pzprjs.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from e2.errors import FormatError
from e2.pencil.pzpr.board import PencilBoard, checked_size
from e2.pencil.pzpr.primitives import FORMAT, Fault

Form = Literal["v3", "applet", "kanpen", "kanpen-v3", "heyawake-applet", "file"]
ADDRESS = "http://pzv.jp/p.html?"
"""What pzprjs writes before the pid."""
MOST_TEXT = 2_000_000
"""Characters of a link or file that are looked at; the longest sound one is far below."""

_KANPEN = re.compile(r"www\.kanpen\.net|www\.geocities(\.co)?\.jp/pencil_applet")
_HEYAWAKE = re.compile(r"www\.geocities(\.co)?\.jp/heyawake")
_APPLET = re.compile(r"indi\.s58\.xrea\.com/([^/]+)/(sa|sc)/")
_SETTINGS = re.compile(r"(?:[^=&/]*=[^&/]*&)*")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DEFAULT_SIDE = 10


@dataclass(frozen=True)
class Link:
    """The parts of a link, as texts. `variant` and `pflag` are None where the form has none; `mode` is "editor",
    "player" or empty; `body` of a file is everything after its size, a line each."""

    form: Form
    pid: str
    cols: str = ""
    rows: str = ""
    body: str = ""
    pflag: str | None = None
    variant: str | None = None
    mode: str = ""

    @property
    def old(self) -> bool:
        """Whether lits, gokigen and creek have their old body here."""
        flags = self.pflag or ""
        return (self.form == "v3" and "d" in flags) or (self.form == "applet" and "c" not in flags)


def parse_link(text: str) -> Link:
    """The parts of a link or of a file. FormatError where it is longer than anything believed, or a cut file."""
    if len(text) > MOST_TEXT:
        raise FormatError(FORMAT, f"{len(text)} characters", expected=f"at most {MOST_TEXT}")
    if text.startswith("pzprv3"):
        return _file(text)
    url = text.replace("\r", "").replace("\n", "")
    if _KANPEN.search(url):
        return _kanpen(url)
    if _HEYAWAKE.search(url):
        return _heyawake("heyawake", _after(url, "?problem="))
    if applet := _APPLET.search(url):
        query = url.find("?")
        return _v3("applet", applet[1], url[query:] if query >= 0 else "")
    return _any_host(url)


def _any_host(url: str) -> Link:
    query = url.find("?")
    slash = url.find("/", max(query, 0))
    name, rest = (url[query + 1 :], "") if slash < 0 else (url[query + 1 : slash], url[slash + 1 :])
    settings = _SETTINGS.match(name)
    given, name = (settings[0], name[settings.end() :]) if settings else ("", name)
    mode = {"editor": "editor", "player": "player"}.get(dict(_pairs(given)).get("type", ""), "")
    for ending, meaning in (("_edit", "editor"), ("_play", "player")):
        if name.endswith(ending):
            name, mode = name.removesuffix(ending), meaning
            break
    variant = None
    if name.startswith("v:"):
        # pzprjs reads the pid behind a misplaced variant, and then once more as the pflag.
        variant, name = name[2:], rest.split("/")[0]
        whole = rest
    else:
        whole = f"{name}/{rest}"
    if re.fullmatch(r"pzprv3[0-9.]*", name):
        file = _file(unquote(whole))
        return Link("file", file.pid, file.cols, file.rows, file.body, None, variant, mode)
    link = _v3("v3", name, rest)
    return Link("v3", name, link.cols, link.rows, link.body, link.pflag, link.variant, mode)


def _pairs(settings: str) -> list[tuple[str, str]]:
    return [(key, value) for key, _, value in (pair.partition("=") for pair in settings.split("&") if pair)]


def _v3(form: Form, pid: str, rest: str) -> Link:
    parts = rest.split("/")
    variant = None
    if parts[0].startswith("v:"):
        variant = parts.pop(0)[2:]
    pflag = ""
    if parts and parts[0] and math.isnan(number(parts[0])):
        pflag = parts.pop(0)
    cols, rows, body = _sized(parts)
    return Link(form, pid, cols, rows, body, pflag, variant)


def _kanpen(url: str) -> Link:
    found = re.search(r"([0-9a-z]{1,40})\.html", url)
    pid = found[1] if found else ""
    if "?heyawake=" in url:
        return _heyawake(pid, _after(url, "?heyawake="))
    if "?pzpr=" in url:
        return _v3("kanpen-v3", pid, _after(url, "?pzpr="))
    rows, cols, body = _sized(_after(url, "?problem=").split("/"))
    return Link("kanpen", pid, cols, rows, body)


def _heyawake(pid: str, rest: str) -> Link:
    size, *parts = rest.split("/")
    cols, _, rows = size.partition("x")
    return Link("heyawake-applet", pid, cols, rows, _joined(parts))


def _file(text: str) -> Link:
    """A file: by lines, or on one line with `/` for line ends."""
    text = text.replace("\r", "")
    lines = text.split("\n") if text.find("\n") >= 0 else text.split("/")
    if len(lines) < 4:
        raise FormatError(
            FORMAT,
            "the file ends before its size",
            place=f"line {len(lines)}",
            expected="pzprv3, pid, rows and columns, a line each",
        )
    return Link("file", lines[1], lines[3], lines[2], "\n".join([lines[0], *lines[4:]]))


def _sized(parts: list[str]) -> tuple[str, str, str]:
    first, second, *rest = [*parts, "", ""] if len(parts) < 2 else parts
    return first, second, _joined(rest)


def _joined(parts: list[str]) -> str:
    """The parts as one text again, less one empty part at the end."""
    return "/".join(parts[:-1] if parts and not parts[-1] else parts)


def _after(url: str, key: str) -> str:
    return url.partition(key)[2]


def number(text: str) -> float:
    """A number as JavaScript reads it: blanks around it are nothing, and nothing is 0; NaN where it is none."""
    text = text.strip()
    if not text:
        return 0.0
    return float(text) if len(text) < 40 and _NUMBER.fullmatch(text) else math.nan


def size_of(link: Link) -> tuple[int, int, list[Fault]]:
    """Columns, rows, and what a strict reader would refuse in them.

    Without columns pzprjs makes a board of 10x10 and we do the same. Columns without rows, and a side that is no whole
    number or out of range, are no board: FormatError.
    """
    cols, rows = number(link.cols), number(link.rows)
    faults = []
    if not cols or math.isnan(cols):
        cols = rows = _DEFAULT_SIDE
        faults.append(Fault(f"no size, read as {_DEFAULT_SIDE}x{_DEFAULT_SIDE}", "columns", "columns and rows"))
    elif not rows or math.isnan(rows):
        raise FormatError(FORMAT, f"{link.rows[:20]!r} is no number of rows", place="rows", expected="a whole number")
    else:
        for text, place in ((link.cols, "columns"), (link.rows, "rows")):
            if not (text.isascii() and text.isdecimal()):
                faults.append(Fault(f"{text[:20]!r} for {place}", place, "decimal digits"))
    return (*checked_size(FORMAT, cols, rows), faults)


def written_link(urlid: str, variant: str | None, pflag: str, board: PencilBoard, body: str) -> str:
    """The link that pzprjs writes."""
    parts = [urlid]
    if variant is not None:
        parts.append(f"v:{variant}")
    if pflag:
        parts.append(pflag)
    text = "/".join([*parts, str(board.cols), str(board.rows), body])
    # A host that cuts signs off the end of a link would take a part of the body with it.
    return ADDRESS + text + ("" if re.fullmatch("[a-zA-Z0-9]", text[-1]) else "/")
