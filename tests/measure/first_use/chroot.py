"""A bare system in a folder."""

from __future__ import annotations

import contextlib
import platform
import re
import shutil
import subprocess
from pathlib import Path

_MOUNTS = ("proc", "sys", "dev", "dev/pts")
# How this machine reaches its package indexes.
_FROM_HOST = ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/pip.conf")
_OWN_CERTIFICATES = "usr/local/share/ca-certificates"
_ENVIRONMENT = ("HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TERM=dumb", "LC_ALL=C.UTF-8")


class Root:
    """Can run commands in the folder while it is entered."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Root:
        for place in _MOUNTS:
            subprocess.run(["mount", "--bind", f"/{place}", self.path / place], check=True)
        # A system that installs ca-certificates writes its bundle again, of these and its own.
        own = [str(path.relative_to("/")) for path in Path("/", _OWN_CERTIFICATES).glob("*.crt")]
        for name in [*_FROM_HOST, *own]:
            with contextlib.suppress(FileNotFoundError):
                (self.path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path("/", name), self.path / name)
        return self

    def __exit__(self, *_: object) -> None:
        for place in reversed(_MOUNTS):
            subprocess.run(["umount", "--lazy", self.path / place], check=True)

    def run(self, line: str) -> int:
        """The exit status of a line of shell."""
        words = ["chroot", self.path, "env", "-i", *_ENVIRONMENT, "sh", "-c", line]
        return subprocess.run(words, stdin=subprocess.DEVNULL, check=False).returncode

    def name(self) -> str:
        text = (self.path / "etc" / "os-release").read_text(encoding="utf-8")
        found = re.search(r'^PRETTY_NAME="?(.*?)"?$', text, re.MULTILINE)
        return found[1] if found else platform.system()
