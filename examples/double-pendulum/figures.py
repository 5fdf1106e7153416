"""The double pendulum: six methods against each other."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below, near

page = gallery.Page(
    "Double pendulum",
    "Tao & Owhadi 2015, section 4.1, Figs. 1 and 2",
    (
        "Two rods in the plane, of lengths 1 and √2, released from rest with the first hanging and the second at 45 degrees. Six"
        " methods are compared: with rigid rods, and with stiff rods (penalties of strength w) whose vibrations the long steps "
        "of Zhang-Skeel and Newmark do not resolve."
    ),
)
SAMPLES, GRID = 1000, 0.1  # until time 100
LENGTH = np.array([1, np.sqrt(2)])


def follow(file, per=1, **changes):
    """The second bob [n][2] and the energy every 0.1, in so many steps each; a run that breaks down ends there."""
    names = {
        "h": "integrator.timestep",
        "w": "geometry.w",
        "method": "geometry.method",
        "map": "integrator.acceleration",
        "composition": "integrator.composition",
        "g": "system.constants.g",
    }
    track = gallery.follow(page.open(file, {names[key]: value for key, value in changes.items()}), SAMPLES, per, may_break=True)
    bob = track.positions[:, 1]
    if file == "angles.yaml":
        angle = track.positions[:, :, 0]
        bob = np.stack([np.sin(angle) @ LENGTH, -np.cos(angle) @ LENGTH], axis=1)
    return track.time, bob, track["total"] - track["total"][0]


# --- Fig. 1: six methods ---

exact = follow("shake.yaml", 20, h=0.005, method="rattle", composition="yoshida6")[1]
routes = {
    "SHAKE, h = 0.1": follow("shake.yaml"),
    "variational Euler, w = 20, h = 0.005": follow("euler.yaml", 20),
    "Newmark, solved, w = 20, h = 0.1": follow("newmark-own.yaml"),
    "Newmark, one Newton step, w = 20, h = 0.1": follow("newmark-one-step.yaml"),
    "Zhang-Skeel, w = 20, h = 0.1": follow("zs.yaml"),
}
figure, panels = gallery.axes(5, 1, size=(8.0, 2.0), sharex=True)
energies, ax = gallery.axes(size=(8.0, 4.0))
farthest, early = [], []
for panel, (label, (time, bob, energy)) in zip(panels, routes.items()):
    off = bob - exact[: len(bob)]
    size = np.hypot(*off.T)
    farthest.append(size.max() if len(bob) > SAMPLES else np.inf)
    early.append(size[:101].max())
    panel.plot(time, np.where(size < 4, off.T, np.nan).T, label=["error of x₂", "error of y₂"])
    panel.set(title=label, xlim=(0, 100))
    ax.plot(time, np.where(np.abs(energy) < 0.06, energy, np.nan), label=label)
panels[0].legend()
panels[4].set(xlabel="time")
ax.set(xlabel="time", ylabel="energy, less that of the start", xlim=(0, 100))
ax.legend()
page.figure("errors", figure, "As Fig. 1: errors of the second bob against a benchmark with exact rods.")
page.figure("energies", energies, "Energy, including the penalties, minus its initial value.")
shake, euler, newmark, one_step, zs = farthest
angles = np.hypot(*(follow("angles.yaml", 200, h=0.0005)[1] - exact).T).max()
page.said(
    "benchmark",
    "small-step variational Euler in generalised coordinates",
    f"variational Euler with h = 0.0005 and RATTLE of sixth order with h = 0.005 agree to {angles:.1e} until time 100",
    below(angles, 2e-3),
)
page.said(
    "Zhang-Skeel, h = 0.1",
    "small errors almost identical to those of Newmark fully solved",
    f"largest error until time 100: {zs:.3f}, Newmark {newmark:.3f}",
    near(zs / newmark, 1, 0.2),
)
page.said(
    "SHAKE, h = 0.1",
    "smaller errors than Zhang-Skeel, which has those of finite w in addition",
    f"largest error {shake:.3f}; of the penalties alone (Euler, h = 0.005) {euler:.3f}",
    below(shake, zs),
)
page.text(
    "The paper does not specify the equations for the single Newton step of its partially solved Newmark. Here (method "
    "newmark-1) the step solves for new positions and velocities together: the run survives, but loses energy and soon deviates. "
    "If the forces are evaluated again at the new positions (acceleration newmark-1), the penalties throw the rods apart."
)
lost = routes["Newmark, one Newton step, w = 20, h = 0.1"][2][-1]
page.said(
    "Newmark with one Newton step",
    "a large error",
    (
        f"error {early[3]:.2f} until time 10 (solved Newmark: {early[2]:.3f}), {one_step:.2f} until time 100; its energy changes by "
        f"{lost:.3f}"
    ),
    above(one_step / newmark, 2),
)
flipped, rigid = (len(follow(file, g=-1)[0]) for file in ("zs.yaml", "shake.yaml"))
page.said(
    "sign of gravity",
    "V = -g y1 - g y2 (printed)",
    (
        "inverted start: Zhang-Skeel with h = 0.1"
        f" {f'fails at time {GRID * flipped:.1f}' if flipped <= SAMPLES else 'runs'}, SHAKE"
        f" {'is chaotic' if rigid > SAMPLES else 'too'}. V = +g y gives Fig. 1 as described"
    ),
    below(flipped, SAMPLES),
    above(rigid, SAMPLES),
    holds=False,
)

# --- Where coarse steps break down ---

texts, ends = [], []
for label, file, changes in (
    ("Zhang-Skeel", "zs.yaml", {}),
    ("Newmark", "newmark-own.yaml", {}),
    ("the midpoint rule", "midpoint.yaml", {}),
    ("Z&Ss", "zs.yaml", {"map": "zss-block"}),
):
    time, _, energy = follow(file, w=2000, **changes)
    ends.append((len(time), gallery.largest(energy)))
    texts.append(
        f"{label} fails at {GRID * len(time):.1f}"
        if len(time) <= SAMPLES
        else f"{label}: energy error {ends[-1][1]:.2g}"
    )
page.said(
    "w = 2000, h = 0.1",
    "unstable: Zhang-Skeel, Newmark and the midpoint rule",
    "; ".join(texts),
    below(ends[0][0], SAMPLES),
    below(ends[1][1], 0.5),
    below(ends[2][0], SAMPLES),
    holds=False,
)


# --- Speed ---

zs, newmark, shake = (gallery.seconds(page.open(file), 20000) for file in ("zs.yaml", "newmark-own.yaml", "shake.yaml"))
page.said(
    "time, SHAKE : Newmark solved : Zhang-Skeel",
    "3.8 : 5.3 : 0.4 (Matlab), or 9.5 : 13 : 1",
    f"{shake / zs:.1f} : {newmark / zs:.1f} : 1; {1e6 * zs:.2f} microseconds a step of Zhang-Skeel (indicative)",
    above(shake / zs, 0.5),
    above(newmark / zs, 1),
)
