"""Files that the program may replace: those on a folder's list, holonom.files (base/manifest.h)."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Iterable, Iterator, Mapping, Union

from ._library import FileError, InputError

LIST = "holonom.files"
HEAD = "Files of Holonom in this folder; what is not named here is never replaced or removed.\n"
TORN = "?"  # ends a line of the list that a kill cut off (base/manifest_list.c)
STAGE = "replace.part"  # a folder in which files wait until all of them can be replaced together
LOCK = "holonom.lock"  # of a run at work
LONGEST = 60  # s from a claim to its file, at most
OLD = ".old"  # appended to the names of replaced files in that folder


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turns an error of the system into a FileError that names the file."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or error}") from None


def _names(folder: Path) -> list[str]:
    """The names on the folder's list, without a last one that a kill cut off."""
    path = folder / LIST
    text = path.read_text("utf-8") if path.is_file() and not path.is_symlink() else HEAD
    return text.split("\n")[1:-1]


def check(folder: Path, names: Iterable[str], replace: bool) -> None:
    """FileError: a file has one of these names; with `replace`, files on the list are allowed."""
    path = folder / LIST
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file() or not path.read_text("utf-8").startswith(HEAD)):
        raise InputError(f"{path} is not a list of Holonom's files, which has this name: move it away, or give another folder with -o")
    listed = _names(folder)
    for name in names:
        for path in (folder / name, folder / (name + ".part")):
            if os.path.lexists(path) and (name not in listed or path.is_symlink() or not path.is_file()):
                raise InputError(f"{path} was not written by Holonom and would be replaced: move it away, or give another folder with -o")
        if os.path.lexists(folder / name) and not replace:
            raise InputError(f"{folder / name} exists: give another folder with -o, or --force")
    stage = folder / STAGE
    if os.path.lexists(stage) and (STAGE + "/" not in listed or stage.is_symlink() or not stage.is_dir()):
        raise InputError(f"{stage} was not made by Holonom, which needs a folder of this name: move it away, or give another folder with -o")


def begin(folder: Path) -> None:
    """Makes a list if the folder has no list."""
    if not os.path.lexists(folder / LIST):
        with _writing(folder / LIST):
            (folder / LIST).write_text(HEAD, "utf-8")


def _lock(file: int) -> bool:
    """Locks a file. False: another process has the lock, or the file system has no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def begin_locked(folder: Path) -> int:
    """Makes a list in a new folder and locks it while the folder is filled; the caller closes the descriptor."""
    with _writing(folder / LIST):
        file = os.open(folder / LIST, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            _lock(file)
            os.write(file, HEAD.encode("utf-8"))
        except OSError:
            os.close(file)
            raise
    return file


def remove_left(target: Path) -> None:
    """Removes folders that killed calls were filling for `target`: files on the list of a folder without a lock."""
    for folder in target.parent.glob(f".{glob.escape(target.name)}.*"):
        with contextlib.suppress(OSError):
            file = os.open(folder / LIST, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if folder.is_symlink() or not _lock(file) or not (folder / LIST).read_text("utf-8").startswith(HEAD):
                    continue
                for name in (*_names(folder), LIST):
                    for path in (folder / name, folder / (name + ".part")):
                        if "/" not in name:  # names in the folder only, also in a list of another program
                            path.unlink(missing_ok=True)
                folder.rmdir()
            finally:
                os.close(file)


def claim(folder: Path, name: str) -> bool:
    """Adds a name to the folder's list, before its file is made. False: the folder has no list."""
    listed = folder / LIST
    if not listed.is_file():
        return False
    if name not in _names(folder):
        if os.path.lexists(folder / name):
            raise FileExistsError(f"{folder / name} exists and is not one of the program's files: remove it, or name another folder")
        with _writing(listed), open(listed, "r+b") as file:
            text = file.read()
            file.write(("" if text.endswith(b"\n") else f"{TORN}\n").encode() + name.encode("utf-8") + b"\n")
            file.flush()
            os.fsync(file.fileno())
    return True


def _is_settled(folder: Path) -> bool:
    """Whether no command is about to make files that it has claimed (base/manifest.c)."""
    path = folder / LIST
    return path.is_file() and not os.path.lexists(folder / LOCK) and time.time() - path.stat().st_mtime > LONGEST


def _release(folder: Path, name: str, gone: bool) -> None:
    """Removes a name from the folder's list; with `gone`, also those of missing files."""
    part = folder / (LIST + ".part")

    def stays(line: str) -> bool:
        lies = any(os.path.lexists(folder / (line + behind)) for behind in ("", ".part"))
        return line != name and (lies or not gone or line.endswith("/"))

    with _writing(folder / LIST):
        part.unlink(missing_ok=True)
        _create(part, (HEAD + "".join(f"{line}\n" for line in _names(folder) if stays(line))).encode("utf-8"))
        os.replace(part, folder / LIST)


def _create(path: Path, data: bytes) -> None:
    """Writes a new file and flushes it to the disk; removes it if that fails."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb", buffering=0) as file:
        try:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def put(path: Path, data: Union[str, bytes]) -> None:
    """Writes or replaces a file completely or not at all, never through a link. FileError: names the file."""
    part = path.with_name(path.name + ".part")
    claimed = claim(path.parent, path.name)
    with _writing(path):
        if claimed:
            part.unlink(missing_ok=True)
        _create(part, data if isinstance(data, bytes) else data.encode("utf-8", "replace"))
        os.replace(part, path)


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Delays signals that end the program until the block is done."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _take_back(folder: Path, stage: Path) -> None:
    """Moves old files from the stage back to their names."""
    for old in sorted(stage.glob("*" + OLD)):
        with _writing(folder / old.name):
            os.replace(old, folder / old.name[: -len(OLD)])


def _swap(folder: Path, stage: Path, names: list[str]) -> None:
    """Replaces old files by new ones from the stage. The last name is removed first and written last: after a kill in between the
    folder lacks it, so that a mixture of files does not look complete."""
    moved = []
    try:
        for name in reversed(names):
            with _writing(folder / name):
                if os.path.lexists(folder / name):
                    os.replace(folder / name, stage / (name + OLD))
        for name in names:
            with _writing(folder / name):
                os.replace(stage / name, folder / name)
            moved.append(name)
    except BaseException:
        for name in moved:
            (folder / name).unlink(missing_ok=True)
        _take_back(folder, stage)
        raise


def put_all(folder: Path, texts: Mapping[str, bytes]) -> None:
    """Writes all files or no file in an existing folder; the last file names the others. FileError: names the file that could not be
    written; existing files are unchanged."""
    settled = _is_settled(folder)
    begin(folder)
    for name in (*texts, STAGE + "/"):
        claim(folder, name)
    stage = folder / STAGE
    with _writing(stage):
        if stage.is_dir():  # a kill left it
            _take_back(folder, stage)
            shutil.rmtree(stage)
        stage.mkdir()
    try:
        for name, text in texts.items():
            with _writing(folder / name):
                _create(stage / name, text)
        with _signals_wait():
            _swap(folder, stage, list(texts))
    except BaseException:
        for name in texts:
            (stage / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            stage.rmdir()  # not empty if an old file could not be moved back
        raise
    shutil.rmtree(stage, ignore_errors=True)
    if not stage.exists():
        with contextlib.suppress(FileError):  # a superfluous name does no harm
            _release(folder, STAGE + "/", settled)
