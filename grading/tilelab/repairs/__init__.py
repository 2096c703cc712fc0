"""Repairs: small edits of a submission that fails, of which one that passes names the cause."""

from __future__ import annotations

from importlib.util import find_spec


def is_available() -> bool:
    """Whether this Python has the parser that they need."""
    return find_spec("tree_sitter") is not None and find_spec("tree_sitter_cuda") is not None
