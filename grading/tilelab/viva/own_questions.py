"""Makes questions of a kernel's own trace: the accesses that `show` draws.

A question has one answer, whatever order threads and operands are evaluated in.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tilelab.base.text import of_lines
from tilelab.model.picture import DrawnCall, DrawnLaunch, Step
from tilelab.picture.shared_arrays import SharedArray
from tilelab.picture.text import element_bytes
from tilelab.tutor.quiz import Question

_MOST = 4
_ELEMENT = 5
_WARP = 32
_LONGEST = 44  # columns of a line that a question quotes
_KINDS = {"atomic": "atomic operation"}


def about(
    calls: Sequence[DrawnCall], text: str, shared: Sequence[SharedArray] = ()
) -> Sequence[Question]:
    """Some questions about the first launch that was traced to its end, and whose text this is."""
    for call in calls:
        for launch in call.launches:
            if launch.trace.complete and launch.trace.steps and not call.failure:
                return _of(launch, call, text.splitlines(), shared)
    return ()


def _of(
    launch: DrawnLaunch, call: DrawnCall, lines: Sequence[str], shared: Sequence[SharedArray]
) -> Sequence[Question]:
    seen = _Seen(launch, lines)
    first = [*_tile(seen, shared)] or [*_output(seen, call)]
    rates = [*_rate(seen, "wavefronts", "shared"), *_rate(seen, "sectors", "global")]
    return [*first, *rates, *_barriers(seen)][:_MOST]


@dataclass(frozen=True)
class _Seen:
    """A launch, and the lines of its source."""

    launch: DrawnLaunch
    lines: Sequence[str]

    @property
    def has_rows_of_threads(self) -> bool:
        """Whether a thread has a number that a person can type."""
        return math.prod(self.launch.block) > self.launch.block[0]

    def steps(self, block: int = 0) -> Iterator[Step]:
        return (one for one in self.launch.trace.steps if one.block == block)

    def space(self, step: Step) -> str:
        return self.launch.trace.arrays[step.arrays[0]].space if step.arrays else ""

    def line(self, step: Step) -> int:
        return self.launch.trace.places[step.place].line

    def quoted(self, line: int) -> str:
        code = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
        shown = code if len(code) <= _LONGEST else code[: _LONGEST - 1] + "…"
        return f"line {line} (`{shown}`)" if shown else f"line {line}"

    def touching(
        self, name: str, begin: int, size: int, kind: str, steps: Iterable[Step]
    ) -> Iterator[tuple[Step, int]]:
        """Steps of this kind that touch a byte of an element, and the threads that do."""
        arrays = self.launch.trace.arrays
        for step in steps:
            if step.kind != kind or step.lanes is None:
                continue
            for lane, array, offset in zip(
                step.lanes, step.arrays or (), step.offsets or (), strict=True
            ):
                is_there = offset < begin + size and begin < offset + (step.bytes or 0)
                if arrays[array].name == name and is_there:
                    yield step, (step.warp or 0) * _WARP + lane


def _tile(seen: _Seen, shared: Sequence[SharedArray]) -> Iterator[Question]:
    """Who stores an element of a tile, and how many threads load it."""
    there = {array.name for array in seen.launch.trace.arrays if array.space == "shared"}
    for one in shared:
        size = element_bytes(one.type)
        if one.name not in there or one.columns or not size:
            continue
        place = (one.name, _ELEMENT * size, size)
        stores = [*seen.touching(*place, "store", seen.steps())]
        loads = [*seen.touching(*place, "load", seen.steps())]
        name, threads = f"{one.name}[{_ELEMENT}]", {thread for _, thread in stores}
        if len(threads) == 1 and not seen.has_rows_of_threads:
            line = seen.quoted(seen.line(stores[0][0]))
            yield Question(
                f"Which thread of block 0 stores {name}?",
                threads.pop(),
                f"It is in {line}.",
            )
        if loads:
            where = sorted({seen.line(step) for step, _ in loads})
            yield Question(
                f"How many different threads of block 0 load {name}?",
                len({thread for _, thread in loads}),
                f"They do it in {of_lines(where)}.",
            )
            return


def _output(seen: _Seen, call: DrawnCall) -> Iterator[Question]:
    """Who stores an element of an output. Its block and thread are two questions."""
    if seen.has_rows_of_threads:
        return
    for output in call.outputs:
        size, index = output.element_bytes, len(output.values) // (output.components or 1) - 3
        found = [
            (step.block, thread)
            for step, thread in seen.touching(
                output.name, index * size, size, "store", seen.launch.trace.steps
            )
        ]
        if index < 0 or len(set(found)) != 1:
            continue
        (block, thread), *_ = found
        name = f"{output.name}[{index}]"
        of_launch = f"Your launch has blocks of {seen.launch.block[0]} threads"
        yield Question(
            f"{of_launch}. Which block stores {name}?",
            block,
            "Blocks are numbered from 0.",
        )
        yield Question(
            f"Which thread of that block stores {name}?",
            thread,
            "Threads are numbered from 0 in each block.",
        )
        return


def _rate(seen: _Seen, what: str, space: str) -> Iterator[Question]:
    """How much the most expensive line of block 0 takes per request."""
    found: dict[tuple[int, str], list[int]] = defaultdict(list)
    for step in seen.steps():
        if not step.barrier and seen.space(step) == space and step.lanes is not None:
            found[seen.line(step), step.kind].append(getattr(step, what) or 0)
    if not found:
        return
    (line, kind), amounts = max(
        found.items(), key=lambda one: (sum(one[1]) / len(one[1]), -one[0][0])
    )
    average = sum(amounts) / len(amounts)
    if not average or sum(key[0] == line for key in found) > 1:
        return  # a line that loads and stores would have two answers
    yield Question(
        f"On average in block 0, how many {what} does a warp's {_KINDS.get(kind, kind)} take in "
        f"{seen.quoted(line)}?",
        round(average, 2),
        _requests(amounts),
        0.05,
    )


def _barriers(seen: _Seen) -> Iterator[Question]:
    met = Counter(seen.line(step) for step in seen.steps() if step.barrier)
    if met:
        each = ", ".join(f"line {line}: {count}" for line, count in sorted(met.items()))
        yield Question(
            "How many times does block 0 meet at a barrier?", met.total(), f"By line: {each}."
        )


def _requests(amounts: Sequence[int]) -> str:
    """What each request takes."""
    least, most = min(amounts), max(amounts)
    if len(amounts) == 1:
        return f"Its one request takes {most}."
    if least == most:
        return f"Each of its {len(amounts)} requests takes {most}."
    return f"Its {len(amounts)} requests take between {least} and {most}."
