"""The arguments and options that several commands have, and what is made of them."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.commands.console import console
from tilelab.pipeline import toolchain
from tilelab.pipeline.session import Session

Backend = Annotated[
    str | None,
    typer.Option(help="emulator, emulator-clang or cuda; by default all that count here."),
]

LabName = Annotated[str, typer.Argument(metavar="LAB", help="Which lab, for example diff.")]

File = Annotated[Path | None, typer.Argument(help="Your file; by default the one in labs/LAB.")]

Seed = Annotated[
    int | None, typer.Option(min=0, max=2**64 - 1, help="Repeat a run with its inputs.")
]


def existing(path: Path) -> Path:
    if not os.path.lexists(path):
        raise UserError(f"{one_line(str(path))}: there is no such file")
    return path


def session(backend: str | None, seed: int | None) -> Session:
    """Builds what the backend needs, or every backend that counts here."""
    presets = [backend] if backend else nvidia.default_backends()
    for preset in presets:
        assert_usable(preset)
    with console.status("Building the harness (this takes a while the first time)..."):
        prepared = [toolchain.prepare(preset) for preset in presets]
    return Session(prepared, secrets.randbits(63) if seed is None else seed)


def assert_usable(preset: str) -> None:
    if preset not in toolchain.BACKENDS:
        raise UserError(f"there is no backend '{preset}': {', '.join(toolchain.BACKENDS)}")
    if preset == "cuda" and nvidia.nvcc() is None:
        raise UserError("the backend cuda needs nvcc: install the CUDA Toolkit")
    if preset == "cuda" and nvidia.gpu() is None:
        raise UserError("the backend cuda needs an NVIDIA GPU; this machine shows none")
    if preset == "emulator-clang" and system.version("clang++") is None:
        raise UserError("the backend emulator-clang needs clang++: install clang")
