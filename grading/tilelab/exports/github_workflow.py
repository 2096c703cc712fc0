"""The workflow that checks a student's repository on GitHub, for GitHub Classroom or without it.

Each lab is a step and, as GitHub Classroom's reporter calls it, a runner, whose result has the name
of the lab.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_TEMPLATES = Path(__file__).parents[1] / "templates" / "github"


def text(labs: Sequence[str], image: str) -> str:
    """The file .github/workflows/classroom.yml for these labs, in a container of this image."""
    step = _template("classroom_step.yml")
    results = [
        f"          {lab.upper()}_RESULTS: ${{{{ steps.{lab}.outputs.result }}}}" for lab in labs
    ]
    names = {
        "LAB_STEPS": "".join(step.replace("LAB_NAME", lab) for lab in labs).rstrip("\n"),
        "LAB_RESULTS": "\n".join(results),
        "LAB_NAMES": ", ".join(labs),
        "LAB_LIST": ",".join(labs),
        "IMAGE_NAME": image,
    }
    template = _template("classroom.yml")
    for word, name in names.items():
        template = template.replace(word, name)
    return template


def _template(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")
