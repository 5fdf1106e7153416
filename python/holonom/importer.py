"""`holonom import`: converts a topology and coordinates of GROMACS, AMBER or CHARMM to molecules.yaml, start.gro and system.yaml.

    python3 -m holonom.importer topol.top conf.gro -o DIR
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from . import amber_charmm, coordinates, gromacs, mdp, molecules, owned
from ._library import FileError, InputError, RunError, waters
from .molecules import System, number, visible, word
from .simulation import Simulation


class Family(NamedTuple):
    """Settings that a topology does not contain: constrained bonds and the truncation of forces, with reasons."""

    title: str
    constrain: str
    forces: Mapping[str, str]
    why: str


_TAIL = {"truncation": "plain", "tail": "true", "coulomb": "pme"}
FAMILIES = {
    "amber": Family("AMBER", "h-bonds", {"cutoff": "9 A", **_TAIL}, "AMBER: Lennard-Jones is cut off, with its mean tail"),
    "opls": Family("OPLS", "h-bonds", {"cutoff": "10 A", **_TAIL}, "OPLS: Lennard-Jones is cut off, with its mean tail"),
    "charmm": Family(
        "CHARMM",
        "h-bonds",
        {"cutoff": "12 A", "truncation": "force-switch", "switch": "2 A", "tail": "false", "coulomb": "pme"},
        "CHARMM: Lennard-Jones's force goes to zero from 10 to 12 A, without a tail",
    ),
    "gromos": Family(
        "GROMOS",
        "all-bonds",
        {"cutoff": "14 A", "truncation": "plain", "tail": "false", "coulomb": "reaction-field", "permittivity": "61", "by": "atom"},
        "GROMOS: cutoff of 14 A, a uniform medium beyond; no tail",
    ),
    "": Family("", "h-bonds", {"cutoff": "10 A", **_TAIL}, "unknown force field: check how its authors truncate Lennard-Jones"),
}

NOT_KEPT = "geometry.constrain: "  # begins a refusal of constraints
TOO_LONG = "integrator.timestep: "  # begins a refusal of the step
TIMESTEPS = ("2 fs", "1 fs", "0.5 fs", "0.25 fs")  # the first that the fastest motions allow is used


def read(files: Sequence[str], defines: Mapping[str, str], include: Sequence[str]) -> tuple[System, coordinates.Frame]:
    """Reads the topology, the first of the files, and the coordinates, the last, of any supported program."""
    if len(files) < 2:
        raise InputError("a topology and coordinates are required, as in: holonom import topol.top conf.gro")
    topology, *between, places = files
    for name, wrong, what in (
        (topology, (".gro", ".pdb", ".rst7", ".inpcrd", ".crd"), "coordinates, and the topology comes first"),
        (places, (".top", ".itp", ".prmtop", ".parm7", ".psf", ".yaml"), "no coordinates, which come last"),
    ):
        if name.lower().endswith(wrong):
            raise InputError(f"{name} is {what}, as in: holonom import topol.top conf.gro")
    try:
        with open(topology, encoding="utf-8", errors="replace") as file:
            first = file.read(400)
    except OSError as error:
        raise InputError(f"{topology} cannot be read: {error.strerror}") from None
    if first.startswith("PSF"):
        system = amber_charmm.charmm(topology, between)
    elif any(not name.endswith(".xvg") for name in between):
        other = next(name for name in between if not name.endswith(".xvg"))
        raise InputError(
            f"{other}: only a PSF of CHARMM has parameter files, and only GROMACS's topologies have tables (.xvg); give a topology and coordinates, and the folder after -o"
        )
    elif first.startswith("%VERSION") or amber_charmm.is_old_prmtop(first):
        if between:
            raise InputError(f"{between[0]}: only GROMACS's topologies have tables")
        system = amber_charmm.amber(topology)
    else:
        system = gromacs.read(topology, defines, include, between)
    ours = coordinates.ending(places) in (".gro", ".pdb")
    return system, coordinates.read(places) if ours else amber_charmm.coordinates(places, system)


# --- the report ---------------------------------------------------------------------------------------------------------


def about(system: System) -> list[str]:
    """Lines of the report: the force field, each molecule type, notes."""
    models, notes = waters(), []
    found = [f"Force field: {FAMILIES[system.family].title or 'unknown'}."]
    for name, molecule in system.molecules.items():
        count = sum(n for other, n in system.contents if other == name)
        model, why = molecules.water(system, molecule, models)
        terms = ", ".join(f"{len(rows)} {term}" for term, rows in molecule.terms.items())
        what = f"water, the program's {model}" if model else terms or "no terms"
        found.append(f"{name}: {count} of {len(molecule.atoms)} atoms, charge {round(molecule.charge, 4) + 0.0:g}; {what}")
        if why:
            notes.append(
                f"{name} is water, but not a built-in model ('holonom list models'), as {why}. "
                "Its pairs are computed atom by atom, which is slower."
            )
    return found + notes + system.notes + [f"warning: {warning}" for warning in system.warnings]


# Meanings of values of forces.
_MEANING = {
    "truncation: plain": "Lennard-Jones is cut off",
    "truncation: shift": "Lennard-Jones is cut off, its energy shifted to zero there",
    "truncation: switch": "Lennard-Jones's energy goes to zero smoothly",
    "truncation: force-switch": "Lennard-Jones's force goes to zero smoothly",
    "tail: true": "the mean beyond the cutoff is added",
    "tail: false": "no correction beyond the cutoff",
    "coulomb: pme": "charges by particle-mesh Ewald",
    "coulomb: ewald": "charges by the plain Ewald sum, slow",
    "coulomb: cutoff": "charges are cut off",
    "coulomb: reaction-field": "charges with a uniform medium beyond the cutoff",
}


def _forces(forces: Mapping[str, str]) -> Iterator[str]:
    for key, value in forces.items():
        line = f"{key}: {value}"
        why = {"cutoff": "between atoms", "switch": "width of the switch, before the cutoff", "permittivity": "of the medium", "by": "also between waters"}.get(key, _MEANING.get(line))
        yield f"  {line:<26} # {why}"
    if forces["coulomb"] == "reaction-field" and "permittivity" not in forces:
        yield "  # permittivity: 78          # of the medium; default: a conductor"


def _indices(atoms: Sequence[int]) -> str:
    """A selection such as "index 0 4:7 9" of increasing numbers."""
    runs: list[list[int]] = []
    for k in atoms:
        if runs and runs[-1][1] == k - 1:
            runs[-1][1] = k
        else:
            runs.append([k, k])
    return "index " + " ".join(f"{a}" if a == b else f"{a}:{b}" for a, b in runs)


def _restraints(system: System) -> Iterator[str]:
    """Lines of position restraints, a record for each molecule and set of constants. Indices count atoms with mass."""
    rows: dict[tuple[str, tuple[float, ...], float], list[int]] = {}
    for name, molecule in system.molecules.items():
        index = {atom: at for at, atom in enumerate(k for k, atom in enumerate(molecule.atoms) if atom.mass > 0.0)}
        for restraint in molecule.restraints:
            rows.setdefault((name, restraint.k, restraint.flat), []).append(index[restraint.atom])
    if rows:
        yield ""
        yield "restraints:                  # to the positions in the start file, or in another file: file: reference.gro"
    for (name, k, flat), atoms in rows.items():
        yield f"  - molecule: {word(name)}"
        yield f"    atoms: {_indices(sorted(atoms))}"
        yield f"    k: {number(k[0]) if len(set(k)) == 1 else '[' + ', '.join(map(number, k)) + ']'}"
        if flat > 0.0:
            yield f"    flat: {number(flat)}"


def settings(system: System, frame: coordinates.Frame, source: Sequence[str], ends: Optional[mdp.Ends] = None, timestep: str = TIMESTEPS[0], constrain: str = "", hydrogen_mass: Optional[float] = None) -> Iterator[str]:
    """The lines of system.yaml; ends: truncation of the forces, in place of the force field's default; hydrogen_mass: in g/mol, in place of the topology's."""
    family = FAMILIES[system.family]
    ends = ends or mdp.Ends(family.forces, family.why)
    cell = frame.cell
    yield f"# Made by holonom import from {' and '.join(visible(os.path.basename(name)) for name in source)}."
    yield "#"
    yield from (f"# {visible(line)}" for line in about(system))
    yield "#"
    yield "# Bare numbers are AKMA: angstrom, g/mol, kcal/mol, time unit 48.88821 fs."
    yield ""
    yield f"title: {word(system.title or 'imported')}"
    yield "system:"
    yield "  topology: molecules.yaml   # the molecules"
    yield "  start: file"
    yield "  file: start.gro"
    yield f"  box: {'file' if cell is not None else 'none                  # open space: the coordinates have no box'}"
    yield "  minimise: true             # overlapping atoms move apart, then a minimisation until no force is large"
    bonded = any(molecule.terms for molecule in system.molecules.values())
    if bonded or hydrogen_mass is not None:
        yield ""
        yield "geometry:"
    if bonded:
        yield f"  constrain: {constrain or family.constrain:<16} # constraints: h-bonds, all-bonds, h-angles, all-angles or none"
    if hydrogen_mass is not None:
        mass = f"hydrogen_mass: {hydrogen_mass:.10g} g/mol"
        yield f"  {mass:<27} # the difference is taken from the atoms that hydrogens are bonded to; waters keep theirs"
    if cell is not None:
        yield ""
        yield f"forces:                      # {visible(ends.why)}"
        yield from _forces(ends.forces)
        if "by" not in ends.forces and _watery(system):
            yield "  # by: atom                 # also between waters, as in GROMACS; default: by their oxygens, which is faster"
    yield from _restraints(system)
    yield ""
    yield "integrator:"
    yield "  word: BAOAB"
    yield f"  timestep: {timestep}{'' if timestep == TIMESTEPS[0] else '           # the fastest motions at the start (not minimised) require this step'}"
    yield "  time: 100 ps"
    yield ""
    yield "thermostat:"
    yield "  temperature: 298.15 K"
    yield "  friction: 1/ps"
    yield ""
    yield "output:"
    yield "  equilibration: 20 ps"
    yield "  thermo_every: 50"


def _watery(system: System) -> bool:
    """Whether a molecule is one of the built-in water models."""
    models = waters()
    return any(molecules.water(system, molecule, models)[0] for molecule in system.molecules.values())


def _ends_of(family: Family, cutoff: Optional[float]) -> mdp.Ends:
    if cutoff is None:
        return mdp.Ends(family.forces, family.why)
    if not (math.isfinite(cutoff) and cutoff > 0.0):
        raise InputError(f"the cutoff is {cutoff:g} A; it must be above 0")
    return mdp.Ends({**family.forces, "cutoff": f"{cutoff:.10g} A"}, f"{family.why}; the cutoff is that of --cutoff")


def _judge_box(system: System, frame: coordinates.Frame, ends: mdp.Ends, asked: str) -> None:
    """InputError: the box is too small for the cutoff, with advice."""
    if frame.cell is None:
        return
    cutoff = float(ends.forces["cutoff"].split()[0])
    least = coordinates.image_distance(frame.cell)
    # Lists use a water's oxygen; its hydrogens reach up to 1.2 A farther, by atom for both waters of a pair.
    cutoff_of_lists = cutoff + (2.4 if _watery(system) and ends.forces.get("by") == "atom" else 0.0)
    if least >= 2.0 * cutoff_of_lists:
        return
    where, nanometres = f"{frame.path}: in its box", ""
    if asked:
        where = f"In --box {asked}"
        tenfold = ",".join(f"{10.0 * float(word):g}" if i < 3 else word for i, word in enumerate(asked.split(",")))
        nanometres = f" Lengths are in A: {asked} nm is --box {tenfold}." if least < 10.0 else ""
    raise InputError(
        f"{where} images are {least:.4g} A apart; a cutoff of {cutoff:g} A requires {2 * cutoff_of_lists:g} A.{nanometres} "
        "Use a shorter cutoff (--cutoff A, or --mdp with rvdw), a larger box (--box), or open space (--box none)"
    )


# --- files --------------------------------------------------------------------------------------------------------------


def _texts(files: Mapping[str, Iterator[str]]) -> dict[str, bytes]:
    return {name: "".join(line + "\n" for line in lines).encode("utf-8") for name, lines in files.items()}


def _check_folder(target: Path, names: Sequence[str], force: bool) -> None:
    """Checks whether files of these names may be written in a folder, without writing."""
    if os.path.lexists(target):
        if not target.is_dir():
            raise InputError(f"{target} is not a folder: name another with -o")
        owned.check(target, names, force)
    elif not target.parent.is_dir():
        raise InputError(f"{target.parent} is not a folder, so {target} cannot be made in it")


def _refusal(input_file: Path, minimise: bool) -> str:
    """The program's error for an input file and its start, minimised or unchanged; empty: no error."""
    try:
        with Simulation(input_file, {} if minimise else {"system.minimise": False}) as simulation:
            simulation.start()
        return ""
    except (InputError, RunError) as error:
        return str(error)


def _try_out(texts: Mapping[str, bytes], inputs: Sequence[bytes]) -> tuple[bytes, str]:
    """The first of input files with decreasing time steps whose step is not too long, and its error in `holonom check`. Uses a
    temporary folder."""
    refused, text = "", b""
    with tempfile.TemporaryDirectory(prefix="holonom-import.") as folder:
        path = Path(folder, "system.yaml")
        for name, data in texts.items():
            owned.put(Path(folder, name), data)
        for text in inputs:
            owned.put(path, text)
            refused = _refusal(path, False)
            if refused and TOO_LONG not in refused:  # minimisation is slow
                refused = _refusal(path, True)
            if TOO_LONG not in refused:
                break
        return text, refused.replace(folder + os.sep, "")


def write(target: Path, texts: Mapping[str, bytes]) -> None:
    """Writes all files or no file. FileError: names the file that could not be written."""
    if os.path.lexists(target):
        owned.put_all(target, texts)
        return
    made = lock = None
    owned.remove_left(target)
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        lock = owned.begin_locked(made)
        for name, text in texts.items():
            owned.put(made / name, text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(made, 0o777 & ~mask)
        os.rename(made, target)
        made = None
    except FileError as error:
        raise FileError(str(error).replace(str(made), str(target))) from None
    except OSError as error:
        raise FileError(f"the folder {target} cannot be made: {error.strerror or error}") from None
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def bring(
    files: Sequence[str],
    folder: str,
    defines: Optional[Mapping[str, str]] = None,
    include: Sequence[str] = (),
    box: str = "",
    settings_of: str = "",
    force: bool = False,
    cutoff: Optional[float] = None,
    strict: bool = False,
    try_out: bool = True,
    hydrogen_mass: Optional[float] = None,
) -> list[str]:
    """Reads the files (a topology, parameters for a PSF or tables of GROMACS, coordinates), and writes molecules.yaml, start.gro and system.yaml into a
    folder. Returns the report, a list of sentences.

    defines: words of the topology with their text, such as {"FLEXIBLE": ""}.
    include: folders for its includes.
    box: as for ``--box``.

    settings_of: a file of GROMACS's settings (.mdp) with the truncation of forces, in place of the force field's default.

    cutoff: in A, in place of the force field's default.
    hydrogen_mass: of hydrogens outside waters, in g/mol. It becomes the key geometry.hydrogen_mass.

    force: replaces files of an earlier import in that folder.
    strict: warnings are errors.
    try_out: False also writes inputs that ``holonom check`` refuses, for energies of coordinates that no run could start from.

    InputError: a file is wrong, or needs a feature that Holonom lacks; no file was written. FileError: a file could not be written;
    existing files are unchanged.
    """
    if settings_of and cutoff is not None:
        raise InputError("--mdp and --cutoff both set the cutoff: give one of them")
    if hydrogen_mass is not None and not (math.isfinite(hydrogen_mass) and hydrogen_mass >= 1.0):
        raise InputError(f"the mass of hydrogens is {hydrogen_mass:g} g/mol; it must be at least 1, such as 3")
    ends = mdp.ends(settings_of) if settings_of else None
    system, frame = read(files, defines or {}, include)
    ends = ends or _ends_of(FAMILIES[system.family], cutoff)
    molecules.check(system, files[0])
    coordinates.fit(system, frame)
    coordinates.make_whole(system, frame)  # in the file's own box, before another replaces it
    if box:
        frame.cell = None if box == "none" else coordinates.cell_from(box)
        coordinates.make_whole(system, frame)
    if frame.cell is not None:
        molecules.check_neutral(system)
    if strict and system.warnings:
        raise InputError("with --strict these warnings are errors: " + " ".join(system.warnings))
    head = [f"{system.title or 'Molecules'}: made by holonom import from {os.path.basename(files[0])}.", *about(system)]
    texts = _texts({"molecules.yaml": molecules.lines(system, head), "start.gro": coordinates.gro(system, frame, system.title)})
    written, family = dict(texts), FAMILIES[system.family]
    target = Path(folder)
    _check_folder(target, [*texts, "system.yaml"], force)
    refused = ""
    for constrain in dict.fromkeys((family.constrain, "h-bonds", "none")):  # fewer constraints if these cannot all be met
        inputs = [_texts({"": settings(system, frame, files, ends, step, constrain, hydrogen_mass)})[""] for step in TIMESTEPS]
        texts["system.yaml"], refused = _try_out(written, inputs) if try_out else (inputs[0], "")
        if NOT_KEPT not in refused:
            break
    if refused:
        _judge_box(system, frame, ends, box if box != "none" else "")
        raise InputError(f"{files[0]}: the system of it and {files[-1]} is refused: {refused}")
    write(target, texts)
    return about(system)


def _arguments(call: Optional[Sequence[str]]) -> Any:
    parser = argparse.ArgumentParser("holonom import", description="Topologies and coordinates of other programs as input files.")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("-o", "--out", default="imported", metavar="DIR")
    parser.add_argument("--define", default="", metavar="WORD[=TEXT],...")
    parser.add_argument("--box", default="", metavar="A[,B,C[,ALPHA,BETA,GAMMA]]|none")
    parser.add_argument("--mdp", default="", metavar="FILE")
    parser.add_argument("--cutoff", type=float, default=None, metavar="A")
    parser.add_argument("--hydrogen-mass", type=float, default=None, metavar="MASS")
    parser.add_argument("--include", action="append", default=[], metavar="DIR")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--strict", action="store_true")
    return parser.parse_args(call)


def main(call: Optional[Sequence[str]] = None) -> int:
    """Runs the command and returns its exit code."""
    arguments = _arguments(call)
    try:
        defines = dict(text.partition("=")[::2] for text in arguments.define.split(",") if text)
        said = bring(
            arguments.files,
            arguments.out,
            defines,
            arguments.include,
            arguments.box,
            arguments.mdp,
            arguments.force,
            arguments.cutoff,
            arguments.strict,
            hydrogen_mass=arguments.hydrogen_mass,
        )
    except (InputError, OSError) as error:
        print(f"holonom import: {visible(str(error))}", file=sys.stderr)
        return 2 if isinstance(error, InputError) else 3
    for line in said:
        print(visible(line))
    print(f"wrote molecules.yaml, start.gro and system.yaml into {visible(arguments.out)}: next holonom check {visible(os.path.join(arguments.out, 'system.yaml'))}")
    return 0


def stop_on_signals() -> None:
    """Makes signals that end the program raise an exception, so that unfinished files are removed."""

    def stop(number: int, _: object) -> None:
        sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)


if __name__ == "__main__":
    stop_on_signals()
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
