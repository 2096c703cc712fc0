"""Where the repository is that this package belongs to."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
