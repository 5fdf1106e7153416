"""The calculator for ASE: forces and stresses are derivatives of energies, whatever way the cell is turned and molecules wrapped."""

import unittest

import numpy as np

import holonom

try:
    import ase
    from ase.calculators.calculator import CalculatorSetupError
    from ase.units import kcal, mol

    from holonom.ase import Holonom
except ImportError:
    ase = None

water = {
    "system": {"model": "tip4p", "molecules": 3, "anneal": False},
    "geometry": {"method": "settle"},
    "integrator": {"word": "BAOAB", "timestep": "1 fs", "time": "1 ns"},
    "thermostat": {"type": "langevin", "temperature": 100, "friction": "5 1/ps"},
}
box = water | {
    "system": {"model": "tip4p", "molecules": 64, "density": 0.95, "minimise": False},
    "forces": {"cutoff": "6 A", "coulomb": "pme", "accuracy": 1e-3, "truncation": "switch"},
    "precision": "double",
}


def atoms_of(sim):
    edges = sim.box[0]
    return ase.Atoms(sim.topology.elements, sim.positions[0], cell=edges if edges.any() else None, pbc=bool(edges.any()))


@unittest.skipIf(ase is None, "ASE is not installed")
class Ase(unittest.TestCase):
    def opened(self, source):
        sim = holonom.Simulation(source)
        self.addCleanup(sim.close)
        atoms = atoms_of(sim)
        atoms.calc = Holonom(sim)
        return sim, atoms

    def test_energies_and_forces(self):
        for source in (water, box):
            sim, atoms = self.opened(source)
            x = atoms.positions.copy()
            self.assertAlmostEqual(atoms.get_potential_energy(), sim.look()["potential"][0] * kcal / mol, 5)
            np.testing.assert_allclose(atoms.get_forces(), sim.evaluate(x).forces[0] * kcal / mol, rtol=1e-10, atol=1e-10)
            rng, h = np.random.default_rng(1), 1e-4
            way = rng.normal(size=x.shape)
            energy = []
            for sign in (1, -1):
                atoms.positions = x + sign * h * way
                energy.append(atoms.get_potential_energy())
            atoms.positions = x
            slope = -(atoms.get_forces() * way).sum()
            self.assertAlmostEqual((energy[0] - energy[1]) / (2 * h) / slope, 1.0, 4)
            np.testing.assert_array_equal(sim.positions[0], x)  # the state is as it was

    def test_stress(self):
        sim, atoms = self.opened(box)
        cell, x, stress, h = atoms.cell.array.copy(), atoms.positions.copy(), atoms.get_stress(voigt=False), 1e-5
        for a, b in ((0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)):
            energy = []
            for sign in (1, -1):
                strain = np.eye(3)
                strain[a, b] += sign * h
                atoms.set_cell(cell @ strain)
                atoms.positions = x @ strain
                energy.append(atoms.get_potential_energy())
            slope = (energy[0] - energy[1]) / (2 * h) / abs(np.linalg.det(cell))
            self.assertLess(abs(slope - stress[a, b]), 2e-3 * np.abs(stress).max())

    def test_turned_and_wrapped(self):
        sim, atoms = self.opened(box)
        energy, forces, stress = atoms.get_potential_energy(), atoms.get_forces(), atoms.get_stress(voigt=False)
        atoms.wrap()
        self.assertAlmostEqual(atoms.get_potential_energy(), energy, 6)
        np.testing.assert_allclose(atoms.get_forces(), forces, atol=1e-6)
        turn = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
        turn *= np.linalg.det(turn)
        atoms.set_cell(atoms.cell.array @ turn, scale_atoms=True)
        self.assertAlmostEqual(atoms.get_potential_energy(), energy, 5)
        np.testing.assert_allclose(atoms.get_forces(), forces @ turn, atol=1e-5)
        np.testing.assert_allclose(atoms.get_stress(voigt=False), turn.T @ stress @ turn, atol=1e-7)

    def test_what_is_refused(self):
        sim, atoms = self.opened(water)
        self.assertNotIn("stress", atoms.calc.implemented_properties)
        fewer, others, boxed = atoms[:3], atoms.copy(), atoms.copy()
        others.symbols[4] = "C"
        boxed.pbc = True
        for wrong, said in ((fewer, "there are 3, not 9"), (others, "atom 4 is C, not H"), (boxed, "the input's system is open")):
            wrong.calc = atoms.calc
            with self.assertRaisesRegex(CalculatorSetupError, said):
                wrong.get_potential_energy()


if __name__ == "__main__":
    unittest.main()
