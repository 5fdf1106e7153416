"""Reads with MDAnalysis what tests/test_mdanalysis.c wrote, and compares. Exit 77: MDAnalysis is not there."""
import importlib.util
import math
import os
import sys
import warnings

warnings.simplefilter("ignore")
try:
    import MDAnalysis
    import numpy
except ImportError as missing:
    print("skipped:", missing, "(Debian: python3-mdanalysis)")
    sys.exit(77)

ATOMS, FRAMES, STEP, STRIDE = 21, 9, 0.002, 50
AKMA_PS = 0.04888821


def expected(k):
    """files_coordinate of tests/files.h."""
    return numpy.array(
        [[3.0 * i + 10.0 * math.sin(0.1 * k + 0.37 * i + 1.3 * d) for d in range(3)] for i in range(ATOMS)])


def check(what, condition):
    if not condition:
        sys.exit(f"wrong: {what}")


def close(a, b, tolerance):
    return numpy.max(numpy.abs(numpy.asarray(a, dtype=float) - numpy.asarray(b, dtype=float))) <= tolerance


def read(folder, name, first, frames, box, times=True):
    universe = MDAnalysis.Universe(f"{folder}/cluster.xyz", f"{folder}/{name}")
    trajectory = universe.trajectory
    check(f"{name}: atoms", trajectory.n_atoms == ATOMS)
    check(f"{name}: {trajectory.n_frames} frames", trajectory.n_frames == frames)
    check(f"{name}: names", list(universe.atoms.names[:4]) == ["O", "H", "H", "O"])
    if times and not name.endswith("h5md"):
        check(f"{name}: dt {trajectory.dt}", close(trajectory.dt, STRIDE * STEP, 1e-7))
    for k, frame in enumerate(trajectory):
        check(f"{name}: coordinates of frame {k}", close(frame.positions, expected(k), {"pdb": 5.1e-4, "xtc": 5.1e-3}.get(name[-3:], 4e-6)))
        if times:
            time = (first + k * STRIDE) * STEP
            check(f"{name}: time {frame.time} of frame {k}, not {time}", close(frame.time, time, 2e-7 * time + 1e-9))
        check(f"{name}: box {frame.dimensions}",
              frame.dimensions is None if box is None else close(frame.dimensions, box, 2e-5))
    if name.endswith(".dcd"):
        header = trajectory._file.header
        check(f"{name}: header {header}", header["is_periodic"] == (box is not None) and header["nsavc"] > 0)
    print("good:", name)


folder = sys.argv[1]
read(folder, "cluster.xyz", 0, FRAMES, None, times=False)
read(folder, "forces.xyz", 0, FRAMES, None, times=False)
read(folder, "cluster.dcd", 100, FRAMES, None)
read(folder, "box.dcd", 0, FRAMES, [31, 32, 33, 90, 90, 90])
read(folder, "triclinic.dcd", 0, FRAMES, [31, 32, 33, 90, 80, 110])
read(folder, "large.dcd", 10**10, FRAMES, None)
read(folder, "crossing.dcd", 2**31 - 48, FRAMES, None)
read(folder, "killed.dcd", 100, FRAMES - 1, None)
for name, box in (("box", [31, 32, 33, 90, 90, 90]), ("triclinic", [31, 32, 33, 90, 80, 110])):
    read(folder, f"{name}.xtc", 0, FRAMES, box)
read(folder, "cluster.xtc", 100, FRAMES, None)

if os.path.exists(f"{folder}/cluster.h5md") and importlib.util.find_spec("h5py") is not None:
    read(folder, "cluster.h5md", 100, FRAMES, None)
    read(folder, "more.h5md", 0, FRAMES, [31, 32, 33, 90, 80, 110])
    atoms = MDAnalysis.Universe(f"{folder}/cluster.xyz", f"{folder}/more.h5md").atoms
    check("more.h5md: velocities", close(atoms.velocities, expected(1) / 7.0, 4e-6))
    check("more.h5md: forces", close(atoms.forces, -4.184e-3 * expected(2), 1e-6))
    data = [frame.data.copy() for frame in atoms.universe.trajectory]
    check("more.h5md: observables", close([frame["temperature"] for frame in data], 300 + 0.1 * numpy.arange(FRAMES), 1e-12))


def salt(name, tolerance):
    """Five waters, Na and Cl, one frame, with box and (GRO) velocities."""
    atoms = MDAnalysis.Universe(f"{folder}/{name}").atoms
    positions = numpy.array([[3.0 * i + 10.0 * math.sin(0.37 * i + 1.3 * d) for d in range(3)] for i in range(17)])
    speeds = numpy.array(
        [[(3.0 * i + 10.0 * math.sin(0.1 + 0.37 * i + 1.3 * d)) / 7.0 for d in range(3)] for i in range(17)])
    check(f"{name}: coordinates", close(atoms.positions, positions, tolerance))
    if name.endswith("xyz"):
        check(f"{name}: names", list(atoms.names[-3:]) == ["H", "Na", "Cl"])
    else:
        check(f"{name}: box {atoms.dimensions}", close(atoms.dimensions, [31, 32, 33.25, 90, 90, 90], 1e-5))
        water = ["OW", "HW1", "HW2"] if name.endswith("gro") else ["O", "H1", "H2"]
        check(f"{name}: names {atoms.names}", list(atoms.names) == 5 * water + ["NA", "CL"])
        check(f"{name}: {atoms.residues}", len(atoms.residues) == 7)
        resname = "SOL" if name.endswith("gro") else "HOH"
        check(f"{name}: residues", list(atoms.residues.resnames) == 5 * [resname] + ["NA", "CL"])
        check(f"{name}: elements", list(atoms.types[-4:]) == ["H", "H", "NA", "CL"])
    if name.endswith("gro"):
        check(f"{name}: velocities", close(atoms.velocities, speeds, tolerance))
    print("good:", name)


salt("salt.gro", 5.2e-3)
salt("exact.gro", 4e-6)
salt("salt.pdb", 5.1e-4)
salt("salt.xyz", 4e-6)
read(folder, "box.pdb", 0, FRAMES, [31, 32, 33, 90, 90, 90], times=False)

# The other way round: files by MDAnalysis's writers, which the C program reads afterwards.
universe = MDAnalysis.Universe(f"{folder}/cluster.xyz", f"{folder}/triclinic.dcd")
universe.add_TopologyAttr("resname", ["SOL"])
for suffix in ("dcd", "xtc", "xyz", "gro", "pdb"):
    with MDAnalysis.Writer(f"{folder}/theirs.{suffix}", ATOMS, multiframe=suffix != "gro") as writer:
        for frame in universe.trajectory[:1] if suffix == "gro" else universe.trajectory:
            writer.write(universe.atoms)
