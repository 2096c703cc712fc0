"""What the tests of memory counted, as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tilelab.model.result import Result

# "2.00 global loads per element (baseline 2.00, reference 1.01)."
_COUNTED = re.compile(
    r"(?P<own>[\d.]+) (?P<metric>[^()]+) "
    r"\(baseline (?P<baseline>[\d.]+), reference (?P<reference>[\d.]+)\)"
)


@dataclass(frozen=True)
class Count:
    """A metric of the submission and of the lab's own kernels, as the judge wrote them."""

    test: str
    metric: str
    own: str
    baseline: str
    reference: str
    passed: bool


def counts(result: Result) -> list[Count]:
    return list(dict.fromkeys(_counts(result)))


def _counts(result: Result) -> Iterator[Count]:
    for criterion in result.criteria:
        for case in criterion.cases:
            for message in case.messages:
                if found := _COUNTED.match(message.text):
                    yield Count(case.name, **found.groupdict(), passed=case.passed)
