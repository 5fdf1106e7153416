"""Laws of the package holonom, on the library as built, and its examples: a ctest entry. PYTHONPATH has python/,
HOLONOM_LIBRARY and HOLONOM_PROGRAM name the library and the program, HOLONOM_SOURCE is the folder of the sources."""

import copy
import importlib.util
import io
import inspect
import json
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing
import unittest
import zipfile

if importlib.util.find_spec("numpy") is None:
    print("skipped: no numpy (python3-numpy)")
    sys.exit(77)
import numpy as np

import holonom

root = pathlib.Path(os.environ["HOLONOM_SOURCE"])
cluster = {
    "system": {"model": "tip3p", "molecules": 3, "anneal": False},
    "geometry": {"method": "settle"},
    "integrator": {"word": "BAOAB", "timestep": "1 fs", "time": "1 ps"},
    "thermostat": {"type": "langevin", "temperature": "100 K", "friction": "5 1/ps"},
    "ensemble": {"replicas": 8},
}


class State(unittest.TestCase):
    def setUp(self):
        self.sim = holonom.Simulation(cluster)
        self.addCleanup(self.sim.close)

    def test_shapes(self):
        sim = self.sim
        self.assertEqual((sim.sort, sim.replicas, sim.sites, sim.dimensions, sim.molecules), ("cluster", 8, 9, 3, 3))
        self.assertEqual((sim.freedom, sim.constraints, sim.names[:2], sim.steps), (18, 9, ["O", "H"], 0))
        sim.step(10)
        for n in (2**63 - 10, 2**63, 2**64 + 1):  # more than a simulation counts
            with self.assertRaises(ValueError):
                sim.step(n)
        self.assertEqual(sim.steps, 10)
        self.assertAlmostEqual(sim.time * holonom.AKMA_FS, 10.0, places=6)
        self.assertEqual(sim.positions.shape, (8, 9, 3))
        self.assertTrue(np.allclose(sim.momenta, sim.masses[:, None] * sim.velocities, rtol=1e-12))
        self.assertEqual(sim.box.tolist(), [[[0.0] * 3] * 3] * 8)
        with self.assertRaises(ValueError):  # a copy: nobody changes it by mistake
            sim.positions[0] += 1.0
        look = sim.look()
        kinetic = (sim.momenta**2 / (2 * sim.masses[:, None])).sum(axis=(1, 2))
        self.assertTrue(np.allclose(look["kinetic"], kinetic, rtol=1e-9))
        self.assertTrue(np.array_equal(look["nonbonded"], look["potential"]) and "nonbonded" not in look)  # its old name
        self.assertEqual((sim.units["kinetic"], sim.units["temperature"]), ("kcal/mol", "K"))

    def test_ladder(self):
        kelvin = [60.0, 70.0, 80.0, 95.0]
        keys = {**cluster, "exchange": {"temperatures": kelvin, "ladders": 2, "interval": 5}}
        keys["thermostat"] = {key: value for key, value in cluster["thermostat"].items() if key != "temperature"}
        del keys["ensemble"]
        with holonom.Simulation(keys) as sim:
            sim.step(5)
            self.assertTrue(np.allclose(sim.temperatures, 2 * kelvin))
            sim.step(35)
            self.assertTrue(np.allclose(np.sort(sim.temperatures.reshape(2, 4)), kelvin))
            self.assertFalse(np.allclose(sim.temperatures, 2 * kelvin))

    def test_sources_are_the_same(self):
        self.sim.step(20)
        text = "\n".join(f"{section}: {holonom.simulation._text_of(keys)}" for section, keys in cluster.items())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "input.yaml")
            path.write_text(text)
            for source in (text + "\n", path, str(path)):
                with holonom.Simulation(source) as other:
                    other.step(13)
                    other.save(path.with_suffix(".hol"))
                    other.step(7)
                    self.assertTrue(np.array_equal(other.positions, self.sim.positions))
                    other.load(path.with_suffix(".hol"))
                    self.assertEqual(other.steps, 13)
                    other.step(7)
                    self.assertTrue(np.array_equal(other.positions, self.sim.positions))

    def test_setting(self):
        sim = self.sim
        x = sim.positions + np.array([1.0, 2.0, 3.0])
        sim.positions = x
        self.assertTrue(np.array_equal(sim.positions, x))
        sim.positions = x[4]
        self.assertTrue(np.array_equal(sim.positions, np.broadcast_to(x[4], x.shape)))
        sim.momenta = -sim.momenta
        for wrong, error in ((x[:, :8], ValueError), (x[:3], ValueError), (0.0, ValueError), ("x", TypeError), (1j * x, TypeError)):
            with self.assertRaises(error):
                sim.positions = wrong
        x = sim.positions + 1.0
        x[5, 2, 1] = np.nan
        with self.assertRaisesRegex(ValueError, r"not finite.*\(5, 2, 1\)"):
            sim.positions = x
        self.assertFalse(np.array_equal(sim.positions[0], x[0]))  # nothing of it was set
        with self.assertRaises(AttributeError):  # a slip of the pen
            sim.position = x

    def test_arrays_say_why_they_are_read_only(self):
        x = self.sim.positions
        for change in (
            lambda: x.__setitem__(0, 1.0),
            lambda: x.__iadd__(1.0),
            lambda: x[0].__imul__(2.0),
            lambda: np.add(x, 1.0, out=x),
            lambda: self.sim.look()["total"].__setitem__(0, 1.0),
        ):
            self.assertRaisesRegex(ValueError, r"copy of the state.*sim\.positions = x", change)
        self.assertTrue(np.array_equal(x, self.sim.positions))
        changed = x.copy()
        changed[0] += 1.0
        self.assertEqual([type(a) for a in (changed, x + 1.0, np.sqrt(x**2), x.sum(axis=0))], [np.ndarray] * 4)
        self.assertEqual(repr(x), repr(np.array(x)))
        self.assertTrue(np.array_equal(pickle.loads(pickle.dumps(x)), x))
        self.sim.positions = changed
        self.assertTrue(np.array_equal(self.sim.positions, changed))

    def test_broken_constraints_are_projected(self):
        sim = self.sim
        sim.step(5)
        x, d = sim.positions.copy(), np.linalg.norm(sim.positions[2, 1] - sim.positions[2, 0])
        x[2, 1] += 0.5 * (x[2, 1] - x[2, 0])
        sim.positions = x
        for use in (sim.step, sim.look):
            self.assertRaisesRegex(holonom.InputError, r"replica 2: .* molecule 1 .* by project", use)
        momenta = sim.momenta
        sim.project(2)
        self.assertAlmostEqual(np.linalg.norm(sim.positions[2, 1] - sim.positions[2, 0]), d, places=9)
        self.assertTrue(np.array_equal(np.delete(sim.momenta, 2, 0), np.delete(momenta, 2, 0)))
        sim.project()
        sim.step(5)
        self.assertRaisesRegex(holonom.InputError, "no replica 8", sim.project, 8)

    def test_draws(self):
        sim, n, seen = self.sim, 200, []
        sim.start()
        first = sim.momenta
        sim.draw(3)
        self.assertTrue(np.array_equal(np.delete(sim.momenta, 3, 0), np.delete(first, 3, 0)))
        for _ in range(n):
            sim.draw()
            seen.append(sim.look()["temperature"])
        self.assertLess(abs(np.mean(seen) - 100), 4 * 100 * np.sqrt(2 / sim.freedom / n / sim.replicas))

    def test_times(self):
        self.sim.step(20)
        self.assertAlmostEqual(self.sim.time_ps, 0.02, places=12)
        reduced = "units: reduced\nsystem: {hamiltonian: p1^2/2+q1^2, position: [1], momentum: [0]}\n"
        with holonom.Simulation(reduced + "integrator: {method: symplectic-euler, timestep: 0.5, time: 1}\n") as sim:
            sim.step(3)
            self.assertEqual(sim.time, 1.5)
            self.assertRaisesRegex(ValueError, "reduced units", lambda: sim.time_ps)

    def test_it_cannot_be_copied(self):
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            self.assertRaisesRegex(TypeError, "save it to a file", make, self.sim)
        self.sim.step(2)

    def test_notebooks_show_it(self):
        self.assertRegex(self.sim._repr_html_(), "<table>.*<th>replicas</th><td>8</td>.*<th>temperature</th><td>100</td>")
        self.sim.close()
        self.assertIn("closed", self.sim._repr_html_())

    def test_hints(self):
        """All that the package exports says its types, and they can be resolved."""
        self.assertTrue(pathlib.Path(holonom.__file__).with_name("py.typed").is_file())
        missing = []
        for name in holonom.__all__:
            what = getattr(holonom, name)
            members = vars(what).items() if isinstance(what, type) and not issubclass(what, Exception) else [(name, what)]
            for member, value in members:
                function = value.fget if isinstance(value, property) else value
                if not inspect.isroutine(function) or (member.startswith("_") and member != "__init__"):
                    continue
                names = {"MDAnalysis": type("M", (), {"Universe": object}), "Axes": object}
                if "return" not in typing.get_type_hints(function, localns=names):
                    missing.append(f"{name}.{member}")
        self.assertEqual(missing, [])

    def test_errors(self):
        with self.assertRaisesRegex(holonom.InputError, "integrator.timestep"):
            holonom.Simulation(cluster, {"integrator.timestp": 1})
        with self.assertRaisesRegex(holonom.Error, "nowhere"):
            holonom.Simulation("/nowhere/water.yaml")
        for source in (None, 5, ["a.yaml"], ""):
            self.assertRaisesRegex(TypeError, "source of a simulation", holonom.Simulation, source)
        self.assertRaisesRegex(ValueError, "zero byte", holonom.Simulation, "a\0.yaml")
        self.assertRaisesRegex(TypeError, "changes", holonom.Simulation, cluster, [("seed", 1)])
        for n, error in ((-1, ValueError), (2.5, TypeError), ("3", TypeError)):
            self.assertRaises(error, self.sim.step, n)
        self.sim.close()
        for closed in (self.sim.step, self.sim.start, self.sim.look, self.sim.__enter__, lambda: self.sim.steps, lambda: self.sim.units):
            self.assertRaisesRegex(ValueError, "closed", closed)
        self.sim.close()
        self.assertIn(f'version = "{holonom.__version__}"', (root / "python/pyproject.toml").read_text())
        keys = {row["key"]: row for row in holonom.keys()}
        self.assertIn("fs", keys["integrator.timestep"]["units"])
        self.assertIn("tip3p", keys["system.model"]["choices"])


class Functions(unittest.TestCase):
    def setUp(self):
        self.sim = holonom.Simulation(cluster)
        self.addCleanup(self.sim.close)

    def test_observers(self):
        seen = []
        self.sim.observe(lambda sim: seen.append(sim.steps), 5)
        self.sim.step(22)
        self.assertEqual(seen, [5, 10, 15, 20])

        @self.sim.observe
        def fail(sim):
            if sim.steps == 30:
                raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            self.sim.step(100)
        self.assertEqual(self.sim.steps, 30)

    def test_loads_build_no_start(self):
        with tempfile.TemporaryDirectory() as folder, holonom.Simulation(cluster, {"system.anneal": True}) as loaded:
            with holonom.Simulation(cluster, {"system.anneal": True}) as saved:
                saved.step(3)
                saved.save(folder + "/a.hol")
            loaded.stop()  # a start that was built would end here, with RunError
            loaded.load(folder + "/a.hol")
            self.assertEqual(loaded.steps, 3)

    def test_messages_have_names_of_python(self):
        with tempfile.TemporaryDirectory() as folder:
            for expected, flags in ((None, {}), ("force=True", {}), ("resume=True", {"resume": True})):
                with holonom.Simulation(cluster, {"integrator.time": "5 fs"}) as sim:
                    if expected is None:
                        sim.run(folder + "/run")
                        continue
                    place = folder + ("/none" if flags else "/run")
                    with self.assertRaises(holonom.InputError) as raised:
                        sim.run(place, **flags)
                    self.assertIn(expected, str(raised.exception))
                    self.assertNotRegex(str(raised.exception), "--|hol_|HOL_")

    def test_a_harmonic_force(self):
        sim, k = self.sim, 0.7

        calls = []

        @sim.add_force
        def spring(x, call):
            calls.append((call.step, call.replicas, call.box.shape))
            return 0.5 * k * (x**2).sum(axis=(1, 2)), -k * x

        sim.step(5)
        self.assertTrue(np.allclose(sim.look()["external"], 0.5 * k * (sim.positions**2).sum(axis=(1, 2)), rtol=1e-9))
        with holonom.Simulation(cluster) as free:
            free.start()
            free.positions = sim.positions
            self.assertTrue(np.allclose(sim.forces - free.forces, -k * sim.positions, atol=1e-9))
        sim.step(4)
        # One call a step, of all replicas, and one for each look.
        self.assertEqual(calls, [(step, range(8), (8, 3, 3)) for step in (0, 0, 1, 2, 3, 4, 5, 5, 6, 7, 8)])

    def test_forces_fail(self):
        for wrong, what in (
            (lambda x, c: 1 / 0, ZeroDivisionError),
            (lambda x: (np.zeros(len(x)), 0 * x), TypeError),
            (lambda x, c: (np.zeros(len(x)), x[:3]), ValueError),
            (lambda x, c: (0.0, 0 * x), ValueError),
            (lambda x, c: 0.0, TypeError),
            (lambda x, c: (x, 0.0), ValueError),
            (lambda x, c: (np.zeros(len(x)), 1j * x), TypeError),
            (lambda x, c: (np.full(len(x), np.nan), 0 * x), holonom.RunError),
            (lambda x, c: (np.zeros(len(x)), np.inf * x), holonom.RunError),
            (lambda x, c: (np.zeros(len(x)), 0 * x, np.zeros(9)), ValueError),
            (lambda x, c: (np.zeros(len(x)), 0 * x, np.full((len(x), 3, 3), np.nan)), holonom.RunError),
            (lambda x, c: (sim.look()["total"], 0 * x), RuntimeError),
        ):
            with holonom.Simulation(cluster) as sim:
                sim.add_force(wrong)
                with self.assertRaises(what):
                    sim.step(3)
        for function in (self.sim.add_force, self.sim.observe):
            self.assertRaises(TypeError, function, 7)

    def test_positions_of_forces_are_copies(self):
        kept = []
        with holonom.Simulation(cluster) as sim:
            sim.add_force(lambda x, c: (np.zeros(len(x)), 0 * x, kept.append((x, c.box)))[:2])
            sim.step(3)
        self.assertTrue(all(np.isfinite(x).all() and np.abs(x).max() < 100 and not box.any() for x, box in kept))
        self.assertGreater(len(kept), 3)

    def test_a_run_that_went_wrong_is_loaded_again(self):
        """A force that fails within a step: all but looking is refused until a state is loaded, which goes on to the bit."""

        def trouble(x, call):
            if wrong and call.step >= 7:
                raise KeyError("enough")
            return np.zeros(len(x)), 0 * x

        with holonom.Simulation(cluster) as sim:
            wrong = False
            sim.add_force(trouble)
            sim.step(5)
            saved, wrong = sim.save_bytes(), True
            self.assertRaisesRegex(KeyError, "enough", sim.step, 10)
            self.assertEqual(sim.steps, 7)
            self.assertEqual(sim.positions.shape, (8, 9, 3))
            for use in (sim.step, sim.look, sim.save_bytes, sim.draw, lambda: sim.forces, lambda: setattr(sim, "positions", sim.positions)):
                self.assertRaisesRegex(holonom.RunError, r"earlier call.*saved \(load, load_bytes\): .*enough", use)
            wrong = False
            sim.load_bytes(saved)
            sim.step(15)
            self.sim.step(20)
            self.assertTrue(np.array_equal(sim.positions, self.sim.positions))
            for data in (b"", b"x" * 100, saved[:-1], saved[:50] + b"?" + saved[51:]):
                self.assertRaises(holonom.InputError, sim.load_bytes, data)
            sim.step(1)

    def test_a_listener_hears_the_lines(self):
        lines = []
        with tempfile.TemporaryDirectory() as folder, holonom.Simulation(cluster) as sim:
            sim.listen(lines.append)
            sim.run(folder + "/run")
            self.assertEqual(lines[0], "time step: 1 fs; 1000 steps: 1 ps")
            self.assertRegex(lines[1], r"^step 1000 of 1000  100.0% .* done in ")
            self.assertTrue(any(folder in line for line in lines), lines)
            self.assertFalse(any("\n" in line or "\r" in line for line in lines))
        with tempfile.TemporaryDirectory() as folder, holonom.Simulation(cluster) as sim:
            sim.listen(lambda line: sim.look())
            self.assertRaisesRegex(RuntimeError, "a listener gets all", sim.run, folder + "/run")
            sim.listen(None)
            sim.step(1)
        self.assertRaises(TypeError, self.sim.listen, 3)

    def test_temperatures_are_set(self):
        sim = self.sim
        self.assertTrue(np.allclose(sim.temperatures, 100))
        sim.temperatures = np.arange(8.0) + 50
        self.assertTrue(np.allclose(sim.temperatures, np.arange(8) + 50, rtol=1e-15))
        sim.temperatures = 30
        self.assertTrue(np.array_equal(sim.temperatures, [30.0] * 8))
        for wrong in (0.0, -1.0, np.nan, [50.0, 0.0] * 4, [1.0, 2.0]):
            with self.assertRaises(ValueError):
                sim.temperatures = wrong
        self.assertTrue(np.array_equal(sim.temperatures, [30.0] * 8))

    def test_topology(self):
        t = self.sim.topology
        self.assertEqual((t.names, t.kind_names), (["O", "H", "H"] * 3, ["tip3p"]))
        self.assertTrue(np.allclose(t.charges, [-0.834, 0.417, 0.417] * 3))
        self.assertEqual(t.bonds.tolist(), [[0, 1], [0, 2], [3, 4], [3, 5], [6, 7], [6, 8]])
        self.assertEqual((t.molecules.tolist(), t.kinds.tolist()), ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0]))
        self.assertEqual((t.first_site.tolist(), t.first_constraint.tolist()), ([0, 3, 6, 9], [0, 3, 6, 9]))
        with holonom.Simulation(cluster, {"output.multipliers_every": 1}) as sim:
            sim.step(2)
            self.assertEqual(sim.multipliers.shape, (8, 9))
            self.assertTrue(np.isfinite(sim.multipliers).all() and (sim.multipliers != 0).all())
        self.assertRaisesRegex(holonom.InputError, "multipliers_every", lambda: self.sim.multipliers)

    def test_topology_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            t = self.of_a_file(folder).topology
            self.assertEqual(t.names, ["C1", "O2", "H3", "C1", "O2", "H3", "OW", "HW1", "HW2"])
            self.assertEqual(t.elements, ["C", "O", "H", "C", "O", "H", "O", "H", "H"])
            self.assertEqual(t.types, ["CT", "OH", "HO"] * 2 + ["OW", "HW", "HW"])
            self.assertEqual(t.resnames, ["MET", "MET", "HYD"] * 2 + ["SOL"] * 3)
            self.assertEqual(t.resids.tolist(), [7, 7, 8] * 2 + [9] * 3)
            self.assertEqual(t.chains, ["", "", "B"] * 2 + [""] * 3)
            self.assertEqual(t.bonds.tolist(), [[0, 1], [1, 2], [3, 4], [4, 5], [6, 7], [6, 8]])

    def of_a_file(self, folder, **changes):
        """Two molecules of two residues, and a water."""
        water = (
            "SOL: {atoms: [[OW, OW, -0.8, 16, SOL, 1], [HW1, HW, 0.4, 1.008, SOL, 1], [HW2, HW, 0.4, 1.008, SOL, 1]], "
            "constraints: [[1, 2, 1], [1, 3, 1], [2, 3, 1.6]]}"
        )
        pathlib.Path(folder, "molecules.yaml").write_text(
            "format: holonom-molecules 1\nrule: geometric\n"
            "types: {CT: [3, 0.1], OH: [3, 0.1], HO: [0, 0], OW: [3, 0.1], HW: [0, 0]}\n"
            "molecules:\n  two: {atoms: [[C1, CT, 0.2, 12.011, MET, 7], [O2, OH, -0.6, 16, MET, 7], "
            "[H3, HO, 0.4, 1.008, HYD, 8, B]], "
            f"bonds: [[1, 2], [2, 3]]}}\n  {water}\nsystem: [[two, 2], [SOL, 1]]\n"
        )
        x = [[0, 0, 0], [1.4, 0, 0], [1.7, 0.9, 0]]
        x += [[a, b + 4, c] for a, b, c in x] + [[0, 8, 0], [1, 8, 0], [-0.28, 8.96, 0]]
        names = ["C", "O", "H"] * 2 + ["O", "H", "H"]
        rows = (f"{n} {a} {b} {c}\n" for n, (a, b, c) in zip(names, x))
        pathlib.Path(folder, "start.xyz").write_text("9\n\n" + "".join(rows))
        source = {"system": {"topology": folder + "/molecules.yaml", "file": folder + "/start.xyz"}}
        source |= {"geometry": {"constrain": "none"}, "integrator": {"timestep": "0.1 fs", "steps": 20}, "thermostat": {"temperature": 10, "friction": "1 1/ps"}}
        sim = holonom.Simulation(source, changes)
        self.addCleanup(sim.close)
        return sim

    @unittest.skipUnless(importlib.util.find_spec("MDAnalysis"), "no MDAnalysis")
    def test_topology_for_mdanalysis(self):
        with tempfile.TemporaryDirectory() as folder:
            sim = self.of_a_file(folder)
            u = sim.topology.to_mdanalysis(sim.positions[0])
            self.assertTrue(np.allclose(u.atoms.positions, sim.positions[0], atol=1e-5))
            self.assertEqual((len(u.residues), u.residues.resids.tolist()), (5, [7, 8, 7, 8, 9]))
            for words, atoms in (
                ("name O*", [1, 4, 6]),
                ("resid 7", [0, 1, 3, 4]),
                ("moltype two and element H", [2, 5]),
                ("molnum 1", [3, 4, 5]),
                ("type CT", [0, 3]),
                ("bonded name O2 and molnum 0", [0, 2]),
            ):
                self.assertEqual(u.select_atoms(words).indices.tolist(), atoms, words)
            self.assertAlmostEqual(u.atoms.total_charge(), 0.0)
            self.assertEqual(len(u.atoms.fragments), 3)
            self.assertEqual(self.sim.topology.to_mdanalysis().select_atoms("resname tip3p and name O").n_atoms, 3)

    @unittest.skipUnless(importlib.util.find_spec("MDAnalysis"), "no MDAnalysis")
    def test_trajectories_of_a_part(self):
        changes = {"output.trajectory_every": 5, "output.equilibration": 0, "output.thermo_every": 5}
        for kind in ("xtc", "h5md"):
            with tempfile.TemporaryDirectory() as folder:
                asked = {"output.trajectory": f"[{kind}]"}
                if kind == "xtc":
                    asked = {"output.trajectory": "[xtc, gro, pdb]", "output.gro_atoms": "name O*"}
                try:
                    sim = self.of_a_file(folder, **changes, **asked, **{f"output.{kind}_atoms": "name O*"})
                except holonom.InputError as error:
                    self.assertRegex(str(error), "HDF5")  # built without
                    continue
                u = sim.run(folder + "/run").to_mdanalysis()
                self.assertEqual((u.atoms.names.tolist(), len(u.trajectory)), (["O2", "O2", "OW"], 5), kind)
                self.assertTrue(np.allclose(u.trajectory[-1].positions, sim.positions[0][[1, 4, 6]], atol=0.02))
                if kind == "xtc":
                    rows = pathlib.Path(folder, "run/trajectory.pdb").read_text().splitlines()
                    self.assertEqual([row[21] for row in rows if row.startswith("HETATM")][:9], list("  B  B   "))

    def test_what_observers_may_not(self):
        for forbidden in ("step", "close", "start", "load", "run", "positions", "observe", "project", "draw"):
            with holonom.Simulation(cluster) as sim, tempfile.TemporaryDirectory() as folder:

                @sim.observe
                def wrong(sim):
                    if forbidden == "positions":
                        sim.positions = sim.positions
                    elif forbidden != "start":  # which has nothing left to do
                        arguments = {"load": (folder,), "run": (folder,), "observe": (print,)}.get(forbidden, ())
                        getattr(sim, forbidden)(*arguments)
                    else:
                        sim.start()
                        raise RuntimeError("an observer may read")

                with self.assertRaisesRegex(RuntimeError, "an observer may read"):
                    sim.step(3)
                self.assertEqual(sim.steps, 1)

    def test_runs_do_not_notice_observers(self):
        """Nor does it matter whether steps were taken by `run` or by `step`."""
        read = []

        def look(sim):
            read.append((sim.steps, sim.positions.copy(), sim.look()["total"]))

        with tempfile.TemporaryDirectory() as folder, holonom.Simulation(cluster) as sim, holonom.Simulation(cluster) as other:
            self.sim.run(folder + "/alone")
            sim.observe(look, 300)
            sim.run(folder + "/watched")
            for name in ("thermo.csv", "replicas.csv", "rdf_replicas.csv", "final.xyz"):
                self.assertEqual(*(pathlib.Path(folder, run, name).read_bytes() for run in ("alone", "watched")))
            self.assertEqual([steps for steps, _, _ in read], [300, 600, 900])
            for steps, x, total in read:
                other.step(steps - other.steps)
                self.assertTrue(np.array_equal(other.positions, x) and np.array_equal(other.look()["total"], total))
            other.step(1007 - other.steps)
            sim.step(7)
            self.assertTrue(np.array_equal(sim.positions, other.positions) and np.array_equal(sim.momenta, other.momenta))

    def test_threads(self):
        def positions(seed):
            with holonom.Simulation(cluster, {"seed": seed}) as sim:
                sim.step(200)
                found[seed] = sim.positions

        found = {}
        threads = [threading.Thread(target=positions, args=(seed,)) for seed in (1, 2, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        together = dict(found)
        for seed in (1, 2, 3):
            positions(seed)
            self.assertTrue(np.array_equal(found[seed], together[seed]))
        # Closed while another thread is stepping it: that one is told.
        failed = []

        def step():
            try:
                self.sim.step(10**12)
            except ValueError as error:
                failed.append(str(error))

        self.sim.start()
        thread = threading.Thread(target=step)
        thread.start()
        while self.sim.steps == 0:
            pass
        self.sim.close()
        thread.join()
        self.assertEqual(failed, ["this simulation is closed"])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_forked_processes_go_on(self):
        sim = holonom.Simulation(cluster, {"ensemble.replicas": 32, "ensemble.threads": 2})
        self.addCleanup(sim.close)
        sim.step(20)
        child = os.fork()
        if child == 0:
            try:
                sim.step(20)
                with holonom.Simulation(cluster, {"ensemble.replicas": 32, "ensemble.threads": 2}) as other:
                    other.step(40)
                    os._exit(not np.array_equal(sim.positions, other.positions))
            finally:
                os._exit(9)
        ended, deadline = (0, 0), time.monotonic() + 120
        while ended[0] == 0 and time.monotonic() < deadline:
            ended = os.waitpid(child, os.WNOHANG)
            time.sleep(0.05)
        if ended[0] == 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self.assertEqual(ended, (child, 0))

    def test_stops(self):
        sim = self.sim
        sim.start()
        timer = threading.Timer(0.3, sim.stop)
        timer.start()
        sim.step(10**12)
        timer.join()
        done = sim.steps
        # what runs beside a shell's other work is deaf to Ctrl-C
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.step(10**12)
        timer.join()
        self.assertGreater(sim.steps, done)
        sim.step(1)


    def test_progress_is_one_line_that_goes(self):
        bar, sys.stderr, before = holonom.simulation.Progress(100, True), io.StringIO(), sys.stderr
        try:
            bar.at(1)  # too early
            bar.begun -= 2
            bar.last -= 2
            bar.at(50)
            bar.close()
            said = sys.stderr.getvalue()
        finally:
            sys.stderr = before
        self.assertRegex(said, r"^\r50 of 100 steps  50.0%  .* steps/s  2 s left\r +\r$")


class Folders(unittest.TestCase):
    def test_a_run(self):
        with tempfile.TemporaryDirectory() as folder, holonom.Simulation(cluster) as sim:
            results = sim.run(folder + "/run")
            self.assertEqual(results.summary["ended"], "complete")
            self.assertEqual(results.summary["molecules"], 3)
            verdict = results.verdicts["run"]
            self.assertIn(verdict["verdict"], ("good", "note", "warn", "bad"))
            said = subprocess.run([os.environ["HOLONOM_PROGRAM"], "status", results.folder], check=True, capture_output=True, text=True)
            self.assertIn(verdict["words"], said.stdout)
            self.assertTrue(set(results.verdicts) > {"run", "constraints"})
            kept = json.loads((results.folder / "results.json").read_text())
            number = next(number for number in kept["numbers"] if number["name"] == "temperature")
            self.assertEqual((results.summary["temperature"], number["unit"]), (number["value"], "K"))  # in full
            self.assertEqual([n["name"] for n in kept["numbers"] if "unit" not in n], [])
            self.assertEqual([c["name"] for table in kept["tables"] for c in table["columns"] if "unit" not in c], [])
            thermo = results["thermo"]
            self.assertRegex(thermo._repr_html_(), "<caption>thermo: [0-9]+ rows</caption>.*temperature<br>K")
            self.assertRegex(results._repr_html_(), "<th>tables</th>.*thermo.*<th>ended</th><td>complete</td>")
            self.assertAlmostEqual(thermo["time_ps"][-1], sim.time_ps, places=9)
            self.assertEqual((thermo.units["time_ps"], thermo.units["temperature_err"]), ("ps", "K"))
            self.assertEqual({name: thermo.units[name] for name in sim.units}, sim.units)
            self.assertEqual(thermo["step"][-1], 1000)
            self.assertTrue(np.allclose(thermo["kinetic"] + thermo["potential"], thermo["total"], rtol=1e-6))
            with self.assertRaises(KeyError):
                results["nothing"]
            if importlib.util.find_spec("MDAnalysis"):
                self.assertEqual(results.to_mdanalysis().atoms.n_atoms, 9)
            else:
                self.assertRaisesRegex(ImportError, "python3-mdanalysis", results.to_mdanalysis)
            with self.assertRaises(holonom.Error):  # there are results already
                holonom.Simulation(cluster).run(folder + "/run")


    def check_units(self, results, sim, unknown=()):
        """The library knows all columns; those that it shows in memory have the same units there."""
        for name, table in results.items():
            like = "ensemble" if name == "replicas" and "ensemble" in results else name.split("/")[-1]
            for column in table:
                known = holonom._library.table_unit(like, column)
                self.assertEqual(known is None, column.removesuffix("_err") in unknown, f"{name}: {column}")
                self.assertEqual(table.units[column], "" if results.reduced else known or "")
        energies = results["thermo" if "thermo" in results else "energy"].units
        self.assertEqual({name: energies[name] for name in sim.units}, sim.units)

    def run_of(self, input, changes=None):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        sim = holonom.Simulation(input, changes)
        self.addCleanup(sim.close)
        return sim.run(folder.name + "/run"), sim

    def test_units_of_clusters(self):
        output = {"thermo_every": 10, "isomers_every": 200, "lindemann_every": 2, "lindemann_samples": 10}
        results, sim = self.run_of(cluster | {"output": output | {"multipliers_every": 10, "multipliers_window": "10 fs"}})
        self.check_units(results, sim)
        self.assertEqual(set(results), set("isomers lindemann multipliers rdf rdf_replicas replicas thermo".split()))
        self.assertEqual(results["isomers"].units["energy"], "kcal/mol")
        self.assertEqual(results["rdf"].units, dict(r="A", P="1/A", P_err="1/A", g="", g_err="", count=""))
        self.assertEqual(results["multipliers"].units["mean_1"], "kcal/mol/A^2")
        self.assertEqual((results["thermo"]["step"].dtype, results["thermo"]["total"].dtype), (np.int64, np.float64))

    def test_units_of_ladders(self):
        keys = {**cluster, "exchange": {"temperatures": [60.0, 70.0, 80.0, 95.0], "ladders": 2, "interval": 5}}
        keys["thermostat"] = {key: value for key, value in cluster["thermostat"].items() if key != "temperature"}
        del keys["ensemble"]
        results, sim = self.run_of(keys, {"output.isomers_every": 200, "output.thermo_every": 10})
        self.check_units(results, sim)
        self.assertLess({"heat_capacity", "ladder", "rdf_ladder", "replicas"}, set(results))
        self.assertEqual(results["heat_capacity"].units["heat_err"], "kcal/mol/K")
        self.assertEqual((results["replicas"].units["target"], results["ladder"].units["acceptance"]), ("K", ""))

    def test_units_of_boxes(self):
        results, sim = self.run_of(
            {
                "precision": "mixed",
                "system": {"model": "tip3p", "molecules": 216, "density": "0.98 g/cm3"},
                "geometry": {"method": "settle"},
                "forces": {"cutoff": 7},
                "integrator": {"word": "BAOAB", "timestep": "2 fs", "steps": 20},
                "thermostat": {"temperature": 298.15, "friction": "20 1/ps"},
                "ensemble": {"replicas": 2},
                "output": {"thermo_every": 10, "pressure": "both"} | {f"{o}_every": 2 for o in ("gofr", "msd", "vacf", "dipole")},
            }
        )
        self.check_units(results, sim)
        parts = {f"replica-{r}/{o}" for r in (0, 1) for o in ("gofr", "msd", "vacf", "vacf_spectrum", "dipole")}
        self.assertEqual(set(results), parts | {"thermo", "replicas"})
        self.assertEqual(results["replica-1/dipole"].units["m2"], "D^2")
        self.assertEqual(results["thermo"].units["pressure_atom_xy"], "bar")
        self.assertEqual(results.summary["kinds"], {"tip3p": 216})
        seen = {(row["observable"], row["quantity"]): row for row in results.summary["observables"]}
        self.assertEqual(seen["gofr", "peak_r"]["unit"], "A")
        self.assertIn("bins of 0.02 A", seen["gofr", "peak_r"]["note"])

    def test_units_of_mechanical_systems(self):
        pendulum = {
            "system": {
                "dimensions": 2,
                "sites": [{"mass": 1, "position": [1, 0]}],
                "constraints": [{"type": "anchor", "site": 1, "distance": 1}],
                "potentials": [{"type": "gravity", "acceleration": [0, -9.81]}],
            },
            "geometry": {"method": "shake"},
            "integrator": {"word": "BAB", "timestep": 0.01, "steps": 100},
            "output": {"multipliers_every": 5, "multipliers_window": 0.2, "observables": {"wall": "x1*y1"}},
            "ensemble": {"replicas": 3},
        }
        results, sim = self.run_of(pendulum)
        self.check_units(results, sim, ("wall",))
        self.assertEqual((results["replicas"].units["total"], results["replicas"].units["wall"]), ("kcal/mol", ""))
        self.assertEqual((results["trajectory"].units["x1"], results["energy"].units["largest_g"]), ("A", ""))
        self.assertEqual(set(results.summary["means"]["total"]), {"mean", "error"})
        results, sim = self.run_of(pendulum | {"units": "reduced"})
        self.check_units(results, sim, ("wall",))
        self.assertEqual(set(results["ensemble"].units.values()), {""})

    @unittest.skipUnless(importlib.util.find_spec("h5py"), "no h5py")
    def test_h5md_has_the_numbers_of_thermo(self):
        """Those of each replica, or of each temperature of a ladder; a frame's step need not be a row's."""
        import h5py

        output = {"output": {"trajectory": "h5md", "trajectory_every": 30, "trajectory_replica": "all", "thermo_every": 20}}
        ladder = {key: value for key, value in (cluster | output).items() if key != "ensemble"}
        ladder |= {"thermostat": {"type": "langevin", "friction": "5 1/ps"}}
        ladder |= {"exchange": {"temperatures": [60.0, 70.0, 80.0, 95.0], "ladders": 2, "interval": 5}}
        for input, temperatures in ((cluster | output, 1), (ladder, 4)):
            try:
                results, _ = self.run_of(input, {"integrator.time": "300 fs"})
            except holonom.InputError as error:
                self.skipTest(str(error))  # built without HDF5
            thermo = results["thermo"]
            with h5py.File(results.trajectories[0]) as file:
                self.assertLess({"kinetic", "potential", "total", "temperature"}, set(file["observables"]))
                for name, at in file["observables"].items():
                    self.assertEqual(at["value"].attrs["unit"], thermo.units[name].replace("/mol", " mol-1"))
                    self.assertEqual(at["step"][...].tolist(), list(range(0, 301, 30)))
                    for step, row in zip(at["step"][::2], at["value"][::2]):  # of every 60 steps there are both
                        wanted = thermo[name][thermo["step"] == step]
                        self.assertTrue(np.allclose(row.reshape(-1, temperatures).mean(axis=0), wanted, rtol=1e-9))

    def test_folders_of_other_commands(self):
        program = os.environ["HOLONOM_PROGRAM"]
        with tempfile.TemporaryDirectory() as folder, holonom.Simulation(cluster) as sim:
            sim.run(folder + "/run")
            subprocess.run([program, "compare", "run", "run", "-o", "compared"], cwd=folder, check=True, capture_output=True)
            compared = holonom.Results(folder + "/compared")
            self.assertEqual((list(compared), compared.summary), (["compare", "compare_runs"], {}))
            self.assertEqual((compared["compare"]["unit"][0], compared["compare"].units["value_a"]), ("kcal/mol", ""))
            run = pathlib.Path(folder, "run")
            whole = (run / "results.json").read_text()
            for broken in (whole[:200], "[]", whole.replace('"verdict":"', '"verdict":"so-'), '{"numbers": [], "verdicts": null}'):
                (run / "results.json").write_text(broken)
                self.assertRaisesRegex(holonom.InputError, "results.json cannot be read: it is damaged", holonom.Results, run)
            # At work: no summary yet, and a line that is not whole.
            (run / "results.json").unlink()
            text = (run / "thermo.csv").read_text()
            (run / "thermo.csv").write_text(text[:-9])
            growing = holonom.Results(run)
            self.assertEqual((growing.summary, growing["thermo"]["step"].tolist()), ({}, list(range(0, 1000, 100))))
            # What is none.
            os.mkdir(folder + "/empty")
            for wrong, error in ((folder + "/nowhere", FileNotFoundError), (folder + "/empty", FileNotFoundError)):
                self.assertRaisesRegex(error, "give the folder of a run|is it the folder of a run", holonom.Results, wrong)
            self.assertRaisesRegex(NotADirectoryError, "not a folder", holonom.Results, run / "thermo.csv")
            self.assertRaisesRegex(KeyError, "did you mean 'thermo'. Existing: .*rdf", lambda: growing["termo"])
            self.assertRaisesRegex(KeyError, "did you mean 'total'", lambda: growing["thermo"]["totl"])
            self.assertNotIn("termo", growing)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_axes_have_units(self):
        import matplotlib

        matplotlib.use("Agg")
        results, _ = self.run_of(cluster, {"output.thermo_every": 100})
        thermo = results["thermo"]
        axes = thermo.plot("temperature", x="time_ps")
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("time (ps)", "temperature (K)"))
        self.assertEqual(thermo.plot("kinetic", "total").get_ylabel(), "kcal/mol")
        labels = [text.get_text() for text in thermo.plot("total", "temperature").get_legend().get_texts()]
        self.assertEqual(labels, ["total (kcal/mol)", "temperature (K)"])
        self.assertRaisesRegex(KeyError, "did you mean 'total'", thermo.plot, "totl")
        matplotlib.pyplot.close("all")

    @unittest.skipUnless(importlib.util.find_spec("MDAnalysis"), "no MDAnalysis")
    def test_observables_of_frames(self):
        import MDAnalysis

        box = {
            "precision": "mixed",
            "system": {"model": "tip3p", "molecules": 216, "density": 0.95},
            "geometry": {"method": "settle"},
            "forces": {"cutoff": 7},
            "integrator": {"word": "BAOAB", "timestep": "2 fs", "steps": 100},
            "thermostat": {"type": "langevin", "temperature": 300, "friction": "5 1/ps"},
            "output": {"equilibration": 0, "trajectory": "dcd", "trajectory_every": 10},
        }
        with tempfile.TemporaryDirectory() as folder, holonom.Simulation(box) as sim:
            own = sim.run(folder + "/run")
            frames, last = own.to_mdanalysis(), folder + "/run/final.gro"
            self.assertEqual(len(frames.trajectory), 11)
            frames.atoms.write(folder + "/run.xtc", frames="all")
            xtc = MDAnalysis.Universe(last, folder + "/run.xtc")
            seen = holonom.observe(xtc, "gofr", folder + "/seen", "--model", "tip3p", start=1)["gofr"]
            theirs = holonom.observe(frames, "gofr", folder + "/same", "--model", "tip3p", start=1)["gofr"]
            # XTC has 0.01 A
            self.assertLess(np.abs(seen["n_O-O"] - theirs["n_O-O"]).max(), 0.5)
            self.assertAlmostEqual(seen["n_O-O"][-1], theirs["n_O-O"][-1], delta=0.1)
            random = np.random.default_rng(1)
            with MDAnalysis.Writer(folder + "/run.trr", frames.atoms.n_atoms) as writer:
                for ts in frames.trajectory:
                    ts.has_velocities = True
                    ts.velocities = random.normal(0, 5, (frames.atoms.n_atoms, 3))
                    writer.write(frames.atoms)
            trr = MDAnalysis.Universe(last, folder + "/run.trr")
            seen = holonom.observe(trr, "vacf", folder + "/vacf", "--model", "tip3p", "--vacf-max", 0.1, "--keep-drift")
            self.assertAlmostEqual(seen["vacf"]["C_tip3p_H"][0], 3 * 5**2, delta=3)
            self.assertEqual(seen["vacf"].units["C_tip3p_H"], "A^2/ps^2")
            with self.assertRaisesRegex(holonom.RunError, "nonsense"):
                holonom.observe(xtc, "nonsense", folder + "/none")
            self.assertRaisesRegex(TypeError, "Universe", holonom.observe, None, "gofr", folder + "/none")

    @unittest.skipUnless(all(importlib.util.find_spec(name) for name in ("pip", "setuptools", "wheel")), "no pip")
    def test_a_wheel_is_made_without_a_network(self):
        with tempfile.TemporaryDirectory() as folder:
            source = shutil.copytree(root / "python", folder + "/python")
            shutil.copy(os.environ["HOLONOM_LIBRARY"], folder + "/python/holonom/libholonom.so.0")
            make = [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "--no-index", source]
            subprocess.run(make, cwd=folder, check=True, capture_output=True)
            (wheel,) = pathlib.Path(folder).glob("holonom-*.whl")
            self.assertRegex(wheel.name, r"-py3-none-linux_\w+\.whl$")  # it holds the library, and serves every Python 3
            with zipfile.ZipFile(wheel) as inside:
                inside.extractall(folder + "/site")
            environment = os.environ | {"PYTHONPATH": folder + "/site"}
            del environment["HOLONOM_LIBRARY"]
            say = "import holonom; print(holonom.__file__, holonom.__version__)"
            said = subprocess.run([sys.executable, "-c", say], env=environment, check=True, capture_output=True, text=True)
            self.assertEqual(said.stdout.split(), [folder + "/site/holonom/__init__.py", holonom.__version__])
            self.assertTrue(pathlib.Path(folder, "site/holonom/py.typed").is_file())


class Examples(unittest.TestCase):
    def test_notebooks_are_kept_with_their_outputs(self):
        for path in (root / "examples/python").glob("*.ipynb"):
            cells = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
            self.assertEqual([cell["execution_count"] for cell in cells], [*range(1, len(cells) + 1)], path.name)
            self.assertTrue(any(output["output_type"] == "stream" for cell in cells for output in cell["outputs"]), path.name)

    def test_notebooks_are_the_scripts(self):
        subprocess.run([sys.executable, root / "scripts/notebooks", "--check"], check=True)

    def said(self, name):
        ran = subprocess.run([sys.executable, root / "examples/python" / name], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def test_one_uses_all_that_a_simulation_has(self):
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([sys.executable, root / "examples/api/every.py"], cwd=folder, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stdout, r"external [0-9.]+ kcal/mol, multipliers \(8, 6\)\n20 steps after .*loaded, 40 calls")
        text = (root / "examples/api/every.py").read_text()
        members = {name: getattr(holonom.Simulation, name) for name in dir(holonom.Simulation) if not name.startswith("_")}
        used = [member for name, member in members.items() if re.search(rf"\.{name}\b", text)]
        unused = [name for name, member in members.items() if member not in used]  # an older name is the same member
        self.assertEqual(unused, [])

    def test_scripts(self):
        self.assertRegex(self.said("cluster_gofr.py"), r"50 K: first peak g = [\d.]+ \+- [\d.]+ at 2\.[67]\d A")
        self.assertIn("no difference is seen", self.said("penalty_constraint.py"))
        without, under = (float(line.split()[4]) for line in self.said("own_potential.py").splitlines())
        self.assertLess(abs(without), 0.4)
        self.assertGreater(under, 0.5)


if __name__ == "__main__":
    unittest.main()
