"""Programs from elsewhere that estimates are compared with.

The model was not made with them. The folder elsewhere describes collections of programs: of which
commit, which files and functions, and how to call them. The programs themselves come from clones. A
table for each file has

    source        the file; what it includes from its collection becomes a part of it
    functions     the name of each function, and C++ that calls it or launches it
    parameters    those of every function, with a size last; `setup` comes before each call
    arguments     what they are called with for the size `n`, maybe by function, as in kernels.py
    sizes         the sizes
    until, dropped, replaced, static, defines, before    what it needs so that it compiles here
    headers       folders of the collection in which its headers are, beside the file's own

Keys before the first table count for all files of the collection. `held_out = true` says that
whoever made the model had not seen how long the collection's programs take, nor their estimates.

    ./tilelab measure estimates/elsewhere CLONES FOLDER

copies the files that this needs from clones to a folder, which other machines can use as clones.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import tables
from kernels import Kernel, Problem
from tilelab.labs import lab
from tilelab.model.lab import Lab

HERE = Path(__file__).resolve().parent / "elsewhere"
KIND = "elsewhere"
HELD_OUT = "held_out"
# The kinds of kernels that come from elsewhere.
KINDS = (KIND, HELD_OUT)

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<([^>]*)>|"([^"]*)")[^\n]*$', re.MULTILINE)
_MAIN = re.compile(r"^int\s+main\s*\(", re.MULTILINE)
_IF = re.compile(r"^[ \t]*#[ \t]*if", re.MULTILINE)
_ENDIF = re.compile(r"^[ \t]*#[ \t]*endif", re.MULTILINE)
_PRAGMA_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma once[^\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class Program(Kernel):
    """A file of a collection, as a file that defines the functions of a lab of its own.

    `lab` is the name of the collection, `name` that of the file.
    """

    functions: dict[str, str]
    sizes: tuple[int, ...]

    def problems(self) -> list[Problem]:
        return [
            Problem(function, n, call) for function, call in self.calls.items() for n in self.sizes
        ]

    @property
    def calls(self) -> dict[str, str]:
        return self.functions

    @property
    def header(self) -> Path:
        return self.source.with_suffix(".h")

    def as_lab(self) -> Lab:
        return replace(lab.load("diff"), name=self.name, repo=self.source.parent.parent.parent)


def programs(clones: Path, work: Path, chosen: list[str] | None = None) -> Iterator[Program]:
    """Those of the collections, or of the files, that are chosen; they are written to `work`."""
    for description in _descriptions():
        collection = description["collection"]
        for name, one in description.items():
            if not isinstance(one, dict):
                continue
            if not chosen or collection in chosen or name in chosen:
                # What the collection says counts for each of its files.
                yield _program(clones, work / collection / "labs" / name, {**description, **one})


def pack(clones: Path, folder: Path) -> None:
    """Copies the files that the programs are made of."""
    for description in _descriptions():
        clone = clones / description["folder"]
        seen: set[Path] = set()
        for one in description.values():
            if isinstance(one, dict):
                whole = description | one
                _inlined(clone / whole["source"], _headers(clone, whole), seen, {})
        for path in seen:
            copied = folder / path.relative_to(clones)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copied)


def _descriptions() -> list[dict[str, Any]]:
    return [tomllib.loads(path.read_text("utf-8")) for path in sorted(HERE.glob("*.toml"))]


def _program(clones: Path, folder: Path, one: dict[str, Any]) -> Program:
    name = folder.name
    folder.mkdir(parents=True)
    declarations = {f: f"void run_{f}({one['parameters']})" for f in one["functions"]}
    header = "".join(f"{declaration};\n" for declaration in declarations.values())
    # Some take the C library's uint.
    header = f"#pragma once\n\n#include <cuda_runtime.h>\n#include <sys/types.h>\n\n{header}"
    (folder / f"{name}.h").write_text(header, encoding="utf-8")
    setup = f"  {one['setup']};\n" if "setup" in one else ""
    wrappers = "".join(
        f"\n{declarations[function]} {{\n{setup}  {body.strip()};\n}}\n"
        for function, body in one["functions"].items()
    )
    source = folder / f"{name}.cu"
    text = f'#include "{name}.h"\n{_theirs(clones / one["folder"], one)}{wrappers}'
    source.write_text(text, encoding="utf-8")
    arguments = one["arguments"]
    calls = {
        f: f"run_{f}({arguments if isinstance(arguments, str) else arguments[f]})"
        for f in one["functions"]
    }
    kind = HELD_OUT if one.get("held_out") else KIND
    return Program(one["collection"], name, kind, source, calls, tuple(one["sizes"]))


def _theirs(clone: Path, one: dict[str, Any]) -> str:
    """The file's text up to its main, with the headers of its collection in place.

    `static` are functions that only main calls. The compiler drops them, so the linker need not
    find what they call.
    """
    system: dict[str, None] = {}
    text = _inlined(clone / one["source"], _headers(clone, one), set(), system)
    end = text.index(one["until"]) if "until" in one else _main(text)
    text = text[:end].replace(one.get("dropped", "\0"), "")
    for theirs, ours in one.get("replaced", {}).items():
        text = text.replace(theirs, ours)
    for function in one.get("static", []):
        text = text.replace(function, f"static {function}")
    text += "\n#endif" * (len(_IF.findall(text)) - len(_ENDIF.findall(text)))
    before = (HERE / one["before"]).read_text(encoding="utf-8") if "before" in one else ""
    # cuBLAS is not there on every machine.
    headers = [header for header in system if not header.startswith("cublas")]
    return (
        "".join(f"#if __has_include(<{it}>)\n#include <{it}>\n#endif\n" for it in headers)
        + "".join(f"#define {definition}\n" for definition in one.get("defines", []))
        + f"{before}\n{text}\n"
    )


def _main(text: str) -> int:
    found = _MAIN.search(text)
    return found.start() if found else len(text)


def _headers(clone: Path, one: dict[str, Any]) -> list[Path]:
    """Where a file's headers are, if not beside it."""
    return [clone / folder for folder in ("Common", *one.get("headers", []))]


def _inlined(path: Path, headers: list[Path], seen: set[Path], system: dict[str, None]) -> str:
    """A file's text. Headers that the clone lacks are left out and added to `system`."""
    seen.add(path)

    def replaced(match: re.Match[str]) -> str:
        name = match[2] or match[3]
        for folder in (path.parent, *headers):
            if (header := folder / name).is_file():
                return "" if header in seen else _inlined(header, headers, seen, system)
        system[name] = None
        return ""

    # Comments need not be in UTF-8.
    text = path.read_text(encoding="utf-8", errors="replace")
    return _INCLUDE.sub(replaced, _PRAGMA_ONCE.sub("", text))


if __name__ == "__main__":
    parser = tables.parser(__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("folder", type=Path)
    pack(**vars(parser.parse_args()))
