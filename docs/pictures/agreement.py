"""Draws agreement.png and prints a table: free energies of alanine dipeptide along phi and psi by several methods, from the runs of scripts/agreement.

    python3 docs/pictures/agreement.py out/agreement
    python3 docs/pictures/agreement.py out/agreement starts    writes starts.xyz there, for two ladders of 32 windows along phi"""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

R = 0.001987204259
BINS = 36  # of 10 degrees
MIDDLES = -175 + 10.0 * np.arange(BINS)
HIGHEST = 9.0  # kcal/mol; GROMACS's target leaves out what is higher than 10.8
NAMES = ("phi", "psi")


def table(path):
    """Columns of a run's table by name, without its remarks."""
    rows = [row for row in csv.reader(path.open(encoding="utf-8")) if not row[0].startswith("#")]
    return {name: np.array([float(row[i] or "nan") for row in rows[1:]]) for i, name in enumerate(rows[0])}


def in_bins(p, error):
    """Probabilities of BINS bins and errors of -kT ln p from those of finer bins; errors of neighbours are taken as fully correlated."""
    each = len(p) // BINS
    p, error = np.nan_to_num(p).reshape(BINS, each), error.reshape(BINS, each)
    with np.errstate(invalid="ignore", divide="ignore"):
        return p.sum(1) / p.sum(), np.nansum(p * error, 1) / np.where(np.isnan(error), 0, p).sum(1)


def windows(run, name, _):
    rows = table(run / f"free_energy_{name}.csv")
    return in_bins(rows["density"], rows["free_energy_err"])


def metadynamics(run, name, kelvin):
    rows = table(run / f"free_energy_{name}.csv")
    return in_bins(np.exp(-rows["free_energy"] / (R * kelvin)), rows["free_energy_err"])


def plain(run, name, _):
    rows = table(run / "torsions.csv")
    return in_bins(rows[f"P_{name}"], rows[f"F_{name}_err"])


def of_negative_phi(run, kelvin):
    """The distribution of psi where phi is not between 0 and 120 degrees, from metadynamics, with the errors of that of all psi."""
    both, all_psi = table(run / "free_energy_phi-psi.csv"), metadynamics(run, "psi", kelvin)
    weights = np.nan_to_num(np.exp(-both["free_energy"] / (R * kelvin))) * ~((both["first"] > 0) & (both["first"] < 120))
    p = np.array([weights[both["second"] == psi].sum() for psi in np.unique(both["second"])])
    return p / p.sum(), all_psi[1]


def gromacs(folder, name, kelvin):
    """From the runs' free energies on a grid of both torsions: the mean, and errors from their scatter."""
    runs = []
    for path in sorted(folder.glob("awh*.xvg")):
        rows = np.array([[float(word) for word in line.split()] for line in path.open(encoding="ascii") if line.strip() and line[0] not in "#@"])
        weights, axis = np.exp(-rows[:, 2] / (4.184 * R * kelvin)), rows[:, NAMES.index(name)]
        at = np.unique(axis)
        log = np.log([weights[axis == x].sum() for x in at])
        fine = np.arange(-180, 180, 1.0) + 0.5
        p = np.exp(np.interp(fine, np.concatenate([at - 360, at, at + 360]), np.tile(log, 3))).reshape(BINS, -1).sum(1)
        runs.append(-R * kelvin * np.log(p / p.sum()))
    p = np.exp(-np.mean(runs, 0) / (R * kelvin))
    return p / p.sum(), np.std(runs, 0, ddof=1) / len(runs) ** 0.5


# Temperature, name, folder, how it is read, in the figure; the first of each temperature is the one that others are compared with.
RUNS = (
    (300, "metadynamics, 64 walkers", "metadynamics-300", metadynamics),
    (300, "umbrella windows", "windows-300", windows),
    (300, "ladder of temperatures", "ladder-300", plain),
    (300, "plain", "plain-300", plain),
    (300, "GROMACS, AWH", "gromacs", gromacs),
    (600, "metadynamics, 64 walkers", "metadynamics-600", metadynamics),
    (600, "umbrella windows", "windows-600", windows),
    (600, "plain", "plain-600", plain),
)


COLOURS = {label: f"C{k}" for k, label in enumerate(dict.fromkeys(label for _, label, _, _ in RUNS))}


def compared(mine, reference, kelvin):
    """Differences of -kT ln p in the bins that both visited, in standard errors and kcal/mol; each p is normalised there."""
    (p, error), (q, doubt) = mine, reference
    with np.errstate(divide="ignore", invalid="ignore"):
        height = -R * kelvin * np.log(q / q.max())
        there = (p > 0) & (q > 0) & np.isfinite(error) & np.isfinite(doubt) & (height < HIGHEST)
        apart = -R * kelvin * (np.log(p / p[there].sum()) - np.log(q / q[there].sum()))
    return apart[there] / np.hypot(error, doubt)[there], apart[there]


def basin(p, error, kelvin):
    """The free energy of phi from 0 to 120 degrees above that of all others, and its error."""
    inside = (MIDDLES > 0) & (MIDDLES < 120)
    value = -R * kelvin * np.log(p[inside].sum() / p[~inside].sum())
    known = inside & np.isfinite(error)
    return value, (p * error)[known].sum() / p[known].sum() / (1 - p[inside].sum())


def torsion(x):
    """Degrees, of four points."""
    a, b, c = np.diff(x, axis=0)
    return np.degrees(np.arctan2(np.linalg.norm(b) * a @ np.cross(b, c), np.cross(a, b) @ np.cross(b, c)))


def starts(out):
    """For each window the walkers of metadynamics whose phi is nearest to its centre: far springs would turn amide bonds to cis."""
    lines = (out / "metadynamics-300" / "final.xyz").read_text().splitlines(keepends=True)
    size = int(lines[0]) + 2
    frames = [lines[i : i + size] for i in range(0, len(lines), size)]
    phi = np.array([torsion(np.array([frame[2 + k].split()[1:4] for k in (4, 6, 8, 14)], float)) for frame in frames])
    centres = np.linspace(-230, 130, 33)[:-1]
    nearest = [np.argsort(np.abs((phi - centre + 180) % 360 - 180)) for centre in centres]
    text = "".join("".join(frames[order[ladder]]) for ladder in (0, 1) for order in nearest)
    (out / "starts.xyz").write_text(text, encoding="utf-8")


def main(out):
    figure, axes = plt.subplots(2, 2, figsize=(10, 6.6), sharex=True)
    print("| run | positive phi, kcal/mol | phi: largest, rms in errors; rms in kcal/mol (bins) | psi: the same |\n| --- | --- | --- | --- |")
    for row, kelvin in enumerate((300, 600)):
        there = [(label, out / folder, read) for t, label, folder, read in RUNS if t == kelvin and (out / folder).exists()]
        first = None
        for k, (label, folder, read) in enumerate(there):
            found = [read(folder, name, kelvin) for name in NAMES]
            first = first or found
            visited = found[0][0][(MIDDLES > 0) & (MIDDLES < 120)].sum() > 0
            references = first if visited else [first[0], of_negative_phi(there[0][1], kelvin)]
            cells = []
            for axis, (p, error), reference in zip(axes[row], found, references):
                with np.errstate(divide="ignore"):
                    f = -R * kelvin * np.log(p)
                f -= f.min()
                if k == 0:
                    axis.fill_between(MIDDLES, f - 2 * error, f + 2 * error, color=COLOURS[label], alpha=0.35)
                    axis.plot(MIDDLES, f, color=COLOURS[label], label=label)
                else:
                    axis.errorbar(MIDDLES + 1.5 * (k - 2), f, 2 * error, fmt="o", ms=3, lw=1, color=COLOURS[label], label=label)
                    z, apart = compared((p, error), reference, kelvin)
                    cells.append(f"{np.abs(z).max():.1f}, {np.sqrt(np.mean(z**2)):.1f}; {np.sqrt(np.mean(apart**2)):.2f} ({len(z)})")
            p, error = found[0]
            height = "{:.2f} ± {:.2f}".format(*basin(p, error, kelvin)) if visited else "not visited"
            print(f"| {kelvin} K: {label} | {height} | {' | '.join(cells or ['', ''])} |")
        for axis, name in zip(axes[row], NAMES):
            axis.set(ylim=(-0.4, 12 if name == "phi" else 8), ylabel=f"F({name}), kcal/mol", title=f"{kelvin} K")
        axes[row][0].legend(frameon=False, fontsize=8, loc="upper left")
    for axis, name in zip(axes[1], NAMES):
        axis.set(xlabel=f"{name} (degrees)", xlim=(-180, 180), xticks=range(-180, 181, 60))
    figure.tight_layout()
    figure.savefig(Path(__file__).resolve().parent / "agreement.png", dpi=100)


if sys.argv[2:] == ["starts"]:
    starts(Path(sys.argv[1]))
else:
    main(Path(sys.argv[1]))
