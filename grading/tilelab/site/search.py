"""Writes what the search of the site looks through: sections of pages, and names of the API."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

_KINDS = ("class", "struct", "namespace", "file")


@dataclass(frozen=True)
class Entry:
    """Something that can be found. `page` says where it is, `text` is searched too."""

    url: str
    page: str
    heading: str
    text: str


def names(tags: Path) -> Iterator[Entry]:
    """The documented names, from the tag file that Doxygen wrote."""
    for compound in xml.parse(tags).getroot():
        kind, name = compound.get("kind"), compound.findtext("name", "")
        if kind not in _KINDS:
            continue
        yield Entry(_page(compound.findtext("filename", "")), f"API: {kind}", name, "")
        for member in compound.findall("member") if kind != "file" else ():
            url = f"{_page(member.findtext('anchorfile', ''))}#{member.findtext('anchor', '')}"
            arguments = member.findtext("arglist", "")
            yield Entry(url, f"API: {name}", member.findtext("name", ""), arguments)


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Writes a script, because pages that are opened as files cannot load data."""
    listed = [asdict(entry) for entry in entries]
    text = json.dumps(listed, ensure_ascii=False, indent=0)
    path.write_text(f"const ENTRIES = {text};\n", encoding="utf-8")


def _page(name: str) -> str:
    return name if name.endswith(".html") else f"{name}.html"
