"""Files in folders that the program made: what stands on a folder's list, holonom.files, may be replaced, nothing else (engine/owned.h)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable, Union

from ._library import InputError

LIST = "holonom.files"
HEAD = "Files of Holonom in this folder; what is not named here is never replaced or removed.\n"


def check(folder: Path, names: Iterable[str], replace: bool) -> None:
    """Before anything is made: nothing lies under these names but, with `replace`, files on the list."""
    path = folder / LIST
    text = path.read_text("utf-8") if path.is_file() and not path.is_symlink() else ""
    if os.path.lexists(path) and not text.startswith(HEAD):
        raise InputError(f"{path} is no list of Holonom's files, which is kept under this name: move it away, or give another folder with -o")
    for name in names:
        for path in (folder / name, folder / (name + ".part")):
            if os.path.lexists(path) and (name not in text.split("\n") or path.is_symlink() or not path.is_file()):
                raise InputError(f"{path} was not left there by Holonom, and would be written over: move it away, or give another folder with -o")
        if os.path.lexists(folder / name) and not replace:
            raise InputError(f"{folder / name} exists; give another folder with -o, or say --force")


def begin(folder: Path) -> None:
    """A list, where there is none."""
    if not os.path.lexists(folder / LIST):
        (folder / LIST).write_text(HEAD, "utf-8")


def claim(folder: Path, name: str) -> bool:
    """Puts a name on the folder's list, before anything of that name is made. False: the folder has no list."""
    listed = folder / LIST
    if not listed.is_file():
        return False
    if name not in listed.read_text("utf-8").split("\n"):
        if os.path.lexists(folder / name):
            raise FileExistsError(f"{folder / name} is there, and not one of the program's files; take it away, or name another folder")
        with open(listed, "a", encoding="utf-8") as file:
            file.write(name + "\n")
    return True


def put(path: Path, data: Union[str, bytes]) -> None:
    """A file whole or not at all, in the place of what is there; never through a link."""
    part = path.with_name(path.name + ".part")
    if claim(path.parent, path.name):
        part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode("utf-8", "replace"))
    os.replace(part, path)
