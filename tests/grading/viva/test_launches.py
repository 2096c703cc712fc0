"""Questions about launches and requests, for counts that are made up."""

from __future__ import annotations

import random

from tilelab.model.profile import Call, Counts, Launch, LineCounts
from tilelab.repairs.code import parse
from tilelab.viva import launches


def _counts(requests: int, **more: int) -> Counts:
    known = {"sectors": 0, "wavefronts": 0, **more}
    return Counts(
        instructions=requests,
        requests=requests,
        thread_accesses=32 * requests,
        bytes_requested=128 * requests,
        bank_conflicts=0,
        **known,
    )


def _call(*lines: LineCounts, shared: int = 1024, dynamic: int = 0) -> Call:
    launch = Launch(
        kernel="(anonymous namespace)::diff_kernel<4>",
        function=1,
        grid=(4, 3, 1),
        block=(256, 1, 1),
        launches=1,
        shared_bytes=shared,
        dynamic_shared_bytes=dynamic,
        blocks=12,
        observed_blocks=12,
        distinct_bytes_loaded=0,
        distinct_bytes_stored=0,
        totals={},
        lines=lines,
        remarks=(),
    )
    return Call("diff(int[1000], int[1000], 1000)", 4000, 4000, (launch,))


def _asked(text: str, call: Call) -> dict[tuple[str, int], tuple[int, ...]]:
    found = launches.questions([call], parse(text), "diff.cu", random.Random(1))
    return {(one.kind, one.line): one.answer for one in found}


def test_blocks_and_bytes_are_those_of_the_launch(tile: str) -> None:
    assert _asked(tile, _call()) == {("blocks", 3): (12,), ("shared bytes", 3): (1024,)}
    assert ("shared bytes", 3) not in _asked(tile, _call(shared=0))


def test_a_request_is_asked_for_where_all_take_the_same(tile: str) -> None:
    whole = LineCounts("diff.cu", 6, "", {"global_loads": _counts(10, sectors=40)})
    torn = LineCounts("diff.cu", 12, "", {"global_stores": _counts(10, sectors=41)})
    single = LineCounts("diff.cu", 10, "", {"shared_loads": _counts(1, wavefronts=1)})
    other = LineCounts("diff.h", 5, "", {"global_loads": _counts(10, sectors=40)})
    asked = _asked(tile, _call(whole, torn, single, other))
    assert {key: answer for key, answer in asked.items() if key[1] != 3} == {
        ("sectors global_loads", 6): (4,)
    }


def test_two_accesses_of_a_line_are_not_mixed_up(tile: str) -> None:
    one = LineCounts("diff.cu", 12, "", {"shared_loads": _counts(10, wavefronts=10)})
    two = LineCounts("diff.cu", 12, "", {"shared_loads": _counts(10, wavefronts=20)})
    assert ("wavefronts shared_loads", 12) not in _asked(tile, _call(one, two))
    assert _asked(tile, _call(two))["wavefronts shared_loads", 12] == (2,)


def test_without_a_call_there_is_nothing_to_ask(tile: str) -> None:
    assert list(launches.questions([], parse(tile), "diff.cu", random.Random(1))) == []
