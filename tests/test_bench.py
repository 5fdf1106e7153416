"""The scripts of bench/ with programs made up in the place of holonom, lmp, mpirun and gmx: what they print is read
through to the end, and compared."""
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent / "bench"
sys.path.insert(0, str(BENCH))
import alchemy  # noqa: E402
import boxes  # noqa: E402
import figures  # noqa: E402
import lennard_jones  # noqa: E402

# Prints figures as `holonom bench` does, one of them (of version 0.1) without a number, and a line that is none.
HOLONOM = """#!/bin/sh
case $1 in
bench) case $2 in
  cluster) printf '%s\\t400000\\treplica-steps/s\\n' cluster7.ensemble cluster7.single cluster100.ensemble ;;
  ladder) printf 'ladder.double\\t300000\\treplica-steps/s\\nladder.double.cost.quarters\\t1.00 ... 2.50\\t%%\\nno figure\\n' ;;
  bulk) printf '%s\\t2.5\\tms/step\\n' bulk884 bulk4055 bulk32773; printf 'threads\\t%s\\tof the call\\n' "$4" ;;
  esac ;;
run) mkdir octamer && cp "@water@" octamer/final.xyz ;;
energy) echo 'total -10' ;;
esac
"""
# Replica-steps a second that depend on the bias.
BIASED = """#!/bin/sh
case $1 in run) ;; *) exit 0 ;; esac
speed=400000
for word; do case $word in *harmonic*) speed=320000 ;; *metadynamics,*) speed=200000 ;; esac; done
while [ "$1" != -o ]; do shift; done
mkdir -p "$2" && echo "replica_steps_per_second: $speed" >"$2/summary.yaml"
"""
# 100,000 steps a second of any system, whose pairs of sites it counts in the data.
LMP = """#!/bin/sh
if [ "$1" = -h ]; then echo "Large-scale Atomic/Molecular Massively Parallel Simulator - 1 Apr 2020" && exit; fi
while [ $# -gt 0 ]; do case $1 in -in) in=$2 ;; -log) log=$2 ;; esac; shift; done
steps=$(sed -n 's/^run //p; s/^temper \\([0-9]*\\) .*/\\1/p' $in)
n=$(($(sed -n 's/ atoms$//p' water.data) / 3))
for end in "" .0; do
  awk -v s=$steps -v n=$n 'BEGIN {
    print "   0   10.06   -4   -6"
    printf "Loop time of %g on 1 procs for %d steps with x atoms\\n", s / 1e5, s
    print "Total # of neighbors = " 9 * n * (n - 1) / 2 }' >$log$end
done
"""
MPIRUN = """#!/bin/sh
while [ "$1" != lmp ]; do shift; done
exec "$@"
"""
NEEDED = ("awk", "cp", "env", "mkdir", "python3", "sed", "sh", "taskset")


class Scripts(unittest.TestCase):
    def setUp(self):
        box = tempfile.TemporaryDirectory()
        self.addCleanup(box.cleanup)
        self.box = Path(box.name)
        for name in NEEDED:
            os.symlink(Path("/usr/bin") / name, self.box / name)
        octamer = self.box / "octamer.xyz"
        octamer.write_text("24\n\n" + "".join(f"O {i} 0 0\n" for i in range(24)))
        self.put("holonom", HOLONOM.replace("@water@", str(octamer)))

    def put(self, name, text):
        path = self.box / name
        path.write_text(text)
        path.chmod(0o755)

    def call(self, script, *options):
        """What a script prints, as lines of fields, and its remarks; only what is in the box is installed."""
        done = subprocess.run(
            ["/usr/bin/python3", BENCH / script, *options], cwd=self.box, capture_output=True, text=True,
            env={"PATH": str(self.box), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()], done.stderr

    def test_molecules_by_internal_coordinates(self):
        for rows in (boxes.METHANOL, boxes.ETHANOL, boxes.alanines(10)[0]):
            x = boxes.placed(rows)
            for i, (_, to, numbers) in enumerate(rows):
                if to:
                    self.assertAlmostEqual(math.dist(x[i], x[to[0]]), numbers[0])
                if len(to) > 1:
                    a, b, c = x[i], x[to[0]], x[to[1]]
                    between = sum((p - q) * (r - q) for p, q, r in zip(a, b, c)) / math.dist(a, b) / math.dist(b, c)
                    self.assertAlmostEqual(math.degrees(math.acos(between)), numbers[1])
                apart = [math.dist(x[i], x[j]) for j in range(i)]
                self.assertGreater(min(apart, default=1), 0.9)

    def test_lennard_jones_equation_of_state(self):
        """Pressures are slopes of the free energy, and those of the authors' program; the chemical potential is the slope of free energies of volumes."""
        for t, rho in ((1.0, 0.75), (1.2, 0.7), (1.5, 0.5), (3.0, 0.1)):
            h = 1e-5
            low, high = (lennard_jones.residual(t, rho + side) for side in (-h, h))
            self.assertAlmostEqual(1 + rho * (high - low) / (2 * h) / t, lennard_jones.compressibility(t, rho), places=6)
            low, high = ((rho + side) * lennard_jones.residual(t, rho + side) for side in (-h, h))
            self.assertAlmostEqual((high - low) / (2 * h), lennard_jones.chemical_potential(t, rho), places=6)
        # In a dilute gas of N particles one more has pairs with all N.
        self.assertAlmostEqual(lennard_jones.insertion(3.0, 100, 1e4), lennard_jones.chemical_potential(3.0, 0.01), delta=2e-5)
        for rho, pressure in ((0.2, 0.12147936810578708), (0.4, 0.11253334756806482)):
            self.assertAlmostEqual(1.3 * rho * lennard_jones.compressibility(1.3, rho), pressure, delta=1e-6)  # in single precision there
        # NIST's reference energy by Monte Carlo, -5.5121(4).
        low, high = (lennard_jones.residual(t, 0.776) / t for t in (0.85 - 1e-5, 0.85 + 1e-5))
        self.assertAlmostEqual(-(0.85**2) * (high - low) / 2e-5, -5.5121, delta=0.002)

    def test_states_of_a_solute(self):
        for name in alchemy.SOLUTES:
            along = alchemy.states(name)
            self.assertEqual((along[0], along[-1]), ((1, 1), (0, 0)))
            self.assertTrue(all(lj == 1 or charge == 0 for charge, lj in along))
            self.assertEqual(len(set(along)), len(along))

    def test_a_solute_is_neutral(self):
        text = alchemy.neutral(alchemy.METHANE.replace("-0.1088", "-0.1087"))
        self.assertIn("1 c3 1 MOL C1 1 -0.108800 12.01\n", text)
        with self.assertRaises(SystemExit):
            alchemy.neutral(alchemy.METHANE.replace("-0.1088", "-0.2"))

    def test_unknown_box(self):
        for script, first in (("compare-molecules", "box benzene: there are dipeptide2000"), ("compare-averages", "box benzene: there are dipeptide"),
                              ("compare-biases", "part benzene: there are vacuum"), ("compare-states", "part benzene: there are cost"),
                              ("compare-liquid", "model benzene: there are tip3p"), ("compare-pressure", "model benzene: there are tip3p")):
            done = subprocess.run(["/usr/bin/python3", BENCH / script, "--program", "holonom", "benzene"], cwd=self.box,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"no {first}", done.stderr)

    def test_without_peers(self):
        for option in ("--program", "--holonom"):
            lines, remarks = self.call("compare-peers", option, "holonom")
            self.assertIn(["ladder.double", "300000", "replica-steps/s"], lines)
            self.assertIn(["ladder.double.cost.quarters", "1.00 ... 2.50", "%"], lines)
            self.assertIn("this line is no figure: no figure", remarks)
            lines, remarks = self.call("compare-bulk", option, "holonom", "--threads", "3", "--isa", "plain,avx2")
            self.assertIn(["plain.bulk4055", "2.5", "ms/step"], lines)
            self.assertIn(["avx2.threads", "3", "of the call"], lines)

    def test_biases_without_peers(self):
        """Costs are medians of the ratios of rounds in turn."""
        self.put("holonom", BIASED)
        lines, remarks = self.call("compare-biases", "--program", "holonom", "--rounds", "3", "--scale", "0.05", "--gmx", "")
        found = {fields[0]: float(fields[1]) for fields in lines}
        self.assertEqual(found, {"biases.plain": 4e5, "biases.windows.time": 1.25, "biases.metadynamics.time": 2.0})
        self.assertIn("valgrind is not installed", remarks)

    def test_with_lammps(self):
        self.put("lmp", LMP)
        self.put("mpirun", MPIRUN)
        lines, _ = self.call("compare-peers", "--program", "./holonom", "--repeats", "1", "--seconds", "0.01", "--isa", "avx2")
        found = {fields[0]: fields[1] for fields in lines if len(fields) == 3}
        processes = len(os.sched_getaffinity(0))
        self.assertEqual(float(found["peer.lammps.cluster7.single"]), 1e5)
        self.assertEqual(float(found["peer.lammps.cluster100.ensemble"]), processes * 1e5)
        self.assertEqual(float(found["peer.lammps.ladder.double"]), 2e5)
        self.assertEqual(float(found["avx2.ratio.cluster7.single"]), 4.0)
        self.assertEqual(float(found["avx2.ratio.ladder.double"]), 1.5)

    def test_a_machine_has_a_file_and_a_page(self):
        """Two scripts put their figures into one file; those of a later call take the place of older ones."""
        self.put("lmp", LMP)
        call = ("--program", "./holonom", "--figures", "fast.tsv", "--isa", "avx2,plain")
        self.call("compare-peers", *call, "--repeats", "1", "--seconds", "0.01")
        self.put("holonom", HOLONOM.replace("400000", "800000"))
        self.call("compare-peers", *call, "--repeats", "1", "--seconds", "0.01")
        self.call("compare-bulk", *call)
        text, page = ((self.box / f"fast.{form}").read_text() for form in ("tsv", "md"))
        self.assertEqual(text.count("\navx2.cluster7.ensemble\t"), 1)
        self.assertIn("\navx2.cluster7.ensemble\t800000\t", text)
        self.assertIn("\nplain.bulk884\t2.5\tms/step", text)
        self.assertEqual(text.count("# compare-peers: "), 1)
        self.assertIn("| 7 waters, one trajectory on one core | 0.8 (8) | 0.8 (8) | 0.1 | million steps/s |", page)
        self.assertIn("| 884 waters in a periodic box | 2.5 | 2.5 |  | ms a step |", page)
        self.assertIn("`bench/compare-bulk --program ./holonom --figures fast.tsv --isa avx2,plain`", page)
        self.call("compare-bulk", "--program", str(self.box / "holonom"), "--figures", "fast.tsv")
        self.assertIn("`bench/compare-bulk --program PATH --figures fast.tsv`", (self.box / "fast.md").read_text())
        self.assertIn("compare-peers --program ./holonom --figures fast.tsv --isa avx2,plain --repeats 1 --seconds 0.01`, ", page)
        self.assertIn("; LAMMPS 1 Apr 2020\n", page)

    def test_no_program(self):
        for script in ("compare-peers", "compare-bulk"):
            done = subprocess.run([BENCH / script, "--program", "absent"], cwd=self.box, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("absent is not there", done.stderr)
            self.assertNotIn("Traceback", done.stderr)


class Figures(unittest.TestCase):
    def test_pages_of_machines_follow_their_files(self):
        files = list((BENCH.parent / "docs" / "figures").glob("*.tsv"))
        self.assertGreater(len(files), 0)
        for path in files:
            self.assertEqual(figures.page(path), path.with_suffix(".md").read_text(), f"make it anew: bench/figures.py {path}")

    def test_every_line_of_the_program_is_a_figure(self):
        """Name, one number, unit: those who read them rely on it."""
        lines = 0
        for path in BENCH.glob("*.c"):
            for text in re.findall(r'"((?:[^"\\]|\\.)*\\t(?:[^"\\]|\\.)*)"', path.read_text()):
                for line in text.split("\\n"):
                    lines += line != ""
                    self.assertRegex(line, r"^($|(%%|[^\\])+\\t%(\.\d)?(ll)?[dfg]\\t[^\\]+$)", path.name)
        self.assertGreater(lines, 30)


if __name__ == "__main__":
    unittest.main()
