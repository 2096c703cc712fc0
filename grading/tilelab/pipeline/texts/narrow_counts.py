"""Whether a text may count or index in a narrow type.

A float has no odd numbers beyond 2^24, and 16 bits count no more than 2^16 blocks, which have as
many threads. That shows only in calls with this many elements, which take seconds. Most texts never
turn an integer into a float, and have no integer of 16 bits.
"""

from __future__ import annotations

import itertools
import re

from tilelab.pipeline.records.stages import Tokens

_POSITIONS = r"(?:threadIdx|blockIdx|blockDim|gridDim)"
_INTEGERS = r"(?:int|unsigned|long|size_t|(?:std :: )?u?int\d+_t)"

# Of tokens with a space in between: casts, functions, counters of loops, and positions.
_CONVERSIONS = re.compile(
    r"\( float \)(?! [;,){])"
    r"|\bstatic_cast < float >"
    r"|(?<!\w )\bfloat [({](?! [*&])"
    r"|\b__u?(?:int|ll)2float_\w+"
    r"|\bfor \( float\b"
    rf"|\bfloat \w+ = [^;\[]*\b{_POSITIONS}\b"
)
_SHORT = re.compile(r"\b(?:short|ushort|u?int16_t)\b")
_WIDTH = r"[\w +*/<-]+"
_BIT_FIELD = re.compile(
    rf"\b(?!(?:case|class|struct|enum) )\w+ \w+ : (?:\( {_WIDTH} \)|{_WIDTH}) [;,={{]"
)
_VARIABLE = re.compile(r"\bfloat (\w+) [=;,{]")


def may_count(tokens: Tokens) -> bool:
    """Whether it turns an integer into a float, or one back, or has integers of few bits."""
    pieces = [tokens.code, *(directive.rest for directive in tokens.directives)]
    text = " ".join(token.text for token in itertools.chain.from_iterable(pieces))
    if any(one.search(text) for one in (_CONVERSIONS, _SHORT, _BIT_FIELD)):
        return True
    names = "|".join({match[1] for match in _VARIABLE.finditer(text)})
    back = rf"(?:\( {_INTEGERS} \) |< {_INTEGERS} > \( )\(? ?(?:{names})\b"
    return bool(names) and re.search(back, text) is not None
