"""Double and triple pendulum: paths, neighbours that part, and small swings."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below, near

page = gallery.Page(
    "Double and triple pendulum",
    "Vesely 2013, section VII.A and problem 3",
    "Two or three equal bobs on bonds of unit length in the plane, by RATTLE. From small angles they swing, from large ones they tumble, and "
    "neighbouring starts part exponentially.",
)
GRAVITY, STEP = 9.81, 0.005
CASES = {"double, from 0.3": ("double.yaml", 2, 0.3), "double, from 2": ("double.yaml", 2, 2.0),
         "triple, from 0.3": ("triple.yaml", 3, 0.3), "triple, from 2": ("triple.yaml", 3, 2.0)}


def load(case, h=STEP, **changes):
    """All bonds let go at one angle."""
    file, bonds, angle = CASES[case]
    return page.open(file, {"integrator.timestep": h, **{f"system.constants.a{n + 1}": angle for n in range(bonds)}, **changes})


def angles(simulation):
    """Of the bonds from below, and their rates."""
    zero = np.zeros((1, 2))
    bond, speed = (np.diff(x[0], axis=0, prepend=zero) for x in (simulation.positions, simulation.velocities))
    angle = np.arctan2(bond[:, 0], -bond[:, 1])
    return angle, speed[:, 0] * np.cos(angle) + speed[:, 1] * np.sin(angle)


def set_angles(simulation, angle, rate):
    simulation.positions = np.cumsum(np.stack([np.sin(angle), -np.cos(angle)], axis=1), axis=0)
    simulation.velocities = np.cumsum(np.stack([rate * np.cos(angle), rate * np.sin(angle)], axis=1), axis=0)


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
page.figure("paths", figure, "The path of the last bob over 40 time units; all bonds let go at one angle.")
page.figure("energy", energies, "Energy by RATTLE, h = 0.005.")
page.said("constraints", "", f"lengths within {lengths:.0e}, velocities along the bonds within {speeds:.0e} in all runs", below(lengths, 1e-12),
          below(speeds, 1e-11))

# --- Neighbours: two runs whose first angles differ by 1e-8 at the start ---

APART = 1e-8


def neighbours(case, moments, pulled):
    """Their distance in phase space after every 0.1. pulled: the second is then drawn back to the first distance (Benettin et al.
    1976), and the mean rate of growth so far, which goes to the largest exponent of Lyapunov."""
    first, second = load(case), load(case)
    angle, rate = angles(first)
    set_angles(second, angle + APART * (np.arange(len(angle)) == 0), rate)
    values, total = [], 0.0
    for i in range(1, moments + 1):
        first.step(20)
        second.step(20)
        (a, w), (b, v) = angles(first), angles(second)
        off = (b - a + np.pi) % (2 * np.pi) - np.pi, v - w
        size = np.sqrt((off[0] ** 2).sum() + (off[1] ** 2).sum() / GRAVITY)  # rates in units of sqrt(g/l)
        total += np.log(size / APART)
        values.append(total / (0.1 * i) if pulled else size)
        if pulled:
            set_angles(second, a + APART / size * off[0], w + APART / size * off[1])
    return 0.1 * np.arange(1, moments + 1), np.array(values)


figure, (left, right) = gallery.axes(1, 2)
rate = {}
for case in CASES:
    left.semilogy(*neighbours(case, 300, pulled=False), label=case)
    time, growth = neighbours(case, 2000, pulled=True)
    right.plot(time, growth)
    rate[case] = growth[-1]
left.set(xlabel="time", ylabel="distance")
left.legend()
right.set(xlabel="time", ylabel="mean rate of growth")
page.figure("neighbours", figure, "Two starts whose first angles differ by 10⁻⁸. Left: their distance in phase space. Right: the mean rate at "
            "which it grows when it is set back to 10⁻⁸ ten times a time unit: it goes to the largest exponent of Lyapunov.")
double, tumbling, triple, wild = rate.values()
page.said("regular starts, at 0.3", "regular and chaotic behavior", f"mean rate of growth over 200 time units: {double:.3f} (double) and "
          f"{triple:.3f} (triple)", below(double, 0.1), below(triple, 0.1))
page.said("chaotic starts, at 2", "regular and chaotic behavior", f"exponents {tumbling:.2f} (double) and {wild:.2f} (triple) per unit of time "
          "(with g = 9.81, l = 1: seconds)", above(tumbling, 0.5), above(wild, 0.5))

# --- Small swings: n equal bobs have ω² = (g/l) x, x the zeros of Laguerre's polynomial L_n, and in the mode of x the k-th bob
# from the free end (k = 0 the last) is displaced by L_k(x) ---

for case, n in (("double, from 0.3", 2), ("triple, from 0.3", 3)):
    x = np.polynomial.laguerre.lagroots([0] * n + [1]).min()
    displaced = np.polynomial.laguerre.lagval(x, np.eye(n + 1))[::-1]  # L_n, that of the fixed end, is zero
    swing = load(case, 0.001)
    set_angles(swing, 1e-3 * np.diff(displaced), np.zeros(n))
    track = gallery.follow(swing, 4000, 5)
    last = track.positions[:, -1, 0]
    rising = np.flatnonzero((last[:-1] < 0) & (last[1:] >= 0))
    passages = track.time[rising] + 0.005 * last[rising] / (last[rising] - last[rising + 1])
    period, exact = np.diff(passages).mean(), 2 * np.pi / np.sqrt(GRAVITY * x)
    page.said(f"{case[:6]}: period of the slow mode", "", f"{period:.6f}; 2π / sqrt(g x) is {exact:.6f}, x = {x:.6f} the smallest zero of L_{n}",
              near(period / exact, 1, 1e-5))

# --- Error of the energy over steps, and SHAKE beside RATTLE while rounding has not grown ---

loss = [gallery.change(gallery.follow(load("double, from 2", h), 250, round(0.02 / h))["total"]) for h in (0.002, 0.001)]
order = np.log2(loss[0] / loss[1])
page.said("energy of the tumbling double pendulum", "", f"within {loss[1]:.1e} until time 5 at h = 0.001, of order {order:.2f}", near(order, 2, 0.2))
rattle, shake = (gallery.follow(load("double, from 2", **{"geometry.method": method}), 250, 4).positions for method in ("rattle", "shake"))
same = gallery.largest(rattle - shake)
page.said("SHAKE and RATTLE", "SHAKE is simpler, but RATTLE is more appropriate for the usual starts", f"the same positions within {same:.0e} until "
          "time 5", below(same, 1e-8))
