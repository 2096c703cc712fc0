"""Makes the dark twin of a figure that was drawn for light pages."""

from __future__ import annotations

import colorsys
import math
import re

_COLOR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
_DARKEST, _LIGHTEST = 0.11, 0.94
_INK = 0.6  # darker colors draw lines and words, lighter ones fill
_READABLE = 0.22  # the luminance that ink needs on the darkest ground


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
    is_ink = lightness < _INK
    lightness = _LIGHTEST - (_LIGHTEST - _DARKEST) * lightness
    saturation *= 0.75  # strong pastels glow on dark ground
    # A purple or a blue is darker than its lightness says.
    while is_ink and _luminance(hue, lightness, saturation) < _READABLE:
        lightness += 0.02
    return "#" + "".join(
        f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, lightness, saturation)
    )


def _luminance(hue: float, lightness: float, saturation: float) -> float:
    rgb = colorsys.hls_to_rgb(hue, lightness, saturation)
    weights = (0.2126, 0.7152, 0.0722)
    return sum(math.pow(part, 2.2) * weight for part, weight in zip(rgb, weights, strict=True))
