"""The tables of GROMACS topologies: `FORMS`, a row for each directive and function type of terms, and `REFUSED`, the features that
Holonom lacks, with their names. Function types are those of the GROMACS manual, "File formats, topology file"; lengths are in nm, energies
in kJ/mol.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

from .molecules import KCAL, turn

NM = 10.0
KJ = 1.0 / KCAL
Numbers = Sequence[float]
# Terms by name, with their parameters and, unless all are used as listed, the positions of their atoms in the entry.
Made = Sequence[Union[tuple[str, tuple[float, ...]], tuple[str, tuple[float, ...], tuple[int, ...]]]]


class Form(NamedTuple):
    """A function type: its numbers of atoms and parameters, the parameters that state B repeats, the terms that it becomes."""

    atoms: int
    numbers: int
    make: Callable[..., Made]
    ties: bool = False  # a chemical bond, which counts for exclusions
    state_b: Optional[tuple[int, ...]] = None  # None: all


def _urey(angle: float, k: float, length: float, k_ends: float) -> Made:
    ends: Made = [("urey-bradley", (length * NM, k_ends * KJ / NM**2), (0, 2))] if k_ends != 0.0 else []
    return [("angle", (angle, k * KJ)), *ends]


def _bond_angle(b: float, c: float, ends: float, k: float) -> Made:
    """k (r13 - ends) (r12 - b + r32 - c), a sum of two products of distances."""
    return [("bond-bond", (x * NM, ends * NM, k * KJ / NM**2), atoms) for x, atoms in ((b, (1, 0, 2)), (c, (1, 2, 0)))]


def _fourier(f1: float, f2: float, f3: float, f4: float) -> Made:
    """Converts a sum of 1/2 F_n (1 +- cos n phi) to powers of cos(phi - 180)."""
    c = (f2 + 0.5 * (f1 + f3), 0.5 * (3.0 * f3 - f1), 4.0 * f4 - f2, -2.0 * f3, -4.0 * f4, 0.0)
    return [("torsion-ryckaert", tuple(x * KJ for x in c))]


FORMS: dict[str, dict[int, Form]] = {
    "bonds": {
        1: Form(2, 2, lambda b, k: [("bond", (b * NM, k * KJ / NM**2))], True),
        2: Form(2, 2, lambda b, k: [("bond-quartic", (b * NM, k * KJ / NM**4))], True),
        3: Form(2, 3, lambda b, d, rate: [("bond-morse", (b * NM, d * KJ, rate / NM))], True),
        4: Form(2, 3, lambda b, k, c: [("bond-polynomial", (b * NM, 2 * k * KJ / NM**2, k * c * KJ / NM**3, 0.0))], True, ()),
        5: Form(2, 0, lambda: [("", ())], True),
        6: Form(2, 2, lambda b, k: [("bond", (b * NM, k * KJ / NM**2))]),
        8: Form(2, 2, lambda table, k: [("distance-table", (table, k * KJ)), ("", ())], True),
        9: Form(2, 2, lambda table, k: [("distance-table", (table, k * KJ))]),
        10: Form(2, 4, lambda a, b, c, k: [("distance-restraint", (a * NM, b * NM, c * NM, k * KJ / NM**2))]),
    },
    "angles": {
        1: Form(3, 2, lambda a, k: [("angle", (a, k * KJ))]),
        2: Form(3, 2, lambda a, k: [("angle-cosine", (a, k * KJ))]),
        3: Form(3, 3, lambda b, c, k: [("bond-bond", (b * NM, c * NM, k * KJ / NM**2))], False, ()),
        4: Form(3, 4, _bond_angle, False, ()),
        5: Form(3, 4, _urey),
        6: Form(3, 6, lambda a, *c: [("angle-quartic", (a, *(x * KJ for x in c)))], False, ()),
        8: Form(3, 2, lambda table, k: [("angle-table", (table, k * KJ))]),
        10: Form(3, 2, lambda a, k: [("angle-restricted", (a, k * KJ))]),
    },
    "dihedrals": {
        1: Form(4, 3, lambda phase, k, n: [("torsion", (turn(phase), k * KJ, n))]),
        2: Form(4, 2, lambda a, k: [("improper", (turn(a), k * KJ))]),
        3: Form(4, 6, lambda *c: [("torsion-ryckaert", tuple(x * KJ for x in c))]),
        4: Form(4, 3, lambda phase, k, n: [("improper-periodic", (turn(phase), k * KJ, n))]),
        5: Form(4, 4, _fourier),
        8: Form(4, 2, lambda table, k: [("torsion-table", (table, k * KJ))]),
        9: Form(4, 3, lambda phase, k, n: [("torsion", (turn(phase), k * KJ, n))]),
    },
    "dihedral_restraints": {1: Form(4, 3, lambda phi, flat, k: [("dihedral-restraint", (turn(phi), flat, k * KJ))])},
    "constraints": {1: Form(2, 1, lambda d: [("constraint", (d * NM,))], True), 2: Form(2, 1, lambda d: [("constraint", (d * NM,))])},
    "settles": {1: Form(1, 2, lambda oh, hh: [("settle", (oh * NM, hh * NM))], True, ())},
    "pairs": {
        1: Form(2, 2, lambda v, w: [("pair", (v, w))]),
        2: Form(2, 5, lambda f, q, p, v, w: [("pair", (v, w, f * q * p))], False, ()),
    },
    "cmap": {1: Form(5, 0, lambda *energies: [("cmap", energies)])},
    "virtual_sites1": {1: Form(2, 0, lambda: [("1", ())])},
    "virtual_sites2": {
        1: Form(3, 1, lambda a: [("2", (a,))], False, ()),
        2: Form(3, 1, lambda d: [("2fd", (d * NM,))], False, ()),
    },
    "virtual_sites3": {
        1: Form(4, 2, lambda a, b: [("3", (a, b))], False, ()),
        2: Form(4, 2, lambda a, d: [("3fd", (a, d * NM))], False, ()),
        3: Form(4, 2, lambda angle, d: [("3fad", (angle, d * NM))], False, ()),
        4: Form(4, 3, lambda a, b, c: [("3out", (a, b, c / NM))], False, ()),
    },
    "virtual_sites4": {2: Form(5, 3, lambda a, b, d: [("4fdn", (a, b, d * NM))], False, ())},
}
# Bonds and angles whose first number is no length or angle at rest.
NO_REST = {("bonds", 8), ("bonds", 9), ("angles", 3), ("angles", 4), ("angles", 8)}
# Directives of parameters by types, and the directives of FORMS that use them. Function 9 is 1, with several rows for the same atoms.
TYPES = {"bondtypes": "bonds", "angletypes": "angles", "dihedraltypes": "dihedrals", "constrainttypes": "constraints", "pairtypes": "pairs"}

# Names of features by directive, and by directive and function, that are refused.
REFUSED: dict[Any, str] = {
    "polarization": "polarisation",
    "water_polarization": "polarisation",
    "thole_polarization": "polarisation",
    "pairs_nb": "pairs without a cutoff",
    "intermolecular_interactions": "terms between molecules",
    "distance_restraints": "restraints",
    "orientation_restraints": "restraints",
    "angle_restraints": "restraints",
    "angle_restraints_z": "restraints",
    ("bonds", 7): "FENE bonds",
    ("angles", 9): "linear angles",
    ("dihedrals", 10): "restricted torsions",
    ("dihedrals", 11): "torsions combined with bending",
    ("virtual_sites4", 1): "virtual sites of four atoms, 4fd, which GROMACS calls unstable",
}
# Axes of flat-bottomed position restraints: a sphere, a cylinder along z, layers along x, y and z, cylinders along these.
FLAT_BOTTOMS = {1: (1, 1, 1), 2: (1, 1, 0), 3: (1, 0, 0), 4: (0, 1, 0), 5: (0, 0, 1), 6: (0, 1, 1), 7: (1, 0, 1), 8: (1, 1, 0)}
# Ignored: without effect, since other directives of the feature are refused or GROMACS itself has removed it.
IGNORED = {"implicit_genborn_params", "implicit_surface_params"}
OTHER_NAMES = {
    "dummies1": "virtual_sites1",
    "dummies2": "virtual_sites2",
    "dummies3": "virtual_sites3",
    "dummies4": "virtual_sites4",
    "dummiesn": "virtual_sitesn",
}
OTHER_FUNCTIONS = {("dihedrals", 9): 1}
