"""A point on a circle, and a pendulum, by SHAKE and RATTLE, beside what is known exactly."""

import numpy as np

from holonom import gallery
from holonom.gallery import below, near

page = gallery.Page(
    "Circle and pendulum",
    "Vesely 2013, sections I to III, problems 1 and 2",
    (
        "A point constrained to a circle by SHAKE and RATTLE: first without forces, where the angle should grow in proportion to "
        "time, then under gravity."
    ),
)
STEPS = np.array([0.04, 0.02, 0.01])


def run(file, h, time, method="rattle", faster=1.0):
    simulation = page.open(file, {"integrator.timestep": h, "geometry.method": method})
    simulation.momenta = faster * simulation.momenta[0]
    return gallery.follow(simulation, round(time / h))


# --- Problem 1: the angle of the clockwise motion, less the exact -t ---


def phase(track):
    x, y = track.positions[:, 0].T
    return np.unwrap(np.arctan2(y, x)) + track.time


page.text(
    "Problem 1: without forces a step moves by Δt v along the tangent and returns along the initial radius, so sin(Δφ) = v Δt. "
    "All steps turn by the same angle, which differs from ω Δt by (ω Δt)^3/6. A start from the two points r(0) and r(-Δt) on the "
    "circle, instead of a velocity, gives the exact angle."
)
figure, ax = gallery.axes()
uneven, slope = [], []
for h in STEPS:
    track = run("circle.yaml", h, 20)
    ahead = phase(track)
    uneven.append(gallery.largest(ahead - track.time + np.arange(len(ahead)) * np.arcsin(h)))
    slope.append(-ahead[-1] / track.time[-1])
    ax.plot(track.time, ahead, label=f"Δt = {h}")
track = run("circle.yaml", 0.04, 20, faster=np.sin(0.04) / 0.04)  # as from the two points: h v along the tangent ends at sin(h)
exact = gallery.largest(phase(track))
ax.plot(track.time, phase(track), label="Δt = 0.04, from r(0) and r(-Δt)")
ax.set(title="Uniform motion on a circle", xlabel="t", ylabel="φ(t) + ωt")
ax.legend()
page.said(
    "circle: angle per step",
    "compare with φ = ωt",
    f"asin(ω Δt) at every step, within {max(uneven):.0e} in 20 time units",
    below(max(uneven), 1e-10),
)
page.said(
    "circle: angular velocity at Δt = 0.01",
    "compare with φ = ωt",
    f"ω (1 + {slope[2]:.4e}); (ω Δt)²/6 is {1e-4 / 6:.4e}",
    near(slope[2] / (1e-4 / 6), 1, 1e-3),
)
page.said("circle: from r(0) and r(-Δt)", "the other way to start", f"φ = ωt within {exact:.0e}", below(exact, 1e-10))
page.figure(
    "circle",
    figure,
    "Problem 1: the angle φ(nΔt) of the clockwise motion minus the exact -ωt. The error grows in proportion to time and to Δt².",
)

# --- Problem 2: a pendulum let go at 120 degrees ---

GRAVITY, AMPLITUDE = 9.81, 2 * np.pi / 3


def swing(track):
    """The angle from below, and its rate."""
    (x, y), (px, py) = track.positions[:, 0].T, track.momenta[:, 0].T
    return np.arctan2(x, -y), (py * x - px * y) / (x * x + y * y)


def period(track):
    """The mean time between passages to the right: where cubics through neighbouring moments, with their slopes, are zero."""
    (angle, rate), h = swing(track), track.time[1]
    passages = []
    for i in np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0) & (rate[:-1] > 0)):
        s = np.linspace(0, 1, 2001)
        r = 1 - s
        y = (
            angle[i] * (1 + 2 * s) * r**2
            + h * rate[i] * s * r**2
            + angle[i + 1] * s**2 * (3 - 2 * s)
            - h * rate[i + 1] * s**2 * r
        )
        passages.append(track.time[i] + h * np.interp(0, y, s))
    return (passages[-1] - passages[0]) / (len(passages) - 1)


def exact_swing(t):
    """sin(φ/2) = k cd(ωt): Jacobi's functions, by Landen's transformation from an amplitude that is nearly a circle's."""
    a, b, c, k = [1.0], np.cos(AMPLITUDE / 2), [], np.sin(AMPLITUDE / 2)
    while a[-1] - b > 1e-16 * a[-1] and len(a) < 9:
        c.append((a[-1] - b) / 2)
        a, b = [*a, (a[-1] + b) / 2], np.sqrt(a[-1] * b)
    amplitude = 2 ** len(c) * a[-1] * np.sqrt(GRAVITY) * t
    for i in reversed(range(len(c))):
        amplitude = (amplitude + np.arcsin(c[i] / a[i + 1] * np.sin(amplitude))) / 2
    return 2 * np.arcsin(k * np.cos(amplitude) / np.sqrt(1 - (k * np.sin(amplitude)) ** 2)), np.pi / 2 / a[-1]


quarter = exact_swing(0.0)[1]  # K(sin 60°)
exact = 4 / np.sqrt(GRAVITY) * quarter
late, loss = [], []
for h in STEPS:
    track = run("pendulum.yaml", h, 30)
    mean = period(track)
    late.append(abs(mean / exact - 1))
    loss.append(gallery.change(track["total"]) / GRAVITY)
shake, rattle = (run("pendulum.yaml", 0.05, 30, method) for method in ("shake", "rattle"))
same = gallery.largest(shake.positions - rattle.positions)
order_late, order_loss = (np.log2(e[-2] / e[-1]) for e in (late, loss))
page.said(
    "pendulum: period at Δt = 0.01",
    "",
    f"{mean:.6f} s; 4 sqrt(l/g) K(sin 60°) is {exact:.6f} s; the error is of order {order_late:.2f}",
    near(order_late, 2, 0.1),
)
page.said(
    "pendulum: energy",
    '"crude checks" only, with Verlet\'s velocities',
    f"within {loss[-1]:.1e} m g l over 11 periods at Δt = 0.01, of order {order_loss:.2f}",
    near(order_loss, 2, 0.1),
)
page.said(
    "pendulum: SHAKE and RATTLE",
    "a simple program, and one for customary starts",
    f"the same positions within {same:.0e} m over 30 s",
    below(same, 1e-9),
)
figure, ax = gallery.axes()
t = np.linspace(0, rattle.time[109], 600)
ax.plot(t, exact_swing(t)[0], label="exact")
ax.plot(rattle.time[:110], swing(rattle)[0][:110], ".", label="RATTLE, Δt = 0.05")
ax.set(title="Pendulum let go at 120°", xlabel="t / s", ylabel="φ")
ax.legend()
page.figure(
    "pendulum",
    figure,
    "Problem 2: the angle from the vertical, with g = 9.81 and l = 1, and the exact angle by Jacobi's elliptic functions.",
)

figure, ax = gallery.axes()
for label, y in (("circle: angular velocity", slope), ("pendulum: period", late), ("pendulum: energy / m g l", loss)):
    ax.loglog(STEPS, y, "o", label=label)
ax.loglog(STEPS, STEPS**2, label="Δt²")
ax.set(title="Errors", xlabel="Δt", ylabel="relative error")
ax.legend()
page.figure("order", figure, "Errors of both problems against the time step.")
