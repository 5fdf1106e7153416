"""The double pendulum: six methods against each other, what penalties make of rods and multipliers, and regular and chaotic motion."""

import numpy as np

import holonom
from holonom import gallery
from holonom.gallery import above, below, near

page = gallery.Page(
    "Double pendulum",
    "Tao & Owhadi 2015, section 4.1, Figs. 1 and 2",
    "Two rods in the plane, of lengths 1 and √2, released from rest with the first hanging and the second at 45 degrees. Six methods are compared: with rigid "
    "rods, and with stiff ones (penalties of strength w) whose vibrations the coarse steps of Zhang-Skeel and Newmark do not resolve.",
)
SAMPLES, GRID = 1000, 0.1  # until time 100
LENGTH = np.array([1, np.sqrt(2)])


def follow(file, per=1, **changes):
    """The second bob [n][2] and the energy every 0.1, in so many steps each; a run that breaks down ends there."""
    names = {"h": "integrator.timestep", "w": "geometry.w", "method": "geometry.method", "map": "integrator.acceleration",
             "composition": "integrator.composition", "g": "system.constants.g"}
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
page.figure("energies", energies, "Energy, the penalties' included, less that of the start.")
shake, euler, newmark, one_step, zs = farthest
angles = np.hypot(*(follow("angles.yaml", 200, h=0.0005)[1] - exact).T).max()
page.said("benchmark", "small-step variational Euler in generalised coordinates", f"that with h = 0.0005 and RATTLE of sixth order with h = 0.005 agree to {angles:.1e} until "
          "time 100", below(angles, 2e-3))
page.said("Zhang-Skeel, h = 0.1", "small errors almost identical to those of Newmark fully solved", f"largest error until time 100: {zs:.3f}, Newmark {newmark:.3f}",
          near(zs / newmark, 1, 0.2))
page.said("SHAKE, h = 0.1", "smaller errors than Zhang-Skeel, which has those of finite w in addition", f"largest error {shake:.3f}; of the penalties alone (Euler, h = 0.005) "
          f"{euler:.3f}", below(shake, zs))
page.text("The paper does not say of which equations its partially solved Newmark takes the first Newton step. Here (method newmark-1) it is one for new positions and velocities "
          "together, from the old ones: the run survives, loses energy and is soon elsewhere. Where the forces are evaluated anew at the new positions (acceleration "
          "newmark-1) the penalties throw the rods apart.")
lost = routes["Newmark, one Newton step, w = 20, h = 0.1"][2][-1]
page.said("Newmark with one Newton step", "a large error", f"off by {early[3]:.2f} at most until time 10, where Newmark solved is by {early[2]:.3f}, and by {one_step:.2f} until time "
          f"100; its energy changes by {lost:.3f}", above(one_step / newmark, 2))
flipped, rigid = (len(follow(file, g=-1)[0]) for file in ("zs.yaml", "shake.yaml"))
page.said("sign of gravity", "V = -g y1 - g y2 (printed)", f"with it the start stands on its head: Zhang-Skeel with h = 0.1 "
          f"{f'breaks down at time {GRID * flipped:.1f}' if flipped <= SAMPLES else 'runs'}, SHAKE {'runs through chaos' if rigid > SAMPLES else 'too'}. With V = +g y all of Fig. 1 is as "
          "described", below(flipped, SAMPLES), above(rigid, SAMPLES), holds=False)

# --- Fig. 2a: rods under penalties of many strengths ---


def rods(positions):
    """g of both, [...][2]: squared lengths less what they should be."""
    return (np.diff(positions, axis=-2, prepend=0) ** 2).sum(axis=-1) - LENGTH**2


strengths = 5 * 40 ** (np.arange(60) / 59)
last, most = [], []
for w in strengths:
    stiff, worst = page.open("zs.yaml", {"geometry.w": w, "integrator.timestep": 0.01}), 0.0
    for _ in range(5000):
        stiff.step(1, progress=False)
        g = rods(stiff.positions[0])
        worst = max(worst, np.abs(g).max())
    last.append(w**2 * g)
    most.append(worst)
figure, (left, right) = gallery.axes(1, 2)
left.semilogx(strengths, last, ".", label=["rod 1", "rod 2"])
left.set(title="at time 50", xlabel="w", ylabel="w² g")
left.legend()
right.loglog(strengths, most, ".")
right.set(title="until then", xlabel="w", ylabel="largest |g|")
page.figure("strength", figure, "As Fig. 2a: w² g(q(50)) over w, by Zhang-Skeel with h = 0.01, stays bounded, and where in its oscillation it is caught is chance; the largest |g| on the way "
            "falls as 1/w², as long as the step resolves the penalties.")
among = (strengths >= 10) & (strengths < 100)
x, y = np.log(strengths[among]), np.log(np.array(most)[among])
line = np.polyfit(x, y, 1)
scatter = np.sqrt(((y - np.polyval(line, x)) ** 2).sum() / (len(x) - 2))
page.said("constraint error over w", "O(1/w²)", f"largest |g| until time 50 falls as w^{line[0]:.3f} between w = 10 and 100 (scatter {100 * scatter:.1f} %), and more slowly where h w > 1; "
          f"|w² g(q(50))| is at most {gallery.largest(np.array(last)):.2f} for all w", near(line[0], -2, 0.05))

# --- Fig. 2b: multipliers by SHAKE, and -w² g, as it is and averaged over 0.2 ---

rigid, stiff = (page.open(file, {"integrator.timestep": 0.01}) for file in ("shake.yaml", "zs.yaml"))
raw, exact = np.empty((2000, 2)), np.empty((2000, 2))
for i in range(-1, 2000):  # SHAKE's first step has half a kick
    rigid.step(1)
    stiff.step(1)
    if i >= 0:
        raw[i], exact[i] = -400 * rods(stiff.positions[0]), rigid.multipliers[0]
window = np.full(21, 1 / 20)
window[[0, -1]] /= 2
mean = np.stack([np.convolve(y, window, "valid") for y in raw.T], axis=1)
off, size = (np.sqrt((y**2).mean()) for y in (mean - exact[10:-10], exact[10:-10]))
figure, panels = gallery.axes(2, 1, size=(8.0, 2.8), sharex=True)
time = 0.01 * np.arange(2, 2002)
for rod, panel in enumerate(panels):
    panel.plot(time, raw[:, rod], color="lightgrey", label="−w² g")
    panel.plot(time[10:-10], mean[:, rod], label="its average over 0.2")
    panel.plot(time, exact[:, rod], "k", label="SHAKE")
    panel.set(title=f"rod {rod + 1}", ylabel="multiplier")
panels[0].legend()
panels[1].set(xlabel="time")
page.figure("multipliers", figure, "As Fig. 2b: multipliers of the rods by SHAKE, and −w² g of the penalised system (w = 20, h = 0.01), as it is and averaged over a window of 0.2.")
page.said("multipliers", "no strong convergence; the average over a window is SHAKE's", f"root mean square difference {off:.3f}, of multipliers of {size:.3f}", below(off / size, 0.1))

# --- Where coarse steps break down ---

texts, ends = [], []
for label, file, changes in (("Zhang-Skeel", "zs.yaml", {}), ("Newmark", "newmark-own.yaml", {}), ("the midpoint rule", "midpoint.yaml", {}), ("Z&Ss", "zs.yaml", {"map": "zss-block"})):
    time, _, energy = follow(file, w=2000, **changes)
    ends.append((len(time), gallery.largest(energy)))
    texts.append(f"{label} breaks down at time {GRID * len(time):.1f}" if len(time) <= SAMPLES else f"{label} runs to time 100 with its energy off by up to {ends[-1][1]:.2g}")
page.said("w = 2000, h = 0.1", "unstable: Zhang-Skeel, Newmark and the midpoint rule", "; ".join(texts), below(ends[0][0], SAMPLES), below(ends[1][1], 0.5), below(ends[2][0], SAMPLES),
          holds=False)


def release(simulation, first, second):
    """At rest, with the rods at these angles from below; of each replica one."""
    bonds = np.stack([LENGTH * np.sin([first, second]).T, -LENGTH * np.cos([first, second]).T], axis=-1)
    simulation.positions = np.cumsum(bonds, axis=-2)
    simulation.momenta = np.zeros((2, 2))


def breaks(map_, first, second):
    pendulum = page.open("zs.yaml", {"integrator.acceleration": map_})
    release(pendulum, first, second)
    try:
        pendulum.step(3000)
    except holonom.RunError:
        return True
    return not np.abs(rods(pendulum.positions[0])).max() < 1


starts = [(a, np.pi / 4 + b) for a in np.linspace(-0.2, 0.2, 16) for b in np.linspace(-0.2, 0.2, 16)]
broken = [sum(breaks(map_, *start) for start in starts) for map_ in ("zs", "zss-block", "newmark")]
page.said("other starts, w = 20, h = 0.1", "(not looked at)", f"of {len(starts)} starts within 0.2 of the paper's angles, rods break until time 300 in {broken[0]} by Zhang-Skeel, in "
          f"{broken[1]} by its simplified form Z&Ss, in {broken[2]} by pushforward Newmark: the third-derivative term, which makes the map symplectic, grows fastest where a pressed rod "
          "makes M + βh² Hess V nearly singular")

# --- Regular and chaotic motion: where the first rod passes the vertical to the right, at energy -1. Each replica is an orbit, the
# first two chaotic ---

first = np.array([0.445, -1.335, 1.335, 1.27, -0.222, 0.89, 0.93, -1.091])
orbits = page.open("zs.yaml", {"integrator.timestep": 0.005, "ensemble.replicas": len(first)})
release(orbits, first, np.arccos((1 - 2 * np.cos(first)) / np.sqrt(2)))
places, off = np.empty((200000, len(first), 2, 2)), 0.0
for i in range(len(places)):
    orbits.step(16, progress=False)
    places[i] = orbits.positions
    if i % 500 == 0:
        off = max(off, gallery.largest(orbits.look()["total"] + 1))
figure, ax = gallery.axes(size=(8.0, 6.0))
wandering = 0.0
for r in range(len(first)):
    bond = np.diff(places[:, r], axis=1, prepend=0)
    one, two = np.arctan2(bond[:, 0, 0], -bond[:, 0, 1]), np.unwrap(np.arctan2(bond[:, 1, 0], -bond[:, 1, 1]))
    i = np.flatnonzero((one[1:-2] < 0) & (one[2:-1] >= 0) & (np.abs(one[1:-2]) < 1)) + 1
    s = one[i] / (one[i] - one[i + 1])
    # A cubic through four moments each gives the second rod's angle and its rate.
    at = [two[i + k] for k in (-1, 0, 1, 2)]
    a3, a2 = (at[3] - 3 * at[2] + 3 * at[1] - at[0]) / 6, (at[2] - 2 * at[1] + at[0]) / 2
    a1 = at[2] - at[1] - a2 - a3
    angle = (at[1] + s * (a1 + s * (a2 + s * a3)) + np.pi) % (2 * np.pi) - np.pi
    speed = LENGTH[1] * (a1 + s * (2 * a2 + s * 3 * a3)) / 0.08
    ax.plot(angle, speed, ".", markersize=1, color="grey" if r < 2 else f"C{r - 2}")
    if r >= 2:
        point = angle + 1j * speed
        half = len(point) // 2
        wandering = max(wandering, max(np.abs(later - point[:half]).min() for later in point[half:]))
ax.set(xlabel="angle of the second rod", ylabel="L₂ times its angular velocity")
page.figure("section", figure, "Poincaré section where the first rod passes the vertical to the right, energy −1 (rest is −3.41): two chaotic orbits in grey, six regular ones in colour; "
            "Zhang-Skeel, w = 20, h = 0.005, 3,200,000 steps each.")
page.said("regular and chaotic regions", "no numerical leak between them", f"points of the second half of each regular orbit are within {wandering:.3f} of those of the first half; energy within "
          f"{off:.2f}", below(wandering, 0.1))

# --- Speed ---

zs, newmark, shake = (gallery.seconds(page.open(file), 20000) for file in ("zs.yaml", "newmark-own.yaml", "shake.yaml"))
page.said("time, SHAKE : Newmark solved : Zhang-Skeel", "3.8 : 5.3 : 0.4 (Matlab), or 9.5 : 13 : 1", f"{shake / zs:.1f} : {newmark / zs:.1f} : 1; {1e6 * zs:.2f} microseconds a step of "
          "Zhang-Skeel (indicative)", above(shake / zs, 0.5), above(newmark / zs, 1))
