"""e2 pencil replay: the history of a solving, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from e2.cli.options import Json
from e2.cli.output import DONE, say, say_json
from e2.errors import FormatError, SettingsError
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.pencil.pzpr.history import History, Session


def replay(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A pzprv3 file with its history, a history as JSON, input commands, or -."),
    ],
    puzzle: Annotated[
        str | None, typer.Option("--puzzle", metavar="URL", help="Where the history or the commands begin: a link.")
    ] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="N", help="Undo or redo to step N; 0 is the start.")] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Then keep what was tried in all open trials.")] = False,
    reject: Annotated[bool, typer.Option("--reject", help="Then give up the last open trial.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture as SVG.")] = None,
    json: Json = False,
) -> int:
    """Replay the solving of a slither, yajilin, akari or shakashaka board, and write its history.

    Every step is checked against the board. Input commands are those of pzprjs' scripts, one a line, as in
    `mouse,left,0,0,4,0`. With --json, `history` is the document of pzprjs.

    \b
    Example:
      e2 pencil replay saved.txt --to 0
    """
    from e2.pencil.pzpr.history import history_record
    from e2.store.layout import write_durably
    from e2.views.pencil_svg import session_svg
    from e2.views.pencil_text import session_lines

    if accept and reject:
        raise SettingsError("--accept and --reject: expected one of them")
    session, kept = _session(file, puzzle)
    if to is not None:
        session.go_to(to)
        session.bind()
    if accept:
        session.accept_trial()
    if reject:
        session.reject_trial()
    lines = session_lines(session)
    if svg is not None:
        write_durably(svg, session_svg(session).encode())
    if json:
        record: dict[str, Any] = {
            "pid": session.puzzle.pid,
            "position": session.position,
            "steps": len(session.groups),
            "trials": session.trials,
            "lines": lines,
            "history": history_record(session.history(kept)),
        }
        say_json(record)
        return DONE
    say(f"{session.puzzle.urlid} {session.board.cols}x{session.board.rows}")
    for line in lines:
        say(line)
    trials = len(session.trials)
    say(f"step {session.position} of {len(session.groups)}" + (f", in trial {trials}" if trials else ""))
    if svg is not None:
        say(f"wrote {printable(str(svg))}")
    return DONE


def _session(file: str, puzzle: str | None) -> tuple[Session, History]:
    """The session of a file or document, and the document."""
    from e2.formats.json_text import json_object
    from e2.pencil.pzpr.commands import Hand, read_command
    from e2.pencil.pzpr.decode import decode
    from e2.pencil.pzpr.history import FORMAT, SOLVABLE, Session, read_history
    from e2.pencil.pzpr.history import replay as replayed
    from e2.pencil.pzpr.saved import drawn_values, history_text
    from e2.store.source import read_stream

    text = read_stream(file).text
    if not text.startswith("pzprv3"):
        if puzzle is None:
            raise SettingsError("a history begins on a board: expected --puzzle with its link")
        decoded = decode(puzzle)
        if text.lstrip().startswith("{"):
            history = read_history(json_object(FORMAT, text))
            return replayed(decoded.puzzle, decoded.board, history), history
        hand = Hand(Session(decoded.puzzle, decoded.board))
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        for command in [read_command(line, f"line {number}") for number, line in lines]:
            hand.perform(command)
        return hand.session, hand.session.history()
    if puzzle is not None:
        raise SettingsError("--puzzle is for a history or commands: a pzprv3 file has its board in it")
    saved = decode(text)
    if saved.puzzle.pid not in SOLVABLE:
        raise FormatError(
            FORMAT, f"{saved.puzzle.pid} has no session", place="line 2", expected=f"one of {', '.join(SOLVABLE)}"
        )
    found = history_text(saved.link.body)
    if found is None:
        raise FormatError(FORMAT, "there is no history in the file", place="its end", expected="history:{...}")
    record = json_object(FORMAT, found[0])
    history = read_history(record.get("history", {}) if found[1] else record)
    return replayed(
        saved.puzzle, saved.board, history, drawn_values(saved.puzzle, saved.board, saved.link.body)
    ), history
