"""Links that lead nowhere become plain words."""

from __future__ import annotations

from pathlib import PurePosixPath

from tilelab.base import links

PAGE = PurePosixPath("docs/student.md")
THERE = {PurePosixPath(name) for name in ("docs/glossary.md", "labs", "docs/a.png")}


def cut(text: str) -> str:
    return links.without_dead_ends(text, PAGE, THERE)


def test_a_link_to_a_file_that_is_there_stays() -> None:
    text = "See [a block](glossary.md#block), [the labs](../labs), ![a](a.png) and [up](#above)."
    assert cut(text) == text


def test_a_link_to_a_missing_file_becomes_words() -> None:
    assert cut("See [the\n`guide`](instructor.md#x).") == "See the\n`guide`."


def test_a_missing_image_disappears() -> None:
    assert cut("A ![figure](b.png) here.") == "A  here."


def test_links_out_of_the_repository_stay() -> None:
    assert cut("[CUDA](https://docs.nvidia.com/cuda)") == "[CUDA](https://docs.nvidia.com/cuda)"


def test_targets_are_paths_in_the_repository() -> None:
    text = "[a](../labs/diff/README.md#one) [b](https://x.org) ![c](figures/d.svg)"
    assert [str(one) for one in links.targets(text, PAGE)] == [
        "labs/diff/README.md",
        "docs/figures/d.svg",
    ]
