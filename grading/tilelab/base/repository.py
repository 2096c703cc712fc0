"""The path of the repository that this package belongs to."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
