"""Names and messages that attack whatever shows them: one set for all sinks."""

from __future__ import annotations

from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result

TEXTS = {
    "formula": '=HYPERLINK("http://x.example","y")',
    "other formula": "@SUM(1+1)*cmd|' /C calc'!A0",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "ansi": "\x1b[31mred\x1b[0m\x1b]8;;http://x.example\x1b\\link\x1b]8;;\x1b\\\x07",
    "control": "\x00\x01\x08\x0b\x0c\x0e\x1f\x7f\x85\u2028\ufffe\uffff\ud800",
    "markdown": "[free points](http://x.example) ![](http://x.example/pixel) `code` | cell |",
    "command": "first\n::error::taken over\n  ::notice title=Autograding report::{}\r::add-mask::0",
    "old command": "a line ##[error]taken over ###[set-output name=result;]x",
    "xml": "]]> <![CDATA[ <!DOCTYPE x [<!ENTITY y 'z'>]> &y; </failure>",
    "csv": 'a,b;c\td"e\r\nf',
    "bidi": "abc\u202etxt.exe",
    "base64": '"}],"status":"pass","score":100,"x":"',
}


def graded(text: str) -> Grade:
    """A grade in which everything that a student has a hand in says this text."""
    criterion = CriterionResult("correctness", "fail", 10.0, 60.0, [text, f"a: {text}"])
    return Grade(Result(text, "diff", "graded", 10.0, 60.0, "ab", [criterion], [text]))


def refused(text: str) -> Grade:
    """The same for a file that was not run."""
    return Grade(Result(text, "diff", "compile_error", 0.0, 60.0, "ab", [], [text]))
