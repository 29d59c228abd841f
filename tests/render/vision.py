"""How colours look to people with a colour vision deficiency (Machado, Oliveira and Fernandes 2009, severity 1)."""

import math

from render.palette import RGB

Matrix = tuple[tuple[float, float, float], ...]

NORMAL: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
PROTAN: Matrix = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTAN: Matrix = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
TRITAN: Matrix = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))
KINDS = {"normal": NORMAL, "protan": PROTAN, "deutan": DEUTAN, "tritan": TRITAN}


def lab(colour: RGB, seen: Matrix) -> tuple[float, float, float]:
    """The colour as seen, in CIE L*a*b*."""
    linear = [(c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    r, g, b = (min(1.0, max(0.0, sum(m * v for m, v in zip(row, linear, strict=True)))) for row in seen)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: RGB, other: RGB, seen: Matrix) -> float:
    """How different two colours look (CIE76)."""
    return math.dist(lab(one, seen), lab(other, seen))
