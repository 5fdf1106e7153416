"""What penalties make of the double pendulum's rods and multipliers."""

import numpy as np

from holonom import gallery
from holonom.gallery import below, near

page = gallery.Page(
    "Penalties",
    "Tao & Owhadi 2015, section 4.1, Fig. 2",
    "Rods with penalties of many strengths w, and their multipliers compared with SHAKE's.",
)
LENGTH = np.array([1, np.sqrt(2)])


def rods(positions):
    """g of both, [...][2]: squared lengths less what they should be."""
    return (np.diff(positions, axis=-2, prepend=0) ** 2).sum(axis=-1) - LENGTH**2


# --- Fig. 2a: rods under penalties of many strengths ---


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
page.figure(
    "strength",
    figure,
    (
        "As Fig. 2a: w² g(q(50)) over w, by Zhang-Skeel with h = 0.01, stays bounded, at a random phase of its oscillation; the "
        "largest |g| until then falls as 1/w² while the step resolves the penalties."
    ),
)
among = (strengths >= 10) & (strengths < 100)
x, y = np.log(strengths[among]), np.log(np.array(most)[among])
line = np.polyfit(x, y, 1)
scatter = np.sqrt(((y - np.polyval(line, x)) ** 2).sum() / (len(x) - 2))
page.said(
    "constraint error over w",
    "O(1/w²)",
    (
        f"largest |g| falls as w^{line[0]:.3f} from w = 10 to 100 (scatter {100 * scatter:.1f} %); |w² g(q(50))| is at most"
        f" {gallery.largest(np.array(last)):.2f}"
    ),
    near(line[0], -2, 0.05),
)

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
page.figure(
    "multipliers",
    figure,
    (
        "As Fig. 2b: multipliers of the rods by SHAKE, and −w² g of the penalised system (w = 20, h = 0.01), unaveraged and "
        "averaged over a window of 0.2."
    ),
)
page.said(
    "multipliers",
    "no strong convergence; the average over a window is SHAKE's",
    f"root mean square difference {off:.3f}, of multipliers of {size:.3f}",
    below(off / size, 0.1),
)
