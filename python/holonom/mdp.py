"""Converts the truncation of forces in a file of GROMACS's settings (.mdp) to keys of ``forces``."""

from __future__ import annotations

import math
import os
import re
from typing import Mapping, NamedTuple, Union

from . import digits
from ._library import InputError
from .molecules import visible


class Ends(NamedTuple):
    """Keys of ``forces`` with their values and reasons."""

    forces: Mapping[str, str]
    why: str


# The settings that are read, with GROMACS's defaults; names are compared without case, hyphens and underscores.
_KEYS = {
    "cutoff-scheme": "Verlet",
    "pbc": "xyz",
    "vdwtype": "Cut-off",
    "vdw-modifier": "Potential-shift",
    "rvdw": "1",
    "rvdw-switch": "0",
    "coulombtype": "Cut-off",
    "coulomb-modifier": "Potential-shift",
    "rcoulomb": "1",
    "epsilon-r": "1",
    "epsilon-rf": "0",
    "epsilon-surface": "0",
    "ewald-geometry": "3d",
    "DispCorr": "no",
    "energygrp-excl": "",
    "energygrp-table": "",
    "nwall": "0",
}
# Settings with one supported value.
_ONE = {"cutoff-scheme": "Verlet", "pbc": "xyz", "epsilon-r": "1", "epsilon-surface": "0", "ewald-geometry": "3d", "energygrp-excl": "", "energygrp-table": "", "nwall": "0"}
_SHIFTS = ("potential-shift", "potential-shift-verlet")
_MODIFIERS = {**dict.fromkeys(_SHIFTS, "shift"), "none": "plain", "exact-cutoff": "plain", "force-switch": "force-switch", "potential-switch": "switch"}
# Values that grompp replaces.
_TYPES = {"cut-off": "", "switch": "switch", "shift": "force-switch"}
_BY_ATOM = {"by": "atom"}  # also for waters, which matters if charges end at the cutoff
_TAILS = {"no": "false", "enerpres": "true", "allenerpres": "true"}


def _same(name: str) -> str:
    return re.sub("[-_]", "", name).lower()


class _Settings:
    def __init__(self, path: str) -> None:
        self.path = path
        self.value = dict(_KEYS)
        self.line: dict[str, int] = {}
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.readlines()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from None
        names = {_same(name): name for name in _KEYS}
        seen: dict[str, int] = {}
        for number, text in enumerate(lines, 1):
            key, equals, value = text.partition(";")[0].partition("=")
            if not key.strip() and not equals:
                continue
            if not equals or not key.strip():
                raise InputError(f"{path}, line {number}: '{visible(text.strip()[:60])}' is not a setting: write 'name = value'")
            same = _same(key.strip())
            if same in seen:
                raise InputError(f"{path}, line {number}: {visible(key.strip()[:60])} is in line {seen[same]}, too")
            seen[same] = number
            if same in names and (value.strip() or same.startswith("energygrp")):
                self.value[names[same]] = value.strip()
                self.line[names[same]] = number

    def refuse(self, name: str, why: str) -> InputError:
        at = f", line {self.line[name]}" if name in self.line else ""
        default = "" if name in self.line else ", GROMACS's default"
        return InputError(f"{self.path}{at}: {name} = {visible(self.value[name][:60])}{default}: {why}")

    def word(self, name: str, known: Union[Mapping[str, str], tuple[str, ...]]) -> str:
        value = self.value[name].lower().replace("_", "-")
        if value not in known:
            raise self.refuse(name, f"not supported; allowed: {', '.join(known)}")
        return value

    def number(self, name: str) -> float:
        try:
            value = digits.real(self.value[name])
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and value >= 0.0):
            raise self.refuse(name, "it must be 0 or more")
        return value

    def only(self, name: str, value: str) -> None:
        mine = self.value[name].lower()
        try:
            same = digits.real(mine) == digits.real(value)
        except ValueError:
            same = mine == value.lower()
        if not same:
            raise self.refuse(name, f"it must be {value}" if value else "not supported")


def _angstrom(nm: float) -> str:
    return f"{round(10.0 * nm, 9):.10g} A"


def _lennard_jones(of: _Settings) -> dict[str, str]:
    kind = _TYPES[of.word("vdwtype", _TYPES)] or _MODIFIERS[of.word("vdw-modifier", _MODIFIERS)]
    cutoff = of.number("rvdw")
    if cutoff == 0.0:
        raise of.refuse("rvdw", "a cutoff is required; without one use open space, --box none")
    forces = {"cutoff": _angstrom(cutoff), "truncation": kind}
    if kind.endswith("switch"):
        begin = of.number("rvdw-switch")
        if not 0.0 < begin < cutoff:
            raise of.refuse("rvdw-switch", f"the switch must begin between 0 and rvdw, {cutoff:g} nm")
        forces["switch"] = _angstrom(cutoff - begin)
    forces["tail"] = _TAILS[of.word("DispCorr", _TAILS)]
    return forces


def _coulomb(of: _Settings) -> dict[str, str]:
    kind = of.word("coulombtype", ("pme", "ewald", "reaction-field", "cut-off"))
    if kind in ("pme", "ewald"):  # their splitting does not change the sum
        return {"coulomb": kind}
    if of.number("rcoulomb") != of.number("rvdw"):
        raise of.refuse("rcoulomb", f"it must equal rvdw, {of.value['rvdw']} nm")
    if kind == "cut-off":  # GROMACS shifts it like a reaction field with permittivity 1
        shifted = of.word("coulomb-modifier", (*_SHIFTS, "none")) != "none"
        return {"coulomb": "reaction-field", "permittivity": "1", **_BY_ATOM} if shifted else {"coulomb": "cutoff", **_BY_ATOM}
    permittivity = of.number("epsilon-rf")
    if 0.0 < permittivity < 1.0:
        raise of.refuse("epsilon-rf", "it must be 0 (a conductor) or 1 or more")
    return {"coulomb": "reaction-field", **({"permittivity": f"{permittivity:.10g}"} if permittivity > 0.0 else {}), **_BY_ATOM}


def ends(path: str) -> Ends:
    """Reads the settings of pairs and ignores others. InputError: with file, line, setting and the unsupported value."""
    of = _Settings(path)
    for name, value in _ONE.items():
        of.only(name, value)
    forces = {**_lennard_jones(of), **_coulomb(of)}
    return Ends(forces, f"as {os.path.basename(path)} has it; its step, thermostat and constraints are not read")
