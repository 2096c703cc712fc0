"""Rewrites a picture of matplotlib's in fewer lines: one for each thing that is drawn."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

_SVG = "http://www.w3.org/2000/svg"
_GROUP = f"{{{_SVG}}}g"


def of(svg: str) -> str:
    """The same picture without comments, names and groups that nothing refers to."""
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ET.fromstring(svg)
    drawn = [*_drawn(root)]
    for child in [*root]:
        root.remove(child)
    root.text = None
    start, end = ET.tostring(root, "unicode", short_empty_elements=False).rsplit("<", 1)
    lines = [re.sub(r' xmlns(:\w+)?="[^"]*"', "", _line(one)) for one in drawn]
    links = "" if "xmlns:xlink" in start else ' xmlns:xlink="http://www.w3.org/1999/xlink"'
    return "\n".join([start.replace("<svg", f"<svg{links}", 1), *lines, f"<{end}"]) + "\n"


def _drawn(element: ET.Element) -> Iterator[ET.Element]:
    """The children, and in place of a group that changes nothing what is in it."""
    for child in element:
        if child.tag == _GROUP and {*child.keys()} <= {"id"}:
            yield from _drawn(child)
        else:
            yield child


def _line(element: ET.Element) -> str:
    for one in element.iter():
        one.tail = None
        if len(one):
            one.text = None
    return " ".join(ET.tostring(element, "unicode").split())
