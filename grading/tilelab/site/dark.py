"""Makes the dark twin of a figure that was drawn for light pages."""

from __future__ import annotations

import colorsys
import re

_COLOR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
_DARKEST, _LIGHTEST = 0.11, 0.94


def is_dark(svg: str) -> bool:
    """Whether the figure is dark by itself, as pictures of terminals are."""
    return 'class="rich-terminal"' in svg


def twin(svg: str) -> str:
    """The figure with the lightness of its colors reversed: ink on paper becomes chalk on slate."""
    # What names no color is black.
    inked = svg.replace("<svg ", '<svg fill="#000000" ', 1)
    return _COLOR.sub(lambda found: _reversed(found[0]), inked)


def _reversed(color: str) -> str:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    lightness = _LIGHTEST - (_LIGHTEST - _DARKEST) * lightness
    # Strong pastels glow on dark ground.
    rgb = colorsys.hls_to_rgb(hue, lightness, 0.75 * saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)
