"""Small PNG files."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

Color = tuple[int, int, int]

_COLORS = 64  # all flat ones, and enough others for the edges of letters


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
    """The picture in few colors. Flat ones stay as they are, which Pillow's own choice changes."""
    counts = {color: count for count, color in image.getcolors(image.width * image.height)}
    palette, nearest = _palette(counts)
    pixels = zip(*[iter(image.tobytes())] * 3, strict=True)
    few = Image.frombytes("P", image.size, bytes(nearest[pixel] for pixel in pixels))
    few.putpalette([part for color in palette for part in color])
    return few


def _palette(counts: dict[Color, int]) -> tuple[list[Color], dict[Color, int]]:
    """Colors that many pixels would miss, and for each color which of them is nearest."""
    palette: list[Color] = []
    nearest = dict.fromkeys(counts, 0)
    far = dict.fromkeys(counts, 3.0 * 255**2)
    while len(palette) < min(_COLORS, len(counts)):
        missed = max(counts, key=lambda color: counts[color] * far[color])
        for color, before in far.items():
            distance = math.dist(color, missed) ** 2
            if distance < before:
                far[color], nearest[color] = distance, len(palette)
        palette.append(missed)
    return palette, nearest
