"""Evidence and results as JSON, and back."""

from __future__ import annotations

import json

from tilelab.base.records import decoded, text_of
from tilelab.model.evidence import Evidence
from tilelab.model.result import Result


def evidence_text(evidence: Evidence) -> str:
    """Leaves out the text, which the record keeps elsewhere, and what only `check` shows."""
    return text_of(Evidence(evidence.verdict, evidence.sha256, evidence.messages, evidence.tested))


def evidence_of(text: str) -> Evidence:
    """The evidence, without what only `check` shows. Raises ValueError."""
    return decoded(text, Evidence)


def result_text(result: Result) -> str:
    return json.dumps(result.to_json(), ensure_ascii=False)


def result_of(text: str) -> Result:
    """A result as results.json has it: without the cases, which are evidence."""
    return decoded(text, Result)


def bare(result: Result) -> Result:
    """The result as the record returns it."""
    return result_of(result_text(result))
