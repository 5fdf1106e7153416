"""Molecular dynamics of stiff and constrained molecules, by the library libholonom. ::

    import holonom

    with holonom.Simulation("water.yaml", {"ensemble.replicas": 16}) as water:
        water.step(10000)
        print(water.look()["temperature"].mean(), "K")

`Simulation` takes steps in memory, or a whole run into a folder; `Results` reads such a folder; `keys` lists the
keys of input files. Lengths are in A, energies in kcal/mol, masses in u, times in AKMA units of `AKMA_FS`
femtoseconds (momenta therefore in u A/AKMA), but for systems without units.
"""

from ._library import AKMA_FS, Error, FileError, InputError, RunError, keys, version
from .arrays import Array, Evaluation
from .frames import observe
from .functions import Force, ForceCall, Observer
from .results import Results, Table
from .simulation import Simulation
from .topology import Topology, VirtualSites

__version__ = version()
__all__ = [
    "AKMA_FS",
    "Array",
    "Error",
    "Evaluation",
    "FileError",
    "Force",
    "ForceCall",
    "InputError",
    "Observer",
    "Results",
    "RunError",
    "Simulation",
    "Table",
    "Topology",
    "VirtualSites",
    "keys",
    "observe",
]
