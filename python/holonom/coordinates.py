"""Reads GRO and PDB files, compares them with a topology, makes molecules whole and writes GRO files."""

from __future__ import annotations

import bz2
import gzip
import math
import re
import zlib
from dataclasses import dataclass
from typing import Iterator, Optional

import numpy as np

from . import digits
from ._library import InputError
from .molecules import LISTED_MOST, System, neighbours

NM = 10.0
Array = np.ndarray
_BOX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))  # GRO's numbers in the edges


@dataclass
class Frame:
    """A frame: names (with at most `letters` letters), positions in A, velocities in A/ps, edges of the box in A or None; decimals of positions in nm."""

    path: str
    names: list[str]
    residues: list[str]
    rows: list[int]
    x: Array
    v: Optional[Array] = None
    cell: Optional[Array] = None
    decimals: int = 3
    letters: int = 5


def ending(path: str) -> str:
    """The ending of a name in lower case, without .gz or .bz2."""
    plain = path.lower().removesuffix(".gz").removesuffix(".bz2")
    return plain[plain.rfind(".") :]


def _rows(path: str) -> list[str]:
    """The lines of a file, which may be compressed by gzip or bzip2. InputError: it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    try:
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else bz2.decompress(data) if data.startswith(b"BZh") else data
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise InputError(f"{path} cannot be unpacked: {error}") from None
    return data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def read(path: str) -> Frame:
    """Reads a frame, in the format of the name's ending; the file may be compressed. InputError: with file and line."""
    rows = _rows(path)
    frame = _gro(path, rows) if ending(path) == ".gro" else _pdb(path, rows)
    if not np.isfinite(frame.x).all():
        k = int(np.flatnonzero(~np.isfinite(frame.x).all(axis=1))[0])
        raise InputError(f"{path}, line {frame.rows[k]}: a coordinate of atom {k + 1} is not a number")
    return frame


def _real(text: str, where: str) -> float:
    try:
        return digits.real(text)
    except ValueError:
        raise InputError(f"{where}: '{text.strip()}' is not a number") from None


def _gro(path: str, rows: list[str]) -> Frame:
    try:
        n = digits.whole(rows[1])
    except (IndexError, ValueError):
        raise InputError(f"{path}, line 2: a .gro has the number of atoms here") from None
    if n < 1 or len(rows) < n + 3:
        raise InputError(f"{path}: line 2 announces {n} atoms, but at most {max(0, len(rows) - 3)} lines have atoms")
    points = [k for k, c in enumerate(rows[2]) if c == "." and k > 20]
    width = points[1] - points[0] if len(points) > 1 else 0
    if not 6 <= width <= 30:
        raise InputError(f"{path}, line 3: '{rows[2][:60]}' has not three coordinates in columns")
    fast = [len(row.rstrip()) > 20 + 3 * width for row in rows[2 : n + 2]]
    names, residues, x, v = [], [], np.empty((n, 3)), np.zeros((n, 3))  # atoms without velocities have 0
    for k, row in enumerate(rows[2 : n + 2]):
        where = f"{path}, line {k + 3}"
        residues.append(row[5:10].strip())
        names.append(row[10:15].strip())
        for d in range(3):
            x[k, d] = NM * _real(row[20 + d * width : 20 + (d + 1) * width], where)
            if fast[k]:
                v[k, d] = NM * _real(row[20 + (d + 3) * width : 20 + (d + 4) * width], where)
    box = [NM * _real(word, f"{path}, line {n + 3}") for word in rows[n + 2].split()]
    if len(box) not in (3, 9):
        raise InputError(f"{path}, line {n + 3}: the box has {len(box)} numbers; it must have three or nine (zeros: no box)")
    cell = np.zeros((3, 3))
    for value, place in zip(box, _BOX):
        cell[place] = value
    _check_cell(cell, path)
    return Frame(path, names, residues, list(range(3, n + 3)), x, v if any(fast) else None, cell if cell.any() else None, width - 5)


def _check_cell(cell: Array, path: str) -> None:
    if cell.any() and not (np.isfinite(cell).all() and (np.diag(cell) > 0.0).all() and not np.triu(cell, 1).any()):
        raise InputError(
            f"{path}: the edges do not form a box: the first must lie along x, the second in the plane of x and y, and the volume must be positive"
        )


def _pdb(path: str, rows: list[str]) -> Frame:
    names, residues, at, x, cell = [], [], [], [], None
    for k, row in enumerate(rows, 1):
        where = f"{path}, line {k}"
        if row.startswith(("ATOM  ", "HETATM")):
            if row[16:17] not in (" ", "A", ""):
                raise InputError(f"{where}: a second position of atom {row[12:16].strip()} (location {row[16]}): remove one of them")
            names.append(row[12:16].strip())
            residues.append(row[17:21].strip())
            at.append(k)
            x.append([_real(row[30 + 8 * d : 38 + 8 * d], where) for d in range(3)])
        elif row.startswith("CRYST1"):
            cell = cell_of(
                [_real(row[6 + 9 * d : 15 + 9 * d], where) for d in range(3)],
                [_real(row[33 + 7 * d : 40 + 7 * d], where) for d in range(3)],
                where,
            )
        elif row.startswith("ENDMDL"):
            break
    if not names:
        raise InputError(f"{path} has no atoms: neither .gro nor PDB?")
    if cell is not None:
        _check_cell(cell, path)
    return Frame(path, names, residues, at, np.array(x), None, cell, 4, 4)


def cell_of(lengths: list[float], angles: list[float], where: str) -> Optional[Array]:
    """Edges from lengths in A and angles in degrees; None for a cube of 1 A, which means no box in PDB. InputError: not a box."""
    if max(lengths) <= 1.0:
        return None
    said = f"{where}: a box of {', '.join(f'{x:g}' for x in lengths)} A with angles of {', '.join(f'{x:g}' for x in angles)} degrees"
    if not all(math.isfinite(x) and x > 0.0 for x in lengths):
        raise InputError(f"{said}: lengths must be above 0")
    if not all(math.isfinite(angle) and 0.0 < angle < 180.0 for angle in angles):
        raise InputError(f"{said}: angles must be between 0 and 180 degrees")
    a, b, c = lengths
    cos = [0.0 if abs(angle - 90.0) < 1e-9 else math.cos(math.radians(angle)) for angle in angles]
    sin = math.sqrt(1.0 - cos[2] ** 2)
    cy = (cos[0] - cos[1] * cos[2]) / sin
    cz = 1.0 - cos[1] ** 2 - cy**2
    if cz <= 1e-12:
        raise InputError(f"{said}: three edges with these angles enclose no volume")
    return np.array([[a, 0.0, 0.0], [b * cos[2], b * sin, 0.0], [c * cos[1], c * cy, c * math.sqrt(cz)]])


def image_distance(cell: Array) -> float:
    """The least distance between a point and its images, A. In a rhombic dodecahedron it exceeds the distance of two faces of the cell."""
    edges = cell.copy()
    for d, by in ((1, 0), (2, 1), (2, 0)):
        edges[d] -= np.rint(edges[d, by] / edges[by, by]) * edges[by]
    least = min(np.linalg.norm(edges, axis=1))
    # combinations with more of an edge are farther away than the length of the shortest edge
    reach = (least * np.linalg.norm(np.linalg.inv(edges), axis=0)).astype(int)
    whole = np.stack(np.meshgrid(*(np.arange(-n, n + 1) for n in reach)), axis=-1).reshape(-1, 3)
    lengths = np.linalg.norm(whole[whole.any(axis=1)] @ edges, axis=1)
    return float(min(least, lengths.min(initial=least)))


def cell_from(text: str) -> Array:
    """Edges from a text of one length in A, three lengths, or three lengths and three angles in degrees."""
    numbers = [_real(word, f"the box {text}") for word in text.split(",")]
    if len(numbers) not in (1, 3, 6):
        raise InputError(f"the box {text} has {len(numbers)} numbers; it must have one length, three, or three and three angles")
    cell = cell_of((3 * numbers)[:3] if len(numbers) == 1 else numbers[:3], numbers[3:] or [90.0] * 3, f"the box {text}")
    if cell is None:
        raise InputError(f"the box {text} is too small: lengths are in A, angles in degrees")
    return cell


def fit(system: System, frame: Frame) -> None:
    """InputError: topology and coordinates have different numbers of atoms. Different names are a warning: the order counts, and the
    topology's names are used."""
    n, differ = 0, {}  # names in both files: lines
    for name, copy, k, atom in system.atoms():
        if n >= len(frame.names):
            place = f"{atom.name} of {atom.residue} (molecule {name}, number {copy + 1}, atom {k + 1})"
            raise InputError(f"{frame.path} has {n} atoms, the topology {system.natoms}: the first without coordinates is {place}")
        if frame.names[n] != atom.name[: frame.letters]:
            theirs = f"{frame.names[n]} of {frame.residues[n]}" if frame.residues[n] else frame.names[n]
            differ.setdefault(f"{theirs} is {atom.name} of {atom.residue}", []).append(frame.rows[n])
        n += 1
    if n < len(frame.names):
        extra = f"{frame.names[n]} of {frame.residues[n]}"
        raise InputError(
            f"{frame.path}, line {frame.rows[n]}: {len(frame.names)} atoms, the topology has {n}: the first superfluous one is {extra}"
        )
    if differ:
        listed = "; ".join(
            f"{what} (line {rows[0]})" if len(rows) == 1 else f"{what} ({len(rows)} times, first in line {rows[0]})"
            for what, rows in list(differ.items())[:LISTED_MOST]
        )
        more = f"; and {len(differ) - LISTED_MOST} more" if len(differ) > LISTED_MOST else ""
        system.warnings.append(
            f"{frame.path}: {sum(map(len, differ.values()))} of {len(frame.names)} atoms have another name in the topology, whose names and order are used: "
            f"{listed}{more}. Is the order right?"
        )


def make_whole(system: System, frame: Frame) -> None:
    """Moves atoms by edges of the box next to the atoms that they are bonded to."""
    if frame.cell is None:
        return
    first = 0
    for name, count in system.contents:
        molecule = system.molecules[name]
        n = len(molecule.atoms)
        ties = molecule.tied() + [(site.parents[0], site.atom) for site in molecule.virtual]
        x = frame.x[first : first + count * n].reshape(count, n, 3)
        for i, j in _tree(neighbours(n, ties)):
            apart = x[:, j] - x[:, i]
            for d in (2, 1, 0):
                apart -= np.outer(np.rint(apart[:, d] / frame.cell[d, d]), frame.cell[d])
            x[:, j] = x[:, i] + apart
        first += count * n


def _tree(near: list[list[int]]) -> Iterator[tuple[int, int]]:
    """Bonds in an order in which the first atom of each is already in its final position."""
    seen = set()
    for start in range(len(near)):
        stack = [] if start in seen else [start]
        seen.update(stack)
        while stack:
            i = stack.pop()
            for j in near[i]:
                if j not in seen:
                    seen.add(j)
                    stack.append(j)
                    yield i, j


def gro(system: System, frame: Frame, title: str) -> Iterator[str]:
    """The lines of a GRO file, with the topology's names and at least the digits of the input."""
    decimals = min(9, max(3, frame.decimals))
    yield " ".join(re.sub(r"[^\x20-\x7e]", " ", title).split()) or "imported"
    yield str(len(frame.x))
    width, residue, before = decimals + 5, 0, None
    for n, (molecule, copy, _, atom) in enumerate(system.atoms()):
        place = molecule, copy, atom.residue, atom.number
        residue += place != before
        before = place
        residue_name, name = (text.encode("ascii", "replace").decode() for text in (atom.residue, atom.name))
        row = f"{residue % 100000:5d}{residue_name:<5.5s}{name:>5.5s}{(n + 1) % 100000:5d}"
        row += "".join(f"{value:{width}.{decimals}f}" for value in frame.x[n] / NM)
        if frame.v is not None:
            row += "".join(f"{value:{width}.{decimals + 1}f}" for value in frame.v[n] / NM)
        if len(row) != 20 + width * (3 if frame.v is None else 6):
            raise InputError(f"{frame.path}: atom {n + 1} has a coordinate or velocity too large for the columns of a .gro")
        yield row
    cell = np.zeros((3, 3)) if frame.cell is None else frame.cell
    oblique = np.tril(cell, -1).any()
    yield " ".join(f"{cell[place] / NM:.9f}" for place in _BOX[: 9 if oblique else 3])
