"""The graph of includes and imports finds every arrow, and no arrow is forbidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import graph
import includes


def edge(a: str, b: str) -> graph.Edge:
    return Path(a), Path(b)


def edges_of(repo: Path, files: dict[str, str]) -> Iterator[graph.Edge]:
    for name, text in files.items():
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return includes.edges(repo)


def test_the_source_has_no_cycle_and_serves_every_backend() -> None:
    assert list(graph.problems(graph.all_edges())) == []


def test_both_languages_are_drawn() -> None:
    arrows = graph.arrows(graph.all_edges())
    assert arrows[edge("common/judge", "common/contract")]
    assert arrows[edge("grading/tilelab/commands", "grading/tilelab/pipeline")]


def test_includes_are_found_as_the_compiler_finds_them(tmp_path: Path) -> None:
    files = {
        "common/judge/lab.h": "",
        "common/judge/main.cpp": '#include "judge/lab.h"\n#include <vector>\n',
        "labs/diff/diff.h": "",
        "tests/labs/diff/reference.h": "",
        "tests/labs/diff/judge.cpp": ' # include "diff.h"\n#include "reference.h"\n',
        "tests/labs/nbody/reference.h": "",
        "tests/common/emulator/device.h": "",
        "tests/common/emulator/detector/cases.h": '#include "device.h"\n',
    }
    assert sorted(edges_of(tmp_path, files)) == [
        edge("common/judge/main.cpp", "common/judge/lab.h"),
        edge("tests/common/emulator/detector/cases.h", "tests/common/emulator/device.h"),
        edge("tests/labs/diff/judge.cpp", "labs/diff/diff.h"),
        edge("tests/labs/diff/judge.cpp", "tests/labs/diff/reference.h"),
    ]


def test_a_name_that_several_files_answer_to_leads_to_each(tmp_path: Path) -> None:
    files = {"tests/a/x.h": "", "tests/b/x.h": "", "tests/c/y.cpp": '#include "x.h"\n'}
    assert [b for _, b in edges_of(tmp_path, files)] == [Path("tests/a/x.h"), Path("tests/b/x.h")]


def test_a_name_that_no_file_answers_to_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match=r"lab\.h: no file of ours is"):
        list(edges_of(tmp_path, {"common/judge/lab.h": '#include "no_such.h"\n'}))


def test_cuda_s_own_names_lead_into_the_emulator(tmp_path: Path) -> None:
    files = {
        "common/emulator/include/vector_types.h": "",
        "common/emulator/runtime/a.cpp": "#include <vector_types.h>\n",
        "common/report/b.cpp": '#include "vector_types.h"\n',
    }
    header = "common/emulator/include/vector_types.h"
    assert sorted(edges_of(tmp_path, files)) == [
        edge("common/emulator/runtime/a.cpp", header),
        edge("common/report/b.cpp", header),
    ]


def test_a_header_and_its_source_file_are_one_thing() -> None:
    edges = [
        edge("common/judge/a.h", "common/judge/b.h"),
        edge("common/judge/b.cpp", "common/judge/b.h"),
        edge("common/judge/b.cpp", "common/judge/a.h"),
    ]
    assert list(graph.problems(edges)) == ["cycle: common/judge/a, common/judge/b"]


def test_folders_beside_each_other_that_include_each_other_are_a_cycle() -> None:
    edges = [
        edge("common/judge/calls/a.h", "common/judge/checks/b.h"),
        edge("common/judge/checks/c.h", "common/judge/calls/d.h"),
        edge("common/judge/main.cpp", "common/judge/calls/a.h"),
    ]
    assert list(graph.problems(edges)) == ["cycle: common/judge/calls, common/judge/checks"]


def test_every_cycle_is_told() -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "f"), ("f", "e")]
    found = graph.cycles((Path(a), Path(b)) for a, b in ring)
    assert [[str(one) for one in group] for group in found] == [["a", "b", "c"], ["e", "f"]]


@pytest.mark.parametrize("room", ["contract", "costs", "estimator", "report", "judge/calls"])
def test_what_serves_every_backend_must_not_include_the_emulator(room: str) -> None:
    wrong = edge(f"common/{room}/x.cpp", "common/emulator/emulator.h")
    allowed = edge("common/worker/x.cpp", "common/emulator/emulator.h")
    assert list(graph.problems([wrong, allowed])) == [
        f"into the emulator: {wrong[0]} includes {wrong[1]}"
    ]


def test_only_the_judge_has_arrays_of_cuda_s_types() -> None:
    header = "common/emulator/include/vector_types.h"
    allowed = [edge("common/judge/x.h", header), edge("common/worker/x.h", header)]
    wrong = [edge("common/report/x.h", header), edge("common/contract/x.h", header)]
    assert list(graph.problems([*allowed, *wrong])) == [
        f"into the emulator: {a} includes {b}" for a, b in wrong
    ]


def test_cuda_s_headers_include_nothing_of_the_runtime() -> None:
    wrong = edge("common/emulator/include/emulated/launch.h", "common/emulator/runtime/listener.h")
    assert list(graph.problems([wrong])) == [
        f"out of CUDA's headers: {wrong[0]} includes {wrong[1]}"
    ]


def test_the_table_and_the_drawing_have_the_same_arrows() -> None:
    edges = [edge("common/judge/a.h", "common/contract/b.h")]
    assert list(graph.table(edges)) == ["common:", "  judge -> contract (1)"]
    assert '"common/judge" -> "common/contract"' in "\n".join(graph.dot(edges))
