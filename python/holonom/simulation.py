"""A simulation in memory."""

import json
import os
import threading
import time
from ctypes import byref, c_char_p, c_void_p

import numpy as np

from . import _library
from ._library import FIELDS, call, library
from .progress import Progress
from .results import Results

# One call of the library takes about as long, so that Ctrl-C is heard and progress shown.
_CALL_SECONDS = 0.1


def _plain(value):
    """What json has no form for: numbers and arrays of numpy, paths."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} cannot stand in an input")


def _text_of(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_plain)


class Simulation:
    """A system of any sort from its input, all replicas of it, in memory.

    :param source: the name of an input file (a path, or a text without line breaks), the text of one, or a dict of its sections,
        ``{"system": {"model": "tip3p", "molecules": 7}, ...}``.
    :param changes: a dict ``{"integrator.timestep": "1 fs"}`` of keys that replace those of the source.

    Arrays are of float64 and copies: to change the state, set them whole (``sim.positions = x``). Whatever needs a start
    begins by itself. Use as a context manager, or `close` it, or leave it to the collector.

    :raises InputError: for an input that is wrong.
    """

    def __init__(self, source, changes=None):
        self._handle = c_void_p()
        self._hooks = []  # the library calls them: they must live
        self._raised = None
        self._started = False
        changes = [f"{key}={_text_of(value)}".encode() for key, value in (changes or {}).items()]
        changed = (c_char_p * len(changes))(*changes)
        if isinstance(source, dict):
            source = json.dumps(source, ensure_ascii=False, default=_plain) + "\n"
        if isinstance(source, str) and "\n" in source:
            call("open_text", byref(self._handle), b"input", source.encode(), changed, len(changes))
        else:
            call("open", byref(self._handle), os.fsencode(source), changed, len(changes))

    # --- life ---

    def close(self):
        """Frees everything; the simulation is of no more use."""
        handle, self._handle = self._handle, c_void_p()
        if handle:
            library.hol_close(handle)
        self._hooks = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def __repr__(self):
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

    def _call(self, name, *arguments):
        """A call during which functions of the user's may have raised: theirs is the exception that travels."""
        try:
            call(name, self._open, *arguments)
        except Exception:
            raised, self._raised = self._raised, None
            if raised is None:
                raise
            raise raised from None

    def _call_apart(self, name, *arguments):
        """A long call in a thread of its own, so that Ctrl-C can stop it."""
        if threading.current_thread() is not threading.main_thread():
            return self._call(name, *arguments)
        failed = []

        def work():
            try:
                self._call(name, *arguments)
            except BaseException as error:  # handed on to who waits
                failed.append(error)

        thread = threading.Thread(target=work, name=f"holonom {name}")
        thread.start()
        interrupted = None
        while thread.is_alive():
            try:
                thread.join(_CALL_SECONDS)
            except KeyboardInterrupt as error:
                interrupted = error
                self.stop()
        if interrupted is not None:
            raise interrupted
        if failed:
            raise failed[0]

    # --- work ---

    def start(self):
        """Builds or reads the start, draws momenta, computes forces."""
        if not self._started:
            self._call_apart("start")
            self._started = True

    def step(self, n=1, progress=None):
        """n steps of all replicas; where they are cut into calls changes no bit.

        progress: show how far it is; None: in terminals and notebooks, if it takes more than a second.
        Ctrl-C ends it between two steps with KeyboardInterrupt; the simulation can go on from there. Raises RunError
        when a run goes wrong, and what an observer or a force raised.
        """
        self.start()
        first, size, bar = self.steps, 1, Progress(n, progress)
        try:
            while (done := self.steps - first) < n:
                bar.at(done)
                size = min(size, n - done)
                begun = time.monotonic()
                self._call("step", size)
                if self.steps - first < done + size:
                    break  # `stop` ended it
                took = time.monotonic() - begun
                size = max(1, size * 2 if took < _CALL_SECONDS / 2 else size // 2 if took > 2 * _CALL_SECONDS else size)
        finally:
            bar.close()

    def stop(self):
        """Ends `step`, `start` or `run`, the one at work or else the next, soon; from any thread or an observer."""
        library.hol_stop(self._open)

    def run(self, folder, force=False, resume=False, other_build=False):
        """The whole run that the input describes into a folder, as ``holonom run`` does it; returns its `Results`.

        The simulation has not started; `step` goes on from its end. Observers are called meanwhile.

        force: write over the results of an earlier run; resume: go on with it; other_build: also if another build of
        the library began it. Ctrl-C ends it cleanly, with everything written and a checkpoint.
        """
        flags = force * _library.FORCE | resume * _library.RESUME | other_build * _library.OTHER_BUILD
        self._call_apart("run", os.fsencode(folder), flags)
        return Results(folder)

    def save(self, file):
        """All that changes, in one file."""
        self._call("save", os.fsencode(file))

    def load(self, file):
        """What `save` wrote, of a simulation of the same input; a run goes on from it to the bit."""
        self._call("load", os.fsencode(file))

    # --- what there is ---

    @property
    def sort(self):
        """"cluster", "box", "sites" or "hamiltonian"."""
        return library.hol_sort(self._open).decode()

    @property
    def replicas(self):
        """How many replicas run (those asked for, rounded up)."""
        return library.hol_replicas(self._open)

    @property
    def dimensions(self):
        """Of a site."""
        return library.hol_dimensions(self._open)

    @property
    def sites(self):
        """Of one replica, all molecules."""
        return library.hol_sites(self._open)

    @property
    def molecules(self):
        """Of one replica."""
        return library.hol_molecules(self._open)

    @property
    def freedom(self):
        """Degrees of freedom of one replica."""
        return library.hol_freedom(self._open)

    @property
    def constraints(self):
        """Of one replica, all molecules."""
        return library.hol_constraints(self._open)

    @property
    def steps(self):
        """Steps done."""
        return library.hol_steps_done(self._open)

    @property
    def time(self):
        """Of the steps done, AKMA units; times `AKMA_FS` it is in fs."""
        return library.hol_time(self._open)

    @property
    def temperatures(self):
        """[replicas], K (of reduced units kT): of the thermostat; in a ladder they are exchanged."""
        return np.array([library.hol_temperature(self._open, r) for r in range(self.replicas)])

    @property
    def masses(self):
        """[sites], u."""
        mass = np.empty(self.sites)
        library.hol_masses(self._open, mass.ctypes.data)
        return mass

    @property
    def names(self):
        """Of the sites: a list of texts."""
        return [library.hol_site_name(self._open, i).decode() for i in range(self.sites)]

    # --- the state ---

    def _every_replica(self, name, *shape, before=()):
        """hol_NAME of every replica: [replicas][shape], not to be written to, since it is a copy."""
        values = np.empty((self.replicas, *shape))
        for r in range(self.replicas):
            self._call(name, *before, r, values[r].ctypes.data)
        values.flags.writeable = False
        return values

    def _get(self, field):
        return self._every_replica("get", self.sites, self.dimensions, before=(FIELDS[field],))

    def _set(self, field, values):
        shape = (self.replicas, self.sites, self.dimensions)
        values = np.array(np.broadcast_to(np.asarray(values, dtype=float), shape), order="C")
        for r in range(self.replicas):
            self._call("set", FIELDS[field], r, values[r].ctypes.data)

    positions = property(
        lambda self: self._get("positions"),
        lambda self, x: self._set("positions", x),
        doc="[replicas][sites][dimensions], A. Set: of that shape, or [sites][dimensions] for all replicas.",
    )
    momenta = property(
        lambda self: self._get("momenta"),
        lambda self, p: self._set("momenta", p),
        doc="[replicas][sites][dimensions], u A/AKMA; set as positions.",
    )
    velocities = property(
        lambda self: self._get("velocities"),
        lambda self, v: self._set("velocities", v),
        doc="[replicas][sites][dimensions], A/AKMA; set as positions.",
    )
    forces = property(
        lambda self: self._get("forces"), doc="[replicas][sites][dimensions], kcal/mol/A, of the last step; read only."
    )

    @property
    def box(self):
        """[replicas][3] edges, A; zero where there is no box. Set: of that shape, or [3]; positions stay."""
        return self._every_replica("get_box", 3)

    @box.setter
    def box(self, lengths):
        lengths = np.array(np.broadcast_to(np.asarray(lengths, dtype=float), (self.replicas, 3)), order="C")
        for r in range(self.replicas):
            self._call("set_box", r, lengths[r].ctypes.data)

    @property
    def units(self):
        """{name: unit} of what `look` gives; "" for pure numbers."""
        handle = self._open
        return {
            library.hol_column_name(handle, i).decode(): (library.hol_column_unit(handle, i) or b"").decode()
            for i in range(library.hol_columns(handle))
        }

    def look(self):
        """{name: array[replicas]} of all numbers of thermo.csv as they are now: energies by term, temperature, ..."""
        names = list(self.units)
        return dict(zip(names, self._every_replica("look", len(names)).T))

    @property
    def multipliers(self):
        """[replicas][constraints] of the first molecule after the last step, kcal/mol per unit of the constraint."""
        values = np.full((self.replicas, max(self.constraints, 1)), np.nan)
        for r in range(self.replicas):
            self._call("multipliers", r, values[r].ctypes.data)
        return values[:, ~np.isnan(values).all(axis=0)]

    # --- functions of the user's ---

    def _guard(self, function):
        """As the library calls it: an exception is kept for `_call`, and the library told that there is one."""

        def guarded(user, argument, error):
            try:
                function(argument)
                return _library.OK
            except BaseException as raised:  # also KeyboardInterrupt: it travels through the library
                self._raised = self._raised or raised
                error.contents.message = f"{type(raised).__name__}: {raised}".encode()[:2047]
                return _library.RUN

        return guarded

    def observe(self, function, every=1):
        """Calls function(simulation) after every `every` steps; returns the function, so that it can decorate.

        It may read and save the simulation and `stop` it; an exception ends `step` and travels to its caller.
        """
        hook = _library.Observer(self._guard(lambda _: function(self)))
        self._call("observe", every, hook, None)
        self._hooks.append(hook)
        return function

    def add_force(self, function):
        """Adds a force to every replica, before the start; returns the function, so that it can decorate.

        function(x, replica, step) gets positions x[sites][dimensions] in A, not to be written to and gone after the
        call, and returns the energy in kcal/mol and the forces, an array of the same shape in kcal/mol/A. It is called at every
        evaluation of forces, by several threads in turn. It has no virial: pressures leave it out. Exceptions end
        `step` and travel to its caller.
        """
        shape = self.sites, self.dimensions

        def of_call(pointer):
            c = pointer.contents
            x = np.ctypeslib.as_array(c.x, shape)
            x.flags.writeable = False
            energy, forces = function(x, c.replica, c.step)
            forces = np.asarray(forces, dtype=float)
            if forces.shape != shape:
                raise ValueError(f"a force gave forces of shape {forces.shape}; wanted: {shape}")
            np.ctypeslib.as_array(c.f, shape)[...] = forces
            c.energy = energy

        hook = _library.Force(self._guard(of_call))
        self._call("add_force", hook, None)
        self._hooks.append(hook)
        return function
