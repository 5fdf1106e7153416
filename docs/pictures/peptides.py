"""Draws peptides-butane.png and peptides-dipeptide.png from peptides.tsv beside it, and prints the tables of docs/peptides.md.

    python3 peptides.py [out/peptides]     with the folder of scripts/peptides the file is made anew

Runs have an additional term that flattens the torsions' free energy. Their distributions are reweighted by it, so that free energies are those of the
molecule itself. Errors are from the batches of a case, which are independent runs."""

import json
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples/peptides"
FILE = HERE / "peptides.tsv"
RT = 0.0019872041 * 298.15
BINS = 36  # of 10 degrees
REGIONS = {"butane-ua": [(-120, 120)], "butane-aa": [(-120, 120)], "dipeptide": [(-180, -120), (-120, 0), (0, 120)]}  # of phi
BELOW = 4.0  # kcal/mol above the minimum: bins that are compared
ANGLES = -175.0 + 10.0 * np.arange(BINS)
CASES = "flexible bonds bonds-fixman w20 w50 w100 w400 w20-2fs w100-2fs w20-all angles angles-fixman w100-angles".split()
CURVES = [("butane-ua", "phi"), ("butane-aa", "phi"), ("dipeptide", "phi"), ("dipeptide", "psi")]


def table(path):
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {name: np.array([float(row[i] or "nan") for row in rows[1:]]) for i, name in enumerate(rows[0])}


def cosines(molecules):
    """Energies by phi of the torsion terms 1 2 3 4 with phase and number, kcal/mol."""
    terms = re.findall(r"- \[1, 2, 3, 4, (\d+), (-?[\d.]+), (\d+)\]", molecules.read_text())
    return lambda phi: sum(float(k) * (1 + np.cos(np.radians(int(n) * phi - float(phase)))) for phase, k, n in terms)


def spline(nodes, at):
    """Matrix of the periodic cubic spline through values at `nodes` points from -180 degrees."""
    one = np.eye(nodes)
    bend = np.linalg.solve(4 * one + np.roll(one, 1, 0) + np.roll(one, -1, 0), 6 * (np.roll(one, 1, 0) + np.roll(one, -1, 0)) - 12 * one)
    at = (at + 180.0) % 360.0 * nodes / 360.0
    i, t = at.astype(int) % nodes, (at % 1.0)[:, None]
    j = (i + 1) % nodes
    return (1 - t) * one[i] + t * one[j] + ((1 - t) ** 3 - (1 - t)) / 6 * bend[i] + (t**3 - t) / 6 * bend[j]


def within(middles):
    """Five angles in each bin."""
    return (middles[:, None] + (360.0 / len(middles)) * np.arange(-0.4, 0.5, 0.2)).ravel()


def bin_means(values):
    for axis in range(values.ndim):
        values = np.moveaxis(values, axis, -1)
        values = np.moveaxis(values.reshape(*values.shape[:-1], -1, 5).mean(-1), -1, axis)
    return values


def reweighted(molecule, run):
    """Distributions of a run's torsions without the term that flattens them, by 10 degrees; each sums to 1."""
    if molecule == "dipeptide":
        t = table(run / "torsions_pairs.csv")
        fine = np.unique(t["first"])
        grid = np.array(json.loads(re.search(r"flat: (\[.*?\]\])\n", (EXAMPLES / "dipeptide-flat.yaml").read_text(), re.S)[1]))
        m = spline(len(grid), within(fine))
        p = t["P_phi-psi"].reshape(len(fine), -1) * bin_means(np.exp(m @ grid @ m.T / RT))
        marginals = {"phi": p.sum(1), "psi": p.sum(0)}
    else:
        t = table(run / "torsions.csv")
        at = within(t["angle"])
        extra = cosines(EXAMPLES / f"{molecule}-flat.yaml")(at) - cosines(EXAMPLES / f"{molecule}-plain.yaml")(at)
        p = t["P_phi"] * bin_means(np.exp(extra / RT))
        marginals = {"phi": p + p[::-1]}  # butane is its own mirror image
    found = {name: p.reshape(BINS, -1).sum(1) / p.sum() for name, p in marginals.items()}
    for low, high in REGIONS[molecule]:
        found[f"{low}:{high}"] = found["phi"][(ANGLES > low) & (ANGLES < high)].sum(keepdims=True)
    return found


def number(run, key):
    found = re.search(rf"(?m)^{key}: (\S+)", (run / "summary.yaml").read_text())
    return float(found[1]) if found else float("nan")


def complete(run):
    return (run / "summary.yaml").exists() and number(run, "steps") == number(run, "steps_wanted")


def collect(out):
    rows = ["molecule\tcase\tbatches\ttorsion\tangle\tp\tp_err"]
    for molecule in ("butane-ua", "butane-aa", "dipeptide"):
        for case in CASES:
            runs = [r for r in sorted(out.glob(f"{molecule}-{case}-[0-9]*")) if r.name.removeprefix(f"{molecule}-{case}-").isdigit() and complete(r)]
            found = [reweighted(molecule, r) for r in runs]
            if len(found) > 2 and case.startswith("w"):
                heat = [np.mean([number(r, key) for r in runs]) for key in ("penalty_heat", "penalty_heat_allowed")]
                print(f"{molecule} {case}: heat {heat[0]:.2f} of {heat[1]:.2f} kcal/mol allowed")
            for torsion in found[0] if len(found) > 2 else ():
                p = np.array([f[torsion] for f in found])
                mean, error = p.mean(0), p.std(0, ddof=1) / len(p) ** 0.5
                if torsion == "phi" and molecule != "dipeptide":
                    error = (error + error[::-1]) / 2
                rows += [f"{molecule}\t{case}\t{len(p)}\t{torsion}\t{a:g}\t{m:.4e}\t{e:.1e}" for a, m, e in zip(ANGLES, mean, error)]
    FILE.write_text(
        "# Probabilities of torsions at 298.15 K in bins of 10 degrees (middle of the bin), without the term that flattens them\n" + "\n".join(rows) + "\n"
    )


def load():
    data = {}
    for line in FILE.read_text().splitlines()[2:]:
        molecule, case, batches, torsion, _, p, e = line.split("\t")
        data.setdefault((molecule, torsion, case), []).append((float(p), float(e), int(batches)))
    data = {key: (np.array(v)[:, 0], np.array(v)[:, 1], v[0][2]) for key, v in data.items()}
    for (molecule, torsion, case), (p, _, _) in data.items():
        if molecule == "dipeptide" and torsion == "phi" and "angles" in case:
            p[ANGLES > 0] = np.nan  # crossings from negative phi were not shown to be at equilibrium
    return data


def united_atom(fixman):
    """Exact probabilities of united-atom butane with rigid bonds and angles, by quadrature, with or without Fixman's potential."""
    energy = cosines(EXAMPLES / "butane-ua-plain.yaml")
    bond, bend, mass = 1.54, np.radians(114.0), np.array([15.035, 14.027, 14.027, 15.035])
    phi = -180.0 + 0.5 + np.arange(360)
    weight = np.exp(-energy(phi) / RT)
    if not fixman:
        for i, a in enumerate(np.radians(phi)):
            x = bond * np.array([[np.cos(bend), np.sin(bend), 0], [0, 0, 0], [1, 0, 0], [1 - np.cos(bend), np.sin(bend) * np.cos(a), np.sin(bend) * np.sin(a)]])
            j = np.zeros((5, 4, 3))
            for row, (k, l) in enumerate([(0, 1), (1, 2), (2, 3), (0, 2), (1, 3)]):
                j[row, k], j[row, l] = x[k] - x[l], x[l] - x[k]
            weight[i] *= np.sqrt(np.linalg.det(np.einsum("ikd,jkd,k->ij", j, j, 1 / mass)))
    p = weight.reshape(BINS, -1).sum(1)
    return p / p.sum()


def difference(a, b):
    """-RT ln of the ratio of two distributions, kcal/mol, with its error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return -RT * np.log(a[0] / b[0]), RT * np.hypot(a[1] / a[0], b[1] / b[0])


def free_energy(a):
    with np.errstate(divide="ignore"):
        return -RT * np.log(a[0] / np.nanmax(a[0]))


def summary(a, b, below):
    """Root mean square and largest difference where b is less than `below` above its minimum, noise subtracted from the first."""
    d, e = difference(a, b)
    use = (free_energy(b) < below) & np.isfinite(d) & np.isfinite(e)
    mean2, noise2 = np.mean(d[use] ** 2), np.mean(e[use] ** 2)
    worst = np.flatnonzero(use)[np.argmax(np.abs(d[use]))]
    return np.sqrt(max(0.0, mean2 - noise2)), np.sqrt(noise2), d[worst], e[worst], ANGLES[worst]


def tables(data):
    for molecule, torsion in CURVES:
        print(f"{molecule} {torsion}: bins below {BELOW} kcal/mol; each case beside flexible, and beside bonds (or rigid angles)")
        for case in CASES:
            if (molecule, torsion, case) not in data:
                continue
            a, texts = data[molecule, torsion, case], []
            for other in ("flexible", "angles" if "angles" in case else "bonds"):
                if (molecule, torsion, other) in data and other != case:
                    rms, noise, worst, error, at = summary(a, data[molecule, torsion, other], BELOW)
                    texts.append(f"{other}: rms {rms:.3f} (noise {noise:.3f}), largest {worst:+.2f} +- {error:.2f} at {at:g}")
            print(f"  {case} ({a[2]}): " + "; ".join(texts))
    for case in CASES:
        if ("butane-ua", "phi", case) in data:
            a = data["butane-ua", "phi", case]
            for fixman in (True, False):
                p = united_atom(fixman)
                d = -RT * np.log(a[0] / p)
                name = "with" if fixman else "without"
                error = RT * np.sqrt(np.mean((a[1] / a[0]) ** 2))
                print(
                    f"butane-ua {case} beside quadrature {name} Fixman's potential: "
                    f"largest {d[np.abs(d).argmax()]:+.3f}, rms {np.sqrt(np.mean(d**2)):.3f}, errors {error:.3f}"
                )
        if ("butane-aa", "phi", case) in data:
            a = data["butane-aa", "phi", case]
            f, e = free_energy(a), RT * a[1] / a[0]
            print(f"butane-aa {case}: barrier at 125 {f[30]:.2f} +- {e[30]:.2f}, cis {f[18]:.2f} +- {e[18]:.2f}")
        for molecule, regions in REGIONS.items():
            shares = [(low, high, data.get((molecule, f"{low}:{high}", case))) for low, high in regions]
            print(f"{molecule} {case}: shares of phi " + ", ".join(f"{low} to {high} {a[0][0]:.4f} +- {a[1][0]:.4f}" for low, high, a in shares if a))


def draw(data):
    for file, curves in (("butane", CURVES[:2]), ("dipeptide", CURVES[2:])):
        figure, axes = plt.subplots(2, len(curves), figsize=(9.5, 6.4), sharex=True)
        for (molecule, torsion), top, low in zip(curves, axes[0], axes[1]):
            base = data[molecule, torsion, "flexible"]
            shown = free_energy(base) < 6.0
            for case, colour, label in (
                ("flexible", "black", "flexible"),
                ("bonds", "C0", "bonds rigid"),
                ("w20", "C1", "bonds penalised, w = 20"),
                ("w100", "C2", "bonds penalised, w = 100"),
                ("angles", "C3", "bonds and angles rigid"),
                ("angles-fixman", "C4", "the same with Fixman's potential"),
            ):
                if (molecule, torsion, case) not in data:
                    continue
                a = data[molecule, torsion, case]
                d, e = difference(a, base)
                ok = shown & np.isfinite(d) & (e < 0.4)
                gap = np.where(ok, d, np.nan)
                top.plot(ANGLES, np.where(ok | (case == "flexible"), free_energy(a), np.nan), color=colour, label=label)
                if case != "flexible":
                    low.plot(ANGLES, gap, color=colour)
                    low.fill_between(ANGLES, gap - 2 * e, gap + 2 * e, color=colour, alpha=0.25, linewidth=0)
            if molecule == "butane-ua":
                exact = -RT * np.log(united_atom(False) / united_atom(True))
                low.plot(ANGLES, exact, "k:", label="rigid bonds and angles, exact")
                low.legend(frameon=False, fontsize=8)
            low.axhline(0, color="black", linewidth=0.8)
            titles = {"butane-ua": "butane, united atoms", "butane-aa": "butane, all atoms", "dipeptide": f"alanine dipeptide, {torsion}"}
            top.set(ylim=(-0.2, 8), title=titles[molecule])
            low.set(xlabel=f"{torsion} (degrees)", xticks=range(-180, 181, 60))
            low.set(ylim=(-0.25, 0.25) if molecule == "butane-ua" else (-0.8, 1.2))
        axes[0][0].set_ylabel("F (kcal/mol)")
        axes[1][0].set_ylabel("F less flexible (kcal/mol)")
        figure.tight_layout(rect=(0, 0.07, 1, 1))
        figure.legend(*axes[0][0].get_legend_handles_labels(), loc="lower center", ncol=3, frameon=False, fontsize=9)
        figure.savefig(HERE / f"peptides-{file}.png", dpi=90)


if len(sys.argv) > 1:
    collect(Path(sys.argv[1]))
tables(load())
draw(load())
