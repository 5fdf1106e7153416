"""Draws long-steps.png from long-steps.tsv beside it, and prints it as a table: what each word and step of
`holonom study examples/bulk-water/steps.yaml` found, beside its first run. With the study's folder the file is made anew.

    python3 long_steps.py [steps.out]
"""

import csv
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

HERE = Path(__file__).resolve().parent
FILE = HERE / "long-steps.tsv"
COLUMNS = ["run", "ns", "energy", "energy_err", "density", "density_err", "peak", "peak_err", "diffusion", "diffusion_err", "slow"]
# What is compared: name, unit of its difference, whether that is a share in percent, and the tolerance of the study.
QUANTITIES = [("energy", "%", True, 0.1), ("density", "g/cm³", False, 0.0003), ("peak", "%", True, 1.0), ("diffusion", "%", True, 3.0)]
TITLES = {"energy": "potential energy", "density": "density", "peak": "first peak of g(r)", "diffusion": "diffusion"}


def parts(run):
    """Word and step, fs, of a run's name."""
    found = re.fullmatch(r"(.*) (?:2 x )?([\d.]+) fs", run)
    return found[1], float(found[2])


def of_run(folder):
    """A row of the file: what a run's folder says."""
    from holonom.results import Results

    s = Results(folder).summary
    peak = next(o for o in s["observables"] if (o["observable"], o["subject"], o["quantity"]) == ("gofr", "O-O", "peak_g"))
    d = next(k for k in s if re.fullmatch(r"diffusion_\w+?(?<!_corrected)(?<!_err)", k))
    return [s["title"], f"{s['time_ps'] / 1000.0:.3g}", f"{s['energy_per_molecule']:.4f}", f"{s['energy_per_molecule_err']:.4f}", f"{s['density']:.5f}",
            f"{s['density_err']:.5f}", f"{peak['value']:.4f}", f"{peak['error']:.4f}", f"{s[d]:.4f}", f"{s[d + '_err']:.4f}", f"{s.get('temperature_slow', float('nan')):.2f}"]


def make(study):
    """The file, from the folders of a study's runs: words in the order that their first runs ended in, each by its steps."""
    rows = [of_run(file.parent) for file in sorted(study.glob("*/results.json"), key=lambda file: file.stat().st_mtime)]
    words = [parts(row[0])[0] for row in rows]
    rows.sort(key=lambda row: (words.index(parts(row[0])[0]), parts(row[0])[1]))
    with open(FILE, "w", encoding="utf-8") as out:
        print("# 216 TIP4P/2005 waters at 298.15 K and 1 bar, friction 1/ps unless the name says another: ns in all, kcal/mol a molecule,", file=out)
        print("# g/cm3, height of g(r) of O-O, 1e-9 m2/s, and the temperature, K, at which the step is expected to have slow motions", file=out)
        print("\t".join(COLUMNS), file=out)
        for row in rows:
            print("\t".join(row), file=out)


def read():
    with open(FILE, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    return [{k: v if k == "run" else float(v) for k, v in row.items()} for row in rows]


def difference(row, first, name, share):
    """From the first run, and its error."""
    scale = 100.0 / abs(first[name]) if share else 1.0
    return scale * (row[name] - first[name]), scale * np.hypot(row[name + "_err"], first[name + "_err"])


def table(rows):
    first = rows[0]
    print("| run | ns | energy, kcal/mol a molecule | % | density, g/cm³ | first peak, % | D, % | slow motions expected at, K |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        cells = [row["run"], f"{row['ns']:g}", f"{row['energy']:.4f} ± {row['energy_err']:.4f}"]
        for name, _, share, _ in QUANTITIES:
            d, e = difference(row, first, name, share)
            if name == "density":
                cells.append(f"{row[name]:.4f} ± {row[name + '_err']:.4f}")
            else:
                cells.append("" if row is first else f"{d:+.2f} ± {e:.2f}" if name != "diffusion" else f"{d:+.1f} ± {e:.1f}")
        print("| " + " | ".join(cells + ["" if np.isnan(row["slow"]) else f"{row['slow']:.1f}"]) + " |")


def draw(rows):
    first, series = rows[0], {}
    for row in rows[1:]:
        word, step = parts(row["run"])
        series.setdefault(word, []).append((step, row))
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.8), sharex=True)
    for ax, (name, unit, share, tolerance) in zip(axes.flat, QUANTITIES):
        ax.axhspan(-tolerance, tolerance, color="0.85")
        for k, (word, points) in enumerate(sorted(series.items(), key=lambda s: -len(s[1]))):
            y, e = zip(*(difference(row, first, name, share) for _, row in points))
            shift = 0.05 * (k - len(series) / 2)
            ax.errorbar([x + shift for x, _ in points], y, e, fmt=".-", lw=1, label=word)
        ax.set_title(TITLES[name], fontsize=10)
        ax.set_ylabel(f"difference, {unit}")
    for ax in axes[1]:
        ax.set_xlabel("step, fs")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="lower center", ncol=4, fontsize=8)
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    figure.savefig(HERE / "long-steps.png", dpi=110)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        make(Path(sys.argv[1]))
    found = read()
    table(found)
    draw(found)
