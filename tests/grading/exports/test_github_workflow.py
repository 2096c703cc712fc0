"""The workflow for GitHub: its script, run as the runner does."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest
import yaml

from hostile import TEXTS
from tilelab.exports import github_workflow


def scripts(text: str) -> dict[str, str]:
    """What the step of each lab runs."""
    steps = re.findall(r"id: (\w+)\n(?:.*\n)*?        run: \|\n((?: {10}.*\n)+)", text)
    return {lab: textwrap.dedent(lines) for lab, lines in steps}


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
    assert "    container: debian:12\n" in text and "# Checks diff, nbody on each push" in text
    assert list(scripts(text)) == ["diff", "nbody"]
    assert not re.search(r"\b(LAB|IMAGE)_", text)
    # The reporter looks for the result of each runner under this name.
    assert "runners: diff,nbody\n" in text
    assert "DIFF_RESULTS: ${{ steps.diff.outputs.result }}\n" in text
    assert "NBODY_RESULTS: ${{ steps.nbody.outputs.result }}\n" in text
    assert "\t" not in text


def test_it_is_yaml_with_a_step_for_each_lab() -> None:
    names = ["diff", "nearest_neighbor"]
    read = yaml.safe_load(github_workflow.text(names, "debian:13"))
    steps = read["jobs"]["autograding"]["steps"]
    assert [step.get("id") for step in steps] == [None, *names, None]
    assert list(steps[-1]["env"]) == ["DIFF_RESULTS", "NEAREST_NEIGHBOR_RESULTS"]


class Runner:
    """Runs a step as GitHub does, with a stub for the launcher."""

    def __init__(self, folder: Path, stub: str) -> None:
        self._folder = folder
        (folder / "noise").write_text("\n".join(TEXTS[name] for name in ("command", "old command")))
        (folder / "tilelab").write_text(f"#!/bin/sh\ncat noise noise >&2\n{stub}\n")
        (folder / "tilelab").chmod(0o755)
        self.output = folder / "output"
        self.output.write_text("other=1\n")

    def run(self) -> subprocess.CompletedProcess[str]:
        text = github_workflow.text(["diff", "nbody"], "debian:13")
        return subprocess.run(
            ["sh", "-e", "-c", scripts(text)["diff"]],
            cwd=self._folder,
            env={**os.environ, "GITHUB_OUTPUT": str(self.output), "TMPDIR": str(self._folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.mark.parametrize("status", [0, 1, 3])
def test_what_is_printed_is_no_command(tmp_path: Path, status: int) -> None:
    runner = Runner(tmp_path, f'echo "$*" >asked; echo result=abc; exit {status}')
    ran = runner.run()
    assert ran.returncode == 0
    assert "taken over" in ran.stdout and obeyed(ran.stdout) == []
    assert runner.output.read_text() == "other=1\nresult=abc\n"
    assert (tmp_path / "asked").read_text() == "check diff --format github\n"


def test_a_step_without_a_result_fails(tmp_path: Path) -> None:
    runner = Runner(tmp_path, "exit 2")
    ran = runner.run()
    assert ran.returncode == 1 and obeyed(ran.stdout) == []
    assert runner.output.read_text() == "other=1\n"
