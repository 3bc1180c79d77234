"""Parameters as given, held against what a strategy declares."""

from __future__ import annotations

from collections.abc import Mapping

from e2.errors import SettingsError
from e2.search.strategy import Parameter, Value

_TYPE_NAMES = {bool: "true or false", int: "an integer", float: "a number", str: "a text", list: "a list of integers"}

_MOST = 1 << 62
"""Of any number: kernels count in 64 bits."""


def check_bite(nodes: int) -> None:
    """SettingsError for a step of no nodes: it could never end a loop that waits for its budget."""
    if nodes < 1:
        raise SettingsError(f"a bite of {nodes} nodes; expected 1 or more")


def checked_parameters(strategy: str, declared: tuple[Parameter, ...], given: Mapping[str, Value]) -> dict[str, Value]:
    """All declared parameters: the given value or the default. SettingsError for anything that does not belong."""
    known = {parameter.name: parameter for parameter in declared}
    for name in given:
        if name not in known:
            raise SettingsError(f"{strategy} has no parameter {name!r}; expected one of {', '.join(sorted(known))}")
    return {
        name: _checked(strategy, known[name], given[name]) if name in given else known[name].default for name in known
    }


def _checked(strategy: str, parameter: Parameter, value: Value) -> Value:
    kind: type = type(parameter.default)
    name = f"{strategy}: {parameter.name} = {str(value)[:60]!r}"
    if isinstance(value, list) and (parameter.or_list or kind is list):
        if not all(type(number) is int for number in value):
            raise SettingsError(f"{name}; expected integers in the list")
        return value
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        alternative = " or a list of integers" if parameter.or_list else ""
        raise SettingsError(f"{name}; expected {_TYPE_NAMES[kind]}{alternative}")
    if isinstance(value, int | float) and kind is not bool and not value >= parameter.least:
        raise SettingsError(f"{name}; expected {parameter.least} or more")
    if isinstance(value, int | float) and not value <= _MOST:
        raise SettingsError(f"{name}; expected at most {_MOST}")
    if parameter.choices and value not in parameter.choices:
        raise SettingsError(f"{name}; expected one of {', '.join(parameter.choices)}")
    return value
