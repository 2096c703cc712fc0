"""Results that are kept, so that a measurement that was cut off goes on where it ended."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tilelab.base.files import write_atomically

REPO = Path(__file__).resolve().parents[3]

# What decides how a program is compiled, how it runs, and what is found.
_ROOMS = ("contract", "costs", "emulator", "program", "report")
_OF_PYTHON = ("grading/tilelab/programs", "grading/tilelab/pipeline/compiler")


class Kept:
    """A folder with a file per result, named after all that the result depends on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def known(self, key: str) -> Any:
        """The result that was kept under this key, or None."""
        note = self._note(key)
        return json.loads(note.read_text(encoding="utf-8")) if note.exists() else None

    def get(self, key: str, measure: Callable[[], Any]) -> Any:
        """The same; measures it and keeps it if there is none."""
        if (result := self.known(key)) is None:
            result = measure()
            write_atomically(self._note(key), json.dumps(result))
        return result

    def _note(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"


def digest_of(files: list[Path], root: Path = Path("/")) -> str:
    """Changes with the name and the content of any of the files."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


@functools.cache
def emulator_version() -> str:
    """Changes with the emulator."""
    folders = [REPO / name for name in (*(f"common/{room}" for room in _ROOMS), *_OF_PYTHON)]
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return digest_of(sorted(path for path in files if "__pycache__" not in path.parts), REPO)
