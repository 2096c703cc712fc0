"""Points from an estimate, in the report and in feedback."""

from __future__ import annotations

from pathlib import Path

from tilelab.commands.instructor.feedback import feedback
from tilelab.commands.instructor.report import report
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result
from tilelab.record.store import Entry, Store
from tilelab.report import words

CRITERIA = [
    CriterionResult("correctness", "pass", 60, 60),
    CriterionResult("speed", "estimated", 21, 40, ["ESTIMATED on an NVIDIA X, not measured."]),
]
GUESSED = Grade(Result("amber", "diff", "graded", 81, 100, "0" * 64, CRITERIA))
SENTENCE = "speed (21 points): ESTIMATED, not measured. A GPU's verdict replaces these points."


def test_a_sentence_says_what_they_are_worth() -> None:
    assert words.estimated_text(GUESSED) == SENTENCE
    assert words.estimated_text(Grade(Result("amber", "diff", "graded", 60, 60))) == ""


def test_pages_show_the_verdict(tmp_path: Path) -> None:
    Store(tmp_path).write([Entry(GUESSED, None)])
    feedback(out=tmp_path)
    report(out=tmp_path)
    pages = {path.suffix: path.read_text() for path in (tmp_path / "feedback").rglob("*.*")}
    assert set(pages) >= {".html", ".md"}
    for name in (".html", ".md"):
        assert "A GPU" in pages[name] and "~ ESTIMATED, not measured" in pages[name]
    shown = (tmp_path / "report" / "index.html").read_text()
    assert '<small class="doubt">ESTIMATED</small>' in shown
    assert 'data-marks="graded,ESTIMATED"' in shown
