"""What is not estimated, and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kernels import kernels
from page.measured import KINDS, Measured
from page.words import section, table, wrapped


def text(gpus: Sequence[Measured]) -> str:
    rows = [row for gpu in gpus for row in gpu.rows if row.estimated is None]
    counted = Counter((_without_operands(row.reason), row.kind) for row in rows)
    reasons = dict.fromkeys(reason for (reason, _), _ in counted.most_common())
    lines = [[reason, *(str(counted[reason, kind]) for kind in KINDS)] for reason in reasons]
    return section(
        "Abstentions",
        wrapped("Calls without an estimate, on all GPUs together."),
        table(["reason", *KINDS.values()], lines),
        wrapped(_left_out(gpus[0])),
    )


def _without_operands(reason: str) -> str:
    """Instructions of one operation count together."""
    return re.sub(r"(?<= instruction )(?:@!?\S+ )?(\S+).*", r"`\1`", reason)


def _left_out(gpu: Measured) -> str:
    files = [one for one in kernels() if one.kind == "mistake"]
    timed = {(row.lab, row.kernel) for row in gpu.all if row.kind == "mistake"}
    idle = len({(row.lab, row.kernel) for row in gpu.without_launch})
    return (
        f"Of {len(files)} mistakes, {len(files) - len(timed)} have no time at any size on an "
        f"{gpu.name}: their launch fails, they crash, never end, take more than six seconds, or do "
        f"not compile. {idle} launch nothing at some size, and are left out there."
    )
