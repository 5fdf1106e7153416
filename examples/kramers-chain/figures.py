"""A Kramers chain as a random walk with SHAKE: its size, its diffusion, and what the solver needs."""

import numpy as np

import holonom
from holonom import gallery
from holonom.gallery import near

page = gallery.Page(
    "Kramers chain: a random walk with SHAKE",
    "Vesely 2013, section VII C",
    (
        "A chain of rigid links in the plane: each step displaces all sites at random, and SHAKE restores the links. The density "
        "sqrt(det J M⁻¹ J') contains only squares of cosines, so turning one part of the chain over by π, which changes the sign "
        "of cos φ, does not change it. Therefore ⟨R²⟩ = n for n links of length 1, as for free links, while ⟨cos 2φ⟩ is not zero."
    ),
)
LINKS, STEP, REPLICAS, EVERY, SAMPLES = (5, 10, 20, 30), 0.05, 128, 50, 40


def mean(values):
    """Of independent replicas, with the error."""
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


figure, ax = gallery.axes()
for links in LINKS:
    walk = page.open("walk.yaml", {"system.constants.links": links, "ensemble.replicas": REPLICAS})
    # From directions drawn at random, near to what is sampled, so that long chains need not find it by their own slow motion.
    turn = 2 * np.pi * np.random.default_rng(2013).random((REPLICAS, links))
    start = np.zeros((REPLICAS, links + 1, 2))
    start[:, 1:] = np.cumsum(np.stack([np.cos(turn), np.sin(turn)], axis=2), axis=1)
    walk.positions = start
    walk.step(400)  # angles forget the start
    origin = walk.positions.mean(axis=1)
    square, one, two, time, moved, shots = 0, 0, 0, [], [], []
    for n in range(SAMPLES):
        walk.step(EVERY)
        x = np.asarray(walk.positions)
        bond = np.diff(x, axis=1)
        cosine = (bond[:, 1:] * bond[:, :-1]).sum(axis=2)
        square += ((x[:, -1] - x[:, 0]) ** 2).sum(axis=1) / SAMPLES
        one += cosine.mean(axis=1) / SAMPLES
        two += (2 * cosine**2 - 1).mean(axis=1) / SAMPLES
        time.append((n + 1) * EVERY)
        moved.append(mean(((x.mean(axis=1) - origin) ** 2).sum(axis=1)))
        if n % 10 == 0:
            shots.append(x[0])
    (size, size_error), (one, one_error), (two, two_error) = mean(square), mean(one), mean(two)
    time, (msd, msd_error) = np.array(time), np.array(moved).T
    law = 2 * STEP**2 * time / (links + 1)
    slope, slope_error = msd[-1] / law[-1], msd_error[-1] / law[-1]
    page.said(
        f"chain of {links} links",
        "a random walk in a heat bath; ⟨R²⟩ = n, by symmetry, and D = a²/2(n + 1) a step follow",
        (
            f"⟨R²⟩/n = {size / links:.3f} ± {size_error / links:.3f}; D relative to that {slope:.2f} ± {slope_error:.2f}; ⟨cos φ⟩ ="
            f" {one:.4f} ± {one_error:.4f}, ⟨cos 2φ⟩ = {two:.4f} ± {two_error:.4f}"
        ),
        near(size, links, 4 * size_error),
        near(slope, 1, 4 * slope_error),
    )
    bars = ax.errorbar(time, msd, msd_error, fmt=".", markersize=4, linewidth=0.5, label=f"{links} links")
    ax.plot(time, law, "--", color=bars[0].get_color())
ax.set(title="Mean square displacement of the centre of mass", xlabel="steps", ylabel="⟨(ΔR)²⟩")
ax.legend()
page.figure(
    "diffusion",
    figure,
    (
        "128 replicas with errors; dashed: 2 a² t/(n + 1) for steps a in each coordinate of n + 1 sites. SHAKE's corrections are "
        "internal and do not move the centre of mass."
    ),
)
figure, ax = gallery.axes(size=(5.4, 5.4))
for shot in shots:
    ax.plot(*shot.T, "o-", markersize=3)
ax.set(title="One chain of 30 links, 500 steps apart", xlabel="x", ylabel="y", aspect="equal")
page.figure("chain", figure, "A random walk of the chain.")

# --- Sweeps: the least limit under which 64 chains of 10 links go 100 steps ---


def goes(h, tolerance, limit):
    walk = page.open(
        "walk.yaml",
        {
            "integrator.timestep": h,
            "geometry.tolerance": tolerance,
            "geometry.max_iterations": limit,
            "geometry.solver": "gauss-seidel",
        },
    )
    try:
        walk.step(100)
    except holonom.RunError:
        return False
    return True


def sweeps(h, tolerance):
    low, high = 0, 1024
    while high - low > 1:
        limit = (low + high) // 2
        low, high = (low, limit) if goes(h, tolerance, limit) else (limit, high)
    return high


steps, tolerances = np.array([0.01, 0.02, 0.035, 0.05]), (1e-3, 1e-6, 1e-10)
needed = {tolerance: [sweeps(h, tolerance) for h in steps] for tolerance in tolerances}
short, long = ([needed[tolerance][i] for tolerance in tolerances] for i in (0, -1))
page.said(
    "SHAKE, 10 links, sweeps that 6,400 steps need at most",
    "step size, iterations and tolerance play together",
    f"step 0.01: {short[0]} (tolerance 1e-3), {short[1]} (1e-6), {short[2]} (1e-10); step 0.05: {long[0]}, {long[1]}, {long[2]}",
)
figure, ax = gallery.axes()
for tolerance in tolerances:
    ax.plot(steps, needed[tolerance], "o-", label=f"tolerance {tolerance:g}")
ax.set(
    title="Gauss-Seidel SHAKE, chain of 10 links",
    xlabel="step in each coordinate / bond length",
    ylabel="sweeps that the worst of 6,400 steps needs",
)
ax.legend()
page.figure("sweeps", figure, "The controls of the paper's applet: sweeps against step size and tolerance.")
