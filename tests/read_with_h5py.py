"""Reads with h5py what tests/test_h5py.c wrote and compares; then writes H5MD files of other forms, and broken
ones, which the test reads. Exit 77: h5py is not there."""
import math
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print("skipped:", missing, "(Debian: python3-h5py)")
    sys.exit(77)

ATOMS, FRAMES = 21, 9
folder = sys.argv[1]


def coordinates(k):
    """files_coordinate of tests/files.h."""
    return numpy.array(
        [[3.0 * i + 10.0 * math.sin(0.1 * k + 0.37 * i + 1.3 * d) for d in range(3)] for i in range(ATOMS)])


def frames(first=0, shift=0, factor=1.0):
    return factor * numpy.array([coordinates(first + k + shift) for k in range(FRAMES)])


def check(what, condition):
    if not condition:
        sys.exit(f"wrong: {what}")


def close(a, b, tolerance):
    return numpy.max(numpy.abs(numpy.asarray(a, dtype=float) - b)) <= tolerance


def check_types(what, item):
    """No enumerations, and of texts only units are of variable length (MDAnalysis knows no others)."""
    if isinstance(item, h5py.Dataset):
        check(f"{what}: {item.dtype}", item.dtype.kind in "if" and h5py.check_enum_dtype(item.dtype) is None)
    for key, value in item.attrs.items():
        variable = h5py.check_string_dtype(item.attrs.get_id(key).dtype)
        check(f"{what}: {key}", variable is None or (variable.length is None) == (key == "unit"))


# --- ours -----------------------------------------------------------------------------------------------------
def read(name, groups, box, tolerance):
    with h5py.File(f"{folder}/{name}", "r") as file:
        head = file["h5md"]
        check(f"{name}: version", list(head.attrs["version"]) == [1, 1])
        check(f"{name}: creator", head["creator"].attrs["name"] == b"holonom" and "version" in head["creator"].attrs)
        check(f"{name}: author", "name" in head["author"].attrs)
        check(f"{name}: units", list(head["modules/units"].attrs["version"]) == [1, 0])
        check(f"{name}: title", file["parameters"].attrs["title"] == b"test")
        check(f"{name}: rows", file["parameters"].attrs["holonom_rows"] == FRAMES)
        file.visititems(lambda path, item: check_types(f"{name}: {path}", item))
        observed = ["observables"] if box or len(groups) > 1 else []
        check(f"{name}: {list(file)}", list(file) == ["h5md", *observed, "parameters", "particles"])
        check(f"{name}: {list(file['particles'])}", list(file["particles"]) == groups)
        for r, group in enumerate(file["particles"].values()):
            x = group["position"]
            check(f"{name}: shape {x['value'].shape}", x["value"].shape == (FRAMES, ATOMS, 3))
            check(f"{name}: units", x["value"].attrs["unit"] == "Angstrom" and x["time"].attrs["unit"] == "ps")
            check(f"{name}: positions", close(x["value"], frames(50 * r), tolerance))
            check(f"{name}: steps", list(x["step"]) == [50 * k for k in range(FRAMES)])
            check(f"{name}: times", close(x["time"], 0.1 * numpy.arange(FRAMES), 1e-12))
            names = group["species"].attrs["names"]
            check(f"{name}: species", list(names) == [b"O", b"H"] and list(group["species"][:4]) == [0, 1, 1, 0])
            check(f"{name}: masses", list(group["mass"][:2]) == [15.9994, 1.008])
            check(f"{name}: mass", group["mass"].attrs["unit"] == "u")
            check(f"{name}: box", group["box"].attrs["dimension"] == 3)
            check(f"{name}: boundary", list(group["box"].attrs["boundary"]) == 3 * [b"periodic" if box else b"none"])
            if box:
                check(f"{name}: edges", close(group["box/edges/value"], numpy.diag([31.0, 32.0, 33.0]), 0.0))
                check(f"{name}: links", group["box/edges/step"] == x["step"] and group["velocity/time"] == x["time"])
                check(f"{name}: velocities", close(group["velocity/value"], frames(shift=1) / 7.0, 1e-14))
                check(f"{name}: forces", close(group["force/value"], -1e-3 * frames(shift=2), 1e-14))
                check(f"{name}: unit", group["velocity/value"].attrs["unit"] == "Angstrom ps-1")
            else:
                check(f"{name}: edges", "edges" not in group["box"] and "velocity" not in group)
        first = file[f"particles/{groups[0]}/position"]
        for key, unit, zero in (("kinetic", "kcal mol-1", 2.0), ("pressure", "bar", -1.0), ("temperature", "K", 300.0)):
            if observed:
                x = file[f"observables/{key}"]
                wanted = zero + 0.1 * numpy.arange(FRAMES)[:, None] + 10.0 * numpy.arange(len(groups))
                check(f"{name}: {key}", close(x["value"], wanted if len(groups) > 1 else wanted[:, 0], 1e-12))
                check(f"{name}: unit of {key}", x["value"].attrs["unit"] == unit)
                check(f"{name}: links of {key}", x["step"] == first["step"] and x["time"] == first["time"])
    print("good:", name)


read("cluster.h5md", ["trajectory"], False, 4e-6)
read("killed.h5md", ["trajectory"], False, 4e-6)
read("box.h5md", ["trajectory"], True, 3e-14)  # another compiler may have fused the formula
read("two.h5md", ["replica_0", "replica_1"], False, 1.6e-5)

# --- others ---------------------------------------------------------------------------------------------------
water = h5py.enum_dtype({"H": 1, "O": 8}, basetype="i1")
species = numpy.array([8, 1, 1] * (ATOMS // 3))


def element(group, name, value, unit, time="ps", steps=50, dt=0.1, **options):
    """A time-dependent element; its unit as a text of a fixed length where the name of the file is not ours."""
    at = group.create_group(name)
    at.create_dataset("value", data=value, **options)
    if unit is not None:
        at["value"].attrs["unit"] = unit
    if steps is not None:
        at["step"] = steps * numpy.arange(len(value))
    if time is not None:
        at["time"] = dt * numpy.arange(len(value))
        at["time"].attrs["unit"] = time
    return at


def begin(name, boundary="none", group="atoms", **options):
    file = h5py.File(f"{folder}/{name}", "w", **options)
    file.create_group("h5md").attrs["version"] = [1, 1]
    at = file.create_group(f"particles/{group}")
    box = at.create_group("box")
    box.attrs["dimension"] = 3
    box.attrs["boundary"] = numpy.array(3 * [boundary], dtype="S8")
    return file, at


def write(name, names=True, boundary="none", edges=None, **options):
    file, at = begin(name, boundary, **options)
    if names:
        at.create_dataset("species", data=species, dtype=water)
    if edges is not None:
        at["box"].create_dataset("edges", data=edges)
        at["box/edges"].attrs["unit"] = "Angstrom"
    return file, at


edges = numpy.array([31.0, 32.0, 33.0])

with write("plain.h5")[0] as file:
    element(file["particles/atoms"], "position", frames(), numpy.bytes_(b"Angstrom"))

file, at = begin("nm.h5", "periodic")
with file:
    element(at, "velocity", frames(shift=1) * 100.0 / 7.0, "nm ns-1")
    element(at, "force", -4.184e-2 * frames(shift=2), "kJ mol-1 nm-1")
    element(at, "position", 0.1 * frames(), "nm", time="fs", dt=100.0)
    element(at["box"], "edges", numpy.tile(0.1 * edges, (FRAMES, 1)), "nm", time="fs", dt=100.0)
    at.create_dataset("species", data=species, dtype=water)
    file.create_group("observables/energy")

file, at = write("float32.h5", boundary="periodic", edges=edges.astype("f4"))
with file:
    element(at, "position", frames().astype(">f4"), "A")
    element(at, "velocity", (frames(shift=1) / 7.0).astype("f4"), "A ps-1")

with write("vector.h5", boundary="periodic", edges=edges)[0] as file:
    element(file["particles/atoms"], "position", frames(), "Angstrom")

with write("matrix.h5", boundary="periodic", edges=numpy.diag(edges))[0] as file:
    element(file["particles/atoms"], "position", frames() * 1e2, "pm")

with write("even.h5")[0] as file:  # steps and times at equal distances, as numbers
    x = element(file["particles/atoms"], "position", frames(), "Angstrom", time=None, steps=None)
    x["step"], x["time"] = 50, 1e-4
    x["time"].attrs["unit"] = "ns"
    x["time"].attrs["offset"] = 0.0

file, at = write("deflated.h5", boundary="periodic", edges=edges)
with file:
    element(at, "position", frames(), "Angstrom", chunks=(4, 5, 2), compression="gzip", shuffle=True, fletcher32=True)
    element(at, "velocity", frames(shift=1) / 7.0, "Angstrom ps-1", compression="gzip")

file, at = write("still.h5", boundary="periodic", edges=edges)
with file:  # nothing depends on time
    at["position"], at["velocity"] = coordinates(0), coordinates(1) / 7.0
    at["position"].attrs["unit"], at["velocity"].attrs["unit"] = "Angstrom", "Angstrom ps-1"

with write("bare.h5", names=False)[0] as file:
    at = file["particles/atoms"]
    element(at, "position", frames(), None, time=None)
    at["species"] = species

file, at = write("sparse.h5", names=False)
with file:
    element(at, "position", frames(), "Angstrom")
    element(at, "velocity", frames()[::2], "Angstrom ps-1")

file, at = write("groups.h5")
with file:
    element(at, "position", frames(), "Angstrom")
    file["particles/ions/position"] = numpy.zeros((2, 3))

file, at = write("big.h5", boundary="periodic", edges=edges, libver="latest")
with file:
    element(at, "position", frames().astype(">f8"), "Angstrom", maxshape=(None, None, 3), chunks=(2, ATOMS, 3))
    element(at, "velocity", frames(shift=1) / 7.0, "Angstrom ps-1", maxshape=(None, ATOMS, 3), chunks=(1, ATOMS, 3))

with write("userblock.h5", userblock_size=1024)[0] as file:
    element(file["particles/atoms"], "position", frames(), "Angstrom")

with write("replicas.h5", group="replica_03")[0] as file:
    element(file["particles/replica_03"], "position", frames(), "Angstrom")
    other = file.create_group("particles/replica_10")
    other["box"] = file["particles/replica_03/box"]
    element(other, "position", frames(50), "Angstrom")

# --- broken ---------------------------------------------------------------------------------------------------
with h5py.File(f"{folder}/other.h5", "w") as file:
    file["numbers"] = numpy.arange(3)
for name, value, unit in (("unit.h5", frames(), "furlong"), ("kind.h5", frames(), "ps"),
                          ("flat.h5", frames()[:, :, :2], "Angstrom"),
                          ("texts.h5", numpy.full((FRAMES, ATOMS, 3), b"x"), "Angstrom"),
                          ("nan.h5", numpy.where(frames() > 60.0, numpy.nan, frames()), "Angstrom")):
    with write(name)[0] as file:
        element(file["particles/atoms"], "position", value, unit)
for name in ("mixed.h5", "edgeless.h5"):
    with write(name, boundary="periodic")[0] as file:
        at = file["particles/atoms"]
        if name == "mixed.h5":
            at["box"].attrs["boundary"] = ["periodic", "periodic", "none"]
        element(at, "position", frames(), "Angstrom")
for name, shape in (("hollow.h5", (FRAMES, ATOMS, 3)), ("huge.h5", (2**40, 2**20, 3))):
    with write(name)[0] as file:
        at = file.create_group("particles/atoms/position")
        at.create_dataset("value", shape, "f4", chunks=(1, ATOMS, 3))
        at["value"][0, :ATOMS] = coordinates(0)
        at["value"].attrs["unit"] = "Angstrom"
        at["step"] = numpy.arange(FRAMES)
with h5py.File(f"{folder}/nothing.h5", "w") as file:
    file.create_group("h5md").attrs["version"] = [1, 1]

# Bytes on which HDF5 1.10 breaks down or comes to no end: a text's number in its collection, a collection's length.
with open(f"{folder}/nm.h5", "rb") as file:
    good = file.read()
heap = good.index(b"GCOL")
for name, at, byte in (("index.h5", good.index(heap.to_bytes(8, "little")) + 11, b"\x7f"), ("endless.h5", heap + 8, b"\xff")):
    with open(f"{folder}/{name}", "wb") as file:
        file.write(good[:at] + byte + good[at + 1:])
