"""What systems other than ours call the packages that the launcher looks for."""

from __future__ import annotations

import os
import platform

# The ID of /etc/os-release, how to install packages, and which.
SYSTEMS = {
    "debian": (
        "apt-get install -y --no-install-recommends",
        "g++ cmake ninja-build catch2 python3-venv binutils util-linux bubblewrap",
    ),
    "fedora": (
        "dnf install -y",
        "gcc-c++ cmake ninja-build catch-devel python3 binutils util-linux bubblewrap",
    ),
    "arch": (
        "pacman -S --needed",
        "gcc cmake ninja catch2 python binutils util-linux bubblewrap",
    ),
}


def command() -> str | None:
    """The command that installs all packages on this system, None if we do not know the system."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return None
    names = [release.get("ID", ""), *release.get("ID_LIKE", "").split()]
    known = next((SYSTEMS[name] for name in names if name in SYSTEMS), None)
    sudo = "" if os.geteuid() == 0 else "sudo "
    return f"{sudo}{' '.join(known)}" if known else None


def is_wsl() -> bool:
    return "microsoft" in platform.release().lower()
