"""A robot arm whose hand has a path to go: joints by SHAKE and random search."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below

page = gallery.Page(
    "Robot arm: inverse kinematics by constraints and random search",
    "Vesely 2013, section VII B; Kastenmeier & Vesely 1996",
    (
        "A planar arm of five limbs whose hand goes round an ellipse at constant speed. SHAKE moves the joints; small random "
        "variations are accepted if they lower an objective: squared angular velocities and accelerations, and a potential "
        "around an obstacle. The paper does not specify the search and the objective; docs/mechanics.md describes them, and the "
        "input files define them."
    ),
)
STEP, STEPS, DISC, RADIUS = 0.02, 635, np.array([1.9, -1.7]), 0.35  # as in the input files


class Path:
    """A run: joints [n][6][2] with the base, angles of the joints [n][5] and their rates, and the worst of all."""

    def __init__(self, file, changes=None):
        track = gallery.follow(page.open(file, changes), STEPS)
        self.time = track.time
        self.joints = np.pad(track.positions, ((0, 0), (1, 0), (0, 0)))
        limb = np.diff(self.joints, axis=1)
        length = np.hypot(*np.moveaxis(limb, 2, 0))
        whole = np.arctan2(limb[..., 1], limb[..., 0])
        self.angle = np.unwrap(np.diff(whole, axis=1, prepend=0), axis=0)
        self.rate = np.diff(self.angle, axis=0) / STEP
        self.velocity = np.sqrt((self.rate**2).sum() / STEPS)
        self.acceleration = np.sqrt((np.diff(self.rate, axis=0) ** 2).sum() / STEPS) / STEP
        to_disc = DISC - self.joints[:, :-1]
        along = np.clip((to_disc * limb).sum(axis=2) / length**2, 0, 1)
        self.clear = np.hypot(*np.moveaxis(to_disc - along[..., None] * limb, 2, 0)).min() - RADIUS
        hand = (self.joints[:, -1] - [2.4, 0.8]) / [1.2, 0.8]
        self.limb, self.hand = gallery.largest(length - 1), gallery.largest((hand**2).sum(axis=1) - 1)


shake = Path("arm.yaml", {"integrator.search.trials": 0})
search, obstacle = Path("arm.yaml"), Path("arm-obstacle.yaml")
limb, hand = (max(getattr(path, name) for path in (shake, search, obstacle)) for name in ("limb", "hand"))
page.said("limbs under SHAKE", "constant lengths", f"kept to {limb:.0e}", below(limb, 1e-10))
page.said("the hand", "goes through its required trajectory", f"on its ellipse to {hand:.0e}", below(hand, 1e-10))
page.said(
    "random variations of the joints",
    "angular velocities and accelerations are made small",
    (
        f"rms velocity {search.velocity:.3f}, acceleration {search.acceleration:.3f}; by SHAKE alone {shake.velocity:.3f} and "
        f"{shake.acceleration:.3f}"
    ),
    below(search.velocity, shake.velocity),
    below(search.acceleration, shake.acceleration),
)
page.said(
    "an obstacle",
    "is avoided",
    f"least distance of a limb {obstacle.clear:.3f}; without it as a potential {search.clear:.3f}",
    above(obstacle.clear, 0),
    below(search.clear, 0),
)

for name, path, title, caption in (
    (
        "arm",
        search,
        "The search, without obstacle",
        "Eight postures of the hand's first turn. The disc is drawn but not in the objective.",
    ),
    ("arm-obstacle", obstacle, "The search, with the disc as an obstacle", "The same with the disc in the objective."),
):
    figure, ax = gallery.axes()
    for n in np.arange(8) * (STEPS // 2) // 8:
        ax.plot(*path.joints[n].T, "o-", markersize=3, label=f"t = {path.time[n]:.2f}")
    ax.plot(*path.joints[:, -1].T, "k--", linewidth=0.7, label="hand")
    round_disc = np.linspace(0, 2 * np.pi, 61)
    ax.fill(DISC[0] + RADIUS * np.cos(round_disc), DISC[1] + RADIUS * np.sin(round_disc), color="grey", label="disc")
    ax.set(title=title, xlabel="x", ylabel="y", xlim=(-1.7, 6.3), ylim=(-2.3, 2.0), aspect="equal")
    ax.legend()
    page.figure(name, figure, caption)

for name, time, values, title, label, caption in (
    (
        "angles",
        obstacle.time,
        obstacle.angle,
        "Joint angles, with the obstacle",
        "φ_i",
        "The solution of the inverse kinematic problem: the angles of the joints.",
    ),
    (
        "velocities",
        obstacle.time[1:],
        obstacle.rate,
        "Angular velocities, with the obstacle",
        "dφ_i/dt",
        "Angular velocities of the joints, over two turns of the hand.",
    ),
):
    figure, ax = gallery.axes()
    ax.plot(time, values, label=["joint 1 (base)", "joint 2", "joint 3", "joint 4", "joint 5"])
    ax.set(title=title, xlabel="t", ylabel=label)
    ax.legend()
    page.figure(name, figure, caption)
