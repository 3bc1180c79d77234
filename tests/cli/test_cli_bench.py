"""e2 bench from the command line."""

import pytest

from e2.bench.report import Report
from e2.search import STRATEGIES


def test_bench_signature_prints_one_number_for_all_and_draws_it(e2, tmp_path):
    ran = e2("bench", "signature", "--json", "--picture", tmp_path / "signature.svg")
    assert ran.code == 0
    assert list(ran.records[-1]["strategies"]) == [known.name for known in STRATEGIES]
    assert ran.records[-1]["signature"] == sum(ran.records[-1]["strategies"].values())
    assert (tmp_path / "signature.svg").read_text("utf-8").startswith("<svg ")


def test_bench_kernels_without_a_compiler_is_bad_input(e2, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    ran = e2("bench", "kernels", "--json")
    assert ran.code == 2
    assert "C compiler" in ran.records[-1]["error"]["message"]


@pytest.mark.parametrize(("equal", "code"), [(True, 0), (False, 1)])
def test_kernels_that_differ_in_their_nodes_are_a_no(e2, monkeypatch, equal, code):
    report = Report("kernels", ("text",), ({"nodes_equal": equal},))
    monkeypatch.setattr("e2.bench.kernels.kernels_report", lambda: report)
    assert e2("bench", "kernels").code == code


def test_more_fresh_variants_than_there_are_is_bad_input(e2):
    ran = e2("bench", "scores", "--fresh", "15")
    assert ran.code == 2
    assert "expected 0 to 14" in ran.err


def test_a_picture_without_a_folder_is_refused_before_anything_is_measured(e2, monkeypatch):
    monkeypatch.delattr("e2.cli.bench._report")
    ran = e2("bench", "scores", "--picture", "nowhere/scores.svg")
    assert (ran.code, ran.err) == (2, "error: --picture nowhere/scores.svg: there is no folder nowhere\n")
