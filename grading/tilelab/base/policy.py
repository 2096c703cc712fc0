"""Helps a page of ours forbid every style and script but its own."""

from __future__ import annotations

import base64
import hashlib


def hash_of(text: str) -> str:
    """What a Content-Security-Policy calls a style or a script with this text."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
