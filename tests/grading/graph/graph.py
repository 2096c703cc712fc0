"""Draws the rooms of the source: which folder includes or imports which.

    python3 tests/grading/graph/graph.py                            # a table
    python3 tests/grading/graph/graph.py --dot | dot -Tsvg > rooms.svg

Exit status 1: there is a cycle, or an arrow that is forbidden. Each is a line on stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import imports
import includes

Edge = tuple[Path, Path]

COMMON = Path("common")
EMULATOR = COMMON / "emulator"
CUDA_HEADERS = includes.CUDA_HEADERS
# The judge shows arrays of CUDA's types, so it may include CUDA's own headers.
SERVES_EVERY_BACKEND = ("contract", "costs", "estimator", "judge", "report", "schema")
MAY_USE_CUDA_TYPES = COMMON / "judge"

# Tests use everything and nothing of ours uses them, so their folders are no rooms.
_ROOMS_OF = ("common", "grading")


def all_edges() -> list[Edge]:
    """Every include and every import, file to file."""
    return [*includes.edges(), *imports.edges()]


def units(edges: Iterable[Edge]) -> set[Edge]:
    """The edges between files, where a header and its source file are one thing."""
    pairs = ((a.with_suffix(""), b.with_suffix("")) for a, b in edges)
    return {(a, b) for a, b in pairs if a != b}


def arrows(edges: Iterable[Edge]) -> Counter[Edge]:
    """Counts the edges from a folder to one next to it.

    An include of common/contract by common/judge/calls is an arrow from common/judge. Files that
    lie directly in a folder with rooms (a main.cpp) are not a room of their own.
    """
    return Counter(arrow for edge in edges if (arrow := _arrow(*edge)))


def _arrow(a: Path, b: Path) -> Edge | None:
    if a.parts[0] not in _ROOMS_OF:
        return None
    shared = len(Path(os.path.commonpath((a, b))).parts)
    rooms = (Path(*path.parts[: shared + 1]) for path in (a, b))
    source, target = rooms
    return None if source == a or target == b or not shared else (source, target)


def cycles(edges: Iterable[Edge]) -> list[list[Path]]:
    """The groups of nodes that can all reach each other, sorted."""
    after: dict[Path, set[Path]] = {}
    for a, b in edges:
        after.setdefault(a, set()).add(b)
    reached = {start: _reachable(start, after) for start in after}
    in_cycles = [start for start in after if start in reached[start]]
    groups = {
        frozenset(other for other in in_cycles if other in reached[one] and one in reached[other])
        for one in in_cycles
    }
    return sorted(sorted(group) for group in groups)


def _reachable(start: Path, after: dict[Path, set[Path]]) -> set[Path]:
    found: set[Path] = set()
    waiting = [start]
    while waiting:
        new = after.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def problems(edges: Iterable[Edge]) -> Iterator[str]:
    """A line for each cycle and for each forbidden include."""
    edges = list(edges)
    for group in (*cycles(units(edges)), *cycles(arrows(edges))):
        yield f"cycle: {', '.join(str(one) for one in group)}"
    for a, b in edges:
        if a.is_relative_to(CUDA_HEADERS) and not b.is_relative_to(CUDA_HEADERS):
            yield f"out of CUDA's headers: {a} includes {b}"
        if _serves_every_backend(a) and b.is_relative_to(EMULATOR):
            if a.is_relative_to(MAY_USE_CUDA_TYPES) and b.parent == CUDA_HEADERS:
                continue
            yield f"into the emulator: {a} includes {b}"


def _serves_every_backend(path: Path) -> bool:
    return any(path.is_relative_to(COMMON / room) for room in SERVES_EVERY_BACKEND)


def table(edges: Iterable[Edge]) -> Iterator[str]:
    """The arrows as lines, under the folder that has both ends."""
    for parent, inside in _by_parent(arrows(edges)).items():
        yield f"{parent}:"
        width = max(len(a.name) for a, _ in inside)
        for (a, b), count in sorted(inside.items()):
            yield f"  {a.name:{width}} -> {b.name} ({count})"


def dot(edges: Iterable[Edge]) -> Iterator[str]:
    """The arrows for Graphviz, with a frame around each folder."""
    yield "digraph rooms {"
    yield "  rankdir=LR; node [shape=box, fontname=sans]; fontname=sans"
    for parent, inside in _by_parent(arrows(edges)).items():
        yield f'  subgraph "cluster_{parent}" {{ label="{parent}"'
        for a, b in sorted(inside):
            yield f'    "{a}" [label="{a.name}"]; "{b}" [label="{b.name}"]; "{a}" -> "{b}"'
        yield "  }"
    yield "}"


def _by_parent(all_arrows: Counter[Edge]) -> dict[Path, Counter[Edge]]:
    inside: dict[Path, Counter[Edge]] = {}
    for (a, b), count in sorted(all_arrows.items()):
        inside.setdefault(a.parent, Counter())[a, b] = count
    return inside


def main() -> int:
    parser = argparse.ArgumentParser(description="Draws which folder includes or imports which.")
    parser.add_argument("--dot", action="store_true", help="for Graphviz instead of a table")
    options = parser.parse_args()
    edges = all_edges()
    print("\n".join(dot(edges) if options.dot else table(edges)))
    found = list(problems(edges))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
