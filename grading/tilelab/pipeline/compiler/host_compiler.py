"""What g++ says of frequent errors in kernels, in other words or with advice.

clang++ says most of it well. Both suggest names themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# The message from here to its end, and what to say instead.
_BETTER = (
    (
        r"(?:assignment|increment|decrement) of read-only location .[*(]*(\w+).*",
        r"the values that '\1' points to are const, so they cannot change",
    ),
    (
        r"assignment of member '(?:\w+::)*(\w+)' in read-only object",
        r"the object is const, so its \1 cannot change",
    ),
    (
        r"storage size of .(\w+). isn.t constant",
        r"the size of '\1' is not a constant. Make it constexpr. In shared memory, you can "
        r"also declare '\1' as extern __shared__ and pass its size at the launch",
    ),
    (
        r"'const struct (?:uint3|dim3)' has no member named '(\w+)'",
        r"there is no .\1: threadIdx, blockIdx, blockDim and gridDim have .x, .y and .z",
    ),
    (
        r"no matching function for call to 'dim3::dim3\(.*",
        "these arguments make no dim3, which takes one to three whole numbers",
    ),
)

# Part of the message, and what usually helps.
_ADVICE = (
    (
        r"no matching function for call to .(cudaMalloc\w*)\([\w ]+\*&?,",
        r"Pass the pointer's address: \1(&pointer, bytes).",
    ),
    (r"these arguments make no dim3", r"Write dim3(x, y, z)."),
    (r"lvalue required as left operand", r"= stores a value, == compares two."),
    (
        r"operand types are .*'(?:const )?(?:uint3|dim3)'",
        r"A dim3 and an index have three numbers: add .x, .y or .z.",
    ),
)

# Part of the note, and what to add to the error.
_NOTED = (
    (r"note: .*did you forget to .(?P<it>#include <\w+>)", r"Add \g<it>."),
    (
        r"note: .*\bdeduce template parameter .(?P<it>\w+).",
        r"Its template parameter \g<it> needs a value: name<value>.",
    ),
    (r"note: old declaration .(?P<it>.*).$", r"It is declared as \g<it>."),
    (r"note: candidate: .(?!template)(?P<it>.*\)).$", r"It is declared as \g<it>."),
)

# Names of namespace std that programs use without it, and their headers.
_HEADERS = {
    **dict.fromkeys(("cout", "cerr", "endl"), "iostream"),
    **dict.fromkeys(("swap", "pair", "move"), "utility"),
    **dict.fromkeys(("sort", "fill", "copy", "min_element", "max_element"), "algorithm"),
    **dict.fromkeys(("accumulate", "iota"), "numeric"),
    **dict.fromkeys(("array", "span", "tuple", "vector"), ""),
    "numeric_limits": "limits",
}
_UNDECLARED = re.compile(r"error: .(\w+). was not declared in this scope$")


def better(message: str) -> str:
    """The message in other words, or as it is."""
    for pattern, words in _BETTER:
        if match := re.search(pattern, message):
            return message[: match.start()] + match.expand(words)
    return message


def advice(message: str, notes: Sequence[str]) -> str:
    """A sentence that helps with an error, empty if there is none."""
    for pattern, words in _ADVICE:
        if match := re.search(pattern, message):
            return match.expand(words)
    match = _UNDECLARED.search(message)
    if match and match[1] in _HEADERS:
        return f"Write std::{match[1]}, and #include <{_HEADERS[match[1]] or match[1]}>."
    return next(filter(None, map(_noted, notes)), "")


def _noted(note: str) -> str:
    for pattern, words in _NOTED:
        if match := re.search(pattern, note):
            return match.expand(words)
    return ""
