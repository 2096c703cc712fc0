"""Which pipe of a multiprocessor executes an instruction.

Names and contents are those of "Pipelines" in the Nsight Compute documentation. An operation that
it does not mention is "other", because a guess would look like a fact.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_PIPES = {
    "FMA": r"FFMA|FADD|FMUL|IMAD|IMUL|IDP",
    "FP16": r"HFMA2|HADD2|HMUL2",
    "FP64": r"DFMA|DADD|DMUL|DSETP|DMNMX",
    "Tensor": r"HMMA|IMMA|DMMA|BMMA|QMMA|\w?GMMA|OMMA|UTC\w+",
    "XU": r"MUFU|F2I|I2F|F2F|FRND",
    "LSU": r"LDG?|LDL|LDS|LDSM|LDGSTS|STG?|STL|STS|STSM|ATOM[GS]?|RED|SHFL|S2R|SYNCS|ARRIVES",
    "ADU": r"LDC|BAR",
    "TEX": r"TEX|TLD|TLD4|TXD|TXQ|SULD|SUST|SUATOM|SURED",
    "CBU": r"BRA|BRX|BSSY|BSYNC|BREAK|CALL|RET|EXIT|WARPSYNC|YIELD",
    "Uniform": r"U[A-Z]\w+|R2UR|S2UR",
    "ALU": (
        r"FMNMX3?|FSEL|FSETP?|FCHK|F2FP|IADD3?|IADD_64|ISETP|IMNMX|VIMNMX3?|VIADD\w*|IABS|LEA"
        r"|LOP3?|PLOP3|SHF|SHL|SHR|PRMT|SEL|MOV|P2R|R2P|SGXT|BMSK|PSETP"
    ),
}


def pipe(operation: str) -> str:
    """The pipe that executes an operation such as FFMA, or "other"."""
    found = (name for name, operations in _PIPES.items() if re.fullmatch(operations, operation))
    return next(found, "other")


def by_pipe(operations: Iterable[str]) -> Counter[str]:
    """How many of the operations each pipe executes."""
    return Counter(map(pipe, operations))
