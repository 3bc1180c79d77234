"""The C twins make the nodes of the strict kernel; what is said where there is no compiler."""

import pytest

from e2.bench.kernels import kernels_report, strict_search
from e2.bench.per_cell import per_cell_source
from e2.bench.twins import generic_twin, per_cell_twin
from e2.core.generate import generated
from e2.errors import SettingsError

PINNED = generated(5, 4, 4, seed=11, pins=3).instance
OPEN = generated(4, 4, 3, seed=1).instance


@pytest.mark.parametrize("instance", [PINNED, OPEN], ids=lambda instance: instance.name)
@pytest.mark.parametrize("nodes", [1, 100, 1 << 30])
def test_both_twins_make_the_nodes_of_our_kernel(instance, nodes):
    ours = strict_search(instance)(nodes)
    assert generic_twin(instance)(nodes) == ours
    assert per_cell_twin(instance)(nodes) == ours


def test_a_twin_of_any_fill_order_has_a_function_for_every_free_cell():
    order = [5 * row + column for column in reversed(range(5)) for row in range(4)]
    text = per_cell_source(PINNED, order)
    free = PINNED.grid.cells - len(PINNED.hints)
    assert text.count("CELL cell") == 2 * free
    assert f"CELL cell{free}(" not in text


def test_lists_of_more_than_64_pieces_have_no_twin():
    instance = generated(9, 8, 1, seed=6).instance
    with pytest.raises(SettingsError, match="at most 64 pieces"):
        per_cell_source(instance, range(72))


def test_no_compiler_is_an_error_that_says_so(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(SettingsError, match="needs a C compiler"):
        generic_twin(OPEN)


def test_a_compiler_that_fails_is_quoted(monkeypatch):
    monkeypatch.setenv("CC", "false")
    with pytest.raises(SettingsError, match="does not compile the C twin"):
        per_cell_twin(OPEN)


def test_an_installed_e2_without_its_checkout_says_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr("e2.bench.twins._GENERIC", tmp_path / "strict.c")
    with pytest.raises(SettingsError, match="comes with a checkout"):
        generic_twin(OPEN)


def test_the_last_record_has_the_least_ratios_and_whether_nodes_agree():
    report = kernels_report([PINNED, OPEN], nodes=1_000, rounds=2)
    *each, last = report.records
    assert [record["puzzle"] for record in each] == [PINNED.name, OPEN.name]
    assert set(last) == {"ratio_to_c_generic", "ratio_to_c_per_cell", "nodes_equal"}
    assert last["nodes_equal"] is True
    for ratio in ("ratio_to_c_generic", "ratio_to_c_per_cell"):
        assert last[ratio] == min(record[ratio] for record in each) > 0
