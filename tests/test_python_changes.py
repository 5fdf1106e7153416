"""Tests of what a program in Python changes between steps: forces, observers, step and friction."""

import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np

import holonom

root = pathlib.Path(__file__).resolve().parents[1]
cluster = {
    "system": {"model": "tip3p", "molecules": 3, "anneal": False},
    "geometry": {"method": "settle"},
    "integrator": {"word": "BAOAB", "timestep": "1 fs", "time": "1 ns"},
    "thermostat": {"type": "langevin", "temperature": 100, "friction": "5 1/ps"},
    "ensemble": {"replicas": 8},
}
sites = {
    "units": "reduced",
    "parameters": {"field": 0.5, "other": 2},
    "system": {"dimensions": 3, "sites": [{"position": [0.1, 0, 0]}, {"position": [0, 0.3, 0]}], "potentials": [{"type": "link", "site": 1, "stiffness": 1}]},
    "integrator": {"word": "BAOAB", "timestep": 0.2, "time": 20},
    "thermostat": {"type": "langevin", "friction": 1, "temperature": 1},
}
newtonian = {"integrator.word": "BAB", "thermostat.type": "none", "thermostat.friction": ""}


def spring(x, call):
    return 0.5 * (x**2).sum(axis=(1, 2)), -x


class Changes(unittest.TestCase):
    def setUp(self):
        self.sim = holonom.Simulation(cluster)
        self.addCleanup(self.sim.close)

    def test_forces_come_and_go(self):
        with holonom.Simulation(cluster) as other:
            for sim in (self.sim, other):
                sim.step(5)
            before = other.look()["total"]
            self.assertIs(other.add_force(spring), spring)
            np.testing.assert_allclose(other.look()["total"] - before, 0.5 * (other.positions**2).sum(axis=(1, 2)), rtol=1e-8)
            other.remove_force(spring)
            for sim in (self.sim, other):
                sim.step(5)
            np.testing.assert_array_equal(other.positions, self.sim.positions)
            with self.assertRaisesRegex(ValueError, "cannot be removed: it was not added"):
                other.remove_force(spring)

    def test_parameters_of_a_force(self):
        values = [0.1, 0.5, -2.0, 0.7]
        with holonom.Simulation({**sites, "ensemble": {"replicas": 4, "parameters": {"field": values}}}) as sim:

            @sim.add_force
            def field(x, call):
                strength, along = call.parameters["field"], x[:, :, 0].sum(axis=1)
                call.slopes["field"][:] = along
                forces = np.zeros_like(x)
                forces[:, :, 0] = -strength[:, None]
                return strength * along, forces

            sim.step(10)
            along = sim.positions[:, :, 0].sum(axis=1)
            np.testing.assert_array_equal(sim.parameters["field"], values)
            self.assertEqual(sim.parameter_units, {"field": "", "other": ""})
            before = sim.evaluate(sim.positions).energies
            energies, slopes = sim.parameter_energies([{"field": 1.5}, {"field": 0, "other": 7}])
            np.testing.assert_allclose(slopes["field"], along, rtol=1e-12)
            np.testing.assert_array_equal(slopes["other"], 0.0)
            np.testing.assert_allclose(sim.parameter_energies([{"other": 3}])[0][:, 0], before, rtol=1e-12)  # each keeps its field
            np.testing.assert_allclose(energies[:, 0] - before, (1.5 - np.array(values)) * along, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(energies[:, 1] - before, -np.array(values) * along, rtol=1e-9, atol=1e-12)
            sim.set_parameter("field", 1.5)
            np.testing.assert_allclose(sim.evaluate(sim.positions).energies, energies[:, 0], rtol=1e-12)
            with self.assertRaisesRegex(KeyError, "the parameter 'fields' does not exist; existing: field, other"):
                sim.set_parameter("fields", 1.0)
            with self.assertRaises(ValueError):
                sim.set_parameter("field", math.nan)

    def test_a_state_with_a_force_wants_it(self):
        self.sim.add_force(spring)
        self.sim.step(5)
        state = self.sim.save_bytes()
        with holonom.Simulation(cluster) as other:
            with self.assertRaisesRegex(holonom.InputError, r"saved with 1 external force \(add_force\), but only 0 have been added here"):
                other.load_bytes(state)
            other.add_force(spring)
            other.load_bytes(state)
            np.testing.assert_array_equal(other.positions, self.sim.positions)

    def test_a_run_with_a_force_wants_it(self):
        with tempfile.TemporaryDirectory() as folder:
            with holonom.Simulation(cluster, {"integrator.time": "10 fs"}) as sim:
                sim.add_force(spring)
                sim.run(folder)
            longer = {"integrator.time": "20 fs"}
            with holonom.Simulation(cluster, longer) as sim, self.assertRaisesRegex(holonom.InputError, "saved with 1 external force"):
                sim.run(folder, resume=True)
            with holonom.Simulation(cluster, longer) as sim, self.assertRaisesRegex(holonom.InputError, "a run must continue with the same forces"):
                sim.add_force(spring)
                sim.add_force(spring)
                sim.run(folder, resume=True)
            with holonom.Simulation(cluster, longer) as sim:
                sim.add_force(spring)
                sim.run(folder, resume=True)
                self.assertEqual(sim.steps, 20)

    def test_observers_come_and_go(self):
        seen = []

        class Watch:
            def see(self, sim):
                seen.append(sim.steps)

        watch = Watch()
        self.sim.add_observer(watch.see, every=2)
        self.sim.step(4)
        self.sim.remove_observer(watch.see)
        self.sim.step(4)
        self.assertEqual(seen, [2, 4])
        with self.assertRaisesRegex(ValueError, "cannot be removed: it was not added"):
            self.sim.remove_observer(watch.see)

    def test_step_and_friction(self):
        self.assertAlmostEqual(self.sim.timestep * holonom.AKMA_FS, 1.0, 12)
        self.assertAlmostEqual(self.sim.friction / holonom.AKMA_FS * 1000, 5.0, 12)
        self.sim.step(10)
        self.sim.timestep *= 2
        self.sim.friction = 0
        self.sim.step(10)
        self.assertAlmostEqual(self.sim.time_ps, 0.03, 12)
        with self.assertRaisesRegex(holonom.InputError, "unstable"):
            self.sim.timestep = 1.0
        with holonom.Simulation(cluster, newtonian) as cold:
            self.assertTrue(math.isnan(cold.friction))
            with self.assertRaisesRegex(holonom.InputError, "there is no friction to change"):
                cold.friction = 1


class States(unittest.TestCase):
    def test_ladders_name_spare_replicas(self):
        warm = {"exchange": {"temperatures": [100, 120, 150, 190], "interval": 5}}
        steps = {k: v for k, v in cluster.items() if k != "ensemble"} | warm | {"thermostat": {"friction": "5 1/ps"}}
        with holonom.Simulation(steps) as sim:
            for _ in range(20):
                sim.step(5)
                places, kelvin = sim.ladder, sim.temperatures
                self.assertEqual(places[4:].tolist(), [[-1, -1]] * 4)
                self.assertEqual(sorted(places[:4].tolist()), [[0, 0], [0, 1], [0, 2], [0, 3]])
                np.testing.assert_allclose(kelvin[:4], np.array([100, 120, 150, 190])[places[:4, 1]])
                np.testing.assert_allclose(kelvin[4:], 100)
            with tempfile.TemporaryDirectory() as folder, holonom.Simulation(steps, {"integrator.time": "10 fs"}) as run:
                run.run(folder)
                log = (pathlib.Path(folder) / "holonom.log").read_text()
                self.assertIn("replicas 4 to 7 (from 0) are on no ladder", log)
        with holonom.Simulation(cluster) as sim, self.assertRaisesRegex(holonom.InputError, "there is no ladder"):
            sim.ladder

    def test_files_that_are_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = pathlib.Path(folder) / "none"
            with self.assertRaisesRegex(holonom.FileError, "No such file") as caught:
                holonom.Simulation(missing)
            self.assertIsInstance(caught.exception, OSError)
            with holonom.Simulation(cluster) as sim, self.assertRaises(holonom.FileError):
                sim.load(missing)
            named = cluster | {"system": {"model": "tip3p", "start": "file", "file": str(missing)}}
            with self.assertRaises(holonom.InputError):  # at the line that names it
                holonom.Simulation(named)

    def test_a_broken_replica_hides_no_other(self):
        with holonom.Simulation(cluster, {"ensemble.replicas": 24}) as sim:
            sim.step(5)
            fine, x = sim.look(), sim.positions.copy()
            x[3, 1] += 5
            sim.positions = x
            for replica in (2, 0, 20):
                self.assertEqual(sim.look(replica)["potential"], fine["potential"][replica])
            for refused in (lambda: sim.look(3), sim.look, lambda: sim.step(1)):
                with self.assertRaisesRegex(holonom.InputError, "replica 3: the positions that were set violate constraints"):
                    refused()
            x[3] = x[2]
            sim.positions = x
            self.assertEqual(sim.look(3)["potential"], fine["potential"][2])
            sim.step(1)

    def test_no_thermostat_has_no_temperature(self):
        with holonom.Simulation(cluster, newtonian | {"thermostat.temperature": "", "thermostat.initial": "zero"}) as cold:
            self.assertTrue(np.isnan(cold.temperatures).all())
            self.assertNotIn("temperature", cold._repr_html_())


class Sites(unittest.TestCase):
    def test_forces_act_on_virtual_sites(self):
        with holonom.Simulation(cluster, {"system.model": "tip4p"}) as sim:
            virtual = sim.virtual_sites
            self.assertEqual(virtual.names, ["M"] * 3)
            self.assertEqual(virtual.molecules.tolist(), [0, 1, 2])
            np.testing.assert_allclose(virtual.charges, -1.04, atol=1e-3)
            np.testing.assert_allclose(virtual.site_charges[::3], 0, atol=1e-12)
            v = virtual.place(sim.positions)
            self.assertEqual(v.shape, (8, 3, 3))
            np.testing.assert_allclose(np.linalg.norm(v - sim.positions[:, ::3], axis=2), 0.15, atol=1e-6)

            @sim.add_force
            def field(x, call):
                v = virtual.place(x)
                on_virtual = np.zeros_like(v)
                on_virtual[:, :, 2] = virtual.charges
                return -(v[:, :, 2] @ virtual.charges), virtual.spread(x, on_virtual)

            x, h = sim.positions[0].copy(), 1e-4
            way = np.random.default_rng(3).normal(size=x.shape)
            up, down = (sim.evaluate(x + sign * h * way, replica=0).energies[0] for sign in (1, -1))
            slope = -(sim.evaluate(x, replica=0).forces[0] * way).sum()
            self.assertAlmostEqual((up - down) / (2 * h) / slope, 1, 5)
            with self.assertRaisesRegex(ValueError, "it must be"):
                virtual.place(x[:3])


    def test_every_kind_of_virtual_site(self):
        """Forces on the sites of a file, some of which place others, are gradients through the atoms."""
        file = """
            format: holonom-molecules 1
            rule: geometric
            types: {A: [2.8, 0.1]}
            molecules:
              all:
                atoms:
                  - [S2, A, 0.3, 0]
                  - [I, A, 0.2, 12]
                  - [S3, A, -0.4, 0]
                  - [J, A, 0.1, 1]
                  - [SD, A, 0.35, 0]
                  - [K, A, -0.3, 1]
                  - [SA, A, -0.45, 0]
                  - [SO, A, 0.25, 0]
                  - [L, A, -0.05, 16]
                  - [SF, A, 0.2, 0]
                  - [SN, A, -0.2, 0]
                  - [SE, A, 0.1, 0]
                  - [SM, A, -0.2, 0]
                  - [SB, A, 0.3, 0]
                  - [SC, A, -0.2, 0]
                terms: {bond: [[2, 4, 1.5, 600], [2, 6, 1.45, 600], [2, 9, 1.6, 600]]}
                virtual:
                  - [3, "3", 2, 4, 6, 0.3, 0.5]
                  - [1, "2", 4, 3, 0.4]
                  - [5, 3fd, 4, 2, 6, 0.6, 1.1]
                  - [7, 3fad, 2, 4, 9, 115, 1.0]
                  - [8, 3out, 2, 9, 6, -0.3, -0.4, 0.5]
                  - [10, 2fd, 9, 2, 2.1]
                  - [11, 4fdn, 2, 4, 6, 9, 0.9, 1.1, -1.2]
                  - [12, 3fadd, 2, 4, 9, 100, 1.2, 40]
                  - [13, 3median, 2, 6, 9, 140, 1.1, 110]
                  - [14, 3bisector, 2, 4, 6, 125.265, 0.9, -90]
                  - [15, 4bisector, 4, 2, 6, 9, 120, 1.0, 180]
                exclude: 4
            system: [[all, 2]]
        """
        one = np.array([[0, 0, 0], [1.5, 0.1, 0.2], [-0.5, 1.3, 0.4], [-0.6, -0.9, 1.2]])
        x = np.concatenate([one, one[:, [2, 0, 1]] + 9])
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "molecules.yaml").write_text(textwrap.dedent(file))
            lines = [f"{name} {a} {b} {c}" for name, (a, b, c) in zip("IJKLIJKL", x)]
            (pathlib.Path(folder) / "start.xyz").write_text("\n".join(["8", "start", *lines, ""]))
            (pathlib.Path(folder) / "system.yaml").write_text(
                "system: {topology: molecules.yaml, start: file, file: start.xyz}\n"
                "geometry: {constrain: none}\n"
                "integrator: {word: BAB, timestep: 0.1 fs, time: 1 fs}\nthermostat: {type: none, initial: zero}\n"
            )
            with holonom.Simulation(pathlib.Path(folder) / "system.yaml") as sim:
                virtual = sim.virtual_sites
                self.assertEqual(virtual.names, ["S3", "S2", "SD", "SA", "SO", "SF", "SN", "SE", "SM", "SB", "SC"] * 2)
                np.testing.assert_allclose(virtual.site_charges, [0.2, 0.1, -0.3, -0.05] * 2)
                pull = np.random.default_rng(4).normal(size=(22, 3))
                f = virtual.spread(x, pull)
                np.testing.assert_allclose(f.sum(axis=0), pull.sum(axis=0), atol=1e-12)
                h = 1e-5
                for i in range(x.size):
                    way = np.zeros(x.size)
                    way[i] = h
                    way = way.reshape(x.shape)
                    slope = ((virtual.place(x + way) - virtual.place(x - way)) * pull).sum() / (2 * h)
                    self.assertAlmostEqual(f.flat[i], slope, 6)


class Types(unittest.TestCase):
    """What is documented is right for a checker of types, too."""

    def test_documented_uses(self):
        mypy = shutil.which("mypy")
        if mypy is None:
            self.skipTest("mypy is not installed")
        program = textwrap.dedent(
            """
            from collections.abc import Mapping
            import numpy as np
            import holonom

            def weak(x: holonom.Array, call: holonom.ForceCall) -> "tuple[holonom.Array, holonom.Array]":
                return 0.5 * (x**2).sum(axis=(1, 2)), -x

            def note(simulation: holonom.Simulation) -> None:
                print(simulation.steps)

            force: holonom.Force = weak
            observer: holonom.Observer = note
            changes: Mapping[str, object] = {"seed": 2}
            with holonom.Simulation({"system": {"model": "tip3p"}}, changes) as s:
                s.add_force(weak)
                s.remove_force(weak)
                s.add_observer(note, every=3)
                s.remove_observer(note)
                s.add_observer(lambda simulation: simulation.stop())
                s.positions = s.positions[0]
                s.positions = [[0.0, 0.0, 0.0]]
                s.positions = s.positions + 1
                s.momenta = np.zeros((3, 3))
                s.velocities = 0 * s.velocities
                s.box = 10 * np.eye(3)
                s.box = [[10, 0, 0], [0, 10, 0], [0, 0, 10]]
                s.temperatures = 300
                s.temperatures = [300.0, 310.0]
                s.timestep, s.friction = s.timestep / 2, 1
                x: holonom.Array = s.positions
                mean: float = float(s.look()["temperature"].mean())
                results = s.run("folder")
                total: holonom.Array = results["thermo"]["total"]
            """
        )
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "program.py").write_text(program)
            files = ["program.py", *(root / "examples/api").glob("*.py"), root / "examples/python/own_potential.py"]
            ran = subprocess.run(
                [mypy, "--python-executable", sys.executable, "--follow-imports", "silent", "--check-untyped-defs", "--ignore-missing-imports", *files],
                cwd=folder,
                env={"MYPYPATH": str(root / "python"), "PATH": os.environ["PATH"]},
                capture_output=True,
                text=True,
            )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


if __name__ == "__main__":
    unittest.main()
