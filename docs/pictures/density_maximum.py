"""Draws density-maximum.png from density-maximum.tsv beside it, and prints the maxima: cubics through densities and
their slopes, by their errors, as `holonom study` fits them with `slopes: yes` (observables/extremum.h)."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

HERE = Path(__file__).resolve().parent
DEGREE, MIDDLE = 3, 278.0


def rows(x, slopes):
    """Powers of x - MIDDLE at each point, or their derivatives."""
    u, k = np.asarray(x)[:, None] - MIDDLE, np.arange(DEGREE + 1)
    return k * u ** np.maximum(k - 1, 0) if slopes else u ** k


def fit(x, y, error, slope, slope_error):
    """Coefficients, their covariance, and chi^2 with its degrees of freedom."""
    weight = 1.0 / np.concatenate([error, slope_error])
    a = np.vstack([rows(x, False), rows(x, True)]) * weight[:, None]
    b = np.concatenate([y, slope]) * weight
    covariance = np.linalg.inv(a.T @ a)
    p = covariance @ a.T @ b
    return p, covariance, ((a @ p - b) ** 2).sum(), len(b) - DEGREE - 1


def maximum(p, covariance, low, high):
    """Where the cubic is highest between two temperatures, and the error of that."""
    t = np.linspace(low, high, 10001)
    at = t[np.argmax(rows(t, False) @ p)]
    gradient, k = rows([at], True)[0], np.arange(DEGREE + 1)
    bend = (k * (k - 1) * (at - MIDDLE) ** np.maximum(k - 2, 0)) @ p
    return at, np.sqrt(gradient @ covariance @ gradient) / abs(bend)


table = [line.split("\t") for line in (HERE / "density-maximum.tsv").read_text("utf-8").splitlines() if line[0] != "#"]
figure, axes = plt.subplots(figsize=(7, 4.2))
for colour, (word, step, label) in enumerate(
    [
        ("BAOAB", "0.5", "BAOAB, 0.5 fs"),
        ("BAOAB", "2", "BAOAB, 2 fs"),
        ("BAOAB", "4", "BAOAB, 4 fs"),
        ("GL-BAOAOAB", "4", "GL-BAOAOAB, 4 fs"),
        ("global", "4", "global thermostat, 4 fs"),
    ]
):
    x, _, y, error, slope, slope_error = np.array([row[2:] for row in table if row[:2] == [word, step]], float).T
    p, covariance, chi2, dof = fit(x, y, error, slope, slope_error)
    at, at_error = maximum(p, covariance, x.min(), x.max())
    inside = x.min() < at < x.max()
    print(f"{label}: {f'{at:.1f} +- {at_error:.1f} K' if inside else f'below {x.min():g} K'}, chi^2 {chi2:.1f} of {dof}")
    axes.errorbar(x, y, error, fmt="o", ms=4, color=f"C{colour}", label=label)
    t = np.linspace(x.min(), x.max(), 200)
    axes.plot(t, rows(t, False) @ p, color=f"C{colour}")
    if inside:
        axes.axvline(at, color=f"C{colour}", lw=0.8, ls=":")
axes.axvline(277.15, color="0.5", lw=0.8)
axes.text(277.6, 1.0021, "published, 0.5 fs", color="0.4", fontsize=8)
axes.set(xlabel="T (K)", ylabel="density (g/cm³)", ylim=(0.9885, 1.003))
axes.legend(frameon=False, loc="lower center", fontsize=8)
figure.tight_layout()
figure.savefig(HERE / "density-maximum.png", dpi=110)
