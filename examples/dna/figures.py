"""A ring of base pairs that goes over from one stable state to the other, by Verlet and in steps ten times as long."""

import numpy as np

import holonom
from holonom import gallery
from holonom.gallery import above, below, near

page = gallery.Page(
    "DNA: conformational transition in coarse steps",
    "Tao & Owhadi 2015, section 4.4, Fig. 8",
    "A ring of 200 angles, one for each base pair, with springs between neighbours and a weak Morse potential that has two minima, where the pair is closed. "
    "Stiff are the springs; the mean angle, which only the Morse potential moves, is slow, and goes over from one state to the other.",
)
REPLICAS, END, EVERY = 8, 1000, 2
LOW = np.arccos(0.7)
HIGH = 2 * np.pi - LOW


class Course:
    """Mean angles and speeds [n][replicas] and energies, seen every 2, and the seconds that a unit of time takes."""

    def __init__(self, file, h):
        strand = page.open(file, {"ensemble.replicas": REPLICAS})
        rows = [(strand.positions.mean(axis=(1, 2)), strand.momenta.mean(axis=(1, 2)), strand.look()["total"])]
        for _ in range(END // EVERY):
            strand.step(round(EVERY / h))
            rows.append((strand.positions.mean(axis=(1, 2)), strand.momenta.mean(axis=(1, 2)), strand.look()["total"]))
        self.angle, self.speed, self.energy = np.array(rows).swapaxes(0, 1)
        self.time = EVERY * np.arange(len(self.angle))
        over = self.angle > np.pi
        self.crossed = over.any(axis=0)
        self.when = self.time[over.argmax(axis=0)][self.crossed].mean()
        self.late = self.energy[len(self.energy) // 2 + 1 :].mean()
        self.cost = gallery.seconds(strand, round(100 / h)) / h


verlet, zs = Course("verlet.yaml", 0.2), Course("zs.yaml", 2)
figure, (portrait, angle, energy) = gallery.axes(3, 1, size=(7.0, 3.0))
for label, course in (("velocity Verlet, h = 0.2", verlet), ("Zhang-Skeel, h = 2", zs)):
    portrait.plot(course.angle[:, 0], course.speed[:, 0], label=label)
    angle.plot(course.time, course.angle[:, 0])
    energy.plot(course.time, course.energy[:, 0])
for at, name in ((LOW, "arccos 0.7"), (HIGH, "2π − arccos 0.7")):
    portrait.axvline(at, color="grey", linestyle=":")
    angle.axhline(at, color="grey", linestyle=":")
    angle.text(0, at, name, fontsize="small")
portrait.set(xlabel="mean angle", ylabel="mean angular velocity")
portrait.legend()
angle.set(xlabel="time", ylabel="mean angle")
energy.set(xlabel="time", ylabel="energy")
page.figure("strand", figure, "As Fig. 8: phase portrait of the mean angle of 200 base pairs; below, the mean angle and the energy against time. Both methods from "
            "the same start.")
page.said("transition between the stable states", "both methods show it", f"{verlet.crossed.sum()} and {zs.crossed.sum()} of {REPLICAS} starts go over, after "
          f"{verlet.when:.0f} and {zs.when:.0f} on average", above(verlet.crossed.sum(), 0), above(zs.crossed.sum(), 0))
page.said("between which states", "arccos 0.7 = 0.795 and 2 pi - arccos 0.7 = 5.49", f"mean angles from {verlet.angle.min():.2f} to {verlet.angle.max():.2f} (Verlet) "
          f"and from {zs.angle.min():.2f} to {zs.angle.max():.2f} (Zhang-Skeel)", near(verlet.angle.min(), LOW, 0.15), near(zs.angle.min(), LOW, 0.15),
          near(verlet.angle.max(), HIGH, 0.15), near(zs.angle.max(), HIGH, 0.15))
page.said("energy of Zhang-Skeel", "lower than Verlet's, as long steps damp fast oscillations", f"{zs.late:.3f} against {verlet.late:.3f}, at the same start "
          f"{verlet.energy[0, 0]:.3f}", below(zs.late, verlet.late))
page.said("speed", "23.26 s by Verlet, 3.24 s by Zhang-Skeel: 7.2 times", f"{verlet.cost / zs.cost:.1f} times ({1e3 * verlet.cost:.3g} and {1e3 * zs.cost:.3g} ms for a "
          f"unit of time, {REPLICAS} starts side by side; indicative)")

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
            strand.step(int(END / h))
            count += not strand.look()["total"][0] < 10 * first
        except holonom.RunError:
            count += 1
    return count


linear = 2 / np.sqrt(4 + EPS * curvature(LOW))
under, over = (lost("verlet.yaml", share * linear, 4) for share in (0.95, 1.02))
page.said("stability limit of velocity Verlet", "h = 0.2 is near it", f"2/sqrt(4 + eps U'') = {linear:.3f}; of 4 seeds lost by t = 1000: {under} at h = "
          f"{0.95 * linear:.3f}, {over} at h = {1.02 * linear:.3f}", below(under, 1), above(over, 3), holds=False)
convex = np.sqrt(-1 / (0.3 * EPS * curvature(1e-3 * np.arange(6284)).min()))
coarse, coarser = (lost("zs.yaml", h, 8) for h in (2, 2.6))
page.said("stability limit of Zhang-Skeel", "h = 2 is near it", f"1 + beta h^2 eps U'' stays positive below h = {convex:.2f}; of 8 seeds lost by t = 1000: {coarse} at "
          f"h = 2, {coarser} at h = 2.6", below(coarse, 1), above(coarser, 0))
small, large = (gallery.seconds(page.open("zs.yaml", {"system.constants.N": n, "integrator.timestep": 1}), 20000 // n) for n in (200, 2000))
page.said("cost of a Zhang-Skeel step", "of order N", f"{1e3 * small:.3g} ms for 200 base pairs, {1e3 * large:.3g} ms for 2,000: {large / small:.1f} times (indicative)",
          below(large / small, 40))
page.text("The strand is closed to a ring: the first momenta, cos(4 pi k/N)/sqrt(N), are a normal mode of the ring, and of a chain with open ends only nearly. "
          "Energies are those of the model itself, at the positions and momenta that the methods keep. A sum of 200 angles is chaotic: after the transition the "
          "two curves agree in kind, not in detail. In longer runs some starts are lost by Zhang-Skeel at h = 2 (one of eight by t = 4000).")
