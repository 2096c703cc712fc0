"""The output of a grading step for GitHub Classroom's reporter, and for other steps.

The reporter prints names and messages to the log of a workflow. The runner obeys lines of that log
that look like commands, so no text of a submission may look like one.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from typing import Any

from tilelab.base.text import printable
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult

# "::error::" counts at the start of a line, "##[error]" anywhere in it.
_COMMAND = re.compile(r"^(\s*)(?=::)|(?<=#)(?=#\[)", re.MULTILINE)


def text(grades: Sequence[Grade]) -> str:
    """A line for the file GITHUB_OUTPUT: the result as JSON in Base64."""
    encoded = base64.b64encode(json.dumps(_result(grades)).encode()).decode()
    return f"result={encoded}\n"


def harmless(any_text: str) -> str:
    """The text, with a backslash where it would be a workflow command."""
    return _COMMAND.sub(r"\g<0>\\", printable(any_text))


def _result(grades: Sequence[Grade]) -> dict[str, Any]:
    tests = [test for grade in grades for test in _tests(grade)]
    statuses = {test["status"] for test in tests}
    status = next((one for one in ("error", "fail") if one in statuses), "pass")
    most = sum(grade.most for grade in grades if grade.score is not None)
    return {"version": 1, "status": status, "max_score": most, "tests": tests}


def _tests(grade: Grade) -> list[dict[str, Any]]:
    result = grade.result
    ran = [one for one in result.criteria if one.status != "not_run"]
    tests = [_test(f"{result.lab}: {one.title}", *_outcome(one)) for one in ran]
    if result.verdict != "graded":
        status = "error" if result.verdict == "infra_error" else "fail"
        tests.append(_test(f"{result.lab}: submission", status, 0.0, result.messages))
    # The reporter adds up the tests' scores.
    rest = (grade.score or 0.0) - sum(test["score"] for test in tests)
    if rest:
        name = f"{result.lab}: lateness and points added by a person"
        tests.append(_test(name, "pass", round(rest, 2), []))
    return tests


def _outcome(criterion: CriterionResult) -> tuple[str, float, list[str]]:
    status = "fail" if criterion.falls_short else "pass"
    return status, criterion.points, criterion.messages


def _test(name: str, status: str, score: float, messages: Sequence[str]) -> dict[str, Any]:
    return {
        "name": harmless(name),
        "status": status,
        "score": score,
        "message": harmless("\n".join(messages)),
        "test_code": "",
        "filename": "",
        "line_no": 0,
        "duration": 0,
    }
