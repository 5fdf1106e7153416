"""Draws peptides-butane.png, -dipeptide.png, -ala10.png and -water.png from peptides.tsv beside it, and prints the tables of docs/peptides.md.

    python3 peptides.py [out/peptides]     first renews the rows of the molecules that have runs in this folder of scripts/peptides

All runs but those of ten residues have an additional term that flattens the torsions' free energy. Their distributions are reweighted by it, so that
free energies are those of the molecule itself. Errors are from independent groups of replicas: the batches, for ten residues the chains of batches
that continue each other, and in water the replicas."""

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
REGIONS = {  # torsion, from, to
    "butane-ua": [("phi", -120, 120)],
    "butane-aa": [("phi", -120, 120)],
    "dipeptide": [("phi", -180, -120), ("phi", -120, 0), ("phi", 0, 120)],
    "ala10": [],
    "dipeptide-water": [("phi", -180, -100), ("psi", -120, 40)],
}
CHAINS = {"ala10": 8, "dipeptide-water": 1}  # batches that continue none
INNER = range(2, 10)  # residues of ten that are compared
BELOW = {"ala10": 3.0, "dipeptide-water": 3.0}  # kcal/mol above the minimum: bins that are compared, 4 of the other molecules
ANGLES = -175.0 + 10.0 * np.arange(BINS)
CASES = "flexible bonds bonds-fixman w20 w50 w100 w400 w20-2fs w100-2fs w20-all angles angles-fixman w100-angles".split()
CURVES = [("butane-ua", "phi"), ("butane-aa", "phi"), ("dipeptide", "phi"), ("dipeptide", "psi")]
CURVES += [("ala10", "phi"), ("ala10", "psi"), ("dipeptide-water", "phi"), ("dipeptide-water", "psi")]
FIGURES = {"butane": CURVES[:2], "dipeptide": CURVES[2:4], "ala10": CURVES[4:6], "water": CURVES[6:]}


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


def flattened(molecule, path):
    """Joint distribution of phi and psi in a table of a run, reweighted, and the middles of its bins."""
    t = table(path)
    fine = np.unique(t["first"])
    grid = np.array(json.loads(re.search(r"flat: (\[.*?\]\])\n", (EXAMPLES / f"{molecule}-flat.yaml").read_text(), re.S)[1]))
    m = spline(len(grid), within(fine))
    return t["P_phi-psi"].reshape(len(fine), -1) * bin_means(np.exp(m @ grid @ m.T / RT)), fine


def reweighted(molecule, run):
    """Distributions of a run's torsions without the term that flattens them, by 10 degrees, and their sum: one for each independent replica."""
    if molecule == "dipeptide-water":
        found = []
        for path in sorted(run.glob("replica-*/torsions_pairs.csv"), key=lambda p: int(p.parent.name[8:])):
            p, fine = flattened(molecule, path)
            p[fine > 0] = 0.0  # crossings to positive phi are too rare
            found.append({"phi": p.sum(1), "psi": p.sum(0)})
    elif molecule == "dipeptide":
        p, _ = flattened(molecule, run / "torsions_pairs.csv")
        found = [{"phi": p.sum(1) / p.sum(), "psi": p.sum(0) / p.sum()}]
    elif molecule == "ala10":
        t = table(run / "torsions.csv")
        found = [{name: sum(t[f"P_{name}{i}"] for i in INNER) for name in ("phi", "psi")}]
        found[0] = {name: p / p.sum() for name, p in found[0].items()}
    else:
        t = table(run / "torsions.csv")
        at = within(t["angle"])
        extra = cosines(EXAMPLES / f"{molecule}-flat.yaml")(at) - cosines(EXAMPLES / f"{molecule}-plain.yaml")(at)
        p = t["P_phi"] * bin_means(np.exp(extra / RT))
        found = [{"phi": (p + p[::-1]) / (2 * p.sum())}]  # butane is its own mirror image
    for one in found:
        one.update({name: p.reshape(BINS, -1).sum(1) for name, p in one.items()})
        whole = one["phi"].sum()
        for torsion, low, high in REGIONS[molecule]:
            name = f"{low}:{high}" if torsion == "phi" else f"{torsion} {low}:{high}"
            one[name] = one[torsion][(ANGLES > low) & (ANGLES < high)].sum(keepdims=True)
        if molecule == "ala10":  # degrees, and A
            one["mean phi"] = (one["phi"] * ANGLES).sum(keepdims=True)
            one["mean psi"] = (one["psi"] * ANGLES).sum(keepdims=True)
            one["gyration"] = np.array([number(run, "gyration_chain")])
        one["sum"] = whole
    return found


def average(groups, name):
    """Probabilities from sums of independent groups, and their standard errors, to first order in the groups' deviations."""
    p, whole = np.array([g[name] for g in groups]), np.array([g["sum"] for g in groups])[:, None]
    mean, n = p.sum(0) / whole.sum(), len(groups)
    return mean, np.sqrt(((p - mean * whole) ** 2).sum(0) / (n * (n - 1))) / whole.mean()


def grouped(molecule, runs):
    """Sums over the runs of each independent group."""
    groups = {}
    for batch, run in runs:
        for k, one in enumerate(reweighted(molecule, run)):
            key = ((batch - 1) % CHAINS[molecule] if molecule in CHAINS else batch, k)
            old = groups.get(key)
            groups[key] = {name: p + old[name] for name, p in one.items()} if old else one
    return list(groups.values())


def number(run, key):
    found = re.search(rf"(?m)^{key}: (\S+)", (run / "summary.yaml").read_text())
    return float(found[1]) if found else float("nan")


def complete(run):
    return (run / "summary.yaml").exists() and number(run, "steps") == number(run, "steps_wanted")


def mean_over(runs, key):
    return np.mean([number(run, key) for _, run in runs])


def collect(out):
    rows, head = [], FILE.read_text().splitlines()[:2] if FILE.exists() else []
    kept = FILE.read_text().splitlines()[2:] if head else []
    for molecule in REGIONS:
        of_molecule = []
        for case in CASES:
            folders = [(r.name.removeprefix(f"{molecule}-{case}-"), r) for r in out.glob(f"{molecule}-{case}-[0-9]*")]
            runs = sorted((int(batch), r) for batch, r in folders if batch.isdigit() and complete(r))
            if molecule == "ala10" and sum(batch > 8 for batch, _ in runs) > 2:
                runs = [(batch, r) for batch, r in runs if batch > 8]  # the first 20 ps still depend on the start
            groups = grouped(molecule, runs)
            if len(groups) < 3:
                continue
            print(f"{molecule} {case}: {sum(number(r, 'time_ps') for _, r in runs):.0f} ps in {len(runs)} batches, {len(groups)} groups")
            if case.startswith("w"):
                print(f"{molecule} {case}: heat {mean_over(runs, 'penalty_heat'):.2f} of {mean_over(runs, 'penalty_heat_allowed'):.2f} kcal/mol allowed")
            for torsion in (name for name in groups[0] if name != "sum"):
                mean, error = average(groups, torsion)
                if torsion == "phi" and molecule.startswith("butane"):
                    error = (error + error[::-1]) / 2
                of_molecule += [f"{molecule}\t{case}\t{len(runs)}\t{torsion}\t{a:g}\t{m:.4e}\t{e:.1e}" for a, m, e in zip(ANGLES, mean, error)]
        rows += of_molecule or [row for row in kept if row.startswith(f"{molecule}\t")]
    FILE.write_text(
        "# Probabilities of torsions at 298.15 K in bins of 10 degrees (middle of the bin), without the term that flattens them\n"
        + "\n".join(["molecule\tcase\tbatches\ttorsion\tangle\tp\tp_err", *rows])
        + "\n"
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
        below = BELOW.get(molecule, 4.0)
        print(f"{molecule} {torsion}: bins below {below} kcal/mol; each case beside flexible, and beside bonds (or rigid angles)")
        for case in CASES:
            if (molecule, torsion, case) not in data:
                continue
            a, texts = data[molecule, torsion, case], []
            for other in ("flexible", "angles" if "angles" in case else "bonds"):
                if (molecule, torsion, other) in data and other != case:
                    rms, noise, worst, error, at = summary(a, data[molecule, torsion, other], below)
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
            keys = [f"{low}:{high}" if torsion == "phi" else f"{torsion} {low}:{high}" for torsion, low, high in regions]
            shares = [(key, data.get((molecule, key, case))) for key in keys]
            if molecule == "ala10" and (molecule, "gyration", case) in data:
                shares += [(name, data[molecule, name, case]) for name in ("mean phi", "mean psi", "gyration")]
            print(f"{molecule} {case}: " + ", ".join(f"{key} {a[0][0]:.4f} +- {a[1][0]:.4f}" for key, a in shares if a))


def markdown(data):
    """Rows of the tables of ten residues and of water: batches, means or shares, and root mean squares of differences with their noise."""
    for molecule, extra in (("ala10", ["mean phi", "mean psi", "gyration"]), ("dipeptide-water", ["-180:-100", "psi -120:40"])):
        for case in CASES:
            if (molecule, "phi", case) not in data:
                continue
            cells = [case, str(data[molecule, "phi", case][2])]
            cells += [f"{p[0]:.{d}f} ± {e[0]:.{d}f}" for p, e, _ in (data[molecule, name, case] for name in extra) for d in [1 if p[0] < -1 else 2]]
            for torsion in ("phi", "psi"):
                for other in ("flexible", "angles" if "angles" in case else "bonds"):
                    rms, noise, *_ = summary(data[molecule, torsion, case], data[molecule, torsion, other], BELOW[molecule])
                    cells.append(f"{rms:.2f} ({noise:.2f})" if other != case else "")
            print("| " + " | ".join(cells) + " |")
        for torsion in ("phi", "psi"):
            p, e, _ = data[molecule, torsion, "bonds"]
            f = free_energy((p, e))
            print(f"{molecule} {torsion} bonds: error {RT * np.sqrt(np.mean((e / p)[f < 2] ** 2)):.3f} up to 2, {RT * np.sqrt(np.mean((e / p)[f < 3] ** 2)):.3f} up to 3")


def draw(data):
    for file, curves in FIGURES.items():
        if (*curves[0], "flexible") not in data:
            continue
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
            titles = {
                "butane-ua": "butane, united atoms",
                "butane-aa": "butane, all atoms",
                "dipeptide": f"alanine dipeptide, {torsion}",
                "ala10": f"ten residues, {torsion}",
                "dipeptide-water": f"alanine dipeptide in water, {torsion}",
            }
            top.set(ylim=(-0.2, 8), title=titles[molecule])
            low.set(xlabel=f"{torsion} (degrees)", xticks=range(-180, 181, 60))
            low.set(ylim=(-0.25, 0.25) if molecule == "butane-ua" else (-1.2, 1.2) if molecule == "dipeptide-water" else (-0.8, 1.2))
        axes[0][0].set_ylabel("F (kcal/mol)")
        axes[1][0].set_ylabel("F less flexible (kcal/mol)")
        figure.tight_layout(rect=(0, 0.07, 1, 1))
        figure.legend(*axes[0][0].get_legend_handles_labels(), loc="lower center", ncol=3, frameon=False, fontsize=9)
        figure.savefig(HERE / f"peptides-{file}.png", dpi=90)


if len(sys.argv) > 1:
    collect(Path(sys.argv[1]))
tables(load())
markdown(load())
draw(load())
