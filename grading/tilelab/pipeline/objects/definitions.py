"""What a compiled submission may define: no function of a library, no section of its own.

A function that has the name of a hook or of a library's function would be called in its place, at
least by the submission itself, and the observer would not see what it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilelab.backends.base import SymbolRules
from tilelab.pipeline.objects import elf, symbols

# Symbols that compilers define themselves.
_COMPILERS = re.compile(r"__clang_call_terminate|_sub_I_\w+|.*\..*|.*\$.*|fatbinData")
# Parts of the standard library that its headers define, in a group that may be merged.
_FROM_HEADERS = re.compile(r"_ZT\w+|_ZN?K?St(?!\d+__throw|9terminatev)\w+|_ZGV\w+")
_OPERATORS = re.compile(r"_Z(n[wa]|d[la])\w+")
_PROGRAM = re.compile(r"_(init|fini|start|end|edata|etext)|__\w+")

_SECTIONS = re.compile(
    r"|\.(text|data|bss|rodata|tbss|tdata|eh_frame|gcc_except_table|debug|comment|note|group|rela?"
    r"|symtab|strtab|shstrtab|symtab_shndx|llvm|gnu|nvFatBinSegment|nv_fatbin|preinit_array"
    r"|init_array|fini_array|ctors|dtors|init|fini)([._].*)?|\.rela?\w.*"
    # What the emulator's builds and nvcc add
    r"|tilelab_(clusters|constant|kernels|shared|variables|data|bss)|__nv_\w+"
)


def replaced(compiled: elf.Object, rules: SymbolRules, *, checked: bool) -> Iterator[str]:
    """The names of libraries and of the harness that the object defines."""
    for symbol in compiled.symbols:
        if symbol.undefined or symbol.type in ("section", "file") or not symbol.name:
            continue
        if _is_taken(symbol, rules, checked):
            yield symbol.name


def _is_taken(symbol: elf.Symbol, rules: SymbolRules, checked: bool) -> bool:
    name = symbol.name
    if _COMPILERS.fullmatch(name) or (symbol.binding != "global" and _FROM_HEADERS.fullmatch(name)):
        return False
    if any(re.fullmatch(kept.replace("*", ".*"), name) for kept in rules.kept):
        return False
    # nvcc's code defines static functions of these names.
    if symbol.binding == "local" and re.match(r"__(cuda|nv)", name):
        return False
    is_known = symbols.is_allowed(name, rules, checked=checked)
    return is_known or bool(_OPERATORS.fullmatch(name) or _PROGRAM.fullmatch(name))


def foreign_sections(compiled: elf.Object) -> Iterator[str]:
    """Sections that no compiler makes by itself, and data that could be executed."""
    for section in compiled.sections:
        is_text = section.name == ".text" or section.name.startswith(".text.")
        is_startup = section.name in (".init", ".fini")  # which has a sentence of its own
        can_run = section.is_executable and not (is_text or is_startup)
        can_change = is_text and section.is_writable
        is_unknown = section.size > 0 and not _SECTIONS.fullmatch(section.name)
        if can_run or can_change or is_unknown:
            yield section.name
