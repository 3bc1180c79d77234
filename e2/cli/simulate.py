"""e2 simulate: how many workers one driver keeps busy."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import Json
from e2.cli.output import DONE, NO, say, say_json
from e2.errors import SettingsError

if TYPE_CHECKING:
    from e2.cluster.simulate import Simulation, UnitTimes

_SPOILT = 0.001  # of all results that come twice, and as many late, where anything goes wrong
_MEAN = 5.0  # seconds of a unit where no run is given
_WANTED = 95.0  # per cent
_COLUMNS = (
    ("workers", 7),
    ("efficiency", 10),
    ("middle", 7),
    ("busy", 7),
    ("units", 9),
    ("units/s", 7),
    ("slices", 9),
    ("manager", 7),
    ("held", 7),
    ("deaths", 6),
    ("late", 6),
    ("lost", 7),
    ("account", 7),
)


def simulate(
    run: Annotated[
        Path | None,
        typer.Argument(help="A finished count, whose unit times are replayed; default: those of a 6x6 puzzle."),
    ] = None,
    workers: Annotated[str, typer.Option(metavar="N,...", help="How many, each apart.")] = "10,1000,10000",
    minutes: Annotated[float, typer.Option(help="Of work for each worker.")] = 5.0,
    losses: Annotated[
        float,
        typer.Option(help="The chance that a worker dies within an hour. If any: 1 result in 1,000 twice, 1 late."),
    ] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Of the unit times, and of what goes wrong.")] = 0,
    mean: Annotated[
        float | None, typer.Option(help="Stretch the unit times to this mean, in seconds; default: RUN's own, or 5.")
    ] = None,
    slice_seconds: Annotated[float, typer.Option("--slice", help="Seconds after which a worker reports.")] = 10.0,
    svg: Annotated[Path | None, typer.Option(help="Draw the efficiencies into this file.")] = None,
    json: Json = False,
) -> int:
    """Replay a count on workers that are not there, with the real manager and ledger, and say how busy they are.

    Time is virtual, but the manager's CPU time and its waits for the disk go by in it. Exit code 1 if an account is not
    exact.

    efficiency: the part of all worker-seconds that became work in the ledger; middle: the same without the first and
    the last twentieth of the work. busy: the part of their time in which living workers searched. units: handed out and
    returned, units/s for a second of the manager's CPU time; manager: the part of the time in which it was at work;
    held: most units in memory; lost: work that the ledger did not take.

    \b
    Example:
      e2 simulate --workers 10,100 --minutes 1
    """
    from e2.cluster.simulate import simulate as simulated
    from e2.cluster.virtual import Faults
    from e2.store.layout import write_durably
    from e2.views.charts import bars_svg

    numbers = _numbers(workers)
    _check("--minutes", minutes, 0.001, 10_000)
    _check("--losses", losses, 0, 0.999)
    _check("--slice", slice_seconds, 0.01, 60)
    if mean is not None:
        _check("--mean", mean, 1e-6, 1e6)
    times = _times(run, mean)
    faults = Faults(losses, _SPOILT, _SPOILT) if losses else Faults()
    if not json:
        say(f"{minutes:g} min of work for each, in units of {times.mean:.3g} s, slices of {slice_seconds:g} s")
        say("  ".join(name.rjust(width) for name, width in _COLUMNS))
    found = []
    for number in numbers:
        found.append(simulated(number, minutes, times, faults, seed=seed, slice_seconds=slice_seconds))
        if json:
            say_json(_record(found[-1]))
        else:
            say(_line(found[-1]))
    if svg is not None:
        bars = [(f"{one.workers} workers", 100 * one.efficiency) for one in found]
        bars += [(f"{one.workers}, the middle", 100 * one.middle) for one in found]
        write_durably(svg, bars_svg("Efficiency", "%", bars, [("wanted", _WANTED)]).encode())
    return DONE if all(one.exact for one in found) else NO


def _numbers(text: str) -> list[int]:
    words = text.split(",")
    if not all(word.isascii() and word.isdecimal() and len(word) < 7 and 1 <= int(word) <= 100_000 for word in words):
        raise SettingsError(f"--workers {text[:40]!r}: expected numbers from 1 to 100000, such as 10,1000")
    return [int(word) for word in words]


def _check(option: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise SettingsError(f"{option} {value:g}: expected {least:g} to {most:g}")


def _times(run: Path | None, mean: float | None) -> UnitTimes:
    from e2.cluster.simulate import MEASURED, measured_times

    if run is None:
        return MEASURED.stretched(mean or _MEAN)
    times = measured_times(run)
    return times if mean is None else times.stretched(mean)


def _record(one: Simulation) -> dict[str, object]:
    return {**asdict(one), "efficiency": one.efficiency, "units_a_second": one.units_a_second}


def _line(one: Simulation) -> str:
    cells = (
        str(one.workers),
        f"{one.efficiency:.1%}",
        f"{one.middle:.1%}",
        f"{one.busy:.1%}",
        str(one.units),
        f"{one.units_a_second:.0f}",
        str(one.slices),
        f"{one.manager / one.span:.1%}",
        str(one.held),
        str(one.deaths),
        str(one.late),
        f"{one.lost / one.work:.2%}",
        "exact" if one.exact else "WRONG",
    )
    return "  ".join(cell.rjust(width) for cell, (_, width) in zip(cells, _COLUMNS, strict=True))
