"""The lines of a GROMACS topology, with includes, definitions and conditions resolved and comments removed.

The output of `gmx grompp -pp` does not change. A defined word is replaced by its text wherever it is a whole word.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Iterator, Mapping, NamedTuple, Optional, Sequence

from . import programs
from ._library import InputError

DEPTH_MOST = 64  # levels of includes
LINE_MOST = 1 << 16  # characters after replacements


class Line(NamedTuple):
    """A line that is not empty, and its place in words."""

    text: str
    path: str
    row: int

    @property
    def where(self) -> str:
        """The place for messages."""
        return f"{self.path}, line {self.row}"


def folders(more: Sequence[str] = ()) -> list[Path]:
    """Folders that are searched for includes after the folder of the including file."""
    found = [Path(folder) for folder in more]
    found += [Path(folder) for folder in os.environ.get("GMXLIB", "").split(os.pathsep) if folder]
    if os.environ.get("GMXDATA"):
        found += [Path(os.environ["GMXDATA"]) / "top", Path(os.environ["GMXDATA"])]
    for program in ("gmx", "gmx_d", "gmx_mpi", "gmx_mpi_d"):
        at = programs.find(program)
        if at:
            found.append(Path(at).resolve().parent.parent / "share/gromacs/top")
    found += [Path("/usr/share/gromacs/top"), Path("/usr/local/gromacs/share/gromacs/top")]
    return list(dict.fromkeys(folder for folder in found if folder.is_dir()))


class Preprocessor:
    """The preprocessor of one topology. After all lines, `defined` has the defined words, and `skipped` the undefined words of
    conditions."""

    def __init__(self, defines: Mapping[str, str], include: Sequence[str] = ()) -> None:
        self.defined = dict(defines)
        self.skipped: set[str] = set()
        self._folders = folders(include)
        self._files: list[str] = []

    def lines(self, path: str) -> Iterator[Line]:
        """The lines of a file and of its includes."""
        if len(self._files) >= DEPTH_MOST:
            raise InputError(f"{path}: includes are nested {DEPTH_MOST} deep: does a file include itself?")
        self._files.append(path)
        conditions: list[tuple[bool, str, int]] = []  # whether it is true, its word, its line
        for row, text in _joined(path):
            where = f"{path}, line {row}"
            if text.startswith("#"):
                yield from self._command(text, where, conditions, row)
            elif all(holds for holds, _, _ in conditions):
                text = self._replaced(text, where)
                if text:
                    yield Line(text, path, row)
        if conditions:
            raise InputError(f"{path}, line {conditions[-1][2]}: the condition on {conditions[-1][1]} has no #endif")
        self._files.pop()

    def _command(self, text: str, where: str, conditions: list[tuple[bool, str, int]], row: int) -> Iterator[Line]:
        word, _, rest = text[1:].strip().partition(" ")
        rest = rest.strip()
        if word in ("ifdef", "ifndef"):
            if len(rest.split()) != 1:
                raise InputError(f"{where}: #{word} requires one word, not '{rest}'")
            known = rest in self.defined
            if all(holds for holds, _, _ in conditions) and not known:
                self.skipped.add(rest)
            conditions.append((known == (word == "ifdef"), rest, row))
        elif word in ("else", "endif"):
            if not conditions:
                raise InputError(f"{where}: #{word} without #ifdef or #ifndef")
            holds, name, begun = conditions.pop()
            if word == "else":
                conditions.append((not holds, name, begun))
        elif not all(holds for holds, _, _ in conditions):
            return
        elif word == "include":
            yield from self.lines(self._find(rest, where))
        elif word in ("define", "undef"):
            name, _, value = rest.partition(" ")
            if not name:
                raise InputError(f"{where}: #{word} requires a word")
            self.defined.pop(name, None)
            if word == "define":
                self.defined[name] = value.strip()
        else:
            raise InputError(f"{where}: #{word} is unknown; topologies have #include, #define, #undef, #ifdef, #ifndef, #else and #endif")

    def _find(self, named: str, where: str) -> str:
        # As in grompp, the name ends at the next quote or at the end of the line, and the rest is ignored.
        name = re.split('[">]', named[1:])[0].strip() if named[:1] in ('"', "<") else ""
        if not name:
            raise InputError(f'{where}: #include requires a file in quotes, as in #include "spce.itp", not {named or "nothing"}')
        beside = Path(self._files[-1]).parent
        for folder in [beside, *self._folders]:
            if os.path.isfile(folder / name):
                return str(folder / name)
        looked = ", ".join(str(folder) for folder in [beside, *self._folders])
        raise InputError(f'{where}: the include "{name}" does not exist in {looked}: name its folder with --include DIR or $GMXLIB')

    def _replaced(self, text: str, where: str) -> str:
        """The text with every defined word replaced, repeatedly."""
        for _ in range(DEPTH_MOST):
            words = text.split()
            if not any(self.defined.get(word) for word in words):
                return text
            text = " ".join(self.defined.get(word) or word for word in words)
            if len(text) > LINE_MOST:
                break
        raise InputError(
            f"{where}: definitions of {next(word for word in words if self.defined.get(word))} refer to each other without end"
        )


def _joined(path: str) -> Iterator[tuple[int, str]]:
    """Rows with their numbers: continued rows joined, without comments and surrounding blanks."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            rows = file.read().replace("\t", " ").split("\n")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if any("\0" in row for row in rows):
        raise InputError(f"{path} is not a text file")
    begun: Optional[int] = None
    text = ""
    for k, row in enumerate(rows, 1):
        begun = begun or k
        row = row.rstrip()
        if row.endswith("\\") and k < len(rows):
            text += row[:-1] + " "
            continue
        text = (text + row).partition(";")[0].strip()
        if text and not text.startswith("*"):
            yield begun, text
        begun, text = None, ""
