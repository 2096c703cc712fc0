"""The scripts that Slurm runs on nodes."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from tilelab.base.records import text_of
from tilelab.base.repository import REPO
from tilelab.cluster.files import Request


def examine(batch: Path) -> str:
    return _script("examine", str(batch))


def prepare(answer: Path, request: Request) -> str:
    return _script("prepare", str(answer), text_of(request))


def _script(*arguments: str) -> str:
    """Uses this interpreter and repository, also where a site passes no environment on."""
    ours = {name: value for name, value in os.environ.items() if name.startswith("TILELAB_")}
    ours |= {"PYTHONUTF8": "1", "PYTHONPATH": str(REPO / "grading")}
    exported = shlex.join(f"{name}={value}" for name, value in ours.items())
    command = [sys.executable, "-P", "-m", "tilelab.cluster.node", *arguments]
    return f"#!/bin/sh\nexport {exported}\nexec {shlex.join(command)}\n"
