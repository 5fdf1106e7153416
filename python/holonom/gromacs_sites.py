"""Numbers of virtual sites that a GROMACS topology omits (pdb2gmx -vsite), from lengths and angles at rest.

The names of types show which masses move a group, by GROMACS's convention; grompp computes the same numbers
(Feenstra, Hess and Berendsen, J. Comput. Chem. 20, 786 (1999)). Lengths are in nm, as in topologies, and angles in radians.
"""

from __future__ import annotations

import math
from typing import Callable, Mapping, NamedTuple, Optional, Sequence

Numbers = tuple[float, ...]


class Rest(NamedTuple):
    """A molecule at rest: lengths by the atoms of bonds and constraints, angles by their atoms, names of types."""

    lengths: Mapping[tuple[int, int], float]
    angles: Mapping[tuple[int, int, int], float]
    types: Sequence[str]

    def length(self, i: int, j: int) -> float:
        return self.lengths[min(i, j), max(i, j)]

    def angle(self, i: int, j: int, k: int) -> float:
        return self.angles[min(i, k), j, max(i, k)]


class Group(NamedTuple):
    """XH3 or XH2 on an atom i, moved by two masses j and k: the midpoint of the masses along i-X and half their distance across it,
    the site along the axis and its distance from it."""

    middle: float
    half: float
    along: float
    across: float


def _group(rest: Rest, site: int, i: int, j: int, k: int) -> Optional[Group]:
    """The group of a site; X is behind the two masses. None: j and k are not such masses."""
    if not any(all(rest.types[m].upper().startswith(name) for m in (j, k)) for name in ("MNH", "MCH3")):
        return None
    x, half = max(j, k) + 1, 0.5 * rest.length(j, k)
    middle, along, across = math.sqrt(rest.length(i, j) ** 2 - half * half), rest.length(i, x), 0.0
    if abs(rest.length(i, j) - rest.length(i, k)) > 1e-9:
        raise KeyError((i, j))
    if site != x:
        along -= rest.length(x, site) * math.cos(rest.angle(i, x, site))
        across = rest.length(x, site) * math.sin(rest.angle(i, x, site))
    return Group(middle, half, along, across)


def _plane(rest: Rest, site: int, i: int, j: int, k: int) -> Numbers:
    group = _group(rest, site, i, j, k)
    if group is None:
        raise KeyError((j, k))
    far, wide = 0.5 * group.along / group.middle, 0.5 * group.across / group.half
    return far + wide, far - wide


def _out(rest: Rest, site: int, i: int, j: int, k: int) -> Numbers:
    """The second and third hydrogen of a group, at 120 degrees from the one in the plane; other sites by both angles with j and k."""
    group = _group(rest, site, i, j, k)
    if group is not None:
        far, wide = 0.5 * group.along / group.middle, 0.5 * group.across * math.sin(math.pi / 6) / group.half
        return far - wide, far + wide, group.across * math.cos(math.pi / 6) / (2.0 * group.middle * group.half)
    length, one, two = rest.length(site, i), rest.length(i, j), rest.length(i, k)
    p, q = (length * math.cos(rest.angle(site, i, m)) for m in (j, k))
    cosine = math.cos(rest.angle(j, i, k))
    square = 1.0 - cosine * cosine
    height = length**2 - (p * p - 2.0 * p * q * cosine + q * q) / square
    return (p - q * cosine) / square / one, (q - p * cosine) / square / two, -math.sqrt(height) / (one * two * math.sqrt(square))


def _fixed(rest: Rest, site: int, i: int, j: int, k: int) -> Numbers:
    """A site on the line from i to a point of j-k, on the other side of i."""
    one, two = (rest.length(i, m) * math.sin(rest.angle(site, i, m)) for m in (j, k))
    return one / (one + two), -rest.length(site, i)


def _angle(rest: Rest, site: int, i: int, j: int, _: int) -> Numbers:
    return math.degrees(rest.angle(site, i, j)), rest.length(site, i)


def _normal(rest: Rest, site: int, i: int, *others: int) -> Numbers:
    """A site along the normal on which the vectors to the others, scaled by a and b, have equal projections."""
    j, k, l = (rest.length(i, m) * math.cos(rest.angle(site, i, m)) for m in others)
    return j / k, j / l, rest.length(site, i)


KINDS: Mapping[tuple[str, int], Callable[..., Numbers]] = {
    ("virtual_sites3", 1): _plane,
    ("virtual_sites3", 2): _fixed,
    ("virtual_sites3", 3): _angle,
    ("virtual_sites3", 4): _out,
    ("virtual_sites4", 2): _normal,
}


def numbers(directive: str, function: int, swapped: bool, atoms: Sequence[int], rest: Rest) -> Optional[Numbers]:
    """The numbers of a site, atoms[0], with its parents; swapped: on the other side of their plane. None: lengths or angles at rest
    are missing."""
    try:
        found = KINDS[directive, function](rest, *atoms)
    except (KeyError, ValueError, ZeroDivisionError):
        return None
    if swapped and function == 3:
        return (360.0 - found[0], found[1])
    return (*found[:-1], -found[-1]) if swapped and function == 4 else found
