"""Sites without mass in files of AMBER (extra points) and CHARMM (lone pairs) as rows of virtual sites.

AMBER places points by their bonds, in frames that sander and pmemd find from an atom's neighbours (Stone and Alderton, Mol. Phys. 56,
1047 (1985)), or by frames in the prmtop. CHARMM has them in a section of the PSF. In both programs a point has the interactions of its host, the atom
that it belongs to. Angles are in degrees, lengths in A; atoms count from 0.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from ._library import InputError
from .molecules import Pair, Virtual

HYDROGEN_MOST = 4.1  # g/mol, including heavy hydrogens
TETRAHEDRAL = 180.0 - 54.735  # between a lone pair and the bisector of the bonds, as in sander
SULPHUR = ("S", "SH")  # types with two points above and below the plane


class Points(NamedTuple):
    """Rows, the host of each site, and the sites without a row, with their number."""

    rows: list[Virtual]
    host: dict[int, int]
    refused: Counter


# --- AMBER --------------------------------------------------------------------------------------------------------------

# Frames in a prmtop (VIRTUAL_SITE_FRAMES of mdgx and pmemd): kind, number of parents, numbers.
GIVEN: Mapping[int, tuple[str, int, Callable[[float, float, float], tuple[float, ...]]]] = {
    4: ("2", 2, lambda a, b, c: (a,)),
    5: ("3", 3, lambda a, b, c: (a, b)),
    6: ("3fd", 3, lambda a, b, c: (b, a)),
    7: ("3fad", 3, lambda a, b, c: (math.degrees(b), a)),
    8: ("3out", 3, lambda a, b, c: (a, b, c)),
    9: ("2fd", 2, lambda a, b, c: (a,)),
    10: ("4fdn", 4, lambda a, b, c: (a, b, c)),
}


def _given(path: str, data: Mapping[str, Sequence[Any]], natom: int, points: Points) -> None:
    frames, details = data.get("VIRTUAL_SITE_FRAMES", ()), data.get("VIRTUAL_SITE_FRAME_DETAILS", ())
    if len(frames) % 6 != 0 or len(details) != len(frames) // 2:
        raise InputError(f"{path}: VIRTUAL_SITE_FRAMES must have six numbers, and VIRTUAL_SITE_FRAME_DETAILS three, for each point")
    for k in range(0, len(frames), 6):
        site, *parents, kind = (int(n) for n in frames[k : k + 6])
        if kind not in GIVEN:
            points.refused[f"extra points of frame {kind} of VIRTUAL_SITE_FRAMES"] += 1
            continue
        name, count, numbers = GIVEN[kind]
        atoms = (site, *parents[:count])
        if not all(1 <= n <= natom for n in atoms) or len(set(atoms)) < len(atoms):
            raise InputError(f"{path}: VIRTUAL_SITE_FRAMES places atom {site} by atoms {' '.join(map(str, atoms[1:]))}")
        values = numbers(*(float(x) for x in details[k // 2 : k // 2 + 3]))
        points.rows.append(Virtual(site - 1, name, tuple(n - 1 for n in atoms[1:]), values))
        points.host[site - 1] = parents[0] - 1


class _Near(NamedTuple):
    """The neighbours of each atom in the order of bonds: heavy atoms, hydrogens, and points with the lengths of their bonds."""

    heavy: Mapping[int, list[int]]
    light: Mapping[int, list[int]]
    points: Mapping[int, list[tuple[int, float]]]


def _neighbours(bonds: Iterable[Any], massless: set[int]) -> _Near:
    near = _Near(defaultdict(list), defaultdict(list), defaultdict(list))
    for bond in bonds:
        light = any(a.mass < HYDROGEN_MOST for a in (bond.atom1, bond.atom2))
        for one, other in ((bond.atom1, bond.atom2), (bond.atom2, bond.atom1)):
            if other.idx in massless:
                near.points[one.idx].append((other.idx, bond.type.req))
            elif one.idx not in massless:
                (near.light if light else near.heavy)[one.idx].append(other.idx)
    return near


def _frame(host: int, near: _Near, type_: str) -> Union[str, tuple[str, tuple[int, ...], list[tuple[float, float]]]]:
    """Kind, parents, and angle and dihedral angle of each point; or a description of points without a frame."""
    heavy, light, n = near.heavy[host], near.light[host], len(near.points[host])
    if n > 2:
        return "more than two extra points on an atom"
    if len(heavy) + len(light) == 2:
        if n == 1:
            turns = [(180.0 if heavy else 0.0, 0.0)]  # inside for water, outside otherwise
        else:
            turns = [(90.0 if type_ in SULPHUR else TETRAHEDRAL, d) for d in (90.0, -90.0)]
        return "3bisector", (host, *heavy, *light), turns
    if len(heavy) == 1 and not light:
        middle = heavy[0]
        ends = [k for k in near.heavy[middle] if k != host]
        if len(ends) != 2 or near.light[middle]:
            return "extra points at the end of a bond whose other atom has not two more heavy neighbours"
        return "4bisector", (host, middle, *ends), [(180.0, 0.0)] if n == 1 else [(120.0, 0.0), (120.0, 180.0)]
    return "extra points on an atom with other than one or two neighbours"


def amber(path: str, parm: Any, massless: set[int]) -> Points:
    """Extra points of a prmtop."""
    points = Points([], {}, Counter())
    _given(path, parm.parm_data, len(parm.atoms), points)
    by_bonds(parm, massless, massless - points.host.keys(), points)
    return points


def by_bonds(parm: Any, massless: set[int], wanted: set[int], points: Points) -> None:
    """Adds sites that are placed by bonds of ParmEd's structure."""
    left, near = set(wanted), _neighbours(parm.bonds, massless)
    for host in [h for h, found in near.points.items() if any(site in wanted for site, _ in found)]:
        found = near.points[host]
        left -= {site for site, _ in found}
        frame = "extra points on extra points" if host in massless else _frame(host, near, str(parm.atoms[host].type))
        if isinstance(frame, str):
            points.refused[frame] += len(found)
            continue
        kind, parents, turns = frame
        for (site, length), (angle, dihedral) in zip(found, turns):
            points.rows.append(Virtual(site, kind, parents, (angle, length, dihedral)))
            points.host[site] = host
    points.refused["sites without mass that no bond and no lone pair places"] += len(left)


# --- CHARMM -------------------------------------------------------------------------------------------------------------


class LonePair(NamedTuple):
    """Its atom, its parents, CHARMM's three values, and whether centres are centres of mass."""

    atom: int
    hosts: tuple[int, ...]
    values: tuple[float, float, float]
    weighted: bool


def lone_pairs(path: str, text: str) -> tuple[list[LonePair], str]:
    """Lone pairs of a PSF's section NUMLP, and the text with that section emptied, since ParmEd cannot read it."""
    head = re.search(r"(?m)^[ \t]*(\d+)[ \t]+(\d+)[ \t]*!\s*NUMLP.*$", text)
    if head is None or int(head[1]) == int(head[2]) == 0:
        return [], text
    count, total = int(head[1]), int(head[2])
    body = re.match(r"(?:\n[^\n!]*\S[^\n!]*(?=\n|$))*", text[head.end() :])
    rows = [row.split() for row in (body[0] if body else "").split("\n")[1:]]
    try:
        order = [int(word) - 1 for row in rows[count:] for word in row]
        found = []
        for hosts, first, weighted, *values in rows[:count]:
            begin, n = int(first) - 1, int(hosts)
            atoms = order[begin : begin + n + 1]
            if len(rows) < count or len(order) != total or begin < 0 or n < 0 or len(atoms) != n + 1 or len(values) != 3 or min(atoms) < 0:
                raise ValueError
            if len(set(atoms)) < len(atoms) or not all(map(math.isfinite, map(float, values))):
                raise ValueError
            found.append(LonePair(atoms[0], tuple(atoms[1:]), (float(values[0]), float(values[1]), float(values[2])), weighted == "T"))
        if len(found) != count:
            raise ValueError
    except ValueError:
        raise InputError(f"{path}: its section NUMLP NUMLPH must have {count} lone pairs, with {total} atoms including their parents") from None
    rest = text[head.end() + (body.end() if body else 0) :]
    return found, f"{text[: head.start()]}         0         0 !NUMLP NUMLPH\n{rest}"


def _turned(parents: tuple[int, ...], line: str, kind: str, values: tuple[float, float, float]) -> tuple[str, tuple[int, ...], tuple[float, ...]]:
    """A site at a length, an angle and a dihedral angle; a site on a line if the angle is flat, without a dihedral angle."""
    length, angle, dihedral = values
    if abs(math.sin(math.radians(angle))) > 1e-9:
        return kind, parents, (angle, length, dihedral)
    length = math.copysign(length, math.cos(math.radians(angle)))
    return (line, parents[:2], (length,)) if line == "2fd" else (line, parents, (0.5, length))


def _placed(pair: LonePair, masses: Sequence[float], beside: Optional[int]) -> Union[str, tuple[str, tuple[int, ...], tuple[float, ...]]]:
    """Kind, atoms and numbers, or a description of a pair without a row."""
    one, two, three = pair.values
    n, hosts = len(pair.hosts), pair.hosts
    if n == 1:
        return ("2", (hosts[0], beside), (0.0,)) if beside is not None else "lone pairs on an atom without a bond (COLOCATE)"
    if n == 2 and (one == 0.0) != (two == 0.0):
        return ("2fd", hosts, (-one,)) if two == 0.0 else ("2", hosts, (-two,))
    if n == 2 and one != 0.0:
        return "lone pairs at a distance and a share of a bond (COLINEAR)"
    if n == 3 and one > 0.0:
        return _turned(hosts, "2fd", "3fadd", pair.values)
    if n == 3 and one < 0.0:
        return _turned(hosts, "3fd", "3median", (-one, two, three))
    if n in (2, 3):
        weights = [masses[k] if pair.weighted else 1.0 for k in hosts]
        return str(n), hosts, tuple(w / math.fsum(weights) for w in weights[1:])
    return "lone pairs in the centre of more than three atoms" if n > 3 else "lone pairs that are fixed in space"


def charmm(pairs: Sequence[LonePair], masses: Sequence[float], bonds: Iterable[Pair]) -> Points:
    """Points of CHARMM's lone pairs, each on its first host."""
    points = Points([], {}, Counter())
    beside: dict[int, int] = {}
    for i, j in bonds:
        beside.setdefault(i, j)
        beside.setdefault(j, i)
    for pair in pairs:
        row = _placed(pair, masses, beside.get(pair.hosts[0]) if pair.hosts else None)
        if isinstance(row, str):
            points.refused[row] += 1
        else:
            points.rows.append(Virtual(pair.atom, *row))
            points.host[pair.atom] = pair.hosts[0]
    return points


# --- both ---------------------------------------------------------------------------------------------------------------


def rigid(row: Virtual, arm: float, base: float) -> Virtual:
    """The same site on a rigid triangle as a sum of the two edges from its first atom: the form of water models."""
    if row.kind == "3fd" and row.numbers[0] == 0.5:
        row = row._replace(kind="3median", numbers=(0.0, row.numbers[1], 0.0))
    if row.kind not in ("3bisector", "3median"):
        return row
    angle, length, dihedral = math.radians(row.numbers[0]), row.numbers[1], math.radians(row.numbers[2])
    middle = math.sqrt(4.0 * arm * arm - base * base)  # of the sum of both arms
    along = length * math.cos(angle) / middle
    across = length * math.sin(angle) * math.cos(dihedral) / base
    out = -2.0 * length * math.sin(angle) * math.sin(dihedral) / (middle * base)
    across = across if abs(across) > 1e-12 else 0.0
    if abs(out) < 1e-12:
        return row._replace(kind="3", numbers=(along - across, along + across))
    return row._replace(kind="3out", numbers=(along - across, along + across, out))


def with_points(host: Mapping[int, int]) -> Callable[[Pair], Iterator[Pair]]:
    """A function that returns, for a pair of atoms, this pair and the pairs of the points on them."""
    on: dict[int, list[int]] = defaultdict(list)
    for site, atom in host.items():
        on[atom].append(site)
    return lambda pair: itertools.product(*((atom, *on.get(atom, ())) for atom in pair))  # type: ignore[arg-type, return-value]


def follow(pairs: Iterable[Pair], host: Mapping[int, int]) -> set[Pair]:
    """Pairs of atoms with mass, the pairs of the points on these, and all pairs of an atom and its points."""
    both = with_points(host)
    found = {one for pair in pairs if host.keys().isdisjoint(pair) for one in both(pair)}
    for atom in set(host.values()):
        found.update(pair for pair in both((atom, atom)) if pair[0] != pair[1])
    return {(min(pair), max(pair)) for pair in found}
