"""A reader of GROMACS topologies (.top, .itp): `Reader._DIRECTIVES` has the function of each directive, gromacs_forms.py the function types
of terms.
"""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional, Sequence

from . import gromacs_sites, gromacs_tables
from ._library import InputError
from .gromacs_forms import FLAT_BOTTOMS, FORMS, IGNORED, KJ, NM, NO_REST, OTHER_FUNCTIONS, OTHER_NAMES, REFUSED, TYPES
from .gromacs_rows import Entry, Raw, Rows, is_whole, match_types, near, read_real, read_whole, same_lj, same_name
from .molecules import GRID_LEAST, GRID_MOST, LJ, TABLES, Atom, Molecule, Pair, Restraint, System, Virtual, mixed, table_name, within
from .preprocess import Line, Preprocessor


class Reader:
    """Reads lines one after the other into `system`."""

    def __init__(self, path: str, defines: Mapping[str, str], include: Sequence[str], tables: Sequence[str] = ()) -> None:
        self.path = path
        self._tables = dict.fromkeys(tables, False)  # given files, and whether a term uses them
        self._source = Preprocessor(defines, include)
        self._directive: Optional[str] = None
        self._molecule: Optional[Raw] = None
        self._raw: dict[str, Raw] = {}
        self._defaults: Optional[tuple[int, bool, float, float]] = None
        self._types: dict[str, tuple[str, float, float, LJ]] = {}  # bonded type, mass, charge
        self._pairs: dict[Pair, LJ] = {}  # nonbond_params, by names in order
        self._params: dict[tuple[str, int], dict[tuple[str, ...], list[tuple[float, ...]]]] = {}
        self._last: tuple = ()  # the key of the dihedraltype before, for several of function 9
        self._matched: dict[tuple[str, ...], Any] = {}  # the match for a dihedral's function and types
        self._refused: dict[str, list[Line]] = {}
        self._system = System()
        self._contents: list[tuple[str, int, Line]] = []

    # --- lines --------------------------------------------------------------------------------------------------------

    def read(self) -> System:
        """Reads the whole file."""
        for line in self._source.lines(self.path):
            if line.text.startswith("["):
                self._begin(line)
            elif self._directive is None:
                raise InputError(f"{line.where}: '{line.text[:40]}' is before the first [ directive ]: is this a topology of GROMACS?")
            else:
                self._take(line)
        return self._finish()

    def _begin(self, line: Line) -> None:
        given = line.text.strip("[] ")
        if not line.text.endswith("]"):
            raise InputError(f"{line.where}: '{line.text}' has no ] at its end")
        known = self._directives()
        name = known.get(same_name(given), "")
        if not name:
            raise InputError(f"{line.where}: unknown directive [ {given} ]{near(given.lower(), known.values())}")
        if name == "intermolecular_interactions":
            raise InputError(f"{line.where}: [ {name} ] is not supported: terms must be within molecules")
        self._directive = name
        self._last = ()

    @classmethod
    def _directives(cls) -> dict[str, str]:
        """All known directives, by their names as GROMACS compares them."""
        names = {*cls._DIRECTIVES, *FORMS, *TYPES, *IGNORED, *(key for key in REFUSED if isinstance(key, str)), "position_restraints"}
        return {**{same_name(name): name for name in names}, **{same_name(other): name for other, name in OTHER_NAMES.items()}}

    def _take(self, line: Line) -> None:
        """Reads a line. Errors within a molecule are raised only if [ molecules ] lists it."""
        name = self._directive
        inside = name in FORMS or name in REFUSED or name in ("atoms", "exclusions", "virtual_sitesn", "position_restraints")
        molecule = self._molecule if inside else None
        if molecule is None:
            self._read(line)
        elif molecule.wrong is None:
            try:
                self._read(line)
            except InputError as error:
                molecule.wrong = error

    def _read(self, line: Line) -> None:
        name, words = self._directive, line.text.split()
        if name in self._DIRECTIVES:
            self._DIRECTIVES[name](self, line, words)
        elif name in TYPES:
            self._by_type(line, words)
        elif name in REFUSED and self._molecule is None:
            self._refused.setdefault(f"[ {name} ] ({REFUSED[name]})", []).append(line)
        elif name not in IGNORED:
            self._entry(line, words)

    def _defaults_row(self, line: Line, words: list[str]) -> None:
        if self._defaults is not None:
            raise InputError(f"{line.where}: a second [ defaults ]: a topology has one force field")
        if len(words) < 2:
            raise InputError(f"{line.where}: [ defaults ] requires the function and the combination rule")
        function, rule = read_whole(words[0], line, "the function"), read_whole(words[1], line, "the combination rule")
        if function != 1:
            raise InputError(f"{line.where}: function {function} of pairs (Buckingham) is not supported; it must be 1, Lennard-Jones")
        if rule not in (1, 2, 3):
            raise InputError(f"{line.where}: the combination rule {rule} is unknown; it must be 1, 2 or 3")
        generate = words[2].lower() if len(words) > 2 else "no"
        if generate not in ("yes", "no"):
            raise InputError(f"{line.where}: gen-pairs is '{words[2]}'; it must be yes or no")
        lj, qq = (read_real(words[k], line, what) if len(words) > k else 1.0 for k, what in ((3, "fudgeLJ"), (4, "fudgeQQ")))
        if len(words) > 5 and read_real(words[5], line, "the power") != 12.0:
            raise InputError(f"{line.where}: a repulsion of power {words[5]} is not supported; it must be 12")
        self._defaults = rule, generate == "yes", lj, qq
        self._system.rule = "lorentz-berthelot" if rule == 2 else "geometric"

    def _lj(self, v: float, w: float, line: Line) -> LJ:
        """Lennard-Jones from two numbers, whose meaning depends on the combination rule."""
        if self._defaults is None:
            raise InputError(f"{line.where}: needs [ defaults ] before it")
        if self._defaults[0] == 1:
            lj = LJ(w * KJ * NM**12, v * KJ * NM**6, True)
        else:
            lj = LJ(v * NM, w * KJ)
        if lj.a < 0.0 or lj.b < 0.0:
            raise InputError(f"{line.where}: Lennard-Jones of {v:g} and {w:g}; both must be 0 or more")
        return lj

    def _atomtype(self, line: Line, words: list[str]) -> None:
        """name [bonded type] [atomic number] mass charge particle V W: the column of the particle, a letter, shows which are given."""
        at = next((k for k in (5, 3, 4) if len(words) == k + 3 and len(words[k]) == 1 and words[k].isalpha()), None)
        if at is None:
            raise InputError(
                f"{line.where}: an atom type has a name, optionally a bonded type and an atomic number, mass, charge, particle, and two numbers"
            )
        if words[at].upper() not in "AVDS":
            raise InputError(f"{line.where}: the particle '{words[at]}' is unknown; it must be A (atom), or V or D (virtual site)")
        bonded = words[1] if at == 5 or (at == 4 and words[1][0].isalpha()) else words[0]
        mass, charge, v, w = (
            read_real(words[k], line, what) for k, what in ((at - 2, "the mass"), (at - 1, "the charge"), (at + 1, "V"), (at + 2, "W"))
        )
        self._types[words[0]] = (bonded, mass, charge, self._lj(v, w, line))

    def _nonbonded(self, line: Line, words: list[str]) -> None:
        if len(words) != 5 or words[2] != "1":
            raise InputError(f"{line.where}: [ nonbond_params ] has two types, function 1 and two numbers")
        v, w = (read_real(words[k], line, "Lennard-Jones") for k in (3, 4))
        self._pairs[min(words[:2]), max(words[:2])] = self._lj(v, w, line)

    def _by_type(self, line: Line, words: list[str]) -> None:
        """Reads parameters by types. Two types of a dihedral are the inner ones; two types of an improper are the outer ones."""
        directive = TYPES[self._directive]
        atoms = next(iter(FORMS[directive].values())).atoms
        if directive == "dihedrals" and len(words) > 2 and is_whole(words[2]) and len(words[2]) < 3:
            names = (words[0], "X", "X", words[1]) if words[2] == "2" else ("X", words[0], words[1], "X")
            rest = words[2:]
        else:
            names, rest = tuple(words[:atoms]), words[atoms:]
        if not rest or not is_whole(rest[0]):
            raise InputError(f"{line.where}: [ {self._directive} ] has {atoms} types, a function and its numbers")
        function = read_whole(rest[0], line, "the function")
        form = FORMS[directive].get(function)
        if form is None:
            if (directive, function) not in REFUSED:
                raise InputError(f"{line.where}: [ {directive} ] has no function {function}")
            return  # refused when used
        numbers, second = self._numbers(directive, function, [read_real(word, line, "a parameter") for word in rest[1:]], line)
        table = self._params.setdefault((directive, OTHER_FUNCTIONS.get((directive, function), function)), {})
        key = names if names in table or names[::-1] not in table else names[::-1]
        if function == 9 and self._last == key:
            table[key].append(numbers)
        elif function == 9 and key in table and table[key] != [numbers]:
            raise InputError(f"{line.where}: a second block of dihedrals {' '.join(names)} of function 9 that differs from the first")
        else:
            table[key] = Rows([numbers])
        if second:
            table[key].second = line
        self._last = key if function == 9 else ()

    def _cmaptype(self, line: Line, words: list[str]) -> None:
        """Reads five types, function 1, nodes along both angles, and energies, with the second angle varying fastest."""
        if len(words) < 8:
            raise InputError(f"{line.where}: [ cmaptypes ] has five types, function 1, two numbers of nodes and the energies")
        function, n, other = (read_whole(word, line, "the function and the numbers of nodes") for word in words[5:8])
        if function != 1:
            raise InputError(f"{line.where}: [ cmaptypes ] has no function {function}; it must be 1")
        if n != other or not GRID_LEAST <= n <= GRID_MOST:
            raise InputError(f"{line.where}: a grid of {n} by {other} nodes; both numbers must be equal, {GRID_LEAST} to {GRID_MOST}")
        if len(words) != 8 + n * n:
            raise InputError(f"{line.where}: a grid of {n} by {n} nodes has {len(words) - 8} energies; it must have {n * n}")
        energies = tuple(read_real(word, line, "an energy") * KJ for word in words[8:])
        table = self._params.setdefault(("cmap", 1), {})
        if table.setdefault(tuple(words[:5]), [energies]) != [energies]:
            raise InputError(f"{line.where}: a second grid of {' '.join(words[:5])} that differs from the first")

    def _numbers(self, directive: str, function: int, numbers: list[float], line: Line) -> tuple[tuple[float, ...], bool]:
        """The numbers of state A, and whether state B differs."""
        form = FORMS[directive][function]
        a, b = numbers[: form.numbers], numbers[form.numbers :]
        shared = range(form.numbers) if form.state_b is None else form.state_b
        if len(a) < form.numbers or len(b) not in (0, len(shared), form.numbers if shared else 0):
            wanted = f"{form.numbers} numbers" if form.numbers != 1 else "one number"
            raise InputError(f"{line.where}: [ {self._directive} ] of function {function} must have {wanted}, not {len(numbers)}")
        return tuple(a), any(x != y for x, y in zip(b, a))

    def _moleculetype(self, line: Line, words: list[str]) -> None:
        if len(words) != 2:
            raise InputError(f"{line.where}: a moleculetype has a name and nrexcl")
        if words[0] in self._raw:
            raise InputError(f"{line.where}: a second moleculetype {words[0]}; the first is in {self._raw[words[0]].line.where}")
        apart = read_whole(words[1], line, "nrexcl")
        if apart < 0:
            raise InputError(f"{line.where}: nrexcl must not be negative")
        self._molecule = self._raw[words[0]] = Raw(line, words[0], apart)

    def _inside(self, line: Line) -> Raw:
        if self._molecule is None:
            raise InputError(f"{line.where}: [ {self._directive} ] is before the first [ moleculetype ]")
        return self._molecule

    def _atom(self, line: Line, words: list[str]) -> None:
        molecule = self._inside(line)
        if not 6 <= len(words) <= 11:
            raise InputError(
                f"{line.where}: an atom has a number, type, residue number, residue, name, group, and optionally charge and mass"
            )
        if read_whole(words[0], line, "the atom's number") != len(molecule.atoms) + 1:
            raise InputError(
                f"{line.where}: atom {words[0]} is in the place of atom {len(molecule.atoms) + 1} of molecule {molecule.name}"
            )
        if words[1] not in self._types:
            raise InputError(f"{line.where}: unknown atom type {words[1]}{near(words[1], self._types)}")
        _, mass, charge, _ = self._types[words[1]]
        charge = read_real(words[6], line, "the charge") if len(words) > 6 else charge
        mass = read_real(words[7], line, "the mass") if len(words) > 7 else mass
        if len(words) > 8:
            b = self._types.get(words[8], ("", math.nan, math.nan, LJ(0.0, 0.0)))
            b_charge = read_real(words[9], line, "the charge of state B") if len(words) > 9 else b[2]
            b_mass = read_real(words[10], line, "the mass of state B") if len(words) > 10 else b[1]
            if (words[8], b_charge, b_mass) != (words[1], charge, mass):
                molecule.second.append(line)
        residue = words[2] if words[2].lstrip("-").isdigit() else words[2][:-1]  # with a letter for an inserted residue
        molecule.atom_lines.append(line)
        molecule.atoms.append(Atom(words[4], words[1], charge, mass, words[3], read_whole(residue, line, "the residue's number")))

    def _number_of(self, word: str, line: Line, molecule: Raw) -> int:
        k = read_whole(word, line, "an atom")
        if not 1 <= k <= len(molecule.atoms):
            raise InputError(f"{line.where}: atom {k} does not exist in molecule {molecule.name}, which has {len(molecule.atoms)} atoms")
        return k - 1

    def _exclusion(self, line: Line, words: list[str]) -> None:
        molecule = self._inside(line)
        one, *others = (self._number_of(word, line, molecule) for word in words)
        molecule.excluded.update((min(one, k), max(one, k)) for k in others if k != one)

    def _site_of_many(self, line: Line, words: list[str]) -> None:
        """Reads a site at the centre of geometry or mass, or at a weighted centre, of two or three atoms: it becomes kind 2
        or 3."""
        molecule = self._inside(line)
        function = read_whole(words[1], line, "the function") if len(words) > 1 else 0
        if function not in (1, 2, 3) or len(words) < 3 or (function == 3 and len(words) % 2 == 1):
            raise InputError(f"{line.where}: [ virtual_sitesn ] has a site, function 1, 2 or 3, and atoms, each with a weight for function 3")
        site = self._number_of(words[0], line, molecule)
        atoms = tuple(self._number_of(word, line, molecule) for word in words[2 :: 2 if function == 3 else 1])
        if len({site, *atoms}) < 1 + len(atoms):
            raise InputError(f"{line.where}: [ virtual_sitesn ] names an atom twice")
        if function == 3:
            weights = [read_real(word, line, "a weight") for word in words[3::2]]
        else:
            weights = [molecule.atoms[k].mass if function == 2 else 1.0 for k in atoms]
        if sum(weights) == 0.0:
            raise InputError(f"{line.where}: [ virtual_sitesn ] has weights that sum to 0")
        if len(atoms) > 3:
            molecule.refused.setdefault("[ virtual_sitesn ] of more than three atoms", []).append(line)
            return
        given = tuple(weight / sum(weights) for weight in weights[1:])
        molecule.entries.setdefault(f"virtual_sites{len(atoms)}", []).append(Entry(1, (site, *atoms), given, line))

    def _entry(self, line: Line, words: list[str]) -> None:
        """Reads a line of a term in a molecule."""
        molecule, directive = self._inside(line), self._directive
        if directive == "position_restraints":
            molecule.restraints.append(self._restraint(line, words, molecule))
        elif directive in REFUSED:
            molecule.refused.setdefault(f"[ {directive} ] ({REFUSED[directive]})", []).append(line)
        else:
            count = next(iter(FORMS[directive].values())).atoms
            if len(words) < count:
                raise InputError(f"{line.where}: [ {directive} ] has {count} atoms, then a function, then numbers")
            atoms = tuple(self._number_of(word, line, molecule) for word in words[:count])
            if len(set(atoms)) < count:
                raise InputError(f"{line.where}: [ {directive} ] names an atom twice")
            function = read_whole(words[count], line, "the function") if len(words) > count else 1
            swapped = function < 0 and directive.startswith("virtual") and len(words) == count + 1
            function = -function if swapped else function
            if (directive, function) in REFUSED:
                what = f"[ {directive} ] of function {function} ({REFUSED[directive, function]})"
                molecule.refused.setdefault(what, []).append(line)
                return
            if function not in FORMS[directive]:
                raise InputError(
                    f"{line.where}: [ {directive} ] has no function {function}; it has {', '.join(map(str, FORMS[directive]))}"
                )
            numbers = [read_real(word, line, "a parameter") for word in words[count + 1 :]]
            given, second = self._numbers(directive, function, numbers, line) if numbers else ((), False)
            if second:
                molecule.second.append(line)
            molecule.entries.setdefault(directive, []).append(Entry(function, atoms, given, line, swapped))

    def _restraint(self, line: Line, words: list[str], molecule: Raw) -> Restraint:
        """A restraint: springs along the axes (function 1), or a flat bottom with a shape, a radius and a constant (function 2)."""
        function = read_whole(words[1], line, "the function") if len(words) > 1 else 0
        if function not in (1, 2) or len(words) not in (5, 8):
            raise InputError(f"{line.where}: [ position_restraints ] has an atom, function 1 or 2, and three numbers, or six with a second state")
        atom = self._number_of(words[0], line, molecule)
        numbers = [read_real(word, line, "a parameter") for word in words[2:]]
        one, two, three = numbers[:3]
        if numbers[3:] not in ([], numbers[:3]):
            molecule.second.append(line)
        if function == 1:
            k, flat = (one, two, three), 0.0
        elif one not in FLAT_BOTTOMS or two < 0.0:
            raise InputError(f"{line.where}: a flat bottom of shape {one:g} and radius {two:g}; the shape must be 1 to 8 and the radius positive (inverted ones are not supported)")
        else:
            k, flat = tuple(three * axis for axis in FLAT_BOTTOMS[int(one)]), two * NM
        if min(k) < 0.0:
            raise InputError(f"{line.where}: a position restraint of {min(k):g}; it must be 0 or more")
        return Restraint(atom, tuple(x * KJ / NM**2 for x in k), flat)

    def _title(self, line: Line, _: list[str]) -> None:
        self._system.title = self._system.title or line.text

    def _content(self, line: Line, words: list[str]) -> None:
        if len(words) != 2:
            raise InputError(f"{line.where}: [ molecules ] has a name and a number a line")
        count = read_whole(words[1], line, "how many molecules")
        name = next((n for n in self._raw if n == words[0]), None) or next((n for n in self._raw if n.lower() == words[0].lower()), None)
        if name is None:
            raise InputError(f"{line.where}: unknown moleculetype {words[0]}{near(words[0], self._raw)}")
        if count < 0:
            raise InputError(f"{line.where}: {count} molecules")
        self._contents.append((name, count, line))

    _DIRECTIVES = {
        "defaults": _defaults_row,
        "atomtypes": _atomtype,
        "nonbond_params": _nonbonded,
        "cmaptypes": _cmaptype,
        "moleculetype": _moleculetype,
        "atoms": _atom,
        "exclusions": _exclusion,
        "virtual_sitesn": _site_of_many,
        "system": _title,
        "molecules": _content,
    }

    # --- the whole ----------------------------------------------------------------------------------------------------

    def _finish(self) -> System:
        system = self._system
        used = [name for name, count, _ in self._contents if count > 0]
        if not used:
            what = "names no molecules" if self._contents else "is missing"
            raise InputError(f"{self.path}: [ molecules ] {what}, so the system is empty; a .top ends with it, an .itp does not")
        refused = dict(self._refused)
        for name in dict.fromkeys(used):
            if self._raw[name].wrong is not None:
                raise self._raw[name].wrong
            for what, lines in self._raw[name].refused.items():
                refused[what] = refused.get(what, []) + lines
        if refused:
            counted = "; ".join(
                f"{what}, " + (f"once, in {lines[0].where}" if len(lines) == 1 else f"{len(lines)} times, first in {lines[0].where}")
                for what, lines in refused.items()
            )
            raise InputError(f"{self.path} needs features that Holonom lacks: {counted}")
        for name, count, _ in self._contents:
            if count > 0:
                system.contents.append((name, count))
                if name not in system.molecules:
                    system.molecules[name] = self._made(self._raw[name])
        names = dict.fromkeys(atom.type for molecule in system.molecules.values() for atom in molecule.atoms)
        system.types = {name: self._types[name][3] for name in names}
        for (one, other), lj in self._pairs.items():
            if one in names and other in names and not same_lj(lj, mixed(system.rule, system.types[one], system.types[other])):
                system.pairs[one, other] = lj
        for molecule in system.molecules.values():
            self._sites_see(molecule)
        system.family = self._family()
        system.notes += [f"No term uses the table {path}." for path, used in self._tables.items() if not used]
        words = sorted(word for word in self._source.skipped - set(self._source.defined) if not word.startswith("_"))
        if words:
            system.notes.append(f"The topology has optional parts that were left out: {', '.join(words)}; --define NAME includes one.")
        return system

    def _family(self) -> str:
        for word, family in (("_FF_CHARMM", "charmm"), ("_FF_AMBER", "amber"), ("_FF_OPLS", "opls"), ("_FF_GROMOS96", "gromos")):
            if word in self._source.defined:
                return family
        rule, _, lj, qq = self._defaults or (0, False, 0.0, 0.0)
        if rule == 1:
            return "gromos"
        if rule == 3:
            return "opls"
        if rule == 2 and abs(lj - 0.5) < 1e-3 and abs(qq - 5.0 / 6.0) < 1e-3:
            return "amber"
        urey = any("urey-bradley" in molecule.terms for molecule in self._system.molecules.values())
        return "charmm" if rule == 2 and lj == qq == 1.0 and urey else ""

    def _made(self, raw: Raw) -> Molecule:
        if not raw.atoms:
            raise InputError(f"{raw.line.where}: molecule {raw.name} has no atoms")
        molecule = Molecule(raw.name, list(raw.atoms), exclude=raw.apart)
        molecule.lines = {("atom", (k,)): line.where for k, line in enumerate(raw.atom_lines)}
        bonds: list[Pair] = []
        for directive in FORMS:
            for entry in raw.entries.get(directive, ()):
                form = FORMS[directive][entry.function]
                if form.ties and form.atoms == 2:
                    bonds.append((entry.atoms[0], entry.atoms[1]))
                for numbers in self._of(directive, entry, raw):
                    for name, values, *order in form.make(*numbers):
                        atoms = tuple(entry.atoms[k] for k in order[0]) if order else entry.atoms
                        self._put(molecule, directive, name, values, entry._replace(atoms=atoms), bonds)
        if raw.second:
            self._system.notes.append(
                f"{raw.name}: {len(raw.second)} line{'s' * (len(raw.second) > 1)} (first {raw.second[0].where}) have a second state (free-energy perturbation) "
                "that differs from the first; the first one, A, is taken."
            )
        molecule.excluded = within(len(raw.atoms), bonds, raw.apart) | raw.excluded
        molecule.virtual = [self._between(molecule, site, raw.line) if site.kind == "1" else site for site in molecule.virtual]
        for site in molecule.virtual:
            if molecule.atoms[site.atom].mass != 0.0:
                self._system.notes.append(
                    f"{raw.name}, atom {site.atom + 1}: its mass of {molecule.atoms[site.atom].mass:g} is taken off, as GROMACS does: it is a virtual site"
                )
                molecule.atoms[site.atom] = molecule.atoms[site.atom]._replace(mass=0.0)
        placed = {site.atom for site in molecule.virtual}
        molecule.bonds = [pair for pair in molecule.bonds if placed.isdisjoint(pair)]
        for restraint in raw.restraints:
            if molecule.atoms[restraint.atom].mass == 0.0:
                raise InputError(f"{raw.line.where}: {raw.name}, atom {restraint.atom + 1}: a position restraint of a virtual site is not supported")
        molecule.restraints = [r for r in raw.restraints if max(r.k) > 0.0]
        return molecule

    def _sites_see(self, molecule: Molecule) -> None:
        """Adds terms for pairs of a virtual site and a parent without an exclusion. These interact in GROMACS, but are never in
        Holonom's lists of pairs."""
        system, made = self._system, 0
        for i, j in sorted(molecule.placed() - molecule.excluded):
            one, other = (molecule.atoms[k] for k in (i, j))
            given = self._pairs.get((min(one.type, other.type), max(one.type, other.type)))
            lj = given or mixed(system.rule, system.types[one.type], system.types[other.type])
            if one.charge * other.charge != 0.0 or not lj.nothing:
                molecule.add("pair-14", (i, j), (*lj.sigma_epsilon, one.charge * other.charge))
                made += 1
            molecule.excluded.add((i, j))
        if made:
            system.notes.append(
                f"{molecule.name}: no exclusion parts {made} pair{'s' * (made > 1)} of a virtual site and an atom that places it; as in GROMACS they act on each other, "
                "and their energy is counted in lj_14 and coulomb_14."
            )

    @staticmethod
    def _between(molecule: Molecule, site: Virtual, line: Line) -> Virtual:
        """A site on an atom, as kind 2 with a = 0 towards an atom that it is excluded from."""
        taken = {site.parents[0], *(other.atom for other in molecule.virtual)}
        unseen = {k for pair in molecule.excluded if site.atom in pair for k in pair} - taken
        other = min(unseen, default=None)
        if other is None:
            raise InputError(f"{line.where}: {molecule.name}, atom {site.atom + 1}: a virtual site at its only excluded atom is not supported")
        return Virtual(site.atom, "2", (site.parents[0], other), (0.0,))

    def _put(self, molecule: Molecule, directive: str, name: str, values: tuple[float, ...], entry: Entry, bonds: list[Pair]) -> None:
        atoms, line = entry.atoms, entry.line
        kind = "virtual" if directive.startswith("virtual") else "pair-14" if directive == "pairs" else name
        of = atoms[:1] if kind == "virtual" else atoms
        molecule.lines[kind, of] = line.where
        if directive == "settles":
            o = atoms[0]
            if o + 2 >= len(molecule.atoms):
                raise InputError(
                    f"{line.where}: [ settles ] of atom {o + 1} requires the two atoms after it; {molecule.name} has {len(molecule.atoms)} atoms"
                )
            bonds += [(o, o + 1), (o, o + 2)]
            molecule.lines.update({("constraint", pair): line.where for pair in ((o, o + 1), (o, o + 2), (o + 1, o + 2))})
            molecule.constraints += [(o, o + 1, values[0]), (o, o + 2, values[0]), (o + 1, o + 2, values[1])]
        elif directive == "constraints":
            molecule.constraints.append((atoms[0], atoms[1], values[0]))
        elif directive.startswith("virtual"):
            molecule.virtual.append(Virtual(atoms[0], name, atoms[1:], values))
        elif directive == "pairs":
            lj = self._lj(values[0], values[1], line)
            factor = self._defaults[3] if self._defaults else 1.0
            qq = values[2] if entry.function == 2 else factor * molecule.atoms[atoms[0]].charge * molecule.atoms[atoms[1]].charge
            try:
                molecule.add("pair-14", atoms, (*lj.sigma_epsilon, qq))
            except ValueError as error:
                raise InputError(f"{line.where}: {error}") from None
        elif directive == "cmap":
            molecule.add(name, atoms, (self._system.grid(values),))
        elif name in TABLES:
            self._add_table(name, values[0], line)
            molecule.add(name, atoms, values)
        elif name == "":
            molecule.bonds.append((atoms[0], atoms[1]))
        else:
            molecule.add(name, atoms, values)

    def _add_table(self, term: str, number: float, line: Line) -> None:
        """Reads the table of a term unless an earlier term has it."""
        if number != round(number) or number < 0.0:
            raise InputError(f"{line.where}: the table's number is {number:g}; it must be a whole number, 0 or more")
        name = table_name(term, number)
        if name not in self._system.tables:
            path = gromacs_tables.find(term, int(number), list(self._tables), self.path, line.where)
            self._tables[path] = True
            self._system.tables[name] = gromacs_tables.read(path, term)

    def _of(self, directive: str, entry: Entry, raw: Raw) -> list[tuple[float, ...]]:
        """The numbers of an entry: its own, or those of its atoms' types."""
        form = FORMS[directive][entry.function]
        if entry.numbers or (form.numbers == 0 and directive != "cmap"):
            return [entry.numbers]
        if directive.startswith("virtual"):
            return [self._site_of(directive, entry, raw)]
        types = tuple(raw.atoms[k].type for k in entry.atoms)
        if directive == "pairs" and entry.function == 1:
            return [self._pair_of(types, entry.line)]
        names = tuple(self._types[name][0] for name in types)
        table = self._params.get((directive, OTHER_FUNCTIONS.get((directive, entry.function), entry.function)), {})
        if directive == "dihedrals":
            key = (str(entry.function), *names)
            if key not in self._matched:
                self._matched[key] = match_types(table, names)
            found = self._matched[key]
        else:  # the order of angles in a grid matters
            found = table.get(names) or (table.get(names[::-1]) if directive != "cmap" else None)
        atoms = " ".join(f"{k + 1} ({raw.atoms[k].name})" for k in entry.atoms)
        if not found:
            raise InputError(
                f"{entry.line.where}: no parameters of [ {directive} ] of function {entry.function} for atoms {atoms} of {raw.name}, of types {' '.join(names)}"
            )
        if isinstance(found, Rows) and found.second is not None:
            raw.second.append(found.second)
        if len(found) > 1 and entry.function != 9:
            raise InputError(
                f"{entry.line.where}: atoms {atoms} of {raw.name} have {len(found)} torsions by type; function {entry.function} uses one, function 9 all"
            )
        return found

    def _site_of(self, directive: str, entry: Entry, raw: Raw) -> tuple[float, ...]:
        """Numbers of a virtual site without numbers, from lengths and angles at rest."""
        if raw.rest is None:
            lengths: dict[tuple[int, int], float] = {}
            angles: dict[tuple[int, int, int], float] = {}
            for name in ("bonds", "constraints", "angles"):
                for of in raw.entries.get(name, ()):
                    rest = FORMS[name][of.function].numbers > 0 and (name, of.function) not in NO_REST
                    found = self._of(name, of, raw)[0] if rest else ()
                    if found and name == "angles":
                        i, j, k = of.atoms
                        angles.setdefault((min(i, k), j, max(i, k)), math.radians(found[0]))
                    elif found:
                        lengths.setdefault((min(of.atoms), max(of.atoms)), found[0])
            raw.rest = gromacs_sites.Rest(lengths, angles, [atom.type for atom in raw.atoms])
        found = gromacs_sites.numbers(directive, entry.function, entry.swapped, entry.atoms, raw.rest)
        if found is None:
            raise InputError(
                f"{entry.line.where}: the virtual site has no numbers, and bonds and angles of {raw.name} do not determine its position"
            )
        return found

    def _pair_of(self, types: tuple[str, ...], line: Line) -> tuple[float, ...]:
        """1-4 Lennard-Jones by the types' names, given or generated from other pairs, in the units of the file."""
        rule, generate, factor, _ = self._defaults or (0, False, 1.0, 1.0)
        table = self._params.get(("pairs", 1), {})
        found = table.get(types) or table.get(types[::-1])
        if found:
            return found[0]
        if not generate:
            raise InputError(f"{line.where}: no [ pairtypes ] of {' '.join(types)}, and gen-pairs is no")
        one, other = (self._types[name][3] for name in types)
        lj = self._pairs.get((min(types), max(types))) or mixed(self._system.rule, one, other)
        if rule == 1:
            return lj.b / (KJ * NM**6) * factor, lj.a / (KJ * NM**12) * factor
        return lj.a / NM, lj.b / KJ * factor


def read(path: str, defines: Mapping[str, str], include: Sequence[str] = (), tables: Sequence[str] = ()) -> System:
    """Reads a topology, its includes, and the tables that it uses. InputError: with file, line and name."""
    return Reader(path, defines, include, tables).read()
