"""Pictures of matplotlib's in fewer lines."""

from __future__ import annotations

from support import REPO
from tilelab.bench import short_svg

LONG = """<?xml version="1.0"?>
<svg xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg">
 <defs><path id="mark" d="M 0 0
L 1 1
"/></defs>
 <g id="figure_1">
  <!-- a comment -->
  <g id="line_1">
   <use xlink:href="#mark" x="3"/>
  </g>
  <g id="word_1" transform="scale(2)">
   <text>two words</text>
  </g>
 </g>
</svg>
"""


def test_a_line_draws_one_thing() -> None:
    assert short_svg.of(LONG).splitlines()[1:] == [
        '<defs><path id="mark" d="M 0 0 L 1 1 " /></defs>',
        '<use xlink:href="#mark" x="3" />',
        '<g id="word_1" transform="scale(2)"><text>two words</text></g>',
        "</svg>",
    ]


def test_the_picture_keeps_its_size_and_its_links() -> None:
    first = short_svg.of(LONG).splitlines()[0]
    assert 'viewBox="0 0 9 9"' in first
    assert 'xmlns:xlink="http://www.w3.org/1999/xlink"' in first


def test_no_plot_outweighs_its_page() -> None:
    plots = [*(REPO / "docs" / "results").rglob("*.svg")]
    assert plots
    long = {path.name for path in plots if len(path.read_text().splitlines()) > 300}
    assert not long, "bench --tables draws plots in at most 300 lines"
