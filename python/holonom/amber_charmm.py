"""Topologies of AMBER (prmtop with its restart file) and CHARMM (PSF, parameter files, coordinates), read by ParmEd.

ParmEd reads terms and parameters. Features that ParmEd ignores, or that Holonom lacks, are found in the files and refused by
name. Exclusions are those of the programs: AMBER's list, CHARMM's bonds.
"""

from __future__ import annotations

import contextlib
import io
import math
import re
import warnings
from collections import Counter
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence

import numpy as np

from . import extra_points
from ._library import InputError
from .coordinates import Frame, cell_of
from .molecules import GRID_LEAST, GRID_MOST, LJ, Atom, Molecule, Pair, System, mixed, neighbours, turn, within

ROUNDED = 2e-6  # relative: Lennard-Jones of pairs in a prmtop has eight digits
CHARGES = "Coulomb's constant is {} in {}, and 332.0637 here: energies of charges differ by a share of {:.1g}"


def _parmed() -> Any:
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):  # ParmEd prints warnings on OpenMM
            import parmed
    except ImportError:
        raise InputError("topologies of AMBER and CHARMM require Python's package parmed (Debian: apt-get install python3-parmed)") from None
    return parmed


def _guarded(path: str, work: Callable[[], Any]) -> Any:
    """The result of ParmEd on a file; InputError: its error and warnings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return work()
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except Exception as error:  # ParmEd raises exceptions of any type on damaged files
        raise InputError(f"{path}: ParmEd cannot read it: {type(error).__name__}: {error}") from None


def _refuse(path: str, found: Counter) -> None:
    counted = "; ".join(f"{name}, {n} times" if n > 1 else f"{name}, once" for name, n in found.items() if n > 0)
    if counted:
        raise InputError(f"{path} needs features that Holonom lacks: {counted}")


# --- one structure, all atoms in a row ----------------------------------------------------------------------------------


def _massless(parm: Any) -> set[int]:
    """Extra points, including those with a mass in AMBER's older force fields, which its programs remove."""
    return {a.idx for a in parm.atoms if a.mass == 0.0 or str(a.type).strip() == "EP"}


def _atoms_of(term: Any) -> list[int]:
    return [getattr(term, f"atom{k}").idx for k in range(1, 5) if hasattr(term, f"atom{k}")]


def _terms(system: System, molecule: Molecule, parm: Any, path: str) -> None:
    """Adds bonds, angles, torsions, impropers and grids; k of k x^2 becomes k of 1/2 k x^2. Terms of points only define their positions."""
    points = _massless(parm)

    def real(term: Any) -> bool:
        return points.isdisjoint(_atoms_of(term))

    for bond in filter(real, parm.bonds):
        molecule.add("bond", (bond.atom1.idx, bond.atom2.idx), (bond.type.req, 2.0 * bond.type.k))
    for a in filter(real, parm.angles):
        molecule.add("angle", (a.atom1.idx, a.atom2.idx, a.atom3.idx), (a.type.theteq, 2.0 * a.type.k))
    for u in filter(real, parm.urey_bradleys):
        if u.type.k != 0.0:
            molecule.add("urey-bradley", (u.atom1.idx, u.atom2.idx), (u.type.req, 2.0 * u.type.k))
    for d in filter(real, parm.dihedrals):
        for kind in [d.type] if hasattr(d.type, "phi_k") else d.type:
            name = "improper-periodic" if d.improper else "torsion"
            molecule.add(name, (d.atom1.idx, d.atom2.idx, d.atom3.idx, d.atom4.idx), (turn(kind.phase), kind.phi_k, float(kind.per)))
    for i in filter(real, parm.impropers):
        molecule.add("improper", (i.atom1.idx, i.atom2.idx, i.atom3.idx, i.atom4.idx), (turn(i.type.psi_eq), 2.0 * i.type.psi_k))
    for c in parm.cmaps:
        n, energies = c.type.resolution, [float(c.type.grid[k]) for k in range(c.type.resolution**2)]
        atoms = c.atom1.idx, c.atom2.idx, c.atom3.idx, c.atom4.idx, c.atom5.idx
        if not GRID_LEAST <= n <= GRID_MOST or len(c.type.grid) != n * n or not all(map(math.isfinite, energies)):
            raise InputError(f"{path}: the grid of atoms {' '.join(str(k + 1) for k in atoms)} must have {n} by {n} numbers")
        molecule.add("cmap", atoms, (system.grid(energies),))


def _waters(molecule: Molecule, parm: Any) -> list[str]:
    """Makes water with a bond between its hydrogens rigid, as these programs do: bonds become constraints, the angle is removed, and sites are
    sums of the edges. Returns notes."""
    bonded = {frozenset(atoms): length for atoms, (length, _) in molecule.terms.get("bond", ())}
    rigid: set[int] = set()
    triangle: dict[int, tuple[float, float]] = {}  # by the oxygen
    for residue in parm.residues:
        heavy = [a.idx for a in residue.atoms if molecule.atoms[a.idx].mass > 0.0]
        o, *h = heavy[:1] + [k for k in heavy[1:] if molecule.atoms[k].mass < extra_points.HYDROGEN_MOST]
        pairs = [frozenset(p) for p in ((o, h[0]), (o, h[1]), tuple(h))] if len(heavy) == 3 == len(h) + 1 else []
        if pairs and all(pair in bonded for pair in pairs):
            rigid.update(heavy)
            molecule.constraints += [(min(pair), max(pair), bonded[pair]) for pair in pairs]
            if math.isclose(bonded[pairs[0]], bonded[pairs[1]]) and bonded[pairs[2]] < 2.0 * bonded[pairs[0]]:
                triangle[o] = bonded[pairs[0]], bonded[pairs[2]]
    for name in ("bond", "angle"):
        molecule.terms[name] = [row for row in molecule.terms.get(name, ()) if not rigid.issuperset(row[0])]
    molecule.terms = {name: rows for name, rows in molecule.terms.items() if rows}
    molecule.virtual = [
        extra_points.rigid(row, *triangle[row.parents[0]]) if row.parents[0] in triangle and rigid.issuperset(row.parents) else row
        for row in molecule.virtual
    ]
    return ["Waters with a bond between their hydrogens are kept rigid, as their own program keeps them."] if rigid else []


def _atoms(parm: Any) -> list[Atom]:
    def chain(residue: Any) -> str:
        """The segment in a PSF; empty for a prmtop."""
        return (getattr(residue, "segid", None) or "").strip()

    points = _massless(parm)
    return [
        Atom(a.name.strip(), str(a.type).strip(), a.charge, 0.0 if a.idx in points else a.mass, a.residue.name.strip(), a.residue.number, chain(a.residue))
        for a in parm.atoms
    ]


# --- many molecules -----------------------------------------------------------------------------------------------------


def _ranges(molecule: Molecule, bonds: Iterable[Pair]) -> list[tuple[int, int]]:
    """First atom and the atom after the last of each molecule: atoms that bonds or sites connect, and all atoms between these."""
    near = neighbours(len(molecule.atoms), [*bonds, *((s.atom, p) for s in molecule.virtual for p in s.parents)])
    found: list[tuple[int, int]] = []
    begin = end = 0
    for i, others in enumerate(near):
        if i == end and i > 0:
            found.append((begin, end))
            begin = i
        end = max(end, i + 1, *(j + 1 for j in others)) if others else max(end, i + 1)
    return [*found, (begin, end)]


def _split(system: System, whole: Molecule, bonds: Iterable[Pair]) -> None:
    """Fills molecules and contents; molecules that differ only in their residue's number are one molecule type."""
    ranges = _ranges(whole, bonds)
    of = np.empty(len(whole.atoms), int)
    parts = []
    for k, (begin, end) in enumerate(ranges):
        of[begin:end] = k
        parts.append(Molecule("", whole.atoms[begin:end]))
    for name, rows in whole.terms.items():
        for atoms, numbers in rows:
            first = ranges[of[atoms[0]]][0]
            parts[of[atoms[0]]].add(name, [a - first for a in atoms], numbers)
    for i, j, d in whole.constraints:
        parts[of[i]].constraints.append((i - ranges[of[i]][0], j - ranges[of[i]][0], d))
    for site in whole.virtual:
        first = ranges[of[site.atom]][0]
        parts[of[site.atom]].virtual.append(site._replace(atom=site.atom - first, parents=tuple(p - first for p in site.parents)))
    for i, j in whole.excluded:
        if of[i] != of[j]:
            raise InputError(f"atoms {i + 1} and {j + 1} are excluded, but no bond connects their molecules")
        parts[of[i]].excluded.add((i - ranges[of[i]][0], j - ranges[of[i]][0]))
    known: dict[Any, str] = {}
    for part in parts:
        if len({atom.number for atom in part.atoms}) == 1:  # waters and ions of many segments are one molecule type
            part.atoms = [atom._replace(chain="") for atom in part.atoms]
        terms = tuple((name, tuple(rows)) for name, rows in sorted(part.terms.items()))
        atoms = tuple(atom._replace(number=atom.number - part.atoms[0].number) for atom in part.atoms)
        key = atoms, terms, tuple(part.constraints), tuple(part.virtual), frozenset(part.excluded)
        if key not in known:
            residues = {(atom.residue, atom.number) for atom in part.atoms}
            stem = part.atoms[0].residue if len(residues) == 1 else "chain"
            part.name = next(
                name for n in range(1, len(parts) + 2) for name in [stem if n == 1 else f"{stem}-{n}"] if name not in system.molecules
            )
            known[key] = part.name
            system.molecules[part.name] = part
        if system.contents and system.contents[-1][0] == known[key]:
            system.contents[-1] = (known[key], system.contents[-1][1] + 1)
        else:
            system.contents.append((known[key], 1))


# --- AMBER --------------------------------------------------------------------------------------------------------------


def _amber_refused(raw: Any) -> Counter:
    data, found = raw.parm_data, Counter()
    for flag, what in (
        ("HBOND_ACOEF", "10-12 terms of hydrogen bonds"),
        ("POLARIZABILITY", "polarisation"),
    ):
        found[what] += sum(1 for value in data.get(flag, ()) if value != 0.0)
    found["several copies of parts of the system (LES)"] += any(flag.startswith("LES_") for flag in data)
    found["AMOEBA's terms"] += sum(1 for flag in data if flag.startswith("AMOEBA"))
    found["a second state (perturbed atoms)"] += data["POINTERS"][20] > 0
    found["a cap of water"] += data["POINTERS"][29] > 0
    return found


def _amber_lj(parm: Any, system: System, atoms: list[Atom]) -> list[Atom]:
    """Adds types and pairs from the table of A and B; returns the atoms with names of types, one for each of AMBER's numbers."""
    data, n = parm.parm_data, parm.pointers["NTYPES"]
    names: dict[tuple[str, int], str] = {}
    for atom, number in zip(atoms, data["ATOM_TYPE_INDEX"]):
        taken = sum(1 for name, other in names if name == atom.type and other != number)
        names.setdefault((atom.type, number), atom.type if taken == 0 else f"{atom.type}.{number}")

    def pair(one: int, other: int, a: str = "LENNARD_JONES_ACOEF", b: str = "LENNARD_JONES_BCOEF") -> LJ:
        at = data["NONBONDED_PARM_INDEX"][n * (one - 1) + other - 1] - 1
        return LJ(data[a][at], data[b][at], True)

    for (_, number), name in names.items():
        system.types[name] = LJ(*pair(number, number).sigma_epsilon)
    listed = list(names.items())
    for k, ((_, one), name) in enumerate(listed):
        for (_, other), second in listed[:k]:
            found = pair(one, other)
            rule = mixed(system.rule, system.types[name], system.types[second])
            if not all(math.isclose(x, y, rel_tol=ROUNDED, abs_tol=1e-12) for x, y in zip(found.c12_c6, rule.c12_c6)):
                system.pairs[name, second] = LJ(*found.sigma_epsilon)
    return [atom._replace(type=names[atom.type, number]) for atom, number in zip(atoms, data["ATOM_TYPE_INDEX"])]


def _amber_c4(parm: Any, system: System, atoms: list[Atom], path: str) -> None:
    """Adds the pairs of types with C of -C/r^4, the 12-6-4 model of ions (Li and Merz, J. Chem. Theory Comput. 10, 289 (2014))."""
    data, n = parm.parm_data, parm.pointers["NTYPES"]
    table = data.get("LENNARD_JONES_CCOEF")
    if table is None:
        return
    if len(table) != len(data["LENNARD_JONES_ACOEF"]) or not all(map(math.isfinite, table)):
        raise InputError(f"{path}: LENNARD_JONES_CCOEF must have {len(data['LENNARD_JONES_ACOEF'])} finite numbers, as many as LENNARD_JONES_ACOEF")
    listed = list(dict(zip((atom.type for atom in atoms), data["ATOM_TYPE_INDEX"])).items())
    for k, (name, one) in enumerate(listed):
        for second, other in listed[: k + 1]:
            c = table[data["NONBONDED_PARM_INDEX"][n * (one - 1) + other - 1] - 1]
            if c != 0.0:
                system.c4[name, second] = c


def _amber_pairs(parm: Any, whole: Molecule, host: Mapping[int, int], path: str) -> None:
    """Adds 1-4 pairs: the ends of torsions that are not marked as without a pair, and the points on these ends. Refuses 12-6-4 terms in them."""
    data, n = parm.parm_data, parm.pointers["NTYPES"]
    own = "LENNARD_JONES_14_ACOEF" in data  # CHARMM's, in a prmtop of chamber
    a, b = (f"LENNARD_JONES_{'14_' if own else ''}{letter}COEF" for letter in "AB")
    scales: dict[Pair, tuple[float, float]] = {}
    for d in parm.dihedrals:
        i, j = d.atom1.idx, d.atom4.idx
        if not (d.ignore_end or d.improper or i in host or j in host):
            scales.setdefault((min(i, j), max(i, j)), (1.0 / d.type.scnb if d.type.scnb else 0.0, 1.0 / d.type.scee if d.type.scee else 0.0))
    both = extra_points.with_points(host)
    c4, refused = data.get("LENNARD_JONES_CCOEF"), Counter()
    for pair, (nb, ee) in scales.items():
        for i, j in both(pair):
            at = data["NONBONDED_PARM_INDEX"][n * (data["ATOM_TYPE_INDEX"][i] - 1) + data["ATOM_TYPE_INDEX"][j] - 1] - 1
            refused["12-6-4 terms (r^-4) of 1-4 pairs"] += c4 is not None and c4[at] != 0.0
            lj = LJ(data[a][at] * nb, data[b][at] * nb, True)
            whole.add("pair-14", (i, j), (*lj.sigma_epsilon, ee * whole.atoms[i].charge * whole.atoms[j].charge))
    _refuse(path, refused)


_OLD = re.compile(r"[^\n]*\n(?: *[0-9]+){12}\n(?: *[0-9]+){12}\n")  # a title and POINTERS


def is_old_prmtop(begin: str) -> bool:
    """Whether a file with this beginning is a prmtop from before AMBER 7, without names of sections."""
    return not begin.startswith("%") and _OLD.match(begin) is not None


def _check_digits(path: str, text: str, is_named: Callable[[str], bool]) -> None:
    """InputError: a number that AMBER does not write but Python reads. is_named(line), called for each line in order: the line has names."""
    for row, line in enumerate(text.split("\n"), 1):
        if not is_named(line) and ("_" in line or not line.isascii()):
            word = next((word for word in line.split() if "_" in word or not word.isascii()), line)
            raise InputError(f"{path}, line {row}: '{word}' is not a number")


def _check_prmtop_digits(path: str) -> None:
    names = True

    def is_named(line: str) -> bool:
        nonlocal names
        if line.startswith("%"):
            names = not line.startswith("%FORMAT") or "a" in line.lower()[7:]
            return True
        return names

    with open(path, encoding="utf-8", errors="replace") as file:
        _check_digits(path, file.read(), is_named)


def amber(path: str) -> System:
    """Reads a prmtop."""
    kinds = _parmed().amber
    _guarded(path, lambda: _check_prmtop_digits(path))

    def read() -> Any:
        raw = kinds.AmberFormat()
        raw.rdparm(path, slow=True)  # the fast reader crashes on damaged files
        _refuse(path, _amber_refused(raw))
        return raw.view_as(kinds.ChamberParm if "CTITLE" in raw.flag_list else kinds.AmberParm)

    parm = _guarded(path, read)
    return _guarded(path, lambda: _amber_system(path, parm))


def _amber_system(path: str, parm: Any) -> System:
    chamber = len(parm.impropers) + len(parm.urey_bradleys) > 0
    system = System(title=str(getattr(parm, "title", "") or ""), family="charmm" if chamber else "amber")
    whole = Molecule("whole", _atoms(parm))
    whole.atoms = _amber_lj(parm, system, whole.atoms)
    _amber_c4(parm, system, whole.atoms, path)
    _terms(system, whole, parm, path)
    points = extra_points.amber(path, parm, _massless(parm))
    _refuse(path, points.refused)
    whole.virtual = points.rows
    _amber_pairs(parm, whole, points.host, path)
    system.notes += _waters(whole, parm)
    at = iter(parm.parm_data["EXCLUDED_ATOMS_LIST"])
    for i, count in enumerate(parm.parm_data["NUMBER_EXCLUDED_ATOMS"]):
        whole.excluded.update((i, j - 1) for j in (next(at) for _ in range(count)) if j > 0)
    whole.excluded = extra_points.follow(whole.excluded, points.host)
    _split(system, whole, whole.tied())
    system.notes.append(CHARGES.format("332.0522", "AMBER", 3.5e-5))
    return system


# --- CHARMM -------------------------------------------------------------------------------------------------------------


def _psf_refused(path: str) -> None:
    """InputError: sections of the file that ParmEd ignores."""
    with open(path, encoding="utf-8", errors="replace") as file:
        first, found = file.readline().split(), Counter()
        for row in file:
            head, _, title = row.partition("!")
            counts = [int(word) for word in head.split() if word.isdigit()]
            for name, what in (
                ("NUMANISO", "anisotropic polarisation"),
                ("NNB", "explicit exclusions"),
            ):
                if title.strip().startswith(name) and counts:
                    found[what] += counts[0]
        found["Drude's particles (polarisation)"] += "DRUDE" in first
    _refuse(path, found)


def _without_terms(psf: Any, points: set[int]) -> Any:
    """The structure without bonds, angles and torsions of lone pairs, which may have no parameters."""
    for terms in (psf.bonds, psf.angles, psf.dihedrals, psf.impropers):
        kept = [term for term in terms if points.isdisjoint(_atoms_of(term))]
        for term in set(terms).difference(kept) if len(kept) < len(terms) else ():
            term.delete()
        terms[:] = kept
    return psf


def charmm(path: str, parameters: Sequence[str]) -> System:
    """Reads a PSF with its files of topology and parameters."""
    if not parameters:
        raise InputError(f"{path}: a PSF has no force constants: name its parameter files between it and the coordinates")
    from_files = _parmed().charmm
    _guarded(path, lambda: _psf_refused(path))
    with open(path, encoding="utf-8", errors="replace") as file:
        pairs, text = extra_points.lone_pairs(path, file.read())
    psf = _guarded(path, lambda: _without_terms(from_files.CharmmPsfFile(io.StringIO(text)), {pair.atom for pair in pairs}))
    known = _guarded(", ".join(parameters), lambda: from_files.CharmmParameterSet(*parameters))
    _guarded(path, lambda: psf.load_parameters(known))
    return _guarded(path, lambda: _charmm_system(path, psf, known, pairs))


def _charmm_points(path: str, psf: Any, pairs: Sequence[extra_points.LonePair]) -> extra_points.Points:
    """Lone pairs. Other sites without mass are placed by bonds, in waters."""
    for pair in pairs:
        if max((pair.atom, *pair.hosts)) >= len(psf.atoms):
            raise InputError(f"{path}: a lone pair names atom {pair.atom + 1}; the file has {len(psf.atoms)} atoms")
        if psf.atoms[pair.atom].mass != 0.0:
            raise InputError(f"{path}: atom {pair.atom + 1} is a lone pair with a mass of {psf.atoms[pair.atom].mass:g}; it must be 0")
    points = extra_points.charmm(pairs, [a.mass for a in psf.atoms], [(b.atom1.idx, b.atom2.idx) for b in psf.bonds])
    massless = _massless(psf)
    left = massless - {pair.atom for pair in pairs}
    waters = {a.idx for residue in psf.residues if sum(a.idx not in massless for a in residue.atoms) == 3 for a in residue.atoms}
    extra_points.by_bonds(psf, massless, left & waters, points)
    points.refused["sites without mass that no lone pair places"] += len(left - waters)
    _refuse(path, points.refused)
    return points


def _charmm_system(path: str, psf: Any, known: Any, pairs: Sequence[extra_points.LonePair]) -> System:
    title = " ".join(str(row).lstrip("* ").strip() for row in psf.title[:1])
    system = System(title=title, family="charmm")
    whole = Molecule("whole", _atoms(psf))
    kinds = {str(a.type).strip(): a.atom_type for a in psf.atoms}
    system.types = {name: LJ(kind.sigma, abs(kind.epsilon)) for name, kind in kinds.items()}
    special = {tuple(sorted(pair)): value for pair, value in known.nbfix_types.items() if set(pair) <= set(kinds)}
    for pair, (epsilon, rmin) in special.items():
        system.pairs[pair] = LJ(rmin * 2.0 ** (-1.0 / 6.0), abs(epsilon))
    _terms(system, whole, psf, path)
    bonds = whole.tied()
    n = len(whole.atoms)
    points = _charmm_points(path, psf, pairs)
    whole.virtual = points.rows
    near, whole.excluded = (extra_points.follow(within(n, bonds, apart), points.host) for apart in (2, 3))
    system.notes += _waters(whole, psf)
    for i, j in sorted(whole.excluded - near):
        one, other = (kinds[whole.atoms[k].type] for k in (i, j))
        half, epsilon = 0.5 * (one.rmin_14 + other.rmin_14), math.sqrt(abs(one.epsilon_14 * other.epsilon_14))
        if other.name in one.nbfix:
            _, _, rmin, epsilon = one.nbfix[other.name]
            half = 0.5 * rmin
        whole.add("pair-14", (i, j), (half * 2.0 ** (5.0 / 6.0), abs(epsilon), whole.atoms[i].charge * whole.atoms[j].charge))
    _split(system, whole, bonds)
    system.notes.append(CHARGES.format("332.0716", "CHARMM", 2.4e-5))
    return system


# --- coordinates --------------------------------------------------------------------------------------------------------


def coordinates(path: str, system: System) -> Frame:
    """Reads a restart file of AMBER, or CHARMM's coordinates. A restart file has no names: the topology's are used."""
    found = _guarded(path, lambda: _parmed().load_file(path))
    x = getattr(found, "coordinates", None)
    if x is None:
        raise InputError(f"{path} has no coordinates")
    if isinstance(found, _parmed().amber.AmberAsciiRestart):
        with open(path, encoding="utf-8", errors="replace") as file:
            title, *rows = file.read().split("\n")
        _check_digits(path, "\n".join(["", *rows]), lambda line: False)
    x = np.array(x, float).reshape(-1, np.shape(x)[-2], 3)[-1]
    names = [str(name) for name in getattr(found, "atname", ())] or [atom.name for *_, atom in system.atoms()]
    names = names if len(names) == len(x) else (names + ["?"] * len(x))[: len(x)]
    v = getattr(found, "velocities", None)
    v = None if v is None or np.size(v) != x.size else np.array(v, float).reshape(-1, len(x), 3)[-1]
    box: Optional[Any] = getattr(found, "box", None)
    edges = None if box is None or np.size(box) < 6 else np.array(box, float).reshape(-1, 6)[-1]
    cell = None if edges is None else cell_of([float(e) for e in edges[:3]], [float(a) for a in edges[3:]], path)
    return Frame(path, names, [""] * len(names), list(range(1, len(names) + 1)), x, v, cell, 8, 8)
