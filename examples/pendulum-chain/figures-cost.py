"""What a step of a chain of pendula costs as the chain grows."""

import numpy as np

from holonom import gallery
from holonom.gallery import above, below

page = gallery.Page(
    "What a step costs",
    "Tao & Owhadi 2015, section 4.2",
    "Chains of up to 10,000 links by three solvers of SHAKE and by Zhang-Skeel.",
)

sizes = np.array([10, 30, 100, 300, 1000, 3000, 10000])


def cost(file, changes, of, steps=None):
    """ns per link and step."""
    found = []
    for links in of:
        scale = np.sqrt(links / 10)
        strength = {"geometry.w": 20 * scale} if file == "zs.yaml" else {}
        chain = page.open(file, {"system.constants.N": links, "integrator.timestep": 0.05 / scale, **strength, **changes})
        found.append(1e9 * gallery.seconds(chain, steps or max(60000 // links, 20)) / links)
    return found


solver, limit = "geometry.solver", "geometry.max_iterations"
milc, newton = (cost("shake.yaml", {solver: name, limit: 50}, sizes) for name in ("milc", "newton"))
seidel = cost("shake.yaml", {solver: "gauss-seidel", limit: 1000000}, sizes[:3], steps=3)
zs = cost("zs.yaml", {}, sizes)
figure, ax = gallery.axes()
for label, y in (("SHAKE, milc", milc), ("SHAKE, newton", newton), ("SHAKE, gauss-seidel", seidel), ("Zhang-Skeel", zs)):
    ax.loglog(sizes[: len(y)], y, "o-", label=label)
ax.set(xlabel="links", ylabel="ns per link and step")
ax.legend()
page.figure(
    "cost",
    figure,
    (
        "What a step costs, one chain on one core. A vector has one chain and seven empty lanes; eight chains cost the same. The "
        "time of Gauss-Seidel grows with the square of the number of links."
    ),
)
# Clocks tell of other work of the machine too: the bounds leave room for it.
page.said(
    "SHAKE by milc: ns per link and step",
    "",
    (
        f"{milc[0]:.0f}, {milc[2]:.0f}, {milc[4]:.0f} and {milc[6]:.0f} for 10, 100, 1,000 and 10,000 links (indicative); the last"
        " do not fit the L2 cache"
    ),
    below(milc[4] / milc[0], 4),
)
page.said(
    "SHAKE by newton, banded above 8 links",
    "",
    f"{newton[0]:.0f}, {newton[2]:.0f}, {newton[4]:.0f} and {newton[6]:.0f} (indicative)",
    below(newton[4] / newton[0], 4),
)
page.said(
    "SHAKE by gauss-seidel",
    "",
    (
        f"{seidel[0]:.0f}, {seidel[1]:.0f} and {seidel[2]:.0f} for 10, 30 and 100 links: {seidel[2] / milc[2]:.0f} times milc's"
        " (indicative)"
    ),
    above(seidel[2] / milc[2], 100),
)
page.said(
    "Zhang-Skeel: ns per link and step",
    "",
    f"{zs[0]:.0f}, {zs[2]:.0f}, {zs[4]:.0f} and {zs[6]:.0f} (indicative): linear in the links through the banded matrix",
    below(zs[4] / zs[0], 4),
)
