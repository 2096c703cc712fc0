"""Every prediction of every lab, held against what the emulator counts and what was measured."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from support import PRESENTED_LABS, REPO
from tilelab.labs import lab as labs
from tilelab.model.lab import Lab
from tilelab.model.profile import Call
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.tutor.predict import predicting, predictions
from tilelab.tutor.predict.predicting import Ready
from tilelab.tutor.predict.predictions import Counted, Faster, Removed


def passes(n: int) -> int:
    """How often tiles of 256 have to be added up until one number is left."""
    made = 0
    while n > 1:
        n, made = -(-n // 256), made + 1
    return made


def conflicts() -> float:
    """Wavefronts per request if thread t adds slots 2 d t and 2 d t + d, for d = 1, 2, ... 128."""
    requests, wavefronts = 1, 1  # the sum of the tile
    for d in (1, 2, 4, 8, 16, 32, 64, 128):
        warps = max(1, 128 // d // 32)
        lanes = min(32, 128 // d)
        banks = Counter(2 * d * lane % 32 for lane in range(lanes))
        requests += 2 * warps
        wavefronts += 2 * warps * max(banks.values())
    return wavefronts / requests


def rounds() -> float:
    """Wavefronts per 32 elements of rounds over a tile of 256, from one buffer to the other."""
    requests = 8 + 8 + 1  # the warps fill the tile, and read it, and one thread its last slot
    for d in (1, 2, 4, 8, 16, 32, 64, 128):
        adding = sum(32 * warp + 31 >= d for warp in range(8))  # warps with a slot d to the left
        requests += 8 + adding + 8
    return requests / 8


def tree() -> float:
    """Wavefronts per 32 elements of a tree over a tile of 256 that goes up and comes down again."""
    wavefronts = 8 + 8 + 1  # the warps fill the tile, and read it, and one thread its last slot
    for d, first in [(d, 2 * d - 1) for d in (1, 2, 4, 8, 16, 32, 64, 128)] + [
        (d, 3 * d - 1) for d in (64, 32, 16, 8, 4, 2, 1)
    ]:
        slots = range(first, 256, 2 * d)  # a thread adds slot - d to slot: three requests
        for warp in range(0, len(slots), 32):
            banks = Counter(slot % 32 for slot in slots[warp : warp + 32])
            wavefronts += 3 * max(banks.values())
    return wavefronts / 8


# What is counted for a prediction with a file of the lab: "" is the reference solution, and a
# number a good answer, worked out from the text of that file. Two files per prediction at least,
# because the answer depends on the kernel. Where n is drawn it is a function of n.
COUNTED = {
    ("first_kernel", "blocks"): {
        "baseline": lambda n: -(-n // (128 * 32)),
        "": lambda n: -(-n // 256),
    },
    ("first_kernel", "loads"): {"baseline": lambda n: 2 * n / (-(-n // 4096) * 128), "": 2},
    ("first_kernel", "sectors"): {"baseline": 32, "": 4},
    ("diff", "loads"): {"baseline": 2, "02_tile": 1, "": 1},
    ("diff", "bytes"): {"baseline": 8, "02_tile": 4, "": 16},
    ("transpose", "wavefronts"): {"02_tile": 32, "03_padded": 1, "": 1},
    ("transpose", "sectors"): {"baseline": 32, "02_tile": 4, "": 4},
    ("transpose", "bytes"): {"03_padded": 4, "": 32},
    ("reduction", "launches"): {"03_sequential": passes, "": 1},
    ("reduction", "wavefronts"): {"02_conflicts": conflicts(), "03_sequential": 1},
    ("reduction", "bytes"): {"03_sequential": 4, "04_first_add": 8},
    ("scan", "wavefronts"): {
        "02_two_buffers": rounds(),
        "03_tree": tree(),
        "05_shuffles": (8 + sum(range(8))) / 8,
    },
    # Sectors of 32 bytes: for the sum of each tile, and what comes before it for each of its warps.
    # A look-back stores two numbers and two states, loads one of each, and takes a tile.
    ("scan", "bytes"): {
        "02_two_buffers": 4 * 4 + 32 / 256 + 32 / 32,
        "06_sums_first": 3 * 4 + 32 / 256 + 32 / 32,
        "07_look_back": 2 * 4 + 7 * 32 / 256,
    },
    ("scan", "blocks"): {"07_look_back": lambda n: -(-n // 256), "": lambda n: -(-n // 16384)},
    ("histogram", "atomics"): {"baseline": 1, "02_block": lambda n: 256 * -(-n // 16384) / n},
    ("histogram", "wavefronts"): {"02_block": 3, "04_lanes": 1, "": 1},
    ("histogram", "bytes"): {"02_block": 1, "": 16},
    ("matmul", "loads"): {
        "02_tile": lambda n: -(-(n**0.5) // 32),
        "04_patch": lambda n: -(-(n**0.5) // 128),
    },
    ("matmul", "passes"): {"02_tile": 2, "03_column": 1.125},
    ("matmul", "wavefronts"): {"02_tile": 1, "": 2},
    ("nearest_neighbor", "loads"): {
        "02_tile_float3": lambda n: -(-n // 128) + 1,
        "baseline": lambda n: n,
    },
    ("nearest_neighbor", "reads"): {"02_tile_float3": 3, "03_tile_float4": 1},
    ("nearest_neighbor", "sectors"): {"baseline": 1, "02_tile_float3": 12},
    ("nbody", "loads"): {
        "03_tile": lambda n: -(-n // 256) + 2,
        "baseline": lambda n: n * (n + 1) / (-(-n // 256) * 256),
    },
    ("nbody", "reads"): {"03_tile": lambda n: (-(-n // 256) * 256 / n) ** 2, "": 0.25},
    ("nbody", "wavefronts"): {"03_tile": 2, "": 2},
    ("derivatives", "loads"): {"baseline": 8, "": lambda n: 2 + 8 / 129 * 0.9},
    ("derivatives", "sectors"): {"baseline": 3, "02_small_pencils": 8},
    ("derivatives", "tile"): {"03_large_pencils": 8, "04_neighboring_points": 2},
    ("pipeline", "by_threads"): {"baseline": 1.031, "02_one_stage": 0},
    ("pipeline", "shared"): {"baseline": 1056 * 4, "03_two_stages": 8448, "": 3 * 4128 * 4},
    ("pipeline", "bytes"): {"baseline": 4, "04_wide_copies": 16},
}

# Which choice is right for a file, by the criteria that fall short.
BOTH = ("correctness", "safety")
REMOVED = {
    ("first_kernel", "guard", ""): BOTH,
    ("diff", "barrier", "02_tile"): BOTH,
    ("transpose", "barrier", "02_tile"): BOTH,
    ("reduction", "barrier", "09_vectors"): BOTH,
    ("reduction", "barrier", ""): (),
    ("scan", "barrier", "02_two_buffers"): BOTH,
    ("scan", "barrier", "05_shuffles"): BOTH,
    ("scan", "fence", "07_look_back"): ("safety",),
    ("histogram", "barrier", "02_block"): BOTH,
    ("nearest_neighbor", "barrier", "02_tile_float3"): BOTH,
    ("nbody", "barrier", "03_tile"): BOTH,
    ("pipeline", "barrier", "03_two_stages"): BOTH,
}

LABS = [labs.load(name) for name in PRESENTED_LABS]
ALL = [(one, prediction) for one in LABS for prediction in predictions.load(one)]


def file_of(lab: Lab, name: str) -> Path:
    if not name:
        return lab.reference
    return lab.baseline if name == "baseline" else lab.step(name)


def test_each_lab_has_at_least_three() -> None:
    assert LABS and all(len(predictions.load(one)) >= 3 for one in LABS)


def test_each_one_is_tested_here() -> None:
    counted = {(lab.name, one.id) for lab, one in ALL if isinstance(one, Counted)}
    removed = {(lab.name, one.id) for lab, one in ALL if isinstance(one, Removed)}
    assert counted == COUNTED.keys()
    assert all(len(files) > 1 for files in COUNTED.values())
    assert removed == {(lab, id) for lab, id, _ in REMOVED}


_calls: dict[Path, tuple[Call, ...]] = {}


def calls_of(path: Path, lab: Lab, session: Session) -> tuple[Call, ...]:
    """The calls that a check counts, of which each file has some."""
    if path not in _calls:
        memory = tuple(one for one in lab.criteria if one.name == "memory")
        keeps = Session(session.toolchains, session.seed, keeps_calls=True)
        _calls[path] = submission.grade(path, replace(lab, criteria=memory), keeps).calls
    assert _calls[path], f"nothing was counted of {path}"
    return _calls[path]


@pytest.mark.drawn(pool="counted predictions", count=2)
@pytest.mark.parametrize(("lab", "id"), COUNTED)
def test_what_is_counted(lab: str, id: str, emulator: Session) -> None:
    the_lab = labs.load(lab)
    prediction = next(one for one in predictions.load(the_lab) if one.id == id)
    assert isinstance(prediction, Counted)
    for name, answer in COUNTED[lab, id].items():
        ready = predicting.counted(prediction, calls_of(file_of(the_lab, name), the_lab, emulator))
        assert ready is not None and ready.counted is not None, f"{name}: not counted"
        length = int(ready.call.partition("[")[2].partition("]")[0])
        given = float(answer(length) if callable(answer) else answer)
        assert prediction.means(given, ready.counted) == prediction.right, (
            f"{name}, {ready.call}: {given} for {ready.counted}"
        )
        off = max(2 * float(prediction.tolerance), 1)
        assert prediction.means(ready.counted - off, ready.counted) == prediction.low
        assert prediction.means(ready.counted + off, ready.counted) == prediction.high


@pytest.mark.drawn(pool="removed statements", count=1)
@pytest.mark.parametrize(("lab", "id", "name"), REMOVED)
def test_what_a_removed_statement_breaks(lab: str, id: str, name: str, emulator: Session) -> None:
    the_lab = labs.load(lab)
    prediction = next(one for one in predictions.load(the_lab) if one.id == id)
    assert isinstance(prediction, Removed)
    found = predicting.without(file_of(the_lab, name).read_text(), prediction)
    assert found is not None
    outcome = predicting.outcome_of(
        Ready(prediction, without=found[0], line=found[1]), the_lab, emulator
    )
    assert outcome is not None and set(outcome.fails) == set(REMOVED[lab, id, name])


def test_what_is_faster_was_measured() -> None:
    results = REPO / "docs" / "results"
    files = {"H100": "nvidia_h100_80gb_hbm3.json", "H200": "nvidia_h200.json"}
    measured = {gpu: json.loads((results / name).read_text()) for gpu, name in files.items()}
    tested = 0
    for lab, one in ALL:
        if not isinstance(one, Faster):
            continue
        timings = measured[one.gpu][lab.name]["problems"][one.problem]["timings"]
        for choice in one.choices:
            assert choice.ms == round(timings[choice.kernel]["device_ms"], 4), (lab.name, choice)
            assert choice.kernel in ("baseline", "reference") or lab.step(choice.kernel).is_file()
            if choice is not one.answer:  # the noise does not decide
                assert choice.ms > 1.05 * one.answer.ms
        tested += 1
    assert tested >= 8


@pytest.mark.parametrize(("lab", "one"), ALL, ids=lambda value: getattr(value, "name", ""))
def test_the_questions_can_be_asked(lab: Lab, one: predictions.Prediction) -> None:
    asks = Ready(one, call="diff(int[9], 9)", line=3).asks
    assert "{" not in asks and asks.endswith("?")


def test_counting_changes_no_verdict(emulator: Session) -> None:
    """A profile of one file is compared with nothing, and would pass everything."""
    lab = labs.load("diff")
    memory = replace(lab, criteria=tuple(one for one in lab.criteria if one.name == "memory"))
    keeps = Session(emulator.toolchains, emulator.seed, keeps_calls=True)
    counted = submission.grade(lab.baseline, memory, keeps)
    plain = submission.grade(lab.baseline, memory, emulator)
    assert counted.calls and not plain.calls
    assert plain.criteria[0].status == "partial"
    assert replace(counted, calls=()) == plain
