# %% [markdown]
# # g(r) of a cluster of seven waters at two temperatures
#
# The same input twice, each a run into a folder with all its files. At 50 K the seven oxygens sit in shells; at 250 K
# the shells run into each other.

# %%
import tempfile
from pathlib import Path

import holonom

cluster = {
    "system": {"model": "tip3p", "molecules": 7},
    "geometry": {"method": "settle"},
    "integrator": {"word": "BAOAB", "timestep": "2 fs", "time": "10 ps"},
    "thermostat": {"type": "langevin", "friction": "5 1/ps"},
    "ensemble": {"replicas": 32},
    "output": {"equilibration": "2 ps", "rdf_max": 8, "rdf_bins": 160},
}

# %%
runs = {}
place = Path(tempfile.mkdtemp())
for kelvin in (50, 250):
    with holonom.Simulation(cluster, {"thermostat.temperature": kelvin}) as simulation:
        runs[kelvin] = simulation.run(place / f"{kelvin}K")

# %% [markdown]
# Every CSV file of a folder is a table of arrays with units; `summary` is a dict.

# %%
for kelvin, results in runs.items():
    rdf, summary, units = results["rdf"], results.summary, results["thermo"].units
    top = rdf["g"].argmax()
    print(
        f"{kelvin} K: first peak g = {rdf['g'][top]:.1f} +- {rdf['g_err'][top]:.1f} at {rdf['r'][top]:.2f} {rdf.units['r']}, "
        f"energy {summary['total']:.2f} +- {summary['total_err']:.2f} {units['total']}"
    )

# %%
try:
    ax = None
    for kelvin, results in runs.items():
        ax = results["rdf"].plot("g", ax=ax)
    ax.legend([line for line in ax.get_lines()], [f"{kelvin} K" for kelvin in runs])
    ax.figure.savefig(place / "rdf.png")  # its axes are labelled with the units
except ImportError as no_matplotlib:
    print(no_matplotlib)
