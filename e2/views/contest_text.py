"""Runs side by side as tables, and what the numbers say in words."""

from __future__ import annotations

from collections.abc import Sequence

from e2.store.compare import Meeting
from e2.store.contest import Contest, CountStanding, Duel, RunStanding
from e2.views.progress import clock, with_prefix
from e2.views.study_text import table
from e2.views.terminal import printable

_LONGEST_NAME = 200
_SHOWN = 3  # boards that several runs have found


def contest_lines(found: Contest) -> list[str]:
    """The comparison, line by line: warnings first, since they decide whether the rest means anything."""
    lines = [f"WARNING: {printable(text)}" for text in found.warnings]
    if found.accounts:
        return lines + account_table(found.accounts)
    lines += standing_table(found.standings)
    if found.duels:
        lines += ["", *duel_table(found.duels)]
    lines += [f"{printable(duel.name, _LONGEST_NAME)}: {duel_words(duel)}" for duel in found.duels]
    return lines + [f"note: {printable(text)}" for text in found.remarks]


def standing_table(standings: Sequence[RunStanding]) -> list[str]:
    """A line a run: how many tasks, and how their scores lie."""
    head = ("task scores", "tasks", "best", "mean", "median", "sd", "worst", "nodes", "seconds")
    return table([head, *map(_standing, standings)])


def duel_table(duels: Sequence[Duel]) -> list[str]:
    """A line for each difference from the control."""
    control = printable(duels[0].control, _LONGEST_NAME)
    head = (f"less {control}", "pairs", "mean", "95 %", "better", "equal", "worse", "p", "")
    return table([head, *map(_duel, duels)])


def account_table(accounts: Sequence[CountStanding]) -> list[str]:
    """A line a run, where one of them counts."""
    head = ("account", "kind", "units done", "nodes", "solutions", "seconds", "")
    return table([head, *map(_account, accounts)])


def duel_words(duel: Duel) -> str:
    """The verdict of a difference, with what it would take where none is shown.

    >>> duel_words(Duel("b", "a", 40, 0.5, -0.2, 1.2, 0.18, 0.05, 20, 5, 15, 90, 12))
    'no difference shown; one as large as this (0.50) would take about 90 more seeds, one of 1 seam about 12'
    """
    if duel.is_shown:
        assert duel.difference is not None
        return (
            f"{duel.verdict} than {printable(duel.control, _LONGEST_NAME)} by {abs(duel.difference):.2f} seams a task"
        )
    if duel.p is None:
        return f"{duel.verdict}: too few tasks to say anything"
    if duel.pairs is not None and duel.equal == duel.pairs:
        return f"{duel.verdict}: all {duel.pairs} pairs are equal"
    assert duel.difference is not None
    parts = [duel.verdict]
    if duel.more:
        parts.append(f"one as large as this ({abs(duel.difference):.2f}) would take about {duel.more} more seeds")
    if duel.more_for_one == 0:
        parts.append("one of 1 seam would have been shown 4 times in 5")
    elif duel.more_for_one is not None:
        last = f"one of 1 seam {'' if duel.more else 'would take '}about {duel.more_for_one}"
        last += "" if duel.more else " more seeds"
        return "; ".join(parts) + (", " if duel.more else "; ") + last
    return "; ".join(parts)


def meeting_lines(names: Sequence[str], found: Sequence[Meeting]) -> list[str]:
    """Who found first what several runs have found: how often, and the best of them."""
    if not found:
        return []
    firsts = [sum(meeting.first == number for meeting in found) for number in range(len(names))]
    won = ", ".join(f"{printable(name, _LONGEST_NAME)} {count}" for name, count in zip(names, firsts, strict=True))
    lines = [f"found by several runs, up to a quarter turn: {len(found)}; first by {won}"]
    for meeting in found[:_SHOWN]:
        if meeting.first is not None:
            first, second, *_ = sorted(clock for clock in meeting.clocks if clock is not None)
            name = printable(names[meeting.first], _LONGEST_NAME)
            lines.append(f"  {meeting.score} {meeting.symmetry_hash}: {name}, {clock(second - first)} before the next")
    return lines


def p_text(p: float | None) -> str:
    """Three digits after the point, or that it is less.

    >>> p_text(0.0312), p_text(2e-5), p_text(None)
    ('0.031', '< 0.001', '-')
    """
    if p is None:
        return "-"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _standing(standing: RunStanding) -> tuple[str, ...]:
    return (
        printable(standing.name, _LONGEST_NAME),
        str(standing.tasks),
        _number(standing.best, "d"),
        _number(standing.mean, ".2f"),
        _number(standing.median, "g"),
        _number(standing.sd, ".2f"),
        _number(standing.worst, "d"),
        "-" if standing.nodes is None else with_prefix(standing.nodes),
        _number(standing.seconds, ".3g"),
    )


def _duel(duel: Duel) -> tuple[str, ...]:
    paired = duel.pairs is not None
    between = "-" if duel.low is None or duel.high is None else f"{duel.low:+.2f} to {duel.high:+.2f}"
    return (
        printable(duel.name, _LONGEST_NAME),
        str(duel.pairs) if paired else "none",
        _number(duel.difference, "+.2f"),
        between,
        str(duel.better) if paired else "-",
        str(duel.equal) if paired else "-",
        str(duel.worse) if paired else "-",
        p_text(duel.p),
        duel.verdict,
    )


def _account(account: CountStanding) -> tuple[str, ...]:
    return (
        printable(account.name, _LONGEST_NAME),
        account.kind,
        f"{account.done}/{account.units}",
        str(account.nodes),
        str(account.solutions),
        f"{account.seconds:.3g}",
        "the whole tree" if account.whole else "",
    )


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
