"""The repository that this package belongs to, and the folder that keeps what commands make."""

import os
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]

# Whoever owns the repository keeps everything in it. Others have a folder of their own, which the
# launcher chooses and names.
STATE = Path(os.environ.get("TILELAB_STATE") or REPO)

IS_SHARED = STATE != REPO
"""Whether the repository belongs to somebody else, so that we write nothing into it."""

BUILD = STATE / "build"

MARKER = "made-by-tilelab"
"""The name of a file in folders that may be removed as a whole, because set-up made them."""
