"""What each stage of the pipeline hands to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tilelab.base.errors import CompileError
from tilelab.model.lab import Lab
from tilelab.pipeline.records.toolchain import Toolchain


@dataclass(frozen=True)
class Source:
    """The normalized text of a file, and the hash of the bytes that were handed in.

    `note` is for the student, if these bytes had to be converted.
    """

    text: str
    sha256: str
    note: str = ""


@dataclass(frozen=True)
class Token:
    """A token. `end` is the offset in the joined text where it ends."""

    kind: str
    text: str
    line: int
    end: int


@dataclass(frozen=True)
class Directive:
    """A line that begins with #. `name` is None if nothing follows, or a number."""

    name: Token | None
    rest: list[Token] = field(default_factory=list)


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text without its comments: those of its directives, and all others."""

    text: str  # with continued lines joined
    code: list[Token]
    directives: list[Directive]


@dataclass(frozen=True)
class Inspected:
    """A text that breaks no rule of its lab, and its tokens."""

    lab: Lab
    text: str
    tokens: Tokens


@dataclass(frozen=True)
class Ruling:
    """What nvcc says about a file: an error, or why it was not heard. Mostly neither."""

    error: CompileError | None = None
    note: str | None = None


@dataclass(frozen=True)
class Compiled:
    """The object that a toolchain made of a text, which may still hold anything.

    `work` is a folder that belongs to this text and toolchain. The compiler can write to it, so
    `text` is what it was given; a prebuilt object has none.
    """

    lab: Lab
    toolchain: Toolchain
    work: Path
    object: Path
    text: str = ""

    @property
    def source(self) -> Path:
        """The file that was compiled."""
        return self.object.with_suffix(".cu")


@dataclass(frozen=True)
class Checked(Compiled):
    """An object that shows the lab's functions and needs, shows and starts nothing else."""


@dataclass(frozen=True)
class Worker:
    """A program that a judge can start, and the source file that messages about it quote."""

    toolchain: Toolchain
    program: Path
    source: Path
