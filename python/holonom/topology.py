"""The sites of a simulation."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from ._library import call
from .arrays import Array


class Topology(NamedTuple):
    """Sites, molecules and kinds (molecule types) of one replica, numbered from 0."""

    names: list[str]  #: names of the sites, "O", "CA"
    masses: Array  #: [sites] u
    charges: Array  #: [sites] e; charges of virtual sites are moved to sites with mass, with the same dipole
    molecules: npt.NDArray[np.int32]  #: [sites] the molecule of each site
    kinds: npt.NDArray[np.int32]  #: [molecules] the kind of each
    kind_names: list[str]  #: names of the kinds, "tip3p"
    bonds: npt.NDArray[np.int32]  #: [bonds][2] sites
    first_site: npt.NDArray[np.int32]  #: [molecules + 1]
    first_constraint: npt.NDArray[np.int32]  #: [molecules + 1] in `Simulation.multipliers`
    elements: list[str]  #: elements of the sites, "C"
    types: list[str]  #: types of the sites in the force field, "CT"
    resnames: list[str]  #: residue names of the sites, "ALA"
    resids: npt.NDArray[np.int32]  #: [sites] numbers of residues, as in the files of a run
    chains: list[str]  #: chains of the sites, "A"; "": unknown

    def to_mdanalysis(self, positions: Optional[npt.ArrayLike] = None) -> Any:
        """The sites as a Universe of MDAnalysis, with names, elements, types, masses, charges, residues, molecules and bonds.

        positions: [sites][3] of its only frame, A. Segments are the kinds. Requires MDAnalysis."""
        try:
            import MDAnalysis
        except ImportError as error:
            raise ImportError("to_mdanalysis requires MDAnalysis (python3-mdanalysis)") from error
        of = np.column_stack([self.molecules, self.resids])
        begins = np.r_[True, (of[1:] != of[:-1]).any(axis=1)]  # a residue is a run of sites of one molecule
        first, kind = np.flatnonzero(begins), self.kinds[self.molecules]
        universe = MDAnalysis.Universe.empty(
            len(self.names),
            n_residues=len(first),
            n_segments=len(self.kind_names),
            atom_resindex=np.cumsum(begins) - 1,
            residue_segindex=kind[first],
            trajectory=positions is not None,
        )
        for name in ("names", "elements", "types", "masses", "charges"):
            universe.add_TopologyAttr(name, getattr(self, name))
        universe.add_TopologyAttr("chainIDs", self.chains)
        universe.add_TopologyAttr("resnames", [self.resnames[i] for i in first])
        universe.add_TopologyAttr("resids", self.resids[first])
        universe.add_TopologyAttr("molnums", self.molecules[first])
        universe.add_TopologyAttr("moltypes", [self.kind_names[k] for k in kind[first]])
        universe.add_TopologyAttr("segids", self.kind_names)
        universe.add_TopologyAttr("bonds", [tuple(bond) for bond in self.bonds.tolist()])
        if positions is not None:
            universe.atoms.positions = positions
        return universe


class VirtualSites:
    """Virtual sites of one replica, such as the M of TIP4P, with their charges of the force field.

    A force on virtual sites places them, and spreads its forces over the sites with mass::

        virtual = simulation.virtual_sites

        @simulation.add_force
        def field(x, call):  # along z, on all charges
            v, strength = virtual.place(x), 0.1
            energies = -strength * (x[:, :, 2] @ virtual.site_charges + v[:, :, 2] @ virtual.charges)

            f, on_virtual = np.zeros_like(x), np.zeros_like(v)
            f[:, :, 2], on_virtual[:, :, 2] = strength * virtual.site_charges, strength * virtual.charges
            return energies, f + virtual.spread(x, on_virtual)
    """

    def __init__(self, simulation: Any, names: list[str], charges: Array, molecules: npt.NDArray[np.int32], site_charges: Array) -> None:
        self._simulation = simulation
        self.names = names  #: [virtual] "M"
        self.charges = charges  #: [virtual] e
        self.molecules = molecules  #: [virtual] the molecule of each site
        self.site_charges = site_charges  #: [sites] e, charges of the sites with mass without those of virtual sites

    def place(self, positions: npt.ArrayLike) -> Array:
        """Positions [..., virtual, 3] for positions [..., sites, 3] of the sites with mass, A."""
        x = self._of(positions, len(self.site_charges))
        v = np.zeros((*x.shape[:-2], len(self.charges), 3))
        self._each("place_sites", x, v)
        return v

    def spread(self, positions: npt.ArrayLike, forces: npt.ArrayLike) -> Array:
        """Forces [..., sites, 3] on the sites with mass from forces [..., virtual, 3] on virtual sites, at given positions."""
        x, fv = self._of(positions, len(self.site_charges)), self._of(forces, len(self.charges))
        if x.shape[:-2] != fv.shape[:-2]:
            raise ValueError(f"positions of shape {x.shape} and forces of shape {fv.shape} do not match")
        f = np.zeros(x.shape)
        self._each("spread_sites", x, fv, f)
        return f

    @staticmethod
    def _of(values: Any, n: int) -> Array:
        array = np.array(values, dtype=float, order="C")
        if array.shape[-2:] != (n, 3):
            raise ValueError(f"an array has the shape {array.shape}; it must be (..., {n}, 3)")
        return array

    def _each(self, name: str, *arrays: Array) -> None:
        """Calls the library for each replica. A force may call this, since the state does not change."""
        flat = [a.reshape(-1, *a.shape[-2:]) for a in arrays]
        for replica in range(len(flat[0])):
            call(name, self._simulation._open, *(a[replica].ctypes.data for a in flat))
