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
            with self.assertRaisesRegex(ValueError, "there is no such force to remove"):
                other.remove_force(spring)

    def test_a_state_with_a_force_wants_it(self):
        self.sim.add_force(spring)
        self.sim.step(5)
        state = self.sim.save_bytes()
        with holonom.Simulation(cluster) as other:
            with self.assertRaisesRegex(holonom.InputError, r"saved with 1 force from outside \(add_force\), and 0 have been added here"):
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
            with holonom.Simulation(cluster, longer) as sim, self.assertRaisesRegex(holonom.InputError, "saved with 1 force from outside"):
                sim.run(folder, resume=True)
            with holonom.Simulation(cluster, longer) as sim, self.assertRaisesRegex(holonom.InputError, "a run goes on with the forces"):
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
        with self.assertRaisesRegex(ValueError, "there is no such observer to remove"):
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
