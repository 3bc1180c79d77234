"""e2 convert: any format to any other."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from e2.cli.options import From, Input, Json, Lenient, Puzzle
from e2.cli.output import DONE, note, say, say_json, write
from e2.cli.show import picture
from e2.errors import FormatError
from e2.store.inputs import items, puzzle_option, readings
from e2.views.terminal import printable


def convert(
    input: Input,
    format: From = None,
    to: Annotated[str | None, typer.Option("--to", help="The format to write; default: all of them.")] = None,
    puzzle: Puzzle = None,
    lenient: Lenient = False,
    lossy: Annotated[bool, typer.Option("--lossy", help="Write even if something is lost; it says what.")] = False,
    motifs_order: Annotated[
        str, typer.Option(help="The letters of a bucas link: default, jef, jblackwood.")
    ] = "default",
    json: Json = False,
) -> int:
    """Write a board or a puzzle in another format, or in all of them.

    \b
    Example:
      e2 convert tests/cases/edges-465.txt --to viewer_url
    """
    from e2.formats import convert as formats

    found = list(items(input, puzzle_option(puzzle)))
    if len(found) != 1:
        raise FormatError("input", f"{len(found)} boards in {input}", expected="one board or puzzle")
    item = found[0]
    reading, *others = readings(item, format, lenient)
    if others:
        note(f"note: {1 + len(others)} links here; this is the first")
    for warning in reading.warnings:
        note(f"note: {printable(warning)}")
    given = formats.document(reading, item.instance, motifs_order=motifs_order)
    if to is not None:
        if lossy:
            for lost in formats.losses(given, to):
                note(f"lost: {lost}")
        text = formats.convert(given, to, lossy=lossy, motifs_order=motifs_order)
        if json:
            say_json({"input": printable(item.label, 200), "format": reading.format, to: text})
        else:
            # A BoardDoc ends without a line end, so that a redirected one has the bytes of a published one.
            ends = text.endswith("\n") or (to == "board_doc" and not sys.stdout.isatty())
            write(text.encode() + (b"" if ends else b"\n"))
        return DONE
    texts, cannot = formats.convert_all(given)
    if json:
        say_json({"input": printable(item.label, 200), "format": reading.format, **texts, "cannot": cannot})
        return DONE
    for key, written in texts.items():
        say(f"{key}: " + (f"cannot: {printable(cannot[key])}" if written is None else _shortened(written)))
    if given.quads is not None:
        say()
        for line in picture(given):
            say(line)
    return DONE


def _shortened(text: str) -> str:
    """One line in a list of forms; a link stays whole, since it is there to be opened."""
    if text.startswith("https://"):
        return text.strip()
    line = " ".join(text.split())
    return printable(line if len(line) <= 100 else f"{line[:100]}... ({len(text)} characters; --to writes it)")
