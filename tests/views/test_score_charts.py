"""Curves and histograms: where the points lie, and that nothing in a name gets out of its text."""

import re
from xml.etree import ElementTree

import pytest

from e2.store.ledger import Improvement, Outcome, Totals
from e2.store.record import History
from e2.views.axes import linear_axis, log_axis, spread_axis
from e2.views.curves_svg import curves_svg
from e2.views.histogram_svg import counted, histogram_svg
from e2.views.progress import with_prefix
from e2.views.run_charts import score_charts

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '"><script>alert(1)</script>\u202e'


def lines(picture):
    """The strokes of the curves, as lists of numbers; the legend's samples are the ones with `h`."""
    root = ElementTree.fromstring(picture)
    paths = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "2.5"]
    return [path for path in paths if "h" not in path.get("d")]


def test_a_curve_goes_up_in_steps_and_to_the_right():
    (path,) = lines(curves_svg("t", "nodes", [("a", [(10, 400), (20, 410), (40, 450)])], with_prefix))
    commands = re.findall(r"([MHV]) ?([\d.]+)(?: ([\d.]+))?", path.get("d"))
    assert [command for command, *_ in commands] == ["M", "H", "V", "H", "V"]
    x0, y0, x1, y1, x2, y2 = (float(n) for _, *numbers in commands for n in numbers if n)
    assert x0 < x1 < x2
    assert x2 - x1 == pytest.approx(2 * (x1 - x0), abs=0.3)
    assert y0 > y1 > y2
    assert y1 - y2 == pytest.approx(4 * (y0 - y1), abs=0.5)


def test_curves_are_told_apart_by_their_dashes_and_named():
    picture = curves_svg("t", "nodes", [(name, [(1, 3), (2, 4)]) for name in "abc"], with_prefix)
    assert len({path.get("stroke-dasharray") for path in lines(picture)}) == 3
    assert {"a", "b", "c"} <= {text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")}


@pytest.mark.parametrize("points", [[], [(0.0, 5)], [(0.0, 0), (1e-6, 0)], [(0.5, 1), (1e9, 480)]], ids=str)
def test_every_curve_lies_within_its_picture(points):
    root = ElementTree.fromstring(curves_svg("t", "s", [("a", points)], "{:g}".format))
    width, height = float(root.get("width")), float(root.get("height"))
    for path in root.iter(f"{SVG}path"):
        (start,) = re.findall(r"^M([\d.]+) ([\d.]+)", path.get("d"))
        assert 0 <= float(start[0]) <= width
        assert 0 <= float(start[1]) <= height
        assert "nan" not in path.get("d")


def test_a_chart_has_no_paper_of_its_own_and_the_ink_of_the_page():
    for picture in (curves_svg("t", "s", [("a", [(1, 2), (3, 4)])], str), histogram_svg("t", "s", [("a", {1: 2})])):
        root = ElementTree.fromstring(picture)
        assert root.get("fill") == "currentColor"
        assert not [part for part in root.iter(f"{SVG}rect") if part.get("fill") in ("white", "#fff", "#ffffff")]
        assert 'id="' not in picture


def test_names_and_titles_are_escaped_and_hidden_marks_shown():
    for picture in (
        curves_svg(HOSTILE, HOSTILE, [(HOSTILE, [(1, 2), (3, 4)]), (HOSTILE, [(1, 2)])], str),
        histogram_svg(HOSTILE, HOSTILE, [(HOSTILE, {1: 2}), (HOSTILE, {3: 2})]),
    ):
        root = ElementTree.fromstring(picture)
        assert not [part for part in root.iter() if "script" in part.tag]
        assert any("\\u202e" in (text.text or "") for text in root.iter(f"{SVG}text"))


def bars(picture):
    return [float(part.get("height")) for part in ElementTree.fromstring(picture).iter(f"{SVG}rect")]


def test_bars_are_as_high_as_there_are_many():
    one, three = bars(histogram_svg("t", "score", [("a", counted([450, 452, 452, 452]))]))
    assert three == pytest.approx(3 * one, abs=0.3)


def test_panels_share_one_scale():
    first, second = bars(histogram_svg("t", "score", [("a", {450: 1}), ("b", {470: 4})]))
    assert second == pytest.approx(4 * first, abs=0.3)


def test_equal_factors_are_equal_steps_on_a_logarithmic_scale():
    one, two, three = bars(histogram_svg("t", "depth", [("a", {1: 10, 2: 1000, 3: 100_000})], log=True))
    assert three - two == pytest.approx(two - one, abs=0.3) != 0


def test_many_numbers_share_bars_and_nothing_is_lost():
    picture = histogram_svg("t", "depth", [("a", dict.fromkeys(range(256), 1))])
    titles = [title.text for title in ElementTree.fromstring(picture).iter(f"{SVG}title")][1:]
    assert 30 <= len(titles) <= 60
    assert sum(int(title.rpartition(": ")[2]) for title in titles) == 256


def test_nothing_to_show_is_a_picture_that_says_so():
    for picture in (curves_svg("t", "s", [], str), histogram_svg("t", "s", []), histogram_svg("t", "s", [("a", {})])):
        assert "nothing to show yet" in picture
        assert ElementTree.fromstring(picture).tag == f"{SVG}svg"


@pytest.mark.parametrize("values", [[0.003, 41.0], [1, 10], [7], [5, 6e12], [1e-9, 1.0]], ids=str)
def test_ticks_of_a_logarithmic_axis_lie_on_it(values):
    axis = log_axis(values)
    assert 2 <= len(axis.ticks) <= 10
    assert all(0 <= axis.part(tick) <= 1 for tick in axis.ticks)
    assert axis.part(min(values)) == 0


@pytest.mark.parametrize("values", [[450, 470], [0, 0], [3.5], [-2.0, 5.0], [1e9, 1e9 + 1]], ids=str)
def test_a_linear_axis_holds_its_values_between_round_numbers(values):
    axis = linear_axis(values)
    assert axis.low <= min(values) <= max(values) <= axis.high
    assert axis.ticks[0] == axis.low
    assert axis.ticks[-1] == axis.high
    assert len(axis.ticks) <= 8


def test_values_far_apart_get_a_logarithmic_axis():
    assert spread_axis([1, 1000]).log
    assert not spread_axis([500, 1000]).log
    assert not spread_axis([]).log


def history(*steps):
    """A run of one task that came to each (nodes, score) after a second for each node."""
    improvements = tuple(Improvement(0, nodes, nodes, float(nodes), 0.0, score, 1) for nodes, score in steps)
    nodes = steps[-1][0]
    return History(improvements, (Outcome(0, 0, steps[-1][1], nodes, 1.0),), Totals(1, 1, 0, nodes, 0, nodes, 0, 0, 1))


def test_the_first_steps_of_a_search_do_not_flatten_the_rest():
    for picture in score_charts([("a", history((10, 70), (20, 440), (30, 450))), ("b", history((10, 300), (20, 310)))]):
        said = ElementTree.fromstring(picture).find(f"{SVG}desc").text
        assert "a: 440 at 20, 450 at 30; b: 300 at 10, 310 at 20" in said


def test_a_run_without_a_history_has_no_curve():
    known, unknown = history((10, 440), (20, 450)), History((), (), Totals(1, 0, 0, 0, 0, 0.0, 0, 0, 0))
    assert len(score_charts([("a", known), ("b", unknown)])) == 3
    assert "b:" not in score_charts([("a", known), ("b", unknown)])[0]
    assert score_charts([("b", unknown)]) == []
