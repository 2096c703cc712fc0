"""The glossary has the field's words, and students' pages link each where it first occurs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import markdown_files
from support import PRESENTED_LABS, REPO
from tilelab.labs import lab

GLOSSARY = REPO / "docs" / "glossary.md"
GUIDE = REPO / "docs" / "student.md"
WORDS = (
    "kernel host device launch thread block grid guard multiprocessor warp lane divergence shuffle "
    "registers local-memory global-memory cache shared-memory constant-memory request sector "
    "coalesced-access bank bank-conflict broadcast barrier data-race tile halo stencil pencil "
    "baseline ladder loads-per-element bandwidth latency occupancy bytes-in-flight peak speedup "
    "cold plus-minus roofline atomic-operation"
).split()

_ENTRY = re.compile(r"^### [^\n]+\n\n(.+?)(?=\n^##|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE_END = re.compile(r"[.?](?=\s|$)")
# Headings, code and images; code that is the text of a link stays.
_NO_PROSE = re.compile(
    r"^```.*?^```$|^(?:#| {4}|!\[)[^\n]*|(`[^`\n]*`\]\()|`[^`\n]*`", re.MULTILINE | re.DOTALL
)


def handouts() -> list[Path]:
    return [lab.load(name).handout for name in PRESENTED_LABS]


def pages() -> list[Path]:
    """All that a student reads, apart from the glossary."""
    return [GUIDE, *(path for one in handouts() for path in sorted(one.parent.glob("*.md")))]


def to_glossary(path: Path) -> list[markdown_files.Link]:
    links = markdown_files.links(path.read_text(encoding="utf-8"), path)
    return [link for link in links if link.target == GLOSSARY]


def early(text: str, path: Path) -> list[str]:
    """The words that occur in prose before they are linked to the glossary."""
    prose = _NO_PROSE.sub(r"\1", text).replace("`", "")
    found = []
    for link in markdown_files.links(prose, path):
        if link.target == GLOSSARY and link.anchor:
            words = r"\s+".join(re.escape(word) for word in link.text.split())
            first = re.search(rf"(?<!\w){words}(?!\w)", prose, re.IGNORECASE)
            assert first
            if not prose[first.end() :].startswith(f"]({link.address})"):
                found.append(link.text)
    return found


def test_the_glossary_has_the_words_and_no_others() -> None:
    anchors = markdown_files.anchors(GLOSSARY.read_text(encoding="utf-8"))
    entries = re.findall(r"^### (.+)$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(WORDS) == sorted(markdown_files.slug(entry) for entry in entries)
    assert set(WORDS) <= set(anchors)


def test_an_entry_is_a_few_sentences() -> None:
    entries = _ENTRY.findall(GLOSSARY.read_text(encoding="utf-8"))
    assert len(entries) == len(WORDS)
    for entry in entries:
        definition = entry.partition("\n\n")[0]
        assert 2 <= len(_SENTENCE_END.findall(definition)) <= 4, definition


def test_every_word_is_linked_from_a_page_for_students() -> None:
    linked = {link.anchor for path in pages() for link in to_glossary(path)}
    assert linked - {""} == set(WORDS)


@pytest.mark.parametrize("path", handouts(), ids=lambda path: path.parent.name)
def test_every_handout_links_the_glossary(path: Path) -> None:
    assert to_glossary(path)


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(REPO)))
def test_a_word_is_linked_once_and_where_it_first_occurs(path: Path) -> None:
    anchors = [link.anchor for link in to_glossary(path)]
    assert sorted(set(anchors)) == sorted(anchors)
    assert early(path.read_text(encoding="utf-8"), path) == []


def test_a_link_after_the_first_use_is_found() -> None:
    late = "# A warp\n\n    a warp\n\n`warp`, and\na warp of [Warp](glossary.md#warp)\n"
    assert early(late, GUIDE) == ["Warp"]
    assert early(late.replace("a warp of", "a"), GUIDE) == []
    two_lines = "shared\nmemory, [shared memory](glossary.md#shared-memory)\n"
    assert early(two_lines, GUIDE) == ["shared memory"]
