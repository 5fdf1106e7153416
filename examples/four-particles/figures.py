"""Four particles by the scheme that conserves energy and momenta, and by RATTLE beside it."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below, near

page = gallery.Page(
    "Four particles",
    "Gonzalez 1999, section 4, Figs. 2 to 4",
    (
        "Two rigid rods joined by two stiff quartic springs, thrown by one end, with the scheme that conserves energy, momentum, "
        "angular momentum and constraints, and with RATTLE."
    ),
)
RODS = (0, 1), (2, 3)


def run(file, h, time, every):
    return gallery.follow(page.open(file, {"integrator.timestep": h}), round(time / every), round(every / h))


page.text(
    "The scheme uses difference quotients of the potentials and constraints along each step instead of derivatives; it conserves "
    "energy, both momenta and the constraints exactly for any step. Momenta are not tangent. RATTLE conserves everything but the "
    "energy, which oscillates."
)
conserving, rattle = (run(file, 0.01, 10, 0.01) for file in ("energy-momentum.yaml", "rattle.yaml"))

# --- Fig. 2: the motion ---

figure, ax = gallery.axes(size=(6.4, 5.4), subplot_kw={"projection": "3d"})
for site in range(4):
    ax.plot(*conserving.positions[:, site].T, label=f"particle {site + 1}")
for moment in conserving.positions[::100]:
    for rod in RODS:
        ax.plot(*moment[list(rod)].T, color="black", linewidth=1.5)
ax.set(title="Four particles, 0 < t < 10", xlabel="x", ylabel="y", zlabel="z")
ax.legend()
page.figure(
    "motion", figure, "As Fig. 2: paths of the four particles by the energy-momentum scheme, and the two rods at whole seconds."
)

# --- What is conserved ---


def drift(track, *names):
    return max(gallery.change(track[name]) for name in names)


for what, bound, names in (
    ("energy", 1e-11, ["total"]),
    ("linear momentum", 1e-11, ["momentum_x", "momentum_y", "momentum_z"]),
    ("angular momentum", 1e-11, ["angular_x", "angular_y", "angular_z"]),
):
    ours = drift(conserving, *names)
    page.said(
        what,
        "conserved to the tolerance of the computation" if what == "energy" else "the same",
        (
            f"within {ours:.1e}{f' of {conserving[names[0]][0]:.3f} over 1,000 steps' if what == 'energy' else ''}; RATTLE: "
            f"{drift(rattle, *names):.1e}"
        ),
        below(ours, bound),
    )
off = gallery.largest(conserving["largest_g"])
page.said("constraints", "the same", f"within {off:.1e}; RATTLE: {gallery.largest(rattle['largest_g']):.1e}", below(off, 1e-12))

# --- Fig. 3: d/dt (|q_i - q_j| - 1), as the paper's constraints are ---

MASS = np.array([1.0, 3.0, 2.3, 1.7])


def rate(track, a, b):
    velocity = track.momenta / MASS[:, None]
    apart, parting = track.positions[:, a] - track.positions[:, b], velocity[:, a] - velocity[:, b]
    return (apart * parting).sum(axis=1) / np.sqrt((apart**2).sum(axis=1))


rates = [rate(conserving, *rod) for rod in RODS]
figure, panels = gallery.axes(2, 1, size=(6.4, 2.6))
for panel, y, title in zip(panels, rates, ("dg_1/dt, rod 1-2", "dg_2/dt, rod 3-4")):
    panel.plot(conserving.time, y)
    panel.set(title=title, xlabel="t")
page.figure("velocity-constraints", figure, "As Fig. 3: rates of the rods' lengths from the momenta of the energy-momentum scheme.")
half = len(conserving.time) // 2
early, late = (max(gallery.largest(y[part]) for y in rates) for part in (slice(half), slice(half, None)))
tangent = max(gallery.largest(rate(rattle, *rod)) for rod in RODS)
page.said(
    "velocity constraints",
    "bounded oscillations about zero",
    f"within {early:.1e} in the first half, {late:.1e} in the second; RATTLE: {tangent:.1e}",
    below(late / early, 2),
    above(early, 1e-8),
)

# --- Fig. 4: order, of particle 4 and of all momenta at t = 0.1 ---

steps = 0.02 / 2.0 ** np.arange(6)


def relative(x, exact):
    return np.sqrt(((x - exact) ** 2).sum() / (exact**2).sum())


def errors(file):
    exact = run(file, 1e-5, 0.1, 0.1)
    tracks = [run(file, h, 0.1, 0.1) for h in steps]
    return (
        [relative(track.positions[-1, 3], exact.positions[-1, 3]) for track in tracks],
        [relative(track.momenta[-1], exact.momenta[-1]) for track in tracks],
    )


(ours, momenta), (beside, _) = errors("energy-momentum.yaml"), errors("rattle.yaml")
figure, ax = gallery.axes()
ax.loglog(steps, ours, "o-", label="energy-momentum")
ax.loglog(steps, beside, "s-", label="RATTLE")
ax.set(title="Error of particle 4 at t = 0.1", xlabel="Δt", ylabel="relative error of q_4")
ax.legend()
page.figure("order", figure, "As Fig. 4: the error against the step, the exact solution being that of Δt = 1e-5.")
order, order_beside = (np.log2(off[-3] / off[-1]) / 2 for off in (ours, beside))
page.said("order in positions", "2", f"{order:.3f}; RATTLE: {order_beside:.3f}", near(order, 2, 0.1))
page.said("order in momenta", "not necessarily 2", f"{np.log2(momenta[-2] / momenta[-1]):.3f}")
