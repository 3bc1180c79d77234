"""The bench of the live page, on a folder too small to measure anything."""

from e2.bench.views import views_report


def test_the_page_lists_all_that_was_made():
    report = views_report(runs=21, boards=65, rounds=1)
    record = report.records[-1]
    assert (record["runs"], record["boards"], record["complete"]) == (21, 65, True)
    assert record["core_seconds"] > 0
    assert 0 < record["seconds_again"] < record["seconds"] < 30
    assert "21 runs with 65 boards" in report.lines[0]
