"""Counts cut into jobs: together they are the count, whatever is counted and whoever does it."""

from pathlib import Path

import pytest

from e2.cluster.inline import InlineExecutor
from e2.cluster.scatter import scattered
from e2.formats.cover_text import read_cover
from e2.pencil.count_jobs import Covers, count_jobs
from e2.pencil.word_rectangle import WordRectangle
from e2.pencil.word_search import ANY, CONNECTED, EACH, WordSearch

XCC = Path(__file__).parents[1] / "cases" / "xcc"
MATHEMATICIANS = ("ABEL", "CANTOR", "GAUSS", "EULER")
SIX = ("CAT", "DOG", "EEL", "CDE", "AOE", "TGL")


@pytest.mark.parametrize(
    ("counted", "solutions"),
    [
        (Covers(read_cover((XCC / "em5_3_3_1.dlx").read_text())), 765),
        (Covers(read_cover("a b\na\n")), 0),
        (WordSearch.checked(MATHEMATICIANS, 6, 6, 8, ANY), 244_792),
        (WordSearch.checked(MATHEMATICIANS, 6, 6, 8, EACH), 1_160),
        (WordSearch.checked(MATHEMATICIANS, 6, 6, 8, CONNECTED), 392),
        (WordRectangle.of(SIX, SIX, 3, 3), 2),
    ],
    ids=["cover", "none", "words", "each", "connected", "rectangle"],
)
def test_jobs_add_up(counted, solutions):
    with InlineExecutor() as executor:
        outcomes = list(scattered(executor, list(count_jobs(counted))))
    assert sum(outcome.solutions for outcome in outcomes) == solutions


def test_work_is_cut_for_many_workers():
    jobs = list(count_jobs(WordSearch.checked(MATHEMATICIANS, 6, 6)))
    assert len(jobs) == 64
    assert max(len(job.parts) for job in jobs) - min(len(job.parts) for job in jobs) <= 1
