"""Makes sure that all compilers get the same program out of a submission's text.

The preprocessor runs once for each compiler that may read the text, with the macros that this
compiler would define. What its conditions leave of the text must be the same each time. Then the
macros are expanded, and the rules for names apply to the result: it shows what a macro puts
together.
"""

from __future__ import annotations

import bisect
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import CompileError
from tilelab.base.text import printable, shorten
from tilelab.model.lab import Lab
from tilelab.pipeline.records.stages import Inspected, Token, Tokens
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.texts import compilers, language, rules, stubs
from tilelab.pipeline.texts.compilers import Reader
from tilelab.pipeline.texts.tokens import parse

_MOST_BYTES = 4 * 1024 * 1024
_ADVICE = "a submission must be the same program for all compilers"


@dataclass(frozen=True)
class Reading:
    """A sentence for each rule that the text breaks, or what ended the preprocessor."""

    problems: list[str]
    error: CompileError | None = None


@dataclass(frozen=True)
class _Text:
    """What is left of a text: each line and its number in the submission. Or what went wrong."""

    lines: list[tuple[int, str]]
    error: tuple[int, str] | None = None


class _Stopped(Exception):
    """The preprocessor found an error that every compiler should find."""


def check(inspected: Inspected, toolchain: Toolchain, work: Path) -> Reading:
    """Reads a text as each of the compilers does. `work` is an empty folder.

    Raises InfraError.
    """
    lab, text, tokens = inspected.lab, inspected.text, inspected.tokens
    if not _needs_preprocessor(tokens):
        return Reading([])
    # clang cannot evaluate conditions without expanding macros, so g++ acts like clang.
    gxx = shutil.which("g++") if "Clang" in toolchain.compiler else toolchain.cxx
    preprocessor = _Preprocessor(lab, gxx or toolchain.cxx, toolchain.read_only, work)
    try:
        if gxx and _has_conditions(tokens):
            found = preprocessor.compare(text, tokens)
        else:
            found = preprocessor.check_expanded(text, tokens)
        sentences = [f"{lab.name}.cu:{line}: {sentence}." for line, sentence in found]
    except _Stopped as stop:
        line, why = stop.args
        return Reading([], CompileError([f"{lab.name}.cu:{line}: error: {why}"], located=True))
    return Reading(list(dict.fromkeys(sentences)))


def _needs_preprocessor(tokens: Tokens) -> bool:
    """Whether the compiler sees other tokens than the scan of the text did."""
    plain = ("include", "pragma", "error", "warning")
    macros = (d.name and d.name.text not in plain for d in tokens.directives)
    return any(macros) or any(token.text == "_Pragma" for token in tokens.code)


def _has_conditions(tokens: Tokens) -> bool:
    return any(d.name and d.name.text in language.CONDITIONS for d in tokens.directives)


class _Preprocessor:
    def __init__(self, lab: Lab, cxx: str, readable: Sequence[Path], work: Path) -> None:
        self._lab = lab
        self._cxx = cxx
        self._readable = readable
        self._work = work
        self._source = f"{lab.name}.cu"
        # The submission must not be able to name it in a line marker of its own.
        self._stubs = f"stubs-{secrets.token_hex(8)}"

    def compare(self, text: str, tokens: Tokens) -> Iterator[tuple[int, str]]:
        """Yields what compilers read differently, or else what the expanded text does wrong."""
        headers = self._headers(tokens)
        macros = stubs.macros_of(self._cxx, headers, tuple(self._readable))
        (self._work / "base.h").write_text(macros["cuda_runtime.h"], encoding="utf-8")
        stubs.write(self._work / self._stubs, headers, macros)
        stubs.write_contract(self._work / self._stubs, self._lab.header)
        readers = list(compilers.readers(tokens))
        self._run(text, [r.reads(f"-fdirectives-only {self._reads_source()}") for r in readers])
        first, *others = ((reader, self._what_is_left(reader)) for reader in readers)
        if error := first[1].error:
            raise _Stopped(*error)
        for other in others:
            if problem := _difference(first, other):
                yield problem
                return
        yield from self._expand(_joined(first[1].lines, text.count("\n")))

    def check_expanded(self, text: str, tokens: Tokens) -> Iterator[tuple[int, str]]:
        """Yields what the expanded text does wrong."""
        headers = (*self._headers(tokens), self._lab.header.name)
        stubs.write(self._work / self._stubs, headers, {})
        yield from self._expand(text)

    def _headers(self, tokens: Tokens) -> tuple[str, ...]:
        return rules.headers(tokens, self._lab.header.name)

    def _reads_source(self) -> str:
        return f"-nostdinc -I{self._stubs} -x c++ {self._source}"

    def _run(self, text: str, jobs: Sequence[Reader]) -> None:
        (self._work / self._source).write_text(text, encoding="utf-8", newline="")
        for header in compilers.FOLDER.glob("*.h"):
            (self._work / header.name).write_bytes(header.read_bytes())
        compilers.run(jobs, self._cxx, self._readable, self._work)

    def _what_is_left(self, reader: Reader) -> _Text:
        """The lines of the submission that a compiler keeps, and the headers that it includes."""
        output = self._output(reader)
        if output is None:
            return _Text([], self._error(reader))
        lines: list[tuple[int, str]] = []
        number, is_ours = 0, False
        begin = output.find(f'\n# 1 "{self._source}"\n')
        for line in output[begin + 1 :].split("\n"):
            marker = re.match(r'# (\d+) "([^"]*)"', line)
            if marker and marker[2].startswith(f"{self._stubs}/"):
                if not is_ours:
                    lines.append((number, f"#include {marker[2]}"))
                is_ours = True
            elif marker and marker[2] == self._source:
                number, is_ours = int(marker[1]), False
            elif not is_ours:
                if line.strip():
                    lines.append((number, line))
                number += 1
        return _Text(lines)

    def _expand(self, text: str) -> Iterator[tuple[int, str]]:
        """Yields what the text does wrong once its own macros are expanded."""
        nobody, absent = compilers.nobody(), compilers.absent()
        jobs = [nobody, absent] if _makes_text(parse(text)) else [nobody]
        self._run(text, [reader.reads(self._reads_source()) for reader in jobs])
        expanded = self._tokens(nobody)
        origin = _Origin(expanded)
        for line, sentence in language.check(expanded):
            yield origin.of(line), sentence
        if absent in jobs and (odd := _first_difference(expanded, self._tokens(absent))):
            yield origin.of(odd), f"a macro makes text of the words of CUDA here: {_ADVICE}"

    def _tokens(self, reader: Reader) -> Tokens:
        output = self._output(reader)
        if output is None:
            raise _Stopped(*self._error(reader))
        if len(output) >= _MOST_BYTES:
            raise _Stopped(1, f"preprocessing makes more than {_MOST_BYTES // 1024**2} MiB of it")
        return parse(output)

    def _output(self, reader: Reader) -> str | None:
        path = self._work / f"{reader.name}.out"
        if not path.exists():
            return None
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            return file.read(_MOST_BYTES)

    def _error(self, reader: Reader) -> tuple[int, str]:
        log = self._work / f"{reader.name}.log"
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        where = rf"^{re.escape(self._source)}:(\d+):(?:\d+:)? (?:fatal )?error: (.*)"
        found = re.search(where, text, re.MULTILINE)
        why = shorten(printable(found[2]), 200) if found else "preprocessing takes too long"
        return (int(found[1]) if found else 1), why


class _Origin:
    """The lines of the submission that the lines of the preprocessor's output come from."""

    def __init__(self, expanded: Tokens) -> None:
        names = (d.name for d in expanded.directives if d.name and d.name.text.isdecimal())
        self._markers = [(name.line, int(name.text)) for name in names]

    def of(self, line: int) -> int:
        at = bisect.bisect_left(self._markers, (line,)) - 1
        return self._markers[at][1] + line - self._markers[at][0] - 1 if at >= 0 else line


def _makes_text(tokens: Tokens) -> bool:
    """Whether a macro can make strings or names of its arguments, or ask whether they are empty."""
    rest = (token for d in tokens.directives for token in d.rest)
    return any(token.kind == "hash" or token.text == "__VA_OPT__" for token in rest)


def _first_difference(expanded: Tokens, absent: Tokens) -> int | None:
    """The line of the first token that depends on CUDA's macros, which `absent` does without."""
    macros = compilers.absent_macros()
    end = Token("", "", 1 << 30, 0)
    some, others = (
        [*(token for token in tokens.code if token.text not in macros), end]
        for tokens in (expanded, absent)
    )
    pairs = zip(some, others, strict=False)
    return next((one.line for one, other in pairs if one.text != other.text), None)


def _joined(lines: Sequence[tuple[int, str]], most: int) -> str:
    """The text of some lines. Each gets the number that it had among `most`."""
    text: list[str] = []
    for number, line in lines:
        text += [""] * (min(number, most) - 1 - len(text))
        text.append("" if line.startswith("#include ") else line)
    return "\n".join(text) + "\n"


def _difference(first: tuple[Reader, _Text], other: tuple[Reader, _Text]) -> tuple[int, str] | None:
    """The first line that two compilers read differently, and a sentence about it."""
    (reader, left), (other_reader, other_left) = first, other
    if other_left.error:
        return other_left.error[0], _why_it_stops(other_reader, other_left.error[1])
    end = (1 << 30, "")
    for one, two in zip([*left.lines, end], [*other_left.lines, end], strict=False):
        if one[1] == two[1]:
            continue
        who, not_who = (reader, other_reader) if one[0] <= two[0] else (other_reader, reader)
        return min(one[0], two[0]), (
            f"{who.shown} compiles this line, {not_who.shown} does not: {_ADVICE}. "
            "Remove the condition (#if) that tells them apart"
        )
    return None


def _why_it_stops(reader: Reader, why: str) -> str:
    if poisoned := re.search(r'attempt to use poisoned "(\w+)"', why):
        return f"{poisoned[1]} is not allowed: {_ADVICE}"
    return f"{reader.shown} would stop here ({why}), another one does not: {_ADVICE}"
