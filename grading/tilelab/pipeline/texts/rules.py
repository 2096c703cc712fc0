"""Checks the text of a submission: headers, forged line numbers, names that are not allowed.

The compile jail is what keeps files secret. This scan turns most refusals into a sentence with a
line number, and makes the rules the same for all backends. It sees the text before preprocessing;
preprocess.py applies the same rules to what the preprocessor makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilelab.base.text import nearest
from tilelab.pipeline.records.stages import Token, Tokens
from tilelab.pipeline.texts import language

# C++ without static constructors and without access to the system, which CUDA has for kernels, too
_IN_CUDA_STD = (
    "cstdint cstddef cstring cstdlib cassert cmath climits cfloat limits array bit concepts "
    "functional initializer_list iterator numeric optional span tuple type_traits utility"
).split()

ALLOWED_HEADERS = frozenset(
    # CUDA
    "cuda_runtime.h cuda_runtime_api.h driver_types.h device_functions.h "
    "device_launch_parameters.h vector_types.h vector_functions.h math_constants.h "
    "cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h "
    "cooperative_groups/memcpy_async.h cuda/atomic cuda/barrier cuda/cmath cuda/pipeline cuda/ptx "
    "cuda/std/atomic cuda_pipeline.h cuda_pipeline_primitives.h cuda_awbarrier_primitives.h "
    # C++ for host code alone
    "algorithm compare cstdio exception iomanip iostream memory numbers ostream stdexcept "
    "string string_view vector "
    # C
    "stdio.h stdint.h stddef.h string.h stdlib.h assert.h math.h limits.h float.h".split()
).union(_IN_CUDA_STD, (f"cuda/std/{header}" for header in _IN_CUDA_STD))

_ADVICE = (
    (re.compile(r"istream|sstream|fstream"), "print with printf() or std::cout"),
    (re.compile(r"thrust|cub|cuda/|cudnn"), "write the kernel yourself"),
    (re.compile(r"chrono|ctime|time\.h|sys/time\.h"), "the tests measure time"),
)

_DIRECTIVES = frozenset("line embed include_next import ident sccs assert unassert".split())
# Possessive, because a row of comments could otherwise be split in exponentially many ways.
_HEADER = re.compile(r'(?:[ \t\f\v]|(?>/\*.*?\*/))*+(?:<([^>\n]*)>|"([^"\n]*)")', re.DOTALL)


def check(tokens: Tokens, lab: str) -> list[str]:
    """Returns a sentence for each rule that the text breaks."""
    found = [*_check_directives(tokens, f"{lab}.h"), *language.check(tokens)]
    sentences = [f"{lab}.cu:{line}: {sentence}." for line, sentence in sorted(found)]
    return list(dict.fromkeys(sentences))


def headers(tokens: Tokens, contract: str) -> tuple[str, ...]:
    """The headers that a text includes, except its lab's contract."""
    names = (directive.name for directive in tokens.directives)
    included = (_header(name, tokens.text) for name in names if name and name.text == "include")
    return tuple(sorted({header for header in included if header} - {contract}))


def _check_directives(tokens: Tokens, contract: str) -> Iterator[tuple[int, str]]:
    for directive in tokens.directives:
        name = directive.name
        if name is None:
            continue
        if name.kind == "number":
            yield name.line, f"line markers (# {name.text}) are not allowed"
        elif name.text in _DIRECTIVES:
            yield name.line, f"#{name.text} is not allowed"
        elif name.text == "include":
            yield from _check_include(name, tokens.text, contract)


def _check_include(name: Token, text: str, contract: str) -> Iterator[tuple[int, str]]:
    header = _header(name, text)
    if header is None:
        yield name.line, f'#include needs a header\'s name, as in #include "{contract}"'
    elif header not in ALLOWED_HEADERS and header != contract:
        yield name.line, f"including {header} is not allowed: {_advice(header, contract)}"


def _header(name: Token, text: str) -> str | None:
    match = _HEADER.match(text, name.end)
    return (match[1] or match[2] or "") if match else None


def _advice(header: str, contract: str) -> str:
    if near := nearest(header, (contract, "cuda_runtime.h")):
        return f"the nearest header that is allowed is {near}"
    for pattern, advice in _ADVICE:
        if pattern.match(header):
            return advice
    return (
        f'a submission may include "{contract}", cuda_runtime.h, the headers of cooperative '
        "groups, barriers and pipelines, and plain ones such as <cstdio>, <cmath> and <vector>"
    )
