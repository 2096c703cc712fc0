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
from tilelab.base.repository import REPO
from tilelab.site import pages

BUILD = REPO / "build" / "docs"
DOXYFILE = REPO / "docs" / "Doxyfile"
OWN_STYLE = REPO / "docs" / "style.css"

_SECONDS = 300
_STYLE_FOLDERS = (
    Path("/usr/share/doxygen-awesome-css"),
    Path("/usr/local/share/doxygen-awesome-css"),
)
_STYLES = ("doxygen-awesome.css", "doxygen-awesome-sidebar-only.css")
_DARK_MODE_STYLE = "doxygen-awesome-sidebar-only-darkmode-toggle.css"
_SCRIPTS = {
    "doxygen-awesome-darkmode-toggle.js": "DoxygenAwesomeDarkModeToggle",
    "doxygen-awesome-fragment-copy-button.js": "DoxygenAwesomeFragmentCopyButton",
    "doxygen-awesome-paragraph-link.js": "DoxygenAwesomeParagraphLink",
    "doxygen-awesome-interactive-toc.js": "DoxygenAwesomeInteractiveToc",
}


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
    return Tools(Path(program), style) if program and style else None


def build_here() -> Path:
    """Builds the site in the repository's build folder and returns its first page.

    Raises UserError with the command that installs what is missing.
    """
    tools = find_tools()
    if tools is None:
        sudo = "" if os.geteuid() == 0 else "sudo "
        raise UserError(
            "the documentation needs doxygen and doxygen-awesome-css. On Debian and Ubuntu:\n"
            f"  {sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends "
            "doxygen doxygen-awesome-css"
        )
    with locks.exclusive(BUILD.parent / "docs.lock"):
        return build(tools, BUILD)


def build(tools: Tools, folder: Path) -> Path:
    """Builds the site in `folder` and returns its first page.

    Raises InfraError with all of Doxygen's warnings if there are any.
    """
    shutil.rmtree(folder / "html", ignore_errors=True)
    written = pages.write(folder / "pages")
    layout, header = _write_layout(tools, folder), _write_header(tools, folder)
    settings = folder / "Doxyfile"
    settings.write_text(_settings(tools, folder, written, layout, header), encoding="utf-8")
    _run(tools, folder, str(settings))
    warnings = _warnings(folder)
    if warnings:
        raise InfraError(f"Doxygen has {len(warnings)} warnings:\n" + "\n".join(warnings))
    index = folder / "html" / "index.html"
    if not index.is_file():
        raise InfraError(f"Doxygen did not write {index}.")
    return index


def _settings(
    tools: Tools, folder: Path, written: Sequence[Path], layout: Path, header: Path
) -> str:
    """The part of the Doxyfile that depends on the machine and on the repository's files."""
    styles = [tools.style / name for name in (*_STYLES, _DARK_MODE_STYLE)]
    scripts = [tools.style / name for name in _SCRIPTS]
    images = sorted((folder / "pages" / "images").iterdir())
    lines = [
        f'@INCLUDE = "{DOXYFILE}"',
        f'OUTPUT_DIRECTORY = "{folder}"',
        f'STRIP_FROM_PATH = "{folder / "pages"}" "{REPO}"',
        f'INCLUDE_PATH = "{REPO / "common"}"',
        f'USE_MDFILE_AS_MAINPAGE = "{folder / "pages" / "README.md"}"',
        f'LAYOUT_FILE = "{layout}"',
        f'HTML_HEADER = "{header}"',
        f'WARN_LOGFILE = "{folder / "warnings"}"',
        f"INPUT = {_words([*written, *pages.api_headers()])}",
        f"HTML_EXTRA_STYLESHEET = {_words([*styles, OWN_STYLE])}",
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
        lambda _: pages.navigation(),
        path.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    if count != 1:
        raise InfraError(f"{path} has no menu to replace: is this Doxygen supported?")
    path.write_text(text, encoding="utf-8")
    return path


def _write_header(tools: Tools, folder: Path) -> Path:
    """Doxygen's default header with the style's scripts."""
    path = folder / "header.html"
    _run(tools, folder, "-w", "html", str(path), str(folder / "footer.html"), "/dev/null")
    scripts = "".join(
        f'<script type="text/javascript" src="$relpath^{name}"></script>\n' for name in _SCRIPTS
    )
    start = "".join(f"{name}.init();" for name in _SCRIPTS.values())
    text = path.read_text(encoding="utf-8")
    end = text.index("</head>")
    path.write_text(
        f'{text[:end]}{scripts}<script type="text/javascript">{start}</script>\n{text[end:]}',
        encoding="utf-8",
    )
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
