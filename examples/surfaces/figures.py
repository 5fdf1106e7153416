"""A ball on surfaces that turn about the z axis: what it keeps, and how its orbits turn."""

import numpy as np

from holonom import gallery
from holonom.gallery import below, near

page = gallery.Page(
    "Surfaces and the gravity well",
    "Vesely 2013, section III A, Table II, problem 5",
    (
        "A ball slides on surfaces given by formulas: a sphere, a paraboloid, a hyperboloid, and the funnel z = -a/ρ of science "
        "museums, with precessing planet-like orbits."
    ),
)
GRAVITY, FUNNEL = 9.81, 0.05  # m/s², m²


def angle(track):
    return np.unwrap(np.arctan2(track.positions[:, 0, 1], track.positions[:, 0, 0]))


# --- Table II ---

page.text(
    "All four surfaces are symmetric about the z axis, so the angular momentum about it is conserved, by RATTLE to rounding. The "
    "energy oscillates with an amplitude of order Δt² and does not drift."
)
s = np.linspace(0, 1, 15)
height = 3 * (s - 0.2)
table = (  # name, file, time step, time, and a meridian: distance from the axis and height
    (
        "sphere",
        "sphere.yaml",
        0.004,
        10,
        np.sin(np.pi / 2 * s),
        -np.cos(np.pi / 2 * s),
        "a ball in a sphere under gravity, a spherical pendulum.",
    ),
    ("paraboloid", "paraboloid.yaml", 0.004, 10, 1.05 * s, (1.05 * s) ** 2, "a ball in the parabolic well of section III A."),
    ("hyperboloid", "hyperboloid.yaml", 0.01, 4, np.sqrt(1 + height**2), height, "free motion on the hyperboloid."),
    (
        "pseudo-hyperboloid",
        "well-orbit.yaml",
        0.002,
        8,
        0.12 + 0.4 * s,
        -FUNNEL / (0.12 + 0.4 * s),
        "an orbit in the gravity well; metres.",
    ),
)
for label, file, h, time, rho, z, caption in table:
    loss, spin, off = [], 0.0, 1e-16
    for every in (1, 2):  # steps of h, and of half of it
        track = gallery.follow(page.open(file, {"integrator.timestep": h / every}), round(time / h), every)
        loss.append(gallery.change(track["total"]) / track["kinetic"][0])
        spin = max(spin, gallery.change(track["angular_z"]) / abs(track["angular_z"][0]))
        off = max(off, gallery.largest(track["largest_g"]))
    order = np.log2(loss[0] / loss[1])
    page.said(
        f"Table II: {label}",
        "followed by its σ and ∇σ alone",
        (
            f"|σ| < {off:.0e}; angular momentum about z kept to {spin:.0e}; energy "
            f"within {loss[0]:.1e} of the first kinetic one, of order {order:.2f}"
        ),
        below(off, 1e-11),
        below(spin, 1e-10),
        near(order, 2, 0.2),
    )
    figure, ax = gallery.axes(size=(6.4, 5.0), subplot_kw={"projection": "3d"})
    around = np.linspace(0, 2 * np.pi, 49)
    ax.plot_wireframe(
        np.outer(rho, np.cos(around)), np.outer(rho, np.sin(around)), np.outer(z, np.ones(49)), linewidth=0.3, color="grey"
    )
    ax.plot(*track.positions[:, 0].T, color="tab:red")
    ax.set(title=label, xlabel="x", ylabel="y", zlabel="z")
    page.figure(label, figure, ("Problem 5: " if file == "well-orbit.yaml" else "Table II: ") + caption)

# Straight lines of the hyperboloid need no force: the ball stays on (1, t, t).
track = gallery.follow(page.open("hyperboloid-line.yaml", {"integrator.timestep": 0.005}), 400)
bent = gallery.largest(track.positions[:, 0] - np.stack([np.ones_like(track.time), track.time, track.time], axis=1))
page.said("hyperboloid: along one of its straight lines", "", f"straight and even within {bent:.0e}", below(bent, 1e-12))

# --- Problem 5: the gravity well ---

wrong = height = 0.0
for radius in (0.2, 0.3, 0.45):
    well = page.open("well-circle.yaml", {"system.constants": {"a": FUNNEL, "g": GRAVITY, "rho": radius}})
    track = gallery.follow(well, 600, 5)
    period, kepler = 2 * np.pi * track.time[-1] / angle(track)[-1], 2 * np.pi * np.sqrt(radius**3 / (GRAVITY * FUNNEL))
    wrong = max(wrong, abs(period / kepler - 1))
    height = max(height, gallery.largest(track.positions[:, 0, 2] / (-FUNNEL / radius) - 1))
page.said(
    "gravity well: circles",
    "circular orbits in a constant z plane",
    (
        f"v² = g a/ρ: height constant within {height:.0e}; "
        f"Kepler's law T² = 4π²ρ³/(g a) within {wrong:.0e} at ρ = 0.2, 0.3, 0.45 m"
    ),
    below(height, 1e-3),
    below(wrong, 1e-3),
)

# An orbit that swings between two distances, and how far about the axis from one outermost point to the next: where the
# radial velocity changes from + to -.
track = gallery.follow(page.open("well-orbit.yaml", {"integrator.timestep": 0.001}), 30000, 2)
outward = (track.positions[:, 0, :2] * track.momenta[:, 0, :2]).sum(axis=1)
passed = np.flatnonzero((outward[1:-1] > 0) & (outward[2:] <= 0)) + 1
last = np.interp(0, -outward[passed[-1] : passed[-1] + 2], angle(track)[passed[-1] : passed[-1] + 2])
seen = (last - angle(track)[0]) / len(passed)
# With u = 1/ρ, energy and angular momentum give L² (1 + a² u⁴) (du/dφ)² = L² (u - u1)(u2 - u). A whole swing therefore turns by
# 2 integral of sqrt(1 + a² u⁴) over the angle s of u = (u1 + u2)/2 - (u2 - u1)/2 cos s. Without the slope this is Kepler's 2π.
u1 = 1 / 0.5
u2 = 2 * GRAVITY * FUNNEL / (0.5 * 0.7) ** 2 - u1
u = (u1 + u2) / 2 - (u2 - u1) / 2 * np.cos(np.pi * (np.arange(200) + 0.5) / 200)
exact = 2 * np.pi * np.sqrt(1 + FUNNEL**2 * u**4).mean()
page.said(
    "gravity well: tilted orbits",
    "may precess around the center axis, contrary to Kepler ellipses",
    f"{np.degrees(seen):.3f}° from one outermost point to the next (mean of {len(passed)}); by quadrature {np.degrees(exact):.3f}°",
    near(seen, exact, 1e-3),
)
figure, ax = gallery.axes(size=(5.0, 5.0))
ax.plot(*track.positions[: len(track.time) // 4, 0, :2].T)
ax.set(xlabel="x / m", ylabel="y / m", aspect="equal")
page.figure("precession", figure, "The same from above, for 15 s: the orbit turns by 509° between outermost points.")
