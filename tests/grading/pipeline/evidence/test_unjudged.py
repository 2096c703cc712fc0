"""What nothing can judge on this machine is not run for any file, so all are out of the same."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from support import Write
from tilelab.labs import lab
from tilelab.model.grade import Grade
from tilelab.pipeline.harness import missing
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.submission import examine, grade

REFERENCE = lab.load("diff").reference.read_text()
FILES = {
    "right": REFERENCE,
    "wrong": REFERENCE.replace("out[i] =", "out[i] = 1 +"),
    "refused": "#include <fstream>\n",
    "no kernel": "int x = 1;\n",
    "empty": "",
}


@pytest.mark.parametrize("estimated", [True, False])
@pytest.mark.parametrize("name", [*FILES, "missing"])
def test_all_files_are_out_of_the_same_points(
    name: str, estimated: bool, cu: Write, emulator: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(missing, "for_estimates", lambda: "nvdisasm")
    one = lab.load("diff")
    criteria = (replace(it, estimated=estimated and bool(it.curve)) for it in one.criteria)
    path = cu(FILES.get(name, ""))
    if name == "missing":
        path.unlink()
    result = grade(path, replace(one, criteria=tuple(criteria)), emulator)
    assert result.verdict != "infra_error"
    assert Grade(result).most == 70
    rows = {row.name: row for row in result.criteria}
    assert (result.verdict == "graded") == ("speed" in rows)
    if "speed" in rows:
        assert rows["speed"].status == "not_run"
        assert ("No time can be estimated: that needs nvdisasm" in rows["speed"].messages[0]) == (
            estimated
        )


def test_only_the_machine_that_examines_knows_what_it_can_judge(
    cu: Write, emulator: Session
) -> None:
    elsewhere = dataclasses.replace(emulator, elsewhere=emulator.machine())
    assert not examine(cu(""), lab.load("diff"), elsewhere).tested
