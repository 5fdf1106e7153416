# %% [markdown]
# # A potential of one's own on seven waters
#
# A function of Python is a force: positions of all replicas in, energies and forces out, at every step, while
# thermostat and constraints act. Here a uniform electric field along z acts on the charges of TIP3P; the dipole of the cluster
# follows it.

# %%
import numpy as np

import holonom

field = 3.0  # kcal/mol/A/e, 0.13 V/A
input = {
    "system": {"model": "tip3p", "molecules": 7},
    "geometry": {"method": "settle"},
    "integrator": {"word": "BAOAB", "timestep": "2 fs", "time": "10 ps"},
    "thermostat": {"type": "langevin", "temperature": 200, "friction": "5 1/ps"},
    "ensemble": {"replicas": 8},
}


# %%
def dipole(strength, steps=2000, every=20):
    """The mean dipole of the cluster along z under a field, e A, with its error from the replicas."""
    with holonom.Simulation(input) as simulation:
        charge = simulation.topology.charges

        @simulation.add_force
        def electric(x, call):
            force = np.zeros_like(x)
            force[:, :, 2] = strength * charge
            return -strength * (x[:, :, 2] @ charge), force

        seen = []
        simulation.step(steps // 4)
        simulation.observe(lambda s: seen.append(s.positions[:, :, 2] @ charge), every)
        simulation.step(steps)
    mean = np.mean(seen, axis=0)
    return mean.mean(), mean.std(ddof=1) / np.sqrt(mean.size)


# %%
for strength in (0.0, field):
    print("field {:.1f} kcal/mol/A/e: dipole {:.3f} +- {:.3f} e A".format(strength, *dipole(strength)))
