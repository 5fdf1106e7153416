"""Double and triple pendulum: paths and energies."""

import numpy as np

from holonom import gallery
from holonom.gallery import below, near

page = gallery.Page(
    "Double and triple pendulum",
    "Vesely 2013, section VII.A and problem 3",
    (
        "Two or three equal bobs on bonds of unit length in the plane, by RATTLE. They swing from small angles and tumble from "
        "large ones, where neighbouring starts separate exponentially."
    ),
)
GRAVITY, STEP = 9.81, 0.005
CASES = {
    "double, from 0.3": ("double.yaml", 2, 0.3),
    "double, from 2": ("double.yaml", 2, 2.0),
    "triple, from 0.3": ("triple.yaml", 3, 0.3),
    "triple, from 2": ("triple.yaml", 3, 2.0),
}


def load(case, h=STEP, **changes):
    """All bonds let go at one angle."""
    file, bonds, angle = CASES[case]
    return page.open(file, {"integrator.timestep": h, **{f"system.constants.a{n + 1}": angle for n in range(bonds)}, **changes})


# --- Paths and energies ---

figure, panels = gallery.axes(2, 2, size=(4.5, 4.5))
energies, ax = gallery.axes()
lengths = speeds = 0.0
for case, panel in zip(CASES, panels.flat):
    track = gallery.follow(load(case), 2000, 4)
    lengths, speeds = max(lengths, gallery.largest(track["largest_g"])), max(speeds, gallery.largest(track["hidden_g"]))
    (line,) = ax.plot(track.time, track["total"] - track["total"][0], label=case)
    panel.plot(*track.positions[:, -1].T, color=line.get_color(), linewidth=0.5)
    panel.set(title=case, xlabel="x", ylabel="y", aspect="equal")
ax.set(xlabel="time", ylabel="energy, less that of the start")
ax.legend()
page.figure("paths", figure, "The path of the last bob over 40 time units; all bonds start at one angle.")
page.figure("energy", energies, "Energy by RATTLE, h = 0.005.")
page.said(
    "constraints",
    "",
    f"lengths within {lengths:.0e}, velocities along the bonds within {speeds:.0e} in all runs",
    below(lengths, 1e-12),
    below(speeds, 1e-11),
)

# --- Error of the energy over steps, and SHAKE beside RATTLE while rounding has not grown ---

loss = [gallery.change(gallery.follow(load("double, from 2", h), 250, round(0.02 / h))["total"]) for h in (0.002, 0.001)]
order = np.log2(loss[0] / loss[1])
page.said(
    "energy of the tumbling double pendulum",
    "",
    f"within {loss[1]:.1e} until time 5 at h = 0.001, of order {order:.2f}",
    near(order, 2, 0.2),
)
rattle, shake = (
    gallery.follow(load("double, from 2", **{"geometry.method": method}), 250, 4).positions for method in ("rattle", "shake")
)
same = gallery.largest(rattle - shake)
page.said(
    "SHAKE and RATTLE",
    "SHAKE is simpler, but RATTLE is more appropriate for the usual starts",
    f"the same positions within {same:.0e} until time 5",
    below(same, 1e-8),
)
