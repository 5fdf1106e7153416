"""Tables of GROMACS's tabulated bonds, angles and dihedral angles (`gmx mdrun -tableb`): files with three columns, the coordinate (nm or
degrees), a function and minus its derivative. Bonds begin at 0, angles go from 0 to 180, dihedral angles from -180 to 180 degrees.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import NamedTuple, Sequence

from . import digits
from ._library import InputError
from .molecules import TABLE_LEAST, TABLE_MOST, TABLES, Table

SPACING = 0.01  # of a step, the largest deviation of a row from equal spacing, as in GROMACS
DEVIATION = 0.2  # of the derivative, on average: where GROMACS warns
CLOSED = 0.01  # of the range, the largest difference of both ends of a dihedral angle


class Kind(NamedTuple):
    """A kind of tabulated terms: words for messages, first and last coordinate, A (or degrees) per unit of the file."""

    words: str
    first: float
    last: float
    unit: float


KINDS = {
    "distance-table": Kind("a bond", 0.0, math.inf, 10.0),
    "angle-table": Kind("an angle", 0.0, 180.0, 1.0),
    "torsion-table": Kind("a dihedral angle", -180.0, 180.0, 1.0),
}


def find(term: str, number: int, given: Sequence[str], topology: str, where: str) -> str:
    """The file of a table: the given one whose name ends as required, or the one of GROMACS's default name beside the topology.
    InputError: no such file exists, or several do."""
    ending = f"_{TABLES[term]}{number}.xvg"
    fitting = [name for name in given if os.path.basename(name).endswith(ending)]
    if len(fitting) > 1:
        raise InputError(f"{fitting[0]} and {fitting[1]}: both names end in {ending}, so the table of {where} is not unique")
    beside = Path(topology).parent / f"table{ending}"
    if not fitting and not beside.exists():
        raise InputError(
            f"{where}: needs the table *{ending}, as for gmx mdrun -tableb: give it between topology and coordinates, or as table{ending} beside the topology"
        )
    return fitting[0] if fitting else str(beside)


def _rows(path: str) -> list[tuple[int, tuple[float, ...]]]:
    """The lines of three numbers, with their numbers in the file."""
    found = []
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if not words or words[0][0] in "#@&":
            continue
        if len(words) != 3:
            raise InputError(f"{path}, line {number}: {len(words)} columns; a table has three: the coordinate, the function, and minus its derivative")
        try:
            found.append((number, tuple(digits.real(word) for word in words)))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: '{error}' is not a finite number") from None
    return found


def _check_ends(path: str, kind: Kind, rows: Sequence[tuple[int, tuple[float, ...]]]) -> None:
    if not TABLE_LEAST <= len(rows) <= TABLE_MOST:
        raise InputError(f"{path}: {len(rows)} rows; a table has {TABLE_LEAST} to {TABLE_MOST}")
    (first_line, (first, *_)), (last_line, (last, *_)) = rows[0], rows[-1]
    unit = "nm" if math.isinf(kind.last) else "degrees"
    if abs(first - kind.first) > 1e-6:
        raise InputError(f"{path}, line {first_line}: the table of {kind.words} begins at {first:g} {unit}; it must begin at {kind.first:g}")
    if not math.isinf(kind.last) and abs(last - kind.last) > 1e-6:
        raise InputError(f"{path}, line {last_line}: the table of {kind.words} ends at {last:g} degrees; it must end at {kind.last:g}")
    step = (last - first) / (len(rows) - 1)
    for k, (line, (x, *_)) in enumerate(rows):
        if not abs(x - first - k * step) <= SPACING * step:
            raise InputError(f"{path}, line {line}: the coordinate is {x:g} {unit}, but equal spacing requires {first + k * step:g}")


def _check_derivative(path: str, rows: Sequence[tuple[int, tuple[float, ...]]]) -> None:
    step = (rows[-1][1][0] - rows[0][1][0]) / (len(rows) - 1)
    off = whole = 0.0
    for (_, before), (_, at), (_, after) in zip(rows, rows[1:], rows[2:]):
        difference = -(after[1] - before[1]) / (2.0 * step)
        off += abs(at[2] - difference)
        whole += 0.5 * (abs(at[2]) + abs(difference))
    if off > DEVIATION * whole:
        raise InputError(
            f"{path}, lines {rows[0][0]} to {rows[-1][0]}: the third column must be minus the derivative of the second; it deviates from the differences by "
            f"{100.0 * off / whole:.0f} % on average: check its sign and unit"
        )


def _check_closed(path: str, rows: Sequence[tuple[int, tuple[float, ...]]]) -> None:
    for column, words in ((1, "functions"), (2, "derivatives")):
        values = [row[column] for _, row in rows]
        if abs(values[-1] - values[0]) > CLOSED * (max(values) - min(values)):
            raise InputError(
                f"{path}, lines {rows[0][0]} and {rows[-1][0]}: the {words} at -180 and 180 degrees, which are one angle, are {values[0]:g} and {values[-1]:g}; they must be equal"
            )


def read(path: str, term: str) -> Table:
    """Reads a table, in A or degrees. InputError: with file and line."""
    kind = KINDS[term]
    rows = _rows(path)
    _check_ends(path, kind, rows)
    _check_derivative(path, rows)
    if term == "torsion-table":
        _check_closed(path, rows)
    last = kind.last if math.isfinite(kind.last) else kind.unit * rows[-1][1][0]
    return Table(os.path.basename(path), kind.first, last, tuple((v, -f / kind.unit) for _, (_, v, f) in rows))
