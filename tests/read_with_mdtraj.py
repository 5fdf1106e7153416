"""Reads with MDTraj what tests/test_mdtraj.c wrote and compares; then writes files of its own, which the test reads.
Exit 77: MDTraj is not there."""
import math
import sys
import warnings

warnings.simplefilter("ignore")
try:
    import mdtraj
    import numpy
except ImportError as missing:
    print("skipped:", missing, "(Debian: python3-mdtraj)")
    sys.exit(77)

ATOMS, FRAMES = 21, 9
NM = 10.0  # Angstrom
folder = sys.argv[1]


def expected(k, natoms=ATOMS):
    """files_coordinate of tests/files.h."""
    return numpy.array(
        [[3.0 * i + 10.0 * math.sin(0.1 * k + 0.37 * i + 1.3 * d) for d in range(3)] for i in range(natoms)])


def check(what, condition):
    if not condition:
        sys.exit(f"wrong: {what}")


def close(a, b, tolerance):
    return numpy.max(numpy.abs(numpy.asarray(a, dtype=float) - numpy.asarray(b, dtype=float))) <= tolerance


def load(name):
    # MDTraj's own rounding to float32 nm comes on top of the file's digits.
    return mdtraj.load(f"{folder}/{name}", **({} if name[-3:] in ("gro", "pdb") else {"top": f"{folder}/box.pdb"}))


def read(name, tolerance, degrees):
    run = load(name)
    check(f"{name}: {run}", run.n_frames == FRAMES and run.n_atoms == ATOMS)
    check(f"{name}: coordinates", close(NM * run.xyz, [expected(k) for k in range(FRAMES)], tolerance))
    if degrees is None:
        check(f"{name}: box", run.unitcell_lengths is None)
    else:
        check(f"{name}: edges", close(NM * run.unitcell_lengths, [[31, 32, 33]] * FRAMES, 1e-4))
        check(f"{name}: angles", close(run.unitcell_angles, [degrees] * FRAMES, 1e-3))
    print("good:", name)


read("cluster.xyz", 2e-5, None)
read("cluster.dcd", 2e-5, None)
read("box.dcd", 2e-5, [90, 90, 90])
read("triclinic.dcd", 2e-5, [90, 80, 110])
read("cluster.xtc", 5.1e-3, None)
read("triclinic.xtc", 5.1e-3, [90, 80, 110])
check("cluster.xtc: times", close(load("cluster.xtc").time, 0.2 + 0.1 * numpy.arange(FRAMES), 1e-6))
read("box.pdb", 5.2e-4, [90, 90, 90])
read("box.gro", 5.2e-3, [90, 90, 90])
check("box.gro: times", close(load("box.gro").time, 0.1 * numpy.arange(FRAMES), 1e-6))

for name, tolerance in (("salt.gro", 5.2e-3), ("salt.pdb", 5.2e-4)):
    salt = load(name)
    check(f"{name}: coordinates", close(NM * salt.xyz[0], expected(0, 17), tolerance))
    check(f"{name}: residues", [r.name for r in salt.top.residues] == 5 * ["HOH"] + ["NA", "CL"])
    check(f"{name}: waters", len(salt.top.select("water")) == 15)
    if name.endswith("pdb"):  # of GRO files MDTraj takes the first letters of names
        check(f"{name}: elements", [a.element.symbol for a in salt.top.atoms] == 5 * ["O", "H", "H"] + ["Na", "Cl"])
    check(f"{name}: edges", close(NM * salt.unitcell_lengths, [[31, 32, 33.25]], 1e-4))
    print("good:", name)

run = load("triclinic.dcd")
for suffix in ("dcd", "xtc", "xyz", "pdb"):
    run.save(f"{folder}/theirs.{suffix}")
load("box.dcd").save(f"{folder}/theirs.gro")
