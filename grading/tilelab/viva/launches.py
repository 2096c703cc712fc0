"""Questions about launches and about what an access of a warp takes, as the lab's tests count."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from tilelab.model.profile import Call, Launch, LineCounts
from tilelab.model.questions.viva import Question
from tilelab.repairs.code import Code, all_of, line_of, says

# What a request of each kind takes: the field of its counts, and what to call it.
_TAKES = {
    "global_loads": ("sectors", "32-byte sectors", "load from global memory"),
    "global_stores": ("sectors", "32-byte sectors", "store to global memory"),
    "shared_loads": ("wavefronts", "wavefronts", "load from shared memory"),
    "shared_stores": ("wavefronts", "wavefronts", "store to shared memory"),
}

# Fewer are no average.
_FEWEST = 2


def questions(
    calls: Sequence[Call], code: Code, file: str, draw: random.Random
) -> Iterator[Question]:
    """Questions about a drawn call. `file` is what the counts call the submission."""
    if not calls:
        return
    call = draw.choice(calls)
    kernels = {_name(one.kernel): _line_of_kernel(code, _name(one.kernel)) for one in call.launches}
    for launch in call.launches:
        line = kernels[_name(launch.kernel)]
        if line and launch.launches == 1:
            yield from _sizes(call, launch, line)
        yield from _requests(call, launch, file)


def _sizes(call: Call, launch: Launch, line: int) -> Iterator[Question]:
    blocks, kernel = math.prod(launch.grid), _name(launch.kernel)
    shapes = f"a grid of {_shape(launch.grid)} blocks of {_shape(launch.block)} threads"
    if blocks > 1:
        yield Question(
            kind="blocks",
            line=line,
            ask=f"{call.call}: how many blocks does the launch of `{kernel}` have in all?",
            answer=(blocks,),
            why=f"The call launches {shapes}.",
        )
    if launch.shared_bytes:
        yield Question(
            kind="shared bytes",
            line=line,
            ask=f"{call.call}: how many bytes of shared memory does a block of `{kernel}` have?",
            answer=(launch.shared_bytes,),
            why=_of_arrays(launch),
        )


def _of_arrays(launch: Launch) -> str:
    dynamic = launch.dynamic_shared_bytes
    if not dynamic:
        return "All of them belong to arrays whose size the file declares."
    return f"{dynamic:,} of them are asked for at the launch, the others by declarations."


def _requests(call: Call, launch: Launch, file: str) -> Iterator[Question]:
    """What each request of a line takes, where all of them take the same."""
    for (line, kind), found in _by_line(launch.lines, file).items():
        if len(found) != 1 or kind not in _TAKES:
            continue
        field, what, access = _TAKES[kind]
        counts = found[0].counts[kind]
        total = getattr(counts, field)
        is_merged = counts.merged_requests not in (None, counts.requests)
        if not total or counts.requests < _FEWEST or total % counts.requests or is_merged:
            continue
        each = total // counts.requests
        yield Question(
            kind=f"{field} {kind}",
            line=line,
            ask=f"{call.call}: how many {what} does the {access} in line {line} take, on "
            "average over all warps that run it?",
            answer=(each,),
            why=f"The tests of memory count {total:,} {what} in {counts.requests:,} requests.",
        )


def _by_line(lines: Sequence[LineCounts], file: str) -> dict[tuple[int, str], list[LineCounts]]:
    """The counts of each line and kind. A line that has two accesses of a kind has two."""
    found: dict[tuple[int, str], list[LineCounts]] = {}
    for one in lines:
        for kind in one.counts if one.file == file else ():
            found.setdefault((one.line, kind), []).append(one)
    return found


def _line_of_kernel(code: Code, name: str) -> int:
    for kernel in code.kernels:
        declarator = next(all_of(kernel, "function_declarator"), None)
        if declarator and says(declarator.child_by_field_name("declarator")) == name:
            return line_of(declarator)
    return 0


def _name(kernel: str) -> str:
    """The name of a kernel without the arguments of its template."""
    return kernel.partition("<")[0].rpartition("::")[2]


def _shape(triple: Sequence[int]) -> str:
    return " x ".join(str(one) for one in triple if one > 1) or "1"
