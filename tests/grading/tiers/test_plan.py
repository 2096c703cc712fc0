"""What a plan chooses, and why."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from plan import CHANGE, FIRST, ROTATION, SAMPLE, Plan, Subject

UNIT = Subject("unit", "tests/grading/score")
BUILDS = Subject("builds", "tests/grading/setup", thorough=True)
ON_CLANG = Subject("on clang", "tests/grading/verify", pool="c", lab="diff", preset="clang")
AGAIN = Subject("twice", "tests/grading/verify", thorough=True, lab="diff", preset="clang")
MISTAKES = [
    Subject(f"mistake {n} of {lab}", "tests/grading/verify", pool=lab, count=2, lab=lab)
    for lab in ("diff", "nbody")
    for n in range(40)
]
ALL = [UNIT, BUILDS, ON_CLANG, AGAIN, *MISTAKES]


def count(plan: Plan) -> Mapping[tuple[str, str], int]:
    """How many tests run for each reason, of those of each kind."""
    found: dict[tuple[str, str], int] = {}
    for name, reason in plan.reasons(ALL).items():
        kind = name.split()[-1]
        found[kind, reason] = found.get((kind, reason), 0) + 1
    return found


SAMPLES = {("unit", FIRST): 1, ("diff", SAMPLE): 2, ("nbody", SAMPLE): 2}


@pytest.mark.parametrize(
    ("plan", "more"),
    [
        (Plan(1), {}),
        (Plan(1, labs=frozenset(("diff",))), {("diff", CHANGE): 38}),
        (Plan(1, whole=frozenset(("tests/grading/setup",))), {("builds", CHANGE): 1}),
        (Plan(1, whole=frozenset(("tests/grading/score",))), {}),
        (
            Plan(1, whole=frozenset(("tests/grading/verify",))),
            {("diff", CHANGE): 38, ("nbody", CHANGE): 38},
        ),
        (Plan(1, presets=frozenset(("emulator", "clang"))), {("clang", SAMPLE): 1}),
        (
            Plan(
                1,
                presets=frozenset(("emulator", "clang")),
                whole=frozenset(("tests/grading/verify",)),
                labs=frozenset(("diff",)),
            ),
            {("clang", SAMPLE): 1, ("diff", CHANGE): 38, ("nbody", CHANGE): 38},
        ),
    ],
)
def test_what_a_plan_chooses(plan: Plan, more: Mapping[tuple[str, str], int]) -> None:
    assert count(plan) == {**SAMPLES, **more}


def test_a_seed_draws_the_same_again_and_another_seed_another() -> None:
    drawn = [
        {name for name, reason in Plan(seed).reasons(ALL).items() if reason == SAMPLE}
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_draw_does_not_depend_on_the_order_or_on_other_tests() -> None:
    assert Plan(1).reasons(ALL[::-1]) == Plan(1).reasons(ALL)
    assert Plan(1).reasons(MISTAKES).items() <= Plan(1).reasons(ALL).items()


def test_in_turn_everything_runs() -> None:
    rotating = [Plan(seed, one_in=10).reasons(ALL) for seed in range(100)]
    counts = [list(one.values()).count(ROTATION) for one in rotating]
    assert 4 < sum(counts) / len(counts) < 12  # of 81 tests, but for the samples
    assert {name for one in rotating for name in one} >= {one.name for one in [BUILDS, *MISTAKES]}


def test_with_all_labs_changed_no_draw_leaves_out_a_file() -> None:
    chosen = Plan(3, labs=frozenset(("diff", "nbody"))).reasons(ALL)
    assert {one.name for one in MISTAKES} <= set(chosen)
