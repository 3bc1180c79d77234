"""Signature, bites, cluster and scores: what they promise, on budgets too small to measure anything."""

from e2.bench.overhead import bites_report, run_rate, tree_seconds
from e2.bench.scores import PUBLISHED_MEANS, chosen_variants, scores_report
from e2.bench.signature import strategy_nodes
from e2.cluster.inline import InlineExecutor
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


def test_the_rate_of_a_run_counts_its_nodes(tmp_path):
    with InlineExecutor() as executor:
        assert run_rate(SMALL, executor, 1, 0.2, tmp_path / "run") > 0


def test_a_block_is_counted_in_the_seconds_of_an_ordinary_run(tmp_path):
    with InlineExecutor() as executor:
        assert 0 < tree_seconds(executor, 1, tmp_path / "run", region=(0, 0, 2, 2)) < 30
    assert Ledger.open(tmp_path / "run" / "ledger.sqlite").totals().solutions == 1312


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
