"""The workflow for GitHub: its script, run as the runner does."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

from hostile import TEXTS
from tilelab.exports import github_workflow


def script(text: str) -> str:
    """What the step Grade runs."""
    found = re.search(r"name: Grade\n(?:.*\n)*?        run: \|\n((?: {10}.*\n)+)", text)
    assert found
    return textwrap.dedent(found[1])


def obeyed(log: str) -> list[str]:
    """The commands that the runner obeys, which are none while they are stopped."""
    commands, stopped = [], ""
    for line in re.split(r"\r\n|\r|\n", log):
        text = line.strip()
        if stopped:
            stopped = "" if text == f"::{stopped}::" else stopped
        elif text.startswith("::stop-commands::"):
            stopped = text.removeprefix("::stop-commands::")
        elif text.startswith("::") or "##[" in text:
            commands.append(text)
    assert not stopped
    return commands


def test_the_workflow_names_labs_and_container() -> None:
    text = github_workflow.text(["diff", "nbody"], "debian:12")
    assert "    container: debian:12\n" in text and "--labs diff,nbody " in text
    assert "for lab in diff nbody;" in text and not re.search(r"\b(LAB|IMAGE)_", text)
    # The reporter looks for the result of the step under this name.
    assert "id: tilelab" in text and "runners: tilelab" in text
    assert "TILELAB_RESULTS: ${{ steps.tilelab.outputs.result }}" in text
    assert "\t" not in text


def test_what_is_printed_is_no_command(tmp_path: Path) -> None:
    for name in ("diff", "nbody"):
        (tmp_path / "labs" / name).mkdir(parents=True)
        (tmp_path / "labs" / name / f"{name}.cu").write_text(name)
    (tmp_path / "noise").write_text("\n".join(TEXTS[name] for name in ("command", "old command")))
    stub = '#!/bin/sh\ncat noise\n[ "$1" = grade ] && exit 3\necho result=abc >results/output.txt\n'
    (tmp_path / "tilelab").write_text(stub)
    (tmp_path / "tilelab").chmod(0o755)
    output = tmp_path / "output"
    output.write_text("other=1\n")
    ran = subprocess.run(
        ["sh", "-e", "-c", script(github_workflow.text(["diff", "nbody"], "debian:13"))],
        cwd=tmp_path,
        env={**os.environ, "GITHUB_OUTPUT": str(output)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "taken over" in ran.stdout and obeyed(ran.stdout) == []
    assert output.read_text() == "other=1\nresult=abc\n"
    handed_in = tmp_path / "results" / "class" / "student"
    assert sorted(path.name for path in handed_in.iterdir()) == ["diff.cu", "nbody.cu"]
