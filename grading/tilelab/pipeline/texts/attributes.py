"""The attributes and pragmas that a submission may use.

An attribute can take a function out of the observer's view, move it to a section of its own or have
it compiled in another way. So only those are allowed that kernels need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilelab.pipeline.records.stages import Token

_STANDARD = frozenset(
    "nodiscard maybe_unused likely unlikely fallthrough deprecated noreturn no_unique_address "
    "assume".split()
)
_COMPILERS = frozenset(
    "aligned always_inline noinline unused maybe_unused may_alias packed deprecated noreturn "
    "fallthrough hot cold warn_unused_result unroll nounroll".split()
)
_ADVICE = "CUDA's words, such as __launch_bounds__ and __forceinline__, are"

_PRAGMAS = (
    "unroll nounroll once pack region endregion warning message omp nv_diag_suppress "
    "nv_diag_warning nv_diag_default nv_diag_error nv_diag_once nv_diagnostic diag_suppress "
    "diag_warning diag_default diag_error diag_once mark"
).split()
_PRAGMAS_OF = {"GCC": ("unroll", "diagnostic"), "clang": ("diagnostic",)}


def check_attributes(code: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Yields the line and a sentence for each attribute that is not allowed."""
    i = 0
    while i < len(code):
        token = code[i]
        content: list[Token] = []
        if token.text == "[" and _is(code, i + 1, "["):
            content = _between(code, i + 1, "[", "]")
            yield from _check_items(content, is_standard=True)
        elif token.text in ("__attribute__", "__attribute"):
            content = _between(code, i + 2, "(", ")")
            yield from _check_items(content, is_standard=False)
        i += len(content) + 1  # past its tokens, so that each is read once


def check_pragma(rest: Sequence[Token]) -> str | None:
    """A sentence if the tokens after #pragma are not allowed."""
    first = rest[0].text if rest else ""
    second = rest[1].text if len(rest) > 1 else ""
    if not rest or first in _PRAGMAS or second in _PRAGMAS_OF.get(first, ()):
        return None
    shown = f"{first} {second}" if first in ("GCC", "clang", "STDC") else first
    return f"#pragma {shown} is not allowed: kernels need only #pragma unroll and #pragma nounroll"


def _is(code: Sequence[Token], i: int, text: str) -> bool:
    return i < len(code) and code[i].text == text


def _between(code: Sequence[Token], opening: int, left: str, right: str) -> list[Token]:
    """The tokens between the bracket at `opening` and the one that closes it."""
    depth = 0
    for i in range(opening, len(code)):
        depth += (code[i].text == left) - (code[i].text == right)
        if depth == 0:
            return list(code[opening + 1 : i])
    return list(code[opening + 1 :])


def _check_items(content: list[Token], *, is_standard: bool) -> Iterator[tuple[int, str]]:
    for item in _items(content):
        names = [token for token in item if token.kind == "name"]
        if not names:
            continue
        has_using = item[0].text == "using"
        has_scope = has_using or _is(item, 1, "::")
        at = min(len(names) - 1, has_scope + has_using)
        name = names[at].text
        name = name.strip("_") if name.startswith("__") else name
        known = _COMPILERS if has_scope or not is_standard else _STANDARD
        if has_using or name not in known:
            yield item[0].line, f"the attribute {name} is not allowed: {_ADVICE}"


def _items(content: list[Token]) -> Iterator[list[Token]]:
    """The parts between the commas that are not in brackets."""
    depth = 0
    item: list[Token] = []
    for token in content:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            yield item
            item = []
        else:
            item.append(token)
    if item:
        yield item
