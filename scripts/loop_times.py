"""Time the loop search on the boards of tests/pencil/data: python scripts/loop_times.py, from the checkout's folder.

Prints a table in Markdown: processor seconds of this process, of all its threads, compile time apart. e2 builds its
tables, searches and proves; the least of five runs. puzzlekit (PyPI) stands beside it where it is installed: one run,
without proof, given up after 30 seconds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from e2.core.grid import Grid
from e2.kernels.rehearse import warm_up
from e2.pencil.loop import LoopPuzzle, solve_loop

DATA = Path(__file__).parent.parent / "tests" / "pencil" / "data"
GIVE_UP = 30.0  # seconds
LEAST_ROWS = 10


def boards() -> list[LoopPuzzle]:
    """The larger boards with blanks, the one of 31x45, and the largest full one."""
    cases = json.loads((DATA / "slither_blank_cases.json").read_text("utf-8"))["cases"]
    full = json.loads((DATA / "slink_cases.json").read_text("utf-8"))["generated"]
    found = [_puzzle(case["clues"]) for case in cases if case["rows"] >= LEAST_ROWS]
    large = json.loads((DATA / "slither_31x45.json").read_text("utf-8"))
    clues = tuple(None if value < 0 else value for value in large["cells"])
    found.append(LoopPuzzle(Grid(large["cols"], large["rows"]), clues))
    return [*found, max((_puzzle(case["clues"]) for case in full), key=lambda puzzle: puzzle.grid.cells)]


def _puzzle(rows: Sequence[Sequence[int | None]]) -> LoopPuzzle:
    return LoopPuzzle(Grid(len(rows[0]), len(rows)), tuple(clue for row in rows for clue in row))


def seconds(work: Callable[[], object]) -> float:
    """Processor time."""
    began = time.process_time()
    work()
    return time.process_time() - began


def others(puzzle: LoopPuzzle) -> str:
    """What puzzlekit takes, in seconds."""
    if find_spec("puzzlekit") is None:
        return "-"
    _status_of_others(LoopPuzzle(Grid(2, 2), (2,) * 4))  # loads what it needs
    found: list[str] = []
    taken = seconds(lambda: found.append(_status_of_others(puzzle)))
    return f"{taken:.2f}" if found[0] in ("Optimal", "Feasible") else f"none in {GIVE_UP:g}"


def _status_of_others(puzzle: LoopPuzzle) -> str:
    import puzzlekit

    width = puzzle.grid.width
    marks = ["-" if clue is None else str(clue) for clue in puzzle.clues]
    rows = [marks[start : start + width] for start in range(0, len(marks), width)]
    given = {"num_rows": puzzle.grid.height, "num_cols": width, "grid": rows}
    options = {"time_limit_sec": GIVE_UP, "num_search_workers": 1}
    return str(puzzlekit.solve(given, "slitherlink", solver_options=options).solution_data["status"])


if __name__ == "__main__":
    warm_up("loop")
    print(
        "| board | clues | e2, with proof | decided by trial | puzzlekit, no proof |", "|---|---|---|---|---|", sep="\n"
    )
    for puzzle in boards():
        clues = sum(clue is not None for clue in puzzle.clues)
        taken = min(seconds(lambda board=puzzle: solve_loop(board)) for _ in range(5))
        solved = solve_loop(puzzle)
        assert len(solved.loops) == 1
        size = f"{puzzle.grid.height}x{puzzle.grid.width}"
        print(f"| {size} | {clues} | {taken:.4f} | {solved.nodes} | {others(puzzle)} |", flush=True)
