"""e2 generate: solvable instances from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from e2.cli.output import DONE, note, say, say_json
from e2.errors import RunError, SettingsError
from e2.views.terminal import printable


def generate(
    size: Annotated[str, typer.Option(help="Side of the board, or WIDTHxHEIGHT.")] = "8",
    colours: Annotated[int, typer.Option(help="Number of colours, grey not counted.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzle everywhere.")] = 1,
    framed: Annotated[bool, typer.Option("--framed", help="Give frame seams colours of their own.")] = False,
    pins: Annotated[int, typer.Option(help="Placements of the hidden solution that become hints.")] = 0,
    count: Annotated[int, typer.Option(help="How many puzzles: seed, seed + 1, ...")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder for one file a puzzle; without it, standard output.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One puzzle a line, as Puzzle JSON.")] = False,
) -> int:
    """Make solvable puzzles from a seed.

    \b
    Example:
      e2 generate --size 8 --colours 5 --seed 1 --framed --pins 2 > planted.json
    """
    from e2.core.generate import generated
    from e2.formats.convert import convert
    from e2.store.layout import write_durably

    if count < 1:
        raise SettingsError(f"count: {count} is not 1 or more")
    width, height = _size(size)
    for number in range(count):
        instance = generated(width, height, colours, seed + number, framed=framed, pins=pins).instance
        text = convert(instance, "puzzle_json")
        if out is not None:
            try:
                out.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise RunError(f"{out} cannot be made: {error.strerror}") from error
            path = out / f"{instance.name}.json"
            write_durably(path, text.encode())
            note(f"wrote {printable(str(path))}")
        if json:
            import orjson

            say_json(orjson.loads(text))
        elif out is None:
            say(text.rstrip())
        if not instance.pieces.is_distinct:
            note(f"note: {instance.name}: so few colours leave pieces that are alike or symmetric")
    return DONE


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not width.isdecimal() or (cross and not height.isdecimal()) or len(text) > 9:
        raise SettingsError(f"size: {text!r} is neither a number nor WIDTHxHEIGHT")
    return int(width), int(height if cross else width)
