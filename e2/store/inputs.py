"""What an argument of a command or a function stands for: a puzzle, a board, or a set of boards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from e2.core.instance import Instance
from e2.errors import E2Error, FormatError, SettingsError

if TYPE_CHECKING:
    from e2.formats.format import Reading
    from e2.formats.judge import Judged
    from e2.store.compare import BoardSet

DEFAULT_PUZZLE = "eternity2"
"""The official set with its five hints."""


def bundled_puzzles() -> dict[str, Path]:
    """The puzzles that come with e2, by name: in the package when installed, beside it in a checkout."""
    package = Path(__file__).parent.parent
    for folder in (package / "puzzles", package.parent / "puzzles"):
        if folder.is_dir():
            found = sorted(folder.glob("*.json")) + sorted(folder.glob("*/*.json"))
            return {path.relative_to(folder).with_suffix("").as_posix(): path for path in found}
    return {}


def the_puzzle(argument: str) -> Instance:
    """The puzzle that an argument names: a file, `-`, the text itself, or one that comes with e2."""
    from e2.formats.load import load_puzzle
    from e2.store.source import read_file, read_source

    bundled = bundled_puzzles().get(argument)
    source = read_file(bundled) if bundled is not None and not os.path.exists(argument) else read_source(argument)
    try:
        return load_puzzle(source.text)
    except FormatError as error:
        if error.format == "unknown" or (argument.isalpha() and source.text == argument):
            known = ", ".join(bundled_puzzles())
            raise FormatError(
                "puzzle", f"{source.label!r} is no puzzle", expected=f"a file, the text of a puzzle, or one of {known}"
            ) from error
        raise


def puzzle_option(argument: str | None) -> Instance | None:
    """The puzzle of an option that may be left out."""
    return None if argument is None else the_puzzle(argument)


@dataclass(frozen=True)
class Item:
    """One thing to look at: what the user called it, its text, and the puzzle it comes with (a run's own)."""

    label: str
    text: str
    instance: Instance | None


def items(argument: str, instance: Instance | None) -> Iterator[Item]:
    """A file, `-` or a text is one item; a run folder or any folder is one for each board file in it."""
    from e2.store.source import read_file, read_source

    if "\0" in argument or not os.path.isdir(argument):
        source = read_source(argument)
        yield Item(source.label, source.text, instance)
        return
    folder = Path(argument)
    if instance is None and (folder / "puzzle.json").is_file():
        instance = the_puzzle(str(folder / "puzzle.json"))
    boards = folder / "boards" if (folder / "boards").is_dir() else folder
    paths = sorted(boards.glob("*.json"))
    if not paths:
        raise FormatError("input", f"there is no board in {folder}", expected="a run folder, or a folder of BoardDocs")
    for path in paths:
        yield Item(str(path), read_file(path).text, instance)


def readings(item: Item, format: str | None, lenient: bool) -> tuple[Reading, ...]:
    """What the item says: one Reading, or one for each link in it."""
    from e2.formats.detect import read_all

    size = None if item.instance is None else (item.instance.width, item.instance.height)
    return read_all(item.text, format=format, lenient=lenient, size=size)


def the_board(argument: str, instance: Instance | None) -> Judged:
    """The board behind an argument: of a run the best, of several links the first."""
    from e2.formats.judge import judge

    found = [judge(readings(item, None, False)[0], item.instance) for item in items(argument, instance)]
    return max(found, key=lambda judged: judged.audit.score)


def board_set(argument: str, instance: Instance | None) -> BoardSet:
    """All boards behind an argument, for comparing; a run may have none yet.

    Raises FormatError for one that no known set holds.
    """
    from e2.formats.convert import convert
    from e2.formats.judge import judge
    from e2.store.compare import BoardSet, Candidate
    from e2.store.layout import RunFolder
    from e2.store.record import is_run

    candidates = []
    name = argument if len(argument) <= 60 else argument[:57] + "..."
    if is_run(argument) and not any(RunFolder(Path(argument)).boards.glob("*.json")):
        return BoardSet(name, ())
    for item in items(argument, instance):
        for reading in readings(item, None, False):
            judged = judge(reading, item.instance)
            if judged.board is None:
                raise FormatError(
                    reading.format, f"{item.label}: its cells are in no known set", expected="--puzzle with its puzzle"
                )
            try:
                letters = convert(judged, "board_edges", lossy=True)
            except E2Error:
                letters = None
            candidates.append(Candidate(judged.board, judged.audit.score, reading.claims.board_hash, letters))
    return BoardSet(name, tuple(candidates))


def strategy_argument(argument: str, folder: Path = Path()) -> tuple[str, str]:
    """A strategy's name and the source that goes with it: empty for a registered one, whose name is the argument.

    FILE.py:CLASS is read, in `folder` where the path is relative, and named without the path: where the file lies
    decides nothing.
    """
    from e2.search.own import file_and_class
    from e2.store.source import read_file

    parts = file_and_class(argument)
    if parts is None:
        return argument, ""
    path, name = parts
    source = read_file(folder / path).text
    if not source.strip():
        raise SettingsError(f"{path} is empty; expected a class {name}")
    return f"{path.name}:{name}", source


def fill_order_argument(argument: str) -> str | list[int]:
    """A fill order's name, or the cells in a file."""
    return _named_or_listed(argument, "a cell number")


def schedule_argument(argument: str) -> str | list[int]:
    """A break schedule's name, or the depths in a file."""
    return _named_or_listed(argument, "a depth")


def _named_or_listed(argument: str, expected: str) -> str | list[int]:
    """A name, or the numbers in a file: blanks, commas or line ends between them, `#` begins a remark."""
    from e2.store.source import read_file

    path = Path(argument)
    if not os.path.isfile(path):
        return argument
    numbers = []
    for line, text in enumerate(read_file(path).text.splitlines(), 1):
        for word in text.partition("#")[0].replace(",", " ").split():
            if not (word.isascii() and word.isdecimal() and len(word) < 9):
                raise SettingsError(f"{argument}, line {line}: {word[:20]!r} is no number; expected {expected}")
            numbers.append(int(word))
    return numbers
