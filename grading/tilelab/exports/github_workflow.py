"""The workflow that grades a student's repository on GitHub, for GitHub Classroom or without it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_TEMPLATE = Path(__file__).parents[1] / "templates" / "github" / "classroom.yml"


def text(labs: Sequence[str], image: str) -> str:
    """The file .github/workflows/classroom.yml for these labs, in a container of this image."""
    template = _TEMPLATE.read_text(encoding="utf-8")
    names = {"LAB_NAMES": " ".join(labs), "LAB_LIST": ",".join(labs), "IMAGE_NAME": image}
    for word, name in names.items():
        template = template.replace(word, name)
    return template
