"""Topologies of AMBER and CHARMM as `holonom import` reads them, against those of GROMACS that they were made of: alanine dipeptide by
pdb2gmx, whose energies are GROMACS's (test_import_gromacs.py). Skipped without ParmEd or gmx."""

import os
import re
import shutil
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import import_energies
    import numpy as np
    import parmed
    import yaml
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)
if shutil.which("gmx") is None or not os.path.isdir("/usr/share/gromacs/top"):
    sys.exit(77 if print("skipped: no gmx") is None else 1)

from holonom import InputError, Simulation, coordinates, gromacs, importer
from in_folder import InFolder
from parmed.tools.actions import HMassRepartition

warnings.simplefilter("ignore")
parmed.gromacs.GROMACS_TOPDIR = "/usr/share/gromacs/top"
PEPTIDE = Path(os.environ["HOLONOM_SOURCE"]) / "examples/alanine-dipeptide/ace-ala-nme.pdb"


def energies(folder, x=None):
    x = coordinates.read(f"{folder}/start.gro").x if x is None else x
    return import_energies.energies(Path(folder, "molecules.yaml").read_text(), x)


class ParmEd(InFolder):
    def make(self, field, end, answers, options):
        """topol.top and moved.gro, away from the minimum, by pdb2gmx."""
        Path("in.pdb").write_text(PEPTIDE.read_text().replace("NME", end))
        call = f"timeout 60 gmx -quiet -nobackup pdb2gmx -f in.pdb -ff {field} -water tip3p -ignh -o conf.gro {options}"
        subprocess.run(call, shell=True, input=answers, text=True, check=True, capture_output=True)
        top = parmed.load_file("topol.top", xyz="conf.gro")
        top.coordinates = np.round(top.coordinates + np.random.default_rng(3).normal(0.0, 0.05, top.coordinates.shape), 4)
        top.box = None
        return top

    def same(self, one, other):
        for name in sorted(set(one) | set(other)):
            a, b = one.get(name, 0.0), other.get(name, 0.0)
            self.assertLess(abs(a - b), 2e-6 * max(abs(b), 1.0), f"{name}: {a}, and {b} from GROMACS's topology")

    def amber(self):
        top = self.make("amber99sb-ildn", "NME", "", "")
        top.save("one.prmtop")
        return top

    def test_amber(self):
        top = self.amber()
        top.save("one.rst7")
        importer.bring(["topol.top", "conf.gro"], "theirs", box="none")
        importer.bring(["one.prmtop", "one.rst7"], "ours", box="40,40,40,90,90,80")
        frame = coordinates.read("ours/start.gro")
        np.testing.assert_allclose(frame.x, top.coordinates, atol=1e-6)
        self.assertAlmostEqual(frame.cell[1, 0], 40 * np.cos(np.radians(80)), places=6)
        self.same(energies("ours"), energies("theirs", frame.x))
        said = Path("ours/system.yaml").read_text()
        self.assertIn("Coulomb's constant is 332.0522 in AMBER", said)
        self.assertIn("truncation: plain", said)

    def test_hydrogen_masses_are_those_of_parmed(self):
        """--hydrogen-mass against HMassRepartition; molecules.yaml keeps the topology's masses."""
        top = self.amber()
        top.save("one.rst7")
        light = [atom.mass for atom in top.atoms]
        importer.bring(["one.prmtop", "one.rst7"], "light", hydrogen_mass=None)
        importer.bring(["one.prmtop", "one.rst7"], "heavy", hydrogen_mass=3.0)
        self.assertEqual(Path("light/molecules.yaml").read_text(), Path("heavy/molecules.yaml").read_text())
        HMassRepartition(top, 3.0).execute()
        for folder, masses in (("light", light), ("heavy", [atom.mass for atom in top.atoms])):
            with Simulation(f"{folder}/system.yaml") as simulation:
                simulation.start()
                topology = simulation.topology
                np.testing.assert_allclose(topology.masses, masses, atol=1e-9)
                self.assertEqual(list(topology.elements), [atom.element_name for atom in top.atoms])
        for wrong in (0.5, float("nan"), -3.0):
            with self.assertRaisesRegex(InputError, "mass of hydrogens"):
                importer.bring(["one.prmtop", "one.rst7"], "wrong", hydrogen_mass=wrong)
        with self.assertRaisesRegex(InputError, "less than each of its hydrogens"):
            importer.bring(["one.prmtop", "one.rst7"], "wrong", hydrogen_mass=4.0)
        self.assertFalse(Path("wrong").exists())

    def test_restart_files_of_amber(self):
        """As text and as NetCDF: places, velocities in A/ps, a box."""
        top = self.amber()
        top.box = [30, 31, 32, 90, 95, 90]
        top.velocities = np.arange(66.0).reshape(22, 3) * 0.01
        for file in ("r.rst7", "r.ncrst"):
            top.save(file)
            importer.bring(["one.prmtop", file], file[2:])
            frame = coordinates.read(f"{file[2:]}/start.gro")
            np.testing.assert_allclose(frame.x, top.coordinates, atol=1e-6)
            np.testing.assert_allclose(frame.v, np.arange(66.0).reshape(22, 3) * 0.01, atol=2e-5)
            np.testing.assert_allclose(frame.cell[2], [32 * np.cos(np.radians(95)), 0, 32 * np.sin(np.radians(95))], atol=1e-6)
            self.assertAlmostEqual(frame.v[21, 2], 0.65, places=4)

    def water(self, sites, q, sigma, epsilon, away):
        """A prmtop of two waters, an ion and two waters; the water's bonds with its sites without mass say how far these are."""
        made, kinds = parmed.Structure(), {}
        lengths = {
            name: parmed.BondType(553.0, d) for name, d in (("H", 0.9572), ("HH", 2 * 0.9572 * np.sin(np.radians(52.26))), ("M", away))
        }
        angle = parmed.AngleType(100.0, 104.52)
        for kind in lengths.values():
            made.bond_types.append(kind)
            kind.list = made.bond_types
        made.angle_types.append(angle)
        angle.list = made.angle_types
        water = [("O", 16.0, -2 * q if sites == 3 else 0.0, 8), ("H1", 1.008, q, 1), ("H2", 1.008, q, 1)]
        water += [(f"EP{k}", 0.0, -2 * q / (sites - 3), 0) for k in range(sites - 3)]
        for number, what in enumerate("wwiww", 1):
            of = []
            for name, mass, charge, element in water if what == "w" else [("Na+", 22.99, 0.0, 11)]:
                atom = (parmed.Atom if mass else parmed.ExtraPoint)(
                    name=name, type=name[:2], mass=mass, charge=charge, atomic_number=element
                )
                kind = kinds.setdefault(name[:2], parmed.AtomType(name[:2], None, mass, element))
                kind.set_lj_params(*((epsilon, sigma * 2 ** (-5 / 6)) if mass > 10 else (0.0, 0.0)))
                atom.atom_type = kind
                made.add_atom(atom, "WAT" if what == "w" else "Na+", number)
                of.append(atom)
            if what == "w":
                for i, j, name in [(0, 1, "H"), (0, 2, "H"), (1, 2, "HH")] + [(0, k, "M") for k in range(3, sites)]:
                    made.bonds.append(parmed.Bond(of[i], of[j], type=lengths[name]))
                made.angles.append(parmed.Angle(of[1], of[0], of[2], type=angle))
        half = np.radians(0.5 * 104.52)
        near = np.vstack([np.zeros(3), *(0.9572 * np.array([side * np.sin(half), np.cos(half), 0.0]) for side in (1, -1)), np.zeros((2, 3))])
        places = [10.0 * atom.residue.idx + near[at] for residue in made.residues for at, atom in enumerate(residue.atoms)]
        made.coordinates = np.array(places)
        parm = parmed.amber.AmberParm.from_structure(made)
        parm.save("w.prmtop", overwrite=True)
        parm.save("w.rst7", overwrite=True)

    def test_water_and_ions_of_amber(self):
        """Rigid water has constraints and sites, and is known; the same molecules are one kind wherever they stand."""
        for model, *numbers in (
            ("tip3p", 3, 0.417, 3.15061, 0.1521, 0.0),
            ("tip4pew", 4, 0.52422, 3.16435, 0.16275, 0.125),
            ("tip5p", 5, 0.241, 3.12, 0.16, 0.7),
        ):
            with self.subTest(model=model):
                self.water(*numbers)
                importer.bring(["w.prmtop", "w.rst7"], model)
                text = Path(model, "molecules.yaml").read_text()
                self.assertIn(f"WAT: 4 of {numbers[0]} atoms, charge 0; water, the program's {model}\n", text)
                self.assertRegex(text, r'system:\n  - \[WAT, 2\]\n  - \["?Na\+"?, 1\]\n  - \[WAT, 2\]\n$')
                self.assertIn("- [2, 3, 1.5139", text)
                self.assertNotIn("angle:", text)
                self.assertNotIn("bond:", text)

    def test_12_6_4_ions(self):
        """The r^-4 terms of a prmtop against sums over its own tables; hydrogens with such terms cost water its kernels."""
        self.water(3, 0.417, 3.15061, 0.1521, 0.0)
        plain = parmed.amber.AmberParm("w.prmtop", "w.rst7")
        rng = np.random.default_rng(4)
        plain.coordinates = plain.coordinates * 0.3 + np.repeat(rng.normal(0.0, 0.2, (5, 3)), [3, 3, 1, 3, 3], axis=0)
        x = np.array(plain.coordinates)
        for first in (0, 3, 7, 10):  # rigid again
            half = np.radians(0.5 * 104.52)
            x[first + 1 : first + 3] = x[first] + [[s * 0.9572 * np.sin(half), 0.9572 * np.cos(half), 0.0] for s in (1, -1)]
        plain.coordinates = x
        plain.save("w.rst7", overwrite=True)
        data, n = plain.parm_data, plain.pointers["NTYPES"]
        index = np.array(data["NONBONDED_PARM_INDEX"]).reshape(n, n) - 1
        kind = np.array(data["ATOM_TYPE_INDEX"]) - 1
        ion, oxygen, hydrogen = kind[6], kind[0], kind[1]
        self.assertEqual(len({ion, oxygen, hydrogen}), 3)
        molecule = [0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 4, 4, 4]
        for name, given in (("cation", {oxygen: 132.5}), ("anion", {oxygen: -55.25}), ("both", {oxygen: 132.5, hydrogen: 3.5})):
            with self.subTest(name=name):
                top = parmed.amber.AmberFormat("w.prmtop")
                table = [0.0] * len(data["LENNARD_JONES_ACOEF"])
                for other, c in given.items():
                    table[index[ion, other]] = c
                top.add_flag("LENNARD_JONES_CCOEF", "5E16.8", data=table)
                top.write_parm("c4.prmtop")
                said = importer.bring(["c4.prmtop", "w.rst7"], name, box="none")
                self.assertEqual("not a built-in model" in Path(name, "system.yaml").read_text() + "".join(said), hydrogen in given)
                right = -sum(
                    table[index[kind[i], kind[j]]] / np.linalg.norm(x[i] - x[j]) ** 4
                    for i in range(13)
                    for j in range(i)
                    if molecule[i] != molecule[j]
                )
                with Simulation(f"{name}/system.yaml", {"system.minimise": False}) as simulation:
                    simulation.start()
                    found = simulation.look()["induction_energy"]
                self.assertGreater(abs(right), 0.05)
                np.testing.assert_allclose(found, right, rtol=1e-5)

    def charmm(self):
        """ParmEd's files lack Urey-Bradley terms and 1-4 parameters, which are put in from GROMACS's."""
        top = self.make("charmm27", "CT3", "3\n5\n", "-ter")
        parmed.charmm.CharmmPsfFile.from_structure(top).write_psf("one.psf")
        parmed.charmm.CharmmParameterSet.from_structure(top).write(par="one.prm", top="one.rtf")
        reader = gromacs.Reader("topol.top", {}, ())
        reader.read()
        angles, pairs = reader._params["angles", 5], reader._params["pairs", 1]
        rows, section = [], ""
        for row in Path("one.prm").read_text().split("\n"):
            words = row.split()
            section = words[0] if words and len(words[0]) > 4 and words[0].isupper() else section
            if section == "ANGLES" and len(words) == 5:
                _, _, length, k = angles.get(tuple(words[:3])) and angles[tuple(words[:3])][0] or angles[tuple(words[2::-1])][0]
                row += f" {0.5 * k / 418.4:.8f} {10 * length:.8f}" if k else ""
            if section == "NONBONDED" and len(words) == 7 and (words[0], words[0]) in pairs:
                sigma, epsilon = pairs[words[0], words[0]][0]
                row = " ".join(words[:4]) + f" 0.0 {-epsilon / 4.184:.10f} {5 * sigma * 2 ** (1 / 6):.10f}"
            rows.append(row)
        Path("one.prm").write_text("\n".join(rows))
        parmed.charmm.CharmmCrdFile.write(top, "one.crd")
        return top

    def test_charmm(self):
        top = self.charmm()
        importer.bring(["topol.top", "conf.gro"], "theirs", box="none")
        importer.bring(["one.psf", "one.rtf", "one.prm", "one.crd"], "ours", box="30")
        x = coordinates.read("ours/start.gro").x
        np.testing.assert_allclose(x, top.coordinates, atol=1e-6)
        ours = energies("ours")
        self.assertGreater(ours["urey-bradley"], 0.1)
        self.assertGreater(abs(ours["cmap"]), 1e-3)
        self.same(ours, energies("theirs", x))
        self.assertIn("truncation: force-switch", Path("ours/system.yaml").read_text())
        # The same in a prmtop, as chamber makes them; and with a pair of types of its own, which an end of a torsion has, too.
        whole = parmed.charmm.CharmmPsfFile("one.psf")
        whole.load_parameters(parmed.charmm.CharmmParameterSet("one.rtf", "one.prm"))
        whole.coordinates = top.coordinates
        parmed.amber.ChamberParm.from_structure(whole).save("chamber.prmtop")
        importer.bring(["chamber.prmtop", "one.crd"], "chamber")
        self.same(energies("chamber"), ours)
        self.assertIn(
            "truncation: force-switch",
            "".join(importer.settings(importer.read(["chamber.prmtop", "one.crd"], {}, ())[0], coordinates.read("ours/start.gro"), [])),
        )
        Path("fix.prm").write_text(Path("one.prm").read_text().replace("\nEND", "\nNBFIX\nO CT3 -0.5 3.5\n\nEND"))
        importer.bring(["one.psf", "one.rtf", "fix.prm", "one.crd"], "fixed")
        file = yaml.safe_load(Path("fixed/molecules.yaml").read_text())
        types = [row[1] for row in file["molecules"]["chain"]["atoms"]]
        for sigma, epsilon in [file["pairs"][0][2:]] + [
            row[2:4] for row in file["molecules"]["chain"]["terms"]["pair-14"] if {types[row[0] - 1], types[row[1] - 1]} == {"O", "CT3"}
        ]:
            self.assertAlmostEqual(sigma, 3.5 * 2 ** (-1 / 6), places=6)
            self.assertAlmostEqual(epsilon, 0.5, places=6)
        psf, parameters = Path("one.psf").read_text(), Path("one.prm").read_text()
        Path("bare.prm").write_text(re.sub(r"(?s)\nCMAP.*?(?=\nNONB|\nNBON|\nEND)", "", parameters))
        self.assertNotEqual(parameters, Path("bare.prm").read_text())
        for changed, says in (
            (psf.replace("PSF", "PSF DRUDE", 1), r"Drude's particles \(polarisation\), once"),
            (re.sub(r"(?m)^ *0( +!NNB)", r"         3\1", psf), r"explicit exclusions, 3 times|cannot read"),
            (psf[: len(psf) // 2], r"cannot read it"),
            (re.sub(r"(?m)^( *1 !NCRTERM.*\n) +\d+", r"\1        99", psf), r"cannot read it"),
        ):
            if changed == psf:
                continue
            Path("bad.psf").write_text(changed)
            with self.assertRaisesRegex(InputError, says):
                importer.bring(["bad.psf", "one.rtf", "one.prm", "one.crd"], "bad")
        for files, says in (
            (["one.psf", "one.crd"], "a PSF has no force constants"),
            (["one.psf", "one.rtf", "one.crd"], "cannot read it"),
            (["one.psf", "one.rtf", "bare.prm", "one.crd"], "cannot read it"),
            (["topol.top", "one.prm", "conf.gro"], "only a PSF of CHARMM has parameter files"),
        ):
            with self.assertRaisesRegex(InputError, says):
                importer.bring(files, "bad")
        self.assertFalse(os.path.lexists("bad"))

    def test_grids_of_amber(self):
        """As ff19SB has them in a prmtop: two grids, of three terms."""
        self.amber()
        rng = np.random.default_rng(5)
        grids = np.round(rng.normal(0.0, 1.0, (2, 24, 24)), 5)
        rows = [[5, 7, 9, 15, 17], [1, 5, 7, 9, 15], [9, 15, 17, 19, 20]]

        def made(name, change=lambda data: None):
            top = parmed.amber.AmberFormat("one.prmtop")
            data = {
                "CMAP_COUNT": ("2I8", [3, 2]),
                "CMAP_RESOLUTION": ("20I4", [24, 24]),
                "CMAP_PARAMETER_01": ("8F9.5", list(grids[0].ravel())),
                "CMAP_PARAMETER_02": ("8F9.5", list(grids[1].ravel())),
                "CMAP_INDEX": ("6I8", [k for row, grid in zip(rows, (1, 2, 1)) for k in (*row, grid)]),
            }
            change(data)
            for flag, (form, values) in data.items():
                top.add_flag(flag, form, data=values)
            top.write_parm(name)

        made("grids.prmtop")
        importer.bring(["grids.prmtop", "conf.gro"], "grids", box="none")
        file = yaml.safe_load(Path("grids/molecules.yaml").read_text())
        np.testing.assert_allclose([file["grids"][f"cmap-{k}"] for k in (1, 2)], grids, atol=1e-9)
        (molecule,) = file["molecules"].values()
        self.assertEqual(molecule["terms"]["cmap"], [[*row, f"cmap-{k}"] for row, k in zip(rows, (1, 2, 1))])
        for flag, form, values in (
            ("CMAP_PARAMETER_02", "8F9.5", [0.5] * 575),
            ("CMAP_PARAMETER_01", "8F9.5", [0.5] * 575 + [float("nan")]),
            ("CMAP_RESOLUTION", "20I4", [24, 25]),
            ("CMAP_RESOLUTION", "20I4", [24]),
            ("CMAP_INDEX", "6I8", [5, 7, 9, 15, 17, 3]),
            ("CMAP_INDEX", "6I8", [5, 7, 9, 15, 99, 1]),
            ("CMAP_COUNT", "2I8", [3, 3]),
        ):
            with self.subTest(flag=flag, values=values[-6:]):
                made("bad.prmtop", lambda data: data.__setitem__(flag, (form, values)))
                with self.assertRaises(InputError) as raised:
                    importer.bring(["bad.prmtop", "conf.gro"], "bad", box="none")
                self.assertRegex(str(raised.exception), "bad.prmtop: (ParmEd cannot read it|the grid of atoms)")
                self.assertFalse(os.path.lexists("bad"))

    OLD = (
        "ATOM_NAME CHARGE MASS ATOM_TYPE_INDEX NUMBER_EXCLUDED_ATOMS NONBONDED_PARM_INDEX RESIDUE_LABEL RESIDUE_POINTER BOND_FORCE_CONSTANT "
        "BOND_EQUIL_VALUE ANGLE_FORCE_CONSTANT ANGLE_EQUIL_VALUE DIHEDRAL_FORCE_CONSTANT DIHEDRAL_PERIODICITY DIHEDRAL_PHASE SOLTY "
        "LENNARD_JONES_ACOEF LENNARD_JONES_BCOEF BONDS_INC_HYDROGEN BONDS_WITHOUT_HYDROGEN ANGLES_INC_HYDROGEN ANGLES_WITHOUT_HYDROGEN "
        "DIHEDRALS_INC_HYDROGEN DIHEDRALS_WITHOUT_HYDROGEN EXCLUDED_ATOMS_LIST HBOND_ACOEF HBOND_BCOEF HBCUT AMBER_ATOM_TYPE "
        "TREE_CHAIN_CLASSIFICATION JOIN_ARRAY IROTAT"
    )

    def test_old_prmtop(self):
        """Before AMBER 7: sections without names, in a fixed order. It says the same as the new form."""
        self.amber()
        raw = parmed.amber.AmberFormat("one.prmtop")
        for flag, usual in (("SCEE_SCALE_FACTOR", 1.2), ("SCNB_SCALE_FACTOR", 2.0)):  # which the old form does not have
            raw.parm_data[flag] = [usual for _ in raw.parm_data[flag]]
        raw.write_parm("one.prmtop")

        def rows(values):
            kind, per = ("{:<4.4s}", 20) if isinstance(next(iter(values), ""), str) else ("{:16.8E}", 5) if isinstance(values[0], float) else ("{:6d}", 12)
            return ["".join(kind.format(x) for x in values[k : k + per]) for k in range(0, len(values), per)] or [""]

        charges = [x * 18.2223 for x in raw.parm_data["CHARGE"]]
        text = ["ACE", *rows(raw.parm_data["POINTERS"][:30])]
        for flag in self.OLD.split():
            text += rows(charges if flag == "CHARGE" else list(raw.parm_data[flag]))
        Path("old.prmtop").write_text("\n".join(text) + "\n")
        for name in ("one", "old"):
            importer.bring([f"{name}.prmtop", "conf.gro"], name, box="none")
        self.same(energies("one"), energies("old"))

    def test_numbers_that_only_python_reads(self):
        self.amber()
        parmed.load_file("one.prmtop", xyz="conf.gro").save("one.rst7")
        text, places = Path("one.prmtop").read_text(), Path("one.rst7").read_text()
        at = text.index("%FORMAT", text.index("%FLAG MASS")) + 17
        at = text.index(".", at)
        Path("bad.prmtop").write_text(text[: at - 2] + "1_" + text[at:])
        with self.assertRaisesRegex(InputError, r"^bad.prmtop, line \d+: '.*1_\..*' is not a number"):
            importer.bring(["bad.prmtop", "one.rst7"], "bad")
        at = places.index(".")
        Path("bad.rst7").write_text(places[: at - 1] + "_" + places[at:])
        with self.assertRaisesRegex(InputError, r"^bad.rst7, line 3: '.*_\..*' is not a number|bad.rst7: ParmEd cannot read it"):
            importer.bring(["one.prmtop", "bad.rst7"], "bad")

    def test_what_amber_has_and_the_program_has_not(self):
        self.amber()
        good = parmed.amber.AmberFormat("one.prmtop")
        numbers = len(good.parm_data["LENNARD_JONES_ACOEF"])

        def bad(change, says):
            top = parmed.amber.AmberFormat("one.prmtop")
            change(top)
            top.write_parm("bad.prmtop")
            with self.assertRaisesRegex(InputError, says):
                importer.bring(["bad.prmtop", "conf.gro"], "bad", box="none")
            self.assertFalse(os.path.lexists("bad"))

        flag = "LENNARD_JONES_CCOEF"
        bad(lambda t: t.add_flag(flag, "5E16.8", data=[1.0] * numbers), r"12-6-4 terms \(r\^-4\) of 1-4 pairs, \d+ times")
        bad(lambda t: t.add_flag(flag, "5E16.8", data=[0.0] * (numbers - 1)), rf"{flag} must have {numbers} finite numbers|{flag} has {numbers - 1} elements")
        bad(lambda t: t.add_flag(flag, "5E16.8", data=[float("nan")] * numbers), rf"{flag} must have {numbers} finite numbers|cannot read it")
        bad(lambda t: t.add_flag("POLARIZABILITY", "5E16.8", data=[1.0] * 22), r"polarisation, 22 times")
        bad(lambda t: t.add_flag("LES_NTYP", "10I8", data=[2]), r"several copies of parts of the system \(LES\), once")
        turned = parmed.amber.AmberFormat("one.prmtop")
        phases = turned.parm_data["DIHEDRAL_PHASE"]
        turned.parm_data["DIHEDRAL_PHASE"] = [phase + 2.0 * np.pi for phase in phases]  # as force fields of nucleic acids have them
        turned.parm_data["CHARGE"] = [9.1] * 22
        turned.write_parm("turned.prmtop")
        said = importer.bring(["turned.prmtop", "conf.gro"], "turned", box="none")
        self.assertIn("do not sum to a whole number: chain 200.2 e.", "".join(said))
        importer.bring(["one.prmtop", "conf.gro"], "straight", box="none")
        one, other = (yaml.safe_load(Path(name, "molecules.yaml").read_text())["molecules"].popitem()[1]["terms"] for name in ("straight", "turned"))
        for kind in ("torsion", "improper-periodic"):
            apart = [row[4] - further[4] for row, further in zip(one[kind], other[kind])]
            np.testing.assert_allclose(np.remainder(np.add(apart, 180.0), 360.0), 180.0, atol=1e-4)

        text = Path("one.prmtop").read_text()
        for k in range(40):  # cut or spoilt anywhere: never more than words
            rng = np.random.default_rng(k)
            at = int(rng.integers(len(text)))
            Path("bad.prmtop").write_text(text[:at] + ("" if k % 2 else "x*7%" + text[at + 3 :]))
            try:
                importer.bring(["bad.prmtop", "conf.gro"], f"bad{k}", box="none")
            except InputError as error:
                self.assertGreater(len(str(error)), 20)
                self.assertFalse(os.path.lexists(f"bad{k}"))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
