"""Expressions that ask what the compiler knows of CUDA's names, instead of using them.

The emulator lacks some of CUDA's functions, and its own have other signatures. In `requires` and
the like that is no error but an answer, with which a program could tell compilers apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tilelab.pipeline.records.stages import Token
from tilelab.pipeline.texts import names

_FUNCTION = re.compile(r"__[a-z]\w*[a-zA-Z0-9]|cuda[A-Z]\w*")
_LANGUAGE = re.compile(r"__(restrict|inline|volatile|const|attribute|alignof|u?int128(_t)?|func)")
_VARIABLE = re.compile(r"(thread|block)Idx|(block|grid)Dim|warpSize")
_TYPE = re.compile(r"(make_)?(u?(char|short|int|long|longlong)|float|double)[1-4]|dim3")


def check(code: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Yields the line and a sentence for each name of CUDA that is asked about."""
    end = 0
    for i, token in enumerate(code):
        if token.text in ("requires", "decltype", "noexcept") and i >= end:
            end = _end_of_operand(code, i)
            strict = token.text == "requires"
            asked = next((t for t in code[i:end] if _is_asked(t, strict)), None)
            if asked:
                yield asked.line, f"{token.text} must not ask for {asked.text}: use it instead"
        elif _is_intrinsic(token) and token.text.startswith("__") and not _is(code, i + 1, "("):
            yield token.line, f"{token.text} can only be called, as in {token.text}(...)"


def _end_of_operand(code: Sequence[Token], i: int) -> int:
    """The end of the brackets behind `decltype` and the like."""
    end = _end_of_brackets(code, i + 1, "(", ")")
    # `requires (...)` behind the parameters of a function is a condition. Its body follows.
    is_condition = i > 0 and code[i - 1].text == ")" and end > i + 1
    if code[i].text != "requires" or is_condition:
        return end
    return _end_of_brackets(code, end, "{", "}")


def _end_of_brackets(code: Sequence[Token], i: int, opening: str, closing: str) -> int:
    if not _is(code, i, opening):
        return i
    depth = 0
    for end in range(i, len(code)):
        depth += (code[end].text == opening) - (code[end].text == closing)
        if depth == 0:
            return end + 1
    return len(code)


def _is(code: Sequence[Token], i: int, text: str) -> bool:
    return i < len(code) and code[i].text == text


def _is_asked(token: Token, is_requires: bool) -> bool:
    if _is_intrinsic(token):
        return True
    return is_requires and bool(_VARIABLE.fullmatch(token.text) or _TYPE.fullmatch(token.text))


def _is_intrinsic(token: Token) -> bool:
    is_known = re.match("cuda[A-Z]", token.text) is not None or names.is_known(token.text)
    return (
        is_known and bool(_FUNCTION.fullmatch(token.text)) and not _LANGUAGE.fullmatch(token.text)
    )
