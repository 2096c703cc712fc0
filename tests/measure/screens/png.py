"""Small PNG files."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

Color = tuple[int, int, int]

_COLORS = 96  # all flat colors, and enough others for the edges of letters


def write(path: Path, pieces: Sequence[bytes], words: str) -> None:
    """Writes pictures of the same width, one below the other, with what they say."""
    images = [Image.open(io.BytesIO(piece)).convert("RGB") for piece in pieces]
    whole = Image.new("RGB", (images[0].width, sum(image.height for image in images)))
    y = 0
    for image in images:
        whole.paste(image, (0, y))
        y += image.height
    about = PngInfo()
    about.add_text("Description", words)
    _few_colors(whole).save(path, optimize=True, pnginfo=about)


def _few_colors(image: Image.Image) -> Image.Image:
    """The picture in its most frequent colors: Pillow's own choice would change the flat ones."""
    counted = sorted(image.getcolors(image.width * image.height), reverse=True)
    palette = [color for _, color in counted[:_COLORS]]
    nearest = {color: _nearest(color, palette) for _, color in counted}
    pixels = image.tobytes()
    few = Image.frombytes(
        "P", image.size, bytes(nearest[pixel] for pixel in zip(*[iter(pixels)] * 3, strict=True))
    )
    few.putpalette([part for color in palette for part in color])
    return few


def _nearest(color: Color, palette: Sequence[Color]) -> int:
    return min(range(len(palette)), key=lambda at: math.dist(color, palette[at]))
