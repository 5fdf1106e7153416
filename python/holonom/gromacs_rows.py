"""Lines of GROMACS topologies: what they become as they are read, numbers and names in them, and matches of types."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass, field
from typing import Iterable, Mapping, NamedTuple, Optional

from . import digits, gromacs_sites
from ._library import InputError
from .molecules import LJ, Atom, Pair, Restraint
from .preprocess import Line


class Entry(NamedTuple):
    """A line of a term: function, atoms from 0, numbers, place in the file."""

    function: int
    atoms: tuple[int, ...]
    numbers: tuple[float, ...]
    line: Line
    swapped: bool = False  # for virtual sites without numbers: on the other side


@dataclass
class Raw:
    """A molecule as read from its lines."""

    line: Line
    name: str
    apart: int
    atoms: list[Atom] = field(default_factory=list)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    excluded: set[Pair] = field(default_factory=set)
    atom_lines: list[Line] = field(default_factory=list)
    refused: dict[str, list[Line]] = field(default_factory=dict)  # features that Holonom lacks, and their lines
    second: list[Line] = field(default_factory=list)  # lines whose state B differs
    wrong: Optional[InputError] = None  # the first error, raised if the molecule is used
    rest: Optional[gromacs_sites.Rest] = None
    restraints: list[Restraint] = field(default_factory=list)


def near(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), 1)
    return f"; the nearest is {close[0]}" if close else ""


class Rows(list):
    """Numbers of one key of a table of parameters; `second`: a line whose state B differs."""

    second: Optional[Line] = None


def define_hint(text: str) -> str:
    """Advice for a word in the place of a number."""
    word = re.fullmatch("[A-Za-z_][A-Za-z_0-9]*", text)
    return f"; nothing defines that word: as 'define' of an mdp file does, --define {text}=NUMBER gives it a value" if word else ""


def read_real(text: str, line: Line, what: str) -> float:
    try:
        return digits.real(text)
    except ValueError:
        raise InputError(f"{line.where}: {what} must be a number, not '{text}'{define_hint(text)}") from None


def read_whole(text: str, line: Line, what: str) -> int:
    try:
        return digits.whole(text)
    except ValueError:
        raise InputError(f"{line.where}: {what} must be a whole number, not '{text}'{define_hint(text)}") from None


def is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit()


def same_name(name: str) -> str:
    """The name of a directive without case, hyphens and underscores, as GROMACS compares it."""
    return re.sub("[-_]", "", name).lower()


def same_lj(one: LJ, other: LJ) -> bool:
    return all(math.isclose(x, y, rel_tol=1e-12) for x, y in zip(one.c12_c6, other.c12_c6))


def match_types(table: Mapping[tuple[str, ...], list[tuple[float, ...]]], names: tuple[str, ...]) -> Optional[list[tuple[float, ...]]]:
    """The first of the matching rows with the fewest wildcards X."""
    best, most = None, -1
    for key, found in table.items():
        for order in (names, names[::-1]):
            if all(k in ("X", name) for k, name in zip(key, order)):
                score = 4 - key.count("X")
                if score > most:
                    best, most = found, score
    return best
