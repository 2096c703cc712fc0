"""A page with two files side by side, in which the lines that both have are marked."""

from __future__ import annotations

import html
from collections.abc import Mapping

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CudaLexer

from tilelab.base.text import one_line, printable
from tilelab.similar.pairs import Alike

CAUTION = (
    "Likeness proves nothing: a short lab has few good answers, and lectures show some of them. "
    "Read both files, and talk to both students, before you conclude anything."
)

_STYLE = """
:root { color-scheme: light dark; font-family: sans-serif; }
body { margin: 1rem; }
.files { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.files > section { overflow-x: auto; min-width: 0; }
.code .hll { background: color-mix(in srgb, gold 35%, transparent); display: block; }
.code pre { line-height: 1.35; margin: 0; }
@media (prefers-color-scheme: dark) {
  .code .hll { background: color-mix(in srgb, gold 16%, transparent); }
}
"""


def text(lab: str, pair: Alike, sources: Mapping[str, str]) -> str:
    """The page. It needs no network, and runs nothing."""
    title = f"{lab}: {' and '.join(map(one_line, pair.students))}"
    files = "".join(
        f"<section><h2>{html.escape(one_line(student))}</h2>{_file(sources[student], lines)}"
        "</section>"
        for student, lines in zip(pair.students, pair.lines, strict=True)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{html.escape(title)}</title>
<style>{_colors()}{_STYLE}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
<p>The smaller file has {pair.passages} passages of its own. {pair.share:.0%} of them are in the
other one too: the marked lines.</p>
<p>{CAUTION}</p>
<main class="files">{files}</main>
</body>
</html>
"""


def _file(source: str, lines: frozenset[int]) -> str:
    formatter = HtmlFormatter(cssclass="code", hl_lines=sorted(lines), linenos="inline")
    shown: str = highlight(printable(source), CudaLexer(stripnl=False), formatter)
    return shown


def _colors() -> str:
    light = HtmlFormatter(style="default").get_style_defs(".code")
    dark = HtmlFormatter(style="one-dark").get_style_defs(".code")
    return f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n"
