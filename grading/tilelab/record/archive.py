"""Evidence and results as JSON, and back."""

from __future__ import annotations

import json

import msgspec

from tilelab.base.records import converted, decoded
from tilelab.model.evidence import Evidence
from tilelab.model.result import Result

# What a record has where nobody asked for an estimate. Older records have nothing.
_NO_ESTIMATE: dict[str, object] = {}


def evidence_text(evidence: Evidence) -> str:
    """Leaves out the text, which the record keeps elsewhere, and what only `check` shows."""
    kept = Evidence(evidence.verdict, evidence.sha256, evidence.messages, evidence.tested)
    data = msgspec.to_builtins(kept)
    for one in data["tested"].values():
        one["estimate"] = one["estimate"] or _NO_ESTIMATE
    return json.dumps(data, ensure_ascii=False)


def evidence_of(text: str) -> Evidence:
    """The evidence, without what only `check` shows. Raises ValueError."""
    data = json.loads(text)
    for one in data["tested"].values():
        one["estimate"] = one.get("estimate") or None
    return converted(data, Evidence)


def result_text(result: Result) -> str:
    return json.dumps(result.to_json(), ensure_ascii=False)


def result_of(text: str) -> Result:
    """A result as results.json has it: without the cases, which are evidence."""
    return decoded(text, Result)


def bare(result: Result) -> Result:
    """The result as the record returns it."""
    return result_of(result_text(result))
