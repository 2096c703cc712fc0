"""Writes pages about source files, in Markdown: the comment at a file's head, then its code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

_KEY = re.compile(r"(Misses|Needs|Says|Slots|Task|Test): (.*)")
_CODE_SPAN = re.compile(r"(`[^`]*`)")
_MARKUP = re.compile(r"([\\*_\[\]#])")
_SAID = {"Slots": "Instructions issued:", "Misses": "It loses points for", "Needs": "It needs"}


@dataclass(frozen=True)
class Source:
    """A file: the prose at its head, the `Key: value` lines there, and its code."""

    path: Path
    prose: str
    keys: dict[str, str]
    code: str

    @property
    def name(self) -> str:
        """What it is: "Step 2: tile", "Reference solution", "Missing barrier", "diff.cu"."""
        folder, words = self.path.parent.name, self.path.stem.replace("_", " ")
        if folder == "ladder":
            number, _, rest = words.partition(" ")
            return f"Step {int(number)}: {rest}"
        if folder == "mistakes":
            return words.capitalize()
        if self.path.parents[1].name == "solutions":
            return "Reference solution"
        if self.path.parents[2].name == "solutions":
            return f"{folder.capitalize()}: {words.lstrip('0123456789 ')}"
        return self.path.name

    @property
    def anchor(self) -> str:
        """That of the section with its name."""
        return self.name.lower().replace(".", "").replace(" ", "-")

    @property
    def body(self) -> str:
        """All of it, with the code where it has room."""
        said = [f"{words} {self.keys[key]}." for key, words in _SAID.items() if key in self.keys]
        if test := self.keys.get("Test"):
            says = f": {self.keys['Says']}" if "Says" in self.keys else ""
            said.append(f"> *{test}* fails{says}")
        listing = f"~~~ {{ .cuda data-search-exclude=true }}\n{self.code}\n~~~\n"
        if self.path.parent.name == "mistakes":
            listing = f"<details><summary>Code</summary>\n\n{listing}\n</details>\n"
        return "\n\n".join([self.prose, *said, listing])


def read(path: Path) -> Source:
    lines = path.read_text(encoding="utf-8").split("\n")
    end = next((n for n, line in enumerate(lines) if not line.startswith("//")), len(lines))
    prose: list[str] = []
    keys: dict[str, str] = {}
    for line in lines[:end]:
        words = _as_markdown(line.removeprefix("//").removeprefix(" "))
        if match := _KEY.fullmatch(words):
            keys.setdefault(match[1], match[2])
        else:
            prose.append(words)
    # A list begins after an empty line.
    text = re.sub(r"(?<=[^\n])\n(?=- )", "\n\n", "\n".join(prose).strip())
    return Source(path, text, keys, "\n".join(lines[end:]).strip("\n"))


def _as_markdown(words: str) -> str:
    """The words of a comment, which may hold code spans and lists but no other markup."""
    return "".join(
        part if part.startswith("`") else _MARKUP.sub(r"\\\1", escape(part, quote=False))
        for part in _CODE_SPAN.split(words)
    )
