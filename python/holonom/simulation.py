"""A simulation in memory."""

from __future__ import annotations

import html
import json
import operator
import os
import threading
import time
from ctypes import byref, c_char_p, c_double, c_int, c_size_t, c_void_p, create_string_buffer, sizeof
from typing import Any, Mapping, NoReturn, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _library
from ._library import AKMA_FS, FIELDS, call, library
from .arrays import Array, Columns, Evaluation, Settable, StateArray, view
from .functions import MEANWHILE, Functions
from .progress import Progress
from .results import Results
from .topology import Topology, VirtualSites

_STEPS_MOST = 2**63 - 1

# The duration of one call of the library, after which Ctrl-C and progress are handled.
_CALL_SECONDS = 0.1

def _plain(value):
    """Converts types without a JSON form: numbers and arrays of numpy, paths."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} cannot be a value of an input")


def _text_of(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_plain)


class Simulation(Functions):
    """A system of any type from its input, with all replicas, in memory.

    :param source: the name of an input file (a path, or a text without line breaks), its text, or a dict of its sections,
        ``{"system": {"model": "tip3p", "molecules": 7}, ...}``.
    :param changes: a dict ``{"integrator.timestep": "1 fs"}`` of keys that replace those of the source.

    Arrays are read-only copies of float64: to change the state, set whole arrays (``sim.positions = x``).
    Functions that require a start call `start`. Use a context manager, `close`, or the garbage collector. A Simulation can be
    neither copied nor pickled: `save` it, and `load` the file into another one of the same input.

    Several threads may use simulations of their own. A call on a simulation that another thread is stepping waits for
    that thread, except `stop`. A forked process has copies of its own.

    :raises InputError: for an input that is wrong.
    """

    __slots__ = ("__weakref__", "_handle", "_hooks", "_inside", "_listener", "_lock", "_raised", "_size", "_started")

    def __init__(self, source: Union[str, bytes, "os.PathLike[str]", dict], changes: Optional[Mapping[str, Any]] = None) -> None:
        self._handle = c_void_p()
        self._hooks = []  # the library calls them: they must not be freed
        self._listener = None  # likewise
        self._inside = threading.local()  # .what: the kind of the user's function in which this thread is
        self._lock = threading.RLock()
        self._raised = None
        self._started = False
        self._size = 1  # steps of the next call of the library
        if not isinstance(source, (str, bytes, os.PathLike, dict)) or source == "":
            raise TypeError(f"the source of a simulation must be a file's name, a text or a dict, not {source!r}")
        if not isinstance(changes or {}, Mapping):
            raise TypeError(f"changes must be a dict of keys and values, not {changes!r}")
        changes = [_library.text(f"{key}={_text_of(value)}".encode()) for key, value in (changes or {}).items()]
        changed = (c_char_p * len(changes))(*changes)
        if isinstance(source, dict):
            source = json.dumps(source, ensure_ascii=False, default=_plain) + "\n"
        if isinstance(source, str) and "\n" in source:
            call("open_text", byref(self._handle), b"input", _library.text(source.encode()), changed, len(changes))
        else:
            call("open", byref(self._handle), _library.text(source), changed, len(changes))

    # --- life ---

    def close(self) -> None:
        """Frees the simulation, which cannot be used any more."""
        self._refuse("close")
        with self._lock:
            handle, self._handle = self._handle, c_void_p()
            if handle:
                library.hol_close(handle)
            self._hooks = []

    def __enter__(self) -> Simulation:
        self._open  # or an exception
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:  # called by copy and pickle
        raise TypeError(
            "a simulation cannot be copied or pickled: save it to a file, and load the file into another Simulation of the same input"
        )

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def _repr_html_(self) -> str:
        """For notebooks: a table of the system and the steps done."""
        if not self._handle:
            return "<p>holonom.Simulation, closed</p>"
        rows = {name: getattr(self, name) for name in ("sort", "molecules", "sites", "replicas", "freedom", "constraints", "steps")}
        kelvin = np.unique(np.round(self.temperatures, 6))
        if not np.isnan(kelvin).any():
            rows["temperature" if len(kelvin) == 1 else "temperatures"] = ", ".join(f"{T:g}" for T in kelvin)
        cells = "".join(f"<tr><th>{name}</th><td>{html.escape(str(value))}</td></tr>" for name, value in rows.items())
        return f"<table><caption>holonom.Simulation</caption>{cells}</table>"

    def __repr__(self) -> str:
        if not self._handle:
            return "<holonom.Simulation, closed>"
        return (
            f"<holonom.Simulation of a {self.sort}: {self.molecules} molecules, {self.sites} sites, "
            f"{self.replicas} replicas, {self.steps} steps done>"
        )

    @property
    def _open(self):
        if not self._handle:
            raise ValueError("this simulation is closed")
        return self._handle

    def _refuse(self, name):
        """RuntimeError: a function of the user made a call that is not allowed inside it."""
        what = getattr(self._inside, "what", None)
        if what is not None and name not in MEANWHILE[what]:
            may = "may read, save and stop" if MEANWHILE[what] else "gets all that it may use of"
            raise RuntimeError(f"{what} {may} the simulation that calls it, and nothing else ({name})")

    def _call(self, name, *arguments):
        """Calls the library; an exception of a function of the user replaces the library's error."""
        self._refuse(name)

        def work():
            with self._lock:
                try:
                    call(name, self._open, *arguments)
                except Exception:
                    if self._raised is None:
                        raise
                raised, self._raised = self._raised, None
                if raised is not None:
                    raise raised from None

        if _library.unsafe_here():
            _library.apart(work)
        else:
            work()

    def _ask(self, name, *arguments):
        """The result of a query hol_NAME. Inside a function of the user the running call already has the lock."""
        if getattr(self._inside, "what", None) is not None:
            return getattr(library, "hol_" + name)(self._open, *arguments)
        with self._lock:
            return getattr(library, "hol_" + name)(self._open, *arguments)

    def _call_apart(self, name, *arguments):
        """Makes a long call in a thread of its own, so that Ctrl-C can stop it."""
        self._refuse(name)
        if threading.current_thread() is threading.main_thread():
            _library.apart(lambda: self._call(name, *arguments), self.stop)
        else:
            self._call(name, *arguments)

    # --- work ---

    def start(self) -> None:
        """Builds or reads the start, draws momenta, computes forces."""
        self._open  # or an exception
        if not self._started:
            self._call_apart("start")
            self._started = True

    def step(self, n: int = 1, progress: Optional[bool] = None) -> None:
        """Makes n steps of all replicas. The division of steps into calls does not change results.

        progress: whether to show progress; None: in terminals and notebooks, after a second.
        Ctrl-C ends the call between two steps with KeyboardInterrupt; the simulation can continue from there. Raises RunError
        if a run fails, and exceptions of observers and forces.
        """
        n = operator.index(n)
        if n < 0:
            raise ValueError(f"the number of steps must be 0 or more, not {n}")
        self._refuse("step")
        self.start()
        first = self.steps
        if n > _STEPS_MOST - first:
            raise ValueError(f"a simulation has at most 2**63 - 1 steps; after {first} it cannot make {n} more")
        bar = Progress(n, progress)
        try:
            while (done := self.steps - first) < n:
                bar.at(done)
                size = min(self._size, n - done)
                begun = time.monotonic()
                self._call("step", size)
                if self.steps - first < done + size:
                    break  # ended by `stop`
                took = time.monotonic() - begun
                if took > 2 * _CALL_SECONDS:
                    self._size = max(1, size // 2)
                elif size == self._size and took < _CALL_SECONDS / 2:
                    self._size *= 2
        finally:
            bar.close()

    def stop(self) -> None:
        """Ends the running (or else the next) call of `step`, `start` or `run`; may be called from any thread or an observer."""
        library.hol_stop(self._open)

    def run(
        self, folder: Union[str, "os.PathLike[str]"], force: bool = False, resume: bool = False, other_build: bool = False
    ) -> Results:
        """Makes the whole run that the input describes, in a folder, like ``holonom run``; returns its `Results`.

        The simulation must not have started; `step` continues from the end of the run. Observers are called.

        force: replaces the results of an earlier run; resume: continues it; other_build: continues it also if another build of
        the library began it. Ctrl-C ends the run cleanly, with all files and a checkpoint.
        """
        flags = force * _library.FORCE | resume * _library.RESUME | other_build * _library.OTHER_BUILD
        self._call_apart("run", _library.text(folder), flags)
        return Results(folder)

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Saves the state in a file, which may replace another saved state only."""
        self._call("save", _library.text(file))

    def load(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Loads a state that `save` wrote, of a simulation of the same input, without building a start. Later steps have the same bits."""
        self._call("load", _library.text(file))
        self._started = True

    def save_bytes(self) -> bytes:
        """The saved state, as bytes."""
        size = c_size_t()
        self._call("save_memory", None, 0, byref(size))
        memory = create_string_buffer(size.value)
        self._call("save_memory", memory, size.value, byref(size))
        return memory.raw

    def load_bytes(self, data: bytes) -> None:
        """Loads a state from `save_bytes`, of a simulation of the same input."""
        data = bytes(data)
        self._call("load_memory", data, len(data))
        self._started = True

    def project(self, replica: Optional[int] = None) -> None:
        """Projects positions of a replica (None: of all) onto the constraints, and momenta onto their tangent space, without the
        motions that the input removes.

        Use it for positions of few digits or another geometry, or in a scaled box. The projection reduces momenta: after moves
        that rotate molecules rotate momenta, too, or `draw` them.
        """
        self._call("project", _library.ALL if replica is None else operator.index(replica))

    def draw(self, replica: Optional[int] = None) -> None:
        """Draws momenta of a replica (None: of all) from the Maxwell distribution on the tangent space at its temperature.

        Each call draws new momenta; the same calls in another run draw the same ones.
        """
        self._call("draw", _library.ALL if replica is None else operator.index(replica))

    # --- the system ---

    @property
    def sort(self) -> str:
        """"cluster", "box", "sites" or "hamiltonian"."""
        return self._ask("sort").decode()

    @property
    def replicas(self) -> int:
        """The number of replicas (that of the input, rounded up)."""
        return self._ask("replicas")

    @property
    def dimensions(self) -> int:
        """Of a site."""
        return self._ask("dimensions")

    @property
    def sites(self) -> int:
        """Of one replica, all molecules."""
        return self._ask("sites")

    @property
    def molecules(self) -> int:
        """Of one replica."""
        return self._ask("molecules")

    @property
    def freedom(self) -> int:
        """Degrees of freedom of one replica."""
        return self._ask("freedom")

    @property
    def constraints(self) -> int:
        """Of one replica, all molecules."""
        return self._ask("constraints")

    @property
    def steps(self) -> int:
        """Steps done."""
        return self._ask("steps_done")

    @property
    def time(self) -> float:
        """The time of the steps done in AKMA units, as for velocities (times `AKMA_FS`: fs), or in reduced units."""
        return self._ask("time")

    @property
    def time_ps(self) -> float:
        """The time of the steps done, ps, as in the columns ``time_ps`` of CSV files. ValueError: reduced units."""
        if not any(self.units.values()):
            raise ValueError("a system in reduced units has no time in ps: use time")
        return self.time * AKMA_FS * 1e-3

    @property
    def topology(self) -> Topology:
        """Names, residues, elements, masses, charges, molecules, kinds and bonds."""
        t = _library.hol_topology(size=sizeof(_library.hol_topology))
        self._call("get_topology", byref(t))

        def array(address, type, *shape):
            return np.array(view(address, type, *shape))

        def texts(names, n):
            return [name.decode() for name in names[:n]]

        return Topology(
            texts(t.site_name, t.sites),
            array(t.mass, c_double, t.sites),
            array(t.charge, c_double, t.sites),
            array(t.molecule, c_int, t.sites),
            array(t.kind, c_int, t.molecules),
            texts(t.kind_name, t.kinds),
            array(t.bond, c_int, t.bonds, 2),
            array(t.first_site, c_int, t.molecules + 1),
            array(t.first_constraint, c_int, t.molecules + 1),
            texts(t.element, t.sites),
            texts(t.type_name, t.sites),
            texts(t.residue_name, t.sites),
            array(t.residue, c_int, t.sites),
            texts(t.chain, t.sites),
        )

    @property
    def virtual_sites(self) -> VirtualSites:
        """Virtual sites: names, charges, positions, and the effect of forces on them."""
        t = _library.hol_virtual_sites(size=sizeof(_library.hol_virtual_sites))
        self._call("get_virtual_sites", byref(t))
        charges, molecules, site_charges = (
            np.array(view(*of)) for of in ((t.charge, c_double, t.sites), (t.molecule, c_int, t.sites), (t.site_charge, c_double, self.sites))
        )
        return VirtualSites(self, [name.decode() for name in t.name[: t.sites]], charges, molecules, site_charges)

    @property
    def masses(self) -> Array:
        """[sites], u."""
        return self.topology.masses

    @property
    def names(self) -> list[str]:
        """Names of the sites: a list of texts."""
        return self.topology.names

    # --- the state ---

    def _every_replica(self, name, *shape, before=()):
        """hol_NAME of all replicas: [replicas][shape], read-only, since it is a copy."""
        values = np.empty((self.replicas, *shape))
        self._call(name, *before, _library.ALL, values.ctypes.data)
        values = values.view(StateArray)
        values.flags.writeable = False
        return values

    def _get(self, field):
        return self._every_replica("get", self.sites, self.dimensions, before=(FIELDS[field],))

    def _array(self, what, values, replicas, *shape):
        """An array of the user's numbers for `replicas` replicas."""
        values = np.asarray(values)
        if values.dtype.kind not in "buif":
            raise TypeError(f"{what} must be real numbers, not {values.dtype}")
        if values.shape not in (shape, (replicas, *shape)):
            raise ValueError(f"{what} have the shape {values.shape}; it must be {(replicas, *shape)}, or {shape} for all replicas")
        if not np.isfinite(values).all():
            raise ValueError(f"{what} are not finite: the first is at {tuple(np.argwhere(~np.isfinite(values))[0].tolist())}")
        return np.array(np.broadcast_to(values, (replicas, *shape)), dtype=float, order="C")

    def _set_every_replica(self, what, name, values, *shape, before=()):
        """hol_NAME of all replicas."""
        values = self._array(what, values, self.replicas, *shape)
        self._call(name, *before, _library.ALL, values.ctypes.data)

    def _set(self, field, values):
        self._set_every_replica(field, "set", values, self.sites, self.dimensions, before=(FIELDS[field],))

    def _get_positions(self) -> Array:
        """[replicas][sites][dimensions], A. Set: of that shape, or [sites][dimensions] for all replicas.

        Momenta do not change: after rotating molecules rotate their momenta, too, or call `draw`; averages are otherwise too
        cold. Positions that violate constraints are an InputError at their next use: see `project`.
        """
        return self._get("positions")

    def _set_positions(self, x: npt.ArrayLike) -> None:
        self._set("positions", x)

    positions = Settable(_get_positions, _set_positions)

    def _get_momenta(self) -> Array:
        """[replicas][sites][dimensions], u A/AKMA; set as positions."""
        return self._get("momenta")

    def _set_momenta(self, p: npt.ArrayLike) -> None:
        self._set("momenta", p)

    momenta = Settable(_get_momenta, _set_momenta)

    def _get_velocities(self) -> Array:
        """[replicas][sites][dimensions], A/AKMA; set as positions."""
        return self._get("velocities")

    def _set_velocities(self, v: npt.ArrayLike) -> None:
        self._set("velocities", v)

    velocities = Settable(_get_velocities, _set_velocities)

    @property
    def forces(self) -> Array:
        """[replicas][sites][dimensions], kcal/mol/A: forces at the current positions, of molecules, formulas and added
        forces, without constraints and penalties. Read only."""
        return self._get("forces")

    def _get_box(self) -> Array:
        """[replicas][3][3] edges as rows, A; zero without a box. Set: of that shape, or [3][3]; positions do not change. Edges
        are (a_x, 0, 0), (b_x, b_y, 0), (c_x, c_y, c_z), and are returned as the reduced edges of the same lattice."""
        return self._every_replica("get_box", 3, 3)

    def _set_box(self, edges: npt.ArrayLike) -> None:
        self._set_every_replica("edges of the box", "set_box", edges, 3, 3)

    box = Settable(_get_box, _set_box)

    @property
    def ladder(self) -> npt.NDArray[np.int32]:
        """[replicas][2] of a ladder of temperatures (``exchange.temperatures``): the numbers of the ladder and of the current
        temperature (0 the lowest) of each replica. The numbers -1, -1 mark a spare replica that fills a batch of 8 or 16; it
        stays at the lowest temperature without exchanges. InputError: the input has no ladder."""
        places = np.empty((self.replicas, 2), np.int32)
        self._call("get_ladder", _library.ALL, places.ctypes.data)
        return places

    def _parameter_names(self):
        return [self._ask("parameter_name", i).decode() for i in range(self._ask("parameters"))]

    def _parameter(self, name):
        number = self._ask("parameter_find", name.encode())
        if number < 0:
            raise KeyError(f"the parameter {name!r} does not exist; existing: {', '.join(self._parameter_names()) or 'none'}")
        return number

    @property
    def parameters(self) -> dict[str, Array]:
        """{name: [replicas]} values of the parameters of the Hamiltonian: ``k`` and ``centre`` of restraints with a name
        (``pull.k``, ``pull.centre``) and those of the key ``parameters``. `set_parameter` changes them."""
        return {name: self._every_replica("parameter_get", before=(i,)) for i, name in enumerate(self._parameter_names())}

    @property
    def parameter_units(self) -> dict[str, str]:
        """{name: unit} of `parameters`; "" for pure numbers."""
        return {name: self._ask("parameter_unit", i).decode() for i, name in enumerate(self._parameter_names())}

    def set_parameter(self, name: str, values: npt.ArrayLike) -> None:
        """Sets a parameter of the Hamiltonian, [replicas] or one number for all; valid from the next step on. KeyError: unknown
        parameter. InputError: a ladder exchanges it."""
        self._set_every_replica("values of a parameter", "parameter_set", values, before=(self._parameter(name),))

    def parameter_energies(self, sets: Sequence[Mapping[str, float]] = ()) -> tuple[Array, dict[str, Array]]:
        """Energies as functions of the parameters: energies[replicas][sets], kcal/mol, of all replicas at their positions with each
        of the sets of values ``{name: value}`` in place of their own (other parameters keep their values); and
        {name: [replicas]} of dU/dparameter at their own values."""
        names, own = self._parameter_names(), self.parameters
        for values in sets:
            for name in values:
                self._parameter(name)
        energies, slopes = np.empty((self.replicas, len(sets))), np.empty((self.replicas, len(names)))
        alike = all((values == values[0]).all() for values in own.values())
        for r in [0] if alike else range(self.replicas):
            rows = np.array([[float(values.get(name, own[name][r])) for name in names] for values in sets]).reshape(len(sets), len(names))
            address = rows.ctypes.data, energies[r:].ctypes.data, slopes[r:].ctypes.data
            self._call("parameter_energies", _library.ALL if alike else r, len(sets), *address)
        return energies, {name: slopes[:, i] for i, name in enumerate(names)}

    @property
    def timestep(self) -> float:
        """The time step in AKMA units (times `AKMA_FS`: fs). Setting it between steps has the effect of the key from the next step
        on; `time` continues. It is saved with the state. InputError: the step is too long."""
        return self._ask("timestep")

    @timestep.setter
    def timestep(self, h: float) -> None:
        self._call("set_timestep", h)

    @property
    def friction(self) -> float:
        """The friction of Langevin's thermostat, 1/AKMA, or u/AKMA with ``thermostat.convention: uniform``; NaN: another thermostat.
        Set like `timestep`."""
        return self._ask("friction")

    @friction.setter
    def friction(self, gamma: float) -> None:
        self._call("set_friction", gamma)

    def _get_temperatures(self) -> Array:
        """[replicas] temperatures of the thermostat, K (reduced units: kT); NaN without a thermostat; a ladder exchanges them. Set: of that
        shape, or one number, valid from the next step on; momenta do not change (`draw`)."""
        return self._every_replica("get_temperature")

    def _set_temperatures(self, kelvin: npt.ArrayLike) -> None:
        self._set_every_replica("temperatures", "set_temperature", kelvin)

    temperatures = Settable(_get_temperatures, _set_temperatures)

    @property
    def units(self) -> dict[str, str]:
        """{name: unit} of the columns of `look`; "" for pure numbers."""
        names = [self._ask("column_name", i).decode() for i in range(self._ask("columns"))]
        return {name: self._ask("column_unit", i).decode() for i, name in enumerate(names)}

    def evaluate(self, positions: npt.ArrayLike, replica: Optional[int] = None) -> Evaluation:
        """Energies, forces and virials of positions, [replicas][sites][dimensions] or [sites][dimensions] for all replicas, in the
        boxes of the replicas. The state does not change; the cost is about one evaluation of forces.

        replica: this replica alone, at positions [sites][dimensions]; arrays are then of one replica.

        Energies are ``potential`` and ``bias`` of `look` and Fixman's potential, without penalties; positions may violate
        constraints. Forces are minus the gradients. (With penalties, accept Monte Carlo moves by ``configurational``.)"""
        n = self.replicas if replica is None else 1
        x = self._array("positions", positions, n, self.sites, self.dimensions)
        which = _library.ALL if replica is None else operator.index(replica)
        to = Evaluation(np.empty(n), np.empty(x.shape), np.empty((n, 3, 3)))
        self._call("evaluate", which, x.ctypes.data, *(values.ctypes.data for values in to))
        return to

    def look(self, replica: Optional[int] = None) -> dict[str, Array]:
        """{name: array[replicas]} of the current columns of thermo.csv: energies by term, temperature, ...

        ``configurational`` is all energy that depends on positions: accept Monte Carlo moves by it. ``potential`` is
        the same without penalties and Fixman's potential; it includes restraints, walls and added forces (``external``).

        replica: this replica alone, {name: array[1]}.
        """
        names = list(self.units)
        if replica is None:
            return Columns(self, zip(names, self._every_replica("look", len(names)).T))
        values = np.empty(len(names))
        self._call("look", operator.index(replica), values.ctypes.data)
        return Columns(self, zip(names, values[:, None]))

    @property
    def multipliers(self) -> Array:
        """[replicas][constraints] after the last step, molecule after molecule (`topology`), kcal/mol per unit of the
        constraint. Systems of waters require output.multipliers_every above 0."""
        return self._every_replica("multipliers", self.constraints)
