"""The DNA model: how long steps may be, and what they cost."""

import numpy as np

import holonom
from holonom import gallery
from holonom.gallery import above, below

page = gallery.Page(
    "Limits and cost",
    "Tao & Owhadi 2015, section 4.4",
    "The number of starts that fail by t = 1000 against the step, and the time of a step against the size of the ring.",
)
LOW = np.arccos(0.7)

# --- Limits: U'' of U = (E - 1)², E = exp(-a (1 - cos x - x0)), and how many starts go wrong by t = 1000 ---

A, X0, EPS = 7.0, 0.3, 1 / 1400


def curvature(x):
    e = np.exp(-A * (1 - np.cos(x) - X0))
    first, second = -A * np.sin(x) * e, (A**2 * np.sin(x) ** 2 - A * np.cos(x)) * e
    return 2 * first**2 + 2 * (e - 1) * second


def lost(file, h, seeds):
    """How many of so many seeds end in a fault or with ten times the energy."""
    count = 0
    for seed in range(1, seeds + 1):
        strand = page.open(file, {"integrator.timestep": h, "seed": seed})
        first = strand.look()["total"][0]
        try:
            strand.step(int(1000 / h))
            count += not strand.look()["total"][0] < 10 * first
        except holonom.RunError:
            count += 1
    return count


linear = 2 / np.sqrt(4 + EPS * curvature(LOW))
under, over = (lost("verlet.yaml", share * linear, 4) for share in (0.95, 1.02))
page.said(
    "stability limit of velocity Verlet",
    "h = 0.2 is near it",
    (
        f"2/sqrt(4 + eps U'') = {linear:.3f}; of 4 seeds lost by t = 1000: {under} at h = "
        f"{0.95 * linear:.3f}, {over} at h = {1.02 * linear:.3f}"
    ),
    below(under, 1),
    above(over, 3),
    holds=False,
)
convex = np.sqrt(-1 / (0.3 * EPS * curvature(1e-3 * np.arange(6284)).min()))
coarse, coarser = (lost("zs.yaml", h, 8) for h in (2, 2.6))
page.said(
    "stability limit of Zhang-Skeel",
    "h = 2 is near it",
    (
        f"1 + beta h^2 eps U'' stays positive below h = {convex:.2f}; of 8 seeds lost by t = 1000: {coarse} at "
        f"h = 2, {coarser} at h = 2.6"
    ),
    below(coarse, 1),
    above(coarser, 0),
)
small, large = (
    gallery.seconds(page.open("zs.yaml", {"system.constants.N": n, "integrator.timestep": 1}), 20000 // n) for n in (200, 2000)
)
page.said(
    "cost of a Zhang-Skeel step",
    "of order N",
    f"{1e3 * small:.3g} ms for 200 base pairs, {1e3 * large:.3g} ms for 2,000: {large / small:.1f} times (indicative)",
    below(large / small, 40),
)
