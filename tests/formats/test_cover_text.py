"""Exact cover problems as text: what is read, what is written, what is refused."""

from pathlib import Path

import pytest

from e2.core.cover import CoverProblem
from e2.errors import FormatError
from e2.formats.cover_text import read_cover, write_cover

XCC = Path(__file__).parents[1] / "cases" / "xcc"

TOY = """| Knuth's example of 7.2.2.1
p q r | x y

p q x y:A
p r x:A y
p x:B
q x:A
r y:B
"""


def test_items_options_and_colours_are_read():
    problem = read_cover(TOY)
    assert (problem.primary, problem.secondary) == (("p", "q", "r"), ("x", "y"))
    assert problem.options[0] == ((0, ""), (1, ""), (3, ""), (4, "A"))
    assert len(problem.options) == 5


@pytest.mark.parametrize("path", sorted(XCC.glob("*.dlx")), ids=lambda path: path.stem)
def test_published_problems_are_written_as_they_are(path):
    assert write_cover(read_cover(path.read_text())) == path.read_text()


def test_a_problem_without_secondary_items_needs_no_bar():
    problem = CoverProblem(("a", "b"), (), (((0, ""),), ((1, ""), (0, ""))))
    assert write_cover(problem) == "a b\na\nb a\n"
    assert read_cover(write_cover(problem)) == problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cover: there is no line; expected a line of items, then one option a line"),
        ("| only a remark\n", "cover: there is no line; expected a line of items, then one option a line"),
        ("a b | x | y\n", "cover: two bars (at line 1); expected one, between primary and secondary items"),
        ("a a\n", "cover: the item 'a' stands there twice (at line 1); expected different items"),
        ("a b:c\n", "cover: 'b:c' is no name of an item (at line 1); expected no colon and no bar in it"),
        ("a | x\n\na z\n", "cover: 'z' is no item (at line 3); expected one of the first line"),
        ("a | x\na x:1 x:1\n", "cover: the item 'x' stands there twice (at line 2); expected each item once"),
        (
            "a | x\na:1\n",
            "cover: the primary item 'a' has a colour (at line 2); expected colours of secondary items only",
        ),
        ("a | x\na x:\n", "cover: 'x:' has no colour behind its colon (at line 2); expected ITEM:COLOUR"),
        ("a | x\nx:1\n", "cover: an option without a primary item (at line 2); expected one or more"),
    ],
)
def test_what_is_not_of_the_form_is_named_with_its_line(text, message):
    with pytest.raises(FormatError) as caught:
        read_cover(text)
    assert str(caught.value) == message
