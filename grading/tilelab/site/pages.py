"""Lists the pages of the site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tilelab.base.repository import REPO
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.site import markdown, sources

# In this order; pages of docs/ that are not named here follow.
GUIDES = (
    "student",
    "course",
    "run",
    "first_hour",
    "verdicts",
    "estimates",
    "screens",
    "glossary",
    "instructor",
    "new_lab",
    "architecture",
    "design",
)

# The headers that a lab's tests, a worker's dispatch and users of the emulator include.
API_HEADERS = (
    "common/contract/detail.h",
    "common/contract/functions.h",
    "common/contract/order.h",
    "common/contract/wire.h",
    "common/emulator/emulator.h",
    "common/emulator/observer/observer.h",
    "common/emulator/observer/options.h",
    "common/report/access.h",
    "common/report/counts.h",
    "common/report/decode.h",
    "common/report/encode.h",
    "common/report/finding.h",
    "common/report/finding_kinds.h",
    "common/report/index3.h",
    "common/report/places.h",
    "common/report/report.h",
    "common/report/trace.h",
    "common/judge/calls/arguments.h",
    "common/judge/catch.h",
    "common/judge/checks/check.h",
    "common/judge/checks/differences.h",
    "common/judge/lab.h",
    "common/judge/calls/observation.h",
    "common/judge/calls/output.h",
    "common/judge/checks/picture.h",
    "common/judge/calls/random.h",
    "common/judge/checks/safety.h",
    "common/judge/speed/simple_speed.h",
    "common/judge/speed/speed.h",
    "common/judge/speed/speed_problem.h",
    "common/judge/calls/submission.h",
    "common/judge/traffic/traffic.h",
    "common/judge/values/values.h",
)


@dataclass(frozen=True)
class Page:
    """A page of the site, in Markdown.

    `label` is the name of its HTML file. `path` is the file of the repository that the page shows,
    or the README.md of a folder that has none; links are relative to it. `read` returns the text.
    """

    path: Path
    label: str
    read: Callable[[], str]
    menu: str = ""
    listed: tuple[Path, ...] = ()  # files that are a section of this page

    @property
    def text(self) -> str:
        return self.read()

    @property
    def title(self) -> str:
        return markdown.title(self.text)

    @property
    def is_home(self) -> bool:
        return self.path == REPO / "README.md"

    @property
    def name(self) -> str:
        """Its name in the menu."""
        return self.menu or self.title


def home() -> Page:
    return _file(REPO / "README.md", "index")


def guides() -> list[Page]:
    found = {path.stem for path in (REPO / "docs").glob("*.md")}
    names = [name for name in GUIDES if name in found] + sorted(found - set(GUIDES))
    return [_file(REPO / "docs" / f"{name}.md", name) for name in names]


def for_contributors() -> list[Page]:
    """None in a copy for students."""
    pages = [
        _file(REPO / "CONTRIBUTING.md", "contributing"),
        _file(REPO / "CHANGELOG.md", "changelog"),
    ]
    return [page for page in pages if page.path.is_file()]


def handout(of: Lab) -> Page:
    page = _file(of.handout, f"lab_{of.name}")
    return replace(page, menu=page.title.removeprefix("Lab "))


def handouts() -> list[Page]:
    return [handout(one) for one in lab.course()]


def files_of(of: Lab) -> Page:
    """The skeleton, the baseline and what else a student starts from."""
    listed = tuple(path for path in sources.files_for_students(of) if path != of.header)
    return Page(
        of.skeleton,
        f"files_{of.name}",
        lambda: sources.files(of),
        sources.name_of_files(of),
        listed,
    )


def overview_of(of: Lab) -> Page:
    """What a lab's solutions are."""
    label, path = f"solutions_{of.name}", of.solutions / "README.md"
    return Page(path, label, lambda: sources.overview(of), sources.name_of_solutions(of))


def solutions_of(of: Lab) -> list[Page]:
    """One page for each solution."""
    return [_solution(of, one) for one in sources.solutions(of)]


def _solution(of: Lab, one: sources.Source) -> Page:
    label = f"solution_{of.name}_{one.path.stem}"
    return Page(one.path, label, lambda: sources.solution(of, one), one.name)


def about_solutions_of(of: Lab) -> list[Page]:
    """All that gives the solution away. Empty in a copy for students."""
    if not of.reference.is_file():
        return []
    return [overview_of(of), *solutions_of(of), mistakes_of(of)]


def mistakes_of(of: Lab) -> Page:
    path = of.solutions / "mistakes" / "README.md"
    return Page(path, f"mistakes_{of.name}", lambda: sources.mistakes(of), "Typical mistakes")


def further(of: Lab) -> list[Page]:
    """What continues the handout, if the lab has it."""
    path = of.skeleton.with_name("FURTHER.md")
    if not path.is_file():
        return []
    return [replace(_file(path, f"further_{of.name}"), menu="Going further")]


def results() -> list[Page]:
    """The pages of measured results that exist."""
    folder = REPO / "docs" / "results"
    paths = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    return [_file(path, f"results_{path.stem}") for path in paths]


def index_of_results() -> Page:
    path = REPO / "docs" / "results" / "README.md"
    return Page(path, "results", lambda: _about_results(path) + _results())


def index_of_labs() -> Page:
    return Page(REPO / "labs" / "README.md", "labs", _labs, "Labs")


def index_of_solutions() -> list[Page]:
    """Empty in a copy for students."""
    path = REPO / "solutions" / "README.md"
    return [_file(path, "solutions")] if path.is_file() else []


def api() -> Page:
    return Page(REPO / "common" / "README.md", "api", _api, "API")


@cache
def all_pages() -> list[Page]:
    of_labs = [
        page
        for one in lab.course()
        for page in (
            handout(one),
            *further(one),
            files_of(one),
            *about_solutions_of(one),
        )
    ]
    return [
        home(),
        index_of_labs(),
        *of_labs,
        *guides(),
        *index_of_solutions(),
        *for_contributors(),
        index_of_results(),
        *results(),
        api(),
    ]


def contracts() -> list[Path]:
    return [one.header for one in lab.course()]


def api_headers() -> list[Path]:
    return [*contracts(), *(REPO / name for name in API_HEADERS)]


def _file(path: Path, label: str) -> Page:
    return Page(path, label, lambda: path.read_text(encoding="utf-8"))


def _labs() -> str:
    lines = ["# Labs", "", "| lab | what it is about | points |", "| --- | --- | --- |"]
    for one in lab.course():
        points = ", ".join(f"{c.name} {c.points:g}" for c in one.criteria)
        lines.append(f"| [{one.name}]({one.name}/README.md) | {one.title} | {points} |")
    lines += [
        "",
        "This is the course's order. Each lab is a handout, a contract, a skeleton to fill in, and",
        "tests: `./tilelab check LAB` shows how far you are.",
    ]
    if index_of_solutions():
        lines += [
            "Its ladder shows how the kernel gets faster step by step, and its mistakes how it",
            "usually goes wrong.",
        ]
    return "\n".join([*lines, ""])


def _about_results(path: Path) -> str:
    """How the results were measured, which is not in a copy for students."""
    return path.read_text(encoding="utf-8") if path.is_file() else "# Measured results\n"


def _results() -> str:
    return "".join(f"\n- [{page.title}]({page.path.name})" for page in results()) + "\n"


def _api() -> str:
    lines = ["# API", "", "## Contracts of the labs", ""]
    for one in lab.course():
        lines.append(f"- [{one.header.name}](../labs/{one.name}/{one.header.name}): {one.title}")
    lines += ["", "## Headers of common", ""]
    if (REPO / "docs" / "new_lab.md").is_file():
        lines += [
            "A lab's tests include `judge/lab.h`; [the test of `diff`]"
            "(../docs/new_lab.md#6-the-tests) shows most of what it offers.",
            "",
        ]
    names = [name.removeprefix("common/") for name in API_HEADERS]
    lines += [f"- [{name}]({name})" for name in names]
    return "\n".join([*lines, ""])
