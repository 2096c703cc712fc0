"""Checks the tokens of a text: names, attributes, pragmas, and what its macros are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilelab.pipeline.records.stages import Directive, Token, Tokens
from tilelab.pipeline.texts import attributes, names, probes

CONDITIONS = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"))
_DEFINITIONS = frozenset(("define", "undef"))
_FREE_TEXT = frozenset(("error", "warning", "include"))


def check(tokens: Tokens) -> Iterator[tuple[int, str]]:
    """Yields the line and a sentence for each token that is not allowed."""
    own = frozenset(_own_names(tokens))
    yield from _check_code(tokens.code, own)
    yield from probes.check(tokens.code)
    for directive in tokens.directives:
        yield from _check_directive(directive, own)


def _own_names(tokens: Tokens) -> Iterator[str]:
    yield from names.declared(tokens.code)
    for directive in tokens.directives:
        if directive.name and directive.name.text == "define" and directive.rest:
            yield directive.rest[0].text
            yield from names.declared(directive.rest[1:])


def _check_code(code: Sequence[Token], own: frozenset[str]) -> Iterator[tuple[int, str]]:
    for i, token in enumerate(code):
        if token.kind != "name":
            continue
        if problem := names.explain(token.text, own):
            yield token.line, problem
        if names.is_exit(token.text) and i + 1 < len(code) and code[i + 1].text == "(":
            yield (
                token.line,
                f"{token.text}() is not allowed: return from the function instead",
            )
    yield from attributes.check_attributes(code)


def _check_directive(directive: Directive, own: frozenset[str]) -> Iterator[tuple[int, str]]:
    name, rest = directive.name, directive.rest
    if name is None or name.text in _FREE_TEXT:
        return
    if name.text == "pragma":
        if problem := attributes.check_pragma(rest):
            yield name.line, problem
    elif name.text in CONDITIONS:
        for token in rest:
            if token.kind == "name" and (problem := names.assembly(token.text)):
                yield token.line, problem
    elif name.text in _DEFINITIONS and rest:
        if names.is_compiler_macro(rest[0].text):
            yield rest[0].line, f"the macro {rest[0].text} belongs to the compiler"
        elif problem := names.assembly(rest[0].text):
            yield rest[0].line, problem
        yield from _check_code(rest[1:], own)
