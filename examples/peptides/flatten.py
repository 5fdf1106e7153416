"""Writes a copy of a molecule whose torsions are nearly free, so that a run visits all of their values.

    python3 flatten.py RUN MOLECULES OUT [CAP]

RUN: a run of MOLECULES with the torsions phi and psi and their joint distribution, with metadynamics on both, or with the torsion phi
alone. OUT has an additional term: minus the free energy of RUN, smoothed and at most CAP, as a grid (cmap) of phi and psi or as cosines of
phi. A grid that MOLECULES has already is added to, so that flat surfaces can be approached in several steps."""

import json
import re
import sys
from pathlib import Path

import numpy as np

NODES, WIDTH = 24, 9.0  # nodes of the grid; degrees of the smoothing


def column(path, name):
    rows = [line.split(",") for line in path.read_text().splitlines() if not line.startswith("#")]
    return np.array([float(row[rows[0].index(name)] or "nan") for row in rows[1:]])


def smooth(f):
    """A periodic table, convolved with a Gaussian of WIDTH along each axis, at the edges between its bins."""
    for axis in range(f.ndim):
        n = f.shape[axis]
        k = np.fft.fftfreq(n, 1.0 / n)
        factor = np.exp(-0.5 * (np.radians(WIDTH) * k) ** 2 - 1j * np.pi * k / n)  # from the middle of a bin to its lower edge
        f = np.moveaxis(np.real(np.fft.ifft(np.fft.fft(np.moveaxis(f, axis, -1)) * factor)), -1, axis)
    return f


def main(run, molecules, out, cap=8.0):
    text = molecules.read_text()
    hills, pairs = run / "free_energy_phi-psi.csv", run / "torsions_pairs.csv"
    if hills.exists() or pairs.exists():
        f = column(hills, "free_energy_bias") if hills.exists() else column(pairs, "F_phi-psi")
        n = round(len(f) ** 0.5)
        f = smooth(np.fmin(np.nan_to_num(f, nan=cap), cap).reshape(n, n))[:: n // NODES, :: n // NODES]
        old = re.search(r"grids:\n  flat: (\[.*?\]\])\n", text, re.S)
        if old:
            f -= np.array(json.loads(old[1]))
            text = text.replace(old[0], "")
        else:
            text = text.replace("    terms:\n", "    terms:\n     cmap:\n      - [5, 7, 9, 15, 17, flat]\n", 1)
        rows = ",\n".join("    [" + ", ".join(f"{-v:.3f}" for v in row) + "]" for row in f)
        text = text.replace("molecules:\n", f"grids:\n  flat: [\n{rows}]\nmolecules:\n", 1)
    else:
        f = np.fmin(np.nan_to_num(column(run / "torsions.csv", "F_phi"), nan=cap), cap)
        phi = np.radians(column(run / "torsions.csv", "angle"))
        rows = "".join(f"      - [1, 2, 3, 4, 0, {-2 * np.mean(f * np.cos(n * phi)):.4f}, {n}]\n" for n in range(1, 5))
        text = text.replace("    terms:\n", f"    terms:\n     torsion:\n{rows}", 1)
    out.write_text(text)


main(*map(Path, sys.argv[1:4]), *map(float, sys.argv[4:]))
