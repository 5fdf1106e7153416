"""Uses each part of the package's Simulation once: two waters in eight replicas under a spring are saved in memory, heated and set back;
then a run with its files. Prints results; writes every.hol and a folder, every.run."""

import numpy as np

import holonom

waters = {
    "system": {"model": "tip3p", "molecules": 2, "anneal": False},
    "geometry": {"method": "settle"},
    "integrator": {"word": "BAOAB", "timestep": "1 fs", "time": "0.2 ps"},
    "thermostat": {"type": "langevin", "temperature": 100, "friction": "5 1/ps"},
    "output": {"multipliers_every": 1},
    "parameters": {"k": 0.5},
    "ensemble": {"replicas": 8},
}

with holonom.Simulation(waters) as s:
    seen = []

    @s.add_force
    def spring(x, call):  # between the oxygens, for all replicas in one call; its constant is a parameter
        r, k = x[:, 3] - x[:, 0], call.parameters["k"]
        f = np.zeros_like(x)
        f[:, 0], f[:, 3] = k[:, None] * r, -k[:, None] * r
        call.slopes["k"][:] = 0.5 * (r**2).sum(axis=1)
        return k * call.slopes["k"], f, -k[:, None, None] * r[:, :, None] * r[:, None, :]

    @s.add_observer
    def note(simulation):
        seen.append(simulation.steps)

    s.start()
    topology = s.topology
    print(
        f"holonom {holonom.__version__}: a {s.sort} of {s.molecules} {topology.kind_names[0]} in {s.replicas} replicas, {s.sites} sites in "
        f"{s.dimensions} dimensions, {s.freedom} degrees of freedom, {s.constraints} constraints, {len(topology.bonds)} bonds"
    )
    print("masses", s.masses[:3], "charges", topology.charges[:3], "of", s.names[:3])
    s.step(20)
    print(len(s.virtual_sites.names), "virtual sites: TIP3P has none")
    kept = s.save_bytes()

    # Reads and writes the states of all replicas.
    s.positions = s.positions.round(4)
    s.project()
    s.temperatures = s.temperatures + 5 * np.arange(s.replicas)
    s.draw()
    print(f"largest momentum below {np.abs(s.momenta).max():.0f}, velocity {np.abs(s.velocities).max():.1f}, force {np.abs(s.forces).max():.0f}")
    print(f"evaluated: {s.evaluate(s.positions).energies.mean():.2f} kcal/mol on average")
    try:
        s.box = 10 * np.eye(3)
    except holonom.InputError as cluster:
        print(cluster, s.box.shape)
    s.set_parameter("k", s.parameters["k"] * (1 + np.arange(s.replicas)))
    energies, slopes = s.parameter_energies([{"k": 0.5}, {"k": 1.0}])
    print(
        f"with k {s.parameters['k'].max():.0f} {s.parameter_units['k']}: from 0.5 to 1 energies grow by "
        f"{np.ptp(energies, axis=1).mean():.2f}, slopes times 0.5 are {0.5 * slopes['k'].mean():.2f}"
    )
    s.step(20)
    print(f"{s.time_ps:.3f} ps ({s.time:.2f} AKMA): external {s.look()['external'].mean():.2f} {s.units['external']}, multipliers {s.multipliers.shape}")

    s.load_bytes(kept)
    s.save("every.hol")
    s.load("every.hol")
    s.stop()
    s.step(20)  # ends early because of stop
    print(s.steps, "steps after the state was loaded,", len(seen), "calls of the observer")

    # Continues without the force and the observer, with half the time step and twice the friction.
    s.remove_force(spring)
    s.remove_observer(note)
    s.timestep, s.friction = s.timestep / 2, s.friction * 2
    s.step(20)
    print(f"{s.time_ps:.3f} ps, columns", "with" if "external" in s.units else "without", f"external, {len(seen)} calls")
    s.close()

ladder = {k: v for k, v in waters.items() if k != "ensemble"} | {"exchange": {"temperatures": [80, 100, 125], "ladders": 2}}
with holonom.Simulation(ladder, {"thermostat.temperature": ""}) as s:
    print("ladder and temperature of each replica:", s.ladder.tolist())

lines: list[str] = []
with holonom.Simulation(waters, {"integrator.time": "0.1 ps"}) as run:
    run.listen(lines.append)
    results = run.run("every.run", force=True)
print("words of the run:", len(lines) > 0, f"total {results.summary['total']:.2f} {results['thermo'].units['total']}", len(holonom.keys()) > 50)
