"""A chain of many pendula: SHAKE against Zhang-Skeel."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below

page = gallery.Page(
    "Chain of many pendula",
    "Tao & Owhadi 2015, section 4.2, Fig. 3",
    "Ten bobs on rods of length √5, an approximation of a rope, released at rest from a slanted line; and chains of up to 10,000 bobs.",
)
GRID, END = 0.05, 100


def follow(file, links, h, time, may_break=False, **changes):
    """Seen every 0.05."""
    chain = page.open(file, {"system.constants.N": links, "integrator.timestep": h, **changes})
    return gallery.follow(chain, round(time / GRID), round(GRID / h), may_break=may_break)


def apart(a, b):
    """The distance of the last bobs, as long as both run."""
    n = min(len(a.time), len(b.time))
    return np.hypot(*(a.positions[:n, -1] - b.positions[:n, -1]).T)


# --- Fig. 3: ten pendula ---

coarse, fine = (follow("shake.yaml", 10, h, END) for h in (0.05, 0.025))
penalty = follow("zs.yaml", 10, 0.05, END)
figure, panels = gallery.axes(4, 1, size=(8.0, 1.8), sharex=True)
for panel, (bob, d, label) in zip(panels, ((4, 0, "x₅"), (4, 1, "y₅"), (9, 0, "x₁₀"), (9, 1, "y₁₀"))):
    for track, name in ((coarse, "SHAKE, h = 0.05"), (fine, "SHAKE, h = 0.025"), (penalty, "Zhang-Skeel, h = 0.05, w = 20")):
        panel.plot(track.time, track.positions[:, bob, d], label=name)
    panel.set(ylabel=label)
panels[0].legend()
panels[3].set(xlabel="time")
page.figure("paths", figure, "As Fig. 3: the fifth and the last bob of ten.")
figure, ax = gallery.axes()
ax.semilogy(fine.time, np.maximum(apart(coarse, fine), 1e-6), label="SHAKE, h = 0.05")
ax.semilogy(fine.time, np.maximum(apart(penalty, fine), 1e-6), label="Zhang-Skeel, h = 0.05, w = 20")
ax.set(xlabel="time", ylabel="last bob: distance from SHAKE, h = 0.025")
ax.legend()
page.figure("partings", figure, "How the runs separate.")
far = apart(penalty, fine)
page.said(
    "ten pendula, until time 100",
    "good agreement of SHAKE and Zhang-Skeel",
    (
        f"last bob, of a chain of {10 * np.sqrt(5):.1f}, from SHAKE with h = 0.025: Zhang-Skeel {far.max():.3f} ({far[:401].max():.3f}"
        f" until time 20), SHAKE {apart(coarse, fine).max():.3f}"
    ),
    below(far.max(), 1),
)
losses = [gallery.change(track["total"]) for track in (coarse, fine, penalty)]
page.said(
    "energy until time 100",
    "",
    f"of -110, off by up to {losses[0]:.4f} (SHAKE, h = 0.05), {losses[1]:.4f} (h = 0.025), {losses[2]:.4f} (Zhang-Skeel)",
)
times = [
    1e3 * END / h * gallery.seconds(page.open(file, {"integrator.timestep": h}), 1000)
    for file, h in (("shake.yaml", 0.025), ("shake.yaml", 0.05), ("zs.yaml", 0.05))
]
page.said(
    "time, SHAKE h = 0.025 : h = 0.05 : Zhang-Skeel",
    "16.5 : 8.1 : 1.1 s (Matlab)",
    (
        f"{times[0]:.1f} : {times[1]:.1f} : {times[2]:.1f} ms (indicative); SHAKE "
        "here solves tridiagonal systems (milc), Zhang-Skeel one banded system a step"
    ),
)

# Printed, V = -sum y: the chain then falls upwards, and is chaotic.
flipped = [follow(file, 10, 0.05, END, may_break=True, **{"system.constants.g": -1}) for file in ("shake.yaml", "zs.yaml")]
highest, parted = flipped[0].positions[:, -1, 1].max(), flipped[0].time[np.argmax(apart(*flipped) > 1)]
broken = " ".join(track.broken for track in flipped if track.broken)
page.said(
    "sign of gravity",
    "V = -Σ y (printed)",
    (
        f"inverted start: the last bob reaches y = {highest:.0f}, the runs separate at time {parted:.1f}"
        f"{', and one fails' if broken else ''}. V = +Σ y gives Fig. 3"
    ),
    above(highest, 0),
    above(apart(*flipped).max(), 1),
    holds=False,
)

# --- Long chains: until the first wave has run down and back several times. The tension at the top is that of n weights, so the
# time step goes as 1/sqrt(n) and w as sqrt(n): all chains are resolved alike ---

for links in (100, 1000):
    scale = np.sqrt(links / 10)
    h, time, length = GRID / np.ceil(scale), 4 * scale, links * np.sqrt(5)
    shake, zs = follow("shake.yaml", links, h, time), follow("zs.yaml", links, h, time, **{"geometry.w": 20 * scale})
    far = apart(shake, zs).max()
    off = [gallery.change(track["total"]) / abs(track["total"][0]) for track in (shake, zs)]
    page.said(
        f"{links} pendula, until time {time:.1f}",
        "",
        (
            f"last bobs (h = {h:.4f}, w = {20 * scale:.0f}) differ by {far:.3f}, {far / length:.2g} of the length; relative errors"
            f" of energy {off[0]:.1e} and {off[1]:.1e}"
        ),
        below(far, 0.01 * length),
    )
