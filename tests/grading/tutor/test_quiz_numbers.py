"""Every number of every quiz, worked out here once more or counted on the emulator."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter

import pytest

from support import PRESENTED_LABS, REPO
from tilelab.labs import lab as labs
from tilelab.model.picture import DrawnLaunch
from tilelab.picture import run
from tilelab.pipeline.harness.session import Session
from tilelab.tutor import quiz
from tilelab.tutor.numbers import written


def blocks(n: int, size: int) -> int:
    """How many blocks, or tiles, of this size cover n."""
    return sum(1 for _ in range(0, n, size))


def sectors(addresses: list[int]) -> int:
    """How many sectors floats at these addresses touch."""
    return len({(address + byte) // 32 for address in addresses for byte in range(4)})


def wavefronts(words: list[int]) -> int:
    """How many wavefronts different words take: the fullest bank decides."""
    return max(Counter(word % 32 for word in set(words)).values())


def passes(n: int, tile: int) -> int:
    return 0 if n == 1 else 1 + passes(blocks(n, tile), tile)


def largest_float4_multiple(numbers: int) -> int:
    return max(size for size in range(0, 4 * numbers + 1, 16))


def owner(place: int, m: int) -> int:
    """The j that a place past the end stands for: places go round, and the last point is j = 0."""
    return list(itertools.islice(itertools.cycle(range(m - 1)), place + 1))[place]


MATRIX = [(row, column) for row in range(100) for column in range(50)]
TRANSPOSE = sorted(MATRIX, key=lambda one: (one[1], one[0]))
PAIRS = 65536 * 65536
BARRIERS_PER_TILE = 2

NUMBERS = {
    "first_kernel": [
        blocks(1000, 256),
        blocks(1000, 256) * 256 - 1000,
        [(b, t) for b in range(4) for t in range(256)].index((3, 5)),
        1000 * 4,
        sectors([4 * lane for lane in range(32)]),
        sectors([4 * 32 * lane for lane in range(32)]),
    ],
    "diff": [
        blocks(10, 4) * 4,
        blocks(10, 4),
        sum(4 in {i, i - 1} for i in range(10)),
        sum(1 if i == 0 else 2 for i in range(10)) / 10,
        sum(2 if i % 4 == 0 and i > 0 else 1 for i in range(10)) / 10,
        48 * 1024 / 4,
    ],
    "transpose": [
        blocks(100, 32) * blocks(50, 32),
        TRANSPOSE.index((3, 7)),
        sectors([4 * 1000 * row for row in range(32)]),
        [(row, column) for row in range(32) for column in range(33)].index((5, 30)) % 32,
        wavefronts([34 * row for row in range(32)]),
    ],
    "reduction": [
        len(list(itertools.accumulate(range(1024)))) - 1,
        len([distance for distance in range(1, 512) if distance.bit_count() == 1]),
        len({thread // 32 for thread in range(64)}),
        passes(1_000_000, 256),
        wavefronts(list(range(0, 249, 8))),
    ],
    "scan": [
        len([distance for distance in range(1, 1024) if distance.bit_count() == 1]),
        sum(1 for distance in (1, 2, 4) for thread in range(8) if thread >= distance),
        list(itertools.accumulate([256] * 4))[3],
        blocks(2**20, 8192) * 8,
        len([8, 7, 6]) + len([5]),
    ],
    "histogram": [
        sum(1 for _ in range(1_000_000)),
        1056 * 256,
        77 % 32,
        [(v, k) for v in range(256) for k in range(32)].index((77, 5)) % 32,
        228 // (256 * 32 * 4 // 1024 + 1),
    ],
    "matmul": [
        100 * 300 * 200,
        blocks(100, 32) * blocks(300, 32),
        blocks(200, 32),
        blocks(300, 32),
        4 + 8,
        2 * 2 * 128 * 8 * 4,
    ],
    "nbody": [
        PAIRS * 16 / 1e9,
        PAIRS * 16 / 256 / 1e6,
        256 * 4 * 4,
        blocks(1000, 256) * 256 - 1000,
        blocks(1000, 256) * BARRIERS_PER_TILE,
        1e3 * PAIRS * 16 / (132 * 4 * 32 * 1.98e9),
    ],
    "nearest_neighbor": [
        10240 * 10239,
        10240 * 3 * 4,
        blocks(10240, 128),
        blocks(1000, 128) * BARRIERS_PER_TILE,
        len([slot for slot in range(7 * 128, 8 * 128) if slot < 1000]),
        128 * 4 * 4,
        1 / 4,
    ],
    "pipeline": [
        len({i + k for i in range(1024) for k in range(33)}),
        len(range(0, 2**28 // 1024, 132)),
        2 * 1056 * 4,
        5 - 2,
        list(itertools.islice(itertools.cycle(range(4)), 10))[9],
        largest_float4_multiple(99 + 32),
    ],
    "derivatives": [
        len([d for d in range(-4, 5) if d != 0]),
        len({(j + d, i) for j in range(64) for d in range(-4, 5) for i in range(32)}) / (64 * 32),
        (4 + 64 + 4) * 32 * 4,
        48 * 1024 // 9216,
        sectors([4 * (1000 * row + column) for row in range(8) for column in range(4)]),
        sectors([4 * column for column in range(32)]),
        owner(66, 65),
        blocks(100, 32) * blocks(100, 64) * 100,
        2**8,
    ],
}

LABS = [labs.load(name) for name in PRESENTED_LABS]


@pytest.mark.parametrize("name", [one.name for one in LABS])
def test_each_answer_is_worked_out(name: str) -> None:
    questions = quiz.load(labs.load(name))
    for question, number in zip(questions, NUMBERS[name], strict=True):
        assert question.accepts(number), f"{question.ask} {number}"
        assert math.isclose(question.answer, number, rel_tol=0.005), f"{question.ask} {number}"


def test_diff_on_the_emulator(emulator: Session) -> None:
    """The questions about n = 10 and blocks of 4, counted in the two kernels."""
    tile = REPO / "solutions" / "diff" / "ladder" / "02_tile.cu"
    picture = run.draw(tile, labs.load("diff"), emulator, 10, 4)
    threads, tiles, of_4, simple, tiled, _ = (one.answer for one in quiz.load(picture.lab))
    (own,), (baseline,) = picture.own.calls[0].launches, picture.baseline.calls[0].launches
    assert threads == own.grid[0] * own.block[0]
    assert tiles == own.grid[0]

    def loads(launch: DrawnLaunch) -> list[int]:
        return [
            offset // 4
            for step in launch.trace.steps
            if step.kind == "load"
            for array, offset in zip(step.arrays or (), step.offsets or (), strict=True)
            if launch.trace.arrays[array].name == "in"
        ]

    assert of_4 == loads(baseline).count(4)
    assert simple == len(loads(baseline)) / 10
    assert tiled == len(loads(own)) / 10


@pytest.mark.parametrize("name", [one.name for one in LABS])
def test_misconceptions_are_wrong_different_and_give_nothing_away(name: str) -> None:
    questions = quiz.load(labs.load(name))
    assert sum(bool(one.wrong) for one in questions) > len(questions) / 2
    for question in questions:
        answers = [one.answer for one in question.wrong]
        assert len(set(answers)) == len(answers)
        for one in question.wrong:
            assert not question.accepts(one.answer)
            # The first that is near is shown, so each of them has to find itself.
            assert question.misconception(one.answer) == one.why
            said = re.findall(r"\d[\d,]*(?:\.\d+)?", one.why)
            asked = re.findall(r"\d[\d,]*(?:\.\d+)?", question.ask)
            assert written(question.answer) not in set(said) - set(asked), one.why
