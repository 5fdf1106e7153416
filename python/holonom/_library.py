"""The functions of holonom.h through ctypes, with errors as exceptions."""

from __future__ import annotations

import ctypes
import json
import os
import re
import threading
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any

SONAME = "libholonom.so.0"
AKMA_FS = 48.88821  #: femtoseconds in one AKMA unit of time

OK, INPUT, RUN, MEMORY, IO = 0, 2, 3, 4, 5
FORCE, RESUME, OTHER_BUILD = 1, 2, 4
ALL = -1  # replicas
FIELDS = {"positions": 0, "momenta": 1, "velocities": 2, "forces": 3}


class Error(Exception):
    """The library's message: the fault, its place and the remedy."""


class InputError(Error, ValueError):
    """The input or an argument is wrong."""


class RunError(Error, RuntimeError):
    """A run failed; the message names the step and the molecule."""


class FileError(Error, OSError):
    """The system refused to open, read or write a file."""


class hol_error(ctypes.Structure):
    _fields_ = [("status", c_int), ("message", ctypes.c_char * 2048)]


class hol_force_call(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("step", c_int64),
        ("replica", c_int),
        ("replicas", c_int),
        ("sites", c_int),
        ("dimensions", c_int),
        ("x", c_void_p),
        ("box", c_void_p),
        ("f", c_void_p),
        ("energy", c_void_p),
        ("virial", c_void_p),
        ("parameters", c_int),
        ("parameter", c_void_p),
        ("slope", c_void_p),
    ]


class hol_topology(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("sites", c_int),
        ("molecules", c_int),
        ("kinds", c_int),
        ("bonds", c_int),
        ("site_name", POINTER(c_char_p)),
        ("mass", c_void_p),
        ("charge", c_void_p),
        ("molecule", c_void_p),
        ("kind", c_void_p),
        ("kind_name", POINTER(c_char_p)),
        ("first_site", c_void_p),
        ("first_constraint", c_void_p),
        ("bond", c_void_p),
        ("element", POINTER(c_char_p)),
        ("type_name", POINTER(c_char_p)),
        ("residue_name", POINTER(c_char_p)),
        ("residue", c_void_p),
        ("chain", POINTER(c_char_p)),
    ]


class hol_virtual_sites(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("sites", c_int),
        ("name", POINTER(c_char_p)),
        ("charge", c_void_p),
        ("molecule", c_void_p),
        ("site_charge", c_void_p),
    ]


Observer = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(hol_error))
Force = CFUNCTYPE(c_int, c_void_p, POINTER(hol_force_call), POINTER(hol_error))
Listener = CFUNCTYPE(None, c_void_p, c_char_p)

_simulation, _doubles, _strings = c_void_p, c_void_p, POINTER(c_char_p)
# Functions that can fail, with their arguments before the hol_error *; `call` raises exceptions.
_calls = {
    "open": (POINTER(c_void_p), c_char_p, _strings, c_int),
    "open_text": (POINTER(c_void_p), c_char_p, c_char_p, _strings, c_int),
    "start": (_simulation,),
    "step": (_simulation, c_int64),
    "run": (_simulation, c_char_p, c_uint),
    "get": (_simulation, c_int, c_int, _doubles),
    "set": (_simulation, c_int, c_int, _doubles),
    "get_box": (_simulation, c_int, _doubles),
    "set_box": (_simulation, c_int, _doubles),
    "evaluate": (_simulation, c_int, _doubles, _doubles, _doubles, _doubles),
    "look": (_simulation, c_int, _doubles),
    "multipliers": (_simulation, c_int, _doubles),
    "project": (_simulation, c_int),
    "draw": (_simulation, c_int),
    "get_temperature": (_simulation, c_int, _doubles),
    "set_temperature": (_simulation, c_int, _doubles),
    "get_ladder": (_simulation, c_int, _doubles),
    "parameter_get": (_simulation, c_int, c_int, _doubles),
    "parameter_set": (_simulation, c_int, c_int, _doubles),
    "parameter_energies": (_simulation, c_int, c_int, _doubles, _doubles, _doubles),
    "get_virtual_sites": (_simulation, POINTER(hol_virtual_sites)),
    "place_sites": (_simulation, _doubles, _doubles),
    "spread_sites": (_simulation, _doubles, _doubles, _doubles),
    "get_topology": (_simulation, POINTER(hol_topology)),
    "set_timestep": (_simulation, c_double),
    "set_friction": (_simulation, c_double),
    "add_observer": (_simulation, c_int64, Observer, c_void_p),
    "remove_observer": (_simulation, Observer, c_void_p),
    "add_force": (_simulation, Force, c_void_p, c_uint),
    "remove_force": (_simulation, Force, c_void_p),
    "listen": (_simulation, Listener, c_void_p),
    "save": (_simulation, c_char_p),
    "load": (_simulation, c_char_p),
    "save_memory": (_simulation, c_void_p, c_size_t, POINTER(c_size_t)),
    "load_memory": (_simulation, c_char_p, c_size_t),
    "keys": (POINTER(c_void_p),),
    "waters": (POINTER(c_void_p),),
}
# Functions that cannot fail: result and arguments.
_queries = {
    "version": (c_char_p,),
    "close": (None, _simulation),
    "stop": (None, _simulation),
    "sort": (c_char_p, _simulation),
    "replicas": (c_int, _simulation),
    "dimensions": (c_int, _simulation),
    "sites": (c_int, _simulation),
    "molecules": (c_int, _simulation),
    "freedom": (c_int, _simulation),
    "constraints": (c_int, _simulation),
    "steps_done": (c_int64, _simulation),
    "time": (c_double, _simulation),
    "timestep": (c_double, _simulation),
    "friction": (c_double, _simulation),
    "columns": (c_int, _simulation),
    "column": (c_int, _simulation, c_char_p),
    "column_name": (c_char_p, _simulation, c_int),
    "column_unit": (c_char_p, _simulation, c_int),
    "parameters": (c_int, _simulation),
    "parameter_find": (c_int, _simulation, c_char_p),
    "parameter_name": (c_char_p, _simulation, c_int),
    "parameter_unit": (c_char_p, _simulation, c_int),
    "table_unit": (c_char_p, c_char_p, c_char_p),
    "free": (None, c_void_p),
}


def _candidates():
    """Paths of the library: $HOLONOM_LIBRARY alone, or the package's folder, lib folders above it, the build folder, and the loader's paths."""
    named = os.environ.get("HOLONOM_LIBRARY")
    if named:
        return [named]
    here = Path(__file__).resolve().parent
    found = [here / SONAME]
    for above in list(here.parents)[:5]:
        found += [above / SONAME, *above.glob(f"lib*/{SONAME}"), *above.glob(f"lib/*/{SONAME}")]
    found.append(here.parents[1] / "build" / SONAME)
    return [str(path) for path in found if path.exists()] + [SONAME]


def _load():
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as error:
            why = error
    else:
        raise ImportError(f"{SONAME} was not found ({why}); build all of Holonom (cmake --build build) or install it, or name the file in $HOLONOM_LIBRARY")
    for name, arguments in _calls.items():
        function = getattr(library, "hol_" + name)
        function.restype, function.argtypes = c_int, [*arguments, POINTER(hol_error)]
    for name, (result, *arguments) in _queries.items():
        function = getattr(library, "hol_" + name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


_forked = []
os.register_at_fork(after_in_child=lambda: _forked.append(True))


def unsafe_here():
    """Whether this is the main thread after a fork, where the library's threads do not exist."""
    return bool(_forked) and threading.current_thread() is threading.main_thread()


def apart(work, interrupt=lambda: None):
    """Runs work() in a thread of its own. Ctrl-C calls `interrupt`; KeyboardInterrupt is raised when work has ended."""
    failed, interrupted = [], None

    def guarded():
        try:
            work()
        except BaseException as error:  # raised again in the waiting thread
            failed.append(error)

    thread = threading.Thread(target=guarded, name="holonom")
    thread.start()
    while thread.is_alive():
        try:
            thread.join(0.1)
        except KeyboardInterrupt as error:
            interrupted = error
            interrupt()
    if interrupted is not None:
        raise interrupted
    if failed:
        raise failed[0]


def text(value):
    """The bytes of a path or text, for a const char *."""
    found = os.fsencode(value)
    if b"\0" in found:
        raise ValueError(f"{value!r} has a zero byte")
    return found


# Names in the library's messages, and the names in this package.
_WORDS = (
    (r"hol_run with HOL_RESUME", "run(folder, resume=True)"),
    (r"\bHOL_(FORCE|RESUME|OTHER_BUILD)\b", lambda flag: flag[1].lower() + "=True"),
    (r"hol_load, hol_load_memory", "load, load_bytes"),
    (r"\bhol_(\w+)", r"\1"),
)


def call(name, *arguments):
    """Calls hol_NAME(*arguments, &error) and raises an exception for a status other than HOL_OK."""
    error = hol_error()
    status = getattr(library, "hol_" + name)(*arguments, byref(error))
    if status == OK:
        return
    message = error.message.decode("utf-8", "replace")
    for word, own in _WORDS:
        message = re.sub(word, own, message)
    if status == MEMORY:
        raise MemoryError(message)
    raise {INPUT: InputError, IO: FileError}.get(status, RunError)(message)


def version() -> str:
    """The version of the library, such as "0.1.0"."""
    return library.hol_version().decode()


def table_unit(table, column):
    """The unit of a column of a CSV file for systems in AKMA units; None: unknown."""
    unit = library.hol_table_unit(table.encode(), column.encode())
    return None if unit is None else unit.decode()


def keys() -> list[dict[str, Any]]:
    """All keys of input files: a list of dicts with key, type, wanted, units, choices, default, systems and help."""
    return _json("keys")


def waters() -> list[dict[str, Any]]:
    """The water models: dicts with name, d_oh, angle, q_h, a, c, d_om, d_ol (A, degrees, e, kcal A^n/mol)."""
    return _json("waters")


def _json(name):
    text = c_void_p()
    call(name, byref(text))
    try:
        return json.loads(ctypes.string_at(text).decode())
    finally:
        library.hol_free(text)
