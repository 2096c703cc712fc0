"""Mutants of a kernel: the same file with one barrier, fence, wait, guard, volatile or atomic less.

What orders threads is removed, moved by one statement, or narrowed in scope. A guard lets all
threads in.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tilelab.model.lab import Lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session

_ORDERING = re.compile(
    r"""(?:\(void\)\s*)?(?:
    __syncthreads | __syncwarp | __threadfence\w* | __pipeline_\w+ | atomic_thread_fence
    | (?:\w+::)*(?:pipeline_consumer_wait_prior|fence_\w+|barrier_arrive_tx|cp_async_\w+_wait\w*)
    | (?:[\w:]+(?:\(\))?(?:\[\w+\])?\.)+(?:sync|wait|wait_parity|arrive|arrive_and_wait
        |producer_commit|consumer_wait|consumer_release|producer_acquire)
    | (?:\w+::)+sync
    )\s*(?:<[^;]*>)?\(""",
    re.VERBOSE,
)
_NARROWER = {"__syncthreads": "__syncwarp", "__threadfence": "__threadfence_block"}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_DEVICE = re.compile(r"__(?:global|device)__")
_COMPARES = re.compile(r"[^<>=\-][<>]=?(?![<>])")
_TERNARY = re.compile(r"(?<=[=(,+] )(?:[\w.\[\]]+ (?:<|<=|>=|>) [\w.\[\]+\-* ]+)(?= \?)")
_ADDITION = re.compile(r"atomicAdd(?:_block)?\(")


@dataclass(frozen=True)
class Mutant:
    """`name` says what was done to which line of the original: "12 __syncthreads removed"."""

    name: str
    text: str


@dataclass(frozen=True)
class _Span:
    begin: int
    end: int


def points(text: str, of: Lab, session: Session, folder: Path) -> float:
    """What a text gets for the criteria that need no GPU, in a new folder below this one."""
    path = Path(tempfile.mkdtemp(dir=folder)) / f"{of.name}.cu"
    path.write_text(text, encoding="utf-8")
    return sum(one.points for one in submission.grade(path, of, session).criteria)


def mutants(text: str) -> Iterator[Mutant]:
    """Those of all functions that run on the device, in the order of their lines."""
    code = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for body in _device_bodies(code):
        for block in _blocks(code, body):
            yield from _of_block(text, code, block)
        for found in re.finditer(r"\bvolatile\b", code[body.begin : body.end]):
            at = body.begin + found.start()
            yield _replaced(text, _Span(at, at + len(found[0])), "", "volatile removed")
        for found in _TERNARY.finditer(code, body.begin, body.end):
            yield _replaced(text, _Span(found.start(), found.end()), "true", "guard removed")


def _of_block(text: str, code: str, block: list[_Span]) -> Iterator[Mutant]:
    for index, span in enumerate(block):
        statement = code[span.begin : span.end]
        if found := _ORDERING.match(statement):
            what = _name(found[0])
            yield _replaced(text, span, ";", f"{what} removed")
            if index > 0:
                yield _swapped(text, block[index - 1], span, span, f"{what} moved up")
            if index + 1 < len(block):
                yield _swapped(text, span, block[index + 1], span, f"{what} moved down")
            if (narrow := _NARROWER.get(what)) and statement.startswith(f"{what}()"):
                yield _replaced(text, span, f"{narrow}();", f"{what} narrowed")
        elif guard := re.match(r"if\s*(?=\()", statement):
            yield from _without_guard(text, code, _Span(span.begin + guard.end(), span.end))
        elif _ADDITION.match(statement) and statement.endswith(");"):
            yield from _plain(text, span, statement)


def _without_guard(text: str, code: str, condition: _Span) -> Iterator[Mutant]:
    end = _after_bracket(code, condition.begin)
    if _COMPARES.search(code[condition.begin : end]):
        leaves = re.match(r"\s*\{?\s*(?:return|continue|break)\b", code[end:])
        lets_in = "(false)" if leaves else "(true)"
        yield _replaced(text, _Span(condition.begin, end), lets_in, "guard removed")


def _plain(text: str, span: _Span, statement: str) -> Iterator[Mutant]:
    """The addition without an atomic operation."""
    inside = text[span.begin + statement.index("(") + 1 : span.end - 2]
    arguments = _split(inside)
    if len(arguments) == 2:
        plain = f"*({arguments[0]}) += {arguments[1]};"
        yield _replaced(text, span, plain, "atomic removed")


def _split(arguments: str) -> list[str]:
    found, depth, begin = [], 0, 0
    for index, letter in enumerate(arguments):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            found.append(arguments[begin:index].strip())
            begin = index + 1
    return [*found, arguments[begin:].strip()]


def _replaced(text: str, span: _Span, by: str, what: str) -> Mutant:
    line = text.count("\n", 0, span.begin) + 1
    return Mutant(f"{line} {what}", text[: span.begin] + by + text[span.end :])


def _swapped(text: str, first: _Span, second: _Span, named: _Span, what: str) -> Mutant:
    line = text.count("\n", 0, named.begin) + 1
    between = text[first.end : second.begin]
    parts = (
        text[: first.begin],
        text[second.begin : second.end],
        between,
        text[first.begin : first.end],
        text[second.end :],
    )
    return Mutant(f"{line} {what}", "".join(parts))


def _name(call: str) -> str:
    return re.sub(r"^\(void\)\s*|<[^;]*>|\($", "", call).strip()


# --- Statements ----------------------------------------------------------------------------------


def _device_bodies(code: str) -> Iterator[_Span]:
    """The bodies of functions after __global__ or __device__."""
    done = 0
    for found in _DEVICE.finditer(code):
        head = re.compile(r"[^;{}=]*\)\s*(?:const\s*)?\{").match(code, found.end())
        if found.start() < done or head is None:
            continue
        done = _after_bracket(code, head.end() - 1)
        yield _Span(head.end(), done - 1)


def _blocks(code: str, body: _Span) -> Iterator[list[_Span]]:
    """The statements of the body, and of each block in it."""
    statements = list(_statements(code, body))
    yield statements
    for one in statements:
        at = one.begin
        while (at := code.find("{", at, one.end)) >= 0:
            end = _after_bracket(code, at)
            yield from _blocks(code, _Span(at + 1, end - 1))
            at = end


def _statements(code: str, body: _Span) -> Iterator[_Span]:
    at = body.begin
    while at < body.end:
        if code[at].isspace() or code[at] == "#":
            at = code.find("\n", at) + 1 if code[at] == "#" else at + 1
            continue
        end = min(_after_statement(code, at), body.end)
        yield _Span(at, end)
        at = end


def _after_statement(code: str, at: int) -> int:
    head = re.compile(r"(?:if(?:\s+constexpr)?|for|while)\s*(?=\()").match(code, at)
    if head:
        inner = _skip_space(code, _after_bracket(code, head.end()))
        end = _after_statement(code, inner)
        after = re.compile(r"\s*else\b\s*").match(code, end)
        return _after_statement(code, after.end()) if after else end
    while at < len(code):
        if code[at] == ";":
            return at + 1
        if code[at] in "([{":
            is_block = code[at] == "{"
            at = _after_bracket(code, at)
            if is_block and not re.compile(r"\s*[;,)(.]").match(code, at):
                return at
            continue
        if code[at] == "}":
            return at
        at += 1
    return at


def _skip_space(code: str, at: int) -> int:
    while at < len(code) and code[at].isspace():
        at += 1
    return at


def _after_bracket(code: str, at: int) -> int:
    depth = 0
    for index in range(at, len(code)):
        depth += (code[index] in "([{") - (code[index] in ")]}")
        if depth == 0:
            return index + 1
    return len(code)
