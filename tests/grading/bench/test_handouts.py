"""The figures that lessons quote are those of the measured results."""

from __future__ import annotations

import re

import pytest

from support import PRESENTED_LABS, REPO
from tilelab.bench import results_file
from tilelab.labs import lab

_TIME = re.compile(r"(\d+\.\d+) ms")
_FEWER = re.compile(r"counts (\d+) times fewer")
_RATIO = re.compile(r"(\d+\.\d+) : 1")


def lesson(name: str) -> str:
    """A lab's handout without its questions, whose answers are computed."""
    return lab.load(name).handout.read_text(encoding="utf-8").partition("\n## Questions")[0]


def times_in(page: str) -> list[str]:
    return _TIME.findall(page)


def measured() -> list[str]:
    return [
        time
        for path in results_file.RESULTS.glob("*.md")
        if path.with_suffix(".json").is_file()
        for time in times_in(path.read_text(encoding="utf-8"))
    ]


def quoted(figure: str, figures: list[str]) -> bool:
    """Whether it is one of the figures, rounded as far as it is."""
    digits = len(figure.partition(".")[2])
    # A time that ends in 5 may have been rounded either way.
    half = 0.5 * 10**-digits * (1 + 1e-9)
    return any(abs(float(figure) - float(one)) <= half for one in figures)


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_a_lesson_quotes_measured_times(name: str) -> None:
    known = measured()
    assert [time for time in times_in(lesson(name)) if not quoted(time, known)] == []


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_a_lesson_quotes_counted_loads(name: str) -> None:
    counted = (REPO / "docs" / "results" / "loads_per_element.md").read_text(encoding="utf-8")
    rows = [line for line in counted.splitlines() if line.startswith(f"| `{name}`")]
    ratios = _RATIO.findall("\n".join(rows))
    assert [count for count in _FEWER.findall(lesson(name)) if not quoted(count, ratios)] == []


def test_a_figure_of_another_run_is_found() -> None:
    assert quoted("0.83", ["0.8292"]) and quoted("0.829", ["0.8292"])
    assert not quoted("0.82", ["0.8292"]) and not quoted("0.8293", ["0.8292"])
    assert quoted("228", ["227.67"]) and not quoted("229", ["227.67"])


def test_lessons_quote_something() -> None:
    texts = [lesson(name) for name in PRESENTED_LABS]
    assert sum(len(times_in(text)) for text in texts) > 20
    assert sum(len(_FEWER.findall(text)) for text in texts) > 1
