"""Runs Doxygen, and treats each of its warnings as an error."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base import locks, process, system
from tilelab.base.errors import InfraError, UserError
from tilelab.base.repository import BUILD, REPO
from tilelab.site import highlight, menu, pages, search, writing

_FOLDER = BUILD / "docs"
DOXYFILE = REPO / "docs" / "Doxyfile"
OWN_STYLE = REPO / "docs" / "style.css"
OWN_SCRIPT = REPO / "docs" / "search.js"
PACKAGES = ("doxygen", "doxygen-awesome-css", "libjs-lunr")

_SECONDS = 300
_STYLE_FOLDERS = (
    Path("/usr/share/doxygen-awesome-css"),
    Path("/usr/local/share/doxygen-awesome-css"),
)
_LUNR = Path("/usr/share/javascript/lunr/lunr.js")  # the search
_STYLES = ("doxygen-awesome.css", "doxygen-awesome-sidebar-only.css")
_DARK_MODE_STYLE = "doxygen-awesome-sidebar-only-darkmode-toggle.css"
_SCRIPTS = {
    "doxygen-awesome-darkmode-toggle.js": "DoxygenAwesomeDarkModeToggle",
    "doxygen-awesome-fragment-copy-button.js": "DoxygenAwesomeFragmentCopyButton",
    "doxygen-awesome-paragraph-link.js": "DoxygenAwesomeParagraphLink",
    "doxygen-awesome-interactive-toc.js": "DoxygenAwesomeInteractiveToc",
}
# The style gives the names of Doxygen's own search their look, and puts the switch for dark mode
# next to it.
_SEARCH = """<div id="site-search" role="search">
<div id="MSearchBox"><input type="search" id="MSearchField" placeholder="Search"
 aria-label="Search" autocomplete="off" spellcheck="false"/></div>
</div>
<div id="site-results" hidden="hidden"></div>
"""
_END_OF_HEADER = "<!-- end header part -->"


@dataclass(frozen=True)
class Tools:
    """The programs and files that a build needs beyond this package."""

    doxygen: Path
    style: Path

    @property
    def version(self) -> tuple[int, ...]:
        text = system.version(self.doxygen) or "0"
        return tuple(int(number) for number in text.split("."))


def find_tools() -> Tools | None:
    program = shutil.which("doxygen")
    style = next((path for path in _STYLE_FOLDERS if (path / _STYLES[0]).is_file()), None)
    return Tools(Path(program), style) if program and style and _LUNR.is_file() else None


def build_here() -> Path:
    """Builds the site in the build folder and returns its first page.

    Raises UserError with the command that installs what is missing.
    """
    tools = find_tools()
    if tools is None:
        sudo = "" if os.geteuid() == 0 else "sudo "
        raise UserError(
            f"the documentation needs {', '.join(PACKAGES[:-1])} and {PACKAGES[-1]}."
            f" On Debian and Ubuntu: {sudo}apt-get update && {sudo}apt-get install -y "
            f"--no-install-recommends {' '.join(PACKAGES)}"
        )
    with locks.exclusive(BUILD / "docs.lock"):
        return build(tools, _FOLDER)


def build(tools: Tools, folder: Path) -> Path:
    """Builds the site in `folder` and returns its first page.

    Raises InfraError with all of Doxygen's warnings if there are any.
    """
    shutil.rmtree(folder / "html", ignore_errors=True)
    written = writing.write(folder / "pages")
    layout, header = _write_layout(tools, folder), _write_header(tools, folder)
    colors = folder / "code.css"
    colors.write_text(highlight.style_sheet(), encoding="utf-8")
    settings = folder / "Doxyfile"
    own = _own_settings(folder, written.files, layout, header)
    settings.write_text(own + _look(tools, folder, colors), encoding="utf-8")
    _run(tools, folder, str(settings))
    warnings = _warnings(folder)
    if warnings:
        raise InfraError(f"Doxygen has {len(warnings)} warnings:\n" + "\n".join(warnings))
    index = folder / "html" / "index.html"
    if not index.is_file():
        raise InfraError(f"Doxygen did not write {index}.")
    search.write(index.with_name("search-index.js"), _entries(folder, written))
    return index


def _entries(folder: Path, written: writing.Written) -> list[search.Entry]:
    return [*written.entries, *search.names(folder / "tags.xml")]


def _own_settings(folder: Path, written: Sequence[Path], layout: Path, header: Path) -> str:
    """The part of the Doxyfile that depends on the repository's files."""
    lines = [
        f'@INCLUDE = "{DOXYFILE}"',
        f'OUTPUT_DIRECTORY = "{folder}"',
        f'STRIP_FROM_PATH = "{folder / "pages"}" "{REPO}"',
        f'INCLUDE_PATH = "{REPO / "common"}"',
        f'EXAMPLE_PATH = "{folder / "pages" / "bodies"}"',
        f'GENERATE_TAGFILE = "{folder / "tags.xml"}"',
        f'LAYOUT_FILE = "{layout}"',
        f'HTML_HEADER = "{header}"',
        f'WARN_LOGFILE = "{folder / "warnings"}"',
        f"INPUT = {_words([*written, *pages.api_headers()])}",
    ]
    return "\n".join([*lines, ""])


def _look(tools: Tools, folder: Path, colors: Path) -> str:
    """The part of the Doxyfile that depends on the machine."""
    styles = [tools.style / name for name in (*_STYLES, _DARK_MODE_STYLE)]
    scripts = [*(tools.style / name for name in _SCRIPTS), _LUNR, OWN_SCRIPT]
    images = sorted((folder / "pages" / "images").iterdir())
    lines = [
        f"HTML_EXTRA_STYLESHEET = {_words([*styles, colors, OWN_STYLE])}",
        f"HTML_EXTRA_FILES = {_words([*scripts, *images])}",
    ]
    if tools.version >= (1, 9, 5):
        # Earlier versions lack this option, and a dark mode too.
        lines.append("HTML_COLORSTYLE = LIGHT")
    return "\n".join([*lines, ""])


def _words(paths: Sequence[Path]) -> str:
    return " ".join(f'"{path}"' for path in paths)


def _write_layout(tools: Tools, folder: Path) -> Path:
    """Doxygen's default layout with our menu."""
    path = folder / "layout.xml"
    _run(tools, folder, "-l", str(path))
    text, count = re.subn(
        r"<navindex>.*?</navindex>",
        lambda _: menu.navigation(),
        path.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    if count != 1:
        raise InfraError(f"{path} has no menu to replace: is this Doxygen supported?")
    path.write_text(text, encoding="utf-8")
    return path


def _write_header(tools: Tools, folder: Path) -> Path:
    """Doxygen's default header with the style's scripts, and with our search."""
    path = folder / "header.html"
    _run(tools, folder, "-w", "html", str(path), str(folder / "footer.html"), "/dev/null")
    names = (*_SCRIPTS, _LUNR.name, OWN_SCRIPT.name)
    scripts = "".join(
        f'<script type="text/javascript" src="$relpath^{name}"></script>\n' for name in names
    )
    start = "".join(f"{name}.init();" for name in (*_SCRIPTS.values(), "SiteSearch"))
    scripts += f'<script type="text/javascript">{start}</script>\n'
    text = path.read_text(encoding="utf-8")
    for mark, addition in (("</head>", scripts), (_END_OF_HEADER, _SEARCH)):
        if text.count(mark) != 1:
            raise InfraError(f"{path} has no {mark}: is this Doxygen supported?")
        text = text.replace(mark, f"{addition}{mark}")
    path.write_text(text, encoding="utf-8")
    return path


def _run(tools: Tools, folder: Path, *arguments: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    finished = process.run([tools.doxygen, *arguments], seconds=_SECONDS, cwd=REPO)
    if finished.timed_out:
        raise InfraError(f"Doxygen did not end within {_SECONDS} s.")
    if finished.status != 0 and not _warnings(folder):
        raise InfraError(f"Doxygen failed (exit status {finished.status}):\n{finished.output}")


def _warnings(folder: Path) -> list[str]:
    """Doxygen's warnings, with paths as they are in the repository."""
    try:
        text = (folder / "warnings").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    for base in (folder / "pages", REPO):
        text = text.replace(f"{base}/", "")
    return [line for line in text.splitlines() if line.strip()]
