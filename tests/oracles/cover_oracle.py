"""Exact cover with colours from its definition: no covering, only the test whether two options go together."""

from e2.core.cover import CoverProblem


def go_together(one, other, primary):
    """Whether two options may be chosen both: what they share is secondary, with the same colour in both."""
    colours = dict(other)
    return all(
        item not in colours or (item >= primary and colour != "" and colours[item] == colour) for item, colour in one
    )


def slow_covers(problem: CoverProblem):
    """All solutions as sets of option numbers, and how many options are tried; smallest item first, ties by number."""
    primary = len(problem.primary)
    solutions, tried = [], 0

    def search(chosen, covered, possible):
        nonlocal tried
        left = [item for item in range(primary) if item not in covered]
        if not left:
            solutions.append(frozenset(chosen))
            return
        having = {item: [o for o in possible if item in dict(problem.options[o])] for item in left}
        item = min(left, key=lambda item: (len(having[item]), item))
        if not having[item]:
            return
        for option in having[item]:
            tried += 1
            new = problem.options[option]
            rest = [o for o in possible if go_together(new, problem.options[o], primary)]
            search([*chosen, option], covered | {item for item, _ in new}, rest)

    search([], set(), list(range(len(problem.options))))
    return solutions, tried


def places_on(problem: CoverProblem, path):
    """For each option of a path that a search takes: how many options its item has there, and its number among them."""
    primary = len(problem.primary)
    possible, covered, found = list(range(len(problem.options))), set(), []
    for option in path:
        left = [item for item in range(primary) if item not in covered]
        having = {item: [o for o in possible if item in dict(problem.options[o])] for item in left}
        item = min(left, key=lambda item: (len(having[item]), item))
        found.append((len(having[item]), having[item].index(option)))
        possible = [o for o in possible if go_together(problem.options[option], problem.options[o], primary)]
        covered |= {item for item, _ in problem.options[option]}
    return found
