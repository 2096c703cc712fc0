"""The packages that a system needs have the same names wherever they are named."""

from __future__ import annotations

import platform
import re
import subprocess

import pytest

from support import REPO
from tilelab.setup import systems

LAUNCHER = (REPO / "grading/tilelab/setup/launcher/system.sh").read_text()
DEBIAN = systems.SYSTEMS["debian"][1].split()


def test_the_launcher_looks_for_the_same_packages() -> None:
    looked_for = re.findall(
        r'\|\| echo "([\w+-]+) [^"]+"', LAUNCHER.partition("missing_for_docs")[0]
    )
    assert sorted([*looked_for, "bubblewrap"]) == sorted(DEBIAN)


@pytest.mark.parametrize("system", ["fedora", "arch"])
def test_the_launcher_translates_names_alike(system: str) -> None:
    function = LAUNCHER[LAUNCHER.index("names_on() {") :].partition("\n}\n")[0] + "\n}\n"
    said = subprocess.check_output(
        ["sh", "-c", f'{function}names_on "$@"', "sh", system, *DEBIAN], text=True
    )
    assert said.split() == systems.SYSTEMS[system][1].split()


@pytest.mark.parametrize("system", ["fedora", "arch"])
def test_the_readme_has_the_command(system: str) -> None:
    assert f"`sudo {' '.join(systems.SYSTEMS[system])}`" in (REPO / "README.md").read_text()


def test_the_container_has_them_all() -> None:
    words = (REPO / ".devcontainer" / "Containerfile").read_text().split()
    assert set(DEBIAN) <= set(words)


@pytest.mark.parametrize(
    ("release", "starts"),
    [
        ({"ID": "fedora"}, "dnf"),
        ({"ID": "ubuntu", "ID_LIKE": "debian"}, "apt-get"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, "dnf"),
        ({"ID": "manjaro", "ID_LIKE": "arch"}, "pacman"),
        ({"ID": "alpine"}, None),
    ],
)
def test_a_system_is_known_by_its_name_or_its_family(
    release: dict[str, str], starts: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)
    command = systems.command()
    assert (command.removeprefix("sudo ").split()[0] if command else None) == starts
