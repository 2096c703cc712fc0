"""Which edits of a submission to try, the most plausible first."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from heapq import nsmallest
from itertools import chain, islice, pairwise

from tree_sitter import Node

from tilelab.repairs import sites
from tilelab.repairs.code import Code, all_of, first_name, line_of, says
from tilelab.repairs.edit import Edit, joined
from tilelab.repairs.families import (
    asked,
    barriers,
    borrowed,
    coordinates,
    copies,
    fillers,
    functions,
    grouping,
    host,
    indices,
    launches,
    layouts,
    loops,
    names,
    numbers,
    slots,
    statements,
    storage,
    sums,
    terms,
    types,
    vectors,
)
from tilelab.repairs.often import OFTEN
from tilelab.repairs.reach import NOWHERE, Reach

_FAMILIES = (
    launches, host, barriers, copies, asked, numbers, storage, types, names, coordinates,
    indices, layouts, loops, slots, fillers, sums, terms, grouping, functions, vectors, borrowed,
    statements,
)  # fmt: skip

# Of each family, so that a text of thousands of statements costs no more than others: the most
# plausible ones of those that come first.
_MOST = 1000
_MOST_MADE = 5000

# Where only that fails, the results are right already.
_OF_MEMORY = {
    "bank_conflicts", "shared_wavefronts", "shared_passes", "shared_requests", "bytes_moved",
    "atomic_conflicts", "sector_excess", "loads_per_element", "stores_per_element",
    "global_atomics", "loads_by_threads", "too_many_threads",
}  # fmt: skip
_OF_RESULTS = (
    "assignment", "type too small", "float for a whole number", "whole number for a float",
    "barrier missing", "fence missing", "comparison", "order of statements", "initial value",
    "guard missing", "empty slot", "wait missing", "commit missing", "off by one", "condition",
    "term missing", "wrong variable", "wrong array", "rounded down", "rounded up",
)  # fmt: skip
_SELDOM = 0.8
# More threads or blocks hide other faults, so a launch is suspected only for what it causes, or if
# the kernel asks for rows of threads that it does not have.
_NEEDED = "rows of threads"
_OF_A_LAUNCH = ("grid and block exchanged", "grid", "block")
_NOT_OF_A_LAUNCH = (
    "data_race", "order", "bank_conflicts", "shared_wavefronts", "shared_passes",
    "divergent_barrier", "another_tile",
)  # fmt: skip
# Whole numbers are added up exactly in any order, so they hide that the order changes.
_OF_AN_ORDER = "rounding_order"
_HIDES_THE_ORDER = "float for a whole number"
_SAME_AT_EACH_LAUNCH = ("dynamic shared memory", "error not asked for")
# The last letter of a name, or all of it.
_AXIS = re.compile(r"\b(\w*)[xyz]\b")
_IN_A_NAMED_LINE = 0.5
_NEXT_TO_IT = 0.2
_OF_THE_ARRAY = 0.1
# Such as the size that it has, or that a kernel is told.
_OF_ITS_SIZE = 0.6
_OFTEN_SO = 0.4
# What a function that passes all tests runs, too, is seldom wrong, and never if no other runs it.
_ONLY_WHERE_IT_FAILS = 0.4
_ONLY_WHERE_IT_PASSES = 0.6
_NEIGHBORS = 2  # lines, such as the two of a load
_MOST_PAIRS = 40
# Of the same kind, and in the same line as well.
_PER_PREDECESSOR = 0.008
_PER_NEIGHBOR = 0.05
# One that cannot be chosen at run time takes the compiler as long as a dozen of the others.
_A_COPY = 0.25


def of(
    code: Code,
    lines: AbstractSet[int],
    patterns: AbstractSet[str],
    arrays: AbstractSet[str] = frozenset(),
    reach: Reach = NOWHERE,
) -> list[Edit]:
    """All edits, the most plausible first.

    `lines` and `patterns` are those of the failures, and `arrays` the names that these tell of.
    `reach` says which lines the functions that fail do not share with others.
    """
    named = _lines_with(arrays, code)
    sized = list(_sized(arrays, patterns, code))
    only_memory = bool(patterns) and patterns <= _OF_MEMORY
    likely = kinds_of(patterns)

    def cost(edit: Edit) -> float:
        near = _IN_A_NAMED_LINE if edit.line in lines else 0.0
        if not near and lines & {edit.line - 1, edit.line + 1}:
            near = _NEXT_TO_IT
        if not near and edit.line in named:
            near = _OF_THE_ARRAY
        if any(_is_within(edit, one) for one in sized):
            near = _OF_ITS_SIZE
        seldom = _SELDOM if only_memory and edit.kind.name in _OF_RESULTS else 0.0
        if edit.line in reach.of_failing:
            near += _ONLY_WHERE_IT_FAILS
        elif edit.line in reach.of_passing:
            near -= _ONLY_WHERE_IT_PASSES
        return edit.cost - near - (_OFTEN_SO if edit.kind.name in likely else 0.0) + seldom

    single = [
        edit
        for family in _FAMILIES
        for edit in nsmallest(_MOST, islice(family.of(code), _MOST_MADE), key=cost)
    ]
    if patterns and patterns <= set(_NOT_OF_A_LAUNCH):
        single = [edit for edit in single if not is_of_a_launch(edit, code)]
    if _OF_AN_ORDER in patterns:
        single = [edit for edit in single if edit.kind.name != _HIDES_THE_ORDER]
    by_text: dict[bytes, Edit] = {}
    same = _same(code, single)
    several = (
        *_everywhere(same),
        *_in_two_lines(same),
        *_in_one_line(same),
        *_along_the_axes(code, single),
    )
    for edit in sorted([*single, *several], key=cost):
        by_text.setdefault(_digest(edit.applied(code.text)), edit)
    by_text.pop(_digest(code.text), None)
    return _mixed(list(by_text.values()), code, cost)


def kinds_of(patterns: AbstractSet[str]) -> set[str]:
    """The names of the kinds of edits that failures of these patterns often ask for."""
    return {name for pattern in patterns for name in OFTEN.get(pattern, ())}


def _lines_with(names: AbstractSet[str], code: Code) -> set[int]:
    return {line_of(use) for use in all_of(code.root, "identifier") if says(use) in names}


def _sized(names: AbstractSet[str], patterns: AbstractSet[str], code: Code) -> Iterator[Node]:
    """Where an array that a thread leaves is declared, or is handed to a kernel with its size."""
    if "shared_out_of_bounds" in patterns:
        for one in all_of(code.root, "array_declarator"):
            if first_name(one) in names:
                yield one
    if "out_of_bounds" in patterns:
        for launch in all_of(code.root, "kernel_call_syntax"):
            handed = launch.parent.child_by_field_name("arguments") if launch.parent else None
            if handed is not None and names & set(map(says, handed.named_children)):
                yield handed


def _is_within(edit: Edit, node: Node) -> bool:
    return all(node.start_byte < one.begin and one.end < node.end_byte for one in edit.changes)


def is_of_a_launch(edit: Edit, code: Code) -> bool:
    """Whether an edit changes only how many threads or blocks a launch has."""
    if edit.kind.name in _OF_A_LAUNCH:
        return True
    if edit.kind.name == _NEEDED:
        return False
    return all(
        any(one.start_byte <= change.begin and change.end <= one.end_byte for one in code.launched)
        for change in edit.changes
    )


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()


def _mixed(edits: list[Edit], code: Code, cost: Callable[[Edit], float]) -> list[Edit]:
    """The edits, so that no kind or line of which there are many keeps others waiting."""
    seen: Counter[str] = Counter()
    near: Counter[tuple[str, int]] = Counter()
    costs = []
    for edit in edits:
        kind, place = edit.kind.name, (edit.kind.name, edit.line)
        before = _PER_PREDECESSOR * seen[kind] + _PER_NEIGHBOR * near[place]
        copy = _A_COPY if sites.of(edit, code) is None else 0
        costs.append(cost(edit) + before + copy)
        seen[kind] += 1
        near[place] += 1
    return [edit for _, _, edit in sorted(zip(costs, range(len(edits)), edits, strict=True))]


def _same(code: Code, edits: list[Edit]) -> dict[tuple[str, bytes, str], list[Edit]]:
    """The edits that do the same, each in its place: by kind, and by what becomes what."""
    same: dict[tuple[str, bytes, str], list[Edit]] = defaultdict(list)
    for edit in edits:
        if len(edit.changes) == 1:
            (change,) = edit.changes
            old = code.text[change.begin : change.end]
            same[edit.kind.name, old, change.text].append(edit)
        elif len({change.text for change in edit.changes}) == 2:
            texts = sorted(change.text for change in edit.changes)
            same[edit.kind.name, texts[0].encode(), texts[1]].append(edit)
    return same


def _everywhere(same: Mapping[tuple[str, bytes, str], list[Edit]]) -> Iterator[Edit]:
    """The same mistake is often made in several places: one edit for all of them."""
    for (_, old, _), found in same.items():
        everywhere = bool(old) or found[0].kind.name in _SAME_AT_EACH_LAUNCH
        if everywhere and 2 <= len(found) <= 6 and not _overlap(found):
            yield joined(found, extra=0.15)


def _in_two_lines(same: Mapping[tuple[str, bytes, str], list[Edit]]) -> list[Edit]:
    """The same mistake in two lines next to each other, and not elsewhere."""
    pairs = []
    for (_, old, _), found in same.items():
        ordered = sorted(found, key=lambda edit: edit.changes[0].begin)
        near = chain(pairwise(ordered), zip(ordered, ordered[2:], strict=False))
        for one, other in near if old and len(found) > 2 else ():
            if 0 < other.line - one.line <= _NEIGHBORS and not _overlap([one, other]):
                pairs.append(joined([one, other], extra=0.3))
    return sorted(pairs, key=lambda edit: edit.cost)[:_MOST_PAIRS]


def _in_one_line(same: Mapping[tuple[str, bytes, str], list[Edit]]) -> Iterator[Edit]:
    """The same mistake twice in a line, such as in a guard and in what it guards."""
    for (_, old, _), found in same.items():
        by_line: dict[int, list[Edit]] = defaultdict(list)
        for edit in found if old else ():
            by_line[edit.line].append(edit)
        for edits in by_line.values() if len(by_line) > 1 else ():
            if 2 <= len(edits) <= 3 and not _overlap(edits):
                yield joined(edits, extra=0.1)


def _along_the_axes(code: Code, edits: list[Edit]) -> Iterator[Edit]:
    """What is done to x, y and z near to each other: one edit for all of them."""
    same: dict[tuple[str, ...], dict[str, Edit]] = defaultdict(dict)
    for edit in edits:
        pairs = [(code.text[one.begin : one.end].decode(), one.text) for one in edit.changes]
        shape = [_AXIS.sub(r"\1#", text) for pair in pairs for text in pair]
        if shape[::2] != shape[1::2] and any("#" in text for text in shape[::2]):
            same[edit.kind.name, *shape].setdefault(pairs[0][0], edit)
    for by_text in same.values():
        found = sorted(by_text.values(), key=lambda edit: edit.changes[0].begin)
        is_near = found[-1].line - found[0].line < 4
        if is_near and 2 <= len(found) <= 3 and not _overlap(found):
            yield joined(found, extra=0.1)


def _overlap(edits: list[Edit]) -> bool:
    spans = sorted((one.begin, one.end) for edit in edits for one in edit.changes)
    return any(first[1] > second[0] for first, second in pairwise(spans))
