"""Observables of trajectories that MDAnalysis reads, such as XTC and TRR of GROMACS."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from . import programs
from ._library import RunError
from .results import Table


def _write_xyz(atoms, frames, path):
    """Writes extended XYZ for holonom, with velocities in A/ps."""
    from MDAnalysis.topology.guessers import guess_types

    symbols = [f"{symbol.capitalize():2}" for symbol in guess_types(atoms.names)]
    with open(path, "w", encoding="ascii") as file:
        for ts in frames:
            lattice = " ".join(f"{x:.9g}" for x in np.asarray(ts.triclinic_dimensions).ravel())
            file.write(
                f'{len(symbols)}\nLattice="{lattice}" Properties=species:S:1:pos:R:3:velo:R:3 pbc="T T T" velo_unit=A/ps '
                f"Time={ts.time:.12g} Time_unit=ps\n"
            )
            for symbol, x, v in zip(symbols, atoms.positions, atoms.velocities):
                file.write(symbol + " %.5f %.5f %.5f %.6f %.6f %.6f\n" % (*x, *v))


def observe(
    atoms: Any,
    observables: str,
    folder: Union[str, "os.PathLike[str]"],
    *options: object,
    start: Optional[int] = None,
    stop: Optional[int] = None,
    step: Optional[int] = None,
    input: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> dict[str, Table]:
    """``holonom observe`` on the frames of an MDAnalysis Universe or AtomGroup; returns {name: Table} of its CSV files.

    observables: a list such as "rdf,msd,vacf,dipole"; folder: the folder of results; options: of the program, for example
    ``"--model", "tip3p", "--temperature", 300``. Frames run from `start` to `stop` by `step`, as in a list. Waters are consecutive O H H
    by their names. With `input`, an input file, atoms are those that it describes, in its order, and its torsions and
    distances may be observed. Errors of the program are RunError. The program is $HOLONOM_PROGRAM or the one on the PATH. Requires MDAnalysis.
    """
    program = os.environ.get("HOLONOM_PROGRAM") or programs.find("holonom")
    if program is None:
        raise FileNotFoundError("the program holonom is not on the PATH: install it, or name it in $HOLONOM_PROGRAM")
    if not hasattr(atoms, "atoms"):
        raise TypeError(f"observe takes a Universe or AtomGroup of MDAnalysis, not {atoms!r}")
    atoms = atoms.atoms
    trajectory = atoms.universe.trajectory
    frames = trajectory[slice(start, stop, step)]
    described = [os.fspath(input)] if input is not None else []
    with tempfile.TemporaryDirectory() as temporary:
        if "vacf" in observables.split(",") and trajectory.ts.has_velocities:
            files = [Path(temporary, "frames.xyz")]
            _write_xyz(atoms, frames, files[0])
        else:
            names = Path(temporary, "names.gro")
            files = [Path(temporary, "frames.dcd"), *(["--names", names] if not described else [])]
            atoms.write(str(files[0]), frames=frames)
            atoms.write(str(names))
        if len(frames) > 1:
            files += ["--interval", repr(trajectory.dt * (step or 1))]
        called = subprocess.run(
            [program, "observe", observables, *described, *map(str, files), *map(str, options), "-o", os.fspath(folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    if called.returncode != 0:
        raise RunError(called.stderr.strip())
    return {path.stem: Table(path) for path in sorted(Path(folder).glob("*.csv"))}
