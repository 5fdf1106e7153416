"""A calculator for ASE, the Atomic Simulation Environment. ::

    from ase.optimize import BFGS
    from holonom.ase import Holonom

    atoms.calc = Holonom("box.yaml")
    BFGS(atoms).run(fmax=0.05)

Needs ASE (python3-ase)."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt
from ase import units
from ase.calculators.calculator import Calculator, CalculatorSetupError, all_changes

from .arrays import Array
from .simulation import Simulation

_KCAL_MOL = units.kcal / units.mol


class Holonom(Calculator):
    """Energies, forces and, in a periodic box, stresses of a system of molecules, in eV and A.

    :param source: an input, as for `holonom.Simulation`, or a Simulation, whose first replica evaluates the energies; its state
        does not change.
    :param changes: of keys, as for `holonom.Simulation`.

    Atoms have the order and the elements of the input's sites. Molecules may be wrapped into the box. The cell of the atoms
    is that of the box, in any orientation. Bonds that the input constrains have no energy: constrain them in ASE, or
    use an input with springs for bonds.
    """

    def __init__(
        self,
        source: Union[Simulation, str, bytes, "os.PathLike[str]", dict],
        changes: Optional[Mapping[str, Any]] = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.simulation = source if isinstance(source, Simulation) else Simulation(source, changes)
        if not any(self.simulation.units.values()) or self.simulation.dimensions != 3:
            raise CalculatorSetupError("ASE requires eV, A and three dimensions: this system is in reduced units or in two dimensions")
        self._topology = self.simulation.topology
        self._levels = _levels(self._topology.bonds, self.simulation.sites)
        self._edges = self.simulation.box[0].copy()  # as they were set
        self._boxed = bool(self._edges.any())
        self.implemented_properties = ["energy", "forces", "stress"] if self._boxed else ["energy", "forces"]

    def calculate(self, atoms: Any = None, properties: Any = ("energy",), system_changes: Any = all_changes) -> None:
        """Computes results, as ASE's Calculator requires."""
        super().calculate(atoms, properties, system_changes)
        self._check(self.atoms)
        turn = np.eye(3)
        if self._boxed:
            edges, turn = (np.asarray(part) for part in self.atoms.cell.standard_form())
            if not np.array_equal(edges, self._edges):
                self.simulation.box = edges
                self._edges = edges
        x = _whole(self.atoms.positions, self._levels, np.asarray(self.atoms.cell) if self._boxed else None)
        energies, forces, virials = self.simulation.evaluate(x @ turn.T, replica=0)
        self.results = {"energy": float(energies[0]) * _KCAL_MOL, "forces": forces[0] @ turn * _KCAL_MOL}
        if self._boxed:
            stress = turn.T @ virials[0] @ turn * (-_KCAL_MOL / self.atoms.get_volume())
            self.results["stress"] = (0.5 * (stress + stress.T)).flat[[0, 4, 8, 5, 2, 1]]

    def _check(self, atoms: Any) -> None:
        elements = self._topology.elements
        if atoms.get_chemical_symbols() != elements:
            given = atoms.get_chemical_symbols()
            differ = [i for i, pair in enumerate(zip(given, elements)) if pair[0] != pair[1]]
            which = f"atom {differ[0]} is {given[differ[0]]}, not {elements[differ[0]]}" if differ else f"there are {len(given)}, not {len(elements)}"
            raise CalculatorSetupError(f"the atoms differ from those of the input, in its order: {which}")
        if any(atoms.pbc) != self._boxed or (self._boxed and not all(atoms.pbc)):
            wanted = "periodic along all three edges" if self._boxed else "open"
            raise CalculatorSetupError(f"the input's system is {wanted}, and the atoms have pbc {atoms.pbc.tolist()}")


def _levels(bonds: npt.NDArray[np.int32], sites: int) -> list[tuple[Any, Any]]:
    """Levels of sites by their number of bonds from the first site of the molecule, each site with a neighbour in the previous level."""
    seen, found, near = np.zeros(sites, bool), [], [[] for _ in range(sites)]  # type: ignore[var-annotated]
    for i, j in bonds.tolist():
        near[i].append(j)
        near[j].append(i)
    for first in range(sites):
        level = [] if seen[first] else [first]
        seen[first], depth = True, 0
        while level:
            pairs = []
            for i in level:
                for j in near[i]:
                    if not seen[j]:
                        seen[j] = True
                        pairs.append((j, i))
            if pairs:
                if depth == len(found):
                    found.append([])
                found[depth] += pairs
            level, depth = [j for j, _ in pairs], depth + 1
    return [(np.array([j for j, _ in pairs]), np.array([i for _, i in pairs])) for pairs in found]


def _whole(x: Array, levels: list[tuple[Any, Any]], cell: Optional[Array]) -> Array:
    """Positions of whole molecules: each bond is between nearest images."""
    x = np.array(x, dtype=float)
    if cell is None:
        return x
    inverse = np.linalg.inv(cell)
    for site, neighbour in levels:
        d = x[site] - x[neighbour]
        x[site] -= np.rint(d @ inverse) @ cell
    return x
