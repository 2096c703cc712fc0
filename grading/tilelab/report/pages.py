"""Turns what there is to say into pages: self-contained, and deaf to scripts that are not ours."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import jinja2

from tilelab.base.policy import hash_of
from tilelab.report import markdown

_FOLDER = Path(__file__).parent / "templates"


def render(template: str, **values: Any) -> str:
    """Fills in a template. In an HTML page, nothing from `values` is markup."""
    return _templates().get_template(f"{template}.jinja").render(**values)


def html(name: str, *, style_of: str | None = None, **values: Any) -> str:
    """The page NAME.html with its style NAME.css, and its script NAME.js if it has one.

    `style_of` names another page whose style it has.
    """
    style = _read("colors.css") + _read(f"{style_of or name}.css")
    script = _read(f"{name}.js") if (_FOLDER / f"{name}.js").exists() else ""
    policy = f"default-src 'none'; style-src {hash_of(style)}; base-uri 'none'; form-action 'none'"
    if script:
        policy += f"; script-src {hash_of(script)}"
    page = {"policy": policy, "style": style, "script": script}
    return render(f"{name}.html", page=page, **values)


@functools.cache
def _templates() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=jinja2.select_autoescape(["html.jinja"], default=False),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(prose=markdown.prose, code=markdown.code, fence=markdown.fence)
    return made


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
