"""Puts a picture's page together: one file that needs no other, and no network.

Everything in a submission may try to become markup or script, also through the names and values in
its trace. So it only enters the page as JSON without any angle bracket, and the page's own script
turns it into text. The page's policy forbids every script and style but the page's own.
"""

from __future__ import annotations

import dataclasses
import html
import json
from pathlib import Path
from typing import Any

import msgspec

from tilelab.base.policy import hash_of
from tilelab.picture.packing import packed
from tilelab.picture.run import Picture, Side

_PARTS = Path(__file__).parent / "page"
_SCRIPTS = (
    "elements values packing memory copies sentences drawing/layout drawing/stage drawing/threads "
    "drawing/ways drawing/requests drawing/bank_paths drawing/timeline source findings counts view "
    "main"
).split()


def page(picture: Picture, command: str) -> str:
    """The page as HTML. `command` makes it again."""
    drawing = _read("drawing.css")
    script = '"use strict";\n(() => {\n' + "\n".join(_read(f"{n}.js") for n in _SCRIPTS) + "})();\n"
    style = _read("style.css") + drawing
    parts = {
        "policy": f"default-src 'none'; script-src {hash_of(script)}; style-src {hash_of(style)}; "
        "base-uri 'none'; form-action 'none'",
        "title": html.escape(f"{picture.lab.title}: what your kernel does"),
        "style": style,
        "script": script,
        "data": as_data(_data(picture, command, drawing)),
    }
    text = _read("page.html")
    # Part by part, so that no part is looked through for the place of another.
    pieces = []
    for name in ("policy", "title", "style", "data", "script"):
        before, text = text.split(f"{{{name}}}", 1)
        pieces += [before, parts[name]]
    return "".join([*pieces, text])


def as_data(value: object) -> str:
    """JSON that cannot end the script element that it is in."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _read(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _data(picture: Picture, command: str, drawing: str) -> dict[str, object]:
    return {
        "lab": picture.lab.name,
        "title": picture.lab.title,
        "command": command,
        "drawing": drawing,
        "kernels": [
            _kernel("Your kernel", picture.own, picture),
            _kernel("Baseline", picture.baseline, picture),
        ],
    }


def _kernel(label: str, side: Side, picture: Picture) -> dict[str, object]:
    return {
        "label": label,
        "name": side.name,
        "file": f"{picture.lab.name}.cu",  # what the compiler and so the trace calls every source
        "note": side.note,
        "source": side.text.splitlines(),
        "shared": [dataclasses.asdict(one) for one in side.shared],
        "calls": _calls(side),
    }


def _calls(side: Side) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = msgspec.to_builtins(side.calls)
    for call in calls:
        for launch in call["launches"]:
            launch["trace"]["steps"] = [packed(step) for step in launch["trace"]["steps"]]
    return calls
