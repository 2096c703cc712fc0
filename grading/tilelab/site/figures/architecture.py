"""Draws the life of a submission, for the architecture page."""

from __future__ import annotations

from collections.abc import Sequence

from tilelab.site.figures.drawing import FRAME, GLOBAL, HALO, OWN, SOFT, WARN, Drawing

_STEPS = (
    ("intake", "one text file"),
    ("compile", "in a jail"),
    ("object check", "symbols, sections"),
    ("link", "with the runner"),
)
_JUDGE = (
    "holds no student code",
    "makes secret inputs, keeps the clock",
    "compares what comes back",
    "explains what is wrong",
)
_WORKER = (
    "holds student code and a runner",
    "on a GPU, or on the emulator",
    "sees inputs, no expected values",
    "no files, no network, no processes",
)
_STEP_WIDTH, _STEP_GAP = 158, 26


def architecture() -> Drawing:
    """Draws the life of a submission, from the file to the points."""
    d = Drawing(
        760,
        430,
        "The life of a submission",
        "The Python side reads a file, compiles it in a jail, checks the object and links it "
        "with the worker. The judge, which has no student code, sends secret inputs to the "
        "worker, which has only student code and a runner, and compares what comes back.",
    )
    d.parts.append(f'<path d="M 24 138 H 736" stroke="{FRAME}" stroke-width="1"/>')
    _python(d)
    _processes(d)
    d.arrow(174, 332, 174, 364)
    d.box(24, 366, 300, 44, GLOBAL, round_by=6)
    d.text(174, 393, "points by lab.toml, results, reports", anchor="middle", size=13)
    return d


def _python(d: Drawing) -> None:
    d.text(24, 34, "Python: ./tilelab check, ./tilelab grade", size=13, color=SOFT)
    for number, (words, note) in enumerate(_STEPS):
        x = 24 + number * (_STEP_WIDTH + _STEP_GAP)
        d.box(x, 48, _STEP_WIDTH, 58, GLOBAL, round_by=6)
        d.text(x + _STEP_WIDTH / 2, 73, words, anchor="middle", bold=True)
        d.text(x + _STEP_WIDTH / 2, 92, note, size=12, color=SOFT, anchor="middle")
        if number:
            d.arrow(x - _STEP_GAP + 2, 77, x - 3, 77)
    link = 24 + (len(_STEPS) - 0.5) * _STEP_WIDTH + (len(_STEPS) - 1) * _STEP_GAP
    d.arrow(link, 108, link, 167)


def _processes(d: Drawing) -> None:
    d.text(24, 158, "two processes", size=13, color=SOFT)
    d.box(24, 170, 300, 160, OWN, round_by=8)
    _about(d, 40, "judge", _JUDGE)
    d.box(436, 170, 300, 160, HALO, dashed=True, round_by=8)
    _about(d, 452, "worker", _WORKER)
    d.text(586, 350, "sandboxed process", size=12, color=SOFT, anchor="middle")
    d.arrow(326, 222, 433, 222)
    d.text(380, 213, "inputs", size=13, color=SOFT, anchor="middle")
    d.arrow(434, 278, 327, 278, color=WARN)
    d.text(380, 269, "bytes", size=13, color=SOFT, anchor="middle")


def _about(d: Drawing, x: float, name: str, sentences: Sequence[str]) -> None:
    d.text(x, 196, name, bold=True, size=15)
    for number, words in enumerate(sentences):
        d.text(x, 222 + 24 * number, words, size=13)
