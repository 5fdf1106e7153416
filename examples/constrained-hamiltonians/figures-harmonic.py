"""The harmonic constraint with a linear potential: closed paths, energy and the hidden constraint."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below, near

page = gallery.Page(
    "A sphere in phase space, with a potential",
    "McLachlan, Modin, Verdier & Wilkins 2013, section 5.4.2, Figs. 4 and 5",
    "Paths on the sphere of fibres are closed, energy does not drift, and SHAKE violates the hidden constraint.",
)


class Run:
    """One moment a step: time [n], z [n][4] = (q1, q2, p1, p2), energies, and how far off the hidden constraint."""

    def __init__(self, file, steps, **changes):
        track = gallery.follow(page.open(file, {f"integrator.{key}": value for key, value in changes.items()}), steps)
        self.time, self.energy, self.hidden = track.time, track["total"], track["hidden_g"]
        self.z = np.concatenate([track.positions[:, :, 0], track.momenta[:, :, 0]], axis=1)


def shake(file, steps, **changes):
    return Run(file, steps, method="geometric-shake", **changes)


# --- Fig. 4: closed paths on the sphere of fibres ---


def hopf(z):
    q1, q2, p1, p2 = z.T
    return np.stack([2 * (q1 * q2 + p1 * p2), 2 * (p1 * q2 - q1 * p2), q1**2 + p1**2 - q2**2 - p2**2], axis=1)


def come_back(path):
    """How near the chords pass the start when they first come back to it, and when."""
    x = hopf(path.z)
    chord, to_start = np.diff(x, axis=0), x[0] - x[:-1]
    share = np.clip((chord * to_start).sum(axis=1) / (chord**2).sum(axis=1), 0, 1)
    gap, away = np.linalg.norm(share[:, None] * chord - to_start, axis=1), np.linalg.norm(x - x[0], axis=1)
    left = np.argmax(away > 0.5 * away.max())  # it has gone, and comes back
    back = left + np.argmax(away[left:] < 0.3 * away.max())
    gone = back + np.argmax(away[back:] > 0.5 * away.max())
    i = back - 1 + np.argmin(gap[back - 1 : gone])
    return gap[i], path.time[i] + share[i] * path.time[1]


figure, ax = gallery.axes(size=(5.4, 5.4))
flat = {}
for point in "abc":
    path, fine = (shake(f"harmonic-{point}.yaml", 1000, timestep=h) for h in (0.1, 0.01))
    x = hopf(path.z)
    flat[point] = x[:, :2] / (np.linalg.norm(x, axis=1) - x[:, 2])[:, None]
    ax.plot(*flat[point].T, ".", markersize=2, label=f"from z_{point}")
    (gap, _), (small, period) = come_back(path), come_back(fine)
    page.said(
        f"linear potential from z_{point}",
        "closed trajectories (Fig. 4)",
        (
            f"the path on the sphere of fibres passes its start at t = {period:.3f}, within {gap:.1e} for h = 0.1 and {small:.1e}"
            " for h = 0.01"
        ),
        below(small, 1e-4),
        below(gap, 0.02),
    )
a, c = (np.hypot(*flat[point][0]) for point in "ac")
page.said(
    "stereographic projection of Fig. 4",
    "z_a is on the innermost curve",
    (
        f"printed projection: z_a at {a:.2f} from the middle, z_c at {c:.2f}; from the other pole: {1 / a:.2f} and {1 / c:.2f}"
    ),
    above(a, c),
    holds=False,
)
ax.set(xlabel="Re", ylabel="Im", aspect="equal")
ax.legend()
page.figure(
    "hopf",
    figure,
    (
        "As Fig. 4: 1,000 steps of 0.1 of SHAKE over the midpoint rule from the points of Table 1, Hopf map and stereographic"
        " projection."
    ),
)

# --- Fig. 5: energy and hidden constraint ---

path, rattle, fine = shake("harmonic-a.yaml", 1000), Run("harmonic-a.yaml", 1000), shake("harmonic-a.yaml", 2000, timestep=0.05)
figure, (left, right) = gallery.axes(1, 2)
left.plot(path.time[:500], path.energy[:500], label="SHAKE")
left.plot(rattle.time[:500], rattle.energy[:500], label="RATTLE")
left.set(xlabel="t", ylabel="H")
left.legend()
right.plot(path.time[:500], path.hidden[:500])
right.set(xlabel="t", ylabel="|{g, H}| of SHAKE")
page.figure(
    "energy",
    figure,
    "As Fig. 5, from z_a: energies of SHAKE and RATTLE, and SHAKE's deviation from the hidden constraint. Midpoint rule, h = 0.1.",
)
early, late = (gallery.largest(part - rattle.energy[0]) for part in (rattle.energy[:500], rattle.energy[500:1000]))
page.said(
    "energy from z_a",
    "no drift (Fig. 5a)",
    f"RATTLE off by up to {early:.2e} in the first 50 units of time, {late:.2e} in the next 50",
    below(late / early, 1.05),
)
page.said(
    "hidden constraint under RATTLE", "met to machine accuracy", f"{rattle.hidden.max():.1e}", below(rattle.hidden.max(), 1e-12)
)
order = np.log2(path.hidden.max() / fine.hidden.max())
page.said(
    "hidden constraint under SHAKE",
    "off by the order of the step (Fig. 5b)",
    f"{path.hidden.max():.3f} at h = 0.1, {fine.hidden.max():.3f} at h = 0.05: order {order:.2f}",
    near(order, 1, 0.15),
)
