"""A hook of MkDocs: a page may have been made of another file, which is then the one to edit."""

from __future__ import annotations

from typing import Any


def on_page_markdown(_: str, *, page: Any, **__: object) -> None:
    page.edit_url = page.meta.get("edit_url")
