"""Checks the text of a submission: headers, forged line numbers, inline assembly.

The compile jail is what keeps files secret. This scan turns most refusals into a sentence with a
line number, and makes the rules the same for all backends.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

ALLOWED_HEADERS = frozenset(
    # CUDA
    "cuda_runtime.h device_launch_parameters.h vector_types.h vector_functions.h math_constants.h "
    # C++ without static constructors and without access to the system
    "cstdio cstdint cstddef cstring cstdlib cassert cmath climits cfloat limits algorithm array "
    "bit concepts functional initializer_list numeric span tuple type_traits utility vector "
    # C
    "stdio.h stdint.h stddef.h string.h stdlib.h assert.h math.h limits.h float.h".split()
)

_ADVICE = (
    (re.compile(r"iostream|ostream|istream|sstream|fstream|iomanip"), "use printf"),
    (re.compile(r"thrust|cub|cuda/|cooperative_groups|cudnn"), "write the kernel yourself"),
    (re.compile(r"chrono|ctime|time\.h|sys/time\.h"), "the tests measure time"),
)

_ASSEMBLY = frozenset(("asm", "__asm", "__asm__"))
_PROBES = frozenset(("__has_include", "__has_include_next", "__has_embed"))
# Checked here, because nvcc's own headers use exit() and the object check cannot tell who does.
_EXITS = frozenset(("exit", "_exit", "_Exit", "quick_exit"))

# The harness's own names, and the names of the hooks that compilers call in a checked build.
_RESERVED = re.compile(r"\w*tilelab|__(tsan|sanitizer|asan)_", re.IGNORECASE)

_SPLICE = re.compile(r"\\[ \t\f\v]*\n")
_RAW_START = re.compile(r'(?:u8|[uUL])?R"([^()\\\s"]{0,16})\(')
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<raw>(?:u8|[uUL])?R"[^()\\\s"]{0,16}\()
      | (?P<number>\.?\d(?:[eEpP][+-]|'?\w|\.)*)
      | (?P<name>[^\W\d]\w*)
      | (?P<literal>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
      | (?P<newline>\n)
      | (?P<hash>\#|%:)
      | (?P<space>[ \t\f\v]+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
# Possessive, because a row of comments could otherwise be split in exponentially many ways.
_HEADER = re.compile(r'(?:[ \t\f\v]|(?>/\*.*?\*/))*+(?:<([^>\n]*)>|"([^"\n]*)")', re.DOTALL)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int
    end: int  # offset in the spliced text where it ends


class _Spliced:
    """The text with continued lines joined. It maps each character to its original place."""

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []  # offset in the joined text at which each piece begins
        self._shifts: list[int] = []  # what to add to an offset in it to get the original one
        begin = length = 0
        for match in [*_SPLICE.finditer(text), None]:
            end = match.start() if match else len(text)
            self._starts.append(length)
            self._shifts.append(begin - length)
            pieces.append(text[begin:end])
            length += end - begin
            begin = match.end() if match else end
        self.original = text
        self.text = "".join(pieces)
        self._newlines = [match.start() for match in re.finditer("\n", text)]

    def origin(self, offset: int) -> int:
        return offset + self._shifts[bisect.bisect_right(self._starts, offset) - 1]

    def joined(self, origin: int) -> int:
        """The first offset of the joined text that comes from `origin` or later."""
        low, high = 0, len(self.text)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.origin(middle) < origin else (low, middle)
        return low

    def line(self, offset: int) -> int:
        return bisect.bisect_left(self._newlines, self.origin(offset)) + 1


def check(text: str, lab: str) -> list[str]:
    """Returns a sentence for each rule that the text breaks."""
    spliced = _Spliced(text)
    return list(dict.fromkeys(_problems(spliced, f"{lab}.h", f"{lab}.cu")))


def _problems(spliced: _Spliced, contract: str, name: str) -> Iterator[str]:
    line_is_blank = True
    directive: _Token | None = None  # the # whose name comes next
    for token in _tokens(spliced):
        where = f"{name}:{token.line}:"
        if token.kind in ("comment", "space"):
            continue
        if directive is not None:
            if token.kind == "number":
                yield f"{where} line markers (# {token.text}) are not allowed."
            elif token.kind == "name":
                yield from _directive(token, spliced.text, contract, where)
            directive = None
        if token.kind == "hash" and line_is_blank:
            directive = token
        if token.kind == "name" and token.text in _ASSEMBLY:
            yield f"{where} inline assembly is not allowed: write plain CUDA C++."
        if token.kind == "name" and token.text in _PROBES:
            yield f"{where} {token.text} is not allowed."
        if token.kind == "name" and _RESERVED.match(token.text):
            yield f"{where} the name {token.text} is reserved for the harness."
        if token.kind == "name" and token.text in _EXITS and _is_call(spliced.text, token):
            yield f"{where} {token.text}() is not allowed: return from the function instead."
        line_is_blank = token.kind == "newline"


def _is_call(text: str, token: _Token) -> bool:
    return text[token.end :].lstrip().startswith("(")


def _directive(token: _Token, text: str, contract: str, where: str) -> Iterator[str]:
    if token.text in ("line", "embed", "include_next", "import"):
        yield f"{where} #{token.text} is not allowed."
    if token.text != "include":
        return
    match = _HEADER.match(text, token.end)
    if match is None:
        yield f'{where} #include needs a header\'s name, as in #include "{contract}".'
        return
    header = match[1] or match[2] or ""
    if header in ALLOWED_HEADERS or header == contract:
        return
    yield f"{where} including {header} is not allowed: {_advice(header, contract)}."


def _advice(header: str, contract: str) -> str:
    for pattern, advice in _ADVICE:
        if pattern.match(header):
            return advice
    return (
        f'a submission may include "{contract}", cuda_runtime.h and plain headers such as '
        "<cstdio>, <cmath>, <algorithm> and <vector>"
    )


def _tokens(spliced: _Spliced) -> Iterator[_Token]:
    text, offset = spliced.text, 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        assert match is not None and match.lastgroup is not None
        end = match.end()
        if match.lastgroup == "raw":
            end = _end_of_raw_string(spliced, match)
        yield _Token(match.lastgroup, match[0], spliced.line(offset), end)
        offset = end


def _end_of_raw_string(spliced: _Spliced, start: re.Match[str]) -> int:
    # In a raw string a backslash before a newline does not join lines. So this looks for its end in
    # the original text. Otherwise code could hide from this scan in a fake string.
    parts = _RAW_START.fullmatch(start[0])
    assert parts is not None
    close = f'){parts[1]}"'
    begin = spliced.origin(start.end() - 1) + 1
    found = spliced.original.find(close, begin)
    if found < 0:
        return len(spliced.text)
    return spliced.joined(found + len(close))
