"""What a source says of its `__shared__` arrays: the type of their elements, and their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilelab.picture.constants import evaluate, values
from tilelab.pipeline.records.stages import Token
from tilelab.pipeline.texts.tokens import parse


@dataclass(frozen=True)
class SharedArray:
    """A declaration. `columns` is the length of a row, 0 if there is one row or it is unknown.

    `dynamic` says that a launch decides how large it is, so that nothing but this names it.
    """

    name: str
    type: str
    columns: int
    dynamic: bool = False


def shared_arrays(text: str, header: str = "") -> list[SharedArray]:
    """The arrays that are declared with `__shared__ TYPE NAME[...], NAME[...]`.

    `header` has further constants, as a lab's contract does.
    """
    code, known = parse(text).code, values(f"{header}\n{text}")
    found: list[SharedArray] = []
    for i, token in enumerate(code):
        if token.text == "__shared__":
            is_dynamic = i > 0 and code[i - 1].text == "extern"
            found += _declarations(code[i + 1 :], known, is_dynamic)
    return found


def _declarations(
    code: Sequence[Token], known: dict[str, int], is_dynamic: bool
) -> Iterator[SharedArray]:
    """The arrays of one declaration, up to one that has an initializer."""
    code = _without_alignment(code)
    begin = next((i for i, token in enumerate(code) if token.text in ("[", ";")), len(code))
    words = [token.text for token in code[:begin] if token.text not in ("extern", "volatile")]
    if len(words) < 2:
        return
    *type_words, name = words
    while begin < len(code) and code[begin].text == "[":
        extents = _extents(code[begin:])
        columns = evaluate(extents[-1], known) if len(extents) > 1 else 0
        yield SharedArray(name, " ".join(type_words), columns or 0, is_dynamic)
        end = begin + sum(len(extent) + 2 for extent in extents)
        if end + 1 >= len(code) or code[end].text != ",":
            return
        name, begin = code[end + 1].text, end + 2


def _without_alignment(code: Sequence[Token]) -> Sequence[Token]:
    """Skips an `alignas(...)` or `__align__(...)` at the beginning."""
    if not code or code[0].text not in ("alignas", "__align__"):
        return code
    end = next((k for k, token in enumerate(code) if token.text == ")"), len(code) - 1)
    return code[end + 1 :]


def _extents(code: Sequence[Token]) -> list[list[Token]]:
    """What is between the brackets of `[a][b]`."""
    extents: list[list[Token]] = []
    i = 0
    while i < len(code) and code[i].text == "[":
        end = next((k for k in range(i, len(code)) if code[k].text == "]"), len(code))
        extents.append(list(code[i + 1 : end]))
        i = end + 1
    return extents
