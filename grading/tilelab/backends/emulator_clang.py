"""The emulator compiled by clang++, to make sure that no result depends on the compiler."""

from __future__ import annotations

from collections.abc import Iterator

from tilelab.backends.base import Backend, Part, SymbolRules
from tilelab.backends.emulator import symbol_rules
from tilelab.base import system


class EmulatorClang(Backend):
    preset = "emulator-clang"
    is_default = False
    has_checked_build = True

    def symbols(self) -> SymbolRules:
        return symbol_rules()

    def missing_tool(self) -> str | None:
        return None if system.version("clang++") else "clang++: install clang"

    def parts(self) -> Iterator[Part]:
        yield Part("clang++", system.version("clang++"), "the labs are tested with g++ only")
