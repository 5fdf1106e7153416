"""The trimer's bond angle: rigid bonds, springs, and Fixman's potential."""

import math

import numpy as np

from holonom import gallery
from holonom.gallery import above, below

page = gallery.Page(
    "Trimer: rigid bonds and stiff springs are not the same",
    "Vesely 2013, section VII C; Fixman 1974",
    (
        "Three equal masses and two bonds in the plane. With springs as bonds all angles are equally likely, for any stiffness; "
        "with rigid bonds they are not, because the momenta along the constraints are missing. Fixman's potential 1/2 kT ln "
        "det(J M⁻¹ J') corrects this. φ is the angle between consecutive bond vectors; the law is the same for the angle that "
        "they enclose."
    ),
)
BINS, REPLICAS, SAMPLES = 36, 1024, 80
EDGES = np.linspace(-np.pi, np.pi, BINS + 1)
LAWS = {"rigid": lambda phi: np.sqrt(1 - np.cos(phi) ** 2 / 4), "uniform": lambda phi: 1 + 0 * phi}


def shares(law):
    """The law's share of each bin, and its mean of cos 2φ, by the midpoint rule."""
    phi = -np.pi + 2 * np.pi * (np.arange(32 * BINS) + 0.5) / (32 * BINS)
    p = LAWS[law](phi) / LAWS[law](phi).sum()
    return p.reshape(BINS, 32).sum(axis=1), (p * np.cos(2 * phi)).sum()


def measure(file, h, every):
    """Counts of each bin, and the mean of cos 2φ with its error from independent replicas; samples are several correlation times apart."""
    trimer = page.open(file, {"ensemble.replicas": REPLICAS, "integrator.timestep": h})
    trimer.step(3 * every)
    count, cosine = np.zeros(BINS), np.zeros(REPLICAS)
    for _ in range(SAMPLES):
        trimer.step(every)
        (x, y), (u, v) = np.moveaxis(np.diff(trimer.positions, axis=1), 0, 2)
        phi = np.arctan2(x * v - y * u, x * u + y * v)
        count += np.histogram(phi, EDGES)[0]
        cosine += np.cos(2 * phi) / SAMPLES
    return count, cosine.mean(), cosine.std(ddof=1) / np.sqrt(REPLICAS)


def chance(count, law):
    """Pearson's chi-square per degree of freedom, and the chance of a larger one: for an odd number of degrees a finite sum."""
    wanted = count.sum() * shares(law)[0]
    chi2, freedom = ((count - wanted) ** 2 / wanted).sum(), BINS - 1
    term, tail = math.sqrt(2 * chi2 / math.pi) * math.exp(-chi2 / 2), math.erfc(math.sqrt(chi2 / 2))
    for k in range(3, freedom + 1, 2):
        tail += term
        term *= chi2 / k
    return chi2 / freedom, tail


cases = (
    ("rigid bonds, RATTLE", "rigid.yaml", "p ~ sqrt(1 - cos²φ/4)", 0.075, 80, "rigid", "uniform"),
    ("rigid bonds, random walk", "walk.yaml", "p ~ sqrt(1 - cos²φ/4)", 0.05, 200, "rigid", "uniform"),
    ("springs", "springs.yaml", "uniform", 0.0225, 200, "uniform", "rigid"),
    ("rigid bonds, Fixman's potential", "fixman.yaml", "uniform (Fixman 1974)", 0.075, 80, "uniform", "rigid"),
)
middle, width = (EDGES[1:] + EDGES[:-1]) / 2, 2 * np.pi / BINS
figure, panels = gallery.axes(1, 2, sharey=True)
panel_of = dict(zip(LAWS, panels))
for label, file, paper, h, every, law, other in cases:
    count, cosine, error = measure(file, h, every)
    (good, p), (bad, q) = chance(count, law), chance(count, other)
    page.said(
        label,
        paper,
        f"χ²/{BINS - 1} = {good:.2f} (p = {p:.2g}); against the other law {bad:.1f}; ⟨cos 2φ⟩ = {cosine:.4f} ± {error:.4f}",
        above(p, 1e-3),
        below(q, 1e-9),
    )
    scale = 1 / count.sum() / width
    panel_of[law].errorbar(middle, count * scale, np.sqrt(count) * scale, fmt=".", markersize=4, label=label)
for law, title in (("rigid", "as a rigid body moves"), ("uniform", "as a stiff one does")):
    for line, label in (("rigid", "sqrt(1 - cos²φ/4), normalised"), ("uniform", "1/2π")):
        panel_of[law].plot(middle, shares(line)[0] / width, "k-" if line == law else "k:", label=label)
    panel_of[law].set(title=title, xlabel="angle between the bonds φ", ylabel="p(φ)", xlim=(-np.pi, np.pi), ylim=(0.135, 0.185))
    panel_of[law].legend()
page.figure(
    "density",
    figure,
    "Densities of the bond angle, each from 81,920 samples of 1,024 independent replicas, with errors, and the two laws.",
)

# --- How long may the steps of the random walk be? ---

steps = np.array([0.045, 0.06, 0.075, 0.09])
cosine, error = np.array([measure("walk.yaml", h, int(0.3 / h**2))[1:] for h in steps]).T
exact = shares("rigid")[1]
far = gallery.largest((cosine - exact) / error)
page.said(
    "random walk with SHAKE, steps up to 0.09 bond lengths",
    "the same law as the rigid bonds'",
    f"⟨cos 2φ⟩ within {far:.1f} standard errors of it",
    below(far, 4),
)
figure, ax = gallery.axes()
ax.errorbar(steps, cosine, error, fmt="o", label="random walk")
ax.axhline(exact, linestyle="--", color="black", label="the law")
ax.set(title="Random walk: length of the steps", xlabel="step in each coordinate / bond length", ylabel="⟨cos 2φ⟩")
ax.legend()
page.figure(
    "steps",
    figure,
    (
        "The walk samples the law for short steps; its bias grows with the square of the step. Near 0.11 some displacements have "
        "no multipliers that restore the bonds, and the run stops with that message."
    ),
)
