"""Forces from outside, temperatures that differ between replicas, and states in and out, by the library: prints all digits."""

import numpy as np

import holonom

inputs = {
    "cluster": {"system": {"model": "tip3p", "molecules": 3, "anneal": False}, "geometry": {"method": "settle"}, "ensemble": {"replicas": 5}},
    "penalties": {"system": {"model": "tip4p", "molecules": 2, "anneal": False}, "geometry": {"method": "penalty", "w": 80}},
    "box": {"system": {"model": "tip3p", "molecules": 64, "box": "12.4 A"}, "forces": {"cutoff": "6 A"}, "geometry": {"method": "settle"}},
    "open": {"system": {"topology": "in/molecules/waters.yaml", "file": "in/waters.xyz"}},
}
for name, given in inputs.items():
    given["integrator"] = {"word": "BAOAB", "timestep": "1 fs", "steps": 100}
    given["thermostat"] = {"temperature": "150 K", "friction": "1 1/ps"}
    with holonom.Simulation(given) as s:

        @s.add_force
        def spring(x, call):
            r = x[:, 3] - x[:, 0]
            f = np.zeros_like(x)
            f[:, 0], f[:, 3] = 0.5 * r, -0.5 * r
            return 0.25 * (r**2).sum(axis=1), f

        s.start()
        s.temperatures = s.temperatures + 5 * np.arange(s.replicas)
        s.step(20)
        kept = s.save_bytes()
        s.step(10)
        s.load_bytes(kept)
        s.step(10)
        for words, values in ("x", s.positions), ("p", s.momenta), ("f", s.forces), ("u", s.evaluate(s.positions).energies):
            print(name, words, *(float(v).hex() for v in np.ravel(values)))
