"""Who waits for jinja2, which takes a quarter of a second to load."""

from __future__ import annotations

import os
import subprocess
import sys

from support import REPO

_IMPORT_ALL = """
import importlib, sys
from tilelab import app
for name in app.FOLDERS["student"]:
    importlib.import_module(f"tilelab.commands.student.{name}")
sys.exit("jinja2" in sys.modules)
"""


def test_no_command_of_students_loads_it() -> None:
    env = {**os.environ, "PYTHONPATH": str(REPO / "grading")}
    assert subprocess.run([sys.executable, "-P", "-c", _IMPORT_ALL], env=env).returncode == 0
