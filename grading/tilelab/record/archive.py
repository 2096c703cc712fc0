"""Evidence and results as JSON, and back."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from tilelab.score.cases import Case, Message, Place
from tilelab.score.evidence import CriterionEvidence, Evidence
from tilelab.score.records import CriterionResult, Result
from tilelab.score.scale import Rung


def evidence_text(evidence: Evidence) -> str:
    """Leaves out the text, which the record keeps elsewhere, and what only `check` shows."""
    kept = Evidence(evidence.verdict, evidence.sha256, evidence.messages, evidence.tested)
    return json.dumps(dataclasses.asdict(kept), ensure_ascii=False)


def evidence_of(text: str) -> Evidence:
    """The evidence, without what only `check` shows."""
    data = json.loads(text)
    return Evidence(
        data["verdict"],
        data["sha256"],
        tuple(data["messages"]),
        {name: _tested(one) for name, one in data["tested"].items()},
    )


def result_text(result: Result) -> str:
    return json.dumps(result.to_json(), ensure_ascii=False)


def result_of(text: str) -> Result:
    """A result as results.json has it: without the cases, which are evidence."""
    data = json.loads(text)
    criteria = [_criterion(one) for one in data.pop("criteria")]
    return Result(**data, criteria=criteria)


def bare(result: Result) -> Result:
    """The result as the record returns it."""
    return result_of(result_text(result))


def _criterion(data: dict[str, Any]) -> CriterionResult:
    ladder = tuple(Rung(**one) for one in data.pop("ladder", ()))
    return CriterionResult(**data, ladder=ladder)


def _tested(data: dict[str, Any]) -> CriterionEvidence:
    cases = tuple(_case(one) for one in data["cases"])
    # Older records have no estimates.
    return CriterionEvidence(cases, data["times"], data["not_run"], data.get("estimate", {}))


def _case(data: dict[str, Any]) -> Case:
    return Case(data["name"], data["passed"], [_message(one) for one in data["messages"]])


def _message(data: dict[str, Any]) -> Message:
    places = tuple(Place(**one) for one in data["places"])
    return Message(**{**data, "inputs": tuple(data["inputs"]), "places": places})
