"""e2 simulate: few workers, in virtual time."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

SMALL = ("--minutes", "0.2", "--slice", "1", "--mean", "0.5")


def test_each_number_of_workers_is_a_line_of_the_table(e2):
    ran = e2("simulate", "--workers", "3,10", *SMALL, "--svg", "chart.svg")
    assert ran.code == 0
    title, head, *lines = ran.out.splitlines()
    assert title == "0.2 min of work for each, in units of 0.5 s, slices of 1 s"
    assert head.split()[:4] == ["workers", "efficiency", "middle", "busy"]
    assert [line.split()[0] for line in lines] == ["3", "10"]
    assert all(line.split()[-1] == "exact" for line in lines)
    drawn = {one.text for one in ElementTree.parse("chart.svg").getroot().iter("{http://www.w3.org/2000/svg}text")}
    assert {"3 workers", "10 workers", "wanted 95"} <= drawn


def test_the_json_has_what_was_asked_for_and_adds_up(e2):
    (record,) = e2("simulate", "--workers", "10", *SMALL, "--losses", "0", "--json").records
    assert record["workers"] == 10
    assert record["work"] == pytest.approx(120, abs=60)
    assert record["efficiency"] == pytest.approx(record["work"] / (10 * record["span"]))
    assert record["units_a_second"] == pytest.approx(record["units"] / record["manager"])
    assert (record["deaths"], record["late"], record["lost"], record["exact"]) == (0, 0, 0.0, True)


def test_the_unit_times_of_a_run_are_replayed(e2):
    counted = e2(
        *("count", "--puzzle", Path(__file__).parent.parent / "counts" / "tomy_4x4.json", "--prefix-depth", "3"),
        *("--executor", "inline", "--keep", "0", "--out", "run", "--json"),
    )
    assert counted.code == 0
    ran = e2("simulate", "run", "--workers", "2", "--minutes", "0.002")
    assert ran.code == 0
    assert ran.out.splitlines()[-1].endswith("exact")


def test_an_account_that_is_not_exact_is_a_no(e2, monkeypatch):
    from e2.cluster import simulate

    monkeypatch.setattr(simulate, "_is_exact", lambda ledger, work: False)
    ran = e2("simulate", "--workers", "2", *SMALL)
    assert ran.code == 1
    assert ran.out.splitlines()[-1].endswith("WRONG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--workers", "ten"), "--workers 'ten': expected numbers from 1 to 100000"),
        (("--workers", "10,0"), "expected numbers from 1 to 100000"),
        (("--minutes", "0"), "--minutes 0: expected 0.001 to 10000"),
        (("--minutes", "nan"), "--minutes nan: expected"),
        (("--losses", "1"), "--losses 1: expected 0 to 0.999"),
        (("--mean", "-1"), "--mean -1: expected"),
        (("--slice", "61"), "--slice 61: expected 0.01 to 60"),
        (("--mean", "1e-6"), "expected at most 20000000 units"),
        (("nothing",), "nothing is no run"),
    ],
    ids=str,
)
def test_what_cannot_be_simulated_is_refused(e2, arguments, said):
    ran = e2("simulate", *arguments)
    assert ran.code == 2
    assert said in ran.err
