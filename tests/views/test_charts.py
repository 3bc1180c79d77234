"""Bars as SVG."""

import xml.etree.ElementTree as ElementTree

import pytest

from e2.views.charts import bars_svg

SVG = "{http://www.w3.org/2000/svg}"


def widths(picture):
    return [float(part.get("width")) for part in ElementTree.fromstring(picture).iter(f"{SVG}rect")][1:]


def test_bars_are_as_long_as_their_values():
    one, two = widths(bars_svg("speed", "times", [("a", 1.0), ("b", 2.0)]))
    assert two == pytest.approx(2 * one, abs=0.2)


def test_values_close_together_are_told_apart():
    low, high = widths(bars_svg("scores", "seams", [("a", 458.0), ("b", 460.0)]))
    assert high > 2 * low > 0


def test_names_are_escaped_and_nothing_to_draw_is_a_picture_too():
    assert "<script>" not in bars_svg("<script>", "&", [("<script>", 1.0)], [("<script>", 2.0)])
    assert widths(bars_svg("nothing", "", [])) == []


def test_a_mark_is_a_line_with_its_name():
    picture = ElementTree.fromstring(bars_svg("speed", "times", [("a", 1.0)], [("floor", 0.9)]))
    assert len(list(picture.iter(f"{SVG}path"))) == 1
    assert "floor 0.9" in [text.text for text in picture.iter(f"{SVG}text")]
