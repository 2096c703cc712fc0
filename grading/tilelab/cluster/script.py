"""The scripts that Slurm runs on nodes."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tilelab.base.repository import REPO


def examine(batch: Path) -> str:
    return _script("examine", str(batch))


def prepare(answer: Path, request: Mapping[str, Any]) -> str:
    return _script("prepare", str(answer), json.dumps(request))


def _script(*arguments: str) -> str:
    """Uses this interpreter and repository, also where a site passes no environment on."""
    ours = {name: value for name, value in os.environ.items() if name.startswith("TILELAB_")}
    ours |= {"PYTHONUTF8": "1", "PYTHONPATH": str(REPO / "grading")}
    exported = shlex.join(f"{name}={value}" for name, value in ours.items())
    command = [sys.executable, "-P", "-m", "tilelab.cluster.node", *arguments]
    return f"#!/bin/sh\nexport {exported}\nexec {shlex.join(command)}\n"
