"""Small exact cover problems of all kinds."""

from hypothesis import strategies as st

from e2.core.cover import CoverProblem


@st.composite
def problems(draw):
    """Small problems of all kinds: up to 5 primary and 4 secondary items, some without solutions."""
    primary, secondary = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    option = st.tuples(
        st.sets(st.integers(0, primary - 1), min_size=1, max_size=3),
        st.dictionaries(st.integers(primary, primary + secondary - 1), st.sampled_from(["", "A", "B", "C"]))
        if secondary
        else st.just({}),
    )
    options = tuple(
        tuple([(item, "") for item in sorted(first)] + sorted(rest.items()))
        for first, rest in draw(st.lists(option, max_size=14))
    )
    names = tuple(f"i{item}" for item in range(primary + secondary))
    return CoverProblem(names[:primary], names[primary:], options)
