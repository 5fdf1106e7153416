"""Double and triple pendulum: neighbours that part, and small swings."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below, near

page = gallery.Page(
    "Neighbours, and small swings",
    "Vesely 2013, section VII.A",
    "The rate at which neighbouring starts separate, and the slow mode compared with its exact period.",
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


def angles(simulation):
    """Of the bonds from below, and their rates."""
    zero = np.zeros((1, 2))
    bond, speed = (np.diff(x[0], axis=0, prepend=zero) for x in (simulation.positions, simulation.velocities))
    angle = np.arctan2(bond[:, 0], -bond[:, 1])
    return angle, speed[:, 0] * np.cos(angle) + speed[:, 1] * np.sin(angle)


def set_angles(simulation, angle, rate):
    simulation.positions = np.cumsum(np.stack([np.sin(angle), -np.cos(angle)], axis=1), axis=0)
    simulation.velocities = np.cumsum(np.stack([rate * np.cos(angle), rate * np.sin(angle)], axis=1), axis=0)


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
page.figure(
    "neighbours",
    figure,
    (
        "Two starts whose first angles differ by 10⁻⁸. Left: their distance in phase space. Right: the mean rate of its growth "
        "when it is reset to 10⁻⁸ ten times per time unit, which converges to the largest Lyapunov exponent."
    ),
)
double, tumbling, triple, wild = rate.values()
page.said(
    "regular starts, at 0.3",
    "regular and chaotic behavior",
    f"mean rate of growth over 200 time units: {double:.3f} (double) and {triple:.3f} (triple)",
    below(double, 0.1),
    below(triple, 0.1),
)
page.said(
    "chaotic starts, at 2",
    "regular and chaotic behavior",
    f"exponents {tumbling:.2f} (double) and {wild:.2f} (triple) per unit of time (with g = 9.81, l = 1: seconds)",
    above(tumbling, 0.5),
    above(wild, 0.5),
)

# --- Small swings: n equal bobs have ω² = (g/l) x for each zero x of Laguerre's polynomial L_n. In the mode of x, the k-th bob
# from the free end (the last bob: k = 0) is displaced by L_k(x) ---

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
    page.said(
        f"{case[:6]}: period of the slow mode",
        "",
        f"{period:.6f}; 2π / sqrt(g x) is {exact:.6f}, x = {x:.6f} the smallest zero of L_{n}",
        near(period / exact, 1, 1e-5),
    )
