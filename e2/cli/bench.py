"""e2 bench: what is measured, each subject on its own."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from e2.cli.options import Json
from e2.cli.output import DONE, NO, say, say_json
from e2.errors import SettingsError

if TYPE_CHECKING:
    from e2.bench.report import Report


class Subject(StrEnum):
    """What can be measured."""

    KERNELS = "kernels"
    SIGNATURE = "signature"
    BITES = "bites"
    RAY = "ray"
    SCALE = "scale"
    SCORES = "scores"
    VIEWS = "views"
    COVER = "cover"


def bench(
    subject: Annotated[
        Subject,
        typer.Argument(
            help="kernels: strict against its C twins; signature: one node count of all strategies; bites: cost of "
            "resuming; ray: cost of the cluster; scale: two workers against one; scores: the pinned variants; views: "
            "how soon the live page lists a thousand runs; cover: exact cover against other engines."
        ),
    ],
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Of one run; default: 60 for scores, 10 for ray, 5 for scale.")
    ] = None,
    cores: Annotated[int, typer.Option(min=1, help="scores: worker processes of a run.")] = 1,
    seeds: Annotated[int, typer.Option(min=1, help="scores: runs for each variant.")] = 1,
    strategy: Annotated[str | None, typer.Option(help="scores: default as in solve.")] = None,
    fresh: Annotated[int, typer.Option(min=0, help="scores: so many variants that are not among the ten.")] = 0,
    picture: Annotated[Path | None, typer.Option(help="Write the numbers as bars, an SVG file.")] = None,
    json: Json = False,
) -> int:
    """Measure the tool itself.

    Exit code 1 if kernels differ in their nodes, engines in their counts, a bitten search ends in another state, or a
    list lacks a run.

    \b
    Example:
      e2 bench signature
    """
    if picture is not None and not picture.parent.is_dir():
        raise SettingsError(f"--picture {picture}: there is no folder {picture.parent}")
    report = _report(subject, seconds, cores, seeds, strategy, fresh)
    if picture is not None:
        from e2.store.layout import write_durably
        from e2.views.charts import bars_svg

        write_durably(picture, bars_svg(report.title, report.unit, report.bars, report.marks).encode())
    if json:
        for record in report.records:
            say_json(record)
    else:
        for line in report.lines:
            say(line)
    wrong = any(
        report.records[-1].get(key) is False for key in ("nodes_equal", "same_state", "complete", "counts_equal")
    )
    return NO if wrong else DONE


def _report(
    subject: Subject, seconds: float | None, cores: int, seeds: int, strategy: str | None, fresh: int
) -> Report:
    if subject is Subject.KERNELS:
        from e2.bench.kernels import kernels_report

        return kernels_report()
    if subject is Subject.SIGNATURE:
        from e2.bench.signature import signature_report

        return signature_report()
    if subject is Subject.SCORES:
        from e2.bench.scores import chosen_variants, scores_report

        return scores_report(chosen_variants(fresh), strategy, seconds or 60.0, cores, seeds)
    if subject is Subject.COVER:
        from e2.bench.cover import cover_report

        return cover_report()
    if subject is Subject.VIEWS:
        from e2.bench.views import views_report

        return views_report()
    from e2.bench.overhead import bites_report, ray_report, scale_report

    if subject is Subject.BITES:
        return bites_report()
    if subject is Subject.RAY:
        return ray_report(seconds or 10.0)
    return scale_report(seconds or 5.0)
