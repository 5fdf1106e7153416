# %% [markdown]
# # Penalties against constraints: is the physics the same?
#
# Bonds and angles of four waters, once held by constraints (SETTLE), once by stiff penalties 1/2 w^2 |g|^2. Kinetic
# energies differ, because penalties have degrees of freedom that constraints have not; the energy between the
# molecules should not. Each replica is one independent sample, so that Welch's test says what the two means may differ by.

# %%
import math

import numpy as np

import holonom

water = {
    "system": {"model": "tip3p", "molecules": 4},
    "integrator": {"word": "BABO", "timestep": "1 fs", "time": "10 ps"},
    "thermostat": {"type": "langevin", "temperature": 100, "friction": "5 1/ps", "convention": "mass"},
    "ensemble": {"replicas": 64},
}
constraint = {"geometry": {"method": "settle"}}
penalty = {"geometry": {"method": "penalty", "w": 200, "hessian": "gauss-newton"}}
penalty["integrator"] = water["integrator"] | {"acceleration": "zss"}
penalty["thermostat"] = water["thermostat"] | {"noise": "tangent"}  # on the bonds, too, it would want steps of 0.03 fs


# %%
def means(method, steps=4000, every=20):
    """The mean energy between the molecules of each replica over the second half: array[replicas], kcal/mol."""
    seen = []
    with holonom.Simulation(water | method) as simulation:
        simulation.step(steps // 2)
        simulation.observe(lambda s: seen.append(s.look()["potential"]), every)
        simulation.step(steps // 2)
    return np.mean(seen, axis=0)


held, stiff = means(constraint), means(penalty)

# %%
difference = held.mean() - stiff.mean()
error = math.sqrt(held.var(ddof=1) / held.size + stiff.var(ddof=1) / stiff.size)
p = math.erfc(abs(difference) / error / math.sqrt(2))
for name, values in (("constraint", held), ("penalty", stiff)):
    print(f"{name:10}: {values.mean():.3f} +- {values.std(ddof=1) / math.sqrt(values.size):.3f} kcal/mol")
print(f"difference: {difference:.3f} +- {error:.3f}, p = {p:.2f}:", "they differ" if p < 0.01 else "no difference is seen")
