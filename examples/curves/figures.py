"""Uniform motion on plane curves: what passengers feel, beside the curvature."""

import numpy as np

from holonom import gallery
from holonom.gallery import below, near

page = gallery.Page(
    "Plane curves and Sergels torg",
    "Vesely 2013, section III A, Table I, problem 4",
    (
        "A point moves at constant speed along curves given by formulas: the lateral acceleration of passengers round a "
        "superellipse, a stadium and an ellipse of one size, and its maximum."
    ),
)
A, B, SPEED = 25.0, 25 * 5 / 6, 50 / 3.6

# First and second derivatives of the constraints, for what the acceleration must be: gx, gy, gxx, gxy, gyy.


def ellipse(x, y, n=2.0):
    u, v = np.abs(x) / A, np.abs(y) / B
    first = n * np.sign(x) * u ** (n - 1) / A, n * np.sign(y) * v ** (n - 1) / B
    return *first, n * (n - 1) * u ** (n - 2) / A**2, 0 * x, n * (n - 1) * v ** (n - 2) / B**2


def superellipse(x, y):
    return ellipse(x, y, 2.5)


def stadium(x, y):
    out = np.maximum(np.abs(x) - (A - B), 0) / B**2
    return 2 * out * np.sign(x), 2 * y / B**2, 2.0 * (out > 0) / B**2, 0 * x, 2 / B**2 + 0 * x


def parabola(x, y):
    return 2 * x, -1 + 0 * x, 2 + 0 * x, 0 * x, 0 * x


def bean(x, y):
    gx, gy = 4 * x**3 + 2 * x * y**2 - 3 * x**2 - y**2, 2 * x**2 * y + 4 * y**3 - 2 * x * y
    return gx, gy, 12 * x**2 + 2 * y**2 - 6 * x, 4 * x * y - 2 * y, 2 * x**2 + 12 * y**2 - 2 * x


def ride(file, derivatives, h, time):
    """A run, the acceleration from three positions each (Newton-Gregory), and v² times the curvature there."""
    track = gallery.follow(page.open(file, {"integrator.timestep": h}), round(time / h))
    x, y = track.positions[:, 0].T
    felt = np.hypot(np.diff(x, 2), np.diff(y, 2)) / h**2
    gx, gy, gxx, gxy, gyy = derivatives(x, y)
    size = np.hypot(gx, gy)
    with np.errstate(divide="ignore", invalid="ignore"):
        exact = 2 * track["kinetic"][0] * np.abs(gy**2 * gxx - 2 * gx * gy * gxy + gx**2 * gyy) / size**3
    exact[size < 1e-3 * (np.abs(gxx) + 2 * np.abs(gxy) + np.abs(gyy))] = np.nan  # near a singular point of the curve
    return track, felt, exact


# --- Problem 4: three tracks of the same length and width ---

page.text(
    "Formulas define the curves, and RATTLE with free motion follows them; the program computes the gradients. The speed is constant up"
    " to a ripple of order Δt² (on a circle exactly). Table I prints y instead of |y| for the discorectangle (docs/papers-errata.md)."
)
s = np.linspace(0, 1, 200001)
turn = np.minimum(s * (A - B + np.pi / 2 * B), np.pi / 2 * B) / B
outlines = {  # a quarter of each, for its length
    "superellipse, n = 5/2": (A * np.cos(np.pi / 2 * s) ** 0.8, B * np.sin(np.pi / 2 * s) ** 0.8),
    "stadium": (A - B + B * np.cos(turn) - (s * (A - B + np.pi / 2 * B) - turn * B), B * np.sin(turn)),
    "ellipse": (A * np.cos(np.pi / 2 * s), B * np.sin(np.pi / 2 * s)),
}
x, y = (outline[1:-1] for outline in outlines["superellipse, n = 5/2"])
gx, gy, gxx, gxy, gyy = superellipse(x, y)
bend = (gy**2 * gxx + gx**2 * gyy) / np.hypot(gx, gy) ** 3
corner = np.argmax(bend)
tracks = {
    "superellipse, n = 5/2": ("superellipse.yaml", superellipse, SPEED**2 * bend[corner]),
    "stadium": ("stadium.yaml", stadium, SPEED**2 / B),
    "ellipse": ("ellipse.yaml", ellipse, SPEED**2 * A / B**2),
}
figure, (left, right) = gallery.axes(1, 2)
for label, (file, derivatives, most) in tracks.items():
    track, felt, exact = ride(file, derivatives, 0.01, 12)
    i = np.argmax(felt)
    place = np.abs(track.positions[i + 1, 0])
    where = {
        "superellipse, n = 5/2": (
            f"at the four corners (±{place[0]:.2f}, ±{place[1]:.2f}) m; exact: {most:.3f} m/s² at "
            f"(±{x[corner]:.2f}, ±{y[corner]:.2f}) m"
        ),
        "stadium": f"all along both half circles, none between; exact: {most:.3f} m/s²",
        "ellipse": f"at both ends of the long axis; exact: {most:.3f} m/s²",
    }[label]
    page.said(
        f"{label}: largest lateral acceleration",
        "" if label == "ellipse" else "note where the maximum occurs",
        f"{felt[i]:.3f} m/s² {where}",
        near(felt[i] / most, 1, 1e-3),
    )
    angle = np.unwrap(np.arctan2(*track.positions[:, 0].T[::-1]))
    lap = np.interp(2 * np.pi, angle, track.time)
    around = 4 * np.hypot(*np.diff(outlines[label])).sum()
    page.said(
        f"{label}: a lap at 50 km/h",
        "",
        f"{lap:.3f} s, so {lap * SPEED:.2f} m; the curve's length is {around:.2f} m",
        near(lap * SPEED / around, 1, 1e-4),
    )
    (line,) = left.plot(*track.positions[:, 0].T, label=label)
    right.plot(track.time[1:-1], felt, color=line.get_color())
    right.plot(track.time, exact, "--", color="black", linewidth=0.6)
left.plot(x[corner] * np.array([1, -1, 1, -1]), y[corner] * np.array([1, 1, -1, -1]), "k.")
left.set(xlabel="x / m", ylabel="y / m", aspect="equal")
left.legend(loc="center")
right.set(xlabel="t / s", ylabel="lateral acceleration / (m/s²)", ylim=(0, 16), xlim=(0, 12))
page.figure(
    "torg",
    figure,
    (
        "Problem 4: the three tracks, with the sharpest points of the superellipse, and the lateral acceleration at 50 km/h from "
        "three positions each (Newton-Gregory), starting at the right end of the long axis. Dashed: v² times the curvature. The "
        "superellipse is straight at the ends of its axes; the stadium's acceleration jumps."
    ),
)

# --- Table I ---

figure, panels = gallery.axes(1, 2)
panel = iter(panels)
for label, file, derivatives, h, time in (
    ("parabola", "parabola.yaml", parabola, 0.01, 3),
    ("bean curve", "bean.yaml", bean, 0.005, 3.75),
    ("ellipse", "ellipse.yaml", ellipse, 0.02, 12),
    ("superellipse", "superellipse.yaml", superellipse, 0.02, 12),
    ("discorectangle", "stadium.yaml", stadium, 0.02, 12),
):
    speed, wrong, off = [], [], 1e-16
    for step in (h, h / 2):
        track, felt, exact = ride(file, derivatives, step, time)
        speed.append(gallery.change(track["total"]) / (2 * track["kinetic"][0]))
        wrong.append(np.sqrt(np.nanmean((felt - exact[1:-1]) ** 2) / np.nanmean(exact[1:-1] ** 2)))
        off = max(off, gallery.largest(track["largest_g"]))
    page.said(
        f"Table I: {label}",
        "followed by its σ and ∇σ alone",
        (
            f"|σ| < {off:.0e}; speed constant to {speed[0]:.1e} (half of Δt: "
            f"{speed[1]:.1e}); v²κ met to {wrong[0]:.1e} ({wrong[1]:.1e})"
        ),
        below(off, 1e-11),
        below(speed[1] / speed[0], 0.5),
        below(wrong[1], 0.02),
    )
    if label in ("parabola", "bean curve"):
        ax = next(panel)
        ax.plot(*track.positions[:, 0].T)
        ax.set(title=label, xlabel="x", ylabel="y", aspect="equal")
page.figure(
    "paths",
    figure,
    (
        "Table I: the parabola, from the left to the right, and a lap of the bean curve, which passes the origin, where the "
        "gradient of its constraint is zero."
    ),
)
