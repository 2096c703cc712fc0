"""The repository that commands work on, and the folders of what is made for it."""

import hashlib
import importlib.util
import os
from pathlib import Path

_PARTS = ("tilelab", "labs", "common/emulator")


def _home() -> Path | None:
    """What a wheel installed next to the package: a harness, and what compiles with it."""
    found = importlib.util.find_spec("tilelab_home")
    places = found.submodule_search_locations if found else None
    return Path(next(iter(places))) if places else None


def _around(folder: Path) -> Path | None:
    """The repository that a folder is in, None if it is in none."""
    for candidate in (folder, *folder.parents):
        if all((candidate / part).exists() for part in _PARTS):
            return candidate
    return None


HOME = _home()

# The package lies in a repository, or else it is installed, and used in one or anywhere.
_FOLDER, _ABOVE = Path(__file__).resolve().parents[2:4]
_IS_INSTALLED = _FOLDER.name != "grading"
REPO = (_around(Path.cwd()) or HOME or _ABOVE) if _IS_INSTALLED else _ABOVE

IS_COURSE = REPO != HOME
"""Whether there is a repository, so that there are labs."""


def _own_folder() -> Path:
    """A folder of this user's, for a repository that is not this user's to change."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    parent = Path(cache) if os.path.isabs(cache) else Path.home() / ".cache"
    name = hashlib.sha256(str(REPO).encode()).hexdigest()[:10]
    return parent / "tilelab" / f"installed-{name}"


def _state() -> Path:
    if named := os.environ.get("TILELAB_STATE"):
        return Path(named)
    if not _IS_INSTALLED:
        return REPO
    is_ours = IS_COURSE and REPO.stat().st_uid == os.getuid() and os.access(REPO, os.W_OK)
    return REPO if is_ours else _own_folder()


# Whoever owns the repository keeps everything in it. Others have a folder of their own.
STATE = _state()

IS_SHARED = STATE != REPO
"""Whether the repository belongs to somebody else, so that we write nothing into it."""

BUILD = STATE / "build"


def log_of(preset: str) -> Path:
    """The log of the last step of building a preset."""
    return BUILD / f"{preset}.log"


MARKER = "made-by-tilelab"
"""The name of a file in folders that may be removed as a whole, because set-up made them."""
