"""Pictures as arrays, and as eyes see them that do not tell all colours."""

from __future__ import annotations

import re
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from e2.views.png import png

Pixels = NDArray[np.float64]

# Machado, Oliveira and Fernandes (2009), full strength, on linear RGB; grey is the luminance.
SIGHTS = {
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def pixels(svg: str) -> Pixels:
    """The picture drawn: height x width x 3, sRGB from 0 to 1. What is transparent is white."""
    return decoded(png(svg))


def part(svg: str, x: float, y: float, width: int, height: int, *, scale: int = 2) -> Pixels:
    """A part of the picture, in its own units, at `scale` pixels a unit."""
    window = f'width="{width * scale}" height="{height * scale}" viewBox="{x:g} {y:g} {width} {height}"'
    svg, changed = re.subn(r'width="[^"]*" height="[^"]*" viewBox="[^"]*"', window, svg, count=1)
    assert changed
    return pixels(svg)


def decoded(data: bytes) -> Pixels:
    """A PNG of 8-bit RGBA without interlace, as the drawing library writes it."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    assert (depth, kind, interlace) == (8, 6, 0)
    at, packed = 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 4 * width)
    image = np.zeros((height, width, 4), np.int64)
    above = np.zeros((width, 4), np.int64)
    for number, row in enumerate(rows):
        method, line = int(row[0]), row[1:].reshape(width, 4).astype(np.int64)
        if method == 2:
            line = (line + above) % 256
        elif method == 1:
            line = np.cumsum(line, axis=0) % 256
        elif method:
            for x in range(width):
                left = line[x - 1] if x else np.zeros(4, np.int64)
                corner = above[x - 1] if x else np.zeros(4, np.int64)
                guess = (left + above[x]) // 2 if method == 3 else _nearest(left, above[x], corner)
                line[x] = (line[x] + guess) % 256
        image[number] = above = line
    alpha = image[..., 3:] / 255
    return image[..., :3] / 255 * alpha + 1 - alpha


def _nearest(left: NDArray[np.int64], up: NDArray[np.int64], corner: NDArray[np.int64]) -> NDArray[np.int64]:
    """Paeth's guess."""
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    guess = np.where(to_up <= to_corner, up, corner)
    return np.where((to_left <= to_up) & (to_left <= to_corner), left, guess)


def lab(image: Pixels, sight: str | None = None) -> Pixels:
    """CIE L*a*b* of what an eye of that kind sees."""
    linear = np.where(image <= 0.04045, image / 12.92, ((image + 0.055) / 1.055) ** 2.4)
    if sight is not None:
        linear = np.clip(linear @ np.array(SIGHTS[sight]).T, 0, 1)
    to_xyz = np.array(((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)))
    xyz = linear @ to_xyz.T / np.array((0.9505, 1.0, 1.089))
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=-1)


def apart(one: Pixels, other: Pixels) -> float:
    """Root mean square distance of two pictures in L*a*b*: black and white are 100 apart, a glance tells 10."""
    return float(np.sqrt(((one - other) ** 2).sum(axis=-1).mean()))
