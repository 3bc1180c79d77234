"""A link in, its board out; a board in, its link out."""

from __future__ import annotations

from dataclasses import dataclass

from e2.errors import FormatError
from e2.pencil.pzpr import PUZZLES
from e2.pencil.pzpr.board import PencilBoard
from e2.pencil.pzpr.link import Link, parse_link, size_of, written_link
from e2.pencil.pzpr.primitives import FORMAT, MOST_FAULTS, Body, Fault
from e2.pencil.pzpr.puzzle import Puzzle
from e2.pencil.pzpr.tokens import read_file_board, read_heyawake_board, read_kanpen_board

_BY_NAME = {name: puzzle for puzzle in PUZZLES for name in puzzle.names}


@dataclass(frozen=True)
class Decoded:
    """What is in a link.

    `flags` are the letters that mean something, in the order they are written. `leftover` is the text that the
    primitives did not take: behind the last cell, and of a kanpen or heyawake-applet link all of it, since it has
    none. `canonical` is the link that pzprjs writes, None where a value cannot be written. `warnings` say what a strict
    reader would refuse.
    """

    puzzle: Puzzle
    link: Link
    board: PencilBoard
    flags: str
    leftover: str
    canonical: str | None
    warnings: tuple[str, ...]


def names_a_puzzle(name: str) -> bool:
    """Whether a pid or alias is known here; case matters."""
    return name in _BY_NAME


def puzzle_named(name: str) -> Puzzle:
    """The puzzle of a pid or alias; case matters. FormatError for an unknown one."""
    if not names_a_puzzle(name):
        known = ", ".join(sorted(puzzle.urlid for puzzle in PUZZLES))
        raise FormatError(FORMAT, f"{name[:40]!r} is no puzzle known here", place="pid", expected=f"one of {known}")
    return _BY_NAME[name]


def blank_board(puzzle: Puzzle, cols: int, rows: int) -> PencilBoard:
    """A board of this puzzle without any given."""
    board = PencilBoard.blank(cols, rows)
    for part in puzzle.parts:
        board = part.read(Body(""), board)
    return board


def decode(text: str, *, strict: bool = False) -> Decoded:
    """The board of a link or a pzprv3 file.

    Lenient as pzprjs is, with warnings; `strict` raises the FormatError of the first of them. An unknown pid and a size
    that no board has are errors in both.

    >>> decoded = decode("https://puzz.link/p?slither/3/3/8cj")
    >>> decoded.board.cells
    (3, -1, 2, -1, -1, -1, -1, -1, -1)
    >>> decoded.canonical
    'http://pzv.jp/p.html?slither/3/3/8cj'
    """
    link = parse_link(text)
    puzzle = puzzle_named(link.pid)
    cols, rows, faults = size_of(link)
    board, letters, leftover = blank_board(puzzle, cols, rows), link.pflag or "", ""
    if link.form == "file":
        board, letters = read_file_board(puzzle, board, link.body, faults)
    elif link.form == "kanpen":
        board, leftover = read_kanpen_board(puzzle, board, link.body, faults), link.body
    elif link.form == "heyawake-applet":
        board, leftover = read_heyawake_board(board, link.body), link.body
    else:
        body = Body(link.body)
        for part in (puzzle.old,) if puzzle.old and link.old else puzzle.parts:
            board = part.read(body, board)
        leftover = body.rest
        faults += body.faults
        if leftover:
            faults.append(
                Fault(
                    f"{leftover[:20]!r} is left over",
                    f"character {body.at + 1} of the body",
                    "the end of the link",
                )
            )
    flags = "".join(letter for letter, _ in puzzle.flags if letter in letters)
    faults += _flag_faults(puzzle, link)
    if strict and faults:
        raise faults[0].error()
    warnings = [str(fault) for fault in faults]
    canonical = None
    try:
        canonical = encode(puzzle, board, flags=flags, variant=link.variant)
    except FormatError as error:
        if strict:
            raise
        warnings.append(f"cannot be written as a link: {error.message} (at {error.place})")
    return Decoded(puzzle, link, board, flags, leftover, canonical, tuple(warnings))


def _flag_faults(puzzle: Puzzle, link: Link) -> list[Fault]:
    """The letters of a pflag that mean nothing. `c` and `d` tell new and old bodies apart."""
    known = {letter for letter, _ in puzzle.flags} | ({"c", "d"} if puzzle.old else set())
    unknown = set((link.pflag or "").removeprefix("?")) - known - ({"c"} if link.form == "applet" else set())
    expected = "one of " + " ".join(sorted(known)) if known else "none"
    return [
        Fault(f"{letter!r} means nothing for {puzzle.pid}", "pflag", expected)
        for letter in sorted(unknown)[:MOST_FAULTS]
    ]


def encode(puzzle: Puzzle, board: PencilBoard, *, flags: str = "", variant: str | None = None) -> str:
    """The canonical link of a board: byte for byte what pzprjs writes.

    Raises FormatError for a value that the primitives cannot hold or pzprjs could not read back.
    """
    body = "".join(part.write(board) for part in puzzle.parts)
    return written_link(puzzle.urlid, variant, flags, board, body)
