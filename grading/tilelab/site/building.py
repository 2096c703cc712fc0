"""Runs Doxygen and MkDocs, and treats each of their warnings as an error."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from yaml import safe_load

from tilelab.base import locks, pip, process
from tilelab.base.errors import InfraError, UserError
from tilelab.base.repository import BUILD, REPO
from tilelab.base.version import version
from tilelab.site import pages, writing

_SETTINGS = REPO / "docs" / "site"
_SECONDS = 300
_KEPT = 1024 * 1024
# https://HOST/OWNER/NAME.git, also with a user's name or token before the host, and
# git@HOST:OWNER/NAME.git.
_REMOTE = re.compile(r"(?:https://(?:[^@/]*@)?|(?:ssh://)?git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?")


def build_here() -> Path:
    """Builds the site in the build folder and returns its first page.

    Raises UserError with the command that installs what is missing.
    """
    with locks.exclusive(BUILD / "docs.lock"):
        return build(BUILD / "docs")


def build(folder: Path) -> Path:
    """Builds the site in `folder` and returns its first page. Raises InfraError with warnings."""
    if shutil.which("doxygen") is None:
        sudo = "" if os.geteuid() == 0 else "sudo "
        raise UserError(
            "the documentation needs doxygen. On Debian and Ubuntu: "
            f"{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends doxygen"
        )
    environment = {**pip.environment("docs"), "NO_MKDOCS_2_WARNING": "1"}
    for name in ("pages", "html"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "pages" / "api").mkdir(parents=True)
    _describe_api(folder / "pages")
    host = host_of(_remote())
    writing.write(folder / "pages", host)
    settings = folder / "mkdocs.yml"
    settings.write_text(json.dumps(_settings(folder, host)), encoding="utf-8")
    command = [sys.executable, "-P", "-m", "mkdocs", "build", "--strict"]
    _run("MkDocs", [*command, "--config-file", str(settings)], environment)
    return folder / "html" / "index.html"


def _settings(folder: Path, host: str | None) -> dict[str, object]:
    """What depends on this repository. JSON is YAML, too."""
    entries = safe_load((_SETTINGS / "navigation.yml").read_text(encoding="utf-8"))
    return {
        "INHERIT": str(_SETTINGS / "mkdocs.yml"),
        "site_name": f"TileLab {version()}",
        "docs_dir": str(folder / "pages"),
        "site_dir": str(folder / "html"),
        "hooks": [str(_SETTINGS / "hook.py")],
        "nav": pages.navigation(entries),
        # As repo_url, each page would ask it for its stars.
        "copyright": f'<a href="{host}">The repository</a>' if host else "",
    }


def _describe_api(folder: Path) -> None:
    environment = {**os.environ, "TILELAB_VERSION": version(), "TILELAB_PAGES": str(folder)}
    _run("Doxygen", ["doxygen", str(_SETTINGS / "Doxyfile")], environment)


def _run(name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
    finished = process.run(command, seconds=_SECONDS, cwd=REPO, env=environment, keep=_KEPT)
    if finished.timed_out:
        raise InfraError(f"{name} did not end within {_SECONDS} s.")
    if finished.status != 0:
        said = finished.output.replace(f"{REPO}/", "").strip()
        raise InfraError(f"{name} failed (exit status {finished.status}):\n{said}")


def host_of(remote: str) -> str | None:
    """The address of the repository's page, if it was cloned from a place that has one."""
    match = _REMOTE.fullmatch(remote)
    return f"https://{match[1]}/{match[2]}" if match else None


def _remote() -> str:
    command = ["git", "config", "--get", "remote.origin.url"]
    try:
        return process.run(command, seconds=10, cwd=REPO).output.strip()
    except FileNotFoundError:
        return ""
