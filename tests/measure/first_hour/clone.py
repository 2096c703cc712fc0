"""A clone of the repository as it was committed, as a newcomer gets it."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]


@contextmanager
def clone() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        path = Path(folder) / "tilelab"
        subprocess.run(["git", "clone", "--quiet", str(REPO), str(path)], check=True)
        yield path


def file_of(root: Path, lab: str) -> Path:
    """The file that a student edits."""
    return root / "labs" / lab / f"{lab}.cu"
