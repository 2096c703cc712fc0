"""Checks a compiled submission before it is linked: what it defines, needs and would start."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilelab.backends.base import SymbolRules
from tilelab.base.errors import InfraError, Rejected
from tilelab.base.text import nearest, printable, shorten
from tilelab.pipeline.objects import definitions, elf, symbols
from tilelab.pipeline.objects.demangle import demangle

_MOST_NAMES = 10  # that messages name
_MOST_SIMILAR = 100  # that are looked at

# Code that the dynamic loader runs without being called.
_STARTUP = re.compile(r"\.(preinit_array|init_array|fini_array|ctors|dtors|init|fini)(\..*)?")


def wanted_entries(dispatch: Path) -> list[str]:
    """The functions of the contract, which the lab's dispatch object needs.

    Raises InfraError if it needs none, because then nothing would be tested.
    """
    try:
        found = elf.read(dispatch).symbols
    except (OSError, ValueError) as error:
        raise InfraError(f"{dispatch} cannot be read: {error}.") from error
    names = sorted({s.name for s in found if s.undefined and re.match(r"_Z\d", s.name)})
    if not names:
        raise InfraError(f"{dispatch} does not use any function of the contract.")
    return names


def check(
    path: Path,
    entries: list[str],
    source_name: str,
    rules: SymbolRules,
    *,
    checked: bool = False,
    text: str = "",
) -> None:
    """Raises Rejected with a sentence for each rule that the object, made of `text`, breaks."""
    try:
        compiled = elf.read(path)
    except elf.TooLarge as error:
        raise Rejected(f"{source_name} becomes an object file with {error}.") from error
    except ValueError as error:
        raise InfraError(f"the compiler's object file cannot be read: {error}.") from error
    work = path.parent
    problems = [
        *_missing(compiled, entries, source_name, work),
        *_own_main(compiled, source_name),
        *_forbidden(compiled, source_name, rules, checked, work, text),
        *_replaced(compiled, source_name, rules, checked, work),
        *_startup_code(compiled, source_name, rules),
        *_sections(compiled, source_name),
    ]
    if problems:
        raise Rejected(*problems)


def _missing(compiled: elf.Object, entries: list[str], source: str, work: Path) -> Iterator[str]:
    functions = [s for s in compiled.symbols if s.type == "func" and not s.undefined]
    defined = {s.name for s in functions if s.binding == "global"}
    missing = [entry for entry in entries if entry not in defined]
    if not missing:
        return
    wanted = demangle(missing, work)
    names = {expected.partition("(")[0] for expected in wanted}
    # Only names that have the function's own name in them, because demangling takes time.
    similar = [s for s in functions if any(name in s.name for name in names)][:_MOST_SIMILAR]
    candidates = list(zip(similar, demangle((s.name for s in similar), work), strict=True))
    for expected in wanted:
        name = expected.partition("(")[0]
        near = [
            text + ("" if s.binding == "global" else f" ({_why_hidden(s)})")
            for s, text in candidates
            if re.search(rf"(^|::){re.escape(name)}(\(|$)", text)
        ]
        if near:
            yield f"{source} defines {', '.join(near[:3])}, but the tests call {expected}."
        elif other := nearest(expected, _own_functions(functions, work)):
            yield f"{source} does not define {expected}, but {other}."
        else:
            yield f"{source} does not define {expected}."


def _own_functions(functions: Sequence[elf.Symbol], work: Path) -> list[str]:
    """The first functions that other files can call, with their parameters."""
    names = [one.name for one in functions if one.binding == "global"]
    return list(demangle(names[:_MOST_SIMILAR], work))


def _why_hidden(symbol: elf.Symbol) -> str:
    return "static" if symbol.binding == "local" else "inline or a template"


def _own_main(compiled: elf.Object, source: str) -> Iterator[str]:
    if any(s.name == "main" and not s.undefined for s in compiled.symbols):
        yield f"{source} defines main: remove it, because the tests call the lab's functions."


def _forbidden(
    compiled: elf.Object, source: str, rules: SymbolRules, checked: bool, work: Path, written: str
) -> Iterator[str]:
    names = sorted({s.name for s in compiled.symbols if s.undefined and s.name})
    refused = [name for name in names if not symbols.is_allowed(name, rules, checked=checked)]
    shown = refused[:_MOST_NAMES]
    for name, text in zip(shown, demangle(shown, work), strict=True):
        if re.match(r"_Z\d", name):
            yield f"{source} declares {text} and uses it, but does not define it."
        elif _is_shared(name, written):
            # nvcc gives kernels such an array. To the host it is a name that nobody defines.
            yield f"{source}: host code uses `{text}`, which is shared memory: only kernels can."
        else:
            yield f"{source} uses `{text}`, which is not allowed{symbols.advice(name)}."
    if len(refused) > len(shown):
        yield f"{len(refused) - len(shown)} more names are undefined or not allowed."


def _is_shared(name: str, written: str) -> bool:
    declared = rf"\b__shared__\b[^;{{}}]*\b{re.escape(name)}\b"
    return re.search(declared, written) is not None


def _replaced(
    compiled: elf.Object, source: str, rules: SymbolRules, checked: bool, work: Path
) -> Iterator[str]:
    found = definitions.replaced(compiled, rules, checked=checked)
    taken = sorted({rules.redirected.get(name, name) for name in found})[:_MOST_NAMES]
    for text in demangle(taken, work):
        yield f"{source} defines `{text}`, which a library has already: choose another name."


def _sections(compiled: elf.Object, source: str) -> Iterator[str]:
    for name in sorted(set(definitions.foreign_sections(compiled)))[:_MOST_NAMES]:
        shown = shorten(printable(name), 60)
        yield f"{source} has a section of its own ({shown}): leave out what puts it there."


def _startup_code(compiled: elf.Object, source: str, rules: SymbolRules) -> Iterator[str]:
    filled = {s.name for s in compiled.sections if s.size and _STARTUP.fullmatch(s.name)}
    relocations = [r for r in compiled.relocations if r.section in filled]
    own = [r for r in relocations if not rules.startup & _targets(compiled, r)]
    if own or filled - {r.section for r in relocations}:
        yield (
            f"{source} has code that runs before the tests, from a global object with a "
            "constructor or from a constructor attribute. Create such objects inside functions."
        )
    if any(s.type == "ifunc" for s in compiled.symbols):
        yield f"{source} defines an indirect function (ifunc), which is not allowed."


def _targets(compiled: elf.Object, relocation: elf.Relocation) -> set[str]:
    """The functions at the address that a relocation of startup code points to."""
    symbol = relocation.symbol
    if symbol.type != "section":
        return {symbol.name}
    return {
        s.name
        for s in compiled.symbols
        if s.type == "func" and s.section == symbol.section and s.value == relocation.addend
    }
