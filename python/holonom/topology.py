"""What the sites of a simulation are."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from .arrays import Array


class Topology(NamedTuple):
    """Sites, molecules and kinds of one replica; sites, molecules and kinds are numbered from 0."""

    names: list[str]  #: of the sites, "O", "CA"
    masses: Array  #: [sites] u
    charges: Array  #: [sites] e; those of virtual sites stand on the sites with mass, with the right dipole
    molecules: npt.NDArray[np.int32]  #: [sites] the molecule that a site is in
    kinds: npt.NDArray[np.int32]  #: [molecules] the kind of each
    kind_names: list[str]  #: of the kinds, "tip3p"
    bonds: npt.NDArray[np.int32]  #: [bonds][2] sites
    first_site: npt.NDArray[np.int32]  #: [molecules + 1]
    first_constraint: npt.NDArray[np.int32]  #: [molecules + 1] in `Simulation.multipliers`
    elements: list[str]  #: of the sites, "C"
    types: list[str]  #: of the sites, in the force field, "CT"
    resnames: list[str]  #: of the sites, "ALA"
    resids: npt.NDArray[np.int32]  #: [sites] numbers of residues, as in the files of a run
    chains: list[str]  #: of the sites, "A"; "": not known

    def to_mdanalysis(self, positions: Optional[npt.ArrayLike] = None) -> Any:
        """The sites as a Universe of MDAnalysis, with names, elements, types, masses, charges, residues, molecules and bonds.

        positions: [sites][3] of its only frame, A. Segments are the kinds. Needs MDAnalysis."""
        try:
            import MDAnalysis
        except ImportError as error:
            raise ImportError("to_mdanalysis needs MDAnalysis (python3-mdanalysis)") from error
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
