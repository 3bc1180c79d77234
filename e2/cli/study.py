"""e2 study: is this strategy better than that one?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from e2.cli.options import Address, Executor, Json, Workers
from e2.cli.output import DONE, INTERNAL, INTERRUPTED, note, say, say_json
from e2.cli.solve import Watcher
from e2.store.layout import safe_name, write_durably
from e2.store.source import read_file
from e2.views.terminal import printable

if TYPE_CHECKING:
    from e2.store.archive import Found
    from e2.store.estimate import Estimate
    from e2.store.verdict import Verdict


def study(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The study: puzzles, arms, seeds, budget, as TOML.")],
    seeds: Annotated[int | None, typer.Option(help="Seeds for each arm and puzzle; the file's own, else 40.")] = None,
    executor: Executor = None,
    workers: Workers = None,
    address: Address = None,
    out: Annotated[Path | None, typer.Option(help="The study's folder; default: runs/study-FILE.")] = None,
    json: Json = False,
) -> int:
    """Compare strategies on the same puzzles and seeds at equal budget, and say how sure the difference is.

    The same command goes on with a study that was stopped, and adds what the file has more by now. The first arm is
    the control. The folder gets verdict.svg beside the runs.

    \b
    Example:
      e2 study configs/probe.toml --executor local
    """
    from e2.cluster.survey import read_study, run_study
    from e2.views.study_svg import study_svg
    from e2.views.study_text import study_lines

    given = {"seeds": seeds, "executor": executor, "workers": workers, "address": address}
    overrides = {name: value for name, value in given.items() if value is not None}
    asked = read_study(read_file(file).text, file.parent, overrides)
    folder = out or Path("runs") / f"study-{safe_name(file.stem)}"
    with _Watcher(json) as watcher:
        summary = run_study(asked, folder, watcher)
    write_durably(folder / "verdict.svg", study_svg(file.stem, summary.verdict).encode())
    if json:
        say_json(_record(folder, summary.verdict))
    else:
        for line in study_lines(summary.verdict):
            say(line)
    for failure in summary.failures:
        note(f"failed: {printable(failure)}")
    if not summary.verdict.complete:
        note(f"to go on: e2 study {file} --out {folder}")
    if summary.interrupted:
        return INTERRUPTED
    return INTERNAL if summary.failures else DONE


class _Watcher(Watcher):
    """Shows the run that is on; its boards are in its folder, and no news."""

    def board(self, found: Found) -> None: ...


def _record(folder: Path, verdict: Verdict) -> dict[str, Any]:
    return {
        "study": str(folder),
        "complete": verdict.complete,
        "arms": [
            {
                **{name: value for name, value in asdict(standing).items() if name not in ("score", "by_puzzle")},
                **_numbers(standing.score),
                "per_puzzle": dict(standing.by_puzzle),
            }
            for standing in verdict.standings
        ],
        "differences": [
            {
                **{name: value for name, value in asdict(difference).items() if name != "score"},
                **_numbers(difference.score),
                "verdict": difference.verdict,
            }
            for difference in verdict.differences
        ],
        "picture": str(folder / "verdict.svg"),
    }


def _numbers(score: Estimate | None) -> dict[str, Any]:
    if score is None:
        return {"mean": None, "interval": None}
    return {"mean": score.mean, "interval": None if score.low is None else [score.low, score.high]}
