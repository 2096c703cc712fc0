"""The table of the course's page: what shared memory gains in each lab, from a results file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tilelab.bench import results_file
from tilelab.bench.results_file import Results
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.model.measurement import Measurement
from tilelab.score import measurement

_BLOCK = re.compile(r"(<!-- gains: (\w+) -->\n).*?(<!-- end of gains -->)", re.S)
_HEAD = """\
| lab | problem | the lesson's last step | reference solution | share of the peak |
| --- | --- | ---: | ---: | ---: |"""


def with_gains(text: str, results: Path) -> str:
    """A page with its blocks <!-- gains: GPU --> filled in from that results file."""

    def fill(match: re.Match[str]) -> str:
        begin, gpu, end = match.groups()
        return f"{begin}\n{table(results_file.load(results / f'{gpu}.json'))}\n\n{end}"

    return _BLOCK.sub(fill, text)


def table(results: Results) -> str:
    """A row per problem of the labs that were timed, in the order of the course."""
    timed = [one for one in lab.course() if one.name in results]
    rows = [row for one in timed for row in _rows(one, results[one.name].problems)]
    return "\n".join([_HEAD, *rows])


def _rows(one: Lab, problems: Mapping[str, Measurement]) -> list[str]:
    tile = lesson(one)
    found = {title: measurement.of(problems, title) for title in problems}
    return [
        f"| `{one.name}` | {title} | {_gain(each, tile)} | {_gain(each, 'reference')} "
        f"| {_share(each)} |"
        for title, each in found.items()
        if tile in each.timings
    ]


def lesson(one: Lab) -> str:
    """The last step of the lesson, which a student reaches by the handout's tasks."""
    curves = [criterion.curve for criterion in one.criteria if criterion.curve]
    return curves[0].ladder[-1] if curves and curves[0].ladder else ""


def _gain(found: Measurement, name: str) -> str:
    gain = found.timing(name).speedup.value
    return f"{gain:.2f}" if gain < 100 else f"{gain:,.0f}"


def _share(found: Measurement) -> str:
    share = found.timing("reference").share_of_peak
    return f"{100 * share.value:.1f}%" if share else ""
