"""Gradescope's autograder: a zip file with setup.sh, run_autograder and this repository.

The lab has the points of the course in it. Deadlines are Gradescope's own business.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from tilelab.base.repository import REPO
from tilelab.exports import gradescope
from tilelab.labs import lab_file
from tilelab.model.lab import Lab

_TEMPLATES = Path(__file__).parents[1] / "templates" / "gradescope"

# What grading needs, and CMake to configure it.
_PARTS = (
    "tilelab pyproject.toml requirements.lock CMakeLists.txt CMakePresets.json LICENSE "
    "common labs solutions tests/CMakeLists.txt tests/common tests/labs tests/measure "
    "grading/tilelab"
).split()


def content(lab: Lab, repo: Path = REPO) -> bytes:
    """The zip file for a lab. The same files make the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        # At the root of the archive, where Gradescope looks for them.
        for name in ("setup.sh", "run_autograder"):
            text = (_TEMPLATES / name).read_text(encoding="utf-8").replace("LAB_NAME", lab.name)
            _add(archive, name, text.encode(), is_program=True)
        unfinished = gradescope.unfinished(lab.name, lab.max_points)
        _add(archive, "unfinished.json", unfinished.encode(), is_program=False)
        for path in _files(repo):
            name = str(path.relative_to(repo))
            data = path.read_bytes()
            if name == f"labs/{lab.name}/lab.toml":
                data = lab_file.with_points(data.decode(), lab).encode()
            _add(archive, name, data, is_program=bool(path.stat().st_mode & 0o100))
    return packed.getvalue()


def _files(repo: Path) -> list[Path]:
    paths = [path for part in _PARTS for path in (repo / part, *(repo / part).rglob("*"))]
    return sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, *, is_program: bool) -> None:
    entry = zipfile.ZipInfo(name)  # dated 1980
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100755 if is_program else 0o100644) << 16
    archive.writestr(entry, data)
