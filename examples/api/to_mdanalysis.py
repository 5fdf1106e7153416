"""Converts the molecules of an input to MDAnalysis, with names, residues, masses, charges and bonds:

    python3 to_mdanalysis.py dipeptide/system.yaml "protein and not name H*"

Runs steps and measures the selected atoms in memory, without files."""
import sys

import numpy as np

import holonom

with holonom.Simulation(sys.argv[1]) as simulation:
    universe = simulation.topology.to_mdanalysis(simulation.positions[0])
    chosen = universe.select_atoms(sys.argv[2] if len(sys.argv) > 2 else "all")
    print(f"{chosen.n_atoms} of {universe.atoms.n_atoms} atoms, {chosen.total_mass():.3f} g/mol")
    radius = []
    for _ in range(10):
        simulation.step(10)
        universe.atoms.positions = simulation.positions[0]  # molecules are whole
        radius.append(chosen.radius_of_gyration())
    print(f"radius of gyration {np.mean(radius):.4f} A")
