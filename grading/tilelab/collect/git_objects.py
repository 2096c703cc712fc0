"""Asks git about a clone that may come from anywhere.

A repository can name programs that git runs: hooks, filters, pagers, transports. So git gets an
empty repository of ours, and only the objects of the clone.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.collect.members import MIB, Refused

_SECONDS = 60
_MOST_BYTES = 64 * MIB  # that git may print
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BRANCH = re.compile(r"refs/[A-Za-z0-9._/-]+")


@dataclass(frozen=True)
class Git:
    """The objects of `clone`. `repository` is where our empty one is made."""

    clone: Path
    repository: Path

    def lines(self, *arguments: str) -> list[str]:
        """What git prints, split at NULs. Raises Refused if it fails."""
        text = self.output(*arguments).decode("utf-8", "surrogateescape")
        return [line for line in text.split("\0") if line]

    def output(self, *arguments: str) -> bytes:
        if not (self.repository / "HEAD").exists():
            _run(["init", "--quiet", "--bare", str(self.repository)], {})
        objects = self.clone / ".git" / "objects"
        if objects.is_symlink() or not objects.is_dir():
            raise Refused("is no repository that can be read")
        environment = {
            "GIT_DIR": str(self.repository),
            "GIT_OBJECT_DIRECTORY": str(objects.absolute()),
            "GIT_LITERAL_PATHSPECS": "1",
        }
        return _run(list(arguments), environment)

    def head(self) -> str:
        """The commit that is checked out. Raises Refused if there is none."""
        text = self._line("HEAD")
        if text.startswith("ref: ") and _is_branch(branch := text[5:]):
            text = self._branch(branch)
        if not _COMMIT.fullmatch(text):
            raise Refused("has no commit")
        return text

    def _branch(self, branch: str) -> str:
        if text := self._line(branch):
            return text
        packed = (line.split(" ") for line in self._text("packed-refs").splitlines())
        return next((words[0] for words in packed if words[1:] == [branch]), "")

    def _line(self, name: str) -> str:
        return self._text(name).strip()

    def _text(self, name: str) -> str:
        path = self.clone / ".git" / name
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MIB:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")


def _is_branch(name: str) -> bool:
    return bool(_BRANCH.fullmatch(name)) and ".." not in name


def _run(arguments: list[str], environment: dict[str, str]) -> bytes:
    safe = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }
    command = ["git", "--no-pager", "-c", f"core.hooksPath={os.devnull}", *arguments]
    try:
        done = subprocess.run(
            command,
            env={**safe, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise UserError("git is not installed, and clones need it: install git") from error
    except subprocess.TimeoutExpired as error:
        raise Refused(f"git did not end within {_SECONDS} s") from error
    if done.returncode != 0:
        message = one_line(done.stderr.decode("utf-8", "replace").strip().partition("\n")[0])
        raise Refused(f"git cannot read it ({message})")
    if len(done.stdout) > _MOST_BYTES:
        raise Refused(f"lists more than {_MOST_BYTES // MIB} MiB of names")
    return done.stdout
