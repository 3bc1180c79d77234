"""A picture as PNG."""

from __future__ import annotations


def png(svg: str) -> bytes:
    """The SVG drawn at its own size. No font of the machine is used, so every machine draws the same pixels."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
