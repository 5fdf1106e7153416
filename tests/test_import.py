"""holonom.importer: what is wrong with topologies and coordinates is said in words, with file, line and name, and nothing is written;
the file that it writes says the same as the topology; no mutilated topology brings it to a traceback. Energies: test_import_gromacs.py."""

import bz2
import gzip
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
    import yaml
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)

sys.path.insert(0, str(Path(__file__).resolve().parent))
import import_energies
import holonom
from holonom import InputError, coordinates, importer, mdp, molecules
from import_methanol import END, FIELD, METHANOL, NAMES, PLACES, RESIDUES, TOP, WATER, Folder, gro


class Written(Folder):
    def test_the_files_say_what_the_topology_says(self):
        self.bring(TOP)
        file = yaml.safe_load(Path("out/molecules.yaml").read_text())
        self.assertEqual(list(file), ["format", "rule", "types", "molecules", "system"])
        self.assertEqual(file["rule"], "geometric")
        self.assertEqual(file["types"]["opls_157"], [3.5, 0.066])
        self.assertEqual(file["system"], [["MeOH", 2], ["SOL", 3]])
        methanol, water = file["molecules"]["MeOH"], file["molecules"]["SOL"]
        self.assertEqual(methanol["atoms"][4], ["O", "opls_154", -0.683, 15.9994, "MOH", 1])
        self.assertEqual(methanol["terms"]["bond"][3], [1, 5, 1.41, 640])
        self.assertEqual(methanol["terms"]["torsion-ryckaert"][0], [2, 1, 5, 6, 0.225, 0.675, 0, -0.9, 0, 0])
        self.assertEqual(methanol["terms"]["pair-14"][0], [2, 6, 0, 0, 0.5 * 0.04 * 0.418])
        self.assertEqual((methanol["exclude"], "exclusions" in methanol), (3, False))
        self.assertEqual(water["constraints"], [[1, 2, 0.9572], [1, 3, 0.9572], [2, 3, 1.5139]])
        self.assertEqual((water["exclude"], "terms" in water), (2, False))
        said = yaml.safe_load(Path("out/system.yaml").read_text())
        self.assertEqual(said["system"], {"topology": "molecules.yaml", "start": "file", "file": "start.gro", "box": "file", "minimise": True})
        self.assertEqual(said["geometry"], {"constrain": "h-bonds"})
        said = Path("out/system.yaml").read_text()
        self.assertIn("SOL: 3 of 3 atoms, charge 0; water, the program's tip3p", said)
        self.assertIn("optional parts that were left out: FLEXIBLE; --define", said)

    def test_its_keys_are_the_program_s(self):
        """Of every force field; but for an end of forces that it does not have yet."""
        known = {key["key"]: key.get("choices") for key in holonom.keys()}
        for family in importer.FAMILIES:
            self.bring(TOP, out=f"out{family}")
            system, frame = importer.read(["t.top", "c.gro"], {}, ())
            system.family = family
            for section, keys in yaml.safe_load("\n".join(importer.settings(system, frame, ["t.top", "c.gro"]))).items():
                for key, value in keys.items() if isinstance(keys, dict) else ():
                    name = f"{section}.{key}"
                    self.assertIn(name, known)
                    if known[name] and value != "force-switch":
                        self.assertIn(value, known[name], name)

    def test_a_condition_is_met_where_it_is_asked_for(self):
        self.bring(TOP, defines={"FLEXIBLE": ""})
        water = yaml.safe_load(Path("out/molecules.yaml").read_text())["molecules"]["SOL"]
        self.assertEqual(sorted(water["terms"]), ["angle", "bond"])
        self.assertIn("it is not rigid", Path("out/system.yaml").read_text())

    def test_includes_and_definitions(self):
        os.mkdir("sub")
        Path("sub/field.itp").write_text('#include "more.itp"\n')
        Path("sub/more.itp").write_text(
            FIELD.replace("CT OH 1 0.141 267776", "CT OH 1 gb_co ; in\n#define gb_co 0.141 kco\n#define kco \\\n 267776\n").replace(
                "CT OH 1 gb_co ; in\n", ""
            )
            + "[ bondtypes ]\nCT OH 1 gb_co\n"
        )
        self.bring('#include "sub/field.itp"\n#ifdef NO\n#error\n#else\n' + METHANOL + "#endif\n" + WATER + END)
        self.bring(TOP, out="plain")
        out, plain = (Path(name, "molecules.yaml").read_text().partition("format:")[2] for name in ("out", "plain"))
        self.assertEqual(out, plain)

    def test_pdb(self):
        rows = [
            f"ATOM  {k:5d} {n:>4s} {r:<4s}A{1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00"
            for k, (n, r, (x, y, z)) in enumerate(zip(NAMES, RESIDUES, PLACES), 1)
        ]
        box = "CRYST1   40.000   50.000   40.000  90.00  90.00  60.00 P 1           1"
        Path("t.top").write_text(TOP)
        Path("c.pdb").write_text("\n".join([box, "MODEL 1", *rows, "ENDMDL", "MODEL 2", *rows, "ENDMDL", ""]))
        importer.bring(["t.top", "c.pdb"], "out")
        frame = coordinates.read("out/start.gro")
        np.testing.assert_allclose(frame.x, np.round(PLACES, 3), atol=1e-9)
        np.testing.assert_allclose(frame.cell, [[40, 0, 0], [25, 25 * 3**0.5, 0], [0, 0, 40]], atol=1e-7)
        Path("c.pdb").write_text("\n".join(rows))
        importer.bring(["t.top", "c.pdb"], "open")
        self.assertEqual(yaml.safe_load(Path("open/system.yaml").read_text())["system"]["box"], "none")
        importer.bring(["t.top", "c.pdb"], "boxed", box="50,60,70")
        np.testing.assert_allclose(coordinates.read("boxed/start.gro").cell, np.diag([50.0, 60, 70]))
        other = rows[3][:16] + "B" + rows[3][17:]
        for text, says in (
            ("\n".join([*rows[:4], other, *rows[4:]]), r"line 5: a second position of atom H3"),
            ("\n".join([*rows[:4], rows[4][:40], *rows[5:]]), r"line 5: '' is not a number"),
            ("hello", "has no atoms"),
        ):
            Path("c.pdb").write_text(text)
            with self.assertRaisesRegex(InputError, says):
                importer.bring(["t.top", "c.pdb"], "bad")
        for box in ("5,5", "x", "-1", "10,10,10,10,10,170", "nan"):
            with self.assertRaisesRegex(InputError, "box"):
                self.bring(TOP, out="bad", box=box)
        with self.assertRaisesRegex(InputError, "In --box 3 images are 3 A apart; a cutoff of .* Lengths are in A: 3 nm is --box 30"):
            self.bring(TOP, out="bad", box="3")
        with self.assertRaisesRegex(InputError, "In --box 40,40,15 images are 15 A apart; a cutoff of .*[0-9] A. Use a shorter cutoff"):
            self.bring(TOP, out="bad", box="40,40,15")
        self.assertFalse(Path("bad").exists())

    def test_how_far_images_are_apart(self):
        """Of a rhombic dodecahedron and a truncated octahedron what GROMACS's editconf -bt makes them of, and not the distance of two faces."""
        for angles in ("60,60,90", "70.528779,109.471221,70.528779"):
            with self.assertRaisesRegex(InputError, "images are 19 A apart; a cutoff of 10 A requires 20 A"):
                self.bring(TOP, out="bad", box=f"19,19,19,{angles}")
            self.bring(TOP, out=f"good{angles[:2]}", box=f"21,21,21,{angles}")
            self.assertNotIn("images are", Path(f"good{angles[:2]}/system.yaml").read_text().lower())
        lean = np.array([[20.0, 0.0, 0.0], [9.0, 30.0, 0.0], [-31.0, 14.0, 9.0]])
        shortest = min(np.linalg.norm(n @ lean) for n in np.array(list(np.ndindex(13, 13, 13))) - 6 if n.any())
        self.assertAlmostEqual(coordinates.image_distance(lean), shortest)

    def test_files_swapped(self):
        """The first is the topology, the last has the coordinates."""
        for files, says in ((["c.gro", "t.top"], "c.gro is coordinates, and the topology comes first"), (["t.top", "u.top"], "u.top is no coordinates")):
            with self.assertRaisesRegex(InputError, says):
                importer.bring(files, "bad")
        self.assertFalse(Path("bad").exists())

    def test_long_names(self):
        """A .gro has room for five letters, a PDB file for four."""
        self.bring(TOP.replace("MOH C 1", "MOH CARBON 1"), gro([name.replace("C", "CARBO") for name in NAMES]))
        self.assertNotIn("another name", Path("out/system.yaml").read_text())
        self.bring(TOP.replace("MOH C 1", "MOH CARBON 1"), gro([name.replace("C", "CARBX") for name in NAMES]), out="out2")
        self.assertIn("CARBX of MOH is CARBON of MOH (2 times, first in line 3)", Path("out2/system.yaml").read_text())

    def test_nothing_of_a_title_is_a_key(self):
        self.bring(TOP.replace("methanol in water", 'a: "b" # c \x1b[31m \x85 \u2028 [x] é'), gro(names=NAMES))
        for file in ("system.yaml", "molecules.yaml", "start.gro"):
            text = Path("out", file).read_text()
            self.assertFalse(set(text) & set("\x1b\x85\u2028"), file)
        self.assertTrue(yaml.safe_load(Path("out/system.yaml").read_text())["title"].startswith('a: "b" # c ?[31m'))

    def test_molecules_are_made_whole(self):
        x = PLACES + 50.0
        self.bring(TOP, gro(x=x))
        self.bring(TOP, gro(x=np.mod(x, 40.0)), out="wrapped")
        self.bring(TOP, gro(x=np.mod(x, 40.0)), out="open", box="none")  # the box that is left out says where the parts of a molecule belong
        apart = [coordinates.read(f"{name}/start.gro").x for name in ("out", "wrapped", "open")]
        for first, n in ((0, 6), (6, 6), (12, 3), (15, 3), (18, 3)):
            for a in apart[1:]:
                np.testing.assert_allclose(a[first : first + n] - a[first], apart[0][first : first + n] - apart[0][first], atol=0.011)

    def test_packed_coordinates_and_velocities_of_some_atoms(self):
        """Files of gzip and bzip2 are read as what they hold; velocities that are missing are 0, as GROMACS reads them."""
        rows = gro(names=NAMES).split("\n")
        rows[3] += "  0.1000 -0.2000  0.3000"
        plain = "\n".join(rows)
        Path("plain.gro").write_text(plain)
        Path("packed.gro.gz").write_bytes(gzip.compress(plain.encode()))
        Path("packed.gro.bz2").write_bytes(bz2.compress(plain.encode()))
        frame = coordinates.read("plain.gro")
        np.testing.assert_allclose(frame.v[1], (1.0, -2.0, 3.0))
        self.assertFalse(np.delete(frame.v, 1, 0).any())
        for name in ("packed.gro.gz", "packed.gro.bz2"):
            np.testing.assert_array_equal(coordinates.read(name).x, frame.x)
            np.testing.assert_array_equal(coordinates.read(name).v, frame.v)
        Path("short.gro.gz").write_bytes(gzip.compress(plain.encode())[:-9])
        with self.assertRaisesRegex(InputError, "short.gro.gz cannot be unpacked"):
            coordinates.read("short.gro.gz")

    def test_names_that_yaml_takes_for_something_else(self):
        for text in ("N", "NO", "y", "1", "C*", "a: b", "#x", "true", "null", "-", '"', "\\", "a b", "[", "0x1", "1e3", "é"):
            self.assertEqual(yaml.safe_load(molecules.word(text)), text)
        for value in (1e6, 1.5e-7, -3.0, 0.1, 2.5e20, 1e-300):
            self.assertEqual(yaml.safe_load(molecules.number(value)), value)

    def test_any_exclusions_are_the_file_s(self):
        """Random bonds, nrexcl and exclusions: a reader by the file's own rules finds the pairs that GROMACS's rules exclude."""
        for seed in range(30):
            rng = random.Random(seed)
            n = rng.randint(2, 9)
            molecule = molecules.Molecule("M", [molecules.Atom("A", "T", 0.0, 1.0, "R", 1)] * n, exclude=rng.randint(0, 6))
            pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.4]
            molecule.bonds = pairs
            tied = [pair for pair in pairs if rng.random() < 0.8]  # the others exclude nothing, as function 6
            molecule.excluded = molecules.within(n, tied, molecule.exclude) | {(0, n - 1)}
            system = molecules.System(molecules={"M": molecule}, types={"T": molecules.LJ(1.0, 1.0)}, contents=[("M", 1)])
            read = yaml.safe_load("\n".join(molecules.lines(system, [])))["molecules"]["M"]
            self.assertEqual(import_energies.excluded(read), {frozenset(pair) for pair in molecule.excluded}, seed)

    def test_sites_of_many_and_constraints_of_any_molecule(self):
        """Centres of geometry and mass, weights, a site on an atom; a straight molecule by settles; a constraint that excludes nothing."""
        rows = "".join(f"{k} opls_15{t} 1 X A{k} {k} 0 {m}\n" for k, (t, m) in enumerate([("4", 16), ("7", 12), ("7", 4)] + 4 * [("5", 0)], 1))
        straight = (
            f"[ moleculetype ]\nX 1\n[ atoms ]\n{rows}[ settles ]\n1 1 0.2 0.4\n[ virtual_sites1 ]\n4 1 1\n"
            "[ virtual_sitesn ]\n5 1 2 3\n6 2 1 2 3\n7 3 1 1.5 2 0.5\n[ exclusions ]\n"
            + "".join(f"{k} {' '.join(str(j) for j in range(1, 8) if j != k)}\n" for k in range(1, 8))
        )
        pair = "[ moleculetype ]\nY 2\n[ atoms ]\n1 opls_154 1 Y A 1 0\n2 opls_154 1 Y B 1 0\n[ constraints ]\n1 2 {} 0.3\n"
        places = np.array([[0, 0, 0], [2, 0, 0], [-2, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [5, 5, 5], [8, 5, 5], [5, 9, 5], [8, 9, 5]], float) + 5
        names = [f"A{k}" for k in range(1, 8)] + 2 * ["A", "B"]
        top = FIELD + straight + pair.format(2) + pair.format(1).replace("Y 2", "Z 2") + "[ system ]\nx\n[ molecules ]\nX 1\nY 1\nZ 1\n"
        self.bring(top, gro(names, 7 * ["X"] + 4 * ["Y"], places))
        file = yaml.safe_load(Path("out/molecules.yaml").read_text())["molecules"]
        self.assertEqual(file["X"]["constraints"], [[1, 2, 2], [1, 3, 2], [2, 3, 4]])
        sites = {row[0]: row[1:] for row in file["X"]["virtual"]}
        self.assertEqual(sites[4], ["2", 1, 2, 0])
        self.assertEqual(sites[5], ["2", 2, 3, 0.5])
        self.assertEqual(sites[6], ["3", 1, 2, 3, 0.375, 0.125])
        self.assertEqual(sites[7], ["2", 1, 2, 0.25])
        self.assertEqual(import_energies.excluded(file["Y"]), set())
        self.assertEqual(import_energies.excluded(file["Z"]), {frozenset((0, 1))})

    def test_a_pure_repulsion_is_one(self):
        sigma, epsilon = molecules.LJ(1e5, 0.0, True).sigma_epsilon
        for r in (1.0, 10.0, 60.0):
            self.assertAlmostEqual(import_energies.lj(sigma, epsilon, r) / (1e5 / r**12), 1.0, places=11)


class Refused(Folder):
    def test_topologies(self):
        def with_(old, new):
            self.assertIn(old, TOP)
            return TOP.replace(old, new, 1)

        for top, says in (
            (with_("1 opls_157 1 MOH", "1 opls_158 1 MOH"), r"t\.top, line 24: unknown atom type opls_158; the nearest is opls_15"),
            (with_("5 6 1\n", "5 7 1\n"), r"line 35: atom 7 does not exist in molecule MeOH, which has 6 atoms"),
            (with_("5 6 1\n", "5 6 11\n"), r"line 35: \[ bonds \] has no function 11; it has 1, 2, 3, 4, 5, 6, 8, 9, 10"),
            (with_("5 6 1\n", "5 6 7 0.1 1\n"), r"needs features that Holonom lacks: \[ bonds \] of function 7 \(FENE bonds\), once, in t.top, line 35$"),
            (with_("5 6 1\n", "5 6 1\n[ polarization ]\n1 2 1 0.001\n"), r"\[ polarization \] \(polarisation\), once, in t.top, line 37$"),
            (with_("5 6 1\n", "5 6 7 0.1 1\n1 5 7 0.1 1\n"), r"\(FENE bonds\), 2 times, first in t.top, line 35$"),
            (with_("5 6 1\n", "5 6 1 0.1 -5\n"), r"t.top, line 35: molecule MeOH, bond of atoms 5 6: a force constant of -0.0119503; it must be 0 or more"),
            (with_("5 6 1\n", "5 6 1 0.1 FC_OH\n"), r"line 35: a parameter must be a number, not 'FC_OH'; nothing defines that word: .*--define FC_OH=NUMBER"),
            (with_("5 6 1\n", "5 6 1 1_0.0 5\n"), r"line 35: a parameter must be a number, not '1_0.0'"),
            (with_("5 6 1\n", "5 6 1 ０.1 5\n"), r"line 35: a parameter must be a number, not '０.1'"),
            (with_("MeOH 2\n", "MeOH 1_0\n"), r"how many molecules must be a whole number, not '1_0'"),
            (with_("5 6 1\n", "5 6 1 0.1\n"), r"line 35: \[ bonds \] of function 1 must have 2 numbers, not 1"),
            (with_("5 6 1\n", "5 6 1 0.1 x\n"), r"line 35: a parameter must be a number, not 'x'"),
            (with_("5 6 1\n", "5 6 1 0.1 nan\n"), r"line 35: a parameter must be a number, not 'nan'"),
            (with_("5 6 1\n", "5 5 1\n"), r"line 35: \[ bonds \] names an atom twice"),
            (
                with_("HO OH 1 0.0945 462750.4\n", ""),
                r"line 34: no parameters of \[ bonds \] of function 1 for atoms 5 \(O\) 6 \(HO\) of MeOH, of types OH HO",
            ),
            (with_("1 3 yes", "1 3 no"), r"no \[ pairtypes \] of opls_156 opls_155, and gen-pairs is no"),
            (with_("1 3 yes", "2 3 yes"), r"line 2: function 2 of pairs \(Buckingham\)"),
            (with_("1 3 yes", "1 4 yes"), r"line 2: the combination rule 4 is unknown"),
            (with_("[ bonds ]", "[ bunds ]"), r"line 30: unknown directive \[ bunds \]; the nearest is bonds"),
            (with_("[ bonds ]", "[ bonds"), r"line 30: .* has no \] at its end"),
            (with_("3 opls_156", "4 opls_156"), r"line 26: atom 4 is in the place of atom 3 of molecule MeOH"),
            (with_("MeOH 2\n", "MeOW 2\n"), r"unknown moleculetype MeOW; the nearest is MeOH"),
            (with_("MeOH 2\n", "MeOH two\n"), r"how many molecules must be a whole number, not 'two'"),
            (
                with_("1 1 0.09572 0.15139", "1 1 0.09572 0.3"),
                r"t.top, line 60: molecule SOL constrains atoms 2 and 3 to 3 A, and through other atoms to 1\.9144 A at most",
            ),
            (with_("#endif", ""), r"line \d+: the condition on FLEXIBLE has no #endif"),
            (with_("#ifndef FLEXIBLE", ""), r"#else without"),
            ('#include "nowhere.itp"\n' + TOP, r't\.top, line 1: the include "nowhere\.itp" does not exist in '),
            ('#include "t.top"\n' + TOP, r"include itself"),
            ("#define CT HC OH\n#define HC CT CT\n" + TOP, r"refer to each other without end"),
            ("#if 1\n" + TOP, r"#if is unknown"),
            (with_("[ system ]", "[ intermolecular_interactions ]\n[ bonds ]\n1 2 1\n[ system ]"), r"terms must be within molecules"),
            (with_("SOL 3\n", "SOL 2000000000\n"), r"has 21 atoms, the topology 6000000012"),
            (FIELD + METHANOL, r"\[ molecules \] is missing"),
            ("", r"\[ molecules \] is missing"),
            ("hello\n", r"is before the first \[ directive \]"),
            (TOP + "[ defaults ]\n1 1\n", r"a second \[ defaults \]"),
            (
                with_("[ pairs ]", "[ virtual_sitesn ]\n6 1 1 2 3 4\n[ pairs ]"),
                r"\[ virtual_sitesn \] of more than three atoms, once",
            ),
            (with_("[ pairs ]", "[ virtual_sitesn ]\n6 4 1 2\n[ pairs ]"), r"has a site, function 1, 2 or 3, and atoms"),
            (with_("[ pairs ]", "[ virtual_sitesn ]\n6 3 1 0.5 2\n[ pairs ]"), r"has a site, function 1, 2 or 3, and atoms"),
            (with_("[ pairs ]", "[ virtual_sitesn ]\n6 1 1 1\n[ pairs ]"), r"names an atom twice"),
            (
                with_("[ pairs ]", "[ virtual_sitesn ]\n6 3 1 0.5 2 -0.5\n[ pairs ]"),
                r"weights that sum to 0",
            ),
        ):
            with self.subTest(says=says):
                self.refused(says, top)
        for name in ("t.top", "/nowhere.top", "."):
            with self.assertRaisesRegex(InputError, "cannot be read|not a text|names no molecules|is missing"):
                Path("t.top").write_bytes(b"\0\1\2")
                importer.bring([name, "c.gro"], "out")

    def test_what_the_file_cannot_say(self):
        site = "[ atoms ]\n4 HW 1 SOL MW 1 0 0\n[ virtual_sites3 ]\n4 1 2 3 1 0.1 0.1\n"
        seen = "[ exclusions ]\n4 1 2 3\n"
        for more, says in (
            (seen + "[ constraints ]\n1 4 1 0.01\n", r"molecule SOL, constraint of atoms 1 4: a virtual site"),
            (seen + "[ atoms ]\n5 HW 1 SOL X 1 0 0\n6 HW 1 SOL Y 1 0 0\n[ virtual_sites2 ]\n5 1 6 1 0.1\n6 1 5 1 0.1\n", r"atom 5: a virtual site depends on sites that depend on it"),
            (seen + "[ virtual_sites2 ]\n4 1 2 1 0.1\n", r"t.top, line 7[0-9]: molecule SOL: a second row places the virtual site 4"),
            ("[ atoms ]\n5 HW 1 SOL X 1 0 0\n" + seen, r"t.top, line 77: molecule SOL, atom 5 \(X\) has a mass of 0 and is not a virtual site"),
            (seen + "[ bonds ]\n1 2 6 0 1000\n", r"bond of atoms 1 2: a length of 0 A"),
            (seen + "[ angles ]\n1 2 3 1 190 10\n", r"angle of atoms 1 2 3: an angle of 190 degrees"),
            (
                seen + "[ constraints ]\n1 2 1 0.1\n",
                r"t.top, line \d+: molecule SOL constrains atoms 1 and 2 to 1 A here and to 0.9572 A elsewhere",
            ),
        ):
            with self.subTest(says=says):
                self.refused(says, FIELD + METHANOL + WATER + site + more + END)
        Path("t.top").write_text(FIELD + METHANOL + WATER + site + seen + "[ bonds ]\n1 4 1 0.1 1000\n" + END)
        system = importer.gromacs.read("t.top", {})
        molecules.check(system, "t.top")
        water = yaml.safe_load("\n".join(molecules.lines(system, [])))["molecules"]["SOL"]
        self.assertIn([1, 4, 1, 2.39005736138], water["terms"]["bond"])
        self.assertNotIn([1, 4], water.get("bonds", []))
        ring = "".join(f"{i} {j} 1 {d}\n" for i, j, d in ((1, 2, 0.1), (2, 3, 0.1), (3, 4, 0.1), (1, 4, 0.31)))
        self.refused(
            r"constrains atoms 1 and 4 to 3\.1 A, and through other atoms to 3 A at most",
            TOP.replace("[ pairs ]", f"[ constraints ]\n{ring}[ pairs ]", 1),
        )
        self.refused(r"torsion of atoms 2 1 5 6: a multiplicity of 2\.5", TOP.replace("2 1 5 6 3", "2 1 5 6 1 0 1 2.5"))

    def test_position_restraints(self):
        restrained = TOP.replace("[ pairs ]", "#ifdef POSRES\n[ position_restraints ]\n1 1 1000 1000 1000\n#endif\n[ pairs ]", 1)
        self.bring(restrained)
        self.assertNotIn("restraints:", Path("out/system.yaml").read_text())
        os.rename("out", "kept")
        rows = "1 1 418.4 418.4 418.4\n3 1 418.4 418.4 418.4 418.4 418.4 418.4\n2 1 418.4 418.4 418.4\n5 1 0 0 41.84\n6 2 8 0.25 836.8\n4 1 0 0 0\n"
        asked = restrained.replace("1 1 1000 1000 1000\n", rows)
        self.bring(asked, defines={"POSRES": ""})
        self.assertEqual(
            yaml.safe_load(Path("out/system.yaml").read_text())["restraints"],
            [
                {"molecule": "MeOH", "atoms": "index 0:2", "k": 1},
                {"molecule": "MeOH", "atoms": "index 4", "k": [0, 0, 0.1]},
                {"molecule": "MeOH", "atoms": "index 5", "k": [2, 2, 0], "flat": 2.5},
            ],
        )
        os.rename("out", "asked")
        for row, says in (
            ("9 1 1 1 1", "atom 9 does not exist"),
            ("1 3 1 1 1", "function 1 or 2"),
            ("1 1 1 1", "three numbers"),
            ("1 1 -1 1 1", "a position restraint of -1"),
            ("1 1 nan 1 1", "must be a number"),
            ("1 2 9 1 1", "shape 9"),
            ("1 2 1 -1 1", "radius -1"),
        ):
            self.refused(says, restrained.replace("1 1 1000 1000 1000", row), defines={"POSRES": ""})

    def test_coordinates(self):
        for conf, says in (
            (
                gro(NAMES[:-2]),
                r"c\.gro has 19 atoms, the topology 21: the first without coordinates is HW1 of SOL \(molecule SOL, number 3, atom 2\)",
            ),
            (
                gro(NAMES + ["OW"], RESIDUES + ["SOL"], np.vstack([PLACES, [0, 0, 0]])),
                r"line 24: 22 atoms, the topology has 21: .* OW of SOL",
            ),
            (gro(box="2 2"), r"line 24: the box has 2 numbers"),
            (gro(box="2 -2 2"), r"do not form a box"),
            (gro(box="2 nan 2"), r"line 24: 'nan' is not a number"),
            (gro(box="2 ２ 2"), r"line 24: '２' is not a number"),
            (gro().replace("    1MOH", "    1MOH", 1).replace("   0.", " 1_0.", 1), r"c\.gro, line \d+: '1_0\.\d+' is not a number"),
            (gro().replace("0.", "0,", 1), r"c\.gro, line"),
            ("", r"line 2: a .gro has the number of atoms here"),
            ("x\n5\n", r"line 2 announces 5 atoms"),
        ):
            with self.subTest(says=says):
                self.refused(says, conf=conf)

    def test_nothing_is_written_over(self):
        for make, says in (
            (lambda: Path("o").write_text("mine"), "o is not a folder"),
            (lambda: os.symlink("nowhere", "o"), "o is not a folder"),
            (lambda: (os.mkdir("o"), Path("o/start.gro").write_text("mine")), "o/start.gro was not written by Holonom"),
            (lambda: (os.mkdir("o"), os.symlink("nowhere", "o/system.yaml")), "o/system.yaml was not written by Holonom"),
            (lambda: (os.mkdir("o"), os.mkdir("o/molecules.yaml.part")), "o/molecules.yaml.part was not written by Holonom"),
            (lambda: (os.mkdir("o"), Path("o/holonom.files").write_text("mine")), "o/holonom.files is not a list"),
        ):
            make()
            before = sorted(os.listdir("o")) if os.path.isdir("o") else []
            for force in (False, True):
                with self.subTest(says=says, force=force), self.assertRaisesRegex(InputError, says):
                    self.bring(TOP, out="o", force=force)
            self.assertEqual(sorted(os.listdir("o")) if os.path.isdir("o") else [], before)
            os.rename("o", tempfile.mkdtemp(dir=".") + "/o")
        for there in (False, True):
            if there:
                os.mkdir("o")
                Path("o/notes").write_text("mine")
            self.bring(TOP, out="o")
            self.assertEqual(sorted(set(os.listdir("o")) - {"notes"}), ["holonom.files", "molecules.yaml", "start.gro", "system.yaml"])
            with self.assertRaisesRegex(InputError, "o/molecules.yaml exists: give another folder with -o, or --force"):
                self.bring(TOP, out="o")
            os.rename("o", "again" if there else "first")
        for name in ("molecules.yaml", "start.gro", "system.yaml"):
            self.assertEqual(Path("again", name).read_bytes(), Path("first", name).read_bytes())
            Path("again", name).write_text("old")
        self.bring(TOP, out="again", force=True)
        for name in ("molecules.yaml", "start.gro", "system.yaml", "holonom.files"):
            self.assertEqual(Path("again", name).read_bytes(), Path("first", name).read_bytes())
        self.assertEqual(Path("again/notes").read_text(), "mine")
        with self.assertRaisesRegex(InputError, "not a folder"):
            self.bring(TOP, out="nowhere/o")
        self.assertEqual([name for name in os.listdir(".") if name.startswith(".")], [])


class Mutilated(Folder):
    def test_no_traceback(self):
        """Cuts, swaps, doubled and changed lines and characters: read, or refused in words."""
        rng = random.Random(5)
        Path("c.gro").write_text(gro())
        refused = 0
        for k in range(200):
            rows = TOP.split("\n")
            for _ in range(rng.randint(1, 4)):
                i = rng.randrange(len(rows))
                how = rng.randrange(7)
                if how == 0:
                    del rows[i : i + rng.randint(1, 5)]
                    rows = rows or [""]
                elif how == 1:
                    rows.insert(i, rng.choice(rows))
                elif how == 2:
                    j = rng.randrange(len(rows))
                    rows[i], rows[j] = rows[j], rows[i]
                elif how == 3:
                    at = rng.randint(0, len(rows[i]))
                    rows[i] = (
                        rows[i][:at]
                        + rng.choice(["#", "[", "]", ";", "\\", "-", "1e999", "\0", "é", "9" * 30, " ", "X", "#include <"])
                        + rows[i][at:]
                    )
                elif how == 4:
                    words = rows[i].split()
                    rng.shuffle(words)
                    rows[i] = " ".join(words)
                elif how == 5:
                    rows[i] = " ".join(rows[i].split()[: rng.randint(0, 3)])
                else:
                    rows = rows[: rng.randrange(len(rows)) + 1]
            Path("t.top").write_text("\n".join(rows))
            try:
                importer.bring(["t.top", "c.gro"], f"out{k}")
                yaml.safe_load(Path(f"out{k}/molecules.yaml").read_text())
            except InputError as error:
                refused += 1
                self.assertGreater(len(str(error)), 20)
                self.assertFalse(os.path.lexists(f"out{k}"))
        self.assertGreater(refused, 100)

    def test_coordinates_no_traceback(self):
        rng = random.Random(6)
        Path("t.top").write_text(TOP)
        for k in range(200):
            data = bytearray(gro().encode())
            for _ in range(rng.randint(1, 6)):
                at = rng.randrange(len(data))
                data[at : at + rng.randint(0, 4)] = bytes(rng.choice(b"09 .-\nxe\xff\0") for _ in range(rng.randint(0, 4)))
            Path("c.gro").write_bytes(bytes(data))
            try:
                importer.bring(["t.top", "c.gro"], f"out{k}")
            except InputError:
                self.assertFalse(os.path.lexists(f"out{k}"))


class Ends(Folder):
    """How forces end by a file of GROMACS's settings; beside GROMACS: test_import_cutoffs.py."""

    def ends(self, text):
        Path("e.mdp").write_text(text)
        return dict(mdp.ends("e.mdp").forces)

    def test_what_is_read(self):
        shifted = {"cutoff": "10 A", "truncation": "shift", "tail": "false"}
        pme = {"coulomb": "pme"}
        for text, wanted in (
            ("", {**shifted, "coulomb": "reaction-field", "permittivity": "1", "by": "atom"}),
            ("coulombtype = Cut-off\ncoulomb-modifier = None\nDispCorr = EnerPres\n", {**shifted, "tail": "true", "coulomb": "cutoff", "by": "atom"}),
            ("; x\nCOULOMB_TYPE=pme;y\nrcoulomb = 0.8\n\nintegrator = sd\nrvdw =\n", {**shifted, **pme}),
            ("coulombtype = PME\nvdw-modifier = none\nrvdw = 0.9", {**shifted, **pme, "cutoff": "9 A", "truncation": "plain"}),
            ("coulombtype = ewald\nvdwtype = switch\nrvdw_switch = 0.85", {**shifted, "coulomb": "ewald", "truncation": "switch", "switch": "1.5 A"}),
            ("coulombtype = pme\nvdw-modifier = Force-Switch\nrvdw-switch = 1\nrvdw = 1.2", {**shifted, **pme, "cutoff": "12 A", "truncation": "force-switch", "switch": "2 A"}),
            ("coulombtype = Reaction-field\n", {**shifted, "coulomb": "reaction-field", "by": "atom"}),
            ("coulombtype = Reaction-field\nepsilon_rf = 78.5", {**shifted, "coulomb": "reaction-field", "permittivity": "78.5", "by": "atom"}),
        ):
            with self.subTest(text=text):
                self.assertEqual(self.ends(text), wanted)

    def test_what_is_refused(self):
        force = "coulombtype = PME\nvdw-modifier = force-switch\n"
        for text, words in (
            ("vdwtype = PME", "line 1: vdwtype = PME: not supported; allowed: cut-off, switch, shift"),
            ("\nvdwtype = user", "line 2: vdwtype = user"),
            ("vdwmodifier = Potential", "vdw-modifier = Potential: not supported; allowed: potential-shift"),
            ("coulombtype = PME-switch", "coulombtype = PME-switch: not supported"),
            ("DispCorr = Ener", "DispCorr = Ener: not supported"),
            (force, "rvdw-switch = 0, GROMACS's default: the switch must begin between 0 and rvdw, 1 nm"),
            (force + "rvdw-switch = 1", "line 3: rvdw-switch = 1: the switch must begin"),
            (force + "rvdw-switch = -1", "rvdw-switch = -1: it must be 0 or more"),
            (force + "rvdw-switch = nan", "rvdw-switch = nan: it must be 0 or more"),
            ("rvdw = 1e999", "rvdw = 1e999: it must be"),
            ("rvdw = 0", "rvdw = 0: a cutoff is required"),
            ("rvdw = 1.2", "rcoulomb = 1, GROMACS's default: it must equal rvdw, 1.2 nm"),
            ("coulombtype = reaction-field\nepsilon-rf = 0.5", "epsilon-rf = 0.5: it must be 0 (a conductor) or 1 or more"),
            ("epsilon-r = 2", "epsilon-r = 2: it must be 1"),
            ("pbc = xy", "pbc = xy: it must be xyz"),
            ("cutoff-scheme = group", "cutoff-scheme = group: it must be Verlet"),
            ("energygrp-excl = SOL SOL", "energygrp-excl = SOL SOL: not supported"),
            ("rvdw = 1\nr-vdw = 2", "line 2: r-vdw is in line 1, too"),
            ("rvdw", "line 1: 'rvdw' is not a setting"),
            ("= 3", "line 1: '= 3' is not a setting"),
        ):
            with self.subTest(text=text), self.assertRaises(InputError) as caught:
                self.ends(text)
            self.assertIn(words, str(caught.exception))
            self.assertIn("e.mdp", str(caught.exception))
        with self.assertRaisesRegex(InputError, "none.mdp cannot be read"):
            mdp.ends("none.mdp")

    def test_force_fields_and_files(self):
        Path("t.top").write_text(TOP)
        Path("c.gro").write_text(gro())
        importer.bring(["t.top", "c.gro"], "own")
        forces = yaml.safe_load(Path("own/system.yaml").read_text())["forces"]
        self.assertEqual(forces, {"cutoff": "10 A", "truncation": "plain", "tail": True, "coulomb": "pme"})
        Path("e.mdp").write_text("coulombtype = reaction-field\nrvdw = 0.8\nrcoulomb = 0.8\n")
        importer.bring(["t.top", "c.gro"], "given", settings_of="e.mdp")
        text = Path("given/system.yaml").read_text()
        self.assertEqual(yaml.safe_load(text)["forces"], {"cutoff": "8 A", "truncation": "shift", "tail": False, "coulomb": "reaction-field", "by": "atom"})
        self.assertIn("as e.mdp has it", text)
        Path("e.mdp").write_text("vdwtype = PME\n")
        with self.assertRaises(InputError):
            importer.bring(["t.top", "c.gro"], "none", settings_of="e.mdp")
        self.assertFalse(os.path.lexists("none"))


class Command(Folder):
    def call(self, *words):
        return subprocess.run([os.environ["HOLONOM_PROGRAM"], "import", *words], capture_output=True, text=True, timeout=60)

    def test_the_command(self):
        Path("t.top").write_text(TOP)
        Path("c.gro").write_text(gro())
        ran = self.call("t.top", "c.gro", "-o", "out", "--define", "A,FLEXIBLE=,B=2")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("wrote molecules.yaml, start.gro and system.yaml into out", ran.stdout)
        Path("e.mdp").write_text("coulombtype = pme\nrvdw = 0.7\n")
        ran = self.call("t.top", "c.gro", "-o", "by", "--mdp", "e.mdp")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("cutoff: 7 A", Path("by/system.yaml").read_text())
        ran = self.call("t.top", "c.gro", "-o", "out")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("holonom import: out/molecules.yaml exists: give another folder with -o, or --force", ran.stderr)
        self.assertEqual(self.call("t.top", "c.gro", "-o", "out", "--force").returncode, 0)
        Path("t.top").write_text(TOP.replace("[ bonds ]", "[ b\x1b[31m\u202e ]"))
        ran = self.call("t.top", "c.gro", "-o", "new")
        self.assertEqual(ran.returncode, 2)
        self.assertFalse(any(c in ran.stderr for c in "\x1b\u202e"), ran.stderr)


if __name__ == "__main__":
    unittest.main()
