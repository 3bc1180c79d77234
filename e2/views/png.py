"""A picture as PNG."""

from __future__ import annotations

import re

from e2.errors import SettingsError

MAX_PIXELS = 100_000_000
"""A larger picture would take gigabytes while it is drawn."""

_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')


def png(svg: str) -> bytes:
    """One of this room's SVG pictures, drawn at its own size. SettingsError where that is beyond MAX_PIXELS.

    Text of the picture is made of strokes, and no font of the machine is asked for: all machines draw the same.
    """
    import resvg_py

    size = _SIZE.match(svg)
    assert size is not None
    width, height = float(size[1]), float(size[2])
    if width * height > MAX_PIXELS:
        raise SettingsError(f"a PNG of {width:.0f}x{height:.0f} pixels is too large; expected smaller cells")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
