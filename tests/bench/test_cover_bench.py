"""The exact cover bench: what it compares, what it says of a wrong engine, what it asks for."""

import sys

import pytest

from e2.bench.cover import OURS, cover_report, engines
from e2.errors import SettingsError
from e2.search.cover_tree import count_covers


def test_engines_that_agree_are_timed_and_compared():
    report = cover_report({OURS: count_covers, "twin": count_covers}, ("em4_3_3_1", "em5_4_3_2"), rounds=2)
    *records, last = report.records
    assert [(record["problem"], record["solutions"]) for record in records] == [("em4_3_3_1", 8), ("em5_4_3_2", 37)]
    assert all(record["seconds"].keys() == {OURS, "twin"} for record in records)
    assert last["counts_equal"] is True
    assert last["ratio_to_best"] == min(record["ratio_to_best"] for record in records) > 0
    assert len(report.lines) == 3


def test_an_engine_that_counts_otherwise_is_told():
    report = cover_report({OURS: count_covers, "off": lambda problem: count_covers(problem) + 1}, ("em4_3_3_1",))
    assert report.records[-1]["counts_equal"] is False
    assert report.lines[-1].endswith("COUNTS DIFFER")


def test_the_engines_that_are_missing_are_named_with_what_to_type(monkeypatch):
    for name in ("miniexact", "xcover"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SettingsError, match="to compare with: pip install miniexact xcover"):
        engines()


def test_other_engines_are_asked_as_they_want_to_be(monkeypatch):
    """Stand-ins with their interfaces, that count with ours: the problem comes through whole."""
    from types import SimpleNamespace

    from e2.core.cover import CoverProblem
    from e2.formats.cover_text import read_cover

    class Solver:
        def __init__(self):
            self.names, self.colours, self.options, self.open, self.left = [], [], [], [], None
            self.secondaries = 0

        def primary(self, name):
            self.names.append(name)
            return len(self.names)

        def secondary(self, name):
            self.secondaries += 1
            return self.primary(name)

        def color(self, name):
            self.colours.append(name)
            return len(self.colours)

        def add(self, item, colour=0):
            if item:
                self.open.append((item - 1, self.colours[colour - 1] if colour else ""))
            else:
                self.options.append(tuple(self.open))
                self.open = []

        def solve(self):
            if self.left is None:
                split = len(self.names) - self.secondaries
                problem = CoverProblem(tuple(self.names[:split]), tuple(self.names[split:]), tuple(self.options))
                self.left = count_covers(problem)
            self.left -= 1
            return 10 if self.left >= 0 else 20

    def covers(options, primary, secondary, colored):
        assert colored
        lines = [" ".join((*primary, "|", *secondary)), *(" ".join(option) for option in options)]
        return iter(range(count_covers(read_cover("\n".join(lines)))))

    monkeypatch.setitem(sys.modules, "miniexact", SimpleNamespace(miniexacts_c=Solver))
    monkeypatch.setitem(sys.modules, "xcover", SimpleNamespace(covers=covers))
    report = cover_report(engines(), ("em5_3_3_1", "word6"), rounds=1)
    assert report.records[-1]["counts_equal"] is True
    assert [record["solutions"] for record in report.records[:-1]] == [765, 244_792]
