"""Which lines only the functions run whose tests fail, and which ones only those that pass."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from tilelab.model.result import Result
from tilelab.repairs.code import Code, all_of, function_name, says

_NAMES = ("identifier", "field_identifier")


@dataclass(frozen=True)
class Reach:
    """Lines of a file. Those that all functions of the contract share are in neither set."""

    of_failing: frozenset[int] = frozenset()
    of_passing: frozenset[int] = frozenset()


NOWHERE = Reach()


def of(result: Result, code: Code) -> Reach:
    """The lines that tests tell apart. None if all functions fail, or if there is only one.

    A test begins with the name of the function that it is about.
    """
    cases = [case for row in result.criteria for case in row.cases if not case.untested]
    failing = {case.name.split()[0] for case in cases if not case.passed}
    passing = {case.name.split()[0] for case in cases} - failing
    functions: dict[str, list[Node]] = {}
    for one in code.functions:
        functions.setdefault(function_name(one), []).append(one)
    if not failing & set(functions) or not passing & set(functions):
        return NOWHERE
    of_failing, of_passing = (_lines(names, functions) for names in (failing, passing))
    return Reach(of_failing - of_passing, of_passing - of_failing)


def _lines(names: set[str], functions: dict[str, list[Node]]) -> frozenset[int]:
    """Those of functions, and of all that they name, which is more than they may call."""
    lines: set[int] = set()
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for one in functions.get(name, ()):
            lines.update(range(one.start_point[0] + 1, one.end_point[0] + 2))
            waiting += [used for node in all_of(one, *_NAMES) if (used := says(node)) in functions]
    return frozenset(lines)
