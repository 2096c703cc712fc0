"""The whole numbers in a text at which a submission may change what it does.

They are the values of its literals, and of what is computed of literals and of the names of other
constants: 1 << 20, 400 * 400, 4 * limit, INT_MAX / 1024. A shift to the right drops what is below a
power of two, as n >> 11 does below 2048.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterator, Sequence

from tilelab.pipeline.records.stages import Token, Tokens
from tilelab.pipeline.texts import limits

_LARGEST = (1 << 31) - 1
# The judge calls at few of them, whichever there are. This many fit into an argument of a program.
_MOST = 8192
_LONGEST = 40  # tokens of an expression

_INTEGER = re.compile(r"(0x[\da-f]+|0b[01]+|0[0-7]*|[1-9]\d*)[ulz]*", re.IGNORECASE)
_FRACTION = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[fl]?", re.IGNORECASE)
_CLOSING = {"(": ")", "{": "}"}
_DECLARES = frozenset(("const", "constexpr", "constinit", "enum"))

_POSITIONS = frozenset(("blockIdx", "gridDim"))
_STATEMENT_ENDS = frozenset((";", "{", "}"))
# What ends an operand of a comparison, to the left and to the right.
_ENDS = _STATEMENT_ENDS | {"&", "|", "?", ":", ",", "if", "while", "for", "return"}

_NAMESPACES = frozenset("std cuda".split())

_Number = int | float
# The tokens of an operator, the loosest first.
_OPERATORS: Sequence[dict[tuple[str, ...], Callable[[_Number, _Number], _Number]]] = (
    {("<", "<"): lambda a, b: a * 2 ** min(b, 64), (">", ">"): lambda a, b: a // 2 ** min(b, 64)},
    {("+",): operator.add, ("-",): operator.sub},
    {("*",): operator.mul, ("/",): operator.floordiv, ("%",): operator.mod},
)
# Of 32 bits, whatever the type.
_SIGNS: dict[str, Callable[[_Number], _Number]] = {"-": operator.neg, "~": lambda a: 2**32 - 1 - a}


def of(tokens: Tokens) -> list[int]:
    """The constants from 1 to the largest int, in order, without their fractions."""
    code = [token.text for token in tokens.code]
    macros = _macros(tokens)
    expressions = _known_in(code, macros)
    found = {
        int(value)
        for text in (code, *([token.text for token in macro] for macro in macros))
        for at in range(len(text))
        for value in (*expressions.values(text[at : at + _LONGEST]), *_least_shifted(text, at))
        if 1 <= value <= _LARGEST
    }
    return _some(found)


def of_blocks(tokens: Tokens) -> list[int]:
    """Those that are compared with the number of a block or with how many there are, in order."""
    code = [token.text for token in tokens.code]
    expressions = _known_in(code, _macros(tokens))
    names = _POSITIONS | _made_of_positions(code)
    found: set[int] = set()
    for at, length in _comparisons(code):
        left = _until(_ENDS, _before(code, at))
        right = _until(_ENDS, code[at + length : at + length + _LONGEST])
        if names.intersection(left):
            found.update(map(int, expressions.values(right)))
        if left and names.intersection(right):
            found.update(map(int, expressions.values(left[:1])))
    return _some({one for one in found if 1 <= one <= _LARGEST})


def _some(found: set[int]) -> list[int]:
    """All of them in order, or of very many the largest, and others at equal distances."""
    step = -(-len(found) // _MOST) or 1
    return sorted(found, reverse=True)[::step][::-1]


def _macros(tokens: Tokens) -> list[Sequence[Token]]:
    """The name and the text of each macro."""
    return [d.rest for d in tokens.directives if d.name and d.name.text == "define" and d.rest]


def _known_in(code: Sequence[str], macros: Sequence[Sequence[Token]]) -> _Expressions:
    expressions = _Expressions()
    for macro in macros:
        if not _has_parameters(macro):
            expressions.define(macro[0].text, [token.text for token in macro[1:]])
    expressions.define_all(code)
    return expressions


def _made_of_positions(code: Sequence[str]) -> set[str]:
    """The variables that are initialized with a block's number: const int b = blockIdx.x."""
    found = set()
    for at, text in enumerate(code):
        if text in _POSITIONS:
            before = _until(_STATEMENT_ENDS, _before(code, at))
            name = before.index("=") + 1 if "=" in before else len(before)
            found.update(before[name : name + 1])
    return found


def _before(code: Sequence[str], at: int) -> Sequence[str]:
    """What may be an expression before a token, from there to the left."""
    return code[max(at - _LONGEST, 0) : at][::-1]


def _until(ends: frozenset[str], texts: Sequence[str]) -> list[str]:
    return list(itertools.takewhile(lambda text: text not in ends, texts))


def _comparisons(code: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the operators of comparisons begin, and how many tokens they have."""
    for at in range(1, len(code) - 1):
        before, text, after = code[at - 1 : at + 2]
        if text in "=!" and after == "=" and before not in "=!<>":
            yield at, 2
        elif text in "<>" and text not in (before, after):
            yield at, 2 if after == "=" else 1


def _has_parameters(macro: Sequence[Token]) -> bool:
    """Whether a parenthesis follows the name at once."""
    return len(macro) > 1 and macro[1].text == "(" and macro[1].end == macro[0].end + 1


def _least_shifted(code: Sequence[str], at: int) -> Iterator[_Number]:
    """The least number of which the shift to the right by the literal at this place leaves any."""
    is_shift = at >= 2 and code[at - 2] == code[at - 1] == ">"
    bits = _literal(code[at]) if is_shift else None
    if bits is not None and bits < _LARGEST.bit_length():
        yield 2**bits


class _Expressions:
    """Evaluates what is computed of literals and known names."""

    def __init__(self) -> None:
        self._known: dict[str, _Number] = {}

    def define(self, name: str, value: Sequence[str]) -> None:
        if found := self._value(value[:_LONGEST], 0, 0):
            self._known.setdefault(name, found[0])

    def define_all(self, code: Sequence[str]) -> None:
        """Learns the constants that are declared, each after those that it is computed of."""
        is_constant = False
        for at, text in enumerate(code):
            is_constant = text != ";" and (is_constant or text in _DECLARES)
            if is_constant and code[at + 1 : at + 2] in (["="], ["{"]):
                self.define(text, code[at + 2 : at + 2 + _LONGEST])

    def values(self, code: Sequence[str]) -> Iterator[_Number]:
        """The values of the expressions that begin with the first token: 2, 2 * 3, 2 * 3 + 4."""
        for level in range(len(_OPERATORS), -1, -1):
            found = self._value(code, 0, level)
            if found is None:
                return
            yield found[0]

    def _value(self, code: Sequence[str], at: int, level: int) -> tuple[_Number, int] | None:
        """The value of an expression of such operators and tighter ones, and where it ends."""
        if level == len(_OPERATORS):
            return self._operand(code, at)
        left = self._value(code, at, level + 1)
        while left:
            found = _operator(code, left[1], level)
            right = self._value(code, found[1], level + 1) if found else None
            value = _computed(found[0], left[0], right[0]) if found and right else None
            if value is None or right is None:
                break
            left = value, right[1]
        return left

    def _operand(self, code: Sequence[str], at: int) -> tuple[_Number, int] | None:
        text = code[at] if at < len(code) else ""
        if text in _CLOSING:
            inner = self._value(code, at + 1, 0)
            closes = inner and code[inner[1] : inner[1] + 1] == [_CLOSING[text]]
            return (inner[0], inner[1] + 1) if inner and closes else None
        if code[at + 1 : at + 2] == ["::"] and text in _NAMESPACES:
            return self._operand(code, at + 2)
        if text in _SIGNS:
            inner = self._operand(code, at + 1)
            return (_SIGNS[text](inner[0]), inner[1]) if inner else None
        value = self._known.get(text, limits.NAMES.get(text, _literal(text)))
        return limits.of_type(code, at) if value is None else (value, at + 1)


def _operator(
    code: Sequence[str], at: int, level: int
) -> tuple[Callable[[_Number, _Number], _Number], int] | None:
    for texts, function in _OPERATORS[level].items():
        if tuple(code[at : at + len(texts)]) == texts:
            return function, at + len(texts)
    return None


def _computed(
    function: Callable[[_Number, _Number], _Number], left: _Number, right: _Number
) -> _Number | None:
    try:
        value = function(left, right)
    except (ZeroDivisionError, OverflowError):
        return None
    return value if abs(value) < 1 << 64 else None


def _literal(text: str) -> _Number | None:
    digits = text.replace("'", "")
    if whole := _INTEGER.fullmatch(digits):
        is_octal = whole[1].isdecimal() and whole[1].startswith("0")
        return int(whole[1], 8 if is_octal else 0)
    fraction = _FRACTION.fullmatch(digits)
    return float(fraction[1]) if fraction else None
