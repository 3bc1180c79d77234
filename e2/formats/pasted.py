"""Texts as they arrive: out of mails, pages and chats. Undoes what the way here did to a text, and finds its links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote

BYTE_ORDER_MARK = "\ufeff"
_PARAMETERS = ("puzzle", "puzzle_size", "board_w", "board_h", "board_edges", "board_pieces", "motifs_order", "hints")
_PARAMETER = re.compile(rf"(?:^|[?&#\s])({'|'.join(_PARAMETERS)})=")
_LINK_START = re.compile(r"https?://", re.IGNORECASE)
_CONTINUATION = re.compile(r"[A-Za-z0-9_=&.+%-]+")
_CLOSERS = ")]}>.,;:!\"'`*"
_MOST_LINKS = 1000
_MOST_NAME_WORDS = 16
_MOST_PARTS = 500  # lines or blanks that may cut one link


@dataclass(frozen=True)
class Link:
    """One link, or one bare block of parameters (`host` empty)."""

    host: str
    parameters: tuple[tuple[str, str], ...]  # in the order of the text, values undecoded
    start: int  # where it starts in the plain text

    def values(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.parameters if key == name)


def plain(text: str) -> str:
    """The text without byte order mark, carriage returns, mail quoting and HTML ampersands."""
    text = text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    if "=3D" in text and "=\n" in text:
        text = text.replace("=\n", "").replace("=3D", "=")
    if re.match(r"\s*>", text):
        text = re.sub(r"(?m)^(?:> ?)+", "", text)
    return text.replace("&amp;", "&")


def links(text: str) -> tuple[Link, ...]:
    """Every link of the plain text that has a parameter of ours, or else the bare block of parameters.

    Links without a board (`puzzle=NAME` alone) are left out where others have one.
    """
    starts = [match.start() for match in _LINK_START.finditer(text)][:_MOST_LINKS]
    found = []
    for start, end in pairwise([*starts, len(text)]):
        link = _link(text[start:end], start)
        if link is not None:
            found.append(link)
    if not found:
        match = _PARAMETER.search(text)
        if match is not None:
            link = _link("?" + text[match.start(1) :], match.start(1))
            if link is not None:
                found.append(link)
    with_board = tuple(link for link in found if link.values("board_edges"))
    return with_board or tuple(found)


def _link(text: str, start: int) -> Link | None:
    """The link at the start of `text`; it may be percent-encoded as a whole, or broken over several lines."""
    head, *more = text.split()
    if re.search(r"(?i)(puzzle|board_edges)%3D", head):
        head = unquote(head)
    head = re.sub(r"(?i)%23(?=[a-z_]+=)", "#", head, count=1)
    joined = _joined(head, more[:_MOST_PARTS]).rstrip(_CLOSERS)
    cut = re.search(r"[?#]", joined)
    if cut is None:
        return None
    host = re.sub(r"(?i)^https?://([^/]*).*", r"\1", joined[: cut.start()], flags=re.DOTALL).lower()
    parameters = []
    for part in re.split(r"[&?#]", joined[cut.end() :]):
        name, equals, value = part.partition("=")
        if equals:
            parameters.append((name, value))
    if not any(name in _PARAMETERS for name, _ in parameters):
        return None
    return Link(host, tuple(parameters), start)


def _joined(head: str, more: list[str]) -> str:
    """The link with the tokens that a line break or a blank cut off: as long as its last channel is too short.

    A blank before the edges belongs to the name if one does; there is no telling it from a line break there.
    """
    named = next((place for place, token in enumerate(more[:_MOST_NAME_WORDS]) if "board_edges=" in token), None)
    if named is not None and "board_edges=" not in head:
        for token in more[: named + 1]:
            in_name = re.search(r"[?&#]puzzle=[^&]*$", head) is not None
            head += f" {token}" if in_name else token
        more = more[named + 1 :]
    for token in more:
        body = token.rstrip(_CLOSERS)
        if not _CONTINUATION.fullmatch(body) or not _is_cut(head):
            break
        head += token
    return head


def _is_cut(link: str) -> bool:
    """Whether the link ends in the middle: before its edges, or inside its edges or pieces."""
    sizes: dict[str, str] = dict(re.findall(r"(puzzle_size|board_w|board_h)=([0-9]{1,2})(?![0-9])", link))
    width = int(sizes.get("board_w", sizes.get("puzzle_size", "16")))
    height = int(sizes.get("board_h", sizes.get("puzzle_size", "16")))
    name, _, value = re.split(r"[&?#]", link)[-1].partition("=")
    if name == "board_edges":
        return len(value) < 4 * width * height
    if name == "board_pieces":
        return len(value) < 3 * width * height
    return "board_edges=" not in link and "board_w" in link
