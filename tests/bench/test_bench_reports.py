"""Signature, bites, cluster and scores: what they promise, on budgets too small to measure anything."""

from e2.bench.overhead import bites_report, timed_run
from e2.bench.scores import PUBLISHED_MEANS, chosen_variants, scores_report
from e2.bench.signature import strategy_nodes
from e2.cluster.inline import InlineExecutor
from e2.cluster.study import run_settings
from e2.core.generate import generated
from e2.search import strategy
from e2.store.ledger import Ledger

SMALL = generated(4, 4, 3, seed=1).instance
OTHER = generated(4, 4, 4, seed=2).instance


def test_the_signature_of_strict_is_its_three_whole_trees():
    assert strategy_nodes(strategy("strict")) == strategy_nodes(strategy("strict")) == 93_226


def test_a_bitten_search_ends_in_the_same_state():
    record = bites_report(nodes=20_000, rounds=1).records[-1]
    assert record["same_state"] is True
    assert record["slices"] * record["bites"] * record["nodes"] == 20_000


def test_a_timed_run_counts_its_nodes_and_its_workers_time(tmp_path):
    settings = run_settings({"strategy": "breaks", "nodes": 5_000, "tasks": 3, "executor": "local"})
    with InlineExecutor() as executor:
        run = timed_run(settings, SMALL, executor, 1, tmp_path / "run")
    assert run.nodes == Ledger.open(tmp_path / "run" / "ledger.sqlite").totals().nodes > 0
    assert 0 < run.busy < 1
    assert run.cpu > 0


def test_scores_have_a_mean_an_interval_and_each_instance():
    report = scores_report((SMALL, OTHER), "breaks", seconds=0.2, cores=1, seeds=2)
    record = report.records[-1]
    assert {"mean", "interval", "per_instance", "seeds", "seconds"} <= set(record)
    assert {name: len(scores) for name, scores in record["per_instance"].items()} == {SMALL.name: 2, OTHER.name: 2}
    means = [sum(scores) / 2 for scores in record["per_instance"].values()]
    assert record["mean"] == sum(means) / 2
    low, high = record["interval"]
    assert low <= record["mean"] <= high
    assert all(name in "\n".join(report.lines) for name, _ in PUBLISHED_MEANS)


def test_one_seed_tells_nothing_of_the_spread():
    assert scores_report((SMALL,), "breaks", seconds=0.2, cores=1, seeds=1).records[-1]["interval"] is None


def test_fresh_variants_are_none_of_the_ten():
    ten = {instance.name for instance in chosen_variants(0)}
    fresh = {instance.name for instance in chosen_variants(6)}
    assert (len(ten), len(fresh), ten & fresh) == (10, 6, set())
