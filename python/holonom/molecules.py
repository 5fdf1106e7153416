"""Molecules of a topology, in the units of molecules.yaml (A, kcal/mol, g/mol, e, degrees), and that file.

Readers of topologies (`gromacs`, `amber_charmm`) fill a `System`; `lines` makes the file.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

from ._library import InputError

KCAL = 4.184  # kJ
Pair = tuple[int, int]

# Terms by name: the numbers of atoms and of parameters.
TERMS = {
    "bond": (2, 2),
    "bond-quartic": (2, 2),
    "bond-morse": (2, 3),
    "bond-polynomial": (2, 4),
    "urey-bradley": (2, 2),
    "angle": (3, 2),
    "angle-cosine": (3, 2),
    "angle-quartic": (3, 6),
    "angle-restricted": (3, 2),
    "angle-table": (3, 2),
    "bond-bond": (3, 3),
    "torsion": (4, 3),
    "torsion-ryckaert": (4, 6),
    "torsion-table": (4, 2),
    "improper": (4, 2),
    "improper-periodic": (4, 3),
    "cmap": (5, 1),
    "distance-table": (2, 2),
    "distance-restraint": (2, 4),
    "dihedral-restraint": (4, 3),
    "pair-14": (2, 3),
}
TIES = ("bond", "bond-quartic", "bond-morse", "bond-polynomial")  # terms whose two atoms are bonded
# The letters of tables in GROMACS, by term; the first number of such a term is that of its table.
TABLES = {"distance-table": "b", "angle-table": "a", "torsion-table": "d"}
# Parameters that must not be negative, with their names (SIZE in topology/terms.def).
SIZES: Mapping[str, Mapping[int, str]] = {
    "bond": {1: "force constant"},
    "bond-quartic": {1: "force constant"},
    "bond-morse": {1: "depth", 2: "rate"},
    "urey-bradley": {0: "length", 1: "force constant"},
    "angle": {1: "force constant"},
    "angle-cosine": {1: "force constant"},
    "angle-restricted": {1: "force constant"},
    "bond-bond": {0: "length", 1: "length"},
    "improper": {1: "force constant"},
    "distance-restraint": {0: "distance", 1: "distance", 2: "distance", 3: "force constant"},
    "dihedral-restraint": {1: "width", 2: "force constant"},
    "pair-14": {0: "sigma", 1: "epsilon"},
}
EXCLUDE_MOST = 4
GRID_LEAST, GRID_MOST = 4, 360  # nodes a side
TABLE_LEAST, TABLE_MOST = 4, 100_000  # rows
EXCLUSIONS_MOST = 4_000_000
FRACTION = 0.005  # e, the tolerance of a molecule's rounded charges from a whole number
NEUTRAL = 1e-4  # e, the largest charge of a neutral system
LISTED_MOST = 20  # names in one warning


class LJ(NamedTuple):
    """Lennard-Jones: sigma and epsilon, or with `powers` the factors of r^-12 and r^-6."""

    a: float
    b: float
    powers: bool = False

    @property
    def c12_c6(self) -> tuple[float, float]:
        """kcal A^12/mol, kcal A^6/mol."""
        six = self.a**6
        return (self.a, self.b) if self.powers else (4.0 * self.b * six * six, 4.0 * self.b * six)

    @property
    def sigma_epsilon(self) -> tuple[float, float]:
        """A, kcal/mol. A pure repulsion gets an attraction below the last digit within 100 A."""
        if not self.powers:
            return self.a, self.b
        c12, c6 = self.a, self.b
        if c12 == 0.0 and c6 == 0.0:
            return 0.0, 0.0
        if c12 <= 0.0 or c6 < 0.0:
            raise ValueError(f"c12 = {c12:g} and c6 = {c6:g} are an attraction without a repulsion")
        c6 = max(c6, 1e-28 * c12)
        return (c12 / c6) ** (1.0 / 6.0), c6 * c6 / (4.0 * c12)

    @property
    def nothing(self) -> bool:
        """Whether there is no force."""
        return self.c12_c6 == (0.0, 0.0)


def mixed(rule: str, one: LJ, other: LJ) -> LJ:
    """Lennard-Jones of two types by the mixing rule."""
    if one.powers or other.powers:
        (a, b), (c, d) = one.c12_c6, other.c12_c6
        return LJ(math.sqrt(a * c), math.sqrt(b * d), True)
    sigma = math.sqrt(one.a * other.a) if rule == "geometric" else 0.5 * (one.a + other.a)
    return LJ(sigma, math.sqrt(one.b * other.b))


def turn(angle: float) -> float:
    """The same angle, degrees, between -360 and 360, as molecules.yaml requires."""
    return angle if abs(angle) <= 360.0 else math.remainder(angle, 360.0)


class Atom(NamedTuple):
    """An atom of a molecule."""

    name: str
    type: str
    charge: float
    mass: float
    residue: str
    number: int
    chain: str = ""


class Virtual(NamedTuple):
    """A virtual site: its atom, kind, parents and numbers. Atoms count from 0."""

    atom: int
    kind: str
    parents: tuple[int, ...]
    numbers: tuple[float, ...]


class Restraint(NamedTuple):
    """A position restraint of an atom: constants along x, y and z, kcal/mol/A^2, and the radius of a flat bottom, A."""

    atom: int
    k: tuple[float, ...]
    flat: float


class Table(NamedTuple):
    """A function of a distance (A) or an angle (degrees), at equally spaced nodes: where it is from, first and last node, and its values
    and slopes."""

    source: str
    first: float
    last: float
    rows: tuple[tuple[float, float], ...]


@dataclass
class Molecule:
    """A molecule type. Atoms count from 0 here, and from 1 in the file."""

    name: str
    atoms: list[Atom] = field(default_factory=list)
    bonds: list[Pair] = field(default_factory=list)
    terms: dict[str, list[tuple[tuple[int, ...], tuple[float, ...]]]] = field(default_factory=dict)
    constraints: list[tuple[int, int, float]] = field(default_factory=list)
    virtual: list[Virtual] = field(default_factory=list)
    restraints: list[Restraint] = field(default_factory=list)  # not part of the file of molecules
    excluded: set[Pair] = field(default_factory=set)  # all excluded pairs
    exclude: int = 3  # pairs up to this number of bonds apart are excluded
    lines: dict[tuple[str, tuple[int, ...]], str] = field(default_factory=dict)  # places in the file of terms, atoms and other entries, by name and atoms, for messages

    def add(self, term: str, atoms: Sequence[int], numbers: Iterable[float]) -> None:
        """Adds a term."""
        self.terms.setdefault(term, []).append((tuple(atoms), tuple(numbers)))

    def at(self, name: str, atoms: Sequence[int], file: str) -> str:
        """The place of a term, a constraint, a virtual site or an atom, for messages; the file if the line is unknown."""
        return self.lines.get((name, tuple(atoms))) or self.lines.get((name, tuple(atoms)[::-1])) or file

    def placed(self) -> set[Pair]:
        """Pairs of a virtual site and a parent, which are excluded in files of molecules."""
        return {(min(s.atom, p), max(s.atom, p)) for s in self.virtual for p in s.parents}

    def tied(self) -> list[Pair]:
        """Bonded pairs, as a reader of the file finds them. Virtual sites have no bonds."""
        sites = {site.atom for site in self.virtual}
        found = {(min(pair), max(pair)) for pair in self.bonds}
        found.update((min(a), max(a)) for term in TIES for a, _ in self.terms.get(term, ()) if sites.isdisjoint(a))
        found.update((min(i, j), max(i, j)) for i, j, _ in self.constraints)
        return sorted(found)

    @property
    def charge(self) -> float:
        """Of all its atoms, e."""
        return math.fsum(atom.charge for atom in self.atoms)


@dataclass
class System:
    """The contents of a topology. `family`: its probable force field, a name of importer.FAMILIES, or empty. `grids`: n n energies
    each; terms cmap have their numbers. `tables`: by name (table_name)."""

    title: str = ""
    family: str = ""
    rule: str = "lorentz-berthelot"
    types: dict[str, LJ] = field(default_factory=dict)
    pairs: dict[tuple[str, str], LJ] = field(default_factory=dict)
    c4: dict[tuple[str, str], float] = field(default_factory=dict)  # C of -C/r^4, kcal A^4/mol
    grids: list[tuple[float, ...]] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    molecules: dict[str, Molecule] = field(default_factory=dict)
    contents: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)  # possible errors

    def grid(self, values: Sequence[float]) -> float:
        """The number of the grid with these energies, kcal/mol: n rows of n, a row for each first angle from -180 degrees on."""
        given = tuple(values)
        if given not in self.grids:
            self.grids.append(given)
        return float(self.grids.index(given))

    @property
    def charge(self) -> float:
        """Of all molecules, e."""
        return math.fsum(count * self.molecules[name].charge for name, count in self.contents)

    @property
    def natoms(self) -> int:
        """Of all molecules."""
        return sum(count * len(self.molecules[name].atoms) for name, count in self.contents)

    def atoms(self) -> Iterator[tuple[str, int, int, Atom]]:
        """All atoms in the order of the coordinates: molecule type, number of the copy, number of the atom, atom."""
        for name, count in self.contents:
            for copy in range(count):
                for k, atom in enumerate(self.molecules[name].atoms):
                    yield name, copy, k, atom


def neighbours(natoms: int, bonds: Iterable[Pair]) -> list[list[int]]:
    """The bonded neighbours of each atom."""
    found: list[list[int]] = [[] for _ in range(natoms)]
    for i, j in bonds:
        found[i].append(j)
        found[j].append(i)
    return found


def within(natoms: int, bonds: Iterable[Pair], apart: int) -> set[Pair]:
    """Pairs of atoms up to `apart` bonds apart."""
    near, found = neighbours(natoms, bonds), set()
    for i in range(natoms if apart > 0 else 0):
        steps, queue = {i: 0}, deque([i])
        while queue:
            at = queue.popleft()
            for j in near[at]:
                if j not in steps:
                    steps[j] = steps[at] + 1
                    if steps[j] < apart:
                        queue.append(j)
        found.update((i, j) for j in steps if j > i)
        if len(found) > EXCLUSIONS_MOST:
            raise InputError(f"up to {apart} bonds apart there are more than {EXCLUSIONS_MOST} excluded pairs")
    return found


# --- checks -------------------------------------------------------------------------------------------------------------


def check(system: System, where: str) -> None:
    """InputError: missing masses, impossible numbers, or contradictory constraints; with the line, if known, else with `where`, the
    file. Charges that do not sum to whole numbers are a warning."""
    for molecule in system.molecules.values():
        _check_sites(system, molecule, where)
        _check_terms(molecule, where)
        _check_constraints(molecule, where)
    parts = [f"{name} {molecule.charge:.6g} e" for name, molecule in system.molecules.items() if abs(molecule.charge - round(molecule.charge)) > FRACTION]
    if parts:
        more = f" and {len(parts) - LISTED_MOST} more" if len(parts) > LISTED_MOST else ""
        system.warnings.append(
            f"The charges of these molecules do not sum to a whole number: {', '.join(parts[:LISTED_MOST])}{more}. "
            "This is right for scaled charges; else a charge is missing or mistyped."
        )


def check_neutral(system: System) -> None:
    """Adds a warning if the charges of a periodic box do not sum to zero."""
    if abs(system.charge) > NEUTRAL:
        system.warnings.append(
            f"The charges of the box sum to {system.charge:.6g} e. A uniform background neutralises the box, as in other programs."
        )


def _check_sites(system: System, molecule: Molecule, where: str) -> None:
    placed = {site.atom for site in molecule.virtual}
    for k, atom in enumerate(molecule.atoms):
        if atom.mass <= 0.0 and k not in placed:
            raise InputError(
                f"{molecule.at('atom', (k,), where)}: molecule {molecule.name}, atom {k + 1} ({atom.name}) has a mass of {atom.mass:g} and is not a virtual site"
            )
    seen: set[int] = set()
    for site in molecule.virtual:
        if site.atom in seen:
            raise InputError(f"{molecule.at('virtual', (site.atom,), where)}: molecule {molecule.name}: a second row places the virtual site {site.atom + 1}")
        seen.add(site.atom)
    left = list(molecule.virtual)
    while left:
        open_ones = {site.atom for site in left}
        later = [site for site in left if open_ones.intersection(site.parents)]
        if len(later) == len(left):
            raise InputError(
                f"{molecule.at('virtual', (left[0].atom,), where)}: molecule {molecule.name}, atom {left[0].atom + 1}: a virtual site depends on sites that depend on it"
            )
        left = later


def _check_terms(molecule: Molecule, where: str) -> None:
    """InputError: impossible numbers of a term, or a constraint of a virtual site."""
    placed = {site.atom for site in molecule.virtual}
    rows = [("constraint", (i, j), (d,)) for i, j, d in molecule.constraints]
    for name, atoms, numbers in rows + [(name, *row) for name, found in molecule.terms.items() for row in found]:
        wrong = ""
        negative = [f"a {what} of {numbers[at]:g}" for at, what in SIZES.get(name, {}).items() if numbers[at] < 0.0]
        if name == "constraint" and placed.intersection(atoms):
            wrong = "a virtual site has none"
        elif negative:
            wrong = f"{negative[0]}; it must be 0 or more"
        elif (name in TIES or name == "constraint") and numbers[0] < 1e-3:
            wrong = f"a length of {numbers[0]:g} A"
        elif name.startswith("angle") and name not in TABLES and not 0.0 <= numbers[0] <= 180.0:
            wrong = f"an angle of {numbers[0]:g} degrees"
        elif name in ("torsion", "improper-periodic") and not (0 <= numbers[2] <= 12 and numbers[2] == round(numbers[2])):
            wrong = f"a multiplicity of {numbers[2]:g}; 0 to 12 are there"
        if wrong:
            raise InputError(f"{molecule.at(name, atoms, where)}: molecule {molecule.name}, {name} of atoms {' '.join(str(k + 1) for k in atoms)}: {wrong}")


def _check_constraints(molecule: Molecule, where: str) -> None:
    """InputError: two lengths for one distance, or a length above the sum of others that connect its atoms."""
    length: dict[Pair, float] = {}
    for i, j, d in molecule.constraints:
        pair = (min(i, j), max(i, j))
        if abs(length.setdefault(pair, d) - d) > 1e-9:
            raise InputError(
                f"{molecule.at('constraint', pair, where)}: molecule {molecule.name} constrains atoms {i + 1} and {j + 1} to {length[pair]:g} A here and to {d:g} A elsewhere"
            )
    near = neighbours(len(molecule.atoms), length)
    for (i, j), d in length.items():
        found = {i: 0.0}
        queue = [(0.0, i)]
        while queue:
            far, at = heapq.heappop(queue)
            for k in near[at]:
                way = far + length[min(at, k), max(at, k)]
                if {at, k} != {i, j} and way < min(d * (1 - 1e-9), found.get(k, math.inf)):
                    found[k] = way
                    heapq.heappush(queue, (way, k))
        if j in found:
            raise InputError(
                f"{molecule.at('constraint', (i, j), where)}: molecule {molecule.name} constrains atoms {i + 1} and {j + 1} to {d:g} A, and through other atoms to "
                f"{found[j]:g} A at most: change one of them"
            )


# --- water --------------------------------------------------------------------------------------------------------------


def water(system: System, molecule: Molecule, models: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The built-in water model of a molecule, or the reason why it is not one; both empty for other molecules."""
    atoms, n = molecule.atoms, len(molecule.atoms)
    if not 3 <= n <= 5 or abs(atoms[0].mass - 16.0) > 0.1 or any(not 0.9 < atom.mass < 4.1 for atom in atoms[1:3]):
        return "", ""
    if any(atom.mass != 0.0 for atom in atoms[3:]):
        return "", ""
    length = {(min(i, j), max(i, j)): d for i, j, d in molecule.constraints}
    if molecule.terms or set(length) != {(0, 1), (0, 2), (1, 2)} or abs(length[0, 1] - length[0, 2]) > 1e-6:
        return "", "it is not rigid"
    if any(not system.types[atom.type].nothing for atom in atoms[1:]):
        return "", "not its oxygen alone has Lennard-Jones"
    if any(atom.type in pair for pair in system.c4 for atom in atoms[1:]) or (atoms[0].type, atoms[0].type) in system.c4:
        return "", "its hydrogens have r^-4 terms, or its oxygens have them with each other"
    ours = _water_numbers(system, molecule, length[0, 1], length[1, 2])
    if ours is None:
        return "", "its sites without mass are placed otherwise"
    for model in models:
        if all(abs(ours[key] - model[key]) <= slack for key, slack in _slack(model).items()):
            return model["name"], ""
    return "", "its charges, Lennard-Jones or geometry are those of none of them"


def _slack(model: Mapping[str, Any]) -> dict[str, float]:
    """Tolerances for rounded numbers of files."""
    return {"q_h": 1e-4, "d_oh": 2e-4, "angle": 0.05, "d_om": 1e-3, "d_ol": 1e-3, "a": 2e-3 * model["a"], "c": 2e-3 * model["c"]}


def _water_numbers(system: System, molecule: Molecule, d_oh: float, d_hh: float) -> Optional[dict[str, float]]:
    atoms = molecule.atoms
    a, c = system.types[atoms[0].type].c12_c6
    half = math.asin(min(1.0, d_hh / (2.0 * d_oh)))
    found = {"q_h": atoms[1].charge, "d_oh": d_oh, "angle": 2.0 * math.degrees(half), "a": a, "c": c, "d_om": 0.0, "d_ol": 0.0}
    charges = [-2.0 * found["q_h"]] if len(atoms) == 3 else [0.0]
    charges += 2 * [found["q_h"]] + (len(atoms) - 3) * [-2.0 * found["q_h"] / max(1, len(atoms) - 3)]
    if any(abs(atom.charge - q) > 1e-4 for atom, q in zip(atoms, charges)):
        return None
    if len(atoms) > 3:
        sites = sorted(molecule.virtual)
        if [site.atom for site in sites] != list(range(3, len(atoms))) or any(site.parents not in ((0, 1, 2), (0, 2, 1)) for site in sites):
            return None
        shares = [site.numbers[0] for site in sites]
        if any(abs(site.numbers[0] - site.numbers[1]) > 1e-6 for site in sites) or max(shares) - min(shares) > 1e-6:
            return None
        along = 2.0 * shares[0] * d_oh * math.cos(half)
        if len(sites) == 1 and sites[0].kind == "3":
            found["d_om"] = along
        elif len(sites) == 2 and all(site.kind == "3out" for site in sites) and abs(sites[0].numbers[2] + sites[1].numbers[2]) < 1e-6:
            aside = abs(sites[0].numbers[2]) * d_oh * d_oh * math.sin(2.0 * half)
            found["d_ol"] = math.hypot(along, aside)
            if along > 0.0 or abs(math.degrees(math.atan2(aside, -along)) - 109.47 / 2.0) > 0.05:
                return None
        else:
            return None
    return found


# --- the file -----------------------------------------------------------------------------------------------------------

# Words that YAML does not read as text.
_NO_TEXT = re.compile(r"(?i:y|n|yes|no|on|off|true|false|null)$")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]*$")


def visible(text: str) -> str:
    """The text on one line, without control characters."""
    return "".join(c if c.isprintable() and not 0xD800 <= ord(c) < 0xE000 else "?" for c in text)


def word(text: str) -> str:
    """A name in the form that YAML reads as text."""
    if _PLAIN.match(text) and not _NO_TEXT.match(text):
        return text
    return '"' + visible(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(value: float) -> str:
    """A number with twelve digits, and with a point before an exponent, as YAML 1.1 requires."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    text = f"{value:.12g}"
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _lj(value: LJ) -> str:
    if value.powers:
        return f"{{c12: {number(value.a)}, c6: {number(value.b)}}}"
    return f"[{number(value.a)}, {number(value.b)}]"


def _grid(which: float) -> str:
    return f"cmap-{which + 1:.0f}"


def table_name(term: str, which: float) -> str:
    """The name of a table in the file."""
    return f"table_{TABLES[term]}{which:.0f}"


def _parameters(term: str, numbers: Sequence[float]) -> list[str]:
    """The parameters of a term; grids and tables by name."""
    words = [number(x) for x in numbers]
    if term == "cmap":
        words[0] = _grid(numbers[0])
    elif term in TABLES:
        words[0] = table_name(term, numbers[0])
    return words


def _row(atoms: Iterable[int], words: Iterable[str] = ()) -> str:
    return f"      - [{', '.join([*(str(a + 1) for a in atoms), *words])}]"


def _exclusions(molecule: Molecule) -> tuple[int, list[Pair]]:
    """The key `exclude`, and the further excluded pairs."""
    apart = min(molecule.exclude, EXCLUDE_MOST)
    excluded = molecule.excluded - molecule.placed()
    meant = within(len(molecule.atoms), molecule.tied(), apart)
    if not meant <= molecule.excluded:
        apart, meant = 0, set()
    return apart, sorted(excluded - meant)


def _molecule(molecule: Molecule) -> Iterator[str]:
    yield f"  {word(molecule.name)}:"
    yield "    atoms:"
    for a in molecule.atoms:
        yield f"      - [{word(a.name)}, {word(a.type)}, {number(a.charge)}, {number(a.mass)}, {word(a.residue)}, {a.number}{', ' + word(a.chain) if a.chain else ''}]"
    if molecule.bonds:
        yield "    bonds:"
        yield from (_row(pair) for pair in sorted({(min(pair), max(pair)) for pair in molecule.bonds}))
    if molecule.terms:
        yield "    terms:"
        for name in TERMS:
            if name in molecule.terms:
                yield f"     {name}:"
                yield from (_row(atoms, _parameters(name, numbers)) for atoms, numbers in molecule.terms[name])
    if molecule.constraints:
        yield "    constraints:"
        kept = {(min(i, j), max(i, j)): d for i, j, d in molecule.constraints}
        yield from (_row(pair, (number(d),)) for pair, d in kept.items())
    if molecule.virtual:
        yield "    virtual:"
        for v in molecule.virtual:
            placed = ", ".join([str(p + 1) for p in v.parents] + [number(x) for x in v.numbers])
            yield f'      - [{v.atom + 1}, "{v.kind}", {placed}]'
    apart, beside = _exclusions(molecule)
    yield f"    exclude: {apart}"
    if beside:
        yield "    exclusions:"
        yield from (_row(pair) for pair in beside)


def lines(system: System, head: Iterable[str]) -> Iterator[str]:
    """The lines of the file, after the comments in `head`."""
    yield from (f"# {visible(line)}".rstrip() for line in head)
    yield "format: holonom-molecules 1"
    yield f"rule: {system.rule}"
    yield "types: # c12 in kcal A^12/mol, c6 in kcal A^6/mol" if any(v.powers for v in system.types.values()) else (
        "types: # sigma in A, epsilon in kcal/mol"
    )
    yield from (f"  {word(name)}: {_lj(value)}" for name, value in system.types.items())
    if system.pairs:
        yield "pairs:"
        for (one, other), value in system.pairs.items():
            yield f"  - [{word(one)}, {word(other)}, {_lj(value) if value.powers else _lj(value)[1:-1]}]"
    if system.c4:
        yield "c4: # C of -C/r^4, kcal A^4/mol"
        yield from (f"  - [{word(one)}, {word(other)}, {number(c)}]" for (one, other), c in system.c4.items())
    if system.grids:
        yield "grids: # kcal/mol, from -180 degrees on: a row for each first angle"
    for k, values in enumerate(system.grids):
        n = math.isqrt(len(values))
        yield f"  {_grid(k)}:"
        yield from (f"    - [{', '.join(map(number, values[i : i + n]))}]" for i in range(0, n * n, n))
    if system.tables:
        yield "tables: # energies and slopes (per A or degree), times the factor of a term"
    for name, table in system.tables.items():
        yield f"  {name}: # {visible(table.source)}"
        yield f"    from: {number(table.first)}"
        yield f"    to: {number(table.last)}"
        yield "    rows:"
        yield from (f"      - [{number(value)}, {number(slope)}]" for value, slope in table.rows)
    yield "molecules:"
    for molecule in system.molecules.values():
        yield from _molecule(molecule)
    yield "system:"
    yield from (f"  - [{word(name)}, {count}]" for name, count in system.contents)
