"""Boxes of TIP3P with constraints and with penalties, run for some picoseconds."""

import shutil

import numpy as np

from holonom import gallery
from holonom.gallery import below, near

page = gallery.Page(
    "Bulk water",
    "Jorgensen et al. 1983, J. Chem. Phys. 79, 926",
    (
        "Periodic boxes of water at 298.15 K: three sizes of TIP3P, SPC/E, TIP4P, salt water, penalties compared with "
        "constraints, and liquid argon. Each run builds its start on a lattice and minimises it."
    ),
)


def run(file, folder, **changes):
    """A whole run into a folder, as `holonom run` makes it: its Results."""
    names = {"time": "integrator.time", "h": "integrator.timestep", "pressure": "output.pressure"}
    said = {names[key]: value for key, value in changes.items()}
    quiet = {"output.equilibration": "4 ps", "output.progress": False}
    if shutil.which("gnuplot") is None:
        quiet["output.plots"] = False
    return page.open(file, {**quiet, **said}).run(page.folder(folder), force=True)


def peak(results):
    """Where g(r) of oxygens is largest and how large, by a parabola through the bins around."""
    r, g = results["gofr"]["r"], results["gofr"]["g_O-O"]
    around = np.abs(r - r[np.argmax(g)]) < 0.11
    a, b, c = np.polyfit(r[around], g[around], 2)
    return -b / (2 * a), c - b**2 / (4 * a)


def value(results, name, per=1):
    """With its error, of molecules for instance."""
    return f"{results.summary[name] / per:.{3 if per > 1 else 0}f} ± {results.summary[name + '_err'] / per:.{3 if per > 1 else 0}f}"


rigid = run("tip3p-884.yaml", "constraint", time="12 ps", pressure="both")
soft = run("penalty.yaml", "penalty", time="8 ps", h="1 fs")
figure, ax = gallery.axes(size=(8.0, 4.5))
table = rigid["gofr"]
for pair in ("O-O", "O-H", "H-H"):
    g, error = table["g_" + pair], table[f"g_{pair}_err"]
    (line,) = ax.plot(table["r"], g, label=pair)
    ax.fill_between(table["r"], g - error, g + error, alpha=0.3, color=line.get_color())
ax.plot(soft["gofr"]["r"], soft["gofr"]["g_O-O"], "k:", label="O-O, penalties")
ax.set(xlabel="r / Å", ylabel="g(r)", xlim=(0, table["r"].max()))
ax.legend()
page.figure(
    "gofr",
    figure,
    (
        "884 TIP3P waters at 298.15 K: radial distributions of all pairs of sites with standard errors, and the O-O distribution "
        "with penalties."
    ),
)
(r, height), (r_soft, height_soft), molecules = peak(rigid), peak(soft), rigid.summary["molecules"]
page.said(
    "first peak of g(r) of oxygens, A",
    "2.77 (TIP3P at 25 C)",
    f"{r:.3f}, height {height:.2f}; penalties {r_soft:.3f}, {height_soft:.2f}",
    near(r, 2.77, 0.02),
)
page.said(
    "potential energy, kcal/mol per molecule",
    "-9.82, with a cutoff in place of a mesh",
    f"{value(rigid, 'potential', molecules)}; penalties {value(soft, 'potential', molecules)}",
)
# docs/validation.md: the kinetic temperature of BAOAB falls with the step, averages of positions do not.
said = rigid.summary
page.said(
    "kinetic temperature of the constrained box, K",
    "298.15, the thermostat's, less about 1.7 that BAOAB reads low at 2 fs",
    f"{said['temperature']:.1f} ± {said['temperature_err']:.1f}",
    near(said["temperature"], 296.45, 3 * said["temperature_err"]),
)
page.said(
    "pressure by molecule and by atom, bar",
    "their averages are the same",
    f"{value(rigid, 'pressure')} and {value(rigid, 'pressure_atom')}",
    below(abs(said["pressure"] - said["pressure_atom"]), 3 * np.hypot(said["pressure_err"], said["pressure_atom_err"])),
)
page.said(
    "penalties against constraints",
    "nearly the same liquid, by pressure",
    f"{value(soft, 'pressure')} against {value(rigid, 'pressure')} bar",
)
page.text(
    "The runs are short: 8 ps after 4 ps of equilibration with constraints, 4 ps with penalties of w = 20 at steps of 1 fs."
    " Each run writes final.gro and final.xyz, from which another can start (system.start: file, system.box: file; "
    "thermostat.initial: file also reads the velocities). holonom check reports the mesh, the expected errors of forces, memory "
    "and speed of a run. A run that fails writes last-good.xyz."
)
