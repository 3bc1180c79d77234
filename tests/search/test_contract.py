"""The contract on strategies that break it: the greedy example, spoilt in one way each."""

from pathlib import Path

import pytest

from e2.core.generate import generated
from e2.search.contract import Subject, broken_promises
from e2.search.own import own_strategy

SMALL = generated(5, 4, 4, seed=11, pins=2).instance
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GREEDY = (EXAMPLES / "greedy.py").read_text("utf-8")

RAISES = GREEDY.splitlines().index("        made = boards = deepest = 0") + 1

REFUSES = "refuses unknown parameters and wrong types"
RESTS = "makes the nodes asked for, and rests where the task says"
ANY_CUT = "gives the same for bites of any size"
ELSEWHERE = "goes on elsewhere from its state"
REPEATABLE = "is repeatable, and knows nothing of other searches"
STOP = "loses nothing by a stop"
NO_CODE = "keeps code out of its state"
BOARDS = "keeps the pins and tells the score of its boards"

SPOILT = {
    "loses a pin": (
        ("        return codes, laid\n", "        codes[next(iter(pinned))] = EMPTY\n        return codes, laid\n"),
        BOARDS,
        "was moved",
    ),
    "lies about its score": (
        ("deepest), self.best, self.best_score", "deepest), self.best, self.best_score + 1"),
        BOARDS,
        "claims",
    ),
    "turns grey inside": (("if way[2] == rim]", "]"), BOARDS, "turns grey inside or a colour to the rim"),
    "forgets its best": (("if self.best is None or score > self.best_score", "if True"), BOARDS, "fell to"),
    "has no board": (
        ("                self.best, self.best_score = board, score\n", "                pass\n"),
        BOARDS,
        "there is none",
    ),
    "cannot resume": (
        ("self.finished = json.loads(state)", "self.finished = 0, None, 0, False"),
        ELSEWHERE,
        "opened anew after each",
    ),
    "keeps a pickle": (
        (
            "        return json.dumps(",
            "        import pickle\n        return pickle.dumps([0]) + bytes(0 * len(json.dumps(",
        ),
        NO_CODE,
        "it is a pickle",
    ),
    "keeps a text": ((", self.finished]).encode()", ", self.finished])"), NO_CODE, "it is str"),
    "draws from one well": (('random.Random(f"{self.seed}/{self.boards}")', "CHANCE"), REPEATABLE, "seed 3"),
    "asks nobody": (
        ('checked_parameters(self.name, self.parameters, parameters)["tries"]', 'parameters.get("tries", 9)'),
        REFUSES,
        "it was accepted",
    ),
    "is lazy": (("while made < nodes", "while made < nodes // 2"), RESTS, "it made none"),
    "looks at the bite": (('random.Random(f"{self.seed}/', 'random.Random(f"{nodes}/'), ANY_CUT, "bites of"),
    "loses a stop": (
        (
            "        made = boards = deepest = 0\n",
            "        made = boards = deepest = 0\n        self.boards += stopping()\n",
        ),
        STOP,
        "told to stop",
    ),
    "raises": (
        ("        made = boards = deepest = 0\n", "        raise ValueError('no')\n"),
        ANY_CUT,
        f"ValueError: no (bad.py:{RAISES})",
    ),
    "leaves": (
        ("        made = boards = deepest = 0\n", "        raise SystemExit(0)\n"),
        ANY_CUT,
        f"SystemExit: 0 (bad.py:{RAISES})",
    ),
}


def broken(source, instance=SMALL, nodes=200):
    subject = Subject(own_strategy("bad.py:Greedy", source), instance, nodes, {}, source, "bad.py:Greedy")
    return {promise.text: faults for promise, faults in broken_promises(subject) if faults}


@pytest.mark.parametrize("way", SPOILT)
def test_a_broken_promise_is_told_in_words(way):
    (old, new), promise, words = SPOILT[way]
    source = GREEDY.replace(old, new)
    assert source != GREEDY
    if "pickle" in way:
        source = source.replace(", self.finished]).encode()", ", self.finished])))")
    if "well" in way:
        source = source.replace("class Greedy:", "CHANCE = random.Random(1)\n\n\nclass Greedy:")
    faults = broken(source)
    assert any(words in f"{fault.expected}: {fault.happened}" for fault in faults[promise]), faults


def test_a_step_that_makes_nothing_is_named_as_it_was_asked_for():
    faults = broken(GREEDY.replace("while made < nodes", "while nodes > 1 and made < nodes"))
    assert [fault.happened for fault in faults[ELSEWHERE]] == [
        "it raised RuntimeError: a step of 1 nodes made none and did not finish"
    ]


@pytest.mark.parametrize(("file", "name"), [("greedy", "Greedy"), ("late", "Late")])
def test_the_examples_of_the_docs_keep_every_promise(file, name):
    source = (EXAMPLES / f"{file}.py").read_text("utf-8")
    subject = Subject(own_strategy(f"{file}.py:{name}", source), SMALL, 400, {}, source)
    assert [faults for _, faults in broken_promises(subject) if faults] == []
