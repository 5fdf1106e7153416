"""Functions of the user's: forces, observers, listeners."""

from __future__ import annotations

import operator
import threading
from ctypes import c_double
from typing import TYPE_CHECKING, Any, Callable, Dict, NamedTuple, Optional, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _library
from ._library import library
from .arrays import Array, view

if TYPE_CHECKING:
    from .simulation import Simulation

# What functions of the user's may call meanwhile.
MEANWHILE = {
    "a force": (),
    "a listener": (),
    "an observer": ("evaluate", "get", "get_box", "get_ladder", "parameter_get", "get_temperature", "get_topology", "get_virtual_sites", "look", "multipliers", "parameter_energies", "save", "save_memory"),
}


class ForceCall(NamedTuple):
    """What a force gets beside the positions."""

    step: int  #: steps done
    replicas: range  #: the numbers of those in this call
    box: Array  #: [replicas][3][3] edges as rows, A; zero where there is no box
    parameters: Dict[str, Array]  #: {name: [replicas]} values of the parameters of the Hamiltonian
    slopes: Dict[str, Array]  #: {name: [replicas]} dU/dparameter of this force: zeros, to be filled where they are wanted


#: What `Simulation.add_observer` takes; what it returns is not looked at.
Observer = Callable[["Simulation"], object]
#: What `Simulation.add_force` takes: of positions and a `ForceCall` energies and forces, and virials or none.
Force = Callable[[Array, ForceCall], Tuple[npt.ArrayLike, ...]]
AnObserver = TypeVar("AnObserver", bound=Observer)
AForce = TypeVar("AForce", bound=Force)


class Functions:
    """Of a `Simulation`: what has its functions called."""

    __slots__ = ()

    def _guard(self, what, function):
        """As the library calls it: an exception is kept for `_call`, and the library told that there is one."""

        def guarded(user, argument, error):
            try:
                self._inside.what = what
                function(argument)
                return _library.OK
            except BaseException as raised:  # also KeyboardInterrupt: it travels through the library
                self._raised = self._raised or raised
                error.contents.message = f"{type(raised).__name__}: {raised}".encode("utf-8", "replace")[:2047]
                return _library.RUN
            finally:
                self._inside.what = None

        return guarded

    def _add(self, kind, function, hook, *before, after=()):
        """hol_add_KIND; the library calls the hook, which must live as long."""
        self._call("add_" + kind, *before, hook, None, *after)
        self._hooks.append((kind, function, hook))

    def _remove(self, kind, function):
        """The last one of this kind that was added with this function."""
        found = [i for i, (its, own, _) in enumerate(self._hooks) if its == kind and own == function]
        if not found:
            raise ValueError(f"there is no such {kind} to remove: {function!r} was not added, or was removed before")
        self._call("remove_" + kind, self._hooks[found[-1]][2], None)
        del self._hooks[found[-1]]

    def add_observer(self, function: AnObserver, every: int = 1) -> AnObserver:
        """Has function(simulation) called after every `every` steps; returns the function, so that it can decorate.

        It may read and save the simulation and `stop` it, and nothing else (RuntimeError); an exception ends `step` and
        travels to its caller. What it returns is not looked at. Observers come and go between any two steps.
        """
        if not callable(function):
            raise TypeError(f"an observer is a function of the simulation, not {function!r}")
        hook = _library.Observer(self._guard("an observer", lambda _: function(self)))
        self._add("observer", function, hook, operator.index(every))
        return function

    observe = add_observer  # its older name

    def remove_observer(self, function: Observer) -> None:
        """Has an observer called no more; of one that was added several times the last goes. ValueError: there is none."""
        self._remove("observer", function)

    def listen(self, function: Optional[Callable[[str], object]]) -> None:
        """Has function(line) called with each line that ``holonom run`` would print, while a start is built, during long steps
        and at the end of `run`. It may `stop` the simulation and nothing else; an exception stops it, too, and travels to the
        caller. None: nobody is told, as at first."""
        if function is not None and not callable(function):
            raise TypeError(f"a listener is a function of a line, or None, not {function!r}")

        def told(user, line):
            try:
                self._inside.what = "a listener"
                function(line.decode("utf-8", "replace"))
            except BaseException as raised:  # also KeyboardInterrupt
                self._raised = self._raised or raised
                library.hol_stop(self._handle)
            finally:
                self._inside.what = None

        listener = _library.Listener(told) if function is not None else _library.Listener()
        self._call("listen", listener, None)
        self._listener = listener

    def add_force(self, function: AForce) -> AForce:
        """Adds a force to every replica, between any two steps; returns the function, so that it can decorate. ::

            @simulation.add_force
            def spring(x, call):  # each site to the origin
                return 0.5 * k * (x**2).sum(axis=(1, 2)), -k * x

        function(x, call) gets a copy of the positions x[replicas][sites][dimensions] in A, of all replicas at once, and a
        `ForceCall`; it returns the energies [replicas] in kcal/mol and the forces, an array like x in kcal/mol/A, and may
        return the virials [replicas][3][3], sums over sites of x_a f_b, without which pressures leave out what the force does
        between molecules. It is called at every evaluation of forces, in the thread that steps; where only some replicas are
        wanted, with these (``call.replicas``). It may not call the simulation. Exceptions end `step` and travel to its caller,
        as do results of another shape; numbers that are not finite are a RunError. A step that was cut short so is lost: `load`
        brings back a state that was saved.
        """
        if not callable(function):
            raise TypeError(f"a force is a function of positions and a ForceCall, not {function!r}")
        sites, dimensions, views = self.sites, self.dimensions, {}
        names = self._parameter_names()

        def views_of(c):
            n = c.replicas
            shapes = ((c.x, (sites, dimensions)), (c.box, (3, 3)), (c.energy, ()), (c.f, (sites, dimensions)), (c.virial, (3, 3)))
            x, box, *to = (view(address, c_double, n, *shape) for address, shape in shapes)
            values, slopes = (view(address, c_double, n, len(names)) if names else np.empty((n, 0)) for address in (c.parameter, c.slope))
            return x, box, tuple(zip(("energies", "forces", "virials"), to)), range(c.replica, c.replica + n), values, slopes

        def of_call(pointer):
            c = pointer.contents
            key = c.x, c.f, c.replicas
            x, box, places, replicas, values, slopes = views.get(key) or views.setdefault(key, views_of(c))
            given = {name: values[:, i].copy() for i, name in enumerate(names)}
            result = function(x.copy(), ForceCall(c.step, replicas, box.copy(), given, {name: slopes[:, i] for i, name in enumerate(names)}))
            if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
                raise TypeError(f"a force returns (energies, forces), or with virials, not {repr(result):.100}")
            for values, (name, place) in zip(result, places):
                values = np.asarray(values)
                if values.dtype.kind not in "buif":
                    raise TypeError(f"a force gave {name} of {values.dtype}, not real numbers")
                if values.shape != place.shape:
                    raise ValueError(f"a force gave {name} of shape {values.shape}; wanted: {place.shape}")
                place[...] = values

        self._add("force", function, _library.Force(self._guard("a force", of_call)), after=(0,))
        return function

    def remove_force(self, function: Force) -> None:
        """Takes a force away, as `add_force` gives it; of one that was added several times the last goes. ValueError: there is
        none."""
        self._remove("force", function)
