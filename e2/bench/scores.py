"""Scores after a minute on one core on the pinned variants, beside what others have published."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from e2.bench.report import Report
from e2.cluster.executor import Executor
from e2.cluster.inline import InlineExecutor
from e2.cluster.local import LocalExecutor
from e2.cluster.observer import Silent
from e2.cluster.run import solve
from e2.cluster.study import RunSettings, run_settings
from e2.core.instance import Instance
from e2.core.variants import ARRANGEMENTS, PUBLISHED, variant
from e2.errors import SettingsError
from e2.store.estimate import estimate

PUBLISHED_MEANS = (
    ("colour beam and beam repair, prototype in C++", 460.0),
    ("matched-edge beam, 72 s", 454.8),
    ("beam and ALNS", 452.9),
    ("breaks and repair", 446.0),
    ("Verhaard's slips", 440.8),
    ("Blackwood's breaks", 436.4),
    ("strict rows", 376.8),
)
"""Mean scores over variants 00 to 09 after about 60 s on one core of other machines, a seed for each variant."""

_SEEDS_APART = 1_000_000  # a run may begin further tasks with the next seeds


def chosen_variants(fresh: int) -> tuple[Instance, ...]:
    """Variants 00 to 09, or `fresh` arrangements that are not among them."""
    if not 0 <= fresh <= len(ARRANGEMENTS) - len(PUBLISHED):
        raise SettingsError(f"{fresh} fresh variants; expected 0 to {len(ARRANGEMENTS) - len(PUBLISHED)}")
    corners = ARRANGEMENTS[len(PUBLISHED) :][:fresh] if fresh else PUBLISHED
    return tuple(variant(three) for three in corners)


def scores_report(
    instances: tuple[Instance, ...], strategy: str | None, seconds: float, cores: int, seeds: int
) -> Report:
    """One ordinary run for every instance and seed, one after the other, each with `cores` workers for `seconds`."""
    values: dict[str, object] = {"seconds": seconds, "executor": "inline" if cores == 1 else "local"}
    values |= {"workers": cores} if cores > 1 else {}
    values |= {"strategy": strategy} if strategy else {}
    settings = run_settings(values)
    if seeds < 1:
        raise SettingsError(f"{seeds} seeds; expected 1 or more")
    executor: Executor = InlineExecutor() if cores == 1 else LocalExecutor(cores)
    with executor, TemporaryDirectory(prefix="e2-bench-") as folder:
        scores = {
            instance.name: [
                _score(settings, instance, seed, executor, Path(folder, f"{instance.name}-{seed}"))
                for seed in range(seeds)
            ]
            for instance in instances
        }
    return _report(settings, scores, seconds, cores, seeds)


def _score(settings: RunSettings, instance: Instance, seed: int, executor: Executor, path: Path) -> int:
    seeded = settings.model_copy(update={"seed": seed * _SEEDS_APART})
    best = solve(seeded, instance, path, Silent(), executor=executor).best
    return 0 if best is None else best.score


def _report(settings: RunSettings, scores: dict[str, list[int]], seconds: float, cores: int, seeds: int) -> Report:
    mean = estimate([[float(score) for score in found] for found in scores.values()])
    shown = f"{mean.mean:.2f}" + ("" if mean.half_width is None else f" ± {mean.half_width:.2f}")
    lines = [f"{name:14} {' '.join(map(str, found))}" for name, found in scores.items()]
    lines.append(f"mean {shown} ({settings.strategy}, {seconds:g} s, {cores} core{'s' * (cores > 1)})")
    lines += [f"  published {value:6.1f}  {name}" for name, value in PUBLISHED_MEANS]
    record = {
        "mean": mean.mean,
        "interval": None if mean.low is None else [mean.low, mean.high],
        "per_instance": scores,
        "seeds": seeds,
        "seconds": seconds,
        "cores": cores,
        "strategy": settings.strategy,
    }
    bars = tuple((name, sum(found) / len(found)) for name, found in scores.items())
    return Report(f"scores: mean {shown}", tuple(lines), (record,), "seams", bars, PUBLISHED_MEANS[:2])
