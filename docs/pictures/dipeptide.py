"""Draws dipeptide.png: free energies of alanine dipeptide's torsions from the run of docs/tutorial-molecules.md, beside those of another program.

    python3 docs/pictures/dipeptide.py torsions angles.txt

torsions: the folder of the run; angles.txt: two columns, phi and psi in degrees of a GROMACS trajectory (sd, tau-t 0.2 ps, the same topology, reaction
field of epsilon-rf = 1 and a cutoff beyond the molecule), a row a ps."""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

RT = 0.001987204 * 298.15
BLOCKS = 20


def table(path):
    """Columns of a run's table by name, its remarks left out."""
    rows = [row for row in csv.reader(path.open(encoding="utf-8")) if not row[0].startswith("#")]
    return {name: np.array([float(row[i] or "nan") for row in rows[1:]]) for i, name in enumerate(rows[0])}


def free_energy(angles, edges):
    """-RT ln P above its lowest, with errors from blocks of time; NaN where less than half of the blocks have been."""
    counts = np.array([np.histogram(block, edges)[0] for block in np.array_split(angles, BLOCKS)], float)
    mean, error = counts.mean(0), counts.std(0, ddof=1) / BLOCKS**0.5
    mean[(counts > 0).sum(0) < BLOCKS / 2] = np.nan
    f = -RT * np.log(mean)
    return f - np.nanmin(f), RT * error / mean


run, angles = Path(sys.argv[1]), np.loadtxt(sys.argv[2])
one, two = table(run / "torsions.csv"), table(run / "torsions_pairs.csv")
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6))
n = len(np.unique(two["first"]))
image = axes[0].pcolormesh(
    two["first"].reshape(n, n), two["second"].reshape(n, n), two["F_phi-psi"].reshape(n, n), cmap="viridis", vmax=8, shading="nearest"
)
axes[0].set(xlabel="phi (degrees)", ylabel="psi (degrees)")
figure.colorbar(image, ax=axes[0], label="F (kcal/mol)")
for axis, name, column in zip(axes[1:], ("phi", "psi"), angles.T):
    f, error = one[f"F_{name}"], one[f"F_{name}_err"]
    axis.fill_between(one["angle"], f - 2 * error, f + 2 * error, color="C0", alpha=0.3)
    axis.plot(one["angle"], f, color="C0", label="64 replicas, 2 ns each")
    g, g_error = free_energy(column, np.arange(-180, 181, 10))
    axis.errorbar(np.arange(-175, 180, 10), g, 2 * g_error, fmt="o", ms=3, color="C1", label="GROMACS")
    axis.set(xlabel=f"{name} (degrees)", ylabel="F (kcal/mol)", ylim=(-0.3, 7))
    p = np.nan_to_num(one[f"P_{name}"]).reshape(36, 2).mean(1)
    with np.errstate(divide="ignore"):
        same = -RT * np.log(p)
    far = np.abs(same - same[np.nanargmin(g)] - g + g[np.nanargmin(g)]) / np.hypot(g_error, g_error[np.nanargmin(g)])
    print(f"{name}: largest difference {np.nanmax(far[np.isfinite(far)]):.1f} standard errors of {np.isfinite(far).sum()} bins")
axes[1].legend(frameon=False)
figure.tight_layout()
figure.savefig(Path(__file__).resolve().parent / "dipeptide.png", dpi=110)
