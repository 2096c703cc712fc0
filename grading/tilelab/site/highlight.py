"""Colors code."""

from __future__ import annotations

import re

from pygments import highlight as pygments_highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

_COMMAND = re.compile(
    r"\$ |\./tilelab|(cmake|ctest|git|gdb|python3?|sh|sudo) |build/|[A-Z_]+=\S+ |\w+=\$"
)
_TOML = re.compile(r"^(\[+[\w.]+\]+|\w+ = .*)$", re.MULTILINE)
_CODE = re.compile(r"[;{}]\s*(//.*)?$|^\s*(//|#include)|__\w+__", re.MULTILINE)

_LIGHT, _DARK = "default", "one-dark"


def code(text: str, language: str = "") -> str:
    """The text as HTML. Without a language, it is guessed from the text."""
    lexer = get_lexer_by_name(language or _guess(text), stripnl=False)
    colored = pygments_highlight(text, lexer, HtmlFormatter(nowrap=True))
    return f'<pre class="fragment code">{colored}</pre>\n'


def style_sheet() -> str:
    """The colors, for light and dark pages."""
    light = HtmlFormatter(style=_LIGHT).get_style_defs(".code")
    dark = HtmlFormatter(style=_DARK).get_style_defs("html.dark-mode .code")
    # The page has a background of its own for code.
    return re.sub(r"background(-color)?: *#\w+;? *", "", f"{light}\n{dark}\n")


def _guess(text: str) -> str:
    if _COMMAND.match(text.lstrip()):
        return "bash"
    if _CODE.search(text):
        return "cu"
    if _TOML.match(text):
        return "toml"
    return "text"
