"""Questions about one file, which its author can answer."""

from __future__ import annotations

from msgspec import Struct


class Question(Struct, frozen=True, kw_only=True):
    """A question about a `line` of the file, with its answer, and `why` that is the answer.

    The answer is a number, or two or three, such as the x and y of a thread. With `choices` it is
    the place of the right one, from 0. `kind` says what the question asks for.
    """

    kind: str
    line: int
    ask: str
    answer: tuple[int, ...]
    why: str
    choices: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """The answer as people write it: 12, (3, 1), or the words of the right choice."""
        if self.choices:
            return self.choices[self.answer[0]]
        if len(self.answer) == 1:
            return f"{self.answer[0]:,}"
        return f"({', '.join(map(str, self.answer))})"


class Viva(Struct, frozen=True):
    """The questions about a file of this text. The same `seed` asks the same again."""

    lab: str
    title: str
    file: str
    text: str
    seed: int
    questions: tuple[Question, ...]
