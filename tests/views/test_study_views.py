from xml.etree import ElementTree

import pytest

from e2.store.verdict import Result, Verdict, judged
from e2.views.study_svg import study_svg
from e2.views.study_text import study_lines

SVG = "{http://www.w3.org/2000/svg}"


def verdict(*arms: str, scores: tuple[int, ...] = (450, 452, 455)) -> Verdict:
    results = [
        Result(arm, "p", seed, score + 10 * number, 2_000_000, 1.25)
        for number, arm in enumerate(arms)
        for seed, score in enumerate(scores)
    ]
    return judged(arms, ("p",), len(scores), results)


def test_the_tables_hold_every_arm_and_every_difference() -> None:
    assert study_lines(verdict("plain", "longer-name")) == [
        "arm          tasks    mean              95 %  best  worst  nodes  seconds",
        "plain          3/3  452.33  446.08 to 458.58   455    450    2 M     1.25",
        "longer-name    3/3  462.33  456.08 to 468.58   465    460    2 M     1.25",
        "",
        "less plain   pairs    mean              95 %  better  equal  worse",
        "longer-name      3  +10.00  +10.00 to +10.00       3      0      0  better",
    ]


def test_what_is_not_known_is_a_dash() -> None:
    lines = study_lines(judged(("a", "b"), ("p",), 2, [Result("a", "p", 0, 450, 5, 0.5)]))
    assert lines[1].split() == ["a", "1/2", "450.00", "-", "450", "450", "5", "0.5"]
    assert lines[2].split() == ["b", "0/2", "-", "-", "-", "-", "-", "-"]
    assert lines[-1].split() == ["b", "0", "-", "-", "0", "0", "0", "unknown"]


def test_one_arm_has_one_table() -> None:
    assert len(study_lines(verdict("alone"))) == 2


@pytest.mark.parametrize("scores", [(450, 452, 455), (450, 450), (0, 480), (1,)], ids=str)
def test_the_picture_is_sound_and_every_point_lies_in_it(scores: tuple[int, ...]) -> None:
    root = ElementTree.fromstring(study_svg("t", verdict("a", "b", "c", scores=scores)))
    points = [(float(point.get("cx", "-1")), float(point.get("cy", "-1"))) for point in root.iter(f"{SVG}circle")]
    assert len(points) == 5
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    assert all(0 < x < width and 0 < y < height for x, y in points)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts.count("b") == 2
    assert "+10.00" in texts


def test_a_higher_mean_lies_further_to_the_right() -> None:
    root = ElementTree.fromstring(study_svg("t", verdict("a", "b")))
    first, second, _ = (float(point.get("cx", "-1")) for point in root.iter(f"{SVG}circle"))
    assert first < second


def test_names_are_escaped() -> None:
    root = ElementTree.fromstring(study_svg("<script>&", verdict('"><b>')))
    assert [element.tag for element in root.iter() if "script" in element.tag or element.tag.endswith("b")] == []
    assert next(root.iter(f"{SVG}text")).text == "<script>&"


def test_a_study_without_results_has_a_picture_too() -> None:
    root = ElementTree.fromstring(study_svg("t", judged(("a", "b"), ("p",), 2, [])))
    assert list(root.iter(f"{SVG}circle")) == []
